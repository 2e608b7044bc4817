/* edge.c - create an edge: the boxes that all ranks have at one end of a plan, if no grid of the plan gives
 * them. */
#include "array/array.h"
#include <string.h>

/* ---- this rank's boxes, along the axes of the problem */

/* This rank's boxes on a side: the caller's boxes, or one box that the library makes. */
typedef struct own {
    int ndims, n;
    subx_boxes boxes;
    int is_made, is_strided;   /* is_made: the library makes the box; is_strided: the caller has given the
                                  offsets and the strides of the boxes */
    int order[SUBX_NDIMS_MAX]; /* storage order of the box that the library makes, innermost axis first */
} own;

/* Get box i of this rank, along the axes of the problem. Returns its number of elements. */
static ptrdiff_t get_box(const own *o, int i, sx_edge_box *b)
{
    (void)subx_boxes_get_box(o->boxes, i, b->start, b->len, &b->offset, b->stride);
    return sx_base_get_volume(o->ndims, b->len);
}

/* Add the brick of a rank. The coordinate along the last axis varies fastest with the rank. If brick[i] is 1,
 * axis i is not divided, and block[i] is ignored. */
static int add_brick(own *o, const ptrdiff_t sizes[], const ptrdiff_t block[], const int brick[], int rank)
{
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    for (int i = o->ndims - 1; i >= 0; i--) {
        sx_array_get_part(sizes[i], brick[i] > 1 ? block[i] : 0, brick[i], rank % brick[i], &len[i],
                          &start[i]);
        rank /= brick[i];
    }
    return subx_boxes_add_ordered(o->boxes, start, len, o->order);
}

static int set_own(own *o, const subx_fft_problem p, int side, const int brick[], int nranks, int rank)
{
    const sx_problem_storage *s = &p->storage[side];
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    *o = (own){.ndims = p->ndims, .n = s->boxes.n, .boxes = s->boxes.list};
    o->is_strided = s->boxes.is_strided;
    for (int i = 0; i < p->ndims; i++) {
        sizes[i] = sx_problem_get_length(p, side, i);
        o->order[i] = s->has_order ? s->order[i] : p->ndims - 1 - i;
    }
    if (o->n >= 0)
        return MPI_SUCCESS;
    o->n = o->is_made = 1;
    int rc = subx_boxes_create(p->ndims, sizes, &o->boxes);
    return rc ? rc : add_brick(o, sizes, s->block, brick ? brick : &nranks, rank);
}

/* ---- this rank's boxes, along the axes of the array */

/* A list of boxes. If `box` is NULL, the boxes are only counted. */
typedef struct list {
    sx_edge_box *box;
    ptrdiff_t n;
} list;

static void add(list *l, const sx_edge_box *box)
{
    if (l->box)
        l->box[l->n] = *box;
    l->n++;
}

/* Get the stride between adjacent elements of one field. */
static ptrdiff_t get_unit(const subx_fft_problem p)
{
    return p->interleaved ? p->howmany : 1;
}

/* Get the distance between adjacent fields, in elements: the caller's distance if there is one; else 1 for
 * interleaved fields, and `volume` for others. */
static ptrdiff_t get_distance(const subx_fft_problem p, int side, ptrdiff_t volume)
{
    const sx_problem_storage *s = &p->storage[side];
    if (s->boxes.is_strided)
        return s->boxes.distance;
    if (s->has_strides)
        return s->distance;
    return p->interleaved ? 1 : volume;
}

static void set_fields(const sx_array *a, const subx_fft_problem p, int side, ptrdiff_t volume,
                       sx_edge_box *box)
{
    if (a->fields < 0)
        return;
    box->len[a->fields] = p->howmany;
    box->stride[a->fields] = get_distance(p, side, volume);
}

/* Get the stride between adjacent elements of a factored axis. */
static ptrdiff_t get_interval_unit(const subx_fft_problem p, int side, const sx_edge_box *mine)
{
    const sx_problem_storage *s = &p->storage[side];
    if (s->boxes.is_strided)
        return mine->stride[0];
    return s->has_strides ? s->strides[0] : get_unit(p);
}

