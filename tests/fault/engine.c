/* engine.c - an engine gives wrong data or an error on the last rank. The check at the creation of an
 * exchange must report this on all ranks.
 * ranks: 1 2 3 4 5 */
#include "common/hints.h"
#include "common/verdict.h"
#include "exch/exch.h"
#include <stdlib.h>
#include <string.h>

extern const sx_engine_functions sx_exch_alltoallw;

/* What the last rank's engine does wrong: it changes the last byte that it receives (1), or returns an error
 * (0). */
static int forgets;

static int start(subx_exch ex)
{
    int rc = sx_exch_alltoallw.start(ex);
    if (test_rank < test_nranks - 1)
        return rc;
    ex->recvbuf[ex->side[SX_TO].bytes - 1] ^= (char)forgets;
    return forgets ? rc : MPI_ERR_OTHER;
}

static subx_exch create_exchange(const char *check)
{
    const ptrdiff_t sizes[] = {7, 9};
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints = test_hints("engine=alltoallw check=%s", check);
    EXPECT_OK(subx_exch_create_realign(MPI_COMM_WORLD, 2, sizes, 0, 1, NULL, NULL, MPI_DOUBLE, hints, &ex));
    MPI_Info_free(&hints);
    return ex;
}

/* Create an exchange. Then repeat the check of its creation with a wrong engine in place of the right one:
 * the check must return `kind`. */
static void expect_check(const char *when, int forgetful, int kind)
{
    sx_engine_functions wrong = sx_exch_alltoallw;
    test_context("check %s, engine %s", when, forgetful ? "forgets" : "fails");
    subx_exch ex = create_exchange(when);
    if (ex == SUBX_EXCH_NULL)
        return;
    EXPECT_OK(sx_exch_check(ex));
    wrong.start = start;
    forgets = forgetful;
    ex->engine.functions = &wrong;
    EXPECT_KIND(sx_exch_check(ex), kind);
    ex->engine.functions = &sx_exch_alltoallw;
    EXPECT_OK(sx_exch_check(ex));
    EXPECT_OK(subx_exch_free(&ex));
}

CHECK(check_engines)
{
    for (int forgetful = 0; forgetful < 2; forgetful++) {
        expect_check("yes", forgetful, SUBX_ERR_UNAVAILABLE);
        expect_check("auto", forgetful, SUBX_ERR_UNAVAILABLE);
        expect_check("no", forgetful, SUBX_ERR_NONE);
    }
}
