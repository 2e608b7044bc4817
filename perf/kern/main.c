/* main.c - the program subx-perf-kern: permuted copies by the library's kernels, FFTW and memcpy. */
#include "kern/kern.h"

static const struct sx_perf_column columns[] = {{"shape", 16, SX_PERF_TABLE_TEXT},
                                                {"order", 8, SX_PERF_TABLE_TEXT},
                                                {"bytes", 5, 0},
                                                {"library", 8, SX_PERF_TABLE_TEXT},
                                                {"min_s", 12, 9},
                                                {"median_s", 12, 9},
                                                {"gbps", 8, 3},
                                                {"ratio_memcpy", 12, 3}};

/* Measure the copies of a shape in all orders that are asked for; if is_counting, only count them. */
static int for_orders(struct sx_perf_kern_job *job, int size, struct sx_perf_kern_copy *copy, int is_counting)
{
    int norders = sx_perf_orders_get(copy->shape.ndims, 0, copy->order), count = 0;
    for (int k = 0; k < norders; k++) {
        sx_perf_orders_get(copy->shape.ndims, k, copy->order);
        if (!sx_perf_kern_settings_query_order(&job->settings, copy->shape.ndims, copy->order))
            continue;
        if (!is_counting)
            sx_perf_kern_measure_execute(job, size, copy);
        count++;
    }
    return count;
}

static int for_copies(struct sx_perf_kern_job *job, int is_counting)
{
    const struct sx_perf_shapes *shapes = &job->settings.shapes;
    int count = 0;
    for (int s = 0; s < shapes->n; s++)
        for (int i = 0; i < SX_PERF_KERN_NSIZES; i++) {
            struct sx_perf_kern_copy copy = {.shape = shapes->shape[s], .in = job->in, .out = job->out};
            copy.element_bytes = sx_perf_kern_settings_get_bytes(i);
            copy.bytes = sx_perf_values_get_volume(&copy.shape) * copy.element_bytes;
            if (job->settings.bytes[i])
                count += for_orders(job, i, &copy, is_counting);
        }
    return count;
}

static ptrdiff_t get_most_bytes(const struct sx_perf_kern_settings *settings)
{
    ptrdiff_t volume = 0, bytes = 0;
    for (int s = 0; s < settings->shapes.n; s++) {
        ptrdiff_t v = sx_perf_values_get_volume(&settings->shapes.shape[s]);
        volume = v > volume ? v : volume;
    }
    for (int i = 0; i < SX_PERF_KERN_NSIZES; i++)
        if (settings->bytes[i])
            bytes = sx_perf_kern_settings_get_bytes(i);
    return volume * bytes;
}

static void run(struct sx_perf_kern_job *job)
{
    const struct sx_perf_settings *common = &job->settings.common;
    ptrdiff_t ncopies = for_copies(job, 1);
    if (ncopies == 0)
        sx_perf_program_exit(MPI_SUCCESS, "--orders: no shape has as many axes as an order");
    sx_perf_table_create(common, columns, sizeof columns / sizeof *columns, &job->table);
    sx_perf_table_start(&job->table);
    sx_perf_progress_start(&job->progress, common, ncopies * common->repeat);
    for_copies(job, 0);
    sx_perf_progress_finish(&job->progress);
    sx_perf_kern_summary_export(job);
    sx_perf_table_finish(&job->table);
}

int main(int argc, char *argv[])
{
    static struct sx_perf_kern_job job;
    ptrdiff_t bytes;
    sx_perf_program_start(&sx_perf_kern_program, argc, argv, &job.settings.common, sizeof job.settings);
    sx_perf_kern_settings_import(&job.settings);
    bytes = get_most_bytes(&job.settings);
    job.in = sx_perf_memory_create(&job.settings.common, bytes);
    job.out = sx_perf_memory_create(&job.settings.common, bytes);
    run(&job);
    sx_perf_memory_free(&job.settings.common, job.in);
    sx_perf_memory_free(&job.settings.common, job.out);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
