/* pipes.c - the pipes of fused stages: what blocks they carry, in how many slices. */
#include "plan/fuse.h"
#include <string.h>

/* ---- blocks of a pipe */

/* Rows begin on cache lines, so that a pass writes and reads whole ones, unless that would lengthen
 * messages much. */
static ptrdiff_t round_up(ptrdiff_t row)
{
    ptrdiff_t line = SX_ALIGNMENT / SX_ELEMENT;
    return row < 8 * line ? row : (row + line - 1) / line * line;
}

/* What lies so many bytes apart shares the sets of a cache. */
enum { PAGE = 4096 };

int sx_pipes_get_block(subx_fft_plan plan, const sx_stage *e, int d, int side, int slice, int peer,
                       sx_region *region)
{
    const sx_box *box = sx_stage_get_box(e, d, side);
    int axis = side == SX_FROM ? sx_stage_get_divided(e, d) : sx_stage_get_whole(e, d), c = e->slice_axis[d];
    ptrdiff_t stride = 1, start = 0;
    memset(region, 0, sizeof *region);
    memcpy(region->len, box->len, sizeof region->len);
    int rc = subx_block_get(box->n[axis], sx_plan_get_ranks(plan, e), peer, &region->len[axis],
                            &region->start[axis]);
    if (!rc && e->nslices > 1) {
        rc = subx_block_get(region->len[c], e->nslices, slice, &region->len[c], &start);
        region->start[c] += start;
    }
    for (int a = box->ndims - 1; a >= 0; a--) {
        region->stride[a] = stride;
        stride *= region->len[a];
        stride = a == box->ndims - 1 ? round_up(stride) : stride;
        if (stride * SX_ELEMENT % PAGE == 0)
            stride += SX_ALIGNMENT / SX_ELEMENT;
    }
    region->place = slice * sx_plan_get_ranks(plan, e) + peer;
    return rc;
}

static MPI_Count get_bytes(const sx_region *region, int ndims)
{
    for (int a = 0; a < ndims; a++)
        if (region->len[a] == 0)
            return 0;
    return (MPI_Count)region->stride[0] * region->len[0] * SX_ELEMENT;
}

/* ---- slices */

/* The longest axis that an exchange leaves alone and that the passes on both sides loop over, so that both
 * may do one slice after the other; -1 if there is none. */
static int get_common_axis(const sx_stage *e)
{
    int best = -1;
    for (int a = 0; a < e->from.ndims; a++)
        if (a != e->whole && a != e->divided && !sx_fuse_is_transformed(e - 1, a) &&
            !sx_fuse_is_transformed(e + 1, a) && (best < 0 || e->from.len[a] > e->from.len[best]))
            best = a;
    return best;
}

enum { ENOUGH_SLICES = 4, LEAST_MESSAGE = 64 << 10 };

/* The same on all ranks: by what all of them exchange together. */
static int count_slices(subx_fft_plan plan, const sx_stage *e)
{
    double message = sx_choice_get_share(&plan->choice) / sx_plan_get_ranks(plan, e);
    if (plan->choice.slices > 0)
        return plan->choice.slices;
    return message > (double)ENOUGH_SLICES * LEAST_MESSAGE ? ENOUGH_SLICES
           : message < 2.0 * LEAST_MESSAGE                 ? 1
                                                           : (int)(message / LEAST_MESSAGE);
}

/* Slices along the axis that is being divided come whole out of the pass before, but can be read one by
 * one. */
static void set_slices(subx_fft_plan plan, sx_stage *e)
{
    const sx_choice *c = &plan->choice;
    int common = c->overlap == SX_OVERLAP_RECEIVE ? -1 : get_common_axis(e);
    e->nslices = 1;
    if (!plan->areas.far || c->overlap == SX_OVERLAP_NONE || (c->overlap == SX_OVERLAP_SEND && common < 0))
        return;
    e->nslices = count_slices(plan, e);
    for (int d = 0; d < 2; d++)
        e->slice_axis[d] = common >= 0 ? common : sx_stage_get_divided(e, d);
}

