/* block.c - an axis divided into balanced contiguous blocks (Dalcin, Mortensen & Keyes 2019, eq. 9 and
 * algorithm 1), and the rank that owns an index. */
#include "base/base.h"

static ptrdiff_t get_least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

int subx_block_get(ptrdiff_t n, int p, int r, ptrdiff_t *len, ptrdiff_t *start)
{
    if (n < 0 || p <= 0 || r < 0 || r >= p || !len || !start)
        return subx_error_get_code(SUBX_ERR_ARG);
    ptrdiff_t each = n / p, extra = n % p;
    *len = each + (r < extra);
    *start = each * r + get_least(r, extra);
    return MPI_SUCCESS;
}

/* The first `longer` indices are in blocks of length each + 1, all other indices in blocks of length
 * `each`. */
int subx_block_get_owner(ptrdiff_t n, int p, ptrdiff_t i, int *r)
{
    if (n < 0 || p <= 0 || i < 0 || i >= n || !r)
        return subx_error_get_code(SUBX_ERR_ARG);
    ptrdiff_t each = n / p, extra = n % p, longer = extra ? extra * (each + 1) : 0;
    /* There is no division by 0: if each = 0, all indices are in the longer blocks. */
    ptrdiff_t owner = i < longer ? i / (each + 1) : extra + (i - longer) / each;
    return sx_base_int(owner, r);
}
