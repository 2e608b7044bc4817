/* layout.c - how FFTW distributes arrays, and how much memory its callers must allocate. The rules are in
 * FFTW's manual, sections 6.4 and 6.12. Where the manual says nothing, this file does what FFTW's library
 * does. */
#include "fftw3mpi/fftw3mpi.h"

/* ---- blocks */

static ptrdiff_t divide_up(ptrdiff_t n, ptrdiff_t by)
{
    return by > 0 ? (n + by - 1) / by : 0;
}

static ptrdiff_t max(ptrdiff_t a, ptrdiff_t b)
{
    return a > b ? a : b;
}

static ptrdiff_t get_length(ptrdiff_t n, ptrdiff_t block, ptrdiff_t which)
{
    const ptrdiff_t left = n - which * block;
    return left <= 0 ? 0 : left < block ? left : block;
}

ptrdiff_t sx_fftw_count_blocks(const sx_fftw_layout *l, int side, int axis)
{
    return divide_up(l->n[axis], l->block[side][axis]);
}

/* Get the number of blocks along the axes from `axis` on. If there are more than ranks, it is only known that
 * there are. */
static ptrdiff_t count_from(const sx_fftw_layout *l, int side, int axis)
{
    ptrdiff_t count = 1;
    for (; axis < l->ndims && count <= l->nranks; axis++)
        count *= sx_fftw_count_blocks(l, side, axis);
    return count;
}

ptrdiff_t sx_fftw_count_all(const sx_fftw_layout *l, int side)
{
    return count_from(l, side, 0);
}

void sx_fftw_get_part(const sx_fftw_layout *l, int side, int rank, ptrdiff_t len[], ptrdiff_t start[])
{
    const int is_idle = rank >= sx_fftw_count_all(l, side);
    ptrdiff_t left = rank;
    for (int i = l->ndims - 1; i >= 0; i--) {
        const ptrdiff_t count = sx_fftw_count_blocks(l, side, i), block = l->block[side][i];
        len[i] = is_idle ? 0 : get_length(l->n[i], block, left % count);
        start[i] = is_idle ? 0 : left % count * block;
        left = is_idle ? 0 : left / count;
    }
}

static ptrdiff_t get_volume(const sx_fftw_layout *l, int side, int rank)
{
    ptrdiff_t len[SX_FFTW_NDIMS_MAX], start[SX_FFTW_NDIMS_MAX], volume = 1;
    sx_fftw_get_part(l, side, rank, len, start);
    for (int i = 0; i < l->ndims; i++)
        volume *= len[i];
    return volume;
}

/* ---- one axis */

static int is_prime(ptrdiff_t n)
{
    for (ptrdiff_t k = 2; k <= n / k; k++)
        if (n % k == 0)
            return 0;
    return n > 1;
}

/* Get the radix r of a single axis: its n = r m points are transformed like an array of r x m (Cooley and
 * Tukey 1965). A backward transform swaps r and m, so that its input has the layout of a forward transform's
 * output. Returns 0 if the axis cannot be factored: n is prime or 1, or there is one rank. */
static ptrdiff_t get_radix(ptrdiff_t n, int nranks, int sign)
{
    ptrdiff_t r = 1;
    if (n % nranks == 0 && n / nranks >= nranks)
        r = n / nranks;
    else {
        while ((r + 1) <= n / (r + 1))
            r++;
        while (n % r)
            r++;
    }
    if (r == 1 || r == n)
        return 0;
    return sign == SUBX_FFT_FORWARD ? r : n / r;
}

/* Query whether an array of one axis is distributed as r x m points. Three conditions must hold: the axis can
 * be factored; the transform is complex (sign is 1 or -1); and there are fewer transforms than ranks, or a
 * flag of SX_FFTW_MPI_FLAGS is set. If only the third condition does not hold, the transforms are distributed
 * like an array of two axes. */
int sx_fftw_is_factored(ptrdiff_t n, int nranks, ptrdiff_t howmany, int sign, unsigned flags)
{
    return !(howmany >= nranks && !(flags & SX_FFTW_MPI_FLAGS)) && (sign == 1 || sign == -1) &&
           get_radix(n, nranks, sign);
}

