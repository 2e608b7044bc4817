/* box.c - strided boxes and boxes of indices. */
#include "base/base.h"

sx_dim sx_base_take_loop(int *n, sx_dim loop[], int i)
{
    const sx_dim taken = loop[i];
    for (--*n; i < *n; i++)
        loop[i] = loop[i + 1];
    return taken;
}

int sx_base_join_loops(int n, sx_dim loop[])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            sx_dim *inner = &loop[i], *outer = &loop[k];
            if (i == k || outer->is != inner->n * inner->is || outer->os != inner->n * inner->os)
                continue;
            inner->n *= outer->n;
            loop[k] = loop[--n];
            i = -1;
            break;
        }
    return n;
}

int sx_base_is_empty(int n, const ptrdiff_t len[])
{
    for (int k = 0; k < n; k++)
        if (len[k] == 0)
            return 1;
    return 0;
}

/* If a length is 0, the product of the others may overflow. */
ptrdiff_t sx_base_get_volume(int n, const ptrdiff_t len[])
{
    ptrdiff_t volume = !sx_base_is_empty(n, len);
    for (int k = 0; k < n && volume > 0; k++)
        volume *= len[k];
    return volume;
}

ptrdiff_t sx_base_get_common(int n, const ptrdiff_t start_a[], const ptrdiff_t len_a[],
                             const ptrdiff_t start_b[], const ptrdiff_t len_b[], ptrdiff_t start[],
                             ptrdiff_t len[])
{
    for (int k = 0; k < n; k++) {
        const ptrdiff_t end_a = start_a[k] + len_a[k], end_b = start_b[k] + len_b[k];
        const ptrdiff_t end = end_a < end_b ? end_a : end_b;
        start[k] = start_a[k] > start_b[k] ? start_a[k] : start_b[k];
        len[k] = end > start[k] ? end - start[k] : 0;
    }
    return sx_base_get_volume(n, len);
}

int sx_base_get_end(int n, ptrdiff_t offset, const ptrdiff_t len[], const ptrdiff_t stride[], ptrdiff_t *end)
{
    ptrdiff_t last = offset, span;
    int rc = MPI_SUCCESS;
    *end = 0;
    if (sx_base_is_empty(n, len))
        return MPI_SUCCESS;
    for (int k = 0; k < n && !rc; k++) {
        rc = sx_base_mul(len[k] - 1, stride[k], &span);
        rc = rc ? rc : sx_base_add(last, span, &last);
    }
    return rc ? rc : sx_base_add(last, 1, end);
}

void sx_base_get_order(int ndims, const ptrdiff_t stride[], int order[])
{
    for (int i = 0; i < ndims; i++) {
        const int axis = ndims - 1 - i;
        int at = i;
        for (; at > 0 && stride[order[at - 1]] > stride[axis]; at--)
            order[at] = order[at - 1];
        order[at] = axis;
    }
}
