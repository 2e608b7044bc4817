/* axes.c - which axes each pass of a fused plan transforms. */
#include "fused/fused.h"
#include <string.h>

/* Pick the axes of the next pass from the last of those that are left: as many as a tile of `bytes` has room for,
 * and at least one. */
static int pick_axes(const sx_choice *c, const char left[], ptrdiff_t bytes, char picked[])
{
    ptrdiff_t tile = SX_ELEMENT * (left[c->ndims - 1] ? 1 : SX_LEAST_PENCILS);
    int count = 0;
    for (int i = c->ndims - 1; i >= 0; i--) {
        picked[i] = 0;
        if (!left[i] || (count && tile > bytes / c->sizes[i]))
            continue;
        tile = tile > bytes / c->sizes[i] ? bytes : tile * c->sizes[i];
        picked[i] = 1;
        count++;
    }
    return count;
}

static void drop_axes(const sx_choice *c, const char picked[], char left[])
{
    for (int i = 0; i < c->ndims; i++)
        left[i] = (char)(left[i] && !picked[i]);
}

static int count_passes(const sx_choice *c, const char axes[], ptrdiff_t bytes)
{
    char left[SUBX_NDIMS_MAX], picked[SUBX_NDIMS_MAX];
    int count = 0;
    memcpy(left, axes, sizeof left);
    for (; pick_axes(c, left, bytes, picked); count++)
        drop_axes(c, picked, left);
    return count;
}

/* The share of a rank in the last-level cache is about four times its second-level cache. */
enum { LARGER_CACHE = 4 };

/* Larger tiles are worth it if they save a pass through memory. */
static void add_passes(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    const sx_choice *c = &plan->choice;
    const ptrdiff_t small = c->cache_bytes, large = LARGER_CACHE * small;
    const ptrdiff_t bytes = count_passes(c, axes, large) < count_passes(c, axes, small) ? large : small;
    char left[SUBX_NDIMS_MAX], picked[SUBX_NDIMS_MAX];
    memcpy(left, axes, sizeof left);
    while (pick_axes(c, left, bytes, picked)) {
        sx_plan_add_serial(plan, from, picked);
        drop_axes(c, picked, left);
        from = &plan->stage[plan->nstages - 1].to;
    }
}

/* The axis that is whole on the physical side and that the first exchange divides; -1 if there is no exchange. */
static int get_first_divided(const sx_choice *c)
{
    for (int k = c->g - 1; k >= 0; k--)
        if (c->dims[k] > 1)
            return k + 1;
    return -1;
}

/* 1 if an axis needs a pass of its own: to be sent slice by slice along another axis. A real transform must begin
 * with the axis that it halves. */
static int is_apart(const sx_choice *c, const char axes[], int axis)
{
    const int sends = c->overlap == SX_OVERLAP_SEND || c->overlap == SX_OVERLAP_BOTH;
    int n = 0;
    for (int i = 0; i < c->ndims; i++)
        n += axes[i];
    return sends && axis >= 0 && axes[axis] && n > 1 && (c->kind == SUBX_FFT_C2C || axis != c->ndims - 1);
}

void sx_fused_add_passes(subx_fft_plan plan, const sx_box *from, const char axes[])
{
    char others[SUBX_NDIMS_MAX], alone[SUBX_NDIMS_MAX] = {0};
    const int v = get_first_divided(&plan->choice);
    if (!is_apart(&plan->choice, axes, v)) {
        add_passes(plan, from, axes);
        return;
    }
    memcpy(others, axes, sizeof others);
    others[v] = 0;
    alone[v] = 1;
    add_passes(plan, from, others);
    sx_plan_add_serial(plan, &plan->stage[plan->nstages - 1].to, alone);
}
