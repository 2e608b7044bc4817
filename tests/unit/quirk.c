/* quirk.c - which MPIs an engine is not used with. */
#include "common/unit.h"
#include "exch/exch.h"

START_TEST(versions)
{
    static const struct {
        const char *engine, *library;
        int ntypes, known;
    } cases[] = {
        {"alltoallw", "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7", 513, 1},
        {"alltoallw", "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7", 512, 0},
        {"alltoallw", "MPICH Version:\t4.0\n", 10000, 1},
        {"alltoallw", "MPICH Version:\t4.0.4\n", 10000, 0},
        {"alltoallw", "MPICH Version:\t3.4.3\n", 10000, 0},
        {"alltoallv", "MPICH Version:\t4.0.2\n", 10000, 0},
        {"alltoallw", "Open MPI v4.0.2, package: Debian", 10000, 0},
        {"persistent", "Open MPI v5.0.6, package: Debian", 2, 1},
        {"persistent", "Open MPI v4.1.4, package: Debian", 2, 0},
        {"persistent", "something else", 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg((sx_exch_quirk_get(cases[i].engine, cases[i].library, cases[i].ntypes) != NULL) ==
                          cases[i].known,
                      "case %zu", i);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, versions);
}

int main(void)
{
    return test_unit_run("quirk", add);
}
