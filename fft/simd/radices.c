/* radices.c - choose the radices of a length. */
#include "simd/transform.h"

/* Write n as the cheapest product of radices that are at most `most`. Returns the cost. */
static int find(const int cost[], ptrdiff_t n, int most, int radix[], int *nsteps)
{
    int best = SX_SIMD_NO_TIME;
    *nsteps = 0;
    if (n == 1)
        return 0;
    for (int r = most; r > 1; r--) {
        int rest[SX_SIMD_NSTEPS_MAX], count, sum;
        if (n % r)
            continue;
        sum = cost[r] + find(cost, n / r, r, rest, &count);
        if (sum >= best)
            continue;
        best = sum;
        *nsteps = count + 1;
        radix[0] = r;
        for (int i = 0; i < count; i++)
            radix[i + 1] = rest[i];
    }
    return best;
}

/* List the prime factors above 13, and divide n by them. Returns the rest, which is above 1 if a prime has no
 * step, or if a convolution is faster. */
static ptrdiff_t divide_by_primes(const sx_simd_code *code, ptrdiff_t n, int radix[], int *nsteps, int *time)
{
    int sum = 0;
    /* If p divides n, p is prime: n has no prime factors up to 13, and 17 * 17, the least product of two
     * larger primes, is above PRIME_MAX. */
    for (int p = SX_SIMD_PRIME_MAX; p > SX_SIMD_FACTOR_MAX; p--)
        for (; n % p == 0 && sum + p <= code->primes; n /= p) {
            sum += p;
            *time += code->cost[0] * p;
            radix[(*nsteps)++] = p;
        }
    return n;
}

int sx_simd_get_radices(const sx_simd_code *code, ptrdiff_t n, int radix[], int *nsteps)
{
    int small[SX_SIMD_NSTEPS_MAX], nsmall, time = 0;
    ptrdiff_t rest = n;
    *nsteps = 0;
    for (int p = 2; p <= SX_SIMD_FACTOR_MAX; p++)
        while (rest % p == 0)
            rest /= p;
    n /= rest;
    if (divide_by_primes(code, rest, radix, nsteps, &time) > 1)
        return SX_SIMD_NO_TIME;
    time += find(code->cost, n, SX_SIMD_RADIX_MAX, small, &nsmall);
    for (int i = 0; i < nsmall; i++)
        radix[(*nsteps)++] = small[i];
    if (*nsteps == 0)
        radix[(*nsteps)++] = 1;
    return time;
}
