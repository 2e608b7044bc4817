/* boxes.c - redistribution between random boxes, and between block-cyclic arrays and blocks, by all engines.
 * The results are compared with global indices and with MPI_Pack.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/boxes.h"
#include "common/engine.h"
#include "common/hints.h"
#include "common/random.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>

enum { AXES = 4, LENGTH_MAX = 9, BOXES_MAX = 40 };

/* ---- a distribution of the array, the same on all ranks */

typedef struct distribution {
    int n, rank[BOXES_MAX]; /* rank[i]: the rank that holds or wants box i; -1: no rank wants it */
    ptrdiff_t start[BOXES_MAX][AXES], len[BOXES_MAX][AXES];
    int order[BOXES_MAX][AXES];
} distribution;

/* This rank's boxes of a distribution: the object of the library, and where each box lies in memory. */
typedef struct own {
    subx_boxes boxes;
    int n;
    ptrdiff_t start[BOXES_MAX][AXES], len[BOXES_MAX][AXES], offset[BOXES_MAX], stride[BOXES_MAX][AXES];
    ptrdiff_t count; /* elements of memory, gaps included, up to the last element of a box */
} own;

/* Cut a random box in two, along a random axis. Either part may be empty. */
static void cut(test_random *r, int ndims, distribution *d)
{
    const int i = test_random_int(r, 0, d->n - 1), axis = test_random_int(r, 0, ndims - 1), j = d->n++;
    const int at = test_random_int(r, 0, (int)d->len[i][axis]);
    memcpy(d->start[j], d->start[i], sizeof d->start[i]);
    memcpy(d->len[j], d->len[i], sizeof d->len[i]);
    d->len[i][axis] = at;
    d->start[j][axis] += at;
    d->len[j][axis] -= at;
}

static void set_distribution(test_random *r, int ndims, const ptrdiff_t sizes[], int cuts, distribution *d)
{
    memset(d, 0, sizeof *d);
    d->n = 1;
    memcpy(d->len[0], sizes, (size_t)ndims * sizeof *sizes);
    for (int i = 0; i < cuts; i++)
        cut(r, ndims, d);
    for (int i = 0; i < d->n; i++) {
        d->rank[i] = test_random_int(r, 0, test_nranks - 1);
        test_random_permutation(r, ndims, d->order[i]);
    }
}

/* For some boxes, let a second rank want the box, too. For some others, let no rank want the box. */
static void set_wanted(test_random *r, distribution *d)
{
    const int n = d->n;
    for (int i = 0; i < n; i++) {
        const int other = test_random_int(r, -1, 3 * test_nranks);
        if (other < 0)
            d->rank[i] = -1;
        if (other < 0 || other >= test_nranks || other == d->rank[i])
            continue;
        const int j = d->n++;
        memcpy(d->start[j], d->start[i], sizeof d->start[i]);
        memcpy(d->len[j], d->len[i], sizeof d->len[i]);
        memcpy(d->order[j], d->order[i], sizeof d->order[i]);
        d->rank[j] = other;
    }
}

/* Place a box in memory behind the earlier boxes. `gap` elements stay unused before the box, and after each
 * of its elements, rows and planes. */
static void place(int ndims, const int order[], int gap, own *o)
{
    const ptrdiff_t *len = o->len[o->n];
    ptrdiff_t stride = 1 + gap, last = o->count + gap;
    int is_empty = 0;
    o->offset[o->n] = last;
    for (int k = 0; k < ndims; k++) {
        const int axis = order[k];
        o->stride[o->n][axis] = stride;
        last += (len[axis] - 1) * stride;
        stride = stride * len[axis] + gap;
        is_empty |= len[axis] == 0;
    }
    if (!is_empty)
        o->count = last + 1;
    o->n++;
}

static int is_c_order(int ndims, const int order[])
{
    for (int k = 0; k < ndims; k++)
        if (order[k] != ndims - 1 - k)
            return 0;
    return 1;
}

