/* fuse.c - the making of fused stages: passes, pipes between them, and the areas that pipes send from and
 * receive into. */
#include "plan/fuse.h"
#include <string.h>

/* ---- stages */

const sx_stage *sx_fuse_get_neighbour(subx_fft_plan plan, int i, int d, int side)
{
    int k = (d == SX_FORWARD) == (side == SX_TO) ? i + 1 : i - 1;
    return k >= 0 && k < plan->nstages ? &plan->stage[k] : NULL;
}

int sx_fuse_is_transformed(const sx_stage *s, int axis)
{
    for (int i = 0; i < s->naxes; i++)
        if (s->axes[i] == axis)
            return 1;
    return 0;
}

/* ---- areas */

/* The first exchange in a direction sends from area 0, the next from area 1, and so on in turn. */
static void deal_areas(subx_fft_plan plan)
{
    for (int d = 0; d < 2; d++)
        for (int i = 0, count = 0; i < plan->nstages; i++) {
            sx_stage *s = &plan->stage[d == SX_FORWARD ? i : plan->nstages - 1 - i];
            if (sx_stage_is_exchange(s))
                s->area[d] = count++ % 2;
        }
}

/* If one pipe is read while the next is sent from slice by slice, they need receive areas of their own. */
static int get_recv_area(subx_fft_plan plan, const sx_stage *e, int d)
{
    for (int i = 0; i < plan->nstages; i++)
        if (plan->stage[i].slices[d] == SX_SLICES_OUT || plan->stage[i].slices[d] == SX_SLICES_THROUGH)
            return e->area[d];
    return 0;
}

static int max_areas(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS, blocks = 1;
    sx_areas *a = &plan->areas;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]) && !rc; d++) {
            const sx_stage *e = &plan->stage[i];
            int k = e->area[d], r = get_recv_area(plan, e, d);
            MPI_Count send, recv;
            rc = subx_pipe_get(e->pipe[d], NULL, &send, &recv);
            a->send_bytes[k] = send > a->send_bytes[k] ? (ptrdiff_t)send : a->send_bytes[k];
            a->recv_bytes[r] = recv > a->recv_bytes[r] ? (ptrdiff_t)recv : a->recv_bytes[r];
            blocks = e->nslices * sx_plan_get_ranks(plan, e) > blocks
                         ? e->nslices * sx_plan_get_ranks(plan, e)
                         : blocks;
        }
    a->block = sx_base_alloc(blocks, sizeof *a->block);
    return rc || a->block ? rc : subx_error_get(SUBX_ERR_NO_MEM);
}

/* Two passes without an exchange between them work in the caller's output, unless that is no complex
 * array. */
static void set_local_bytes(subx_fft_plan plan)
{
    for (int i = 0; i + 1 < plan->nstages; i++)
        if (!sx_stage_is_exchange(&plan->stage[i]) && !sx_stage_is_exchange(&plan->stage[i + 1]) &&
            (plan->choice.kind != SUBX_FFT_C2C || sx_stage_is_exchange(&plan->stage[plan->nstages - 2])))
            plan->areas.local_bytes = plan->stage[i].to.bytes;
}

static int alloc_areas(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    sx_areas *a = &plan->areas;
    set_local_bytes(plan);
    deal_areas(plan);
    int rc = max_areas(plan);
    for (int k = 0; k < 2 && !rc; k++)
        if (a->recv_bytes[k] && !(a->recv[k] = sx_base_alloc(a->recv_bytes[k], 1)))
            rc = subx_error_get(SUBX_ERR_NO_MEM);
    if (!rc && a->local_bytes && !(a->local = sx_base_alloc(a->local_bytes, 1)))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(all, rc, NULL);
    for (int k = 0; k < 2 && !rc && plan->nstages > 1; k++)
        rc = subx_mem_alloc(all, a->send_bytes[k], hints, &a->send[k]);
    return rc;
}

/* Collective on the grid's rows: also after a failure, since others' rows cross this one. */
static int set_works(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]); d++) {
            const sx_stage *e = &plan->stage[i];
            int failed = subx_pipe_set_work(e->pipe[d], plan->areas.send[e->area[d]],
                                            plan->areas.recv[get_recv_area(plan, e, d)]);
            rc = rc ? rc : failed;
        }
    return rc;
}

/* ---- create and free */

static int fuse(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    int rc = sx_pipes_create(plan, all, hints);
    if (!rc)
        rc = alloc_areas(plan, all, hints);
    if (rc)
        return rc;
    rc = sx_base_agree(all, set_works(plan), NULL);
    return rc ? rc : sx_base_agree(all, sx_passes_create(plan), NULL);
}

/* Where there turns out to be too little memory that can be shared, messages do. */
static int fuse_without_sharing(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    MPI_Info info = MPI_INFO_NULL;
    strcpy(plan->choice.engine, "pairwise");
    int rc = sx_base_agree(all, sx_plan_add_hint(hints, "subx_engine", plan->choice.engine, &info), NULL);
    if (!rc)
        rc = fuse(plan, all, info);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return rc;
}

int sx_plan_fuse(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    int rc = fuse(plan, all, hints);
    if (subx_error_query(rc) != SUBX_ERR_UNAVAILABLE || strcmp(plan->choice.engine, "auto") != 0)
        return rc;
    sx_plan_free_fused(plan);
    return fuse_without_sharing(plan, all, hints);
}

void sx_plan_free_fused(subx_fft_plan plan)
{
    sx_areas *a = &plan->areas;
    sx_passes_free(plan);
    for (int k = 0; k < 2; k++)
        if (a->busy[k])
            (void)subx_pipe_wait(a->busy[k]);
    sx_pipes_free(plan);
    for (int k = 1; k >= 0; k--) {
        if (a->send[k])
            subx_mem_free(&a->send[k]);
        sx_base_free(a->recv[k]);
    }
    sx_base_free(a->local);
    sx_base_free(a->block);
    *a = (sx_areas){0};
}
