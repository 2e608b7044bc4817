/* fuse.c - the making of fused stages: passes that transform tiles while these are in the caches, and
 * pipes between them, whose blocks a pass writes and reads as it scatters and gathers. */
#include "plan/plan.h"
#include <string.h>

enum { ELEMENT = 2 * sizeof(double) }; /* bytes, of what travels */

/* ---- blocks of a pipe */

/* The axis that an exchange divides in a direction, and the one that it makes whole. */
static int get_divided(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->whole : e->divided;
}

static int get_whole(const sx_stage *e, int d)
{
    return d == SX_FORWARD ? e->divided : e->whole;
}

static int get_ranks(subx_fft_plan plan, const sx_stage *e)
{
    return plan->choice.dims[e->dim];
}

/* Rows begin on cache lines, so that a pass writes and reads whole ones, unless that would lengthen
 * messages much. */
static ptrdiff_t round_up(ptrdiff_t row)
{
    ptrdiff_t line = SX_ALIGNMENT / ELEMENT;
    return row < 8 * line ? row : (row + line - 1) / line * line;
}

/* What lies so many bytes apart shares the sets of a cache. */
enum { PAGE = 4096 };

/* The part of a slice that this rank sends to a rank, or gets from it: a block in C order. */
static int set_block(subx_fft_plan plan, const sx_stage *e, int d, int side, int slice, int peer,
                     sx_part *part)
{
    const sx_box *box = sx_stage_get_box(e, d, side);
    int axis = side == SX_READ ? get_divided(e, d) : get_whole(e, d), c = e->slice_axis[d];
    ptrdiff_t stride = 1, start = 0;
    memset(part, 0, sizeof *part);
    memcpy(part->len, box->len, sizeof part->len);
    int rc = subx_block_get(box->n[axis], get_ranks(plan, e), peer, &part->len[axis], &part->start[axis]);
    if (!rc && e->nslices > 1) {
        rc = subx_block_get(part->len[c], e->nslices, slice, &part->len[c], &start);
        part->start[c] += start;
    }
    for (int a = box->ndims - 1; a >= 0; a--) {
        part->stride[a] = stride;
        stride *= part->len[a];
        stride = a == box->ndims - 1 ? round_up(stride) : stride;
        if (stride * ELEMENT % PAGE == 0)
            stride += SX_ALIGNMENT / ELEMENT;
    }
    part->place = slice * get_ranks(plan, e) + peer;
    return rc;
}

static MPI_Count get_bytes(const sx_part *part, int ndims)
{
    for (int a = 0; a < ndims; a++)
        if (part->len[a] == 0)
            return 0;
    return (MPI_Count)part->stride[0] * part->len[0] * ELEMENT;
}

/* ---- pipes */

static int set_counts(subx_fft_plan plan, const sx_stage *e, int d, int side, MPI_Count bytes[])
{
    sx_part part;
    int rc = MPI_SUCCESS, p = get_ranks(plan, e);
    for (int i = 0; i < e->nslices * p && !rc; i++) {
        rc = set_block(plan, e, d, side, i / p, i % p, &part);
        bytes[i] = get_bytes(&part, plan->choice.ndims);
    }
    return rc;
}

/* A rank that has failed asks for a pipe of no slices, which fails on all. */
static int create_pipe(subx_fft_plan plan, sx_stage *e, int d, MPI_Info hints, int failed)
{
    MPI_Comm comm;
    int blocks = e->nslices * get_ranks(plan, e);
    MPI_Count *send = sx_base_alloc(blocks, sizeof *send), *recv = sx_base_alloc(blocks, sizeof *recv);
    int rc = !failed && (!send || !recv) ? subx_error_get(SUBX_ERR_NO_MEM) : failed;
    if (!rc)
        rc = set_counts(plan, e, d, SX_READ, send);
    if (!rc)
        rc = set_counts(plan, e, d, SX_WRITE, recv);
    int given = subx_grid_get_comm(plan->grid, e->dim, &comm);
    if (!given) {
        int made = subx_pipe_create(comm, rc ? 0 : e->nslices, send, recv, hints, &e->pipe[d]);
        rc = rc ? rc : made;
    }
    sx_base_free(recv);
    sx_base_free(send);
    return rc ? rc : given;
}

static int is_exchange(const sx_stage *s)
{
    return s->kind == SUBX_FFT_STAGE_EXCHANGE;
}

/* Collective on the grid's rows, like the exchanges of other strategies. */
static int create_pipes(subx_fft_plan plan, MPI_Info hints)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && is_exchange(&plan->stage[i]); d++) {
            int failed = create_pipe(plan, &plan->stage[i], d, hints, rc);
            rc = rc ? rc : failed;
        }
    return rc;
}

