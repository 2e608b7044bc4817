/* quirk.c - which engines the library avoids with which versions of MPI; the list of engines. */
#include "common/unit.h"
#include "exch/exch.h"

TEST(versions)
{
    static const struct {
        const char *engine, *library;
        int ntypes, avoided;
    } cases[] = {
        {"alltoallw", "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7", 513, SX_NEVER},
        {"alltoallw", "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7", 512, 0},
        {"alltoallw", "MPICH Version:\t4.0\n", 10000, SX_NEVER},
        {"alltoallw", "MPICH Version:\t4.0.4\n", 10000, 0},
        {"alltoallw", "MPICH Version:\t3.4.3\n", 10000, 0},
        {"alltoallv", "MPICH Version:\t4.0.2\n", 10000, 0},
        {"alltoallw", "Open MPI v4.0.2, package: Debian", 10000, 0},
        {"persistent", "Open MPI v5.0.6, package: Debian", 2, SX_RATHER_NOT},
        {"persistent", "Open MPI v4.1.4, package: Debian", 2, 0},
        {"persistent", "something else", 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why = NULL;
        ck_assert_msg(sx_exch_quirk_get(cases[i].engine, cases[i].library, cases[i].ntypes, &why) ==
                          cases[i].avoided,
                      "case %zu", i);
        ck_assert((why != NULL) == (cases[i].avoided != 0));
    }
}

/* In the list of engines of exchanges, the engines of pipes come first. All engines behind them work on
 * datatypes. An engine has a carrier unless it is local or works on datatypes. */
TEST(engines_are_known)
{
    const char *name, *of_pipes = "";
    int traits;
    for (int i = 0; !subx_exch_query_engine(i, &name) && name; i++) {
        ck_assert_ok(subx_exch_query_traits(name, &traits));
        if (of_pipes)
            ck_assert_ok(subx_pipe_query_engine(i, &of_pipes));
        ck_assert_msg(of_pipes ? strcmp(name, of_pipes) == 0 : (traits & SUBX_ENGINE_TYPES) != 0, "%s", name);
        ck_assert_int_eq(sx_pipe_get_carrier(name) != NULL,
                         !(traits & (SUBX_ENGINE_LOCAL | SUBX_ENGINE_TYPES)));
    }
    ck_assert_kind(subx_exch_query_traits("auto", &traits), SUBX_ERR_ARG);
    ck_assert_kind(subx_exch_query_traits("shm", NULL), SUBX_ERR_ARG);
}
