/* fft_keep.c - freed plans are kept for equal requests (hint subx_keep), and for no others.
 * ranks: 1 2 3 5 7 (four would repeat five: two groups of several ranks) */
#include "base/base.h"
#include "common/field.h"
#include "common/maps.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

static const ptrdiff_t sizes[] = {10, 6, 8};
static const char *const room = "100000000";

static ptrdiff_t get_kept(void)
{
    ptrdiff_t bytes = -1;
    EXPECT_OK(subx_fft_query_kept(&bytes));
    return bytes;
}

static subx_fft_plan create(const test_field *f, MPI_Comm comm, const char *keep, const char *key,
                            const char *value)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    const test_choices c = {.more = {{keep ? "subx_keep" : NULL, keep}, {key, value}}};
    EXPECT_OK(test_field_plan(f, &c, comm, &plan));
    return plan;
}

static void execute(const test_field *f, subx_fft_plan plan)
{
    test_field_check(f, plan, (double)f->count);
}

/* Create a plan, execute it, and free it. */
static void use(const test_field *f, MPI_Comm comm, const char *keep, const char *key, const char *value)
{
    subx_fft_plan plan = create(f, comm, keep, key, value);
    execute(f, plan);
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
}

/* Without the hint, no plan is kept. With the hint, an equal request gets the kept plan, also on another
 * communicator. A plan in use is not given to a second request. */
static void check_equal(const test_field *f)
{
    MPI_Comm copy;
    const int none = test_maps_count_shared();
    test_context("equal requests");
    use(f, MPI_COMM_WORLD, NULL, NULL, NULL);
    EXPECT_EQUAL(get_kept(), 0);
    EXPECT_EQUAL(test_maps_count_shared(), none);
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    const ptrdiff_t one = get_kept();
    const int mapped = test_maps_count_shared();
    EXPECT(one > 0);
    EXPECT_SAME(one);
    EXPECT(mapped > none || test_nranks == 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 3; i++)
        use(f, i == 1 ? copy : MPI_COMM_WORLD, room, NULL, NULL);
    EXPECT_EQUAL(get_kept(), one);
    EXPECT_EQUAL(test_maps_count_shared(), mapped);
    subx_fft_plan first = create(f, copy, room, NULL, NULL);
    MPI_Comm_free(&copy);
    EXPECT_EQUAL(get_kept(), 0);
    subx_fft_plan second = create(f, MPI_COMM_WORLD, room, NULL, NULL);
    EXPECT(first != second);
    execute(f, first);
    execute(f, second);
    EXPECT_OK(subx_fft_plan_free(&first));
    EXPECT_OK(subx_fft_plan_free(&second));
    EXPECT_EQUAL(get_kept(), 2 * one);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    EXPECT_EQUAL(get_kept(), 0);
    EXPECT_EQUAL(test_maps_count_shared(), none);
}

/* If a kept plan is used again, its times begin at 0. */
static void check_times(const test_field *f)
{
    int nstages = 0;
    test_context("times");
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    subx_fft_plan plan = create(f, MPI_COMM_WORLD, room, NULL, NULL);
    EXPECT_OK(subx_fft_plan_get_nstages(plan, SUBX_FFT_FORWARD, &nstages));
    for (int i = 0; i < nstages; i++) {
        double last = -1, total = -1;
        EXPECT_OK(subx_fft_plan_get_stage(plan, SUBX_FFT_FORWARD, i, NULL, NULL, &last, &total));
        EXPECT(last == 0 && total == 0);
    }
    EXPECT_OK(subx_fft_plan_free(&plan));
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
}

/* A request is not equal if the problem, a hint, the value of subx_keep or an environment variable
 * differs. */
static void check_other(const test_field *f, const test_field *other)
{
    test_context("other requests");
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    ptrdiff_t last = get_kept();
    use(other, MPI_COMM_WORLD, room, NULL, NULL);
    EXPECT(get_kept() > last);
    last = get_kept();
    use(f, MPI_COMM_WORLD, room, "subx_output_order", "transposed");
    EXPECT(get_kept() > last);
    last = get_kept();
    use(f, MPI_COMM_WORLD, "100000001", NULL, NULL);
    EXPECT(get_kept() > last);
    last = get_kept();
    setenv("SUBX_TUNE", "slices 2", 1);
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    unsetenv("SUBX_TUNE");
    EXPECT(get_kept() > last);
    last = get_kept();
    use(other, MPI_COMM_WORLD, room, NULL, NULL);
    use(f, MPI_COMM_WORLD, room, "subx_output_order", "transposed");
    EXPECT_EQUAL(get_kept(), last);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    EXPECT_EQUAL(get_kept(), 0);
}

/* A plan that needs more bytes than subx_keep allows is not kept. If several plans together need more, the
 * oldest are freed. */
static void check_room(const test_field *f, const test_field *other)
{
    char both[32], less[32];
    test_context("room");
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    const ptrdiff_t first = get_kept();
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    use(other, MPI_COMM_WORLD, room, NULL, NULL);
    const ptrdiff_t second = get_kept();
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    (void)snprintf(both, sizeof both, "%td", first + second);
    (void)snprintf(less, sizeof less, "%td", first - 1);
    use(f, MPI_COMM_WORLD, less, NULL, NULL);
    EXPECT_EQUAL(get_kept(), 0);
    use(f, MPI_COMM_WORLD, both, NULL, NULL);
    use(other, MPI_COMM_WORLD, both, NULL, NULL);
    EXPECT_EQUAL(get_kept(), first + second);
    use(other, MPI_COMM_WORLD, both, "subx_output_order", "transposed");
    EXPECT(get_kept() <= first + second);
    const int mapped = test_maps_count_shared();
    use(f, MPI_COMM_WORLD, both, NULL, NULL);
    EXPECT(get_kept() <= first + second);
    EXPECT(test_maps_count_shared() <= mapped + 8);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    EXPECT_EQUAL(get_kept(), 0);
}

