/* subx.c - the transforms of our library, in the variants that are asked for. */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* A plan, and how often it was executed since its times were last set to 0. */
struct subx {
    subx_fft_plan plan;
    const void *from;
    void *to;
    int executions;
};

static int execute(void *context)
{
    struct subx *s = context;
    s->executions++;
    return subx_fft_execute(s->plan, SUBX_FFT_FORWARD, s->from, s->to);
}

static void release(void *context)
{
    struct subx *s = context;
    subx_fft_plan_free(&s->plan);
    free(s);
}

/* Create hints from a variant. Its words are the values of `keys`, in the same order. If a word is missing, the
 * library chooses the value of that hint. */
static MPI_Info create_hints(const struct sx_perf_fft_cell *cell, const char *variant)
{
    static const char *const keys[] = {"subx_strategy", "subx_output_order", "subx_engine", "subx_overlap"};
    const struct sx_perf_fft_settings *s = &cell->job->settings;
    MPI_Info hints = sx_perf_engines_create_hints(&s->common, NULL);
    char words[SX_PERF_TEXT_MAX], *word = words;
    snprintf(words, sizeof words, "%s", variant);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && word; i++) {
        char *slash = strchr(word, '/');
        if (slash)
            *slash++ = '\0';
        MPI_Info_set(hints, keys[i], word);
        word = slash;
    }
    MPI_Info_set(hints, "subx_grid", cell->grid_name);
    MPI_Info_set(hints, "subx_effort", sx_perf_options_efforts[s->common.effort]);
    return hints;
}

static void set_box(const struct sx_perf_fft_cell *cell, subx_fft_plan plan, int side,
                    struct sx_perf_fft_box *box)
{
    int order[SX_PERF_FFT_NDIMS_MAX];
    ptrdiff_t bytes = 0;
    box->ndims = cell->problem->ndims;
    box->width = side == SUBX_FFT_SPECTRAL || cell->problem->kind == SUBX_FFT_C2C ? 2 : 1;
    subx_fft_plan_get_local(plan, side, box->len, box->start, order, &bytes);
    sx_perf_fft_cell_set_strides(box, order);
    if (bytes > cell->bytes)
        sx_perf_program_abort(MPI_SUCCESS, "a plan needs %td bytes, and there are %td", bytes, cell->bytes);
}

static void add(struct sx_perf_fft_cell *cell, const char *variant)
{
    const struct sx_perf_fft_problem *p = cell->problem;
    struct subx *s = sx_perf_memory_create_small(1, sizeof *s);
    struct sx_perf_fft_transform t = {
        .library = "subx", .run = execute, .release = release, .context = s, .result = cell->out};
    MPI_Info hints = create_hints(cell, variant);
    int code;
    sx_perf_fft_peak_start(&cell->peak);
    code = subx_fft_plan_create(MPI_COMM_WORLD, p->kind, p->ndims, p->sizes, hints, &s->plan);
    MPI_Info_free(&hints);
    if (code != MPI_SUCCESS && subx_error_get_kind(code) == SUBX_ERR_UNAVAILABLE) {
        free(s);
        return;
    }
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no plan for %s, variant %s, grid %s", cell->problem_name, variant,
                             cell->grid_name);
    snprintf(t.variant, sizeof t.variant, "%s", variant);
    s->from = cell->in;
    s->to = cell->out;
    set_box(cell, s->plan, SUBX_FFT_PHYSICAL, &t.from);
    set_box(cell, s->plan, SUBX_FFT_SPECTRAL, &t.to);
    sx_perf_fft_cell_add(cell, &t);
}

void sx_perf_fft_subx_add(struct sx_perf_fft_cell *cell)
{
    const struct sx_perf_names *variants = &cell->job->settings.variants;
    for (int i = 0; i < variants->n; i++)
        add(cell, variants->name[i]);
}

int sx_perf_fft_subx_is(const struct sx_perf_fft_transform *transform)
{
    return transform->run == execute;
}

void sx_perf_fft_subx_set_times_zero(const struct sx_perf_fft_transform *transform)
{
    struct subx *s = transform->context;
    s->executions = 0;
    subx_fft_plan_set_times_zero(s->plan);
}

double sx_perf_fft_subx_query_wait(const struct sx_perf_fft_transform *transform)
{
    const struct subx *s = transform->context;
    double waited = 0, seconds = 0;
    int nstages = 0, kind = 0;
    subx_fft_plan_get_nstages(s->plan, SUBX_FFT_FORWARD, &nstages);
    for (int i = 0; i < nstages; i++) {
        subx_fft_plan_get_stage(s->plan, SUBX_FFT_FORWARD, i, &kind, NULL, NULL, &seconds);
        waited += kind == SUBX_FFT_STAGE_EXCHANGE ? seconds : 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &waited, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return waited / s->executions / sx_perf_program_get_nranks();
}

void sx_perf_fft_subx_print_stages(const struct sx_perf_fft_transform *transform, size_t len, char *text)
{
    const struct subx *s = transform->context;
    size_t used = 0;
    int nstages = 0;
    subx_fft_plan_get_nstages(s->plan, SUBX_FFT_FORWARD, &nstages);
    for (int i = 0; i < nstages && used < len; i++) {
        const char *name = "";
        double seconds = 0;
        subx_fft_plan_get_stage(s->plan, SUBX_FFT_FORWARD, i, NULL, &name, NULL, &seconds);
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        used += (size_t)snprintf(text + used, len - used, "%s%s %.6f s", i ? "; " : "", name,
                                 seconds / s->executions);
    }
}
