/* list.c - list what a direction of a fused plan does: the passes, and around each pass the epochs of the
 * pipes that it reads and writes.
 *
 *      slices of a pass   NONE      start 0 1 2   pass                              post 0 1 2
 *                         IN        start 0   pass 0   start 1   pass 1   ..        post 0 1 2
 *                         OUT       start 0 1 2   pass 0   post 0   pass 1   post 1   ..
 *                         THROUGH   start 0   pass 0   post 0   start 1   pass 1   post 1   ..
 *      a ring             room 0   pass A 0   post 0   start 0   pass B 0   read 0   room 1   .. */
#include "fused/fused.h"

typedef sx_fused_step step;

/* ---- the passes of a direction */

static sx_fused_end get_end(subx_fft_plan plan, int i, int d, int side)
{
    const sx_fused *a = plan->state;
    const int k = sx_plan_get_adjacent(plan, i, d, side);
    if (k < 0 || !sx_stage_is_exchange(&plan->stage[k]))
        return (sx_fused_end){.pipe = SUBX_PIPE_NULL};
    const sx_fused_pipe *e = &a->pipe[k];
    return (sx_fused_end){.pipe = e->pipe[d],
                          .i = k,
                          .d = d,
                          .slices = e->nslices,
                          .ranks = sx_plan_get_ranks(plan, &plan->stage[k]),
                          .area = e->send_area[d],
                          .is_ring = e->is_ring,
                          .block = a->block[e->is_ring]};
}

/* Get the memory that a pass reads or writes if no pipe is there: an array of the caller at the ends of a
 * direction. */
static int get_array(subx_fft_plan plan, int i, int d, int side)
{
    const int is_end = sx_plan_get_adjacent(plan, i, d, side) < 0;
    return !is_end ? SX_AT_LOCAL : side == SX_FROM ? SX_AT_FROM : SX_AT_TO;
}

/* A pass of a round trip, at its last transform, reads forward and writes backward (goes_back). */
static step get_step(subx_fft_plan plan, int i, int d, int goes_back)
{
    const sx_fused *a = plan->state;
    const sx_fused_pass *pass = goes_back ? &a->round_trip : &a->pass[i];
    const int out_d = goes_back ? SX_BACKWARD : d, is_last = i == a->last;
    step s = {.i = i,
              .d = d,
              .npasses = pass->npasses[d],
              .pass = pass->pass[d],
              .slices = pass->slices[d],
              .in = get_end(plan, i, d, SX_FROM),
              .out = get_end(plan, i, out_d, SX_TO),
              .from = get_array(plan, i, d, SX_FROM),
              .has_twiddles = plan->choice.array.factored && sx_stage_is_transformed(&plan->stage[i], 0),
              .has_operation = is_last && plan->choice.problem->has_operation};
    s.to = s.out.slices ? SX_AT_WORK + s.out.area : get_array(plan, i, out_d, SX_TO);
    return s;
}

/* Get the stage of the next pass; -1 after the last pass. */
static int get_next(subx_fft_plan plan, int i, int d)
{
    const int k = sx_plan_get_adjacent(plan, i, d, SX_TO);
    return k >= 0 && sx_stage_is_exchange(&plan->stage[k]) ? sx_plan_get_adjacent(plan, k, d, SX_TO) : k;
}

