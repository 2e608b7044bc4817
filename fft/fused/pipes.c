/* pipes.c - create the pipes of a fused plan. */
#include "fused/fused.h"

/* ---- one pipe */

/* Create the pipe of stage i in direction d. A rank that has failed asks for a pipe of no slices: then
 * creation fails on all ranks of this pipe. */
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

/* Set the flag of an exchange if this rank receives messages in it. */
static int note_messages(subx_fft_plan plan, int i, int d, int rc, void *flags)
{
    sx_fused *a = plan->state;
    ptrdiff_t bytes = 0;
    if (!rc)
        rc = subx_pipe_get(a->pipe[i].pipe[d], NULL, NULL, &bytes);
    ((int *)flags)[i] |= bytes > 0;
    return rc;
}

/* Find the exchanges in which some rank receives messages, in either direction. Their pipes are narrow if the
 * caller asks for floats. Collective: if some rank has an error, all ranks return one. */
static int find_messages(subx_fft_plan plan, int rc)
{
    sx_fused *a = plan->state;
    const int narrows = sx_choice_is_narrow(&plan->choice), n = plan->nstages;
    int flags[SX_NSTAGES_MAX] = {0};
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, note_messages, flags);
    for (int i = 0; i < n; i += SX_FLAGS_MAX)
        rc = sx_base_agree_flags(plan->all, rc, NULL, n - i < SX_FLAGS_MAX ? n - i : SX_FLAGS_MAX, &flags[i]);
    for (int i = 0; i < n; i++) {
        a->has_messages |= flags[i];
        a->pipe[i].is_narrow = narrows && flags[i];
    }
    return rc;
}

static int has_narrow(subx_fft_plan plan)
{
    for (int i = 0; i < plan->nstages; i++)
        if (((sx_fused *)plan->state)->pipe[i].is_narrow)
            return 1;
    return 0;
}

/* Choose the numbers of slices. Returns 1 if pipes may have several slices. */
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

/* First create the pipes with one slice each, and find the pipes in which some rank receives messages: the
 * choices of slices and of floats depend on this. If pipes may have several slices, or get floats, create the
 * pipes once more. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints)
{
    sx_fused *a = plan->state;
    for (int i = 0; i < plan->nstages; i++)
        a->pipe[i].nslices = 1;
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    rc = find_messages(plan, rc);
    if (rc || (!choose_slices(plan) && !has_narrow(plan)))
        return rc;
    sx_fused_free_pipes(a);
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    return sx_base_agree(plan->all, rc, NULL);
}
