/* on_device_boxes.c - random boxes for tests of plans on a device: a partition of the array of a side, of
 * which each rank has any number of boxes. */
#include "common/verdict.h"
#include "mpi/on_device.h"
#include "problem/problem.h"
#include <string.h>

typedef struct list {
    int n;
    test_box box[TEST_DEVICE_BOXES];
} list;

static test_random get_stream(const test_task *t, int side)
{
    return test_random_stream(test_seed() + 5, t->number * 2 + (uint64_t)side);
}

/* Cut some box of the list in two, along some axis that is long enough. */
static void cut(test_random *r, int ndims, list *l)
{
    test_box *b = &l->box[test_random_int(r, 0, l->n - 1)], *rest = &l->box[l->n];
    const int axis = test_random_int(r, 0, ndims - 1);
    if (b->len[axis] < 2)
        return;
    const ptrdiff_t len = test_random_int(r, 1, (int)b->len[axis] - 1);
    *rest = *b;
    rest->start[axis] += len;
    rest->len[axis] -= len;
    b->len[axis] = len;
    l->n++;
}

/* In a third of the cases each rank has one box or none, else any number of boxes. */
static list draw_all(test_random *r, const test_task *t, const ptrdiff_t lens[])
{
    const int is_single = test_random_int(r, 0, 2) == 0, most = is_single ? t->nranks : TEST_DEVICE_BOXES;
    list l = {.n = 1};
    memcpy(l.box[0].len, lens, (size_t)t->ndims * sizeof *lens);
    for (int k = 0; k < 3 * most && l.n < most; k++)
        cut(r, t->ndims, &l);
    for (int k = 0; k < l.n; k++)
        l.box[k].rank = is_single ? k : test_random_int(r, 0, t->nranks - 1);
    return l;
}

/* Set where a box lies: at `end` at the earliest. Only boxes with strides have gaps. Returns its end. */
static ptrdiff_t place(test_random *r, const test_task *t, int side, ptrdiff_t end, test_box *b)
{
    const int has_gaps = t->boxes[side] == TEST_STRIDED_BOXES;
    ptrdiff_t stride = 1;
    test_random_permutation(r, t->ndims, b->order);
    b->offset = end + (has_gaps ? test_random_int(r, 0, 2) : 0);
    for (int k = 0; k < t->ndims; k++) {
        b->stride[b->order[k]] = stride;
        stride *= b->len[b->order[k]] + (has_gaps && test_random_int(r, 0, 2) == 0);
    }
    return b->offset + stride;
}

int test_boxes_draw(const test_task *t, int side, const ptrdiff_t lens[], int rank, test_box box[],
                    ptrdiff_t *distance)
{
    test_random r = get_stream(t, side);
    const list l = draw_all(&r, t, lens);
    int n = 0;
    *distance = 1;
    for (int k = 0; k < l.n; k++) {
        test_box b = l.box[k];
        const ptrdiff_t end = place(&r, t, side, n ? *distance : 0, &b);
        if (b.rank != rank)
            continue;
        *distance = end;
        box[n++] = b;
    }
    return n;
}

void test_boxes_get_lengths(const test_task *t, subx_fft_problem problem, int side, ptrdiff_t lens[])
{
    for (int a = 0; a < t->ndims; a++)
        lens[a] = sx_problem_get_length(problem, side, a);
}

static void set_side(const test_task *t, MPI_Comm comm, subx_fft_problem problem, int side)
{
    ptrdiff_t lens[TEST_DEVICE_NDIMS], distance;
    test_box box[TEST_DEVICE_BOXES];
    subx_boxes boxes = SUBX_BOXES_NULL;
    int rank;
    MPI_Comm_rank(comm, &rank);
    test_boxes_get_lengths(t, problem, side, lens);
    EXPECT_OK(subx_boxes_create(t->ndims, lens, &boxes));
    const int n = test_boxes_draw(t, side, lens, rank, box, &distance);
    for (int k = 0; k < n; k++)
        EXPECT_OK(t->boxes[side] == TEST_STRIDED_BOXES
                      ? subx_boxes_add_strided(boxes, box[k].start, box[k].len, box[k].offset, box[k].stride)
                      : subx_boxes_add_ordered(boxes, box[k].start, box[k].len, box[k].order));
    EXPECT_OK(subx_fft_problem_set_boxes(problem, side, boxes, distance));
    subx_boxes_free(&boxes);
}

void test_boxes_set_problem(const test_task *t, MPI_Comm comm, subx_fft_problem problem)
{
    for (int side = 0; side < 2; side++)
        if (t->boxes[side])
            set_side(t, comm, problem, side);
}
