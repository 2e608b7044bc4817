/* check.c - find elements that are held twice, or wanted twice by a rank, or wanted and not held. Every rank
 * checks its own boxes. If several ranks find faults, all ranks report the same fault: an overlap (held or
 * wanted twice) if any rank has found one, else a gap (wanted and not held). Of several overlaps, or several
 * gaps, they report the fault of the lowest rank. */
#include "boxes/boxes.h"
#include <string.h>

/* ---- geometry */

/* Find a box that overlaps box i, among the boxes of all ranks or, if only_own, of this rank. Returns the
 * number of the box found; -1 if no box overlaps box i. `at` becomes the index of an element that both boxes
 * contain. */
static int find_overlap(const sx_all_boxes *boxes, int i, int only_own, ptrdiff_t at[])
{
    const ptrdiff_t *start = sx_boxes_get_start(boxes, i), *len = sx_boxes_get_len(boxes, i);
    ptrdiff_t common[SUBX_NDIMS_MAX];
    int low, high;
    sx_boxes_find(boxes, *start, *start + *len, &low, &high);
    for (int k = low; k < high; k++) {
        const int j = boxes->sorted[k].index;
        if (j == i || (only_own && (j < boxes->first[boxes->r] || j >= boxes->first[boxes->r + 1])))
            continue;
        if (sx_base_get_common(boxes->ndims, start, len, sx_boxes_get_start(boxes, j),
                               sx_boxes_get_len(boxes, j), at, common))
            return j;
    }
    return -1;
}

/* Count the elements of a box that are held; an element in two held boxes counts twice. */
static ptrdiff_t count_held(const sx_all_boxes *held, const ptrdiff_t start[], const ptrdiff_t len[])
{
    ptrdiff_t volume = 0, at[SUBX_NDIMS_MAX], common[SUBX_NDIMS_MAX];
    int low, high;
    sx_boxes_find(held, *start, *start + *len, &low, &high);
    for (int k = low; k < high; k++) {
        const int j = held->sorted[k].index;
        volume += sx_base_get_common(held->ndims, start, len, sx_boxes_get_start(held, j),
                                     sx_boxes_get_len(held, j), at, common);
    }
    return volume;
}

static int contains(int ndims, const ptrdiff_t start[], const ptrdiff_t len[], const ptrdiff_t at[])
{
    for (int k = 0; k < ndims; k++)
        if (at[k] < start[k] || at[k] >= start[k] + len[k])
            return 0;
    return 1;
}

/* Find a held box that contains an element, and get the end of this box along the last axis; -1 if nobody
 * holds the element. */
static ptrdiff_t find_end(const sx_all_boxes *held, const ptrdiff_t at[])
{
    const int last = held->ndims - 1;
    int low, high;
    sx_boxes_find(held, *at, *at + 1, &low, &high);
    for (int k = low; k < high; k++) {
        const int i = held->sorted[k].index;
        const ptrdiff_t *start = sx_boxes_get_start(held, i), *len = sx_boxes_get_len(held, i);
        if (contains(held->ndims, start, len, at))
            return start[last] + len[last];
    }
    return -1;
}

/* Find the first element of a box, in C order, that nobody holds. Returns 0 if there is none. */
static int find_gap(const sx_all_boxes *held, const ptrdiff_t start[], const ptrdiff_t len[], ptrdiff_t at[])
{
    int axis = 0;
    memcpy(at, start, (size_t)held->ndims * sizeof *at);
    while (axis >= 0) {
        ptrdiff_t end = find_end(held, at);
        if (end < 0)
            return 1;
        axis = held->ndims - 1;
        at[axis] = end;
        while (axis >= 0 && at[axis] >= start[axis] + len[axis]) {
            at[axis] = start[axis];
            if (--axis >= 0)
                at[axis]++;
        }
    }
    return 0;
}

/* ---- this rank's boxes */

/* A faulty element, and the text of the fault. */
typedef struct finding {
    ptrdiff_t at[SUBX_NDIMS_MAX];
    char text[SX_ERROR_LEN];
} finding;

static void print_element(sx_text *t, int ndims, const ptrdiff_t at[])
{
    for (int k = 0; k < ndims; k++)
        sx_base_print(t, "%c%td", k ? ',' : '(', at[k]);
    sx_base_print(t, ")");
}