/* Add box i to this rank's boxes. If is_mixed, some boxes have strides, with gaps between their elements. */
static void add_box(test_random *r, int ndims, const distribution *d, int i, int is_mixed, own *o)
{
    const ptrdiff_t *start = d->start[i], *len = d->len[i];
    const int gap = is_mixed && test_random_int(r, 0, 1) ? test_random_int(r, 1, 3) : 0;
    memcpy(o->start[o->n], start, sizeof d->start[i]);
    memcpy(o->len[o->n], len, sizeof d->len[i]);
    place(ndims, d->order[i], gap, o);
    if (gap > 0)
        EXPECT_OK(subx_boxes_add_strided(o->boxes, start, len, o->offset[o->n - 1], o->stride[o->n - 1]));
    else if (is_c_order(ndims, d->order[i]))
        EXPECT_OK(subx_boxes_add(o->boxes, start, len));
    else
        EXPECT_OK(subx_boxes_add_ordered(o->boxes, start, len, d->order[i]));
}

static void check_own(int ndims, const ptrdiff_t sizes[], const own *o)
{
    ptrdiff_t got[AXES], start[AXES], len[AXES], offset, elements;
    int nd, count;
    EXPECT_OK(subx_boxes_get(o->boxes, &nd, got, &count, NULL, &elements));
    EXPECT(nd == ndims && memcmp(got, sizes, (size_t)ndims * sizeof *got) == 0);
    EXPECT(count == o->n && elements == o->count);
    for (int i = 0; i < o->n; i++) {
        EXPECT_OK(subx_boxes_get_box(o->boxes, i, start, len, &offset, NULL));
        EXPECT(memcmp(start, o->start[i], (size_t)ndims * sizeof *start) == 0);
        EXPECT(memcmp(len, o->len[i], (size_t)ndims * sizeof *len) == 0 && offset == o->offset[i]);
    }
}

static own create_own(int number, int ndims, const ptrdiff_t sizes[], const distribution *d)
{
    test_random r = test_random_stream(test_seed(), 3000000u + (uint64_t)(1000 * test_rank + number));
    const int is_mixed = test_random_int(&r, 0, 1);
    own o = {.n = 0};
    EXPECT_OK(subx_boxes_create(ndims, sizes, &o.boxes));
    for (int i = 0; i < d->n; i++)
        if (d->rank[i] == test_rank)
            add_box(&r, ndims, d, i, is_mixed, &o);
    check_own(ndims, sizes, &o);
    return o;
}

static ptrdiff_t get_volume(int ndims, const ptrdiff_t sizes[])
{
    ptrdiff_t volume = 1;
    for (int k = 0; k < ndims; k++)
        volume *= sizes[k];
    return volume;
}

/* Get the global index, in C order, of element m of a box. Adds the element's place in memory to *at. */
static ptrdiff_t get_index(int ndims, const ptrdiff_t sizes[], const ptrdiff_t start[], const ptrdiff_t len[],
                           const ptrdiff_t stride[], ptrdiff_t m, ptrdiff_t *at)
{
    ptrdiff_t index = 0, factor = 1;
    for (int k = ndims - 1; k >= 0; k--) {
        const ptrdiff_t x = m % len[k];
        index += (start[k] + x) * factor;
        factor *= sizes[k];
        *at += x * stride[k];
        m /= len[k];
    }
    return index;
}

/* Set each element of this rank's boxes to its global index. */
static void set_values(int ndims, const ptrdiff_t sizes[], const own *o, int64_t *to)
{
    for (int i = 0; i < o->n; i++)
        for (ptrdiff_t m = 0; m < get_volume(ndims, o->len[i]); m++) {
            ptrdiff_t at = o->offset[i];
            const ptrdiff_t index = get_index(ndims, sizes, o->start[i], o->len[i], o->stride[i], m, &at);
            to[at] = index;
        }
}

/* ---- random boxes */

static void execute(subx_exch ex, int splits, const int64_t *send, int64_t *receive)
{
    if (splits) {
        EXPECT_OK(subx_exch_start(ex, send, receive));
        EXPECT_OK(subx_exch_wait(ex));
    } else {
        EXPECT_OK(subx_exch_execute(ex, send, receive));
    }
}

