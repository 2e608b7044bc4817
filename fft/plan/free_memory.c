/* free_memory.c - check that the nodes have the memory that a plan will take. All ranks of a node allocate at
 * the same time, so they compare the sum of their needs with the memory that was free before. The hint
 * subx_memory is checked in plan.c. */
#include "plan/plan.h"
#include "limits/limits.h"
#include <stdint.h>

typedef struct need {
    int64_t bytes, available;
} need;

enum { NEED = sizeof(need) / sizeof(int64_t) };

/* Query whether this rank's node has as much memory as the plan's ranks on this node need. The ranks of the
 * plan are the first ranks of the placement. */
static int fits(const sx_placement *p, int nranks, int rank, const need all[])
{
    ptrdiff_t sum = 0, available = PTRDIFF_MAX;
    for (int q = 0; q < nranks; q++) {
        if (p->node[q] != p->node[rank])
            continue;
        if (sx_base_add(sum, (ptrdiff_t)all[q].bytes, &sum))
            return 0;
        available = all[q].available < available ? (ptrdiff_t)all[q].available : available;
    }
    return sum <= available;
}

static int compare(subx_fft_plan plan, int nranks, int rank, ptrdiff_t bytes, need all[])
{
    const need mine = {bytes, sx_base_get_free_memory()};
    int rc = MPI_Allgather(&mine, NEED, MPI_INT64_T, all, NEED, MPI_INT64_T, plan->all);
    return rc || fits(plan->choice.shared.placement, nranks, rank, all)
               ? rc
               : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int sx_plan_check_memory(subx_fft_plan plan, int rc, ptrdiff_t bytes)
{
    int nranks = 1, rank = 0, is_large = bytes > SX_PLAN_UNCHECKED;
    rc = sx_base_agree_flags(plan->all, rc, NULL, 1, &is_large);
    if (rc || !is_large || !plan->choice.shared.placement)
        return rc;
    (void)MPI_Comm_size(plan->all, &nranks);
    (void)MPI_Comm_rank(plan->all, &rank);
    need *all = sx_base_alloc(nranks, sizeof *all);
    rc = sx_base_agree(plan->all, all ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = sx_base_agree(plan->all, compare(plan, nranks, rank, bytes, all), NULL);
    sx_base_free(all);
    return rc;
}

ptrdiff_t sx_plan_get_work(subx_fft_plan plan)
{
    return plan->is_idle ? 0 : plan->choice.strategy->get_work(plan);
}

ptrdiff_t sx_plan_get_least_work(subx_fft_plan plan)
{
    ptrdiff_t bytes = 0;
    for (int i = 0; i < plan->nstages; i++) {
        const sx_stage *s = &plan->stage[i];
        if (sx_stage_is_exchange(s) && s->from.bytes > bytes && !s->edge[SX_FROM])
            bytes = s->from.bytes;
    }
    if (sx_choice_is_narrow(&plan->choice))
        bytes = bytes / plan->choice.array.real_bytes * (ptrdiff_t)sizeof(float);
    return bytes;
}