int sx_fused_create_steps(subx_fft_plan plan, int direction)
{
    sx_fused *a = plan->state;
    int n = 0, d = direction == SX_BACKWARD ? SX_BACKWARD : SX_FORWARD;
    step *s = a->step[direction] = sx_base_alloc(2 * (ptrdiff_t)plan->nstages, sizeof *s);
    for (int i = d == SX_BACKWARD ? plan->nstages - 1 : 0; i >= 0 && s; i = get_next(plan, i, d)) {
        const int goes_back = direction == SX_ROUND && i == a->last && d == SX_FORWARD;
        s[n++] = get_step(plan, i, d, goes_back);
        d = goes_back ? SX_BACKWARD : d;
    }
    a->nsteps[direction] = n;
    return s ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* ---- events */

typedef struct work {
    subx_fft_plan plan;
    sx_list *list;
    const step *step;
    int has_messages;
} work;

/* Add an event of the pipe that pass k writes or reads. */
static void add(const work *w, int what, int k, int slice)
{
    const step *s = &w->step[k];
    const int is_out = what == SX_EVENT_AREA || what == SX_EVENT_ROOM || what == SX_EVENT_POST;
    const sx_fused_end *at = is_out ? &s->out : &s->in;
    sx_list_add(w->list, (sx_event){what, k, slice, at->i, at->d, .axis = -1});
}

static void add_range(const work *w, int k, int slice, sx_range range)
{
    const step *s = &w->step[k];
    if (range.axis < 0 || range.lo < range.hi)
        sx_list_add(w->list, (sx_event){SX_EVENT_PASS, k, slice, s->i, s->d, range.axis, range.lo, range.hi});
}

/* Add a slice of the pipe that the pass writes (SX_FROM) or reads (SX_TO). In a ring at an edge, the slice
 * may be several ranges of indices. */
static void add_slice(const work *w, int k, int side, int slice)
{
    const step *s = &w->step[k];
    const sx_fused_end *by = side == SX_FROM ? &s->out : &s->in;
    if (!by->is_ring)
        add_range(w, k, slice, sx_fused_get_slice(w->plan, by->i, by->d, side, slice));
    for (int part = 0; by->is_ring && part < sx_fused_count_parts(w->plan, by->i, by->d, side); part++)
        add_range(w, k, slice, sx_fused_get_part(w->plan, by->i, by->d, side, slice, part));
}

static void add_area(const work *w, int k)
{
    if (w->step[k].out.slices)
        add(w, SX_EVENT_AREA, k, -1);
}

/* Complete the epoch of the pipe that the pass has read. If there are messages, wait until this rank's
 * messages are sent, because MPI may make no progress on them after the execution has returned. */
static void add_end(const work *w, int k)
{
    if (!w->step[k].in.slices)
        return;
    add(w, SX_EVENT_COMPLETE, k, -1);
    if (w->has_messages)
        add(w, SX_EVENT_END, k, -1);
}

/* ---- one pass */

static void add_pass(const work *w, int k)
{
    const step *s = &w->step[k];
    const int reads = s->slices == SX_SLICES_IN || s->slices == SX_SLICES_THROUGH;
    const int sends = s->slices == SX_SLICES_OUT || s->slices == SX_SLICES_THROUGH;
    const int n = reads ? s->in.slices : sends ? s->out.slices : 1;
    int started = 0;
    add_area(w, k);
    for (int slice = 0; slice < n; slice++) {
        for (; started < (reads ? slice + 1 : s->in.slices); started++)
            add(w, SX_EVENT_START, k, started);
        if (reads || sends)
            add_slice(w, k, reads ? SX_TO : SX_FROM, slice);
        else
            add_range(w, k, -1, (sx_range){.axis = -1});
        if (sends)
            add(w, SX_EVENT_POST, k, slice);
    }
    for (int slice = sends ? n : 0; slice < s->out.slices; slice++)
        add(w, SX_EVENT_POST, k, slice);
    add_end(w, k);
}

/* ---- two passes that alternate: the pipe between them is a ring */

static void add_ring(const work *w, int k)
{
    const step *first = &w->step[k], *second = first + 1;
    add_area(w, k);
    add_area(w, k + 1);
    for (int slice = 0; slice < first->in.slices; slice++)
        add(w, SX_EVENT_START, k, slice);
    for (int slice = 0; slice < first->out.slices; slice++) {
        add(w, SX_EVENT_ROOM, k, slice);
        add_slice(w, k, SX_FROM, slice);
        add(w, SX_EVENT_POST, k, slice);
        add(w, SX_EVENT_START, k + 1, slice);
        add_slice(w, k + 1, SX_TO, slice);
        add(w, SX_EVENT_READ, k + 1, slice);
    }
    add_end(w, k);
    for (int slice = 0; slice < second->out.slices; slice++)
        add(w, SX_EVENT_POST, k + 1, slice);
}

void sx_fused_list(subx_fft_plan plan, int d, sx_list *list)
{
    const sx_fused *a = plan->state;
    const work w = {plan, list, a->step[d], a->has_messages};
    for (int k = 0; k < a->nsteps[d]; k++)
        if (w.step[k].out.is_ring)
            add_ring(&w, k++);
        else
            add_pass(&w, k);
}
