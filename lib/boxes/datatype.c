/* datatype.c - converts an MPI datatype (a subarray, a darray, any filetype of MPI-IO) to boxes: which boxes
 * of a global array in C order the type describes, and where these boxes lie in the local array.
 *
 * The type is first divided into runs of elements that are contiguous in the file. Each run is cut at the
 * ends of the rows of the array (along its last axis), and each piece is a box. Then, along one axis after
 * the other, boxes are joined that adjoin each other in the array and whose elements are equally spaced in
 * memory. */
#include "boxes/boxes.h"
#include "type/type.h"
#include <stdlib.h>
#include <string.h>

/* ---- runs of bytes */

typedef struct run {
    ptrdiff_t at, bytes;
} run;

typedef struct runs {
    run *run;
    ptrdiff_t n, room;
} runs;

static int grow(runs *r)
{
    const ptrdiff_t room = r->room > 0 ? 2 * r->room : 64;
    run *more = sx_base_alloc(room, sizeof *more);
    if (!more)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    if (r->n > 0)
        memcpy(more, r->run, (size_t)r->n * sizeof *more);
    sx_base_free(r->run);
    r->run = more;
    r->room = room;
    return MPI_SUCCESS;
}

static int add_run(runs *r, ptrdiff_t at, ptrdiff_t bytes)
{
    run *last = r->n > 0 ? &r->run[r->n - 1] : NULL;
    int rc = MPI_SUCCESS;
    if (last && last->at + last->bytes == at) {
        last->bytes += bytes;
        return MPI_SUCCESS;
    }
    if (r->n == r->room)
        rc = grow(r);
    if (!rc)
        r->run[r->n++] = (run){at, bytes};
    return rc;
}

/* Visit all leaves in the order of the typemap. Consecutive leaves without a gap between them become one
 * run. */
static int add_runs(runs *r, const sx_node *node, ptrdiff_t base)
{
    int rc = MPI_SUCCESS;
    if (node->basic != MPI_DATATYPE_NULL)
        return node->bytes > 0 ? add_run(r, base, node->bytes) : MPI_SUCCESS;
    for (int i = 0; i < node->nentries && !rc; i++) {
        const sx_entry *e = &node->entry[i];
        if (e->n * e->child->count == 0)
            continue;
        if (e->child->basic != MPI_DATATYPE_NULL && e->stride == e->child->bytes) {
            rc = add_run(r, base + e->disp, (ptrdiff_t)e->n * e->child->bytes);
            continue;
        }
        for (MPI_Count k = 0; k < e->n && !rc; k++)
            rc = add_runs(r, e->child, base + e->disp + (ptrdiff_t)k * e->stride);
    }
    return rc;
}

static int get_runs(MPI_Datatype type, runs *r)
{
    sx_tree tree;
    int rc = sx_type_parse(type, &tree);
    if (rc)
        return rc;
    rc = add_runs(r, tree.root, 0);
    sx_type_tree_free(&tree);
    return rc;
}

/* ---- boxes */

typedef struct list list;

/* A box. start, len and stride have list->ndims entries each. The first element of the box is `offset`
 * elements behind the beginning of the local array. */
typedef struct box {
    const list *list; /* the list that has the box: `compare` needs its ndims and its axis */
    ptrdiff_t *start, *len, *stride, offset;
} box;

struct list {
    int ndims;
    int axis; /* the axis along which boxes are joined next: `compare` compares the starts along this axis
                 last. -1 for none */
    ptrdiff_t n;
    box *box;
    ptrdiff_t *numbers;
};

