/* stages.c - which serial transforms and which exchanges lead from the physical to the spectral side.
 *
 * The list is that of Dalcin, Mortensen & Keyes 2019, eqs. 26-32: transform what is whole, then for each grid
 * dimension from the last to the first make the axis of its number whole and divide the next one instead.
 * Backward is the list reversed. Grid dimensions of one rank divide nothing and need no exchange. */
#include "plan/plan.h"
#include <string.h>

static sx_stage *add_stage(subx_fft_plan plan, int kind, const sx_box *from)
{
    sx_stage *s = &plan->stage[plan->nstages++];
    s->kind = kind;
    s->from = s->to = *from;
    return s;
}

static void print_name(sx_stage *s, const char *what)
{
    sx_text t = {s->name, sizeof s->name, 0};
    sx_base_print(&t, "%s", what);
    for (int i = 0; i < s->naxes; i++)
        sx_base_print(&t, "%s%d", i ? "," : " ", s->axes[i]);
}

static void add_serial(subx_fft_plan plan, const sx_box *from, const char todo[])
{
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_SERIAL, from);
    for (int i = 0; i < from->ndims; i++)
        if (todo[i])
            s->axes[s->naxes++] = i;
    s->to.width = 2;
    memcpy(s->to.n, plan->choice.spectral, sizeof s->to.n);
    print_name(s, plan->choice.strategy == SX_FUSED ? "pass, axes" : "serial fft, axes");
}

/* Pick the axes of the next pass from the last that is left on: as many as a tile of `bytes` has room for,
 * and one at least. */
static int pick_axes(const sx_choice *c, const char left[], ptrdiff_t bytes, char todo[])
{
    ptrdiff_t tile = 2 * sizeof(double) * (left[c->ndims - 1] ? 1 : SX_LEAST_PENCILS);
    int count = 0;
    for (int i = c->ndims - 1; i >= 0; i--) {
        todo[i] = 0;
        if (!left[i] || (count && tile > bytes / c->sizes[i]))
            continue;
        tile = tile > bytes / c->sizes[i] ? bytes : tile * c->sizes[i];
        todo[i] = 1;
        count++;
    }
    return count;
}

static void drop_axes(const sx_choice *c, const char todo[], char left[])
{
    for (int i = 0; i < c->ndims; i++)
        left[i] = (char)(left[i] && !todo[i]);
}

static int count_passes(const sx_choice *c, const char axes[], ptrdiff_t bytes)
{
    char left[SUBX_NDIMS_MAX], todo[SUBX_NDIMS_MAX];
    int count = 0;
    memcpy(left, axes, sizeof left);
    for (; pick_axes(c, left, bytes, todo); count++)
        drop_axes(c, todo, left);
    return count;
}

/* A last-level cache that is shared has for each rank a few times what a second-level one has. */
enum { LARGER_CACHE = 4 };

/* Larger tiles are worth it if they save a pass through memory. */
static void add_passes(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    const sx_choice *c = &plan->choice;
    const ptrdiff_t large = LARGER_CACHE * c->cache_bytes;
    ptrdiff_t bytes =
        count_passes(c, axes, large) < count_passes(c, axes, c->cache_bytes) ? large : c->cache_bytes;
    char left[SUBX_NDIMS_MAX], todo[SUBX_NDIMS_MAX];
    memcpy(left, axes, sizeof left);
    while (pick_axes(c, left, bytes, todo)) {
        add_serial(plan, from, todo);
        drop_axes(c, todo, left);
        from = &plan->stage[plan->nstages - 1].to;
    }
}

/* The axis that is whole on the physical side and will be divided first; -1 if nothing is. */
static int get_first_divided(const sx_choice *c)
{
    for (int k = c->g - 1; k >= 0; k--)
        if (c->dims[k] > 1)
            return k + 1;
    return -1;
}

/* A real transform must begin with the axis that it halves. */
static int halves_first(const sx_choice *c, int axis)
{
    return c->kind != SUBX_FFT_C2C && axis == c->ndims - 1;
}

/* To be sent slice by slice, along another axis, the one that will be divided must have a pass of its own. */
static void add_fused(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    char others[SUBX_NDIMS_MAX], alone[SUBX_NDIMS_MAX] = {0};
    int v = get_first_divided(&plan->choice), n = 0;
    int apart = plan->choice.overlap == SX_OVERLAP_SEND || plan->choice.overlap == SX_OVERLAP_BOTH;
    memcpy(others, axes, sizeof others);
    for (int i = 0; i < plan->choice.ndims; i++)
        n += axes[i];
    if (!apart || v < 0 || !axes[v] || n == 1 || halves_first(&plan->choice, v)) {
        add_passes(plan, from, axes);
        return;
    }
    others[v] = 0;
    alone[v] = 1;
    add_passes(plan, from, others);
    add_serial(plan, &plan->stage[plan->nstages - 1].to, alone);
}

