/* kernels.c - choose the steps that kernels of fft/simd execute. The kernel of a tile's first step may read
 * the regions, and the kernel of its last step may write them: then no copy gathers or scatters the tile. */
#include "pass/inside.h"
#include <math.h>

/* ---- bundles: the regions of a side that differ only along the axis of the step */

/* Query whether two regions belong to the same bundle. An empty region belongs to no bundle. */
static int is_same_bundle(sx_pass pass, const sx_region *r, const sx_region *s, int axis)
{
    for (int a = 0; a < pass->p.ndims; a++)
        if (a != axis && (r->start[a] != s->start[a] || r->len[a] != s->len[a]))
            return 0;
    return r->len[axis] > 0 && s->len[axis] > 0;
}

static int create_bundles(sx_pass pass, int side, int axis)
{
    const sx_pass_side *s = &pass->p.side[side];
    int *next = pass->next[side] = sx_base_alloc(s->nregions, sizeof *next);
    char *is_first = pass->is_first[side] = sx_base_alloc(s->nregions, 1);
    if (!next || !is_first)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = s->nregions - 1; i >= 0; i--) {
        int k = i + 1;
        while (k < s->nregions && !is_same_bundle(pass, &s->region[i], &s->region[k], axis))
            k++;
        next[i] = k < s->nregions ? k : -1;
        is_first[i] = 1;
        if (next[i] >= 0)
            is_first[next[i]] = 0;
    }
    return MPI_SUCCESS;
}

/* Get the number of regions of the largest bundle. */
static int get_most_parts(sx_pass pass, int side)
{
    int most = 1;
    for (int i = 0; i < pass->p.side[side].nregions; i++) {
        int parts = 1;
        for (int k = pass->next[side][i]; k >= 0 && pass->is_first[side][i]; k = pass->next[side][k])
            parts++;
        most = parts > most ? parts : most;
    }
    return most;
}

/* Query whether each tile meets only one bundle. This is so if each region has the full length of every axis
 * that is whole in a tile; the transformed axis is an exception. */
static int is_one_bundle(sx_pass pass, int side, int axis)
{
    const sx_pass_side *s = &pass->p.side[side];
    for (int i = 0; i < s->nregions; i++)
        for (int a = 0; a < pass->p.ndims; a++)
            if (pass->is_whole[a] && a != axis && s->region[i].len[a] != s->len[a])
                return 0;
    return 1;
}

static ptrdiff_t get_bundle_length(sx_pass pass, const sx_pass_side *s, const sx_region *r, int axis)
{
    ptrdiff_t len = 0;
    if (r->len[axis] == s->len[axis])
        return r->len[axis];
    for (int k = 0; k < s->nregions; k++)
        if (is_same_bundle(pass, r, &s->region[k], axis))
            len += s->region[k].len[axis];
    return len;
}

/* Query whether each pencil lies in a single bundle. If the caller's boxes divide adjacent pencils at
 * different indices, a pencil may lie in several bundles. With thousands of regions, comparing each region
 * with each other one would take too long. So only regions that have the first elements of pencils are
 * compared with all regions. */
static int are_whole_bundles(sx_pass pass, int side, int axis)
{
    const sx_pass_side *s = &pass->p.side[side];
    ptrdiff_t all = 0, found = 0;
    for (int i = 0; i < s->nregions; i++) {
        const sx_region *r = &s->region[i];
        const ptrdiff_t volume = sx_base_get_volume(pass->p.ndims, r->len);
        all += volume;
        if (r->start[axis] != 0 || volume == 0)
            continue;
        if (get_bundle_length(pass, s, r, axis) != s->len[axis])
            return 0;
        found += volume / r->len[axis] * s->len[axis];
    }
    return found == all;
}

/* ---- rows in memory */

/* Query whether the array is so small that kernels may read its rows even if they collide, in a near
 * cache. */
static int is_near(sx_pass pass)
{
    return sx_pass_get_array_bytes(pass) <= SX_PASS_NEAR;
}

/* Query whether n rows, `apart` bytes apart, collide: they share so few sets of a first-level cache that the
 * cache cannot hold a line of each row. */
static int are_crowded(ptrdiff_t n, ptrdiff_t apart)
{
    const ptrdiff_t power = apart & -apart; /* the largest power of two that divides the distance */
    return power >= SX_PASS_LEAST_POWER &&
           n > SX_SET_WAYS * (power < SX_SET_BYTES ? SX_SET_BYTES / power : 1);
}

