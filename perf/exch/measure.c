/* measure.c - blocks of one size: the exchanges by all engines are verified, then timed alternately with the
 * references. */
#include "exch/exch.h"

#include <string.h>

struct subject {
    struct sx_perf_exch_job *job;
    const struct sx_perf_exch_blocks *blocks;
    const char *engine;
};

static int alltoall(void *subject)
{
    const struct subject *s = subject;
    int bytes = (int)s->blocks->bytes;
    return MPI_Alltoall(s->job->in, bytes, MPI_BYTE, s->job->out, bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static int is_right(void *subject)
{
    const struct subject *s = subject;
    if (sx_perf_exch_blocks_is_right(s->blocks, s->job->out))
        return 1;
    s->job->nwrong++;
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: engine %s, %s blocks of %td bytes\n", sx_perf_program_get_name(),
                s->engine, sx_perf_exch_kinds[s->blocks->kind], s->blocks->bytes);
    return 0;
}

static void add_engines(struct subject *s, struct sx_perf_candidates *c)
{
    const struct sx_perf_names *engines = &s->job->settings.common.engines;
    sx_perf_exch_blocks_export(s->blocks, s->job->in);
    for (int e = 0; e < engines->n; e++) {
        struct sx_perf_call call = {SUBX_EXCH_NULL, s->job->in, s->job->out};
        MPI_Info hints = sx_perf_engines_create_hints(&s->job->settings.common, engines->name[e]);
        int code = sx_perf_exch_blocks_create(s->blocks, hints, &call.ex);
        MPI_Info_free(&hints);
        memset(s->job->out, 0xaa, (size_t)(s->blocks->bytes * sx_perf_program_get_nranks()));
        s->engine = engines->name[e];
        sx_perf_candidates_add_exch(c, code, s->engine, e, &call, is_right, s);
    }
}

static void add_rows(const struct subject *s, const struct sx_perf_candidates *c)
{
    int nranks = sx_perf_program_get_nranks();
    for (int i = 0; i < c->n; i++) {
        const struct sx_perf_case *k = &c->cases[i];
        char mark[64];
        const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                               {NULL, nranks},
                                               {sx_perf_exch_kinds[s->blocks->kind], 0},
                                               {NULL, (double)s->blocks->bytes},
                                               {c->name[i], 0},
                                               {NULL, k->min},
                                               {NULL, k->median},
                                               {NULL, (double)s->blocks->bytes * nranks / k->median / 1e9},
                                               {NULL, k->median / c->cases[0].median},
                                               {NULL, k->median / c->cases[1].median}};
        sx_perf_candidates_print_mark(c, i, sizeof mark, mark);
        sx_perf_table_add(&s->job->table, values, mark);
    }
}

void sx_perf_exch_measure_execute(struct sx_perf_exch_job *job, const struct sx_perf_exch_blocks *blocks)
{
    struct sx_perf_candidates c = {.n = 0};
    ptrdiff_t bytes = blocks->bytes * sx_perf_program_get_nranks();
    struct subject s = {job, blocks, NULL};
    struct sx_perf_copy copy = {job->out, job->in, (size_t)bytes};
    sx_perf_progress_set(&job->progress, "%s blocks of %td bytes", sx_perf_exch_kinds[blocks->kind],
                         blocks->bytes);
    sx_perf_candidates_add(&c, "mpi-alltoall", alltoall, &s, 0);
    sx_perf_candidates_add(&c, "memcpy", sx_perf_time_copy, &copy, 1);
    add_engines(&s, &c);
    sx_perf_time_raise(c.n, c.cases);
    sx_perf_time_execute(c.n, c.cases, job->settings.common.repeat, &job->progress);
    add_rows(&s, &c);
    sx_perf_candidates_free(&c);
}
