/* boxes.c - redistribution between random boxes, and between a block-cyclic array and blocks, by all engines, against
 * global indices and MPI_Pack.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/engine.h"
#include "common/random.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>
#include <subx_boxes.h>

enum { AXES = 4, LENGTH_MAX = 9, BOXES_MAX = 40 };

/* ---- a distribution of the array, the same on every rank that draws it */

typedef struct distribution {
    int n, rank[BOXES_MAX]; /* of each box */
    ptrdiff_t start[BOXES_MAX][AXES], len[BOXES_MAX][AXES];
    int order[BOXES_MAX][AXES];
} distribution;

/* What one rank has of it, as the library takes it. */
typedef struct own {
    int n;
    ptrdiff_t starts[BOXES_MAX * AXES], lens[BOXES_MAX * AXES], count;
    int orders[BOXES_MAX * AXES];
} own;

/* Cut a random box along a random axis. Parts may be empty. */
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

/* Some boxes are wanted by nobody, others by two ranks. */
static void set_wanted(test_random *r, distribution *d)
{
    const int n = d->n;
    for (int i = 0; i < n; i++) {
        const int other = test_random_int(r, 0, 3 * test_nranks);
        if (other == 0)
            d->rank[i] = -1;
        if (other >= test_nranks || other == d->rank[i])
            continue;
        const int j = d->n++;
        memcpy(d->start[j], d->start[i], sizeof d->start[i]);
        memcpy(d->len[j], d->len[i], sizeof d->len[i]);
        memcpy(d->order[j], d->order[i], sizeof d->order[i]);
        d->rank[j] = other;
    }
}

static void set_own(int ndims, const distribution *d, own *o)
{
    o->n = 0;
    o->count = 0;
    for (int i = 0; i < d->n; i++) {
        ptrdiff_t count = 1;
        if (d->rank[i] != test_rank)
            continue;
        for (int k = 0; k < ndims; k++) {
            o->starts[o->n * ndims + k] = d->start[i][k];
            o->lens[o->n * ndims + k] = d->len[i][k];
            o->orders[o->n * ndims + k] = d->order[i][k];
            count *= d->len[i][k];
        }
        o->count += count;
        o->n++;
    }
}

/* Set this rank's boxes, one after the other, to the global numbers of their elements in C order. */
static void set_values(int ndims, const ptrdiff_t sizes[], const own *o, int64_t *to)
{
    for (int i = 0; i < o->n; i++) {
        const ptrdiff_t *start = o->starts + i * ndims, *len = o->lens + i * ndims;
        const int *order = o->orders + i * ndims;
        ptrdiff_t count = 1, x[AXES];
        for (int k = 0; k < ndims; k++)
            count *= len[k];
        for (ptrdiff_t m = 0; m < count; m++) {
            ptrdiff_t rest = m;
            int64_t value = 0;
            for (int k = 0; k < ndims; k++) {
                x[order[k]] = start[order[k]] + rest % len[order[k]];
                rest /= len[order[k]];
            }
            for (int k = 0; k < ndims; k++)
                value = value * sizes[k] + x[k];
            *to++ = value;
        }
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
        EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, (MPI_Count)((size_t)held->count * sizeof *send),
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
    MPI_Info_set(hints, "subx_permute", test_random_int(r, 0, 1) ? "send" : "recv");
    test_context("%s %d, %s", what, number, text);
    return hints;
}

/* 1 if there is an exchange. */
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
    static own held, wanted;
    subx_exch ex = SUBX_EXCH_NULL;
    for (int k = 0; k < ndims; k++)
        sizes[k] = test_random_int(&r, number % 10 == 9 ? 0 : 1, LENGTH_MAX);
    set_distribution(&r, ndims, sizes, test_random_int(&r, 0, BOXES_MAX / 2 - 2), &from);
    set_distribution(&r, ndims, sizes, test_random_int(&r, 0, BOXES_MAX / 2 - 2), &to);
    set_wanted(&r, &to);
    for (int i = 0; i < from.n && in_c_order; i++)
        for (int k = 0; k < ndims; k++)
            from.order[i][k] = ndims - 1 - k;
    set_own(ndims, &from, &held);
    set_own(ndims, &to, &wanted);
    MPI_Info hints = create_hints(&r, engine, "boxes", number);
    EXPECT_OK(subx_boxes_check(MPI_COMM_WORLD, ndims, sizes, held.n, held.starts, held.lens, 1));
    int rc = subx_exch_create_boxes(MPI_COMM_WORLD, ndims, sizes, held.n, held.starts, held.lens,
                                    in_c_order ? NULL : held.orders, wanted.n, wanted.starts, wanted.lens,
                                    wanted.orders, MPI_INT64_T, hints, &ex);
    MPI_Info_free(&hints);
    if (!is_made(engine, rc))
        return;
    check_execution(ndims, sizes, &held, &wanted, ex, number);
    EXPECT_OK(subx_exch_free(&ex));
}

