/* main.c - the program subx-perf-serial: transforms of pencils in cache by the serial backends and other FFTWs. */
#include "serial/pencils.h"

#include <stdlib.h>

/* A visit of all tiles, which counts the tiles (is_counting = 1) or also measures them (0). */
struct visit {
    struct sx_perf_serial_job *job;
    int is_counting, ntiles, ngroups;
    ptrdiff_t bytes; /* bytes of the largest tile */
};

static void visit_lengths(struct visit *visit, const struct sx_perf_serial_tile *group)
{
    const struct sx_perf_serial_lengths *lengths = &visit->job->settings.lengths;
    for (int i = 0; i < lengths->n; i++) {
        struct sx_perf_serial_tile tile = *group;
        tile.n = lengths->length[i];
        sx_perf_serial_tile_set(&tile);
        if (tile.problem.kind == SUBX_FFT_DCT1 && tile.n == 1)
            continue; /* there is no DCT-I of one number */
        const ptrdiff_t bytes = sx_perf_serial_tile_get_bytes(&tile);
        visit->bytes = bytes > visit->bytes ? bytes : visit->bytes;
        visit->ntiles++;
        if (visit->is_counting)
            continue;
        sx_perf_serial_tile_set_memory(&tile, visit->job->memory);
        sx_perf_serial_measure_execute(visit->job, &tile, visit->ngroups);
    }
    visit->ngroups++;
}

static void visit_caches(struct visit *visit, int kind, int precision, int layout, int place)
{
    const struct sx_perf_serial_settings *s = &visit->job->settings;
    struct sx_perf_serial_tile tile = {
        .kind = kind, .precision = precision, .layout = layout, .place = place};
    /* Kind 0 is c2c; no other kind is measured in place. For r2c and c2r, the elements of the two sides differ in size,
     * so passes do not transform them in place, either. */
    if (!s->kinds[kind] || !s->precisions[precision] || !s->layouts[layout] || !s->places[place] ||
        (kind != 0 && place == SX_PERF_SERIAL_IN_PLACE))
        return;
    for (int i = 0; i < s->caches.n; i++) {
        tile.cache = s->caches.bytes[i];
        visit_lengths(visit, &tile);
    }
}

static void visit_all(struct visit *visit)
{
    for (int kind = 0; kind < SX_PERF_SERIAL_NKINDS; kind++)
        for (int precision = 0; precision < SX_PERF_SERIAL_NPRECISIONS; precision++)
            for (int layout = 0; layout < SX_PERF_SERIAL_NLAYOUTS; layout++)
                for (int place = 0; place < SX_PERF_SERIAL_NPLACES; place++)
                    visit_caches(visit, kind, precision, layout, place);
}

static void run(struct sx_perf_serial_job *job)
{
    struct visit count = {.job = job, .is_counting = 1}, measure = {.job = job};
    visit_all(&count);
    if (count.ntiles == 0)
        sx_perf_program_exit(MPI_SUCCESS, "--places: only c2c is in place");
    job->results = sx_perf_memory_create_small(count.ntiles, sizeof *job->results);
    job->memory = sx_perf_memory_create(&job->settings.common, count.bytes);
    sx_perf_serial_rows_start(job);
    sx_perf_progress_start(&job->progress, &job->settings.common,
                           (ptrdiff_t)count.ntiles *
                               (job->settings.accuracy ? 1 : job->settings.common.repeat));
    visit_all(&measure);
    sx_perf_progress_finish(&job->progress);
    sx_perf_serial_summary_export(job);
    sx_perf_table_finish(&job->table);
    sx_perf_memory_free(&job->settings.common, job->memory);
    free(job->results);
}

int main(int argc, char *argv[])
{
    static struct sx_perf_serial_job job;
    sx_perf_program_start(&sx_perf_serial_program, argc, argv, &job.settings.common, sizeof job.settings);
    sx_perf_serial_candidates_set(&job);
    run(&job);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
