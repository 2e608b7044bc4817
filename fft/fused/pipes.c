/* pipes.c - the pipes of a fused plan: which blocks they carry, and how these are stored. */
#include "fused/fused.h"
#include <string.h>

/* ---- blocks */

/* Rows begin on cache lines, so that a pass writes and reads whole lines, unless that would lengthen messages
 * much. */
static ptrdiff_t round_up(ptrdiff_t row)
{
    ptrdiff_t line = SX_ALIGNMENT / SX_ELEMENT;
    return row < 8 * line ? row : (row + line - 1) / line * line;
}

/* Whatever lies this many bytes apart shares the sets of a cache. */
enum { PAGE = 4096 };

static void set_strides(sx_region *region, int ndims)
{
    ptrdiff_t stride = 1;
    for (int a = ndims - 1; a >= 0; a--) {
        region->stride[a] = stride;
        stride *= region->len[a];
        if (a == ndims - 1)
            stride = round_up(stride);
        if (stride * SX_ELEMENT % PAGE == 0)
            stride += SX_ALIGNMENT / SX_ELEMENT;
    }
}

/* A rank sends its part of the axis that is being divided, and receives parts of the axis that becomes whole. */
int sx_fused_get_block(subx_fft_plan plan, int i, int d, int side, int slice, int peer, sx_region *region)
{
    const sx_stage *s = &plan->stage[i];
    const sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    const sx_box *box = sx_stage_get_box(s, d, side);
    int ranks = sx_plan_get_ranks(plan, s), c = e->slice_axis[d];
    int axis = side == SX_FROM ? sx_stage_get_divided(s, d) : sx_stage_get_whole(s, d);
    ptrdiff_t start = 0;
    memset(region, 0, sizeof *region);
    memcpy(region->len, box->len, sizeof region->len);
    int rc = subx_block_get(box->n[axis], ranks, peer, &region->len[axis], &region->start[axis]);
    if (!rc && e->nslices > 1)
        rc = subx_block_get(region->len[c], e->nslices, slice, &region->len[c], &start);
    region->start[c] += start;
    region->place = slice * ranks + peer;
    set_strides(region, box->ndims);
    return rc;
}

static MPI_Count get_bytes(const sx_region *region, int ndims)
{
    for (int a = 0; a < ndims; a++)
        if (region->len[a] == 0)
            return 0;
    return (MPI_Count)region->stride[0] * region->len[0] * SX_ELEMENT;
}

static int set_counts(subx_fft_plan plan, int i, int d, int side, int nblocks, MPI_Count bytes[])
{
    int rc = MPI_SUCCESS, p = sx_plan_get_ranks(plan, &plan->stage[i]);
    for (int b = 0; b < nblocks && !rc; b++) {
        sx_region region;
        rc = sx_fused_get_block(plan, i, d, side, b / p, b % p, &region);
        bytes[b] = get_bytes(&region, plan->choice.ndims);
    }
    return rc;
}

/* ---- pipes */

/* A rank that has failed asks for a pipe of no slices, which fails on all ranks of the row. */
static int create_pipe(subx_fft_plan plan, int i, int d, int rc, void *hints)
{
    const sx_stage *s = &plan->stage[i];
    sx_fused_pipe *e = &((sx_fused *)plan->state)->pipe[i];
    int nblocks = e->nslices * sx_plan_get_ranks(plan, s);
    MPI_Count *send = sx_base_alloc(nblocks, sizeof *send), *recv = sx_base_alloc(nblocks, sizeof *recv);
    MPI_Comm row;
    if (!rc && (!send || !recv))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = set_counts(plan, i, d, SX_FROM, nblocks, send);
    if (!rc)
        rc = set_counts(plan, i, d, SX_TO, nblocks, recv);
    (void)subx_grid_get_comm(plan->grid, s->dim, &row);
    int failed = subx_pipe_create(row, rc ? 0 : e->nslices, send, recv, *(MPI_Info *)hints, &e->pipe[d]);
    sx_base_free(recv);
    sx_base_free(send);
    return rc ? rc : failed;
}

void sx_fused_free_pipes(sx_fused *a)
{
    for (int i = SX_NSTAGES_MAX - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            (void)subx_pipe_free(&a->pipe[i].pipe[d]);
}

/* Note whether this rank gets messages. */
static int note_messages(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_fused *a = plan->state;
    MPI_Count bytes = 0;
    (void)context;
    if (!rc)
        rc = subx_pipe_get(a->pipe[i].pipe[d], NULL, NULL, &bytes);
    a->has_messages |= bytes > 0;
    return rc;
}

/* Create the pipes without slices first, to learn whether any rank receives messages. If so, create them
 * again with slices. */
int sx_fused_create_pipes(subx_fft_plan plan, MPI_Info hints)
{
    sx_fused *a = plan->state;
    for (int i = 0; i < plan->nstages; i++)
        a->pipe[i].nslices = 1;
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, note_messages, NULL);
    rc = sx_base_agree_flags(plan->all, rc, NULL, 1, &a->has_messages);
    if (rc || !a->has_messages || plan->choice.overlap == SX_OVERLAP_NONE)
        return rc;
    sx_fused_free_pipes(a);
    sx_fused_choose_slices(plan);
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_pipe, &hints);
    return sx_base_agree(plan->all, rc, NULL);
}
