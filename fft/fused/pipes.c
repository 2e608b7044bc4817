/* pipes.c - the pipes of a fused plan. */
#include "fused/fused.h"

/* ---- pipes */

/* A rank that has failed asks for a pipe of no slices: then creation fails on all ranks of this pipe. */
static int create_pipe(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    MPI_Info hints = *(MPI_Info *)context;
    const sx_stage *s = &plan->stage[i];
    sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    sx_fused_blocks send = {0}, recv = {0};
    MPI_Comm row;
    if (!rc)
        rc = sx_fused_blocks_create(plan, i, d, SX_FROM, &send);
    if (!rc)
        rc = sx_fused_blocks_create(plan, i, d, SX_TO, &recv);
    if (!rc)
        rc = sx_hints_set_engine(plan->engine, plan->choice.hints.between, s->dim, hints);
    (void)subx_grid_get_comm(plan->grid, s->dim, &row);
    int failed = subx_pipe_create_ring(row, rc ? 0 : e->nslices, e->is_ring ? SX_RING_DEPTH : e->nslices,
                                       send.bytes, recv.bytes, hints, &e->pipe[d]);
    sx_fused_blocks_free(&recv);
    sx_fused_blocks_free(&send);
    return rc ? rc : failed;
}

void sx_fused_free_pipes(sx_fused *a)
{
    for (int i = a->nstages - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            (void)subx_pipe_free(&a->pipe[i].pipe[d]);
}

/* Set has_messages if this rank receives messages. */
static int note_messages(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_fused *a = plan->state;
    ptrdiff_t bytes = 0;
    (void)context;
    if (!rc)
        rc = subx_pipe_get(a->pipe[i].pipe[d], NULL, NULL, &bytes);
    a->has_messages |= bytes > 0;
    return rc;
}

/* Choose slices. Returns 1 if pipes may have several slices, and must be created again. */
static int choose_slices(subx_fft_plan plan)
{
    const sx_fused *a = plan->state;
    if (!a->has_messages)
        return sx_fused_choose_rings(plan) > 0;
    if (plan->choice.hints.overlap == SX_OVERLAP_NONE)
        return 0;
    sx_fused_choose_slices(plan);
    return 1;
}

/* First create the pipes without slices, to find out whether any rank receives messages. The choice of slices depends
 * on this. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints)
{
    sx_fused *a = plan->state;
    for (int i = 0; i < plan->nstages; i++)
        a->pipe[i].nslices = 1;
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, note_messages, NULL);
    rc = sx_base_agree_flags(plan->all, rc, NULL, 1, &a->has_messages);
    if (rc || !choose_slices(plan))
        return rc;
    sx_fused_free_pipes(a);
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    return sx_base_agree(plan->all, rc, NULL);
}