static int collide(sx_pass pass, int side, int axis)
{
    for (int i = 0; i < pass->p.side[side].nregions; i++) {
        const sx_region *r = &pass->p.side[side].region[i];
        if (are_crowded(r->len[axis], r->stride[axis] * sx_pass_get_layout(pass, side)->element))
            return 1;
    }
    return 0;
}

static int has_far(sx_pass pass, int side)
{
    for (int i = 0; i < pass->p.side[side].nregions; i++)
        if (pass->p.side[side].region[i].is_far)
            return 1;
    return 0;
}

/* Query whether the kernel of a step may read rows of regions; else they are gathered first. A kernel reads
 * one or two cache lines of a row, then as much of the next row. From memory this takes twice as long as
 * reading longer pieces of rows. Far regions are in memory, until they are prefetched. */
static int may_read_rows(sx_pass pass, const sx_step *step)
{
    if (pass->has_far[SX_FROM] && !pass->prefetches)
        return 0;
    return is_near(pass) ||
           (!sx_pass_may_bypass(sx_pass_get_array_bytes(pass)) && !collide(pass, SX_FROM, step->axis));
}

/* Query whether kernels write the regions more slowly than copies do. A kernel transforms the pencils of one
 * register, and writes their elements into all rows; then it goes on with the next pencils. If the rows
 * collide, the caches lose the lines of a row before the kernel comes back to this row, and each line that is
 * written first has to leave the first-level cache. A copy writes a long piece of one row, and then goes to
 * the next row. 32 rows of 8 KiB in the second-level cache take 11 us in pieces of two lines, 2.5 us in
 * pieces of eight; reading takes 3.7 and 2.5 us. Past the caches, only pieces of a single cache line are slow
 * (bypasses). On a Zen 3 with AVX2 the planes of 128^3 in place take 26 ms if kernels store the rows, 12 ms
 * if copies do; past the caches 20 and 13 ms. If rows do not collide (100^3), copies are 13 to 26 %
 * slower. */
static int are_slow_rows(sx_pass pass, const sx_step *step, int bypasses)
{
    return step->form[SX_TO] == SX_ROWS && collide(pass, SX_TO, step->axis) &&
           (!bypasses || sx_simd_get_row_bytes(pass->p.precision, step->kind) <= SX_ALIGNMENT);
}

/* Query whether kernels should prefetch far regions while they transform a tile. If the pass has a single
 * step, they should not: the copies that gather the tile prefetch, too, and r2c 1000x1000 took 1.05 times as
 * long if kernels did. */
static int prefers_ahead(sx_pass pass)
{
    return pass->has_far[SX_FROM] && !is_near(pass) && pass->nsteps > 1 &&
           sx_pass_likes_kernels(pass, pass->step[0].kind, pass->step[0].n);
}

/* Query whether the next tile is prefetched as a whole. If kernels can prefetch the tile in parts
 * (prefers_ahead, is_far), they do it instead: prefetched as a whole, r2c 80x80x80 took up to 1.17 times as
 * long. */
static int may_prefetch(sx_pass pass)
{
    return !pass->is_direct[SX_FROM] && sx_pass_get_layout(pass, SX_FROM)->bytes <= SX_PASS_PREFETCH_BYTES &&
           !prefers_ahead(pass);
}

/* Query whether kernels prefetch the next tile while they transform a tile (ahead.c): if it comes from
 * memory, copies gather it, and both tiles fit into a second-level cache. Far regions are in memory. */
static int may_look_ahead(sx_pass pass)
{
    return !pass->prefetches && !pass->is_direct[SX_FROM] && !sx_pass_has_regions(pass, SX_FROM) &&
           pass->nsteps > 0 && pass->step[0].simd &&
           sx_pass_get_layout(pass, SX_FROM)->bytes <= SX_PASS_AHEAD_BYTES &&
           (prefers_ahead(pass) || sx_pass_may_bypass(sx_pass_get_array_bytes(pass)));
}

/* Query whether a step reads lines (SX_LINES) from memory. */
static int is_far(sx_pass pass, const sx_step *step)
{
    const int is_in_memory = !is_near(pass) || pass->has_far[SX_FROM];
    return step->from == SX_REGIONS && step->form[SX_FROM] == SX_LINES && is_in_memory;
}

