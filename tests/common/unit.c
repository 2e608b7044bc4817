/* unit.c - run a program's tests as a Check suite, with or without MPI. */
#include "common/unit.h"
#include "common/random.h"
#include <stdio.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

static test_unit *tests;

/* Sorts the tests by their order in the file, because constructors may run in any order. */
void test_unit_add(test_unit *test)
{
    test_unit **at = &tests;
    while (*at && (*at)->test.line < test->test.line)
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

int test_unit_run(const char *name)
{
    Suite *suite = suite_create(name);
    TCase *all = tcase_create(name);
    printf("seed %llu\n", (unsigned long long)test_random_seed());
    for (const test_unit *t = tests; t; t = t->next)
        tcase_add_loop_test(all, &t->test, t->first, t->end);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    return failed > 0 || run == 0;
}

/* The leak checker ignores memory that MPI allocates while it starts and stops: pointers to it may be in
 * modules that are unloaded again. All other memory is checked before MPI stops. */
static void start_mpi(void)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_disable();
#endif
    MPI_Init(NULL, NULL);
#ifdef __SANITIZE_ADDRESS__
    __lsan_enable();
#endif
}

static void stop_mpi(void)
{
#ifdef __SANITIZE_ADDRESS__
    __lsan_do_leak_check();
#endif
    MPI_Finalize();
}

int test_unit_run_mpi(const char *name)
{
    start_mpi();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int status = test_unit_run(name);
    stop_mpi();
    return status;
}
