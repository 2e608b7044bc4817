/* plan.c - create, execute and free a plan. */
#include "plan/plan.h"
#include <string.h>

/* ---- free */

void sx_plan_free(subx_fft_plan *plan)
{
    if (!*plan)
        return;
    (*plan)->choice.strategy->free(*plan);
    sx_base_free((*plan)->report.list);
    sx_base_free(*plan);
    *plan = SUBX_FFT_PLAN_NULL;
}

/* Free what all plans that are tried share. */
static int free_choice(sx_choice *choice)
{
    sx_edge_free(&choice->edge[SUBX_FFT_SPECTRAL]);
    sx_edge_free(&choice->edge[SUBX_FFT_PHYSICAL]);
    (void)subx_fft_problem_free(&choice->problem);
    sx_serial_notes_free(&choice->notes);
    if (choice->placement)
        sx_placement_free(choice->placement);
    sx_base_free(choice->placement);
    sx_base_free(choice->machine);
    return subx_grid_free(&choice->line);
}

int subx_fft_plan_free(subx_fft_plan *plan)
{
    if (!plan || !*plan)
        return MPI_SUCCESS;
    sx_choice choice = (*plan)->choice;
    subx_grid grid = (*plan)->grid;
    sx_plan_free(plan);
    int rc = subx_grid_free(&grid), failed = free_choice(&choice);
    return rc ? rc : failed;
}

/* ---- a plan with a given strategy */

/* N is a double, because the product of the lengths may exceed 63 bits and only its reciprocal is needed. */
static void set_scaling(subx_fft_plan plan)
{
    const sx_array *a = &plan->choice.array;
    const int scaling = plan->choice.scaling;
    plan->volume = 1;
    for (int i = 0; i < a->ndims; i++)
        plan->volume *= sx_serial_get_factor(a->axis[i].kind, a->axis[i].n);
    if (plan->volume == 1.0 || scaling == SX_SCALE_NONE)
        return;
    if (scaling == SX_SCALE_SYMMETRIC || scaling == SX_SCALE_ORTHONORMAL)
        plan->roots[SX_FORWARD] = plan->roots[SX_BACKWARD] = 1;
    else
        plan->roots[scaling == SX_SCALE_FORWARD ? SX_FORWARD : SX_BACKWARD] = 2;
}

/* Copy the hints. What the plan decides goes before variables that pipes and exchanges would read. Say that the plan supplies the
 * work space of exchanges. */
static int copy_hints(const sx_choice *choice, MPI_Info hints, MPI_Info *copy)
{
    int rc = hints == MPI_INFO_NULL ? MPI_Info_create(copy) : MPI_Info_dup(hints, copy);
    if (!rc)
        rc = sx_choice_export(choice, *copy);
    return rc ? rc : MPI_Info_set(*copy, "subx_work", "caller");
}

/* Ranks agree on each step before the next one, so that none enters a collective call that another has given
 * up. */
static int build(subx_fft_plan plan, int rc, MPI_Info hints)
{
    const sx_choice *c = &plan->choice;
    rc = sx_base_agree(plan->everyone, rc ? rc : sx_plan_set_stages(plan), NULL);
    if (rc)
        return rc;
    set_scaling(plan);
    if (!plan->is_idle)
        rc = sx_plan_check_memory(plan, rc, sx_plan_get_least_work(plan));
    if (!rc && !plan->is_idle)
        rc = c->strategy->create(plan, hints);
    if (!rc && c->memory > 0 && sx_plan_get_work(plan) > c->memory)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    return sx_plan_find_lost(plan, rc);
}

