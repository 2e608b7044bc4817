/* plans.c - create, execute and print the plans to be compared. */
#include "tune/tune.h"

#include <string.h>

/* Create the hints of the command line, and add the effort and the wisdom of plan `which`. */
static MPI_Info create_hints(const struct sx_perf_tune_settings *s, int which)
{
    const int is_wisdom = which == SX_PERF_TUNE_WISDOM;
    MPI_Info hints = sx_perf_engines_create_hints(&s->common, NULL);
    MPI_Info_set(hints, "subx_effort",
                 sx_perf_tune_settings_query_plan(is_wisdom ? SX_PERF_TUNE_MEASURE : which));
    if (is_wisdom)
        MPI_Info_set(hints, "subx_wisdom", s->wisdom);
    return hints;
}

static void create(const char *text, MPI_Info hints, struct sx_perf_tune_plan *plan)
{
    subx_fft_problem problem;
    int code = subx_fft_problem_parse(text, &problem);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "%s is no problem any more", text);
    sx_perf_tune_fftw3_forget();
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    code = subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, &plan->plan);
    plan->seconds = MPI_Wtime() - began;
    MPI_Allreduce(MPI_IN_PLACE, &plan->seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    subx_fft_problem_free(&problem);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no plan for %s, effort %s", text,
                             sx_perf_tune_settings_query_plan(plan->which));
}

void sx_perf_tune_plans_create(const struct sx_perf_tune_settings *settings, const char *problem, int which,
                               struct sx_perf_tune_plan *plan)
{
    MPI_Info hints = create_hints(settings, which);
    *plan = (struct sx_perf_tune_plan){.which = which, .direction = settings->direction};
    /* Create a first plan, which writes the file of wisdom. */
    if (which == SX_PERF_TUNE_WISDOM) {
        create(problem, hints, plan);
        subx_fft_plan_free(&plan->plan);
    }
    create(problem, hints, plan);
    MPI_Info_free(&hints);
}

void sx_perf_tune_plans_print(const struct sx_perf_tune_plan *plan, size_t len, char *text)
{
    static const char *const keys[] = {"subx_strategy", "subx_grid", "subx_engine"};
    MPI_Info info;
    size_t used = 0;
    text[0] = '\0';
    if (subx_fft_plan_get_info(plan->plan, &info) != MPI_SUCCESS)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && used < len; i++) {
        char value[SX_PERF_TEXT_MAX] = "";
        int found = 0;
        MPI_Info_get(info, keys[i], sizeof value - 1, value, &found);
        if (found)
            used += (size_t)snprintf(text + used, len - used, "%s%s", used ? " " : "", value);
    }
    MPI_Info_free(&info);
}

int sx_perf_tune_plans_execute(void *plan)
{
    const struct sx_perf_tune_plan *p = plan;
    void *physical = p->array[SUBX_FFT_PHYSICAL], *spectral = p->array[SUBX_FFT_SPECTRAL];
    int code = MPI_SUCCESS;
    if (p->direction != SX_PERF_TUNE_BACKWARD)
        code = subx_fft_execute(p->plan, SUBX_FFT_FORWARD, physical, spectral);
    if (p->direction != SX_PERF_TUNE_FORWARD && code == MPI_SUCCESS)
        code = subx_fft_execute(p->plan, SUBX_FFT_BACKWARD, spectral, physical);
    return code;
}
