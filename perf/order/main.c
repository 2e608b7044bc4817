/* main.c - the program subx-perf-order: exchanges between all pairs of storage orders, by all engines. */
#include "order/order.h"

#include <stdlib.h>

#define COLUMNS                                                                                              \
    {"mpi", 0, SX_PERF_TABLE_TEXT}, {"ranks", 0, 0}, {"shape", 0, SX_PERF_TABLE_TEXT},                       \
        {"dtype", 0, SX_PERF_TABLE_TEXT}, {"send_order", 10, SX_PERF_TABLE_TEXT},                            \
        {"recv_order", 10, SX_PERF_TABLE_TEXT}, {"engine", 12, SX_PERF_TABLE_TEXT}, {"min_s", 12, 9},        \
        {"median_s", 12, 9},                                                                                 \
    {                                                                                                        \
        "gbps", 8, 3                                                                                         \
    }

static const struct sx_perf_column columns[] = {COLUMNS, {"ratio_plain", 11, 3}, {"ratio_memcpy", 12, 3}};
static const struct sx_perf_column device_columns[] = {COLUMNS, {"ratio_memcpy", 12, 3}};

int sx_perf_order_query_device(const struct sx_perf_order_job *job)
{
    return job->settings.common.memory == SX_PERF_DEVICE;
}

static void create_arrays(struct sx_perf_order_job *job)
{
    struct sx_perf_box send, recv;
    ptrdiff_t send_bytes, most;
    sx_perf_order_sides_get(job, NULL, &send, &recv);
    send_bytes = sx_perf_pattern_get_volume(&send) * job->element_bytes;
    job->recv_bytes = sx_perf_pattern_get_volume(&recv) * job->element_bytes;
    job->most_bytes = (double)job->recv_bytes;
    MPI_Allreduce(MPI_IN_PLACE, &job->most_bytes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* Both arrays have the size of the larger one. memcpy, the reference, copies as many bytes from `in` as an
     * exchange receives. */
    most = send_bytes > job->recv_bytes ? send_bytes : job->recv_bytes;
    job->in = sx_perf_memory_create(&job->settings.common, most);
    job->out = sx_perf_memory_create(&job->settings.common, most);
    job->host[0] = sx_perf_order_query_device(job) ? sx_perf_memory_create_small(most, 1) : job->in;
    job->host[1] = sx_perf_order_query_device(job) ? sx_perf_memory_create_small(most, 1) : job->out;
}

static void free_arrays(const struct sx_perf_order_job *job)
{
    for (int i = 0; i < 2 && sx_perf_order_query_device(job); i++)
        free(job->host[i]);
    sx_perf_memory_free(&job->settings.common, job->in);
    sx_perf_memory_free(&job->settings.common, job->out);
}

static void create_results(struct sx_perf_order_job *job)
{
    ptrdiff_t count = (ptrdiff_t)job->npairs * job->settings.common.engines.n;
    job->results = sx_perf_memory_create_small(count, sizeof *job->results);
    for (ptrdiff_t i = 0; i < count; i++)
        job->results[i].ratio = -1;
}

static void start_table(struct sx_perf_order_job *job)
{
    const struct sx_perf_order_settings *s = &job->settings;
    char shape[SX_PERF_TEXT_MAX];
    sx_perf_values_print_shape(&s->shape, sizeof shape, shape);
    const int is_on_device = sx_perf_order_query_device(job);
    sx_perf_table_create(&s->common, is_on_device ? device_columns : columns,
                         is_on_device ? sizeof device_columns / sizeof *device_columns
                                      : sizeof columns / sizeof *columns,
                         &job->table);
    sx_perf_table_set_head(&job->table, "shape", "%s", shape);
    sx_perf_table_set_head(&job->table, "dtype", "%s", sx_perf_order_settings_query_dtype(s));
    sx_perf_table_set_head(&job->table, "axes", "%d to %d", job->v, job->w);
    sx_perf_table_set_head(&job->table, "orders", "%s orders, innermost axis first",
                           sx_perf_order_settings_query_meaning(s));
    sx_perf_table_set_head(&job->table, "bytes_of_a_rank", "%.0f", job->most_bytes);
    sx_perf_table_start(&job->table);
}

static void run(struct sx_perf_order_job *job)
{
    struct sx_perf_order_plain plain;
    const int is_on_device = sx_perf_order_query_device(job);
    start_table(job);
    if (!is_on_device)
        sx_perf_order_plain_create(job, &plain);
    /* Before an engine is timed, its verification executes it once. So also execute the reference once before it is
     * timed. */
    if (!is_on_device)
        sx_perf_order_plain_execute(&plain);
    sx_perf_progress_start(&job->progress, &job->settings.common,
                           (ptrdiff_t)job->npairs * job->settings.common.repeat);
    for (int p = 0; p < job->npairs; p++)
        sx_perf_order_measure_execute(job, p, &plain);
    sx_perf_progress_finish(&job->progress);
    sx_perf_order_summary_export(job);
    sx_perf_table_finish(&job->table);
    if (!is_on_device)
        sx_perf_order_plain_free(&plain);
}

int main(int argc, char *argv[])
{
    struct sx_perf_order_job job = {.nwrong = 0};
    sx_perf_program_start(&sx_perf_order_program, argc, argv, &job.settings.common, sizeof job.settings);
    sx_perf_order_settings_import(&job);
    sx_perf_order_pairs_create(&job);
    create_arrays(&job);
    create_results(&job);
    run(&job);
    free_arrays(&job);
    free(job.results);
    free(job.pairs);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