static int create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    MPI_Comm everyone = MPI_COMM_NULL;
    MPI_Info copy = MPI_INFO_NULL;
    subx_fft_plan made = *plan = sx_base_alloc(1, sizeof *made);
    (void)subx_grid_get_comm(choice->line, -1, &everyone);
    int rc = sx_base_agree(everyone, made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (made) {
        made->choice = *choice;
        made->grid = grid;
        made->is_idle = !grid;
        made->everyone = everyone;
        made->all = MPI_COMM_NULL;
        (void)subx_grid_get_comm(grid, -1, &made->all);
        made->threads = 1;
        strcpy(made->engine, choice->engine);
    }
    if (!rc) {
        rc = copy_hints(choice, hints, &copy);
        rc = build(made, rc, copy);
    }
    if (copy != MPI_INFO_NULL)
        MPI_Info_free(&copy);
    if (rc)
        sx_plan_free(plan);
    return rc;
}

int sx_plan_create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    sx_choice reduced = *choice;
    int rc = create(choice, grid, hints, plan);
    if (subx_error_get_kind(rc) != SUBX_ERR_NO_MEM || !choice->memory || !choice->strategy->reduce ||
        !choice->strategy->reduce(&reduced))
        return rc;
    return create(&reduced, grid, hints, plan);
}

/* ---- a plan */

/* Everything that can fail on one rank alone before the ranks meet. */
static int prepare(sx_choice *choice, MPI_Comm all, subx_fft_problem problem, MPI_Info hints)
{
    int nranks;
    int rc = MPI_Comm_size(all, &nranks);
    if (!rc)
        rc = subx_fft_problem_create_copy(problem, &choice->problem);
    return rc ? rc : sx_choice_set(choice, choice->problem, nranks, hints);
}

/* Create a one-dimensional grid of all ranks first. It has the shared duplicate of the communicator, on
 * which ranks compare their arguments. */
static int create_line(MPI_Comm comm, subx_grid *line)
{
    int nranks;
    if (comm == MPI_COMM_NULL)
        return subx_error_get_code(SUBX_ERR_COMM);
    int rc;
    SX_LOCAL(rc, MPI_Comm_size(comm, &nranks)); /* else the others would wait for this rank */
    return rc ? rc : subx_grid_create(comm, 1, &nranks, line);
}

/* Read the problem and the hints, and compare them between all ranks. */
static int agree(MPI_Comm all, int wrong, subx_fft_problem problem, MPI_Info hints, sx_choice *choice)
{
    char key[SX_CHOICE_KEY] = "";
    sx_text t = {key, sizeof key, 0};
    int rc = wrong ? wrong : prepare(choice, all, problem, hints);
    if (!rc)
        sx_choice_print_key(choice, &t);
    return sx_base_agree(all, rc, key);
}

/* Later, all ranks meet on the communicators of the choice. */
static int begin(MPI_Comm comm, int wrong, subx_fft_problem problem, MPI_Info hints, sx_choice *choice,
                 subx_grid *grid)
{
    MPI_Comm all = MPI_COMM_NULL;
    int rc = create_line(comm, &choice->line);
    (void)subx_grid_get_comm(choice->line, -1, &all);
    if (!rc)
        rc = sx_choice_recall_machine(choice, all, hints);
    if (!rc)
        rc = agree(all, wrong, problem, hints, choice);
    return rc ? rc : sx_choice_create_grid(choice, hints, grid);
}

static int create_estimated(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    int rc = sx_plan_create(choice, grid, hints, plan);
    if (rc)
        return rc;
    (*plan)->report.source = choice->is_auto_grid ? SX_SOURCE_MODEL : SX_SOURCE_HINTS;
    (*plan)->report.chosen = -1;
    return MPI_SUCCESS;
}

/* What is learnt is put into wisdom. */
static int search(sx_choice *choice, MPI_Comm all, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    int warnings = 0;
    sx_serial_notes_free(&choice->notes);
    int rc = sx_base_agree(all, sx_serial_notes_create(NULL, 0, &choice->notes), NULL);
    if (!rc)
        rc = sx_machine_find_warnings(all, choice->threads, &warnings);
    if (!rc)
        rc = sx_plan_try(choice, grid, hints, plan);
    if (rc)
        return rc;
    (*plan)->report.warnings = warnings;
    sx_plan_remember(*plan);
    return MPI_SUCCESS;
}

