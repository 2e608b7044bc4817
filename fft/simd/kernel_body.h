/* kernel_body.h - a template: the steps of transforms in one precision for one instruction set. A file of an
 * instruction set defines these names, and includes this file:
 *   R, INTEGER     the type of reals, and an integer type of the same size
 *   LANES          the number of reals in a register
 *   TARGET         the attribute of functions
 *   OF(name)       `name`, made unique for the precision and the set
 *   cost, PRIMES   as in sx_simd_code
 *   STREAM         a store past the caches
 *   EVEN and others   lists of vector.h for shuffles
 *   REVERSED       the reals of a register in reverse, if LANES is at least 4
 *   HAS_MANY_REGISTERS   only if there are 32 registers instead of 16
 *   JOIN           only if lines are loaded faster by halves of registers */

typedef R OF(vector) __attribute__((vector_size(LANES * sizeof(R))));
typedef INTEGER OF(mask) __attribute__((vector_size(LANES * sizeof(R))));
/* The reals of a register, and one real, in the caller's arrays, which may begin at any address. */
typedef R OF(memory) __attribute__((vector_size(LANES * sizeof(R)), aligned(1), may_alias));
typedef R OF(real) __attribute__((aligned(1)));

#define V OF(vector)
#define M OF(memory)
#define MASK OF(mask)
#define BYTES ((ptrdiff_t)sizeof(V))

#if LANES == 2
#define SWAPPED SWAPPED_2
#define ALTERNATING ALTERNATING_2
#elif LANES == 4
#define SWAPPED SWAPPED_4
#define ALTERNATING ALTERNATING_4
#define MIRRORED MIRRORED_4
#elif LANES == 8
#define SWAPPED SWAPPED_8
#define ALTERNATING ALTERNATING_8
#define MIRRORED MIRRORED_8
#define LOW_HALVES LOW_HALVES_8
#define HIGH_HALVES HIGH_HALVES_8
#else
#define SWAPPED SWAPPED_16
#define ALTERNATING ALTERNATING_16
#define MIRRORED MIRRORED_16
#define LOW_HALVES LOW_HALVES_16
#define HIGH_HALVES HIGH_HALVES_16
#endif

/* Butterflies for each form of complex numbers: P is the type of LANES numbers in parts, or of LANES / 2
 * joined numbers. The order of the files matters: each file uses what the files before it define. */
/* clang-format off */
#define P V
#define NUMBERS(name) OF(joined_##name)
#define IS_BACKWARD 0
#include "simd/joined_body.h"
#include "simd/butterfly_body.h"
#undef NUMBERS
#undef IS_BACKWARD
#define NUMBERS(name) OF(joined_backward_##name)
#define IS_BACKWARD 1
#include "simd/joined_body.h"
#include "simd/butterfly_body.h"
#undef P
#undef NUMBERS
#undef IS_BACKWARD
#define P OF(point)
#define NUMBERS(name) OF(name)
#include "simd/parts_body.h"
#include "simd/butterfly_body.h"
#undef NUMBERS
#include "simd/memory_body.h"
#include "simd/step_body.h"
#include "simd/whole_body.h"
#include "simd/line_body.h"
#include "simd/fold_body.h"
#if LANES >= 4
#include "simd/short_body.h"
#include "simd/short_real_body.h"
#include "simd/across_body.h"
#endif
/* clang-format on */

#define RUNS(radix)                                                                                          \
    [radix] = {[SX_SIMD_FIRST] = OF(first##radix),                                                           \
               [SX_SIMD_FIRST_REAL] = OF(first_real##radix),                                                 \
               [SX_SIMD_INNER] = OF(inner##radix),                                                           \
               [SX_SIMD_LAST_INNER] = OF(last_inner##radix),                                                 \
               [SX_SIMD_LAST] = OF(last##radix),                                                             \
               [SX_SIMD_LAST_SCALED] = OF(last_scaled##radix),                                               \
               [SX_SIMD_LAST_STREAMED] = OF(last_streamed##radix),                                           \
               [SX_SIMD_LAST_REAL] = OF(last_real##radix)}

static const sx_simd_code OF(code) = {
    .lanes = LANES,
    .cost = cost,
    .primes = PRIMES,
    .order = {EVEN},
    .step = {RUNS(0), RUNS(1), RUNS(2), RUNS(3), RUNS(4), RUNS(5), RUNS(6), RUNS(7), RUNS(8), RUNS(9),
             RUNS(10), RUNS(11), RUNS(12), RUNS(13), RUNS(14), RUNS(15), RUNS(16)},
    .whole = {WHOLE_ALL},
    .load_lines = OF(load_lines),
    .store_lines = {OF(store_lines), OF(store_lines_scaled), OF(store_lines_streamed)},
    .has_streamed_lines = BYTES >= SX_LINE,
#ifdef ACROSS_ALL
    .joined = {SHORT_ALL},
    .reals = {SHORT_REALS_ALL},
    .across = {ACROSS_ALL},
    .finish_line = {{OF(finish_forward), OF(finish_backward)},
                    {OF(finish_forward_streamed), OF(finish_backward_streamed)}},
    .split_lines = OF(split_lines),
    .merge_lines = OF(merge_lines),
#endif
    FOLDS};

#undef RUNS
#undef WHOLE_RUNS
#undef WHOLE_ALL
#undef SHORT_LINES
#undef SHORT_ALL
#undef SHORT_REALS
#undef SHORT_REALS_ALL
#undef PAIR_RADIX
#undef ACROSS_RUNS
#undef ACROSS_ALL
#undef FOLDS
#undef P
#undef V
#undef M
#undef MASK
#undef BYTES
#undef R
#undef INTEGER
#undef LANES
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef BLOCK_EVEN
#undef BLOCK_ODD
#undef PAIR_EVEN
#undef PAIR_ODD
#undef JOIN
#undef REVERSED
#undef SWAPPED
#undef ALTERNATING
#undef MIRRORED
#undef LOW_HALVES
#undef HIGH_HALVES
#undef ORDERED_EVEN
#undef ORDERED_ODD
#undef ORDERED_LOW
#undef ORDERED_HIGH
#undef OF
