/* candidates.c - the candidates to be timed: references, and an exchange by each engine that supports it. */
#include "common/perf.h"

#include <string.h>

static int execute(void *call)
{
    const struct sx_perf_call *c = call;
    return subx_exch_execute(c->ex, c->in, c->out);
}

void sx_perf_candidates_add(struct sx_perf_candidates *c, const char *name, int (*run)(void *), void *context,
                            int alone)
{
    c->name[c->n] = name;
    c->engine[c->n] = -1;
    c->cases[c->n++] = (struct sx_perf_case){.run = run, .context = context, .inner = 1, .alone = alone};
}

int sx_perf_candidates_add_exch(struct sx_perf_candidates *c, int code, const char *name, int engine,
                                const struct sx_perf_call *call, int (*is_right)(void *), void *context)
{
    int i = c->n;
    if (code != MPI_SUCCESS && subx_error_get_kind(code) == SUBX_ERR_UNAVAILABLE)
        return 1;
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no exchange by engine %s", name);
    c->call[i] = *call;
    code = execute(&c->call[i]);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "engine %s", name);
    if (!is_right(context)) {
        subx_exch_free(&c->call[i].ex);
        return 0;
    }
    sx_perf_candidates_add(c, name, execute, &c->call[i], 0);
    c->engine[i] = engine;
    return 1;
}

int sx_perf_candidates_get_best(const struct sx_perf_candidates *c)
{
    int best = -1;
    for (int i = 0; i < c->n; i++)
        if (c->engine[i] >= 0 && (best < 0 || c->cases[i].median < c->cases[best].median))
            best = i;
    return best;
}

void sx_perf_candidates_print_mark(const struct sx_perf_candidates *c, int i, size_t len, char *text)
{
    const char *chosen = "";
    if (c->engine[i] >= 0 && strcmp(c->name[i], "auto") == 0)
        subx_exch_get(c->call[i].ex, &chosen, NULL, NULL, NULL);
    snprintf(text, len, "%s%s%s", i == sx_perf_candidates_get_best(c) ? "<- best" : "",
             *chosen ? " chose " : "", chosen);
}

void sx_perf_candidates_free(struct sx_perf_candidates *c)
{
    for (int i = 0; i < c->n; i++)
        if (c->engine[i] >= 0)
            subx_exch_free(&c->call[i].ex);
    c->n = 0;
}