static int report_overlap(finding *f, int ndims, int rank, int other)
{
    sx_text t = {f->text, sizeof f->text, 0};
    if (rank == other)
        sx_base_print(&t, "subx: boxes of rank %d overlap at ", rank);
    else
        sx_base_print(&t, "subx: boxes of ranks %d and %d overlap at ", rank, other);
    print_element(&t, ndims, f->at);
    return subx_error_get_code(SUBX_ERR_OVERLAP);
}

static int report_twice(finding *f, int ndims, int rank)
{
    sx_text t = {f->text, sizeof f->text, 0};
    sx_base_print(&t, "subx: rank %d wants ", rank);
    print_element(&t, ndims, f->at);
    sx_base_print(&t, " twice");
    return subx_error_get_code(SUBX_ERR_OVERLAP);
}

/* Set the text for an element that nobody holds. `rank` is the rank that wants the element; -1 if the array
 * must be held as a whole. */
static int report_gap(finding *f, int ndims, int rank)
{
    sx_text t = {f->text, sizeof f->text, 0};
    sx_base_print(&t, "subx: nobody holds ");
    print_element(&t, ndims, f->at);
    if (rank >= 0)
        sx_base_print(&t, ", which rank %d wants", rank);
    return subx_error_get_code(SUBX_ERR_GAP);
}

static int check_held(const sx_all_boxes *held, finding *f)
{
    for (int i = held->first[held->r]; i < held->first[held->r + 1]; i++) {
        int other = find_overlap(held, i, 0, f->at);
        if (other >= 0)
            return report_overlap(f, held->ndims, held->r, sx_boxes_get_rank(held, other));
    }
    return MPI_SUCCESS;
}

/* Check that all elements of a box are held: usually it is enough to count them. If held boxes overlap, the
 * count can be wrong; but then some rank finds the overlap, which is the error that all ranks return. */
static int check_gap(const sx_all_boxes *held, const ptrdiff_t start[], const ptrdiff_t len[], int rank,
                     finding *f)
{
    if (count_held(held, start, len) == sx_base_get_volume(held->ndims, len) ||
        !find_gap(held, start, len, f->at))
        return MPI_SUCCESS;
    return report_gap(f, held->ndims, rank);
}

static int check_wanted(const sx_all_boxes *held, const sx_all_boxes *wanted, finding *f)
{
    int rc = MPI_SUCCESS;
    for (int i = wanted->first[wanted->r]; i < wanted->first[wanted->r + 1] && !rc; i++)
        if (find_overlap(wanted, i, 1, f->at) >= 0)
            return report_twice(f, wanted->ndims, wanted->r);
    for (int i = wanted->first[wanted->r]; i < wanted->first[wanted->r + 1] && !rc; i++)
        rc = check_gap(held, sx_boxes_get_start(wanted, i), sx_boxes_get_len(wanted, i), wanted->r, f);
    return rc;
}

static int check_all(const sx_all_boxes *held, const ptrdiff_t sizes[], finding *f)
{
    static const ptrdiff_t zero[SUBX_NDIMS_MAX];
    return check_gap(held, zero, sizes, -1, f);
}

/* ---- the boxes of all ranks */

int sx_boxes_check(const sx_comm *comm, const sx_all_boxes *held, const sx_all_boxes *wanted,
                   const ptrdiff_t sizes[])
{
    finding f = {.text = ""};
    int rc = check_held(held, &f);
    if (!rc && wanted)
        rc = check_wanted(held, wanted, &f);
    if (!rc && sizes && comm->r == 0)
        rc = check_all(held, sizes, &f);
    if (f.text[0])
        sx_base_set_error_text(subx_error_get_kind(rc), f.text);
    return sx_base_agree(comm->comm, rc, NULL);
}

int subx_boxes_check(MPI_Comm comm, subx_boxes boxes, int must_cover)
{
    sx_all_boxes all;
    sx_comm *ours;
    char key[1024] = "";
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    if (boxes) {
        sx_text t = {key, sizeof key, 0};
        sx_base_print_sizes(&t, boxes->ndims, boxes->sizes);
        sx_base_print(&t, " %d", must_cover != 0);
    } else {
        rc = subx_error_get_code(SUBX_ERR_ARG);
    }
    rc = sx_boxes_gather(ours, rc, key, boxes, &all);
    if (!rc)
        rc = sx_boxes_check(ours, &all, NULL, must_cover ? boxes->sizes : NULL);
    sx_boxes_free(&all);
    int failed = sx_comm_free(&ours);
    return rc ? rc : failed;
}
