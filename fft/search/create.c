/* create.c - create a plan for a problem and hints: from wisdom, by the cost model, or by measurement. */
#include "explain/explain.h"
#include "decision/decision.h"
#include "keep/keep.h"
#include "search/search.h"
#include <string.h>

/* Take the steps that can fail on one rank alone. The ranks communicate afterwards. */
static int prepare(sx_choice *choice, MPI_Comm all, subx_fft_problem problem, MPI_Info hints)
{
    int nranks;
    int rc = MPI_Comm_size(all, &nranks);
    if (!rc)
        rc = subx_fft_problem_create_copy(problem, &choice->problem);
    return rc ? rc : sx_decision_set(choice, choice->problem, nranks, hints);
}

/* Read the problem and the hints, and check that they are the same on all ranks. */
static int agree(MPI_Comm all, int wrong, subx_fft_problem problem, MPI_Info hints, sx_choice *choice)
{
    char key[SX_CHOICE_KEY] = "";
    sx_text t = {key, sizeof key, 0};
    int rc = wrong ? wrong : prepare(choice, all, problem, hints);
    if (!rc)
        sx_choice_print_key(choice, &t);
    return sx_base_agree(all, rc, key);
}

/* Take the steps before the search: create the grid of all ranks (one dimension), get the parameters of the
 * cost model, agree on the problem and the hints, and create the grid of the choice. */
static int begin(MPI_Comm comm, int wrong, subx_fft_problem problem, MPI_Info hints, sx_choice *choice,
                 subx_grid *grid)
{
    MPI_Comm all = MPI_COMM_NULL;
    int rc = sx_decision_create_all_ranks(comm, &choice->shared.all_ranks);
    (void)subx_grid_get_comm(choice->shared.all_ranks, -1, &all);
    if (!rc)
        rc = sx_search_recall_machine(choice, all, hints);
    if (!rc)
        rc = agree(all, wrong, problem, hints, choice);
    return rc ? rc : sx_decision_create_grid(choice, hints, grid);
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

/* Search by measurement, and put the result into wisdom. */
static int search(sx_choice *choice, MPI_Comm all, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    int warnings = 0;
    sx_serial_notes_free(&choice->shared.notes);
    int rc = sx_base_agree(all, sx_serial_notes_create(NULL, 0, &choice->shared.notes), NULL);
    if (!rc)
        rc = sx_machine_find_warnings(all, choice->hints.threads, &warnings);
    if (!rc)
        rc = sx_search_measure(choice, grid, hints, plan);
    if (rc)
        return rc;
    (*plan)->report.warnings = warnings;
    sx_search_remember(*plan);
    return MPI_SUCCESS;
}

/* Take the plan of wisdom if there is one; else measure if the effort is above estimate; else take the choice
 * of hints and cost model. */
static int choose(sx_choice *choice, subx_grid *grid, MPI_Info hints, subx_fft_plan *plan)
{
    char reason[sizeof(*plan)->report.wisdom[0]] = "";
    sx_text why = {reason, sizeof reason, 0};
    MPI_Comm all = MPI_COMM_NULL;
    (void)subx_grid_get_comm(choice->shared.all_ranks, -1, &all);
    int rc = sx_search_recall(choice, grid, hints, plan, &why);
    if (rc || *plan)
        return rc;
    rc = choice->hints.effort == SX_EFFORT_ESTIMATE ? create_estimated(choice, *grid, hints, plan)
                                                    : search(choice, all, grid, hints, plan);
    if (!rc)
        strcpy((*plan)->report.wisdom[0], reason);
    return rc;
}

/* A rank with wrong arguments still takes part in the agreement. */
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
        (void)sx_choice_free(&choice);
        return rc;
    }
    *plan = made;
    rc = sx_keep_set(made, comm, hints);
    if (rc)
        (void)subx_fft_plan_free(plan);
    return rc;
}

/* Take a plan that is kept, or create one. If there is no memory for a new plan, free the plans that are kept
 * and try again. */
static int get(MPI_Comm comm, int wrong, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    subx_fft_plan made;
    int rc = sx_keep_take(comm, wrong ? SUBX_FFT_PROBLEM_NULL : problem, hints, &made);
    if (!rc && !made) {
        rc = create_or_agree(comm, wrong, problem, hints, &made);
        if (subx_error_get_kind(rc) == SUBX_ERR_NO_MEM && sx_keep_free(comm) > 0)
            rc = create_or_agree(comm, wrong, problem, hints, &made);
    }
    if (rc)
        return rc;
    if (made->choice.hints.verbose == SX_VERBOSE_YES)
        sx_explain_print_verbose(made);
    *plan = made;
    return MPI_SUCCESS;
}

int subx_fft_plan_create_problem(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    if (plan)
        *plan = SUBX_FFT_PLAN_NULL;
    return get(comm, plan && problem ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_ARG), problem, hints, plan);
}

/* Create a problem from one kind. If the kind is R2C, the last axis is R2C, and the others are C2C. Any other
 * kind is the kind of all axes. */
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
    rc = get(comm, plan ? rc : subx_error_get_code(SUBX_ERR_ARG), problem, hints, plan);
    (void)subx_fft_problem_free(&problem);
    return rc;
}