static void set_factored(sx_fftw_layout *l, int sign, unsigned flags)
{
    const ptrdiff_t r = get_radix(l->n[0], l->nranks, sign), m = l->n[0] / r;
    const ptrdiff_t by_m = divide_up(r, l->nranks) * m, by_r = divide_up(m, l->nranks) * r;
    l->block[SX_FROM][0] = flags & SX_FFTW_SCRAMBLED_IN ? by_m : by_r;
    l->block[SX_TO][0] = flags & SX_FFTW_SCRAMBLED_OUT ? by_r : by_m;
}

/* Get the largest number of elements that a rank has between the steps of a factored transform. If the
 * caller's data is divided along one of the factors r and m, the ranks divide the other factor between the
 * steps. The division of scrambled data does not change, so scrambled data needs no additional elements. */
static ptrdiff_t get_factored_alloc(const sx_fftw_layout *l, int sign, unsigned flags)
{
    const ptrdiff_t r = get_radix(l->n[0], l->nranks, sign), m = l->n[0] / r;
    const ptrdiff_t before = flags & SX_FFTW_SCRAMBLED_IN ? 1 : divide_up(r, l->nranks) * m;
    const ptrdiff_t after = flags & SX_FFTW_SCRAMBLED_OUT ? 1 : divide_up(m, l->nranks) * r;
    return max(before, after);
}

/* ---- layouts */

/* Choose the block lengths of a side along the axes for which the caller gave none (is_open). As many ranks
 * as possible get data, and as few axes as possible are divided. */
static void fill_in(sx_fftw_layout *l, int side, const int is_open[])
{
    ptrdiff_t count = sx_fftw_count_all(l, side), left = count ? l->nranks / count : 0;
    for (int i = 0; i < l->ndims && left > 1; i++)
        if (is_open[i]) {
            l->block[side][i] = divide_up(l->n[i], left);
            count = sx_fftw_count_all(l, side);
            left = count ? l->nranks / count : 0;
        }
}

/* Set a layout. For r2c and c2r, the caller gives n/2 + 1 as the length of the last axis. */
static void set_layout(sx_fftw_layout *l, int ndims, const sx_fftw_dim dim[], int nranks, ptrdiff_t howmany,
                       int sign, unsigned flags)
{
    *l = (sx_fftw_layout){.ndims = ndims, .nranks = nranks};
    for (int i = 0; i < ndims; i++)
        l->n[i] = dim[i].n;
    for (int side = 0; side < 2; side++) {
        int is_open[SX_FFTW_NDIMS_MAX];
        for (int i = 0; i < ndims; i++) {
            const ptrdiff_t block = side == SX_FROM ? dim[i].ib : dim[i].ob;
            is_open[i] = block == 0;
            l->block[side][i] = block ? block : dim[i].n;
        }
        fill_in(l, side, is_open);
        for (int i = 0; i < ndims; i++)
            if (sx_fftw_count_blocks(l, side, i) == 1 || (ndims == 1 && is_prime(l->n[0])))
                l->block[side][i] = l->n[i];
    }
    if (ndims == 1 && sx_fftw_is_factored(l->n[0], nranks, howmany, sign, flags))
        set_factored(l, sign, flags);
}

/* No block is longer than its axis. */
void sx_fftw_set_request_layout(sx_fftw_layout *l, const sx_fftw_request *q)
{
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    for (int i = 0; i < q->ndims; i++) {
        const ptrdiff_t n = sx_fftw_is_halved(q) && i == q->ndims - 1 ? q->dim[i].n / 2 + 1 : q->dim[i].n;
        dim[i] = (sx_fftw_dim){n, q->dim[i].ib < n ? q->dim[i].ib : n, q->dim[i].ob < n ? q->dim[i].ob : n};
    }
    set_layout(l, q->ndims, dim, q->nranks, q->howmany, q->sign, q->flags);
}

/* ---- memory */

/* Query whether a side is divided along exactly one axis, which is one of the first two. */
static int is_slab(const sx_fftw_layout *l, int side)
{
    int axis = 0;
    while (axis < l->ndims && sx_fftw_count_blocks(l, side, axis) == 1)
        axis++;
    return axis < 2 && axis < l->ndims && count_from(l, side, axis + 1) == 1;
}

/* Get the number of elements that a rank has between two steps of FFTW's transform, divided by howmany and
 * rounded up. Between the steps, axis `whole` is not divided. All other axes and howmany together are one
 * long axis, which is divided evenly among the ranks. */
