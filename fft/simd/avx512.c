/* avx512.c - kernels for AVX-512. */
#include "simd/step.h"

extern const sx_simd_set sx_simd_avx512;

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define HAS_MANY_REGISTERS
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
#define STREAM(at, v) _mm512_stream_pd((void *)(at), (__m512d)(v))
#include "simd/constants.h"
#include "simd/vector.h"

/* The members cost and primes of sx_simd_code, fitted to measured times: up to PRIMES, a direct step of a
 * prime takes less time than a convolution. */
static const int cost[SX_SIMD_RADIX_MAX + 1] = {
    [0] = 8,  [2] = 44,  [3] = 61,   [4] = 54,  [5] = 66,   [6] = 58,   [7] = 82,   [8] = 70,
    [9] = 94, [10] = 82, [11] = 114, [12] = 82, [13] = 120, [14] = 122, [15] = 110, [16] = 100};
enum { PRIMES = 113 };

#define R double
#define INTEGER long long
#define LANES 8
#define EVEN EVEN_D8
#define ODD ODD_D8
#define LOW EVEN_D8
#define HIGH ODD_D8
#define BLOCK_EVEN BLOCK_EVEN_D8
#define BLOCK_ODD BLOCK_ODD_D8
#define PAIR_EVEN BLOCK_EVEN_D8
#define PAIR_ODD BLOCK_ODD_D8
#define ORDERED_EVEN ORDERED_EVEN_8
#define ORDERED_ODD ORDERED_ODD_8
#define ORDERED_LOW ORDERED_LOW_8
#define ORDERED_HIGH ORDERED_HIGH_8
#define REVERSED REVERSED_8
#ifdef HAVE_HALVES
#define JOIN ALL_8
#endif
#define OF(name) name##_double
#include "simd/kernel_body.h"

#define R float
#define INTEGER int
#define LANES 16
#define EVEN EVEN_S16
#define ODD ODD_S16
#define LOW LOW_S16
#define HIGH HIGH_S16
#define BLOCK_EVEN BLOCK_EVEN_S16
#define BLOCK_ODD BLOCK_ODD_S16
#define PAIR_EVEN PAIR_EVEN_S16
#define PAIR_ODD PAIR_ODD_S16
#define ORDERED_EVEN ORDERED_EVEN_16
#define ORDERED_ODD ORDERED_ODD_16
#define ORDERED_LOW ORDERED_LOW_16
#define ORDERED_HIGH ORDERED_HIGH_16
#define REVERSED REVERSED_16
#ifdef HAVE_HALVES
#define JOIN ALL_16
#endif
#define OF(name) name##_float
#include "simd/kernel_body.h"

static int is_there(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

const sx_simd_set sx_simd_avx512 = {
    "avx512", is_there, {[SX_SIMD_FLOAT] = &code_float, [SX_SIMD_DOUBLE] = &code_double}};

#else

static int is_there(void)
{
    return 0;
}

const sx_simd_set sx_simd_avx512 = {"avx512", is_there, {NULL}};

#endif
