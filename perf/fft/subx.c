/* subx.c - the transforms of our library, in the variants that are asked for. */
#include "fft/fft.h"

#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* A plan, and how often it was executed in each direction since its times were last set to 0. */
struct subx {
    subx_fft_plan plan;
    const struct sx_perf_fft_cell *cell; /* its arrays may be replaced by larger ones */
    int executions[2];
};

static const int directions[] = {
    [SX_PERF_FFT_FORWARD] = SUBX_FFT_FORWARD, [SX_PERF_FFT_BACKWARD] = SUBX_FFT_BACKWARD};

static int execute(void *context, int from)
{
    struct subx *s = context;
    s->executions[from]++;
    return subx_fft_execute(s->plan, directions[from], s->cell->array[from], s->cell->array[!from]);
}

static void release(void *context)
{
    struct subx *s = context;
    subx_fft_plan_free(&s->plan);
    free(s);
}

/* Create hints from a variant. Its words are the values of `keys`, in the same order: of hints, or of words
 * of subx_tune. If a word is missing, the library chooses the value. */
static MPI_Info create_hints(const struct sx_perf_fft_cell *cell, const char *variant)
{
    static const char *const keys[] = {"strategy", "subx_output_order", "subx_engine", "overlap"};
    const struct sx_perf_fft_settings *s = &cell->job->settings;
    MPI_Info hints = sx_perf_engines_create_hints(&s->common, NULL);
    char words[SX_PERF_TEXT_MAX], *word = words;
    snprintf(words, sizeof words, "%s", variant);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && word; i++) {
        char *slash = strchr(word, '/');
        if (slash)
            *slash++ = '\0';
        if (strncmp(keys[i], "subx_", 5) == 0)
            MPI_Info_set(hints, keys[i], word);
        else
            sx_perf_engines_add_word(hints, keys[i], word);
        word = slash;
    }
    if (!cell->grid.is_free)
        MPI_Info_set(hints, "subx_grid", cell->grid_name);
    MPI_Info_set(hints, "subx_effort", sx_perf_options_efforts[s->common.effort]);
    return hints;
}

/* Set the boxes of a plan. Only a plan that chooses its grid may need larger arrays than the cell has. */
static void set_boxes(struct sx_perf_fft_cell *cell, subx_fft_plan plan, struct sx_perf_fft_box box[2])
{
    ptrdiff_t most = 0;
    for (int side = 0; side < 2; side++) {
        int order[SX_PERF_FFT_NDIMS_MAX];
        ptrdiff_t bytes = 0;
        box[side].ndims = cell->problem->ndims;
        box[side].width = sx_perf_fft_problem_get_width(cell->problem, side);
        subx_fft_plan_get_local(plan, side, box[side].len, box[side].start, order, &bytes);
        sx_perf_fft_cell_set_strides(&box[side], order);
        most = bytes > most ? bytes : most;
    }
    int64_t all = most;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (all > cell->bytes && cell->grid.is_free)
        sx_perf_fft_cell_grow(cell, (ptrdiff_t)all);
    else if (all > cell->bytes)
        sx_perf_program_exit(MPI_SUCCESS, "a plan needs %td bytes, and there are %td", (ptrdiff_t)all,
                             cell->bytes);
}

/* Create a plan, and set the seconds that this takes on the slowest rank. Returns the error code of its
 * creation. */
static int create_plan(const struct sx_perf_fft_cell *cell, struct sx_perf_fft_transform *t,
                       subx_fft_plan *plan)
{
    MPI_Info hints = create_hints(cell, t->variant);
    subx_fft_problem problem;
    int code = subx_fft_problem_parse(cell->problem_name, &problem);
    if (code == MPI_SUCCESS) {
        MPI_Barrier(MPI_COMM_WORLD);
        t->planning = MPI_Wtime();
        code = subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, plan);
        t->planning = MPI_Wtime() - t->planning;
        MPI_Allreduce(MPI_IN_PLACE, &t->planning, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        subx_fft_problem_free(&problem);
    }
    MPI_Info_free(&hints);
    return code;
}

/* Print what a plan has chosen, such as "fused 2x1 shm". */
static void print_choice(subx_fft_plan plan, size_t len, char *text)
{
    static const char *const keys[] = {"subx_tune", "subx_grid", "subx_engine"};
    MPI_Info info;
    size_t used = 0;
    if (subx_fft_plan_get_info(plan, &info) != MPI_SUCCESS)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && used < len; i++) {
        char value[SX_PERF_TEXT_MAX] = "", strategy[SX_PERF_TEXT_MAX];
        int found = 0;
        MPI_Info_get(info, keys[i], sizeof value - 1, value, &found);
        if (found && i == 0 && sscanf(value, "strategy %[^,]", strategy) == 1)
            strcpy(value, strategy);
        if (found)
            used += (size_t)snprintf(text + used, len - used, "%s%s", used ? " " : "", value);
    }
    MPI_Info_free(&info);
}

static void add(struct sx_perf_fft_cell *cell, const char *variant)
{
    struct subx *s = sx_perf_memory_create_small(1, sizeof *s);
    struct sx_perf_fft_transform t = {.library = "subx", .run = execute, .release = release, .context = s};
    int code;
    snprintf(t.variant, sizeof t.variant, "%s", variant);
    sx_perf_fft_peak_start(&cell->peak);
    code = create_plan(cell, &t, &s->plan);
    if (code != MPI_SUCCESS && subx_error_get_kind(code) == SUBX_ERR_UNAVAILABLE) {
        free(s);
        return;
    }
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no plan for %s, variant %s, grid %s", cell->problem_name, variant,
                             cell->grid_name);
    print_choice(s->plan, sizeof t.choice, t.choice);
    set_boxes(cell, s->plan, t.box);
    s->cell = cell;
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
    s->executions[0] = s->executions[1] = 0;
    subx_fft_plan_set_times_zero(s->plan);
}

double sx_perf_fft_subx_query_wait(const struct sx_perf_fft_transform *transform)
{
    const struct subx *s = transform->context;
    double waited = 0, seconds = 0;
    int nstages = 0, kind = 0;
    for (int from = 0; from < 2; from++) {
        subx_fft_plan_get_nstages(s->plan, directions[from], &nstages);
        for (int i = 0; i < nstages && s->executions[from] > 0; i++) {
            subx_fft_plan_get_stage(s->plan, directions[from], i, &kind, NULL, NULL, &seconds);
            waited += kind == SUBX_FFT_STAGE_EXCHANGE ? seconds / s->executions[from] : 0;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &waited, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return waited / sx_perf_program_get_nranks();
}

void sx_perf_fft_subx_print_stages(const struct sx_perf_fft_transform *transform, size_t len, char *text)
{
    const struct subx *s = transform->context;
    size_t used = 0;
    int nstages = 0;
    for (int from = 0; from < 2; from++) {
        subx_fft_plan_get_nstages(s->plan, directions[from], &nstages);
        for (int i = 0; i < nstages && used < len && s->executions[from] > 0; i++) {
            const char *name = "";
            double seconds = 0;
            subx_fft_plan_get_stage(s->plan, directions[from], i, NULL, &name, NULL, &seconds);
            MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            used += (size_t)snprintf(text + used, len - used, "%s%s %.6f s", used ? "; " : "", name,
                                     seconds / s->executions[from]);
        }
    }
}