/* ---- filetypes */

typedef struct placed {
    int n;
    ptrdiff_t *starts, *lens, *offsets, *strides;
} placed;

static ptrdiff_t get_volume(int ndims, const ptrdiff_t sizes[])
{
    ptrdiff_t volume = 1;
    for (int k = 0; k < ndims; k++)
        volume *= sizes[k];
    return volume;
}

static int get_boxes(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], placed *b)
{
    const size_t bytes = sizeof(ptrdiff_t) * AXES;
    int again = -1;
    *b = (placed){0};
    if (!EXPECT_OK(subx_type_get_boxes(type, ndims, sizes, MPI_INT, 0, &b->n, NULL, NULL, NULL, NULL)))
        return 0;
    b->starts = malloc(((size_t)b->n + 1) * bytes);
    b->lens = malloc(((size_t)b->n + 1) * bytes);
    b->offsets = malloc(((size_t)b->n + 1) * bytes);
    b->strides = malloc(((size_t)b->n + 1) * bytes);
    if (b->n > 0)
        EXPECT_KIND(subx_type_get_boxes(type, ndims, sizes, MPI_INT, b->n - 1, &again, b->starts, b->lens,
                                        b->offsets, b->strides),
                    SUBX_ERR_TRUNCATE);
    EXPECT_OK(subx_type_get_boxes(type, ndims, sizes, MPI_INT, b->n, &again, b->starts, b->lens, b->offsets,
                                  b->strides));
    EXPECT_EQUAL(again, b->n);
    return 1;
}

static void free_boxes(placed *b)
{
    free(b->starts);
    free(b->lens);
    free(b->offsets);
    free(b->strides);
}

/* Count the elements of boxes whose value in the local array is not their number in the file. */
static ptrdiff_t count_wrong(int ndims, const ptrdiff_t sizes[], const placed *b, const int *local,
                             ptrdiff_t n)
{
    ptrdiff_t wrong = 0, visited = 0;
    for (int i = 0; i < b->n; i++) {
        const ptrdiff_t *len = b->lens + i * ndims, volume = get_volume(ndims, len);
        visited += volume;
        for (ptrdiff_t m = 0; m < volume; m++) {
            ptrdiff_t rest = m, place = b->offsets[i], value = 0, factor = 1;
            for (int k = ndims - 1; k >= 0; k--) {
                const ptrdiff_t x = rest % len[k];
                place += x * b->strides[i * ndims + k];
                value += (b->starts[i * ndims + k] + x) * factor;
                factor *= sizes[k];
                rest /= len[k];
            }
            wrong += place < 0 || place >= n || local[place] != value;
        }
    }
    return wrong + (visited != n);
}

/* Read the elements of a type, taken as a filetype, from a file that holds numbers. */
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