static void check_execution(int ndims, const ptrdiff_t sizes[], const own *held, const own *wanted,
                            subx_exch ex, int number)
{
    const size_t in = (size_t)wanted->count + 1;
    int64_t *own_send = malloc(((size_t)held->count + 1) * sizeof *own_send), *send = own_send;
    int64_t *receive = malloc(in * sizeof *receive), *expected = malloc(in * sizeof *expected);
    void *shared = NULL;
    if (number % 2) {
        EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)((size_t)held->count * sizeof *send),
                                 MPI_INFO_NULL, &shared));
        send = shared;
    }
    memset(receive, 0x3c, in * sizeof *receive);
    memset(expected, 0x3c, in * sizeof *expected);
    set_values(ndims, sizes, held, send);
    set_values(ndims, sizes, wanted, expected);
    for (int i = 0; i < 2; i++) {
        execute(ex, number & 2, send, receive);
        EXPECT(memcmp(receive, expected, in * sizeof *receive) == 0);
        memset(receive, 0x3c, in * sizeof *receive);
    }
    EXPECT_OK(subx_mem_free(&shared));
    free(expected);
    free(receive);
    free(own_send);
}

static MPI_Info create_hints(test_random *r, const char *engine, const char *what, int number)
{
    char text[64];
    MPI_Info hints = test_engine_hints(r, engine, text);
    test_hint_set(hints, "permute", test_random_int(r, 0, 1) ? "send" : "recv");
    test_context("%s %d, %s", what, number, text);
    return hints;
}

/* Returns 1 if the exchange was created. Returns 0 if the engine lacks a feature here, which is no failure.
 * Also returns 0 after any other error, which counts as a failure. */
static int is_made(const char *engine, int rc)
{
    if (test_engine_may_lack(engine) && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return 0;
    return EXPECT_OK(rc);
}

static void check_random(const char *engine, int number)
{
    test_random r = test_random_stream(test_seed(), (uint64_t)number);
    const int ndims = test_random_int(&r, 1, AXES), in_c_order = test_random_int(&r, 0, 3) == 0;
    ptrdiff_t sizes[AXES];
    static distribution from, to;
    subx_exch ex = SUBX_EXCH_NULL;
    for (int k = 0; k < ndims; k++)
        sizes[k] = test_random_int(&r, number % 10 == 9 ? 0 : 1, LENGTH_MAX);
    set_distribution(&r, ndims, sizes, test_random_int(&r, 0, BOXES_MAX / 2 - 2), &from);
    set_distribution(&r, ndims, sizes, test_random_int(&r, 0, BOXES_MAX / 2 - 2), &to);
    set_wanted(&r, &to);
    for (int i = 0; i < from.n && in_c_order; i++)
        for (int k = 0; k < ndims; k++)
            from.order[i][k] = ndims - 1 - k;
    MPI_Info hints = create_hints(&r, engine, "boxes", number);
    own held = create_own(2 * number, ndims, sizes, &from),
        wanted = create_own(2 * number + 1, ndims, sizes, &to);
    EXPECT_OK(subx_boxes_check(MPI_COMM_WORLD, held.boxes, 1));
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, held.boxes, wanted.boxes, MPI_INT64_T, hints, &ex);
    MPI_Info_free(&hints);
    EXPECT_OK(subx_boxes_free(&held.boxes));
    EXPECT_OK(subx_boxes_free(&wanted.boxes));
    if (!is_made(engine, rc))
        return;
    check_execution(ndims, sizes, &held, &wanted, ex, number);
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- filetypes */

/* Count the elements whose value in the local array is not their index in the file. Adds 1 if the boxes do
 * not have n elements in all. */
static ptrdiff_t count_wrong(int ndims, const ptrdiff_t sizes[], subx_boxes b, const int *local, ptrdiff_t n)
{
    ptrdiff_t wrong = 0, visited = 0, start[AXES], len[AXES], stride[AXES], offset;
    int count = 0;
    EXPECT_OK(subx_boxes_get(b, NULL, NULL, &count, NULL, NULL));
    for (int i = 0; i < count; i++) {
        EXPECT_OK(subx_boxes_get_box(b, i, start, len, &offset, stride));
        const ptrdiff_t volume = get_volume(ndims, len);
        visited += volume;
        for (ptrdiff_t m = 0; m < volume; m++) {
            ptrdiff_t at = offset;
            const ptrdiff_t index = get_index(ndims, sizes, start, len, stride, m, &at);
            wrong += at < 0 || at >= n || local[at] != index;
        }
    }
    return wrong + (visited != n);
}

/* Get the elements that a rank reads from a file if `type` is its filetype. The value of each element is its
 * index in the file. MPI_Pack reads from an array in place of a file. Sets *n to the number of elements. The
 * caller frees them. */
static int *read_file(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], ptrdiff_t *n)
{
    const ptrdiff_t volume = get_volume(ndims, sizes);
    int *file = malloc(((size_t)volume + 1) * sizeof *file), bytes = 0, position = 0;
    MPI_Type_size(type, &bytes);
    int *local = malloc((size_t)bytes + 1);
    for (ptrdiff_t i = 0; i < volume; i++)
        file[i] = (int)i;
    MPI_Pack(file, 1, type, local, bytes, &position, MPI_COMM_SELF);
    free(file);
    *n = bytes / (ptrdiff_t)sizeof *local;
    return local;
}

