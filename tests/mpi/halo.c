/* halo.c - halo exchanges of random boxes, by all engines, in shared and in private memory, and in memory of
 * the fake device. By the definition, the value of each cell is its global index; along periodic axes the
 * indices wrap around. With TEST_DEVICE=cuda:device the halos in device memory are on a GPU.
 * ranks: 1 2 3 4 5 7 8 */
#include "common/engine.h"
#include "common/hints.h"
#include "common/on_device.h"
#include "common/verdict.h"
#include <stdlib.h>
#include <string.h>
#include <subx.h>
#include <subx_boxes.h>

enum { AXES = 3, RANKS_MAX = 8, LENGTH_MAX = 7 };

/* The value of cells that the exchange must not write. */
static const int64_t UNTOUCHED = -7;

typedef struct problem {
    int ndims, periodic[AXES], order[AXES];
    ptrdiff_t sizes[AXES], start[AXES], len[AXES], below[AXES], above[AXES];
} problem;

/* Cut the array into one box per rank, along random axes, and take this rank's box. Boxes may be empty. */
static void set_box(test_random *r, problem *a)
{
    ptrdiff_t start[RANKS_MAX][AXES] = {{0}}, len[RANKS_MAX][AXES];
    memcpy(len[0], a->sizes, sizeof len[0]);
    for (int n = 1; n < test_nranks; n++) {
        const int from = test_random_int(r, 0, n - 1), axis = test_random_int(r, 0, a->ndims - 1);
        const int at = test_random_int(r, 0, (int)len[from][axis]);
        memcpy(start[n], start[from], sizeof start[n]);
        memcpy(len[n], len[from], sizeof len[n]);
        start[n][axis] += at;
        len[n][axis] -= at;
        len[from][axis] = at;
    }
    memcpy(a->start, start[test_rank], sizeof a->start);
    memcpy(a->len, len[test_rank], sizeof a->len);
}

/* Draw a problem. Each rank draws its own widths of halos and order of axes. Some widths exceed the boxes,
 * and even the array. */
static problem draw_problem(int number)
{
    test_random r = test_random_stream(test_seed(), (uint64_t)number);
    test_random mine = test_random_stream(test_seed(), 1000000u + (uint64_t)(100 * number + test_rank));
    const int widest = number % 4 == 3 ? 2 * LENGTH_MAX : 2;
    problem a = {.ndims = test_random_int(&r, 1, AXES)};
    for (int k = 0; k < a.ndims; k++) {
        a.sizes[k] = test_random_int(&r, number % 12 == 11 ? 0 : 1, LENGTH_MAX);
        a.periodic[k] = test_random_int(&r, 0, 1);
        a.below[k] = test_random_int(&mine, 0, widest);
        a.above[k] = test_random_int(&mine, 0, widest);
    }
    set_box(&r, &a);
    test_random_permutation(&mine, a.ndims, a.order);
    return a;
}

static ptrdiff_t get_count(const problem *a)
{
    ptrdiff_t count = 1;
    for (int k = 0; k < a->ndims; k++)
        count *= a->below[k] + a->len[k] + a->above[k];
    return count;
}

/* Get the expected value of the i-th cell in memory: the cell's global index, or UNTOUCHED if the cell is
 * outside the array. Sets *is_ours to 1 if this rank owns the cell. */
static int64_t get_expected(const problem *a, ptrdiff_t i, int *is_ours)
{
    ptrdiff_t x[AXES];
    int64_t value = 0;
    *is_ours = 1;
    for (int k = 0; k < a->ndims; k++) {
        const int axis = a->order[k];
        const ptrdiff_t n = a->below[axis] + a->len[axis] + a->above[axis], at = i % n - a->below[axis];
        i /= n;
        *is_ours &= at >= 0 && at < a->len[axis];
        x[axis] = a->start[axis] + at;
        if (a->periodic[axis] && a->sizes[axis] > 0)
            x[axis] = (x[axis] % a->sizes[axis] + a->sizes[axis]) % a->sizes[axis];
        else if (x[axis] < 0 || x[axis] >= a->sizes[axis])
            return UNTOUCHED;
    }
    for (int k = 0; k < a->ndims; k++)
        value = value * a->sizes[k] + x[k];
    return value;
}

/* Set the cells that this rank owns. Each execution has other values. */
static void set_owned(const problem *a, int64_t *array, int execution)
{
    int is_ours;
    for (ptrdiff_t i = 0; i < get_count(a); i++) {
        const int64_t value = get_expected(a, i, &is_ours);
        array[i] = is_ours && value != UNTOUCHED ? value + 10000 * execution : UNTOUCHED;
    }
}

