/* plan.c - create, execute and free a plan. */
#include "plan/plan.h"
#include <math.h>
#include <string.h>

/* ---- free */

void sx_plan_free(subx_fft_plan *plan)
{
    if (!*plan)
        return;
    (*plan)->choice.strategy->free(*plan);
    sx_base_free(*plan);
    *plan = SUBX_FFT_PLAN_NULL;
}

int subx_fft_plan_free(subx_fft_plan *plan)
{
    if (!plan || !*plan)
        return MPI_SUCCESS;
    subx_grid grid = (*plan)->grid;
    sx_plan_free(plan);
    return subx_grid_free(&grid);
}

/* ---- a plan with a given strategy */

/* N is a double, because the product of the lengths may exceed 63 bits and only its reciprocal is needed. */
static void set_factors(subx_fft_plan plan)
{
    const int scaling = plan->choice.scaling;
    double n = 1;
    for (int i = 0; i < plan->choice.ndims; i++)
        n *= (double)plan->choice.sizes[i];
    plan->factor[SX_FORWARD] = plan->factor[SX_BACKWARD] = 1;
    if (scaling == SX_SCALE_SYMMETRIC)
        plan->factor[SX_FORWARD] = plan->factor[SX_BACKWARD] = 1 / sqrt(n);
    else if (scaling != SX_SCALE_NONE)
        plan->factor[scaling == SX_SCALE_FORWARD ? SX_FORWARD : SX_BACKWARD] = 1 / n;
}

/* Copy the hints. Set the engine, and say that the plan supplies the work space of exchanges. */
static int copy_hints(const sx_choice *choice, MPI_Info hints, MPI_Info *copy)
{
    int rc = hints == MPI_INFO_NULL ? MPI_Info_create(copy) : MPI_Info_dup(hints, copy);
    if (!rc)
        rc = MPI_Info_set(*copy, "subx_engine", choice->engine);
    return rc ? rc : MPI_Info_set(*copy, "subx_work", "caller");
}

/* Ranks agree on each step before the next one, so that none enters a collective call that another has given
 * up. */
static int build(subx_fft_plan plan, int rc, MPI_Info hints)
{
    const sx_choice *c = &plan->choice;
    rc = sx_base_agree(plan->all, rc ? rc : sx_plan_set_stages(plan), NULL);
    if (rc)
        return rc;
    set_factors(plan);
    rc = c->strategy->create(plan, hints);
    if (!rc && c->memory > 0 && c->strategy->get_work(plan) > c->memory)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    return sx_plan_find_lost(plan, rc);
}

static int create(const sx_choice *choice, subx_grid grid, MPI_Info hints, subx_fft_plan *plan)
{
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Info copy = MPI_INFO_NULL;
    subx_fft_plan made = *plan = sx_base_alloc(1, sizeof *made);
    (void)subx_grid_get_comm(grid, -1, &all);
    int rc = sx_base_agree(all, made ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (made) {
        made->choice = *choice;
        made->grid = grid;
        made->all = all;
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
    if (subx_error_query(rc) != SUBX_ERR_NO_MEM || !choice->memory || !choice->strategy->reduce ||
        !choice->strategy->reduce(&reduced))
        return rc;
    return create(&reduced, grid, hints, plan);
}

/* ---- a plan */

/* Everything that can fail on one rank alone before the ranks meet. */
static int prepare(sx_choice *choice, MPI_Comm all, int kind, int ndims, const ptrdiff_t sizes[],
                   MPI_Info hints)
{
    int nranks;
    int rc = MPI_Comm_size(all, &nranks);
    return rc ? rc : sx_choice_set(choice, kind, ndims, sizes, nranks, hints);
}

/* Create a one-dimensional grid of all ranks first. It has the shared duplicate of the communicator, on
 * which ranks compare their arguments. */
static int create_line(MPI_Comm comm, subx_grid *line)
{
    int nranks;
    if (comm == MPI_COMM_NULL)
        return subx_error_get(SUBX_ERR_COMM);
    int rc;
    SX_AGAIN(rc, MPI_Comm_size(comm, &nranks)); /* else the others would wait for this rank */
    return rc ? rc : subx_grid_create(comm, 1, &nranks, line);
}

/* Read the problem and the hints, compare them between all ranks, and create the grid. All further meetings are on
 * the grid's communicators. */
static int begin(MPI_Comm comm, int is_wrong, int kind, int ndims, const ptrdiff_t sizes[], MPI_Info hints,
                 sx_choice *choice, subx_grid *grid)
{
    char key[4096] = "";
    sx_text t = {key, sizeof key, 0};
    subx_grid line;
    MPI_Comm all;
    int rc = create_line(comm, &line);
    if (rc)
        return rc;
    (void)subx_grid_get_comm(line, -1, &all);
    rc = is_wrong ? subx_error_get(SUBX_ERR_ARG) : prepare(choice, all, kind, ndims, sizes, hints);
    if (!rc)
        sx_choice_print_key(choice, &t);
    rc = sx_base_agree(all, rc, key);
    if (!rc)
        rc = subx_grid_create(all, choice->g, choice->dims, grid);
    int failed = subx_grid_free(&line);
    return rc ? rc : failed;
}

int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[], MPI_Info hints,
                         subx_fft_plan *plan)
{
    sx_choice choice = {0};
    subx_grid grid = SUBX_GRID_NULL;
    subx_fft_plan made = SUBX_FFT_PLAN_NULL;
    if (plan)
        *plan = SUBX_FFT_PLAN_NULL;
    int rc = begin(comm, !plan, kind, ndims, sizes, hints, &choice, &grid);
    if (!rc)
        rc = choice.strategy ? sx_plan_create(&choice, grid, hints, &made)
                             : sx_plan_try(&choice, grid, hints, &made);
    if (rc) {
        subx_grid_free(&grid);
        return rc;
    }
    if (choice.verbose)
        sx_plan_print_verbose(made);
    *plan = made;
    return MPI_SUCCESS;
}

/* ---- execute */

int subx_fft_execute(subx_fft_plan plan, int direction, const void *from, void *to)
{
    int d = sx_plan_get_index(direction);
    if (!plan || d < 0)
        return subx_error_get(SUBX_ERR_ARG);
    const sx_stage *first = sx_plan_get_stage(plan, d, 0),
                   *last = sx_plan_get_stage(plan, d, plan->nstages - 1);
    if ((sx_stage_get_box(first, d, SX_FROM)->bytes && !from) ||
        (sx_stage_get_box(last, d, SX_TO)->bytes && !to))
        return subx_error_get(SUBX_ERR_ARG);
    return plan->choice.strategy->execute(plan, d, from, to);
}
