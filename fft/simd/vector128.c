/* vector128.c - kernels for registers of 16 bytes, which all current machines have: SSE2, NEON, and
 * others. */
#include "simd/step.h"

extern const sx_simd_set sx_simd_vector128;

#if defined(__GNUC__)
#define TARGET
#define STREAM(at, v) (*(at) = (v))
#include "simd/constants.h"
#include "simd/vector.h"

/* The members cost and primes of sx_simd_code, fitted to measured times. */
static const int cost[SX_SIMD_RADIX_MAX + 1] = {
    [0] = 10, [2] = 62,  [3] = 47,   [4] = 32,  [5] = 74,   [6] = 19,   [7] = 100,  [8] = 35,
    [9] = 92, [10] = 86, [11] = 138, [12] = 75, [13] = 116, [14] = 126, [15] = 104, [16] = 89};
enum { PRIMES = 97 };

#define R double
#define INTEGER long long
#define LANES 2
#define EVEN EVEN_D2
#define ODD ODD_D2
#define LOW EVEN_D2
#define HIGH ODD_D2
#define BLOCK_EVEN EVEN_D2
#define BLOCK_ODD ODD_D2
#define PAIR_EVEN EVEN_D2
#define PAIR_ODD ODD_D2
#define ORDERED_EVEN EVEN_D2
#define ORDERED_ODD ODD_D2
#define ORDERED_LOW EVEN_D2
#define ORDERED_HIGH ODD_D2
#define OF(name) name##_double
#include "simd/kernel_body.h"

#define R float
#define INTEGER int
#define LANES 4
#define EVEN EVEN_S4
#define ODD ODD_S4
#define LOW LOW_S4
#define HIGH HIGH_S4
#define BLOCK_EVEN EVEN_S4
#define BLOCK_ODD ODD_S4
#define PAIR_EVEN PAIR_EVEN_S4
#define PAIR_ODD PAIR_ODD_S4
#define ORDERED_EVEN ORDERED_EVEN_4
#define ORDERED_ODD ORDERED_ODD_4
#define ORDERED_LOW ORDERED_LOW_4
#define ORDERED_HIGH ORDERED_HIGH_4
#define REVERSED REVERSED_4
#define OF(name) name##_float
#include "simd/kernel_body.h"

static int is_there(void)
{
    return 1;
}

const sx_simd_set sx_simd_vector128 = {
    "vector128", is_there, {[SX_SIMD_FLOAT] = &code_float, [SX_SIMD_DOUBLE] = &code_double}};

#else

static int is_there(void)
{
    return 0;
}

const sx_simd_set sx_simd_vector128 = {"vector128", is_there, {NULL}};

#endif
