/* hints.c - the hints of pipes and of exchanges. */
#include "pipe/pipe.h"
#include <string.h>

static const char *const owners[] = {"engine", "caller", NULL};
static const char *const checks[] = {SX_WORD_CHECKS};
static const char *const carriers[] = {SX_WORD_CARRIERS};
static const char *const readers[] = {SX_WORD_READERS};
static const char *const wires[] = {"full", "float", NULL};

/* A word for each value, and NULL. */
SX_BASE_ASSERT(sizeof checks / sizeof *checks == SX_CHECK_NO + 2);
SX_BASE_ASSERT(sizeof carriers / sizeof *carriers == SX_CARRIER_STAGED + 2);
SX_BASE_ASSERT(sizeof readers / sizeof *readers == SX_READER_COPIES + 2);

const sx_carrier *sx_pipe_get_carrier(const char *name)
{
    for (int i = 0; sx_pipe_carriers[i]; i++)
        if (strcmp(sx_pipe_carriers[i]->name, name) == 0)
            return sx_pipe_carriers[i];
    return NULL;
}

static int query_carrier(int i, const char **name)
{
    int n = 0;
    while (sx_pipe_carriers[n])
        n++;
    *name = i < n ? sx_pipe_carriers[i]->name : NULL;
    return MPI_SUCCESS;
}

/* The row of subx_engine has no list of right names: sx_pipe_hints_parse gets the list from its caller. */
#define AT(field) .offset = offsetof(sx_pipe_hints, field)
static const sx_hint table[] = {
    {"subx_engine", SX_HINT_TEXT, AT(engine), .text = "auto"},
    {"between", SX_HINT_TEXT, AT(between), .text = "auto", .query = query_carrier},
    {SX_WORD_SLICES, .type = SX_HINT_INT, AT(slices)},
    {SX_WORD_WINDOW, .type = SX_HINT_INT, AT(window), .otherwise = 4},
    {SX_WORD_RADIX, .type = SX_HINT_INT, AT(radix), .otherwise = 4},
    {SX_WORD_NODE_RANKS, .type = SX_HINT_INT, AT(node_ranks)},
    {"subx_threads", SX_HINT_THREADS, AT(threads), .otherwise = 1, .least = 1, .most = INT_MAX},
    {"check", SX_HINT_WORD, AT(check), .words = checks},
    {"device_carrier", SX_HINT_WORD, AT(device_carrier), .words = carriers},
    {"device_reader", SX_HINT_WORD, AT(device_reader), .words = readers},
    {"subx_wire", SX_HINT_WORD, AT(is_narrow), .words = wires, .is_of_program = 1},
    {"subx_work", SX_HINT_WORD, AT(callers_work), .words = owners, .is_of_program = 1},
};
enum { HINTS = sizeof table / sizeof table[0] };

int sx_pipe_hints_parse(MPI_Info info, sx_words query, sx_pipe_hints *hints)
{
    sx_hint engine = table[0];
    engine.query = query;
    int rc = sx_base_hints_parse(&engine, 1, info, hints);
    return rc ? rc : sx_base_hints_parse(table + 1, HINTS - 1, info, hints);
}

void sx_pipe_hints_print(const sx_pipe_hints *hints, sx_text *t)
{
    sx_base_hints_print(table, HINTS, hints, t);
}

int sx_pipe_hints_export(const sx_pipe_hints *hints, MPI_Info info)
{
    return sx_base_hints_export(table, HINTS, hints, info);
}