static void free_pipes(subx_fft_plan plan)
{
    for (int i = plan->nstages - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            subx_pipe_free(&plan->stage[i].pipe[d]);
}

/* ---- slices */

static int is_transformed(const sx_stage *s, int axis)
{
    for (int i = 0; i < s->naxes; i++)
        if (s->axes[i] == axis)
            return 1;
    return 0;
}

/* The longest axis that an exchange leaves alone and that the passes on both sides loop over, so that both
 * may do one slice after the other; -1 if there is none. */
static int get_common_axis(const sx_stage *e)
{
    int best = -1;
    for (int a = 0; a < e->from.ndims; a++)
        if (a != e->whole && a != e->divided && !is_transformed(e - 1, a) && !is_transformed(e + 1, a) &&
            (best < 0 || e->from.len[a] > e->from.len[best]))
            best = a;
    return best;
}

enum { MOST_SLICES = 4, LEAST_MESSAGE = 64 << 10 };

/* The same on all ranks: by what all of them exchange together. */
static int count_slices(subx_fft_plan plan, const sx_stage *e)
{
    const sx_choice *c = &plan->choice;
    double message = ELEMENT;
    for (int a = 0; a < c->ndims; a++)
        message *= (double)c->spectral[a];
    for (int k = 0; k < c->g; k++)
        message /= c->dims[k];
    message /= get_ranks(plan, e);
    if (c->slices > 0)
        return c->slices;
    return message > (double)MOST_SLICES * LEAST_MESSAGE ? MOST_SLICES
           : message < 2.0 * LEAST_MESSAGE               ? 1
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
        e->slice_axis[d] = common >= 0 ? common : get_divided(e, d);
}

/* The stage before or after another, as seen in a direction; NULL for none. */
static const sx_stage *get_neighbour(subx_fft_plan plan, int i, int d, int side)
{
    int k = (d == SX_FORWARD) == (side == SX_WRITE) ? i + 1 : i - 1;
    return k >= 0 && k < plan->nstages ? &plan->stage[k] : NULL;
}

/* 1 if a pass can send slice by slice: along an axis that it loops over, not the one that is divided. */
static int sends_slices(const sx_stage *e, int d)
{
    return e && e->nslices > 1 && e->slice_axis[d] != get_divided(e, d);
}

static int get_slices(subx_fft_plan plan, int i, int d)
{
    const sx_stage *in = get_neighbour(plan, i, d, SX_READ), *out = get_neighbour(plan, i, d, SX_WRITE);
    int sends = sends_slices(out, d);
    if (!in || in->nslices == 1 || plan->choice.overlap == SX_OVERLAP_SEND)
        return sends ? SX_SLICES_OUT : SX_SLICES_NONE;
    return sends && in->slice_axis[d] == out->slice_axis[d] ? SX_SLICES_THROUGH : SX_SLICES_IN;
}

static void choose_slices(subx_fft_plan plan)
{
    for (int i = 0; i < plan->nstages; i++)
        if (is_exchange(&plan->stage[i]))
            set_slices(plan, &plan->stage[i]);
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !is_exchange(&plan->stage[i]); d++)
            plan->stage[i].slices[d] = get_slices(plan, i, d);
}

/* Whether anything goes by messages is known once there are pipes. */
static int find_far(subx_fft_plan plan, MPI_Comm all, int rc)
{
    MPI_Count bytes;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && is_exchange(&plan->stage[i]) && !rc; d++) {
            rc = subx_pipe_get(plan->stage[i].pipe[d], NULL, NULL, &bytes);
            plan->areas.far |= bytes > 0;
        }
    return sx_base_agree_flags(all, rc, NULL, 1, &plan->areas.far);
}

static int set_pipes(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    for (int i = 0; i < plan->nstages; i++)
        plan->stage[i].nslices = 1;
    int rc = find_far(plan, all, create_pipes(plan, hints));
    if (rc || !plan->areas.far || plan->choice.overlap == SX_OVERLAP_NONE)
        return rc;
    free_pipes(plan);
    choose_slices(plan);
    return sx_base_agree(all, create_pipes(plan, hints), NULL);
}

/* ---- areas */