/* ---- which steps */

/* Query whether the first step can read the regions of side SX_FROM, or the last step can write the regions
 * of side SX_TO. All elements must exist, none may need a conversion, and neither a fix nor an operation may
 * work in the buffer of this side. */
static int may_be_regions(sx_pass pass, int side)
{
    const sx_step *step = &pass->step[side == SX_FROM ? 0 : pass->nsteps - 1];
    const int is_spectral = pass->is_spectral[side];
    return !pass->p.side[side].is_narrow && sx_pass_is_full(pass, is_spectral) &&
           step->nfixes[side == SX_FROM ? SX_BEFORE : SX_AFTER] == 0 &&
           !(pass->p.has_operation && is_spectral);
}

/* Query whether the kernel of step i also scales: only if it is the last step, and no operation comes after
 * it. */
static int may_scale(sx_pass pass, int i)
{
    return i == pass->nsteps - 1 && !(pass->p.has_operation && pass->operates_at == pass->nsteps);
}

/* Real-to-real steps are left to the serial backend, which calls the kernels: if kernels read and write the
 * regions, 128^3 takes 0.96 to 1.02 times as long in double, 1.1 times as long in float on two ranks. */
int sx_pass_likes_kernels(sx_pass pass, int kind, ptrdiff_t n)
{
    return pass->p.precision <= SUBX_FFT_DOUBLE && !sx_serial_is_r2r(kind) &&
           sx_serial_likes_rows(pass->p.serial, pass->p.precision, kind, n);
}

/* Query whether a kernel can write all regions past the caches: it must write each cache line as a whole. */
static int may_stream(sx_pass pass, const sx_step *step)
{
    const ptrdiff_t element = sx_pass_get_layout(pass, SX_TO)->element;
    for (int i = 0; i < pass->p.side[SX_TO].nregions; i++) {
        const sx_region *r = &pass->p.side[SX_TO].region[i];
        for (int a = 0; a < pass->p.ndims; a++)
            if (r->stride[a] != 1 && r->stride[a] * element % SX_ALIGNMENT != 0)
                return 0;
    }
    return sx_simd_may_stream(pass->p.precision, step->kind, step->form[SX_TO] == SX_LINES);
}

/* Query whether a kernel can execute the step, reading `from` and writing `to`. Sets from, to, along and form
 * of the step. */
static int choose_places(sx_pass pass, int from, int to, sx_step *step)
{
    if (from == SX_ARRAY || to == SX_ARRAY)
        return 0;
    step->along = sx_pass_find_pencils(pass, step, from, to, step->form);
    step->from = from;
    step->to = to;
    if (step->along < 0 ||
        (from == SX_REGIONS && to == SX_REGIONS && !is_one_bundle(pass, SX_FROM, step->axis)) ||
        (from == SX_REGIONS && !are_whole_bundles(pass, SX_FROM, step->axis)) ||
        (to == SX_REGIONS && !are_whole_bundles(pass, SX_TO, step->axis)))
        return 0;
    return from != SX_REGIONS || step->form[SX_FROM] != SX_ROWS || may_read_rows(pass, step);
}

/* Query whether a kernel should execute the step, reading `from` and writing `to`. Regions that are larger
 * than the caches are written past the caches, and so are far regions (copies.c). A kernel can do this only
 * for whole cache lines; if it cannot, the function returns 0. Then the caller tries the buffer instead of
 * the regions, and copies write the regions past the caches. A kernel also needs aligned regions, but their
 * addresses are known only in an execution. So *scattered becomes the step that executions use if a region is
 * not aligned: it writes the buffer. */
static int choose_target(sx_pass pass, int from, int to, int buffer, sx_step *step, sx_step *scattered)
{
    int is_large = 0;
    *scattered = (sx_step){.simd = NULL};
    if (!choose_places(pass, from, to, step))
        return 0;
    if (to != SX_REGIONS)
        return 1;
    (void)subx_copy_query_bypass(sx_pass_get_whole_bytes(pass, 0), &is_large);
    const int bypasses = is_large || pass->has_far[SX_TO];
    if (are_slow_rows(pass, step, bypasses))
        return 0;
    *scattered = *step;
    step->streams = bypasses;
    step->keeps = !is_large;
    return !bypasses || (may_stream(pass, step) && choose_places(pass, from, buffer, scattered));
}

/* Query whether a kernel can execute step i. If so, set *step: the kernel reads and writes regions where it
 * can, else buffers. */
