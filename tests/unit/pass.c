/* pass.c - passes against a transform of the whole array, with random regions, strides, tiles, ranges and
 * threads; allocations that fail. */
#include "unit/scene.h"
#include "common/unit.h"
#include <string.h>

enum { CASES = 250 };

static void check(test_scene *s, test_random *r, int k, int in_place)
{
    sx_pass pass = test_scene_create(s);
    test_scene_begin(s, r, in_place);
    test_scene_execute_all(s, pass, k);
    test_scene_end(s, k);
    sx_pass_free(&pass);
    ck_assert_ptr_null(pass);
}

static void check_random(uint64_t stream, int features)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, features, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k / 2, &s);
        check(&s, &r, k, 0);
    }
}

/* Check cases with random combinations of the features. */
static void check_any(uint64_t stream)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    for (int k = 0; k < CASES; k++) {
        const int some = test_random_int(&r, 0, 2 * TEST_PRECISION - 1);
        test_scene s;
        test_scene_make(&r, some, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k / 2, &s);
        check(&s, &r, k, 0);
    }
}

TEST(complex_axes)
{
    check_random(1, 0);
}

TEST(a_halved_axis)
{
    check_random(2, TEST_HALF);
}

TEST(real_axes)
{
    check_random(3, TEST_REAL);
    check_random(4, TEST_REAL | TEST_HALF);
}

TEST(points_and_modes)
{
    check_random(12, TEST_GAPS);
    check_random(13, TEST_GAPS | TEST_HALF);
    check_random(14, TEST_GAPS | TEST_REAL);
}

TEST(orthonormal_axes)
{
    check_random(15, TEST_REAL | TEST_ENDS);
    check_random(16, TEST_REAL | TEST_ENDS | TEST_GAPS | TEST_HALF);
}

TEST(operations)
{
    check_random(17, TEST_OPERATION);
    check_random(18, TEST_OPERATION | TEST_GAPS);
    check_random(19, TEST_OPERATION | TEST_GAPS | TEST_HALF);
}

TEST(round_passes)
{
    check_random(20, TEST_ROUND | TEST_OPERATION);
    check_random(21, TEST_ROUND | TEST_OPERATION | TEST_GAPS | TEST_HALF);
}

TEST(orders_of_storage)
{
    check_random(22, TEST_ORDER);
    check_random(23, TEST_ORDER | TEST_OPERATION | TEST_GAPS);
}

TEST(precisions)
{
    check_random(24, TEST_PRECISION | TEST_HALF | TEST_GAPS);
    check_random(25, TEST_PRECISION | TEST_REAL | TEST_ENDS);
}

TEST(anything)
{
    check_any(26);
}

/* Both sides are the same array: a tile is scattered to the memory from which it was gathered. */
TEST(in_place)
{
    test_random r = test_random_stream(test_random_seed(), 5);
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, 0, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k, &s);
        s.cut[SX_TO] = s.cut[SX_FROM];
        for (int i = 0; i < s.p.side[SX_FROM].nregions; i++)
            sx_pass_region_set(&s.region[SX_TO][i], &s.region[SX_FROM][i], s.p.ndims);
        s.p.side[SX_TO].nregions = s.p.side[SX_FROM].nregions;
        check(&s, &r, k, 1);
    }
}

/* Cut a random region of a side into two regions, which stay where they are in memory. The regions then no
 * longer form a grid. */
static void split_region(test_scene *s, test_random *r, int side)
{
    sx_pass_side *t = &s->p.side[side];
    const int a = test_random_int(r, 0, s->p.ndims - 1);
    sx_region *region = &t->region[test_random_int(r, 0, t->nregions - 1)], *rest = &t->region[t->nregions];
    if (region->len[a] < 2 || t->nregions == TEST_REGIONS)
        return;
    const ptrdiff_t len = test_random_int(r, 1, (int)region->len[a] - 1);
    sx_pass_region_set(rest, region, s->p.ndims);
    rest->start[a] += len;
    rest->len[a] -= len;
    rest->offset += len * region->stride[a] * t->width * sx_serial_get_real_bytes(s->p.precision);
    region->len[a] = len;
    t->nregions++;
}

TEST(regions_of_no_grid)
{
    test_random r = test_random_stream(test_random_seed(), 28);
    for (int k = 0; k < 2 * CASES; k++) {
        test_scene s;
        test_scene_make(&r, k % 3 ? TEST_HALF : 0, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k / 2, &s);
        for (int i = 0; i < 8; i++)
            split_region(&s, &r, i / 4);
        sx_pass pass = test_scene_create(&s);
        test_scene_begin(&s, &r, 0);
        test_scene_execute(&s, pass, (sx_range){.axis = -1}, 0);
        test_scene_end(&s, k);
        sx_pass_free(&pass);
    }
}

/* Store all regions in C order without gaps. */
static void make_compact(test_scene *s)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < s->p.side[side].nregions; i++) {
            sx_region *region = &s->region[side][i];
            ptrdiff_t stride = 1;
            for (int a = s->p.ndims - 1; a >= 0; a--) {
                region->stride[a] = stride;
                stride *= region->len[a];
            }
        }
}

/* Merging axes must not change which elements a pass reads and writes. The pass is created from the merged
 * scene, and works on the memory of the original scene, which also has the expected results. */
