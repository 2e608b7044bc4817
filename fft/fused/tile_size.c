/* tile_size.c - decide the size of a tile: how many pencils are gathered, transformed and scattered
 * together. */
#include "fused/fused.h"

/* Get the bytes that a tile has at one index of the batch axis: a pencil; or a plane, if several axes are
 * transformed. */
static ptrdiff_t get_pencil_bytes(subx_fft_plan plan, const sx_stage *s)
{
    const sx_array *a = &plan->choice.array;
    ptrdiff_t bytes = sx_fused_get_unit(a);
    for (int k = 0; k < s->naxes; k++)
        bytes *= a->axis[s->axes[k]].n;
    return bytes;
}

static ptrdiff_t count_pencils(const sx_stage *s, const sx_box *box)
{
    ptrdiff_t pencils = 1;
    for (int a = 0; a < box->ndims; a++)
        pencils *= sx_stage_is_transformed(s, a) ? 1 : box->len[a];
    return pencils;
}

/* Get the number of pencils that a tile should have, without a hint. A tile reads a piece of each row. Tiles
 * with many pencils have longer pieces, which are read faster, above all from memory. But a tile must stay in
 * the second-level cache, and all threads and slices need tiles. Short pencils need a tile of many pencils,
 * because function calls take a fixed time per tile. */
static ptrdiff_t get_good_width(subx_fft_plan plan, const sx_stage *s, const sx_box *box)
{
    const ptrdiff_t bytes = get_pencil_bytes(plan, s), least = SX_TILE_SHORT / bytes,
                    most = SX_TILE_LONG / bytes;
    const ptrdiff_t share = count_pencils(s, box) / SX_TILE_ENOUGH / plan->threads;
    ptrdiff_t width = (most < share ? most : share) / SX_MANY_LANES * SX_MANY_LANES;
    width = width < SX_TILE_MOST_PENCILS ? width : SX_TILE_MOST_PENCILS;
    width = width > SX_TILE_FEW_PENCILS ? width : SX_TILE_FEW_PENCILS;
    return width > least ? width : least;
}

/* If the innermost axis is not transformed, more pencils make longer runs in memory, and a tile may fill the
 * cache. Otherwise a tile is smaller, and stays in a nearer cache. Tiles of a single transformed axis may
 * need a second buffer. */
ptrdiff_t sx_fused_get_tile_width(subx_fft_plan plan, const sx_stage *s, const sx_box *box)
{
    const sx_hints *hints = &plan->choice.hints;
    const ptrdiff_t cache = hints->cache_bytes,
                    good = hints->width > 0 ? hints->width : get_good_width(plan, s, box);
    const int has_innermost = sx_stage_is_transformed(s, sx_fused_get_innermost(&plan->choice.array));
    const ptrdiff_t lines = has_innermost ? cache / 4 : cache / 2, planes = has_innermost ? cache / 8 : cache;
    const ptrdiff_t room = s->naxes == 1 ? lines : planes;
    const ptrdiff_t least = has_innermost ? 1 : SX_LEAST_PENCILS;
    ptrdiff_t fit = room / get_pencil_bytes(plan, s);
    fit = fit < least ? least : fit;
    fit = fit > SX_MANY_LANES ? fit / SX_MANY_LANES * SX_MANY_LANES : fit;
    return fit < good ? fit : good;
}

void sx_fused_set_copied_tile(subx_fft_plan plan, sx_pass_problem *p)
{
    ptrdiff_t bytes = p->side[SX_FROM].width * sx_serial_get_real_bytes(p->precision);
    for (int k = 0; k < p->ndims && bytes * p->side[SX_FROM].len[p->order[k]] <= SX_TILE_COPIED; k++) {
        p->is_whole[p->order[k]] = 1;
        bytes *= p->side[SX_FROM].len[p->order[k]];
    }
    p->width = plan->choice.hints.width > 0 ? plan->choice.hints.width : SX_TILE_COPIED / bytes;
}