static int compare_lengths(int n, const ptrdiff_t a[], const ptrdiff_t b[], int except)
{
    for (int k = 0; k < n; k++)
        if (k != except && a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* Compare the starts, lengths and strides of two boxes along all axes except list->axis. Returns 0 if they
 * are equal. */
static int compare_others(const box *a, const box *b)
{
    const int nd = a->list->ndims, axis = a->list->axis;
    int order = compare_lengths(nd, a->start, b->start, axis);
    order = order ? order : compare_lengths(nd, a->len, b->len, axis);
    return order ? order : compare_lengths(nd, a->stride, b->stride, axis);
}

static int compare(const void *a, const void *b)
{
    const box *x = a, *y = b;
    const int axis = x->list->axis, order = compare_others(x, y);
    return order || axis < 0 ? order : compare_lengths(1, &x->start[axis], &y->start[axis], -1);
}

static void sort(list *l, int axis)
{
    l->axis = axis;
    qsort(l->box, (size_t)l->n, sizeof *l->box, compare);
}

/* Join box b to box a. Returns 0 and changes nothing if b does not follow a along the axis, or if their
 * elements together are not equally spaced in memory. */
static int join(box *a, const box *b, int axis)
{
    const ptrdiff_t stride = a->len[axis] > 1   ? a->stride[axis]
                             : b->len[axis] > 1 ? b->stride[axis]
                                                : b->offset - a->offset;
    if (compare_others(a, b) || b->start[axis] != a->start[axis] + a->len[axis] || stride < 0 ||
        (b->len[axis] > 1 && b->stride[axis] != stride) || b->offset != a->offset + a->len[axis] * stride)
        return 0;
    a->len[axis] += b->len[axis];
    a->stride[axis] = stride;
    return 1;
}

static void join_all(list *l, int axis)
{
    ptrdiff_t n = 0;
    sort(l, axis);
    for (ptrdiff_t i = 0; i < l->n; i++)
        if (n == 0 || !join(&l->box[n - 1], &l->box[i], axis))
            l->box[n++] = l->box[i];
    l->n = n;
}

/* ---- from runs to boxes */

/* Append a box of n elements in one row of the array, from element `at` of the array on. Strides along axes
 * of length 1 are 0 until boxes are joined. */
static void add_box(list *l, const ptrdiff_t sizes[], ptrdiff_t at, ptrdiff_t n, ptrdiff_t offset)
{
    const int last = l->ndims - 1;
    ptrdiff_t *row = l->numbers + 3 * l->ndims * l->n;
    box *b = &l->box[l->n++];
    *b = (box){l, row, row + l->ndims, row + 2 * l->ndims, offset};
    for (int k = last; k >= 0; k--) {
        b->start[k] = at % sizes[k];
        b->len[k] = k == last ? n : 1;
        b->stride[k] = k == last && n > 1;
        at /= sizes[k];
    }
}

/* Cut runs at the ends of rows, and add the boxes to a list; `element` is the length of an element, bytes. If
 * l is NULL, the boxes are only counted. Returns their number. */
static ptrdiff_t cut(const runs *r, ptrdiff_t element, const ptrdiff_t sizes[], int ndims, list *l)
{
    const ptrdiff_t row = sizes[ndims - 1];
    ptrdiff_t count = 0, offset = 0;
    for (ptrdiff_t i = 0; i < r->n; i++) {
        ptrdiff_t at = r->run[i].at / element, left = r->run[i].bytes / element;
        while (left > 0) {
            const ptrdiff_t n = left < row - at % row ? left : row - at % row;
            if (l)
                add_box(l, sizes, at, n, offset);
            count++;
            at += n;
            offset += n;
            left -= n;
        }
    }
    return count;
}

static int check_runs(const runs *r, ptrdiff_t element, ptrdiff_t volume)
{
    for (ptrdiff_t i = 0; i < r->n; i++) {
        const run *a = &r->run[i];
        if (a->at % element != 0 || a->bytes % element != 0)
            return subx_error_get_code(SUBX_ERR_TYPE);
        if (a->at < 0 || (a->at + a->bytes) / element > volume)
            return subx_error_get_code(SUBX_ERR_SIZE);
    }
    return MPI_SUCCESS;
}

static int set_list(const runs *r, ptrdiff_t element, const ptrdiff_t sizes[], list *l)
{
    const ptrdiff_t n = cut(r, element, sizes, l->ndims, NULL);
    l->box = sx_base_alloc(n, sizeof *l->box);
    l->numbers = sx_base_alloc(n, 3 * (size_t)l->ndims * sizeof *l->numbers);
    if (!l->box || !l->numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    cut(r, element, sizes, l->ndims, l);
    for (int axis = l->ndims - 1; axis >= 0; axis--)
        join_all(l, axis);
    sort(l, -1);
    return MPI_SUCCESS;
}

/* ---- arguments */

static int get_element(MPI_Datatype elemtype, ptrdiff_t *bytes)
{
    MPI_Count size, lb, extent;
    if (elemtype == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = MPI_Type_size_x(elemtype, &size);
    if (!rc)
        rc = MPI_Type_get_true_extent_x(elemtype, &lb, &extent);
    if (!rc && (size == 0 || lb != 0 || extent != size))
        rc = subx_error_get_code(SUBX_ERR_TYPE);
    *bytes = (ptrdiff_t)size;
    return rc;
}

static int build(MPI_Datatype type, MPI_Datatype elemtype, const struct subx_boxes_s *own, list *l)
{
    ptrdiff_t element = 1, volume = 1;
    runs r = {NULL, 0, 0};
    for (int k = 0; k < own->ndims; k++)
        volume *= own->sizes[k];
    int rc = get_element(elemtype, &element);
    if (!rc)
        rc = get_runs(type, &r);
    if (!rc)
        rc = check_runs(&r, element, volume);
    if (!rc)
        rc = set_list(&r, element, own->sizes, l);
    sx_base_free(r.run);
    return rc;
}

int subx_boxes_create_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], MPI_Datatype elemtype,
                           subx_boxes *boxes)
{
    list l = {.ndims = ndims};
    int rc = subx_boxes_create(ndims, sizes, boxes);
    if (rc)
        return rc;
    rc = build(type, elemtype, *boxes, &l);
    for (ptrdiff_t i = 0; i < l.n && !rc; i++)
        rc = subx_boxes_add_strided(*boxes, l.box[i].start, l.box[i].len, l.box[i].offset, l.box[i].stride);
    sx_base_free(l.numbers);
    sx_base_free(l.box);
    if (rc)
        subx_boxes_free(boxes);
    return rc;
}