static int choose(sx_pass pass, int i, sx_step *step, sx_step *scattered)
{
    const int from[] = {i == 0 && may_be_regions(pass, SX_FROM) ? SX_REGIONS : step->from, step->from};
    const int to[] = {i == pass->nsteps - 1 && may_be_regions(pass, SX_TO) ? SX_REGIONS : step->to, step->to};
    for (int k = 0; k < 4; k++) {
        sx_step chosen = *step;
        if (!choose_target(pass, from[k / 2], to[k % 2], to[1], &chosen, scattered))
            continue;
        *step = chosen;
        return 1;
    }
    return 0;
}

/* ---- creation */

static int create_kernel(sx_pass pass, int i, sx_step *step)
{
    const double factor = may_scale(pass, i) ? pow(pass->p.volume, -0.5 * pass->p.roots) : 1;
    const sx_simd_problem q = {.precision = pass->p.precision,
                               .kind = step->kind,
                               .direction = step->direction,
                               .n = step->n,
                               .factor = factor,
                               .streams = step->streams};
    return sx_simd_create(&q, &step->simd);
}

/* Reserve the work space of a step whose kernel and bundles exist. */
static void reserve_work(sx_pass pass, sx_step *step)
{
    sx_simd_sweep sweep;
    for (int side = 0; side < 2; side++) {
        const int place = side == SX_FROM ? step->from : step->to;
        step->most_parts[side] = place == SX_REGIONS ? get_most_parts(pass, side) : 1;
    }
    const ptrdiff_t bytes = sx_pass_kernel_set_sweep(pass, step, NULL, &sweep);
    pass->work_bytes = bytes > pass->work_bytes ? bytes : pass->work_bytes;
}

static int create_step(sx_pass pass, int i)
{
    sx_step chosen = pass->step[i], scattered;
    if (chosen.ncorners > 1 || !sx_pass_likes_kernels(pass, chosen.kind, chosen.n) ||
        !choose(pass, i, &chosen, &scattered))
        return MPI_SUCCESS;
    int rc = create_kernel(pass, i, &chosen);
    if (subx_error_get_kind(rc) == SUBX_ERR_UNAVAILABLE)
        return MPI_SUCCESS;
    chosen.is_far = is_far(pass, &chosen);
    if (chosen.is_far) /* the kernel prefetches its lines in parts */
        pass->prefetches = 0;
    pass->step[i] = chosen;
    if (!rc && chosen.streams) {
        rc = create_kernel(pass, i, &scattered);
        pass->scattered = scattered;
    }
    if (!rc && chosen.from == SX_REGIONS)
        rc = create_bundles(pass, SX_FROM, chosen.axis);
    if (!rc && chosen.to == SX_REGIONS)
        rc = create_bundles(pass, SX_TO, chosen.axis);
    if (!rc)
        reserve_work(pass, &pass->step[i]);
    if (!rc && chosen.streams)
        reserve_work(pass, &pass->scattered);
    return rc;
}

/* Set scales_at again, now that the kernels are known. If the kernel of the last step can scale, it does.
 * Else, if the last step reads regions, the tile is scaled after this step, in the buffer that the step
 * writes. */
static void set_scaling(sx_pass pass)
{
    const int i = pass->nsteps - 1;
    if (i >= 0 && pass->step[i].simd && may_scale(pass, i))
        pass->scales_at = -1;
    else if (i >= 0 && pass->step[i].from == SX_REGIONS)
        pass->scales_at = pass->nsteps;
}

int sx_pass_kernels_create(sx_pass pass)
{
    int rc = MPI_SUCCESS;
    for (int side = 0; side < 2; side++)
        pass->has_far[side] = has_far(pass, side);
    pass->prefetches = may_prefetch(pass);
    for (int i = 0; i < pass->nsteps && !rc; i++)
        rc = create_step(pass, i);
    pass->looks_ahead = may_look_ahead(pass);
    set_scaling(pass);
    return rc;
}

void sx_pass_kernels_free(sx_pass pass)
{
    for (int i = 0; i < pass->nsteps; i++)
        sx_simd_free(&pass->step[i].simd);
    sx_simd_free(&pass->scattered.simd);
    for (int side = 0; side < 2; side++) {
        sx_base_free(pass->next[side]);
        sx_base_free(pass->is_first[side]);
    }
}