static ptrdiff_t get_between(const sx_fftw_layout *l, int whole, ptrdiff_t howmany, int rank)
{
    ptrdiff_t others = howmany;
    for (int i = 0; i < l->ndims; i++)
        if (i != whole)
            others *= l->n[i];
    return divide_up(l->n[whole] * get_length(others, divide_up(others, l->nranks), rank), howmany);
}

static ptrdiff_t get_slab_alloc(const sx_fftw_layout *l, ptrdiff_t howmany, int rank)
{
    ptrdiff_t most = max(get_between(l, 0, howmany, rank), get_between(l, 1, howmany, rank));
    for (int i = 0; i < 2; i++)
        if (sx_fftw_count_blocks(l, SX_FROM, i) == 1 && sx_fftw_count_blocks(l, SX_TO, i) == 1) {
            sx_fftw_layout between = *l;
            between.block[SX_FROM][i] = divide_up(l->n[i], l->nranks);
            between.block[SX_FROM][1 - i] = l->n[1 - i];
            return max(most, get_volume(&between, SX_FROM, rank));
        }
    return most;
}

ptrdiff_t sx_fftw_get_alloc(const sx_fftw_layout *l, ptrdiff_t howmany, int rank, int sign, unsigned flags)
{
    ptrdiff_t most = 1;
    if (howmany < 1)
        return 1;
    if (l->ndims > 1 && is_slab(l, SX_FROM) && is_slab(l, SX_TO))
        most = max(most, get_slab_alloc(l, howmany, rank));
    else if (l->ndims == 1 && sx_fftw_is_factored(l->n[0], l->nranks, howmany, sign, flags))
        most = max(most, get_factored_alloc(l, sign, flags));
    else if (l->ndims == 1 && howmany >= l->nranks && !(flags & SX_FFTW_MPI_FLAGS))
        most = max(most, get_between(l, 0, howmany, rank));
    most = max(most, get_volume(l, SX_FROM, rank));
    return max(most, get_volume(l, SX_TO, rank)) * howmany;
}

/* ---- public functions */

ptrdiff_t sx_fftw_get_local(int ndims, const sx_fftw_dim dim[], ptrdiff_t howmany, MPI_Comm comm,
                            ptrdiff_t len_in[], ptrdiff_t start_in[], ptrdiff_t len_out[],
                            ptrdiff_t start_out[], int sign, unsigned flags)
{
    sx_fftw_layout l;
    int rank, nranks;
    if (ndims < 1 || ndims > SX_FFTW_NDIMS_MAX)
        return howmany;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nranks);
    set_layout(&l, ndims, dim, nranks, howmany, sign, flags);
    sx_fftw_get_part(&l, SX_FROM, rank, len_in, start_in);
    sx_fftw_get_part(&l, SX_TO, rank, len_out, start_out);
    return sx_fftw_get_alloc(&l, howmany, rank, sign, flags);
}

/* A negative block1 means that the output is not transposed. */
ptrdiff_t sx_fftw_get_local_many(int ndims, const ptrdiff_t n[], ptrdiff_t howmany, ptrdiff_t block0,
                                 ptrdiff_t block1, MPI_Comm comm, ptrdiff_t *n0, ptrdiff_t *start0,
                                 ptrdiff_t *n1, ptrdiff_t *start1)
{
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    ptrdiff_t len[2][SX_FFTW_NDIMS_MAX], start[2][SX_FFTW_NDIMS_MAX];
    *n0 = *n1 = 1;
    *start0 = *start1 = 0;
    if (ndims < 1 || ndims > SX_FFTW_NDIMS_MAX)
        return howmany;
    const int is_transposed = ndims > 1 && block1 >= 0;
    for (int i = 0; i < ndims; i++)
        dim[i] = (sx_fftw_dim){n[i], n[i], n[i]};
    dim[0].ib = block0;
    if (is_transposed)
        dim[1].ob = block1;
    else
        dim[0].ob = block0;
    const ptrdiff_t alloc = sx_fftw_get_local(ndims, dim, howmany, comm, len[SX_FROM], start[SX_FROM],
                                              len[SX_TO], start[SX_TO], 0, 0);
    *n0 = len[SX_FROM][0];
    *start0 = start[SX_FROM][0];
    *n1 = ndims > 1 ? len[SX_TO][1] : *n0;
    *start1 = ndims > 1 ? start[SX_TO][1] : *start0;
    return alloc;
}