/* Each group of ranks has its own plans. The same ranks in another order are another group. Groups free and
 * create plans independently of each other. */
static void check_groups(const test_field *f)
{
    MPI_Comm some, reversed;
    test_context("groups");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank % 2, 0, &some);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &reversed);
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    const ptrdiff_t one = get_kept();
    use(f, reversed, room, NULL, NULL);
    EXPECT(get_kept() > one || test_nranks == 1);
    const ptrdiff_t two = get_kept();
    for (int i = 0; i <= 2 * (test_rank % 2); i++)
        use(f, some, room, NULL, NULL);
    EXPECT(get_kept() > two || test_nranks == 1);
    const ptrdiff_t three = get_kept();
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    use(f, reversed, room, NULL, NULL);
    EXPECT_EQUAL(get_kept(), three);
    if (test_rank % 2)
        EXPECT_OK(subx_fft_free_kept(some));
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    use(f, some, room, NULL, NULL);
    EXPECT_OK(subx_fft_free_kept(some));
    EXPECT_OK(subx_fft_free_kept(reversed));
    EXPECT_EQUAL(get_kept(), 0);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&some);
}

/* Ranks ask for different plans, each of which is kept. All ranks get an error, and the plans are still
 * kept. */
static void check_different(const test_field *f, const test_field *other)
{
    subx_fft_plan plan = SUBX_FFT_PLAN_NULL;
    const test_choices c = {.more = {{"subx_keep", room}}};
    test_context("different requests");
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    use(other, MPI_COMM_WORLD, room, NULL, NULL);
    const ptrdiff_t last = get_kept();
    if (test_nranks > 1)
        EXPECT_KIND(test_field_plan(test_rank ? f : other, &c, MPI_COMM_WORLD, &plan), SUBX_ERR_DIFFERS);
    EXPECT(plan == SUBX_FFT_PLAN_NULL);
    EXPECT_EQUAL(get_kept(), last);
    const test_choices wrong = {.more = {{"subx_keep", test_rank == test_nranks - 1 ? "some" : room}}};
    EXPECT_KIND(test_field_plan(f, &wrong, MPI_COMM_WORLD, &plan), SUBX_ERR_HINT);
    EXPECT_KIND(
        subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, 3, test_rank ? sizes : NULL, MPI_INFO_NULL, &plan),
        SUBX_ERR_ARG);
    use(f, MPI_COMM_WORLD, room, NULL, NULL);
    use(other, MPI_COMM_WORLD, room, NULL, NULL);
    EXPECT_EQUAL(get_kept(), last);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
}

/* An allocation for a new plan (not for its problem) fails on one rank. Then all ranks free the plans that
 * are kept, and the plan is created. */
static void check_memory(const test_field *f, const test_field *other)
{
    enum { FIRST = 5, PLACES = 200, STEP = 7 };
    int gave = 0;
    test_context("memory");
    for (long n = FIRST; n < PLACES; n += STEP) {
        use(other, MPI_COMM_WORLD, room, NULL, NULL);
        if (test_rank == test_nranks - 1)
            sx_base_fail_after(n);
        subx_fft_plan plan = create(f, MPI_COMM_WORLD, room, NULL, NULL);
        (void)sx_base_fail_after(-1);
        EXPECT_SAME(get_kept());
        gave += get_kept() == 0;
        execute(f, plan);
        EXPECT_OK(subx_fft_plan_free(&plan));
        EXPECT_OK(subx_fft_free_kept(MPI_COMM_WORLD));
    }
    EXPECT(gave > 0);
}

static void check_arguments(void)
{
    EXPECT_KIND(subx_fft_free_kept(MPI_COMM_NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_fft_query_kept(NULL), SUBX_ERR_ARG);
    EXPECT_OK(subx_fft_free_kept(MPI_COMM_SELF));
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF, the newest first: the library's, then this one. */
static int expect_none(MPI_Comm self, int key, void *value, void *extra)
{
    (void)key, (void)value, (void)extra;
    if (get_kept() != 0) {
        printf("rank %d: MPI_Finalize has not freed a plan that is kept\n", test_rank);
        MPI_Abort(self, 1);
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static const ptrdiff_t others[] = {12, 9, 4};
    int keyval;
    test_begin(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, expect_none, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    test_field f = test_field_create(SUBX_FFT_C2C, 3, sizes, test_seed());
    test_field other = test_field_create(SUBX_FFT_R2C, 3, others, test_seed() + 1);
    check_arguments();
    check_equal(&f);
    check_times(&f);
    check_other(&f, &other);
    check_room(&f, &other);
    check_groups(&f);
    check_different(&f, &other);
    check_memory(&f, &other);
    use(&f, MPI_COMM_WORLD, room, NULL, NULL); /* MPI_Finalize must free the plan that is kept */
    test_field_free(&other);
    test_field_free(&f);
    return test_end();
}
