/* pieces.c - messages in several pieces, as they are beyond 1 GiB, give what MPI_Alltoallw gives.
 * ranks: 2 3 4 */
#include "common/verdict.h"
#include "message/message.h"
#include <string.h>

enum { N0 = 5, N1 = 6, N2 = 7, ROOM = 3 * N1 * N2 };

/* What one engine makes of the same array, in two executions. */
static void realign(const char *engine, double out[ROOM])
{
    const ptrdiff_t sizes[] = {N0, N1, N2};
    const int order[] = {0, 2, 1};
    double in[ROOM];
    subx_exch ex = SUBX_EXCH_NULL;
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "subx_engine", engine);
    MPI_Info_set(hints, "subx_tile", "300");
    MPI_Info_set(hints, "subx_radix", "2");
    EXPECT_OK(subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 1, NULL, order, MPI_DOUBLE, hints, &ex));
    MPI_Info_free(&hints);
    for (int i = 0; i < ROOM; i++)
        in[i] = 1000 * test_rank + i;
    for (int execution = 0; execution < 2; execution++) {
        int done = 0;
        memset(out, 0, ROOM * sizeof *out);
        EXPECT_OK(subx_exch_start(ex, in, out));
        while (execution == 1 && !done)
            if (!EXPECT_OK(subx_exch_test(ex, &done)))
                break;
        EXPECT_OK(subx_exch_wait(ex));
    }
    EXPECT_OK(subx_exch_free(&ex));
}

static void check(const char *engine, ptrdiff_t piece)
{
    double expected[ROOM], got[ROOM];
    test_context("%s, pieces of %td", engine, piece);
    sx_message_set_piece(0);
    realign("alltoallw", expected);
    sx_message_set_piece(piece);
    realign(engine, got);
    EXPECT(memcmp(got, expected, sizeof got) == 0);
}

int main(int argc, char **argv)
{
    static const char *const engines[] = {"pairwise", "kway", "pipeline", "types"};
    test_begin(&argc, &argv);
    for (int i = 0; i < 4; i++) {
        check(engines[i], 8);
        check(engines[i], 101);
    }
    return test_end();
}
