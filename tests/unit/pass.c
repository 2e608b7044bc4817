/* pass.c - passes against a transform of the whole array, with any regions, strides, tiles, ranges and
 * threads; failures of allocations. */
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

static void check_random(uint64_t stream, int kind, int direction)
{
    test_random r = test_random_stream(test_random_seed(), stream);
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, kind, direction, k, &s);
        check(&s, &r, k, 0);
    }
}

START_TEST(complex_forward)
{
    check_random(1, SUBX_FFT_C2C, SUBX_FFT_FORWARD);
}
END_TEST

START_TEST(complex_backward)
{
    check_random(2, SUBX_FFT_C2C, SUBX_FFT_BACKWARD);
}
END_TEST

START_TEST(real_to_complex)
{
    check_random(3, SUBX_FFT_R2C, SUBX_FFT_FORWARD);
}
END_TEST

START_TEST(complex_to_real)
{
    check_random(4, SUBX_FFT_C2R, SUBX_FFT_BACKWARD);
}
END_TEST

/* If both sides are the same array, a tile is scattered to where it was gathered from. */
START_TEST(in_place)
{
    test_random r = test_random_stream(test_random_seed(), 5);
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, SUBX_FFT_C2C, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD, k, &s);
        s.cut[SX_TO] = s.cut[SX_FROM];
        memcpy(s.region[SX_TO], s.region[SX_FROM], sizeof s.region[SX_FROM]);
        s.p.side[SX_TO].nregions = s.p.side[SX_FROM].nregions;
        check(&s, &r, k, 1);
    }
}
END_TEST

/* An execution leaves no state in a pass, and may use other addresses than the one before. */
START_TEST(a_pass_serves_many_executions)
{
    test_random r = test_random_stream(test_random_seed(), 6);
    test_scene s;
    test_scene_make(&r, SUBX_FFT_R2C, SUBX_FFT_FORWARD, 0, &s);
    sx_pass pass = test_scene_create(&s);
    for (int k = 0; k < 5; k++) {
        test_scene_begin(&s, &r, 0);
        test_scene_execute_all(&s, pass, k);
        test_scene_end(&s, k);
    }
    sx_pass_free(&pass);
}
END_TEST

static double *copy_doubles(const double *from, ptrdiff_t n)
{
    double *array = sx_base_alloc(n, sizeof *array);
    ck_assert_ptr_nonnull(array);
    return memcpy(array, from, (size_t)n * sizeof *array);
}

/* Results do not depend on the number of threads, to the last bit. */
START_TEST(threads_give_the_same_bytes)
{
    test_random r = test_random_stream(test_random_seed(), 7);
    for (int k = 0; k < CASES / 5; k++) {
        test_scene s;
        test_scene_make(&r, k % 2 ? SUBX_FFT_R2C : SUBX_FFT_C2C, SUBX_FFT_FORWARD, 0, &s);
        double *kept[TEST_PLACES];
        if (!s.p.serial->is_reentrant)
            return;
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
END_TEST

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
        ck_assert(rc == MPI_SUCCESS || subx_error_query(rc) == SUBX_ERR_NO_MEM);
        ck_assert_int_eq(pass != NULL, rc == MPI_SUCCESS);
        sx_pass_free(&pass);
        failures += rc != MPI_SUCCESS;
    } while (rc != MPI_SUCCESS && failures < FAILURES_MAX);
    ck_assert_int_ge(failures, least);
    ck_assert_int_lt(failures, FAILURES_MAX);
}

START_TEST(a_failed_allocation_fails_the_creation)
{
    static const int kinds[] = {SUBX_FFT_C2C, SUBX_FFT_R2C, SUBX_FFT_C2R};
    test_random r = test_random_stream(test_random_seed(), 8);
    for (int k = 0; k < 12; k++) {
        const int kind = kinds[k % 3];
        test_scene s;
        test_scene_make(&r, kind, kind == SUBX_FFT_C2R ? SUBX_FFT_BACKWARD : SUBX_FFT_FORWARD, k, &s);
        check_failures(&s, 8);
    }
}
END_TEST

START_TEST(no_pass_has_no_memory)
{
    sx_pass pass = NULL;
    ck_assert_int_eq(sx_pass_get_bytes(pass), 0);
    sx_pass_free(&pass);
    ck_assert_ptr_null(pass);
}
END_TEST

static void add(TCase *tests)
{
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, complex_forward);
    tcase_add_test(tests, complex_backward);
    tcase_add_test(tests, real_to_complex);
    tcase_add_test(tests, complex_to_real);
    tcase_add_test(tests, in_place);
    tcase_add_test(tests, a_pass_serves_many_executions);
    tcase_add_test(tests, threads_give_the_same_bytes);
    tcase_add_test(tests, a_failed_allocation_fails_the_creation);
    tcase_add_test(tests, no_pass_has_no_memory);
}

int main(void)
{
    return test_unit_run_mpi("pass", add);
}