/* Wisdom goes before measurement, and both before the choice of hints and cost model. */
static int choose(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    char reason[sizeof(*plan)->report.wisdom[0]] = "";
    sx_text why = {reason, sizeof reason, 0};
    MPI_Comm all = MPI_COMM_NULL;
    (void)subx_grid_get_comm(choice->line, -1, &all);
    int rc = sx_plan_recall(choice, grid, hints, plan, &why);
    if (rc || *plan)
        return rc;
    rc = choice->effort == SX_EFFORT_ESTIMATE ? create_estimated(choice, *grid, hints, plan)
                                              : search(choice, all, grid, hints, plan);
    if (!rc)
        strcpy((*plan)->report.wisdom[0], reason);
    return rc;
}

/* A rank whose arguments are wrong still takes part in the agreement. */
static int create_or_agree(MPI_Comm comm, int wrong, subx_fft_problem problem, MPI_Info hints,
                           subx_fft_plan *plan)
{
    sx_choice choice = {0};
    subx_grid grid = SUBX_GRID_NULL;
    subx_fft_plan made = SUBX_FFT_PLAN_NULL;
    int rc = begin(comm, wrong, problem, hints, &choice, &grid);
    if (!rc)
        rc = choose(&choice, &grid, hints, &made);
    if (rc) {
        (void)subx_grid_free(&grid);
        (void)free_choice(&choice);
        return rc;
    }
    if (choice.verbose == SX_VERBOSE_YES)
        sx_plan_print_verbose(made);
    *plan = made;
    return MPI_SUCCESS;
}

int subx_fft_plan_create_problem(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    if (plan)
        *plan = SUBX_FFT_PLAN_NULL;
    return create_or_agree(comm, plan && problem ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_ARG), problem,
                           hints, plan);
}

/* One kind for all axes: real transforms halve the last one. */
static int create_problem(int kind, int ndims, const ptrdiff_t sizes[], subx_fft_problem *problem)
{
    int kinds[SUBX_NDIMS_MAX];
    *problem = SUBX_FFT_PROBLEM_NULL;
    if (ndims < 1 || ndims > SX_PROBLEM_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    sx_problem_expand_kind(kind, ndims, kinds);
    return subx_fft_problem_create(ndims, kinds, sizes, problem);
}

int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[], MPI_Info hints,
                         subx_fft_plan *plan)
{
    subx_fft_problem problem;
    if (plan)
        *plan = SUBX_FFT_PLAN_NULL;
    int rc = create_problem(kind, ndims, sizes, &problem);
    rc = create_or_agree(comm, plan ? rc : subx_error_get_code(SUBX_ERR_ARG), problem, hints, plan);
    (void)subx_fft_problem_free(&problem);
    return rc;
}

/* ---- execute */

int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to)
{
    return subx_fft_execute_operation(plan, direction, from, to, SUBX_FFT_OPERATION_NULL);
}

int subx_fft_execute_operation(subx_fft_plan plan, int direction, const void *from, void *to,
                               subx_fft_operation operation)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0 || (operation && !plan->choice.problem->has_operation))
        return subx_error_get_code(SUBX_ERR_ARG);
    if ((sx_plan_get_bytes(plan, d == SX_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL) && !from) ||
        (sx_plan_get_bytes(plan, d == SX_FORWARD ? SUBX_FFT_SPECTRAL : SUBX_FFT_PHYSICAL) && !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (plan->is_idle)
        return MPI_SUCCESS;
    return plan->choice.strategy->execute(plan, d, from, to, operation);
}

int subx_fft_execute_convolution(subx_fft_plan plan, const void *from, void *to, subx_fft_operation operation)
{
    if (!plan || !operation || !plan->choice.problem->has_operation)
        return subx_error_get_code(SUBX_ERR_ARG);
    const ptrdiff_t bytes = sx_plan_get_bytes(plan, SUBX_FFT_PHYSICAL);
    if (bytes && (!from || !to))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (plan->is_idle)
        return MPI_SUCCESS;
    return plan->choice.strategy->execute_round(plan, from, to, operation);
}