/* 1 if a pass can send slice by slice: along an axis that it loops over, not the one that is divided. */
static int sends_slices(const sx_stage *e, int d)
{
    return e && e->nslices > 1 && e->slice_axis[d] != sx_stage_get_divided(e, d);
}

static int get_slices(subx_fft_plan plan, int i, int d)
{
    const sx_stage *in = sx_fuse_get_neighbour(plan, i, d, SX_FROM),
                   *out = sx_fuse_get_neighbour(plan, i, d, SX_TO);
    int sends = sends_slices(out, d);
    if (!in || in->nslices == 1 || plan->choice.overlap == SX_OVERLAP_SEND)
        return sends ? SX_SLICES_OUT : SX_SLICES_NONE;
    return sends && in->slice_axis[d] == out->slice_axis[d] ? SX_SLICES_THROUGH : SX_SLICES_IN;
}

static void choose_slices(subx_fft_plan plan)
{
    for (int i = 0; i < plan->nstages; i++)
        if (sx_stage_is_exchange(&plan->stage[i]))
            set_slices(plan, &plan->stage[i]);
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !sx_stage_is_exchange(&plan->stage[i]); d++)
            plan->stage[i].slices[d] = get_slices(plan, i, d);
}

/* ---- pipes */

static int set_counts(subx_fft_plan plan, const sx_stage *e, int d, int side, MPI_Count bytes[])
{
    sx_region region;
    int rc = MPI_SUCCESS, p = sx_plan_get_ranks(plan, e);
    for (int i = 0; i < e->nslices * p && !rc; i++) {
        rc = sx_pipes_get_block(plan, e, d, side, i / p, i % p, &region);
        bytes[i] = get_bytes(&region, plan->choice.ndims);
    }
    return rc;
}

/* A rank that has failed asks for a pipe of no slices, which fails on all. */
static int create_pipe(subx_fft_plan plan, sx_stage *e, int d, MPI_Info hints, int failed)
{
    MPI_Comm comm;
    int blocks = e->nslices * sx_plan_get_ranks(plan, e);
    MPI_Count *send = sx_base_alloc(blocks, sizeof *send), *recv = sx_base_alloc(blocks, sizeof *recv);
    int rc = !failed && (!send || !recv) ? subx_error_get(SUBX_ERR_NO_MEM) : failed;
    if (!rc)
        rc = set_counts(plan, e, d, SX_FROM, send);
    if (!rc)
        rc = set_counts(plan, e, d, SX_TO, recv);
    int given = subx_grid_get_comm(plan->grid, e->dim, &comm);
    if (!given) {
        int made = subx_pipe_create(comm, rc ? 0 : e->nslices, send, recv, hints, &e->pipe[d]);
        rc = rc ? rc : made;
    }
    sx_base_free(recv);
    sx_base_free(send);
    return rc ? rc : given;
}

/* Collective on the grid's rows, like the exchanges of other strategies. */
static int create_pipes(subx_fft_plan plan, MPI_Info hints)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]); d++) {
            int failed = create_pipe(plan, &plan->stage[i], d, hints, rc);
            rc = rc ? rc : failed;
        }
    return rc;
}

void sx_pipes_free(subx_fft_plan plan)
{
    for (int i = plan->nstages - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            subx_pipe_free(&plan->stage[i].pipe[d]);
}

/* Whether anything goes by messages is known once there are pipes. */
static int find_far(subx_fft_plan plan, MPI_Comm all, int rc)
{
    MPI_Count bytes = 0;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]) && !rc; d++) {
            rc = subx_pipe_get(plan->stage[i].pipe[d], NULL, NULL, &bytes);
            plan->areas.far |= bytes > 0;
        }
    return sx_base_agree_flags(all, rc, NULL, 1, &plan->areas.far);
}

int sx_pipes_create(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].nslices = 1;
    int rc = find_far(plan, all, create_pipes(plan, hints));
    if (rc || !plan->areas.far || plan->choice.overlap == SX_OVERLAP_NONE)
        return rc;
    sx_pipes_free(plan);
    choose_slices(plan);
    return sx_base_agree(all, create_pipes(plan, hints), NULL);
}
