/* set.c - the boxes of all ranks, known to every rank, and sorted. */
#include "boxes/boxes.h"
#include <stdlib.h>

/* ---- arguments */

int sx_boxes_check_array(int ndims, const ptrdiff_t sizes[])
{
    ptrdiff_t volume = 1;
    int rc = MPI_SUCCESS;
    if (ndims < 1 || ndims > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!sizes)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i < ndims; i++)
        if (sizes[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    for (int i = 0; i < ndims && !rc; i++)
        rc = sx_base_mul(volume, sizes[i], &volume);
    return rc;
}

static int check_box(int ndims, const ptrdiff_t sizes[], const sx_own_boxes *own, int i)
{
    const ptrdiff_t at = (ptrdiff_t)i * ndims, *start = own->starts + at, *len = own->lens + at;
    for (int k = 0; k < ndims; k++)
        if (start[k] < 0 || len[k] < 0 || len[k] > sizes[k] || start[k] > sizes[k] - len[k])
            return subx_error_get_code(SUBX_ERR_SIZE);
    for (int k = 0; k < ndims && own->strides; k++)
        if (own->strides[at + k] < 0 || own->offsets[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    return own->orders && !sx_base_is_permutation(ndims, own->orders + at)
               ? subx_error_get_code(SUBX_ERR_ORDER)
               : MPI_SUCCESS;
}

int sx_boxes_check_own(int ndims, const ptrdiff_t sizes[], const sx_own_boxes *own)
{
    int rc = MPI_SUCCESS;
    if (own->n < 0 || (own->n > 0 && !(own->starts && own->lens)) || !own->offsets != !own->strides)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i < own->n && !rc; i++)
        rc = check_box(ndims, sizes, own, i);
    return rc;
}

/* ---- this rank's boxes in memory */

/* The order of a box that is told by strides: the smallest stride innermost. Axes of equal strides are as in C. */
static void sort_axes(int ndims, const ptrdiff_t stride[], ptrdiff_t order[])
{
    for (int k = 0; k < ndims; k++) {
        int axis = ndims - 1 - k, at = k;
        for (; at > 0 && stride[order[at - 1]] > stride[axis]; at--)
            order[at] = order[at - 1];
        order[at] = axis;
    }
}

/* A box without gaps; *end moves behind it. */
static int set_packed(int ndims, const ptrdiff_t len[], const ptrdiff_t order[], ptrdiff_t place[],
                      ptrdiff_t *end)
{
    ptrdiff_t volume = 1;
    place[ndims] = *end;
    for (int k = 0; k < ndims; k++) {
        place[order[k]] = volume;
        volume *= len[order[k]];
    }
    return sx_base_add(*end, volume, end);
}

/* *end moves behind the box if it is before that. */
static int set_strided(int ndims, const ptrdiff_t len[], const ptrdiff_t strides[], ptrdiff_t offset,
                       ptrdiff_t place[], ptrdiff_t *end)
{
    ptrdiff_t last = offset;
    int rc = MPI_SUCCESS, is_empty = 0;
    place[ndims] = offset;
    for (int k = 0; k < ndims; k++) {
        ptrdiff_t span = 0;
        place[k] = strides[k];
        is_empty |= len[k] == 0;
        rc = rc ? rc : sx_base_mul(len[k] - 1, strides[k], &span);
        rc = rc ? rc : sx_base_add(last, span, &last);
    }
    if (is_empty)
        return MPI_SUCCESS;
    *end = last >= *end ? last + 1 : *end;
    return rc;
}

static int set_own(sx_boxes *boxes, const sx_own_boxes *own)
{
    const int nd = boxes->ndims;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < own->n && !rc; i++) {
        const ptrdiff_t at = (ptrdiff_t)i * nd;
        ptrdiff_t *row = boxes->row + (boxes->first[boxes->r] + (ptrdiff_t)i) * 3 * nd, *order = row + 2 * nd;
        ptrdiff_t *place = boxes->place + (ptrdiff_t)i * (nd + 1);
        for (int k = 0; k < nd; k++) {
            row[k] = own->starts[at + k];
            row[nd + k] = own->lens[at + k];
            order[k] = own->orders ? own->orders[at + k] : nd - 1 - k;
        }
        if (own->strides)
            sort_axes(nd, own->strides + at, order);
        rc = own->strides ? set_strided(nd, row + nd, own->strides + at, own->offsets[i], place, &boxes->end)
                          : set_packed(nd, row + nd, order, place, &boxes->end);
    }
    return rc;
}

/* ---- all ranks' boxes */

/* A call that failed on this rank leaves numbers of others unset, hence zero. */
static int gather_counts(const sx_comm *comm, int n, int *counts, int *first)
{
    ptrdiff_t sum = 0;
    int rc;
    SX_JOIN(rc, MPI_Iallgather(&n, 1, MPI_INT, counts, 1, MPI_INT, comm->comm, &request));
    for (int q = 0; q < comm->p && !rc; q++) {
        sum += counts[q];
        rc = sx_base_int(sum, &first[q + 1]);
    }
    return rc;
}

static int alloc_all(sx_boxes *boxes, const sx_own_boxes *own)
{
    const ptrdiff_t n = boxes->first[boxes->p];
    boxes->row = sx_base_alloc(n, 3 * (size_t)boxes->ndims * sizeof *boxes->row);
    boxes->place = sx_base_alloc(own->n, ((size_t)boxes->ndims + 1) * sizeof *boxes->place);
    boxes->sorted = sx_base_alloc(n, sizeof *boxes->sorted);
    return boxes->row && boxes->place && boxes->sorted ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* One element of this type is one box, so that counts are numbers of boxes. */
static int create_row_type(int ndims, MPI_Datatype *type)
{
    int rc = MPI_Type_contiguous(3 * ndims, MPI_AINT, type);
    if (rc)
        return rc;
    rc = MPI_Type_commit(type);
    if (rc)
        MPI_Type_free(type);
    return rc;
}

static int compare(const void *a, const void *b)
{
    const sx_sorted *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : x->index - y->index;
}

static void sort(sx_boxes *boxes)
{
    const int n = boxes->first[boxes->p];
    for (int i = 0; i < n; i++) {
        const ptrdiff_t len = *sx_boxes_get_len(boxes, i);
        boxes->sorted[i] = (sx_sorted){*sx_boxes_get_start(boxes, i), i};
        boxes->longest = len > boxes->longest ? len : boxes->longest;
    }
    qsort(boxes->sorted, (size_t)n, sizeof *boxes->sorted, compare);
}

int sx_boxes_gather(const sx_comm *comm, int rc, const char *key, int ndims, const sx_own_boxes *own,
                    sx_boxes *boxes)
{
    int *counts = sx_base_alloc(comm->p, sizeof *counts);
    MPI_Datatype row = MPI_DATATYPE_NULL;
    *boxes = (sx_boxes){.ndims = ndims, .p = comm->p, .r = comm->r};
    boxes->first = sx_base_alloc(comm->p + (ptrdiff_t)1, sizeof *boxes->first);
    if (!rc && !(counts && boxes->first))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(comm->comm, rc, key);
    if (!rc) {
        rc = gather_counts(comm, own->n, counts, boxes->first);
        rc = rc ? rc : alloc_all(boxes, own);
        rc = rc ? rc : set_own(boxes, own);
        rc = rc ? rc : create_row_type(ndims, &row);
        rc = sx_base_agree(comm->comm, rc, NULL);
    }
    if (!rc) {
        SX_JOIN(rc, MPI_Iallgatherv(MPI_IN_PLACE, 0, row, boxes->row, counts, boxes->first, row, comm->comm,
                                    &request));
        rc = sx_base_agree(comm->comm, rc, NULL);
        sort(boxes);
    }
    if (row != MPI_DATATYPE_NULL)
        MPI_Type_free(&row);
    sx_base_free(counts);
    return rc;
}

void sx_boxes_free(sx_boxes *boxes)
{
    sx_base_free(boxes->sorted);
    sx_base_free(boxes->place);
    sx_base_free(boxes->row);
    sx_base_free(boxes->first);
    *boxes = (sx_boxes){0};
}

/* ---- questions */

int sx_boxes_get_rank(const sx_boxes *boxes, int i)
{
    int low = 0, high = boxes->p; /* first[low] <= i < first[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(boxes->first[middle] <= i ? &low : &high) = middle;
    }
    return low;
}

/* The number of boxes that start before an index. */
static int count_before(const sx_boxes *boxes, ptrdiff_t start)
{
    int low = 0, high = boxes->first[boxes->p];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (boxes->sorted[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sx_boxes_find(const sx_boxes *boxes, ptrdiff_t start, ptrdiff_t end, int *low, int *high)
{
    *low = count_before(boxes, start - boxes->longest + 1);
    *high = count_before(boxes, end);
}