/* The first exchange in a direction sends from area 0, the next from area 1, and so on in turn. */
static void deal_areas(subx_fft_plan plan)
{
    for (int d = 0; d < 2; d++)
        for (int i = 0, count = 0; i < plan->nstages; i++) {
            sx_stage *s = &plan->stage[d == SX_FORWARD ? i : plan->nstages - 1 - i];
            if (is_exchange(s))
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
        for (int d = 0; d < 2 && is_exchange(&plan->stage[i]) && !rc; d++) {
            const sx_stage *e = &plan->stage[i];
            int k = e->area[d], r = get_recv_area(plan, e, d);
            MPI_Count send, recv;
            rc = subx_pipe_get(e->pipe[d], NULL, &send, &recv);
            a->send_bytes[k] = send > a->send_bytes[k] ? (ptrdiff_t)send : a->send_bytes[k];
            a->recv_bytes[r] = recv > a->recv_bytes[r] ? (ptrdiff_t)recv : a->recv_bytes[r];
            blocks = e->nslices * get_ranks(plan, e) > blocks ? e->nslices * get_ranks(plan, e) : blocks;
        }
    a->block = sx_base_alloc(blocks, sizeof *a->block);
    return rc || a->block ? rc : subx_error_get(SUBX_ERR_NO_MEM);
}

/* Two passes without an exchange between them work in the caller's output, unless that is no complex
 * array. */
static void set_local_bytes(subx_fft_plan plan)
{
    for (int i = 0; i + 1 < plan->nstages; i++)
        if (!is_exchange(&plan->stage[i]) && !is_exchange(&plan->stage[i + 1]) &&
            (plan->choice.kind != SUBX_FFT_C2C || is_exchange(&plan->stage[plan->nstages - 2])))
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
        for (int d = 0; d < 2 && is_exchange(&plan->stage[i]); d++) {
            const sx_stage *e = &plan->stage[i];
            int failed = subx_pipe_set_work(e->pipe[d], plan->areas.send[e->area[d]],
                                            plan->areas.recv[get_recv_area(plan, e, d)]);
            rc = rc ? rc : failed;
        }
    return rc;
}

/* ---- passes */

static int set_whole_part(const sx_box *box, sx_tile_side *side)
{
    side->nparts = 1;
    side->part = sx_base_alloc(1, sizeof *side->part);
    if (!side->part)
        return subx_error_get(SUBX_ERR_NO_MEM);
    memcpy(side->part->len, box->len, sizeof side->part->len);
    sx_box_get_strides(box, side->part->stride);
    return MPI_SUCCESS;
}

/* Where a pass writes is a side that the exchange reads, and the other way round. */
static int set_pipe_parts(subx_fft_plan plan, const sx_stage *e, int d, int which, sx_tile_side *side)
{
    int p = get_ranks(plan, e), rc = MPI_SUCCESS;
    side->nparts = e->nslices * p;
    side->part = sx_base_alloc(side->nparts, sizeof *side->part);
    if (!side->part)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < side->nparts && !rc; i++) {
        sx_part *part = &side->part[i];
        MPI_Count offset = 0;
        rc = set_block(plan, e, d, which == SX_WRITE ? SX_READ : SX_WRITE, i / p, i % p, part);
        if (!rc && which == SX_WRITE) {
            rc = subx_pipe_get_place(e->pipe[d], i / p, i % p, &offset);
            part->place = 0;
            part->offset = (ptrdiff_t)offset;
        }
    }
    return rc;
}

static int set_side(subx_fft_plan plan, int i, int d, int which, sx_tile_side *side)
{
    const sx_box *box = sx_stage_get_box(&plan->stage[i], d, which);
    const sx_stage *e = get_neighbour(plan, i, d, which);
    side->width = box->width;
    memcpy(side->len, box->len, sizeof side->len);
    return e && is_exchange(e) ? set_pipe_parts(plan, e, d, which, side) : set_whole_part(box, side);
}

enum { FEW_PENCILS = 16, MORE_PENCILS = 32 };

/* Rows of the caller's arrays may begin anywhere, so that fewer and longer pieces of them are better. */
static ptrdiff_t get_wish(subx_fft_plan plan, int i, int d)
{
    int last = plan->choice.ndims - 1;
    if (plan->choice.width > 0)
        return plan->choice.width;
    for (int side = 0; side < 2; side++)
        if (!get_neighbour(plan, i, d, side) && sx_stage_get_box(&plan->stage[i], d, side)->order[0] == last)
            return MORE_PENCILS;
    return FEW_PENCILS;
}

/* Pencils side by side: as many as are wished for where that lengthens what is contiguous in memory, else
 * as many as fit into a nearer cache; in any case at least one. */
