/* set.c - the boxes of all ranks, gathered on every rank and sorted. */
#include "boxes/boxes.h"
#include <stdlib.h>
#include <string.h>

/* ---- this rank's boxes */

static void set_own(sx_all_boxes *boxes)
{
    const int nd = boxes->ndims;
    int order[SUBX_NDIMS_MAX];
    for (int i = 0; i < boxes->own->n; i++) {
        const ptrdiff_t *own = sx_boxes_get_row(boxes->own, i);
        ptrdiff_t *row = boxes->row + (boxes->first[boxes->r] + (ptrdiff_t)i) * 3 * nd;
        memcpy(row, own, 2 * (size_t)nd * sizeof *row);
        sx_base_get_order(nd, own + 2 * nd, order);
        for (int k = 0; k < nd; k++)
            row[2 * nd + k] = order[k];
    }
}

/* ---- all ranks' boxes */

/* Get how many boxes each rank has (counts), and the number of each rank's first box (first). After an error,
 * unknown entries are 0. */
static int gather_counts(const sx_comm *comm, int n, int *counts, int *first)
{
    ptrdiff_t sum = 0;
    int rc = MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, comm->comm);
    for (int q = 0; q < comm->p && !rc; q++) {
        sum += counts[q];
        rc = sx_base_int(sum, &first[q + 1]);
    }
    return rc;
}

static int alloc_all(sx_all_boxes *boxes)
{
    const ptrdiff_t n = boxes->first[boxes->p];
    boxes->row = sx_base_alloc(n, 3 * (size_t)boxes->ndims * sizeof *boxes->row);
    boxes->sorted = sx_base_alloc(n, sizeof *boxes->sorted);
    return boxes->row && boxes->sorted ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Create the MPI type of a row, which is the description of one box. With this type, counts and displacements
 * in MPI calls are numbers of boxes. */
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

static void sort(sx_all_boxes *boxes)
{
    const int n = boxes->first[boxes->p];
    for (int i = 0; i < n; i++) {
        const ptrdiff_t len = *sx_boxes_get_len(boxes, i);
        boxes->sorted[i] = (sx_sorted){*sx_boxes_get_start(boxes, i), i};
        boxes->longest = len > boxes->longest ? len : boxes->longest;
    }
    qsort(boxes->sorted, (size_t)n, sizeof *boxes->sorted, compare);
}

int sx_boxes_gather(const sx_comm *comm, int rc, const char *key, subx_boxes own, sx_all_boxes *boxes)
{
    int *counts = sx_base_alloc(comm->p, sizeof *counts);
    MPI_Datatype row = MPI_DATATYPE_NULL;
    *boxes = (sx_all_boxes){.ndims = own ? own->ndims : 0, .p = comm->p, .r = comm->r, .own = own};
    boxes->first = sx_base_alloc(comm->p + (ptrdiff_t)1, sizeof *boxes->first);
    if (!rc && !(counts && boxes->first))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(comm->comm, rc, key);
    if (!rc) {
        rc = gather_counts(comm, own->n, counts, boxes->first);
        rc = rc ? rc : alloc_all(boxes);
        rc = rc ? rc : create_row_type(boxes->ndims, &row);
        rc = sx_base_agree(comm->comm, rc, NULL);
    }
    if (!rc) {
        set_own(boxes);
        rc = MPI_Allgatherv(MPI_IN_PLACE, 0, row, boxes->row, counts, boxes->first, row, comm->comm);
        sort(boxes);
    }
    if (row != MPI_DATATYPE_NULL)
        MPI_Type_free(&row);
    sx_base_free(counts);
    return rc;
}

void sx_boxes_free(sx_all_boxes *boxes)
{
    sx_base_free(boxes->sorted);
    sx_base_free(boxes->row);
    sx_base_free(boxes->first);
    *boxes = (sx_all_boxes){0};
}

/* ---- questions */

int sx_boxes_get_rank(const sx_all_boxes *boxes, int i)
{
    int low = 0, high = boxes->p; /* at all times first[low] <= i < first[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(boxes->first[middle] <= i ? &low : &high) = middle;
    }
    return low;
}

/* Count the boxes that start before an index along axis 0. */
static int count_before(const sx_all_boxes *boxes, ptrdiff_t start)
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

void sx_boxes_find(const sx_all_boxes *boxes, ptrdiff_t start, ptrdiff_t end, int *low, int *high)
{
    *low = count_before(boxes, start - boxes->longest + 1);
    *high = count_before(boxes, end);
}
