/* candidates.c - the candidates to be timed: references, and an exchange by each engine that supports it. */
#include "common/perf.h"

#include <string.h>

static int execute(void *call)
{
    const struct sx_perf_call *c = call;
    return subx_exch_execute(c->ex, c->in, c->out);
}

static ptrdiff_t get_bytes(const struct sx_perf_subject *s, int side)
{
    return sx_perf_pattern_get_volume(&s->side[side]) * s->element_bytes;
}

void sx_perf_candidates_add(struct sx_perf_candidates *c, const char *name, int (*run)(void *), void *context,
                            int alone)
{
    c->name[c->n] = name;
    c->engine[c->n] = -1;
    c->cases[c->n++] = (struct sx_perf_case){.run = run, .context = context, .inner = 1, .alone = alone};
}

/* Query whether the receive array has the right elements; if not, report it. */
static int is_right(const struct sx_perf_subject *s, const char *engine)
{
    char *out = s->host ? s->host : s->out;
    if (s->host)
        sx_perf_memory_read(s->settings, s->out, out, get_bytes(s, 1));
    const double wrong = sx_perf_pattern_count_wrong(&s->side[1], s->element_bytes, out);
    if (wrong != 0 && sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: engine %s, %s: %.0f elements\n", sx_perf_program_get_name(), engine,
                s->what, wrong);
    return wrong == 0;
}

/* Add an exchange whose creation has returned `code`. Returns 1 if its result is wrong. */
static int add_exch(struct sx_perf_candidates *c, const struct sx_perf_subject *s, int engine, int code,
                    subx_exch ex)
{
    const char *name = s->settings->engines.name[engine];
    const int i = c->n;
    if (code != MPI_SUCCESS && subx_error_get_kind(code) == SUBX_ERR_UNAVAILABLE)
        return 0;
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no exchange by engine %s", name);
    c->call[i] = (struct sx_perf_call){ex, s->in, s->out};
    code = execute(&c->call[i]);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "engine %s", name);
    if (!is_right(s, name)) {
        subx_exch_free(&c->call[i].ex);
        return 1;
    }
    sx_perf_candidates_add(c, name, execute, &c->call[i], 0);
    c->engine[i] = engine;
    return 0;
}

int sx_perf_candidates_add_engines(struct sx_perf_candidates *c, const struct sx_perf_subject *s)
{
    char *in = s->host ? s->host : s->in, *out = s->host ? s->host : s->out;
    int nwrong = 0;
    sx_perf_pattern_execute(&s->side[0], s->element_bytes, in, sx_perf_pattern_export);
    if (s->host)
        sx_perf_memory_write(s->settings, s->in, in, get_bytes(s, 0));
    for (int e = 0; e < s->settings->engines.n; e++) {
        MPI_Info hints = sx_perf_engines_create_hints(s->settings, s->settings->engines.name[e]);
        subx_exch ex = SUBX_EXCH_NULL;
        const int code = s->create(s->context, hints, &ex);
        MPI_Info_free(&hints);
        memset(out, 0xaa, (size_t)get_bytes(s, 1));
        if (s->host)
            sx_perf_memory_write(s->settings, s->out, out, get_bytes(s, 1));
        nwrong += add_exch(c, s, e, code, ex);
    }
    return nwrong;
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
