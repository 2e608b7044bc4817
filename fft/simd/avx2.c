/* avx2.c - kernels for AVX2 with FMA. */
#include "simd/step.h"

extern const sx_simd_set sx_simd_avx2;

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define TARGET __attribute__((target("avx2,fma")))
#define STREAM(at, v) _mm256_stream_pd((double *)(void *)(at), (__m256d)(v))
#include "simd/constants.h"
#include "simd/vector.h"

/* The members cost and primes of sx_simd_code, fitted to measured times. */
static const int cost[SX_SIMD_RADIX_MAX + 1] = {
    [0] = 14, [2] = 53,  [3] = 46,   [4] = 38,  [5] = 48,   [6] = 34,   [7] = 87,   [8] = 48,
    [9] = 84, [10] = 82, [11] = 112, [12] = 82, [13] = 138, [14] = 105, [15] = 104, [16] = 109};
enum { PRIMES = 73 };

#define R double
#define INTEGER long long
#define LANES 4
#define EVEN EVEN_D4
#define ODD ODD_D4
#define LOW EVEN_D4
#define HIGH ODD_D4
#define BLOCK_EVEN BLOCK_EVEN_D4
#define BLOCK_ODD BLOCK_ODD_D4
#define PAIR_EVEN BLOCK_EVEN_D4
#define PAIR_ODD BLOCK_ODD_D4
#define ORDERED_EVEN ORDERED_EVEN_4
#define ORDERED_ODD ORDERED_ODD_4
#define ORDERED_LOW ORDERED_LOW_4
#define ORDERED_HIGH ORDERED_HIGH_4
#define REVERSED REVERSED_4
#define OF(name) name##_double
#include "simd/kernel_body.h"

#define R float
#define INTEGER int
#define LANES 8
#define EVEN EVEN_S8
#define ODD ODD_S8
#define LOW LOW_S8
#define HIGH HIGH_S8
#define BLOCK_EVEN BLOCK_EVEN_S8
#define BLOCK_ODD BLOCK_ODD_S8
#define PAIR_EVEN PAIR_EVEN_S8
#define PAIR_ODD PAIR_ODD_S8
#define ORDERED_EVEN ORDERED_EVEN_8
#define ORDERED_ODD ORDERED_ODD_8
#define ORDERED_LOW ORDERED_LOW_8
#define ORDERED_HIGH ORDERED_HIGH_8
#define REVERSED REVERSED_8
#define OF(name) name##_float
#include "simd/kernel_body.h"

static int is_there(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const sx_simd_set sx_simd_avx2 = {
    "avx2", is_there, {[SX_SIMD_FLOAT] = &code_float, [SX_SIMD_DOUBLE] = &code_double}};

#else

static int is_there(void)
{
    return 0;
}

const sx_simd_set sx_simd_avx2 = {"avx2", is_there, {NULL}};

#endif
