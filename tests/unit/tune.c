/* tune.c - of several candidates the one of the least cost is chosen. */
#include "common/unit.h"
#include "tune/tune.h"
#include <math.h>

static const char *const names[] = {"a", "b", "c", "d"};

/* Costs come in the order of the candidates. */
static double get_cost(void *context, int i)
{
    return ((const double *)context)[i];
}

static int choose(double costs[4], char *line, size_t room)
{
    sx_text report = {line, room, 0};
    return sx_tune_choose(4, names, get_cost, costs, &report);
}

START_TEST(the_least_cost_wins)
{
    char line[64];
    ck_assert_int_eq(choose((double[]){3, 1, 2, 1}, line, sizeof line), 1);
    ck_assert_str_eq(line, "a 3 s, b 1 s, c 2 s, d 1 s");
}
END_TEST

START_TEST(what_cannot_serve_is_left_out)
{
    char line[64];
    ck_assert_int_eq(choose((double[]){INFINITY, INFINITY, 2, 5}, line, sizeof line), 2);
    ck_assert_str_eq(line, "a -, b -, c 2 s, d 5 s");
    ck_assert_int_eq(choose((double[]){INFINITY, INFINITY, INFINITY, INFINITY}, line, sizeof line), -1);
}
END_TEST

/* ---- measuring */

static int calls, fails_at;

static int execute(void *context)
{
    (void)context;
    return ++calls == fails_at ? MPI_ERR_OTHER : MPI_SUCCESS;
}

START_TEST(calls_are_timed)
{
    double seconds = -1;
    calls = fails_at = 0;
    ck_assert_ok(sx_tune_measure(MPI_COMM_SELF, execute, NULL, &seconds));
    ck_assert(seconds >= 0 && isfinite(seconds) && calls > 2);
}
END_TEST

START_TEST(failures_are_told)
{
    double seconds;
    calls = 0;
    for (fails_at = 1; fails_at < 4; fails_at++) {
        calls = 0;
        ck_assert_int_ne(sx_tune_measure(MPI_COMM_SELF, execute, NULL, &seconds), MPI_SUCCESS);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, the_least_cost_wins);
    tcase_add_test(tests, what_cannot_serve_is_left_out);
    tcase_add_test(tests, calls_are_timed);
    tcase_add_test(tests, failures_are_told);
}

int main(void)
{
    return test_unit_run_mpi("tune", add);
}
