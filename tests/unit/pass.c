/* pass.c - passes against a transform of the whole array, with random regions, strides, tiles, ranges and threads;
 * allocations that fail. */
#include "unit/scene.h"
#include "common/unit.h"
#include <math.h>
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

/* Cut a random region of a side into two regions, which stay where they are in memory. The regions then no longer form a
 * grid. */
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

/* Merging axes must not change which elements a pass reads and writes. The pass is created from the merged scene, and
 * works on the memory of the original scene, which also has the expected results. */
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

/* ---- arrays beyond the nearest caches */

/* Planes of complex doubles; pencils are along the rows, or along both axes of a plane. Rows have `apart` elements, more
 * than `n` if there are gaps. */
typedef struct planes {
    ptrdiff_t count, rows, n, apart;
    int naxes;
    sx_pass pass;
} planes;

static ptrdiff_t get_elements(const planes *s)
{
    return s->count * s->rows * s->apart;
}

static void create_planes(planes *s, int in_place)
{
    ptrdiff_t start[2][3] = {{0}}, len[] = {s->count, s->rows, s->n},
              stride[] = {s->rows * s->apart, s->apart, 1};
    sx_region region[2];
    sx_pass_problem p = {
        .precision = SUBX_FFT_DOUBLE,
        .direction = SUBX_FFT_FORWARD,
        .ndims = 3,
        .order = {2, 1, 0},
        .naxes = s->naxes,
        .axis = {{2, SUBX_FFT_C2C, s->n, s->n, s->n}, {1, SUBX_FFT_C2C, s->rows, s->rows, s->rows}},
        .width = s->naxes == 1 ? 24 : 3,
        .interleaved = 1,
        .is_in_place = in_place,
        .threads = 1,
        .volume = 1,
        .serial = test_scene_get_backend(0)};
    if (s->naxes == 1)
        p.axis[0] = p.axis[1];
    for (int side = 0; side < 2; side++) {
        region[side] = (sx_region){.start = start[side], .len = len, .stride = stride};
        p.side[side] = (sx_pass_side){.width = 2, .nregions = 1, .region = &region[side]};
        memcpy(p.side[side].len, len, sizeof len);
    }
    ck_assert_ok(sx_pass_create(&p, &s->pass));
}

/* The transform of a pencil or a plane has one element that is not zero. Set at[] to the frequencies of this element. */
static void get_peak(const planes *s, ptrdiff_t plane, ptrdiff_t column, ptrdiff_t at[])
{
    at[0] = (5 * plane + 3 * column + 1) % s->rows;
    at[1] = s->naxes == 2 ? (7 * plane + 2) % s->n : column;
}

static ptrdiff_t get_place(const planes *s, ptrdiff_t plane, ptrdiff_t row, ptrdiff_t column)
{
    return (plane * s->rows + row) * s->apart + column;
}

static void fill_planes(const planes *s, double _Complex u[])
{
    const double turn = 2 * acos(-1.0);
    for (ptrdiff_t i = 0; i < get_elements(s); i++)
        u[i] = -9;
    for (ptrdiff_t a = 0; a < s->count; a++)
        for (ptrdiff_t j = 0; j < s->rows; j++)
            for (ptrdiff_t k = 0; k < s->n; k++) {
                ptrdiff_t at[2];
                get_peak(s, a, s->naxes == 2 ? 0 : k, at);
                const double x = (double)(j * at[0] % s->rows) / (double)s->rows,
                             y = s->naxes == 2 ? (double)(k * at[1] % s->n) / (double)s->n : 0;
                u[get_place(s, a, j, k)] = cexp(turn * (x + y) * I);
            }
}

static void check_planes(const planes *s, const double _Complex v[])
{
    const double peak = (double)(s->naxes == 2 ? s->rows * s->n : s->rows);
    for (ptrdiff_t a = 0; a < s->count; a++)
        for (ptrdiff_t j = 0; j < s->rows; j++)
            for (ptrdiff_t k = 0; k < s->apart; k++) {
                ptrdiff_t at[2];
                get_peak(s, a, s->naxes == 2 ? 0 : k, at);
                const double right = k >= s->n ? -9 : j == at[0] && k == at[1] ? peak : 0;
                ck_assert_double_le(cabs(v[get_place(s, a, j, k)] - right), 1e-12 * peak);
            }
}

/* Check the results and, out of place, that the input stays as it was. `writes`: 1 if the kernel must write the array
 * itself, 0 if it must leave the results in the buffer, -1 if it may do either. */
static void check_far(planes s, int in_place, int writes)
{
    const size_t bytes = (size_t)get_elements(&s) * sizeof(double _Complex);
    double _Complex *u = sx_base_alloc(get_elements(&s), sizeof *u),
                    *kept = sx_base_alloc(get_elements(&s), sizeof *u);
    double _Complex *v = in_place ? u : sx_base_alloc(get_elements(&s), sizeof *v);
    create_planes(&s, in_place);
    const sx_step *last = &s.pass->step[s.pass->nsteps - 1];
    if (writes >= 0 && last->simd && sx_simd_get_row_bytes(SUBX_FFT_DOUBLE, SUBX_FFT_C2C) == SX_ALIGNMENT)
        ck_assert_int_eq(last->to == SX_REGIONS, writes);
    for (ptrdiff_t i = 0; i < get_elements(&s) && !in_place; i++)
        v[i] = -9;
    fill_planes(&s, u);
    memcpy(kept, u, bytes);
    sx_pass_execute(s.pass, (sx_range){.axis = -1}, (const void *const[]){u}, (void *const[]){v}, NULL, NULL);
    check_planes(&s, v);
    if (!in_place) {
        ck_assert_mem_eq(u, kept, bytes);
        sx_base_free(v);
    }
    sx_base_free(kept);
    sx_base_free(u);
    sx_pass_free(&s.pass);
}

/* Rows that are 16 KiB, 2 KiB or 1.5 KiB apart share few cache sets. A kernel must leave such rows to copies. If there
 * are fewer rows, or at other distances, the kernel must write them itself. */
TEST(rows_that_collide)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        check_far((planes){1, 128, 1024, 1024, 1, NULL}, in_place, 0);
        check_far((planes){5, 128, 128, 128, 2, NULL}, in_place, 0);
        check_far((planes){12, 80, 96, 96, 2, NULL}, in_place, 0);
        check_far((planes){16, 60, 96, 96, 2, NULL}, in_place, 1);
        check_far((planes){1, 128, 1024, 1028, 1, NULL}, in_place, 1);
        check_far((planes){5, 128, 120, 132, 2, NULL}, in_place, 1);
    }
}

/* If a tile is large, its kernel prefetches the lines. A call transforms 64 lines, or up to 71 if no more are left. So the tested
 * numbers of lines need two or three calls, and the last call may leave registers that are not full. */
TEST(lines_that_are_far)
{
    for (ptrdiff_t rows = 127; rows <= 145; rows++) {
        planes s = {5, rows, 128, 132, 2, NULL};
        create_planes(&s, 0);
        ck_assert(!s.pass->step[0].simd || s.pass->step[0].is_far == !s.pass->prefetches);
        sx_pass_free(&s.pass);
        check_far(s, 0, -1);
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

/* HC2R is unavailable unless all points and modes exist: the lowest modes of a half-complex array are not its first
 * elements, because all imaginary parts are at the end of the array. */
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