static void add_transforms(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    if (plan->choice.strategy == SX_FUSED)
        add_fused(plan, from, axes);
    else
        add_serial(plan, from, axes);
}

/* In stride1 the axis that is transformed next becomes the innermost one, in flight. */
static void add_exchange(subx_fft_plan plan, const sx_box *from, int k)
{
    sx_stage *s = add_stage(plan, SUBX_FFT_STAGE_EXCHANGE, from);
    sx_text t = {s->name, sizeof s->name, 0};
    s->dim = k;
    s->whole = k + 1;
    s->divided = k;
    s->to.dist[k + 1] = k;
    s->to.dist[k] = -1;
    if (plan->choice.strategy == SX_STRIDE1)
        sx_box_set_innermost(&s->to, k);
    sx_base_print(&t, "exchange, axes %d and %d, %d ranks", k + 1, k, plan->choice.dims[k]);
}

/* The side that all begins with: leading axes divided, C order. */
static void set_physical(const sx_choice *c, sx_box *b)
{
    b->ndims = c->ndims;
    b->width = c->kind == SUBX_FFT_C2C ? 2 : 1;
    memcpy(b->n, c->sizes, sizeof b->n);
    for (int i = 0; i < c->ndims; i++)
        b->dist[i] = i < c->g && c->dims[i] > 1 ? i : -1;
    sx_box_set_c_order(b);
}

/* As stride1 would leave it. */
static void set_transposed(subx_fft_plan plan, sx_box *box)
{
    for (int i = 0; i < plan->nstages; i++)
        if (sx_stage_is_exchange(&plan->stage[i]))
            sx_box_set_innermost(box, plan->stage[i].divided);
}

/* The last transform writes in the order of the output. */
static void list_stages(subx_fft_plan plan)
{
    const sx_choice *c = &plan->choice;
    char todo[SUBX_NDIMS_MAX] = {0};
    sx_box b = {0};
    set_physical(c, &b);
    for (int i = 0; i < c->ndims; i++)
        todo[i] = b.dist[i] < 0;
    add_transforms(plan, &b, todo);
    for (int k = c->g - 1; k >= 0; k--) {
        if (c->dims[k] == 1)
            continue;
        add_exchange(plan, &plan->stage[plan->nstages - 1].to, k);
        memset(todo, 0, sizeof todo);
        todo[k] = 1;
        add_transforms(plan, &plan->stage[plan->nstages - 1].to, todo);
    }
    sx_stage *last = &plan->stage[plan->nstages - 1];
    if (c->output == SX_OUTPUT_NATURAL)
        sx_box_set_c_order(&last->to);
    else if (c->strategy == SX_FUSED)
        set_transposed(plan, &last->to);
}

/* Work arrays must hold any array between the stages, and stand for the caller's when serial transforms are
 * planned. */
static int set_locals(subx_fft_plan plan)
{
    int g, dims[SUBX_NDIMS_MAX], coords[SUBX_NDIMS_MAX];
    int rc = subx_grid_get(plan->grid, SUBX_NDIMS_MAX, &g, dims, coords);
    for (int i = 0; i < plan->nstages && !rc; i++) {
        sx_stage *s = &plan->stage[i];
        rc = sx_box_set_local(&s->from, dims, coords);
        if (!rc)
            rc = sx_box_set_local(&s->to, dims, coords);
        ptrdiff_t most = s->from.bytes > s->to.bytes ? s->from.bytes : s->to.bytes;
        plan->array_bytes = most > plan->array_bytes ? most : plan->array_bytes;
    }
    return rc;
}

int sx_plan_set_stages(subx_fft_plan plan)
{
    list_stages(plan);
    plan->scale.kind = SUBX_FFT_STAGE_SCALE;
    strcpy(plan->scale.name, "scale");
    return set_locals(plan);
}

int sx_plan_get_index(int direction)
{
    if (direction == SUBX_FFT_FORWARD)
        return SX_FORWARD;
    return direction == SUBX_FFT_BACKWARD ? SX_BACKWARD : -1;
}

sx_stage *sx_plan_get_stage(subx_fft_plan plan, int d, int i)
{
    if (i < plan->nstages)
        return &plan->stage[d == SX_FORWARD ? i : plan->nstages - 1 - i];
    return i == plan->nstages && plan->factor[d] != 1.0 && plan->choice.strategy != SX_FUSED ? &plan->scale
                                                                                             : NULL;
}
