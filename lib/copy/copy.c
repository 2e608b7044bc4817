/* copy.c - copy objects: each copies a strided block to other strides. A copy is planned once and executed on
 * any addresses. */
#include "copy/copy.h"

static int check(int ndims, const ptrdiff_t n[], const ptrdiff_t from[], const ptrdiff_t to[],
                 ptrdiff_t block_bytes, ptrdiff_t whole_bytes)
{
    ptrdiff_t bytes = block_bytes;
    int rc = MPI_SUCCESS;
    if (ndims < 0 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (ndims > 0 && (!n || !from || !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (block_bytes < 0 || whole_bytes < 0)
        return subx_error_get_code(SUBX_ERR_SIZE);
    for (int i = 0; i < ndims && !rc; i++)
        rc = n[i] < 0 ? subx_error_get_code(SUBX_ERR_SIZE) : sx_base_mul(bytes, n[i], &bytes);
    return rc;
}

/* Add the levels from the smallest write stride to the largest, so that as many levels as possible are
 * fused. */
static int set_layout(int ndims, const ptrdiff_t n[], const ptrdiff_t from[], const ptrdiff_t to[],
                      sx_layout *l)
{
    char used[SUBX_NDIMS_MAX] = {0};
    int rc = MPI_SUCCESS;
    for (int k = 0; k < ndims && !rc; k++) {
        int next = -1;
        for (int i = 0; i < ndims; i++)
            if (!used[i] && (next < 0 || sx_kern_magnitude(to[i]) < sx_kern_magnitude(to[next])))
                next = i;
        used[next] = 1;
        rc = sx_layout_add(l, n[next], from[next], to[next]);
    }
    return rc;
}

int subx_copy_create(int ndims, const ptrdiff_t n[], const ptrdiff_t from[], const ptrdiff_t to[],
                     ptrdiff_t block_bytes, ptrdiff_t whole_bytes, subx_copy *copy)
{
    if (!copy)
        return subx_error_get_code(SUBX_ERR_ARG);
    *copy = SUBX_COPY_NULL;
    int rc = check(ndims, n, from, to, block_bytes, whole_bytes);
    if (rc)
        return rc;
    sx_layout layout;
    sx_layout_set(&layout, block_bytes);
    rc = set_layout(ndims, n, from, to, &layout);
    layout.whole_bytes = whole_bytes;
    return rc ? rc : sx_copy_create(&layout, 0, 0, copy);
}

int sx_copy_create(const sx_layout *layout, ptrdiff_t from_offset, ptrdiff_t to_offset, subx_copy *copy)
{
    subx_copy made = sx_base_alloc(1, sizeof *made);
    if (!made)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    *made = (struct subx_copy_s){
        .layout = *layout, .offset = {from_offset, to_offset}, .kern = sx_kern_get(layout)};
    *copy = made;
    return MPI_SUCCESS;
}

int subx_copy_execute(subx_copy copy, const void *from, void *to)
{
    if (!copy)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (copy->layout.block_bytes == 0)
        return MPI_SUCCESS;
    if (!from || !to)
        return subx_error_get_code(SUBX_ERR_ARG);
    const char *first = (const char *)from + copy->offset[SX_FROM];
    char *const target = (char *)to + copy->offset[SX_TO];
    if (copy->on_device)
        return sx_copy_execute_on_device(copy, first, target);
    copy->kern->copy(&copy->layout, first, target);
    return MPI_SUCCESS;
}

/* ---- prefetch */

static void prefetch_run(const char *run, ptrdiff_t bytes)
{
#ifdef __GNUC__
    for (ptrdiff_t at = 0; at < bytes; at += SX_ALIGNMENT)
        __builtin_prefetch(run + at, 0, 2);
#else
    (void)run, (void)bytes;
#endif
}

static void prefetch_level(const sx_layout *l, int level, ptrdiff_t bytes, const char *from)
{
    if (level < 0) {
        prefetch_run(from, bytes);
        return;
    }
    for (ptrdiff_t i = 0; i < l->dim[level].n; i++)
        prefetch_level(l, level - 1, bytes, from + i * l->dim[level].is);
}

/* If the blocks of a level follow each other without gaps where the copy reads, they are prefetched as one
 * run. */
int subx_copy_prefetch(subx_copy copy, const void *from)
{
    if (!copy)
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_layout l = copy->layout;
    int first = -1;
    for (int i = 0; i < l.nd; i++)
        if (l.dim[i].is == l.block_bytes)
            first = i;
    ptrdiff_t bytes = l.block_bytes;
    if (first >= 0) {
        bytes *= l.dim[first].n;
        l.dim[first].n = 1;
    }
    if (bytes > 0 && from && !copy->on_device)
        prefetch_level(&l, l.nd - 1, bytes, (const char *)from + copy->offset[SX_FROM]);
    return MPI_SUCCESS;
}

int subx_copy_query_bypass(ptrdiff_t bytes, int *bypass)
{
    if (bytes < 0 || !bypass)
        return subx_error_get_code(SUBX_ERR_ARG);
    *bypass = sx_kern_caches_exceeded(bytes);
    return MPI_SUCCESS;
}

int subx_copy_free(subx_copy *copy)
{
    if (copy && *copy) {
        sx_copy_free_on_device((*copy)->on_device);
        sx_base_free(*copy);
        *copy = SUBX_COPY_NULL;
    }
    return MPI_SUCCESS;
}
