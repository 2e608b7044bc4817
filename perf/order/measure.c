/* measure.c - one pair of orders: the exchanges by all engines are verified, then timed alternately with the
 * references. */
#include "order/order.h"

#include <string.h>

/* A pair of orders, and the engine that is being verified. */
struct subject {
    struct sx_perf_order_job *job;
    const struct sx_perf_order_pair *pair;
    const char *engine;
    char send[32], recv[32];
    struct sx_perf_box side[2];
};

/* An engine with wrong results is reported at once, and left out. */
static int is_right(void *subject)
{
    const struct subject *s = subject;
    double wrong = (double)sx_perf_pattern_execute(&s->side[1], s->job->element_bytes, s->job->out,
                                                   sx_perf_pattern_query_wrong);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (wrong == 0)
        return 1;
    s->job->nwrong++;
    if (sx_perf_program_get_rank() == 0)
        fprintf(stderr, "%s: WRONG: engine %s, %s to %s: %.0f elements\n", sx_perf_program_get_name(),
                s->engine, s->send, s->recv, wrong);
    return 0;
}

static void add_engines(struct subject *s, struct sx_perf_candidates *c)
{
    const struct sx_perf_names *engines = &s->job->settings.common.engines;
    sx_perf_pattern_execute(&s->side[0], s->job->element_bytes, s->job->in, sx_perf_pattern_export);
    for (int e = 0; e < engines->n; e++) {
        struct sx_perf_call call = {SUBX_EXCH_NULL, s->job->in, s->job->out};
        int code;
        s->engine = engines->name[e];
        code = sx_perf_order_exchange_create(s->job, s->pair, s->engine, &call.ex);
        memset(s->job->out, 0xaa, (size_t)s->job->recv_bytes);
        sx_perf_candidates_add_exch(c, code, s->engine, e, &call, is_right, s);
    }
}

static void add_row(const struct subject *s, const struct sx_perf_candidates *c, int i)
{
    const struct sx_perf_case *k = &c->cases[i];
    char shape[SX_PERF_TEXT_MAX], mark[64];
    sx_perf_values_print_shape(&s->job->settings.shape, sizeof shape, shape);
    sx_perf_candidates_print_mark(c, i, sizeof mark, mark);
    const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                           {NULL, sx_perf_program_get_nranks()},
                                           {shape, 0},
                                           {sx_perf_order_settings_query_dtype(&s->job->settings), 0},
                                           {s->send, 0},
                                           {s->recv, 0},
                                           {c->name[i], 0},
                                           {NULL, k->min},
                                           {NULL, k->median},
                                           {NULL, s->job->most_bytes / k->median / 1e9},
                                           {NULL, k->median / c->cases[0].median},
                                           {NULL, k->median / c->cases[1].median}};
    sx_perf_table_add(&s->job->table, values, mark);
}

static void report(const struct subject *s, struct sx_perf_order_result results[],
                   const struct sx_perf_candidates *c)
{
    for (int i = 0; i < c->n; i++) {
        if (c->engine[i] >= 0)
            results[c->engine[i]] =
                (struct sx_perf_order_result){c->cases[i].median, c->cases[i].median / c->cases[0].median};
        add_row(s, c, i);
    }
}

void sx_perf_order_measure_execute(struct sx_perf_order_job *job, int which,
                                   struct sx_perf_order_plain *plain)
{
    struct sx_perf_candidates c = {.n = 0};
    struct subject s = {.job = job, .pair = &job->pairs[which]};
    struct sx_perf_copy copy = {job->out, job->in, (size_t)job->recv_bytes};
    sx_perf_orders_print(job->ndims, s.pair->send, sizeof s.send, s.send);
    sx_perf_orders_print(job->ndims, s.pair->recv, sizeof s.recv, s.recv);
    sx_perf_order_sides_get(job, s.pair, &s.side[0], &s.side[1]);
    sx_perf_progress_set(&job->progress, "pair %d of %d, %s to %s", which + 1, job->npairs, s.send, s.recv);
    sx_perf_candidates_add(&c, "mpi-subarray", sx_perf_order_plain_execute, plain, 0);
    sx_perf_candidates_add(&c, "memcpy", sx_perf_time_copy, &copy, 1);
    add_engines(&s, &c);
    sx_perf_time_execute(c.n, c.cases, job->settings.common.repeat, &job->progress);
    report(&s, job->results + (ptrdiff_t)which * job->settings.common.engines.n, &c);
    sx_perf_candidates_free(&c);
}