TEST(merged_axes)
{
    test_random r = test_random_stream(test_random_seed(), 27);
    int nmerged = 0;
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, k % 3 ? TEST_HALF : 0, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k / 2, &s);
        make_compact(&s);
        test_scene merged = s;
        test_scene_bind(&merged);
        merged.p.width = 1 + k % 7;
        merged.p.is_cut[k % TEST_DIMS] = k % 5 == 0;
        sx_pass_merge(&merged.p);
        for (int axis = 0; axis < s.p.ndims; axis++) {
            ck_assert(!(merged.p.is_merged[axis] && merged.p.is_cut[axis]));
            nmerged += merged.p.is_merged[axis];
        }
        sx_pass pass = test_scene_create(&merged);
        test_scene_begin(&s, &r, 0);
        test_scene_execute(&s, pass, (sx_range){.axis = -1}, k % 4);
        test_scene_end(&s, k);
        sx_pass_free(&pass);
    }
    ck_assert_int_gt(nmerged, 10);
}

/* An execution must leave no state in the pass. Each execution has other addresses. */
TEST(a_pass_serves_many_executions)
{
    test_random r = test_random_stream(test_random_seed(), 6);
    test_scene s;
    test_scene_make(&r, TEST_HALF, SUBX_FFT_FORWARD, 0, &s);
    sx_pass pass = test_scene_create(&s);
    for (int k = 0; k < 5; k++) {
        test_scene_begin(&s, &r, 0);
        test_scene_execute_all(&s, pass, k);
        test_scene_end(&s, k);
    }
    sx_pass_free(&pass);
}

static char *copy_doubles(const char *from, ptrdiff_t n)
{
    char *array = sx_base_alloc(n, sizeof(double));
    ck_assert_ptr_nonnull(array);
    return memcpy(array, from, (size_t)n * sizeof(double));
}

/* The results must be equal to the last bit for any number of threads. */
TEST(threads_give_the_same_bytes)
{
    test_random r = test_random_stream(test_random_seed(), 7);
    for (int k = 0; k < CASES / 5; k++) {
        test_scene s;
        test_scene_make(&r, k % 2 ? TEST_HALF | TEST_GAPS : 0, SUBX_FFT_FORWARD, 0, &s);
        char *kept[TEST_PLACES];
        test_scene_begin(&s, &r, 0);
        for (int threads = 1; threads <= 3; threads += 2) {
            s.p.threads = threads;
            sx_pass pass = test_scene_create(&s);
            test_scene_execute_all(&s, pass, k);
            sx_pass_free(&pass);
            for (int i = 0; i < TEST_PLACES; i++) {
                if (threads == 1)
                    kept[i] = copy_doubles(s.place[SX_TO][i], TEST_ROOM);
                else
                    ck_assert_mem_eq(kept[i], s.place[SX_TO][i], TEST_ROOM * sizeof(double));
            }
            if (threads == 1)
                test_scene_fill_places(&s, SX_TO);
        }
        for (int i = 0; i < TEST_PLACES; i++)
            sx_base_free(kept[i]);
        test_scene_end(&s, k);
    }
}

/* ---- allocations fail */

static void check_failures(const test_scene *s, int least)
{
    enum { FAILURES_MAX = 2000 };
    int failures = 0, rc;
    do {
        sx_pass pass = (sx_pass)&pass;
        sx_base_fail_after(failures);
        rc = sx_pass_create(&s->p, &pass);
        sx_base_fail_after(-1);
        ck_assert(rc == MPI_SUCCESS || subx_error_get_kind(rc) == SUBX_ERR_NO_MEM);
        ck_assert_int_eq(pass != NULL, rc == MPI_SUCCESS);
        sx_pass_free(&pass);
        failures += rc != MPI_SUCCESS;
    } while (rc != MPI_SUCCESS && failures < FAILURES_MAX);
    ck_assert_int_ge(failures, least);
    ck_assert_int_lt(failures, FAILURES_MAX);
}

TEST(a_failed_allocation_fails_the_creation)
{
    static const int features[] = {0, TEST_HALF, TEST_GAPS | TEST_HALF | TEST_ORDER};
    test_random r = test_random_stream(test_random_seed(), 8);
    for (int k = 0; k < 12; k++) {
        test_scene s;
        test_scene_make(&r, features[k % 3], k / 3 % 2 ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD, k, &s);
        check_failures(&s, 8);
    }
}

/* HC2R is unavailable unless all points and modes exist: the lowest modes of a half-complex array are not its
 * first elements, because all imaginary parts are at the end of the array. */
TEST(some_problems_are_unavailable)
{
    test_random r = test_random_stream(test_random_seed(), 27);
    for (int k = 0; k < 2; k++) {
        test_scene s;
        sx_pass pass = (sx_pass)&pass;
        test_scene_make(&r, 0, SUBX_FFT_FORWARD, k, &s);
        s.p.axis[0].kind = SUBX_FFT_HC2R;
        s.p.axis[0].points -= k;
        s.p.axis[0].modes -= !k;
        ck_assert_kind(sx_pass_create(&s.p, &pass), SUBX_ERR_UNAVAILABLE);
        ck_assert_ptr_null(pass);
    }
}

TEST(no_pass_has_no_memory)
{
    sx_pass pass = NULL;
    ck_assert_int_eq(sx_pass_get_bytes(pass), 0);
    sx_pass_free(&pass);
    ck_assert_ptr_null(pass);
}

int main(void)
{
    return test_unit_run_mpi("pass");
}
