/* arith.c - integer arithmetic that reports overflow; permutations. */
#include "base/base.h"
#include <limits.h>
#include <string.h>

int sx_base_mul(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *product)
{
    return __builtin_mul_overflow(a, b, product) ? subx_error_get_code(SUBX_ERR_TOO_LARGE) : MPI_SUCCESS;
}

int sx_base_add(ptrdiff_t a, ptrdiff_t b, ptrdiff_t *sum)
{
    return __builtin_add_overflow(a, b, sum) ? subx_error_get_code(SUBX_ERR_TOO_LARGE) : MPI_SUCCESS;
}

int sx_base_int(ptrdiff_t a, int *result)
{
    if (a < INT_MIN || a > INT_MAX)
        return subx_error_get_code(SUBX_ERR_TOO_LARGE);
    *result = (int)a;
    return MPI_SUCCESS;
}

int sx_base_fit(ptrdiff_t a)
{
    return a < INT_MIN ? INT_MIN : a > INT_MAX ? INT_MAX : (int)a;
}

int sx_base_is_permutation(int n, const int order[])
{
    char seen[SUBX_NDIMS_MAX];
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++) {
        if (order[i] < 0 || order[i] >= n || seen[order[i]])
            return 0;
        seen[order[i]] = 1;
    }
    return 1;
}
