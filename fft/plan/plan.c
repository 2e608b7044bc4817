/* plan.c - create a plan from a choice, within the limit of subx_memory, and destroy it. The user's
 * subx_fft_plan_free is in fft/keep. */
#include "plan/plan.h"
#include <string.h>

/* ---- free */

void sx_plan_free(subx_fft_plan *plan)
{
    if (!*plan)
        return;
    for (int d = SX_FORWARD; d <= SX_ROUND; d++)
        sx_base_free((*plan)->list[d].event);
    (*plan)->choice.strategy->free(*plan);
    sx_base_free((*plan)->report.list);
    sx_base_free((*plan)->stage);
    sx_base_free(*plan);
    *plan = SUBX_FFT_PLAN_NULL;
}

/* ---- create */

/* N is a double, because the product of the lengths may exceed 63 bits, and only its reciprocal is needed. */
static void set_scaling(subx_fft_plan plan)
{
    const sx_array *a = &plan->choice.array;
    const int scaling = plan->choice.hints.scaling;
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

/* Copy the hints. Hints that the plan has decided are set, so that pipes and exchanges do not read
 * environment variables for them. subx_work = caller: the plan supplies the work space of exchanges. */
static int copy_hints(const sx_choice *choice, MPI_Info hints, MPI_Info *copy)
{
    int rc = sx_hints_copy(hints, copy);
    if (!rc)
        rc = sx_hints_export(&choice->hints, *copy);
    return rc ? rc : MPI_Info_set(*copy, "subx_work", "caller");
}

/* An idle rank has no coordinates in the grid. */
static int create_stages(subx_fft_plan plan)
{
    int g, coords[SUBX_NDIMS_MAX], rc = MPI_SUCCESS;
    if (!plan->is_idle)
        rc = subx_grid_get(plan->grid, SUBX_NDIMS_MAX, &g, NULL, coords);
    return rc ? rc
              : sx_stages_create(&plan->choice, plan->is_idle ? NULL : coords, &plan->nstages, &plan->stage);
}

/* List the events of all directions. A plan without operations has no round executions. */
static int create_lists(subx_fft_plan plan)
{
    const int last = plan->choice.problem->has_operation ? SX_ROUND : SX_BACKWARD;
    int rc = MPI_SUCCESS;
    for (int d = SX_FORWARD; d <= last && !rc; d++)
        rc = sx_list_create(&plan->list[d], plan->choice.strategy->list, plan, d);
    return rc;
}

/* Ranks agree on each step before the next one, so that no rank enters a collective call that another rank
 * leaves out. */
static int build(subx_fft_plan plan, int rc, MPI_Info hints)
{
    const sx_choice *c = &plan->choice;
    rc = sx_base_agree(plan->everyone, rc ? rc : create_stages(plan), NULL);
    if (rc)
        return rc;
    set_scaling(plan);
    if (!plan->is_idle)
        rc = sx_plan_check_memory(plan, rc, sx_plan_get_least_work(plan));
    if (!rc && !plan->is_idle)
        rc = c->strategy->create(plan, hints);
    if (!rc && !plan->is_idle)
        rc = create_lists(plan);
    if (!rc && c->hints.memory > 0 && sx_plan_get_work(plan) > c->hints.memory)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    return sx_plan_find_lost(plan, rc);
}

static int create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    MPI_Comm everyone = MPI_COMM_NULL;
    MPI_Info copy = MPI_INFO_NULL;
    subx_fft_plan made = *plan = sx_base_alloc(1, sizeof *made);
    (void)subx_grid_get_comm(choice->shared.all_ranks, -1, &everyone);
    int rc = sx_base_agree(everyone, made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (made) {
        made->choice = *choice;
        made->grid = grid;
        made->is_idle = !grid;
        made->everyone = everyone;
        made->all = MPI_COMM_NULL;
        (void)subx_grid_get_comm(grid, -1, &made->all);
        made->threads = 1;
        strcpy(made->engine, choice->hints.engine);
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
    if (subx_error_get_kind(rc) != SUBX_ERR_NO_MEM || !choice->hints.memory || !choice->strategy->reduce ||
        !choice->strategy->reduce(&reduced))
        return rc;
    return create(&reduced, grid, hints, plan);
}
