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

/* A copy on a device. */
struct sx_perf_order_copy {
    subx_copy copy;
    const void *from;
    void *to;
};

/* An engine with wrong results is reported at once, and left out. */
static int is_right(void *subject)
{
    const struct subject *s = subject;
    struct sx_perf_order_job *job = s->job;
    if (sx_perf_order_query_device(job))
        sx_perf_memory_read(&job->settings.common, job->out, job->host[1], job->recv_bytes);
    double wrong = (double)sx_perf_pattern_execute(&s->side[1], job->element_bytes, job->host[1],
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
    struct sx_perf_order_job *job = s->job;
    const struct sx_perf_names *engines = &job->settings.common.engines;
    const int is_on_device = sx_perf_order_query_device(job);
    sx_perf_pattern_execute(&s->side[0], job->element_bytes, job->host[0], sx_perf_pattern_export);
    if (is_on_device)
        sx_perf_memory_write(&job->settings.common, job->in, job->host[0],
                             sx_perf_pattern_get_volume(&s->side[0]) * job->element_bytes);
    for (int e = 0; e < engines->n; e++) {
        struct sx_perf_call call = {SUBX_EXCH_NULL, s->job->in, s->job->out};
        int code;
        s->engine = engines->name[e];
        code = sx_perf_order_exchange_create(s->job, s->pair, s->engine, &call.ex);
        memset(job->host[1], 0xaa, (size_t)job->recv_bytes);
        if (is_on_device)
            sx_perf_memory_write(&job->settings.common, job->out, job->host[1], job->recv_bytes);
        sx_perf_candidates_add_exch(c, code, s->engine, e, &call, is_right, s);
    }
}

static void add_row(const struct subject *s, const struct sx_perf_candidates *c, int i)
{
    const struct sx_perf_case *k = &c->cases[i];
    const int is_on_device = sx_perf_order_query_device(s->job);
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
                                           {NULL, k->median / c->cases[is_on_device ? 0 : 1].median}};
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

/* On a device the only reference is a copy of the received bytes. */
static int execute_copy(void *copy)
{
    const struct sx_perf_order_copy *c = copy;
    return subx_copy_execute(c->copy, c->from, c->to);
}

static void create_copy(const struct sx_perf_order_job *job, struct sx_perf_order_copy *c)
{
    MPI_Info hints = sx_perf_engines_create_hints(&job->settings.common, NULL);
    char kind[SX_PERF_TEXT_MAX] = "";
    int found = 0, code = subx_copy_create(0, NULL, NULL, NULL, job->recv_bytes, 0, &c->copy);
    MPI_Info_get(hints, "subx_memory_kind", SX_PERF_TEXT_MAX - 1, kind, &found);
    MPI_Info_free(&hints);
    if (code == MPI_SUCCESS)
        code = subx_copy_set_memory(c->copy, kind, NULL);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no copy on the device");
    c->from = job->in;
    c->to = job->out;
}

void sx_perf_order_measure_execute(struct sx_perf_order_job *job, int which,
                                   struct sx_perf_order_plain *plain)
{
    struct sx_perf_candidates c = {.n = 0};
    struct subject s = {.job = job, .pair = &job->pairs[which]};
    struct sx_perf_copy copy = {job->out, job->in, (size_t)job->recv_bytes};
    struct sx_perf_order_copy on_device = {.copy = SUBX_COPY_NULL};
    sx_perf_orders_print(job->ndims, s.pair->send, sizeof s.send, s.send);
    sx_perf_orders_print(job->ndims, s.pair->recv, sizeof s.recv, s.recv);
    sx_perf_order_sides_get(job, s.pair, &s.side[0], &s.side[1]);
    sx_perf_progress_set(&job->progress, "pair %d of %d, %s to %s", which + 1, job->npairs, s.send, s.recv);
    if (sx_perf_order_query_device(job)) {
        create_copy(job, &on_device);
        sx_perf_candidates_add(&c, "copy", execute_copy, &on_device, 0);
    } else {
        sx_perf_candidates_add(&c, "mpi-subarray", sx_perf_order_plain_execute, plain, 0);
        sx_perf_candidates_add(&c, "memcpy", sx_perf_time_copy, &copy, 1);
    }
    add_engines(&s, &c);
    sx_perf_time_execute(c.n, c.cases, job->settings.common.repeat, &job->progress);
    report(&s, job->results + (ptrdiff_t)which * job->settings.common.engines.n, &c);
    sx_perf_candidates_free(&c);
    subx_copy_free(&on_device.copy);
}