/* Get the offset of a box, in elements, in the array with all fields. If the caller has given no offsets,
 * mine->offset counts the elements of one field only. */
static ptrdiff_t get_offset(const subx_fft_problem p, const own *o, const sx_edge_box *mine)
{
    return o->is_strided ? mine->offset : mine->offset * p->howmany;
}

/* Add the boxes of an interval of a factored axis. They lie in the matrix of the two factors (axes.c), and
 * are at most three: the end of a row, whole rows, and the beginning of a row. */
static void add_interval(const sx_array *a, const subx_fft_problem p, int side, const own *o,
                         const sx_edge_box *mine, list *l)
{
    const ptrdiff_t start = mine->start[0], len = mine->len[0];
    const int fast = side == SUBX_FFT_PHYSICAL, slow = !fast;
    const ptrdiff_t row = a->axis[fast].n;
    const ptrdiff_t unit = get_interval_unit(p, side, mine);
    for (ptrdiff_t at = start, end = start + len; at < end;) {
        sx_edge_box box = {.offset = get_offset(p, o, mine) + (at - start) * unit};
        box.start[fast] = at % row;
        box.start[slow] = at / row;
        box.len[slow] = at % row || end - at < row ? 1 : (end - at) / row;
        box.len[fast] = box.len[slow] > 1 || (at % row == 0 && end - at >= row) ? row : row - at % row;
        if (box.len[fast] > end - at)
            box.len[fast] = end - at;
        box.stride[fast] = unit;
        box.stride[slow] = row * unit;
        set_fields(a, p, side, len, &box);
        add(l, &box);
        at += box.len[fast] * box.len[slow];
    }
}

/* Set the strides of a box that the library makes. Returns its number of elements per field. */
static ptrdiff_t set_strides(const sx_array *a, const subx_fft_problem p, int side, const int order[],
                             sx_edge_box *box)
{
    ptrdiff_t stride = get_unit(p);
    for (int k = 0; k < p->ndims; k++) {
        const int axis = order[k], is_padded = axis == a->halved && a->is_padded && side == SUBX_FFT_PHYSICAL;
        box->stride[axis] = stride;
        stride *= is_padded ? 2 * sx_serial_get_half(box->len[axis]) : box->len[axis];
    }
    return stride;
}

static void add_box(const sx_array *a, const subx_fft_problem p, int side, const own *o,
                    const sx_edge_box *mine, ptrdiff_t volume, list *l)
{
    const sx_problem_storage *s = &p->storage[side];
    const ptrdiff_t unit = o->is_strided ? 1 : get_unit(p);
    sx_edge_box box = *mine;
    box.offset = get_offset(p, o, mine);
    for (int k = 0; k < o->ndims; k++)
        box.stride[k] = s->has_strides ? s->strides[k] : mine->stride[k] * unit;
    if (o->is_made && !s->has_strides)
        volume = set_strides(a, p, side, o->order, &box);
    set_fields(a, p, side, volume, &box);
    add(l, &box);
}

static void list_boxes(const sx_array *a, const subx_fft_problem p, int side, const own *o, list *l)
{
    for (int i = 0; i < o->n; i++) {
        sx_edge_box mine = {.offset = 0};
        const ptrdiff_t volume = get_box(o, i, &mine);
        if (volume == 0)
            continue;
        if (a->factored)
            add_interval(a, p, side, o, &mine, l);
        else
            add_box(a, p, side, o, &mine, volume, l);
    }
}

/* ---- the boxes of all ranks */

/* Gather the boxes of all ranks. Collective. rc is this rank's error so far: if any rank has an error, all
 * return one. */
