/* recall.c - what earlier plans have learnt: the parameters of the machine, and wisdom. Rank 0 reads the file and tells the others.
 *
 *     plan     problem, ranks, hints, library, processor, MPI  ->  effort; seconds; hints; notes of the serial backends
 *     fftw     precision, processor                            ->  FFTW's own wisdom
 *     machine  ranks per node, library, processor, MPI         ->  parameters of the cost model */
#include "plan/plan.h"
#include "wisdom/wisdom.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { KEY = 2 * SX_PROBLEM_TEXT };

/* ---- sharing a text */

/* All ranks get rank 0's text, or NULL; each frees its own. */
static int share(MPI_Comm all, int rc, char **text)
{
    int rank = 0, length = -1;
    (void)MPI_Comm_rank(all, &rank);
    if (rank == 0 && *text && strlen(*text) < INT_MAX)
        length = (int)strlen(*text);
    SX_AGAIN(rc, MPI_Bcast(&length, 1, MPI_INT, 0, all));
    if (rc || length < 0)
        return sx_base_agree(all, rc, NULL);
    if (rank != 0)
        *text = sx_base_alloc(length + 1, 1);
    rc = sx_base_agree(all, *text ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        SX_AGAIN(rc, MPI_Bcast(*text, length, MPI_CHAR, 0, all));
    return rc;
}

/* Find an entry on rank 0. An error of reading is no error of the plan. */
static int find(MPI_Comm all, const char *hint, const char *kind, const char *key, char **value,
                sx_text *reason)
{
    char path[SX_WISDOM_PATH] = "";
    int rank = 0;
    *value = NULL;
    (void)MPI_Comm_rank(all, &rank);
    if (rank == 0 && !sx_wisdom_get_path(hint, path) && *path)
        (void)sx_wisdom_find(path, kind, key, value, reason);
    return share(all, MPI_SUCCESS, value);
}

/* ---- the machine */

static int find_machine(sx_choice *c, MPI_Comm all, MPI_Info hints)
{
    char hint[SX_HINT_LEN] = "none", key[KEY], *text = NULL;
    sx_text k = {key, sizeof key, 0};
    sx_choice_print_machine_key(c->placement, &k);
    if (sx_base_hint(hints, "subx_wisdom", "auto", hint))
        strcpy(hint, "none");
    int rc = find(all, hint, SX_WISDOM_MACHINE, key, &text, NULL);
    if (!rc && text && sx_machine_parse(text, c->machine))
        sx_machine_set_default(c->machine);
    sx_base_free(text);
    return rc;
}

int sx_choice_recall_machine(sx_choice *c, MPI_Comm all, MPI_Info hints)
{
    c->machine = sx_base_alloc(1, sizeof *c->machine);
    c->placement = sx_base_alloc(1, sizeof *c->placement);
    int rc = c->machine && c->placement ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(all, rc, NULL);
    if (!rc) {
        sx_machine_set_default(c->machine);
        rc = sx_placement_create(all, hints, c->placement);
    }
    return rc ? rc : find_machine(c, all, hints);
}

/* ---- plans: keys and values */

static void print_key(const sx_choice *c, sx_text *t)
{
    sx_problem_print(c->problem, t);
    sx_base_print(t, ", ranks ");
    sx_placement_print(c->placement, t);
    if (c->placement->ndomains > 1)
        sx_base_print(t, " in %d domains per node", c->placement->ndomains);
    sx_base_print(t, "%s%s, subarray_x %d.%d.%d, ", *c->given ? ", " : "", c->given, SUBX_VERSION_MAJOR,
                  SUBX_VERSION_MINOR, SUBX_VERSION_PATCH);
    sx_machine_print_cpu(t);
    sx_base_print(t, ", ");
    sx_machine_print_mpi(t);
}

/* An entry's value: "measure; 0.00123; grid 4, strategy fused; 9e107d9d372bb682:fftw3". */
typedef struct memory {
    int effort;
    double seconds;
    char hints[2 * sizeof(sx_candidate)];
    const char *notes; /* within the text */
} memory;

static int parse(const char *text, memory *m)
{
    char word[16] = "";
    int used = 0;
    m->effort = -1;
    if (sscanf(text, "%15[a-z]; %lf; %399[^;];%n", word, &m->seconds, m->hints, &used) < 3 || !used)
        return 0;
    for (int i = 0; i <= SX_EFFORT_EXHAUSTIVE; i++)
        if (strcmp(word, sx_choice_get_effort(i)) == 0)
            m->effort = i;
    m->notes = text + used;
    return m->effort >= 0;
}

static void print_value(subx_fft_plan plan, sx_text *t)
{
    const sx_report *r = &plan->report;
    const sx_candidate *best = &r->list[r->chosen];
    sx_base_print(t, "%s; %.6g; %s", sx_choice_get_effort(plan->choice.effort), best->trial.seconds,
                  r->list[0].name);
    if (r->chosen > 0)
        sx_base_print(t, ", %s", best->name);
    sx_base_print(t, "; ");
    sx_serial_notes_print(plan->choice.notes, t);
}

/* ---- FFTW */

static void print_key_of_fftw(const sx_choice *c, sx_text *t)
{
    sx_base_print(t, "%d bytes, ", (int)sx_serial_get_real_bytes(c->array.precision));
    sx_machine_print_cpu(t);
}

static int recall_of_fftw(const sx_choice *c, MPI_Comm all)
{
    char key[KEY], *line = NULL;
    sx_text k = {key, sizeof key, 0};
    print_key_of_fftw(c, &k);
    int rc = find(all, c->wisdom, SX_WISDOM_FFTW, key, &line, NULL);
    if (!rc && line)
        (void)sx_serial_import_wisdom(c->array.precision, line);
    sx_base_free(line);
    return rc;
}

static void remember_of_fftw(const sx_choice *c, const char *path, sx_text *reason)
{
    char key[KEY];
    sx_text k = {key, sizeof key, 0};
    char *line = sx_serial_export_wisdom(c->array.precision);
    print_key_of_fftw(c, &k);
    if (line)
        (void)sx_wisdom_put(path, SX_WISDOM_FFTW, key, line, reason);
    sx_base_free(line);
}

/* ---- plans */

/* Let a choice have notes that forbid to measure. The choice owns them. */
static int set_notes(sx_choice *choice, const char *text)
{
    sx_serial_notes *closed = NULL;
    int rc = sx_serial_notes_create(text, 1, &closed);
    if (rc)
        return rc;
    sx_serial_notes_free(&choice->notes);
    choice->notes = closed;
    return MPI_SUCCESS;
}

static int set_report(const memory *m, subx_fft_plan plan)
{
    sx_report *r = &plan->report;
    r->source = SX_SOURCE_WISDOM;
    r->list = sx_base_alloc(1, sizeof *r->list);
    if (!r->list)
        return subx_error_get(SUBX_ERR_NO_MEM);
    r->n = 1;
    snprintf(r->list->name, sizeof r->list->name, "%.*s", (int)sizeof r->list->name - 1, m->hints);
    r->list->price = sx_choice_get_price(&plan->choice, NULL, NULL);
    r->list->trial = (sx_tune_trial){SX_TUNE_MEASURED, m->seconds, 1, 0};
    return MPI_SUCCESS;
}

/* Engines were checked when the entry was made, by the same MPI. Create the plan of an entry on a grid of its own, which takes the place of *grid. */
static int create(sx_choice *choice, const memory *m, MPI_Info info, subx_grid *grid, subx_fft_plan *plan)
{
    MPI_Comm all;
    sx_choice c;
    subx_grid own = SUBX_GRID_NULL;
    (void)subx_grid_get_comm(choice->line, -1, &all);
    int rc = sx_choice_vary(choice, m->hints, info, &c);
    c.effort = m->effort;
    if (!rc)
        rc = sx_choice_trust(&c, info);
    rc = sx_base_agree(all, rc, NULL);
    if (!rc && sx_choice_get_rigor(&c) > SX_EFFORT_ESTIMATE)
        rc = recall_of_fftw(&c, all);
    if (!rc)
        rc = sx_choice_create_other_grid(&c, choice, *grid, info, &own);
    if (!rc)
        rc = sx_plan_create(&c, own, info, plan);
    (void)subx_grid_free(rc ? &own : grid);
    if (!rc)
        *grid = own;
    return rc;
}

/* What is found is used if it was made with at least this effort. */
static int find_plan(const sx_choice *choice, MPI_Comm all, memory *m, char **value, sx_text *why)
{
    char key[KEY];
    sx_text k = {key, sizeof key, 0};
    print_key(choice, &k);
    int rc = find(all, choice->wisdom, SX_WISDOM_PLAN, key, value, why);
    if (rc || !*value)
        return rc;
    if (!parse(*value, m))
        sx_base_print(why, "the entry for this plan is not understood");
    else if (m->effort < choice->effort) {
        sx_base_print(why, "the entry for this plan is of effort %s", sx_choice_get_effort(m->effort));
        m->effort = -1;
    }
    return rc;
}

/* A plan that cannot be created, because somebody has edited the file, is planned anew. */
static int recall(sx_choice *choice, MPI_Comm all, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan,
                  sx_text *why)
{
    memory m = {.effort = -1};
    char *value = NULL;
    MPI_Info info = MPI_INFO_NULL;
    int rc = find_plan(choice, all, &m, &value, why);
    if (!rc && m.effort >= 0) {
        rc = hints == MPI_INFO_NULL ? MPI_Info_create(&info) : MPI_Info_dup(hints, &info);
        if (!rc)
            rc = set_notes(choice, m.notes);
        rc = sx_base_agree(all, rc, NULL);
        if (!rc && create(choice, &m, info, grid, plan))
            sx_base_print(why, "the entry for this plan cannot be used");
        else if (!rc)
            rc = sx_base_agree(all, set_report(&m, *plan), NULL);
        if (info != MPI_INFO_NULL)
            MPI_Info_free(&info);
    }
    sx_base_free(value);
    return rc;
}

int sx_plan_recall(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan, sx_text *why)
{
    MPI_Comm all;
    *plan = SUBX_FFT_PLAN_NULL;
    if (strcmp(choice->wisdom, "none") == 0)
        return MPI_SUCCESS;
    (void)subx_grid_get_comm(choice->line, -1, &all);
    int rc = recall(choice, all, grid, hints, plan, why);
    if (rc)
        sx_plan_free(plan);
    return rc;
}

static void put(subx_fft_plan plan, const char *path, sx_text *why)
{
    char key[KEY];
    sx_text k = {key, sizeof key, 0}, measure = {NULL, 0, 0};
    print_value(plan, &measure);
    char *value = sx_base_alloc((ptrdiff_t)measure.used + 1, 1);
    if (!value)
        return;
    sx_text t = {value, measure.used + 1, 0};
    print_value(plan, &t);
    print_key(&plan->choice, &k);
    if (!sx_wisdom_put(path, SX_WISDOM_PLAN, key, value, why) &&
        sx_choice_get_rigor(&plan->choice) > SX_EFFORT_ESTIMATE)
        remember_of_fftw(&plan->choice, path, why);
    sx_base_free(value);
}

void sx_plan_remember(subx_fft_plan plan)
{
    char path[SX_WISDOM_PATH];
    int rank = -1;
    sx_text why = {plan->report.wisdom[1], sizeof plan->report.wisdom[1], 0};
    if (MPI_Comm_rank(plan->everyone, &rank) || rank != 0 || sx_wisdom_get_path(plan->choice.wisdom, path) ||
        !*path)
        return;
    put(plan, path, &why);
}
