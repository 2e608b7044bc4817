/* realign.c - realign arrays of 2 to 4 axes, between any two axes, in any orders, and compare with global
 * indices.
 * ranks: 1 2 3 4 5 7 */
#include "common/engine.h"
#include "common/hints.h"
#include "common/random.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>

enum { AXES = 4, BYTES_MAX = 24 };

typedef struct setting {
    int d, v, w;
    ptrdiff_t sizes[AXES];
    int sorder[AXES], rorder[AXES];
    const char *engine, *permute;
    int element, number;
} setting;

/* This rank's part of the array on one side. `order` is the order of axes in memory, contiguous axis
 * first. */
typedef struct array {
    int d;
    ptrdiff_t n[AXES], start[AXES];
    const int *order;
} array;

static array get_array(const setting *c, int divided, const int order[])
{
    array a = {.d = c->d, .order = order};
    for (int i = 0; i < c->d; i++)
        a.n[i] = c->sizes[i];
    EXPECT_OK(subx_block_get(c->sizes[divided], test_nranks, test_rank, &a.n[divided], &a.start[divided]));
    return a;
}

static ptrdiff_t get_count(const array *a)
{
    ptrdiff_t count = 1;
    for (int i = 0; i < a->d; i++)
        count *= a->n[i];
    return count;
}

/* Get the global index, in C order, of the i-th element in memory. */
static ptrdiff_t get_global(const array *a, const ptrdiff_t sizes[], ptrdiff_t i)
{
    ptrdiff_t x[AXES], global = 0;
    for (int k = 0; k < a->d; k++) {
        int axis = a->order[k];
        x[axis] = a->start[axis] + i % a->n[axis];
        i /= a->n[axis];
    }
    for (int axis = 0; axis < a->d; axis++)
        global = global * sizes[axis] + x[axis];
    return global;
}

/* ---- types of elements: a double; three ints; a double and an int with a gap after them (the gap must not
 * be written) */

static MPI_Datatype create_element(int element, int *bytes)
{
    MPI_Datatype t, inner;
    const int one[] = {1, 1};
    const MPI_Aint at[] = {0, 8};
    MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT};
    if (element == 0) {
        *bytes = 8;
        MPI_Type_dup(MPI_DOUBLE, &t);
    } else if (element == 1) {
        *bytes = 12;
        MPI_Type_contiguous(3, MPI_INT, &t);
    } else {
        *bytes = 24;
        MPI_Type_create_struct(2, one, at, parts, &inner);
        MPI_Type_create_resized(inner, 0, 24, &t);
        MPI_Type_free(&inner);
    }
    return t;
}

static void set_element(int element, ptrdiff_t global, char *to)
{
    const double real = (double)global + 0.5;
    const int number = (int)global, three[] = {number, -number, number + 7};
    if (element == 1) {
        memcpy(to, three, sizeof three);
        return;
    }
    memcpy(to, &real, sizeof real);
    if (element == 2)
        memcpy(to + 8, &number, sizeof number);
}

static char *create_array(const setting *c, const array *a, int bytes, int filled)
{
    const ptrdiff_t n = get_count(a);
    char *memory = malloc((size_t)(n * bytes) + 1);
    memset(memory, 0x3c, (size_t)(n * bytes) + 1);
    for (ptrdiff_t i = 0; i < n && filled; i++)
        set_element(c->element, get_global(a, c->sizes, i), memory + i * bytes);
    return memory;
}

/* Create hints. Their numbers are mostly small, because the arrays are small. */
static MPI_Info create_hints(const setting *c)
{
    test_random rng = test_random_stream(test_seed(), 7000000u + (uint64_t)c->number);
    char text[64];
    MPI_Info hints = test_engine_hints(&rng, c->engine, text);
    test_hint_set(hints, "permute", c->permute);
    test_context("%d axes, %d to %d, %s, permute %s, element %d, sender's fastest %d, receiver's %d", c->d,
                 c->v, c->w, text, c->permute, c->element, c->sorder[0], c->rorder[0]);
    return hints;
}

