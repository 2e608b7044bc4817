/* radices.c - divide a length into radices. */
#include "simd/plan.h"

/* The cheapest product of radices of which none is larger than `most`. */
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

int sx_simd_get_radices(const sx_simd_code *code, ptrdiff_t n, int radix[], int *nsteps)
{
    static const int prime[] = {2, 3, 5, 7, 11, 13};
    ptrdiff_t rest = n;
    *nsteps = 1;
    radix[0] = 1;
    for (int i = 0; i < 6; i++)
        while (rest % prime[i] == 0)
            rest /= prime[i];
    if (rest > 1)
        return SX_SIMD_NO_TIME;
    return n == 1 ? 0 : find(code->cost, n, SX_SIMD_RADIX_MAX, radix, nsteps);
}