/* Compare boxes with MPI_Pack. `most` bounds their number. */
static void check_type(MPI_Datatype type, int ndims, const ptrdiff_t sizes[], int most)
{
    placed b;
    ptrdiff_t n;
    int *local = read_file(type, ndims, sizes, &n);
    if (get_boxes(type, ndims, sizes, &b)) {
        EXPECT_EQUAL(count_wrong(ndims, sizes, &b, local, n), 0);
        EXPECT(b.n <= most);
    }
    free_boxes(&b);
    free(local);
}

/* A subarray in any order is one box; a vector of every other element is one box per column. */
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
    ptrdiff_t sizes[AXES]; /* of the array in C order that lies in the file in the same way */
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

/* The array goes to blocks of its first axis, and back. */
static void check_both_ways(const cyclic *a, const placed *b, const int *local, ptrdiff_t n, MPI_Info hints,
                            const char *engine)
{
    ptrdiff_t start[AXES] = {0}, len[AXES];
    subx_exch there = SUBX_EXCH_NULL, back = SUBX_EXCH_NULL;
    int wrong = 0;
    memcpy(len, a->sizes, sizeof len);
    EXPECT_OK(subx_block_get(a->sizes[0], test_nranks, test_rank, &len[0], &start[0]));
    const ptrdiff_t count = get_volume(a->ndims, len), first = start[0] * get_volume(a->ndims - 1, len + 1);
    int *block = calloc((size_t)count + 1, sizeof *block), *again = calloc((size_t)n + 1, sizeof *again);
    int rc = subx_exch_create_boxes_strided(MPI_COMM_WORLD, a->ndims, a->sizes, b->n, b->starts, b->lens,
                                            b->offsets, b->strides, 1, start, len, NULL, NULL, MPI_INT, hints,
                                            &there);
    if (is_made(engine, rc)) {
        EXPECT_OK(subx_exch_create_boxes_strided(MPI_COMM_WORLD, a->ndims, a->sizes, 1, start, len, NULL,
                                                 NULL, b->n, b->starts, b->lens, b->offsets, b->strides,
                                                 MPI_INT, hints, &back));
        EXPECT_OK(subx_exch_execute(there, local, block));
        for (ptrdiff_t i = 0; i < count; i++)
            wrong += block[i] != first + i;
        EXPECT_EQUAL(wrong, 0);
        EXPECT_OK(subx_exch_execute(back, block, again));
        EXPECT(memcmp(local, again, (size_t)n * sizeof *local) == 0);
        EXPECT_OK(subx_exch_free(&back));
        EXPECT_OK(subx_exch_free(&there));
    }
    free(again);
    free(block);
}

static void check_cyclic(const char *engine, int number)
{
    test_random r = test_random_stream(test_seed(), 2000000u + (uint64_t)number);
    const cyclic a = draw_cyclic(&r);
    MPI_Datatype type;
    placed b;
    ptrdiff_t n;
    MPI_Info hints = create_hints(&r, engine, "block-cyclic", number);
    MPI_Type_create_darray(test_nranks, test_rank, a.ndims, a.gsizes, a.distributions, a.arguments, a.grid,
                           a.order, MPI_INT, &type);
    MPI_Type_commit(&type);
    int *local = read_file(type, a.ndims, a.sizes, &n);
    if (get_boxes(type, a.ndims, a.sizes, &b)) {
        EXPECT_EQUAL(count_wrong(a.ndims, a.sizes, &b, local, n), 0);
        check_both_ways(&a, &b, local, n, hints, engine);
    }
    free_boxes(&b);
    free(local);
    MPI_Type_free(&type);
    MPI_Info_free(&hints);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    const int times = test_nranks > 4 ? 1 : test_nranks > 2 ? 2 : 5;
    for (int k = 0; k < times * test_engine_count(); k++) {
        check_random(test_engine_get(k), k);
        check_cyclic(test_engine_get(k), k);
        check_types(k);
    }
    return test_end();
}