static void check_execution(const setting *c, subx_exch ex, int bytes)
{
    const array before = get_array(c, c->w, c->sorder), after = get_array(c, c->v, c->rorder);
    char *send = create_array(c, &before, bytes, 1), *receive = create_array(c, &after, bytes, 0);
    char *expected = create_array(c, &after, bytes, 1);
    if (c->number & 1) {
        EXPECT_OK(subx_exch_start(ex, send, receive));
        EXPECT_OK(subx_exch_wait(ex));
    } else {
        EXPECT_OK(subx_exch_execute(ex, send, receive));
    }
    EXPECT(memcmp(receive, expected, (size_t)(get_count(&after) * bytes) + 1) == 0);
    free(send);
    free(receive);
    free(expected);
}

static void check_setting(const setting *c)
{
    subx_exch ex = SUBX_EXCH_NULL;
    int bytes;
    MPI_Datatype element = create_element(c->element, &bytes);
    MPI_Info hints = create_hints(c);
    int rc = subx_exch_create_realign(MPI_COMM_WORLD, c->d, c->sizes, c->v, c->w, c->sorder, c->rorder,
                                      element, hints, &ex);
    MPI_Info_free(&hints);
    MPI_Type_free(&element);
    if (test_engine_may_lack(c->engine) && subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return;
    if (EXPECT_OK(rc)) {
        check_execution(c, ex, bytes);
        EXPECT_OK(subx_exch_free(&ex));
    }
}

static void choose(test_random *r, setting *c)
{
    c->number = test_random_int(r, 0, 1 << 20);
    c->engine = test_engine_get(test_random_int(r, 0, 1 << 20));
    c->permute = test_random_int(r, 0, 1) ? "send" : "recv";
    c->element = test_random_int(r, 0, 2);
}

static void set_random(test_random *r, setting *c)
{
    c->v = test_random_int(r, 0, c->d - 1);
    c->w = (c->v + test_random_int(r, 1, c->d - 1)) % c->d;
    for (int i = 0; i < c->d; i++)
        c->sizes[i] = test_random_int(r, test_random_int(r, 0, 9) ? 1 : 0, 6);
    /* In one of four cases all blocks have the same length. */
    if (test_random_int(r, 0, 3) == 0)
        c->sizes[c->v] = c->sizes[c->w] = test_nranks;
}

/* Test every step-th pair of a send order and a receive order. The two axes that are divided are random. */
static void check_orders(test_random *r, int d, int permutations, int step)
{
    for (int k = 0; k < permutations * permutations; k += step) {
        setting c = {.d = d};
        set_random(r, &c);
        test_permutation(d, k / permutations, c.sorder);
        test_permutation(d, k % permutations, c.rorder);
        choose(r, &c);
        check_setting(&c);
    }
}

/* Test all pairs of axes, each in random orders. */
static void check_axes(test_random *r, int d)
{
    for (int k = 0; k < d * d; k++) {
        setting c = {.d = d};
        set_random(r, &c);
        c.v = k / d;
        c.w = k % d;
        if (c.v == c.w)
            continue;
        test_random_permutation(r, d, c.sorder);
        test_random_permutation(r, d, c.rorder);
        choose(r, &c);
        check_setting(&c);
    }
}

/* Orders may be NULL, which means C order, and hints may be absent. */
CHECK(check_defaults)
{
    const ptrdiff_t sizes[] = {3, 4, 5};
    setting c = {.d = 3, .v = 2, .w = 0, .sizes = {3, 4, 5}, .sorder = {2, 1, 0}, .rorder = {2, 1, 0}};
    subx_exch ex = SUBX_EXCH_NULL;
    test_context("defaults");
    if (EXPECT_OK(subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 2, 0, NULL, NULL, MPI_DOUBLE,
                                           MPI_INFO_NULL, &ex))) {
        check_execution(&c, ex, 8);
        EXPECT_OK(subx_exch_free(&ex));
    }
}

CHECK(check_all_orders)
{
    test_random r = test_random_stream(test_seed(), 1);
    const int step = test_nranks > 4 ? 11 : test_nranks > 2 ? 3 : 1;
    check_orders(&r, 2, 2, 1);
    check_orders(&r, 3, 6, step);
    check_orders(&r, 4, 24, 41 * step);
    check_axes(&r, 2);
    check_axes(&r, 3);
    if (test_nranks <= 3)
        check_axes(&r, 4);
}