static ptrdiff_t get_width(subx_fft_plan plan, int i, int d)
{
    const sx_choice *c = &plan->choice;
    const sx_stage *s = &plan->stage[i];
    ptrdiff_t bytes = ELEMENT, wish = get_wish(plan, i, d);
    int last = is_transformed(s, c->ndims - 1);
    for (int k = 0; k < s->naxes; k++)
        bytes *= s->to.n[s->axes[k]];
    ptrdiff_t fit = (last ? c->cache_bytes / 8 : c->cache_bytes) / bytes;
    ptrdiff_t least = last ? 1 : 4;
    fit = fit < least ? least : fit;
    return fit < wish ? fit : wish;
}

/* The halved axis is the last one. */
static int get_kind(const sx_stage *s, int d)
{
    if (s->from.width == s->to.width)
        return SUBX_FFT_C2C;
    return d == SX_FORWARD ? SUBX_FFT_R2C : SUBX_FFT_C2R;
}

/* A pass in the middle of several without an exchange works in place in the caller's array, or in ours. */
static int is_in_place(subx_fft_plan plan, int i, int d)
{
    const sx_stage *before = get_neighbour(plan, i, d, SX_READ), *after = get_neighbour(plan, i, d, SX_WRITE);
    return before && !is_exchange(before) && !plan->areas.local && (!after || !is_exchange(after));
}

static void set_problem(subx_fft_plan plan, int i, int d, sx_tile_problem *p)
{
    const sx_stage *s = &plan->stage[i];
    const sx_choice *c = &plan->choice;
    int is_last = i == (d == SX_FORWARD ? plan->nstages - 1 : 0), in_place = is_in_place(plan, i, d);
    *p = (sx_tile_problem){
        .kind = get_kind(s, d),
        .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
        .ndims = c->ndims,
        .naxes = s->naxes,
        .width = get_width(plan, i, d),
        .interleaved = c->pencils == SX_PENCILS_AUTO ? in_place : c->pencils == SX_PENCILS_INTERLEAVED,
        .is_small = s->to.bytes <= c->cache_bytes,
        .is_in_place = in_place,
        .threads = c->serial->is_reentrant ? sx_tile_get_threads(c->threads) : 1,
        .effort = c->effort,
        .factor = is_last ? plan->factor[d] : 1,
        .serial = c->serial};
    memcpy(p->axes, s->axes, sizeof p->axes);
}

static int create_pass(subx_fft_plan plan, int i, int d)
{
    sx_stage *s = &plan->stage[i];
    sx_tile_problem p;
    if (s->from.bytes == 0 || s->to.bytes == 0)
        return MPI_SUCCESS;
    set_problem(plan, i, d, &p);
    int rc = set_side(plan, i, d, SX_READ, &p.side[SX_READ]);
    if (!rc)
        rc = set_side(plan, i, d, SX_WRITE, &p.side[SX_WRITE]);
    if (!rc)
        rc = sx_pass_create(&p, &s->pass[d]);
    sx_base_free(p.side[SX_WRITE].part);
    sx_base_free(p.side[SX_READ].part);
    return rc;
}

static int create_passes(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && !is_exchange(&plan->stage[i]) && !rc; d++)
            rc = create_pass(plan, i, d);
    return rc;
}

ptrdiff_t sx_plan_get_tile_bytes(subx_fft_plan plan)
{
    ptrdiff_t bytes = 0;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2; d++)
            bytes += sx_pass_get_bytes(plan->stage[i].pass[d]);
    return bytes;
}

/* ---- create and free */

static int fuse(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    int rc = set_pipes(plan, all, hints);
    if (!rc)
        rc = alloc_areas(plan, all, hints);
    if (rc)
        return rc;
    rc = sx_base_agree(all, set_works(plan), NULL);
    return rc ? rc : sx_base_agree(all, create_passes(plan), NULL);
}

/* Where there turns out to be too little memory that can be shared, messages do. */
static int fuse_without_sharing(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    MPI_Info info = MPI_INFO_NULL;
    strcpy(plan->choice.engine, "pairwise");
    int rc = hints == MPI_INFO_NULL ? MPI_Info_create(&info) : MPI_Info_dup(hints, &info);
    if (!rc)
        rc = MPI_Info_set(info, "subx_engine", plan->choice.engine);
    rc = sx_base_agree(all, rc, NULL);
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
    for (int i = plan->nstages - 1; i >= 0; i--)
        for (int d = 1; d >= 0; d--)
            sx_pass_free(&plan->stage[i].pass[d]);
    for (int k = 0; k < 2; k++)
        if (a->busy[k])
            (void)subx_pipe_wait(a->busy[k]);
    free_pipes(plan);
    for (int k = 1; k >= 0; k--) {
        if (a->send[k])
            subx_mem_free(&a->send[k]);
        sx_base_free(a->recv[k]);
    }
    sx_base_free(a->local);
    sx_base_free(a->block);
    *a = (sx_areas){0};
}