static int count_wrong(const problem *a, const int64_t *array, int execution)
{
    int wrong = 0, is_ours;
    for (ptrdiff_t i = 0; i < get_count(a); i++) {
        const int64_t value = get_expected(a, i, &is_ours);
        wrong += array[i] != (value == UNTOUCHED ? UNTOUCHED : value + 10000 * execution);
    }
    return wrong;
}

static void execute(subx_halo halo, int how, int64_t *array)
{
    int done = 0, failed = MPI_SUCCESS;
    if (how == 0) {
        EXPECT_OK(subx_halo_execute(halo, array));
        return;
    }
    EXPECT_OK(subx_halo_start(halo, array));
    EXPECT_KIND(subx_halo_start(halo, array), SUBX_ERR_ACTIVE);
    EXPECT_KIND(subx_halo_free(&halo), SUBX_ERR_ACTIVE);
    while (how == 2 && !done && !failed)
        failed = subx_halo_test(halo, &done);
    EXPECT_OK(failed);
    EXPECT_OK(subx_halo_wait(halo));
    EXPECT_KIND(subx_halo_wait(halo), SUBX_ERR_ACTIVE);
}

/* `memory`: the kind of the device's memory; NULL for the host's. */
static subx_halo create_halo(const problem *a, const char *engine, const char *memory, int number)
{
    test_random r = test_random_stream(test_seed(), 2000000u + (uint64_t)number);
    subx_halo halo = SUBX_HALO_NULL;
    char text[64];
    MPI_Info hints = test_engine_hints(&r, engine, text);
    if (memory) {
        MPI_Info_set(hints, "subx_memory_kind", memory);
        test_hint_set(hints, "device_reader", number % 2 ? "kernel" : "copies");
    }
    test_context("halo %d, %d axes, %s, %s", number, a->ndims, memory ? memory : "host", text);
    int rc = subx_halo_create(MPI_COMM_WORLD, a->ndims, a->sizes, a->start, a->len, a->below, a->above,
                              a->periodic, a->order, MPI_INT64_T, hints, &halo);
    if (!test_engine_may_lack(engine) || subx_error_get_kind(rc) != SUBX_ERR_UNAVAILABLE)
        EXPECT_OK(rc);
    MPI_Info_free(&hints);
    return halo;
}

/* Execute with a copy of the array in the device's memory. */
static void execute_on_device(subx_halo halo, int how, int64_t *array, ptrdiff_t bytes)
{
    void *on_device = test_device_alloc(bytes);
    test_device_copy(on_device, array, bytes);
    execute(halo, how, on_device);
    test_device_copy(array, on_device, bytes);
    test_device_free(on_device);
}

static void check(const char *engine, const char *memory, int number)
{
    const problem a = draw_problem(number);
    const ptrdiff_t bytes = (ptrdiff_t)((size_t)get_count(&a) * sizeof(int64_t));
    void *shared = NULL;
    subx_halo halo = create_halo(&a, engine, memory, number);
    if (halo == SUBX_HALO_NULL)
        return;
    int64_t *own = malloc((size_t)bytes + 1);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes, MPI_INFO_NULL, &shared));
    for (int execution = 0; execution < 6; execution++) {
        int64_t *array = execution % 2 ? own : shared;
        set_owned(&a, array, execution);
        if (memory)
            execute_on_device(halo, execution / 2, array, bytes);
        else
            execute(halo, execution / 2, array);
        EXPECT_EQUAL(count_wrong(&a, array, execution), 0);
    }
    EXPECT_OK(subx_halo_free(&halo));
    EXPECT(halo == SUBX_HALO_NULL);
    EXPECT_OK(subx_mem_free(&shared));
    free(own);
}

static void check_null(void)
{
    subx_halo halo = SUBX_HALO_NULL;
    int flag;
    test_context("a null halo");
    EXPECT_OK(subx_halo_free(&halo));
    EXPECT_KIND(subx_halo_execute(halo, &flag), SUBX_ERR_ARG);
    EXPECT_KIND(subx_halo_start(halo, &flag), SUBX_ERR_ARG);
    EXPECT_KIND(subx_halo_test(halo, &flag), SUBX_ERR_ARG);
    EXPECT_KIND(subx_halo_wait(halo), SUBX_ERR_ARG);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    static const char *const engines[] = {"auto", "pairwise", "node", "alltoallv", "kway"};
    const int times = test_nranks > 4 ? 2 : 6;
    check_null();
    for (int k = 0; k < times * test_engine_count(); k++)
        check(test_engine_get(k), NULL, k);
    test_device_open();
    for (int k = 0; k < times * 5; k++) {
        test_device_set_messages((uint64_t)k / 5);
        check(engines[k % 5], test_device.place, k);
    }
    test_device_close();
    return test_end();
}