static int gather(MPI_Comm comm, int rc, const list *mine, sx_edge *e)
{
    const int p = e->nranks;
    int *counts = sx_base_alloc(p, sizeof *counts), *displs = sx_base_alloc(p, sizeof *displs);
    int own_bytes = 0;
    if (!counts || !displs)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = sx_base_int(mine->n * (ptrdiff_t)sizeof *e->box, &own_bytes);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc)
        rc = MPI_Allgather(&own_bytes, 1, MPI_INT, counts, 1, MPI_INT, comm);
    ptrdiff_t all = 0;
    for (int r = 0; r < p && !rc; r++) {
        e->first[r] = all / (ptrdiff_t)sizeof *e->box;
        rc = sx_base_int(all, &displs[r]);
        all += counts[r];
    }
    e->first[p] = all / (ptrdiff_t)sizeof *e->box;
    e->box = rc ? NULL : sx_base_alloc(e->first[p], sizeof *e->box);
    rc = sx_base_agree(comm, rc || e->box ? rc : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = MPI_Allgatherv(mine->box, own_bytes, MPI_BYTE, e->box, counts, displs, MPI_BYTE, comm);
    sx_base_free(displs);
    sx_base_free(counts);
    return rc;
}

static void set_view(sx_edge *e, const own *o)
{
    sx_edge_box first = {.offset = 0};
    if (o->n > 0)
        (void)get_box(o, 0, &first);
    for (int i = 0; i < o->ndims; i++) {
        e->len[i] = first.len[i];
        e->start[i] = first.start[i];
        e->order[i] = o->order[i];
    }
    if (o->n > 0 && !o->is_made)
        sx_base_get_order(o->ndims, first.stride, e->order);
}

/* Set the number of bytes from the beginning of this rank's array to the end of its last element. */
static int set_bytes(sx_edge *e, const list *mine, int ndims, ptrdiff_t element)
{
    int rc = MPI_SUCCESS;
    for (ptrdiff_t i = 0; i < mine->n && !rc; i++) {
        const sx_edge_box *b = &mine->box[i];
        ptrdiff_t bytes = 0;
        rc = sx_array_get_bytes(ndims, b->offset, b->len, b->stride, element, &bytes);
        e->bytes = bytes > e->bytes ? bytes : e->bytes;
    }
    return rc;
}

static int fill(MPI_Comm comm, const sx_array *a, const subx_fft_problem p, int side, const own *o,
                sx_edge *e)
{
    list mine = {0};
    list_boxes(a, p, side, o, &mine);
    mine.box = sx_base_alloc(mine.n, sizeof *mine.box);
    mine.n = 0;
    int rc =
        sx_base_agree(comm, mine.box && e->first ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        list_boxes(a, p, side, o, &mine);
        rc = gather(comm, set_bytes(e, &mine, a->ndims, a->width[side] * a->real_bytes), &mine, e);
    }
    sx_base_free(mine.box);
    return rc;
}

int sx_edge_create(MPI_Comm comm, const sx_array *a, const subx_fft_problem p, int side, const int brick[],
                   sx_edge **edge)
{
    own o = {.ndims = 0};
    sx_edge *e = *edge = sx_base_alloc(1, sizeof *e);
    int rc = e ? MPI_Comm_size(comm, &e->nranks) : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = MPI_Comm_rank(comm, &e->rank);
    if (!rc)
        rc = set_own(&o, p, side, brick, e->nranks, e->rank);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc) {
        e->first = sx_base_alloc(e->nranks + 1, sizeof *e->first);
        set_view(e, &o);
        rc = subx_boxes_check(comm, o.boxes, 1);
    }
    if (!rc)
        rc = fill(comm, a, p, side, &o, e);
    if (rc)
        sx_edge_free(edge);
    if (o.is_made)
        subx_boxes_free(&o.boxes);
    return rc;
}

void sx_edge_free(sx_edge **edge)
{
    if (!*edge)
        return;
    sx_base_free((*edge)->box);
    sx_base_free((*edge)->first);
    sx_base_free(*edge);
    *edge = NULL;
}