/* Compare the boxes of a filetype with what MPI_Pack reads. There may be at most `most` boxes. */
static void check_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], int most)
{
    subx_boxes b;
    ptrdiff_t n, elements = -1;
    int count = 0;
    int *local = read_file(type, ndims, sizes, &n);
    if (EXPECT_OK(subx_boxes_create_type(type, ndims, sizes, MPI_INT, &b))) {
        EXPECT_EQUAL(count_wrong(ndims, sizes, b, local, n), 0);
        EXPECT_OK(subx_boxes_get(b, NULL, NULL, &count, NULL, &elements));
        EXPECT(count <= most && elements == n);
    }
    EXPECT_OK(subx_boxes_free(&b));
    free(local);
}

/* Types with few boxes. A subarray in any order is one box. A vector of every other element of a 5 x 8 array
 * consists of every other column; each of these 4 columns is a box. */
static void check_types(int number)
{
    test_random r = test_random_stream(test_seed(), 1000000u + (uint64_t)(1000 * test_rank + number));
    int sizes[AXES], subsizes[AXES], starts[AXES], order[AXES];
    const int ndims = test_random_int(&r, 1, AXES);
    ptrdiff_t n[AXES];
    MPI_Datatype type;
    test_context("types %d", number);
    for (int k = 0; k < ndims; k++) {
        n[k] = sizes[k] = test_random_int(&r, 1, LENGTH_MAX);
        subsizes[k] = test_random_int(&r, 1, sizes[k]);
        starts[k] = test_random_int(&r, 0, sizes[k] - subsizes[k]);
    }
    test_random_permutation(&r, ndims, order);
    EXPECT_OK(subx_type_create_subarray(ndims, sizes, subsizes, starts, MPI_ORDER_C, order, MPI_INT, &type));
    MPI_Type_commit(&type);
    check_type(type, ndims, n, 1);
    MPI_Type_free(&type);
    const ptrdiff_t plane[] = {5, 8};
    MPI_Type_vector(20, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    check_type(type, 2, plane, 4);
    MPI_Type_free(&type);
}

/* ---- block-cyclic arrays */

typedef struct cyclic {
    int ndims, gsizes[AXES], distributions[AXES], arguments[AXES], grid[AXES], order;
    ptrdiff_t sizes[AXES]; /* gsizes for C order: the axes are reversed if `order` is Fortran's */
} cyclic;

static cyclic draw_cyclic(test_random *r)
{
    cyclic a = {.ndims = test_random_int(r, 1, 3)};
    a.order = test_random_int(r, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    for (int k = 0; k < a.ndims; k++) {
        const int what = test_random_int(r, 0, 4);
        a.gsizes[k] = test_random_int(r, 1, 2 * LENGTH_MAX);
        a.sizes[a.order == MPI_ORDER_C ? k : a.ndims - 1 - k] = a.gsizes[k];
        a.distributions[k] = what == 0 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC;
        a.arguments[k] = what > 1 ? test_random_int(r, 1, 4) : MPI_DISTRIBUTE_DFLT_DARG;
        if (k > 0 && what == 4) {
            a.distributions[k] = MPI_DISTRIBUTE_NONE;
            a.arguments[k] = MPI_DISTRIBUTE_DFLT_DARG;
            a.grid[k] = 1;
        }
    }
    MPI_Dims_create(test_nranks, a.ndims, a.grid);
    return a;
}

/* Move a block-cyclic array to blocks of its first axis, and back again. */
static void check_both_ways(const cyclic *a, subx_boxes b, const int *local, ptrdiff_t n, MPI_Info hints,
                            const char *engine)
{
    ptrdiff_t start[AXES] = {0}, len[AXES];
    subx_exch there = SUBX_EXCH_NULL, back = SUBX_EXCH_NULL;
    int wrong = 0;
    memcpy(len, a->sizes, sizeof len);
    EXPECT_OK(subx_block_get(a->sizes[0], test_nranks, test_rank, &len[0], &start[0]));
    const ptrdiff_t count = get_volume(a->ndims, len), first = start[0] * get_volume(a->ndims - 1, len + 1);
    int *block = calloc((size_t)count + 1, sizeof *block), *again = calloc((size_t)n + 1, sizeof *again);
    subx_boxes slab = test_boxes_create(a->ndims, a->sizes, 1, start, len, NULL);
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, b, slab, MPI_INT, hints, &there);
    if (is_made(engine, rc)) {
        EXPECT_OK(subx_exch_create_boxes(MPI_COMM_WORLD, slab, b, MPI_INT, hints, &back));
        EXPECT_OK(subx_exch_execute(there, local, block));
        for (ptrdiff_t i = 0; i < count; i++)
            wrong += block[i] != first + i;
        EXPECT_EQUAL(wrong, 0);
        EXPECT_OK(subx_exch_execute(back, block, again));
        EXPECT(memcmp(local, again, (size_t)n * sizeof *local) == 0);
        EXPECT_OK(subx_exch_free(&back));
        EXPECT_OK(subx_exch_free(&there));
    }
    EXPECT_OK(subx_boxes_free(&slab));
    free(again);
    free(block);
}

static void check_cyclic(const char *engine, int number)
{
    test_random r = test_random_stream(test_seed(), 2000000u + (uint64_t)number);
    const cyclic a = draw_cyclic(&r);
    MPI_Datatype type;
    subx_boxes b;
    ptrdiff_t n;
    MPI_Info hints = create_hints(&r, engine, "block-cyclic", number);
    MPI_Type_create_darray(test_nranks, test_rank, a.ndims, a.gsizes, a.distributions, a.arguments, a.grid,
                           a.order, MPI_INT, &type);
    MPI_Type_commit(&type);
    int *local = read_file(type, a.ndims, a.sizes, &n);
    if (EXPECT_OK(subx_boxes_create_type(type, a.ndims, a.sizes, MPI_INT, &b))) {
        EXPECT_EQUAL(count_wrong(a.ndims, a.sizes, b, local, n), 0);
        check_both_ways(&a, b, local, n, hints, engine);
    }
    EXPECT_OK(subx_boxes_free(&b));
    free(local);
    MPI_Type_free(&type);
    MPI_Info_free(&hints);
}

CHECK(check_all_engines)
{
    const int times = test_nranks > 4 ? 1 : test_nranks > 2 ? 2 : 5;
    for (int k = 0; k < times * test_engine_count(); k++) {
        check_random(test_engine_get(k), k);
        check_cyclic(test_engine_get(k), k);
        check_types(k);
    }
}
