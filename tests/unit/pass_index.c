/* pass_index.c - a tile finds its regions by an index, also among the regions of a thousand ranks; threads
 * share no page. */
#include "unit/scene.h"
#include "common/unit.h"
#include <string.h>

enum { CASES = 50 };

/* Returns 1 if the tile at `lo` meets a region. The region must not be empty. `lo` must be inside it along
 * each axis that the tile does not have whole. */
static int is_met(const test_scene *s, const sx_region *region, const ptrdiff_t lo[])
{
    for (int a = 0; a < s->p.ndims; a++) {
        const int is_outside = lo[a] < region->start[a] || lo[a] >= region->start[a] + region->len[a];
        if (region->len[a] == 0 || (!test_scene_is_whole(&s->p, a) && is_outside))
            return 0;
    }
    return 1;
}

/* The index must find the same regions, in the same order, as a loop that tests every region. */
static void check_position(const test_scene *s, sx_pass pass, int side, const ptrdiff_t lo[])
{
    int count, met = 0;
    const int *region = sx_pass_index_find(&pass->index[side], lo, &count);
    for (int i = 0; i < s->p.side[side].nregions; i++)
        if (is_met(s, &s->p.side[side].region[i], lo)) {
            ck_assert_int_lt(met, count);
            ck_assert_int_eq(region[met++], i);
        }
    ck_assert_int_eq(met, count);
}

/* Check a tile at the index of each element. The index along transformed axes must not matter. */
static void check_positions(const test_scene *s, sx_pass pass, int side)
{
    for (ptrdiff_t t = 0; t < test_scene_get_count(s->p.ndims, s->p.side[side].len); t++) {
        ptrdiff_t lo[SUBX_NDIMS_MAX] = {0}, rest = t;
        for (int a = 0; a < s->p.ndims; a++) {
            lo[a] = rest % s->p.side[side].len[a];
            rest /= s->p.side[side].len[a];
        }
        check_position(s, pass, side, lo);
    }
}

TEST(a_tile_finds_its_regions)
{
    test_random r = test_random_stream(test_random_seed(), 9);
    for (int k = 0; k < CASES; k++) {
        test_scene s;
        test_scene_make(&r, k % 2 ? TEST_HALF : 0, SUBX_FFT_FORWARD, k, &s);
        sx_pass pass = test_scene_create(&s);
        check_positions(&s, pass, SX_FROM);
        check_positions(&s, pass, SX_TO);
        sx_pass_free(&pass);
    }
}

/* Regions need not be the cells of a regular cut: here one lies beside two others.
 *
 *        axis 1
 *      +---+-----+
 *    a | 0 |  1  |      axis 2 is transformed
 *    x |   +-----+
 *    0 |   |  2  |
 *      +---+-----+ */
TEST(regions_may_be_irregular)
{
    ptrdiff_t start[][3] = {{0, 0, 0}, {0, 2, 0}, {2, 2, 0}}, len[][3] = {{5, 2, 3}, {2, 4, 3}, {3, 4, 3}};
    ptrdiff_t stride[][3] = {{6, 3, 1}, {12, 3, 1}, {12, 3, 1}};
    test_random r = test_random_stream(test_random_seed(), 10);
    test_scene s = {.p = {.precision = SUBX_FFT_DOUBLE,
                          .direction = SUBX_FFT_FORWARD,
                          .ndims = 3,
                          .order = {2, 1, 0},
                          .naxes = 1,
                          .axis = {{2, SUBX_FFT_C2C, 3, 3, 3}}}};
    test_scene_make_choices(&r, 0, &s);
    for (int side = 0; side < 2; side++) {
        s.p.side[side] = (sx_pass_side){.width = 2, .len = {5, 6, 3}, .nregions = 3};
        s.p.side[side].region = s.region[side];
        for (int i = 0; i < 3; i++)
            s.region[side][i] = (sx_region){start[i], len[i], stride[i], .place = i};
    }
    sx_pass pass = test_scene_create(&s);
    check_positions(&s, pass, SX_TO);
    test_scene_begin(&s, &r, 0);
    test_scene_execute(&s, pass, (sx_range){.axis = -1}, 0);
    test_scene_end(&s, 0);
    sx_pass_free(&pass);
}

/* An exchange of 1000 ranks in 4 slices, as one rank sees it. */
enum { RANKS = 1000, SLICES = 4 };

/* Axis `divided` is cut into a block for each rank, and axis 1 into slices. Some blocks and some slices are
 * one element longer than others. */
static void set_many_regions(sx_pass_side *side, int divided)
{
    *side = (sx_pass_side){.width = 2, .len = {2500, 6, 2500}, .nregions = RANKS * SLICES};
    side->region = sx_pass_regions_alloc(3, side->nregions);
    ck_assert_ptr_nonnull(side->region);
    for (int i = 0; i < RANKS * SLICES; i++) {
        sx_region *at = &side->region[i];
        memcpy(at->len, side->len, 3 * sizeof *at->len);
        at->place = side->nregions - i;
        ck_assert_ok(subx_block_get(2500, RANKS, i % RANKS, &at->len[divided], &at->start[divided]));
        ck_assert_ok(subx_block_get(6, SLICES, i / RANKS, &at->len[1], &at->start[1]));
        at->stride[2] = 1;
        at->stride[1] = at->len[2];
        at->stride[0] = at->len[1] * at->stride[1];
    }
}

static ptrdiff_t count_visits(sx_pass pass, int side)
{
    ptrdiff_t visits = 0, lo[SUBX_NDIMS_MAX] = {0};
    for (lo[1] = 0; lo[1] < 6; lo[1]++)
        for (ptrdiff_t k = 0; k < pass->batch.count; k++) {
            int count;
            lo[2] = pass->batch.stretch[k].start;
            (void)sx_pass_index_find(&pass->index[side], lo, &count);
            visits += count;
        }
    return visits;
}

/* If the blocks divide the transformed axis, a tile meets one block per rank, all of the same slice. If they
 * divide another axis, the tile meets a single block. Here a tile visits 1000 regions when it is gathered,
 * the same 1000 when it is prefetched, and 1 when it is scattered: 2001 visits. A test of all 4000 regions
 * would need 12000 visits. */
TEST(a_tile_visits_no_regions_of_other_tiles)
{
    sx_pass pass = NULL;
    sx_pass_problem p = {.precision = SUBX_FFT_DOUBLE,
                         .direction = SUBX_FFT_FORWARD,
                         .ndims = 3,
                         .order = {2, 1, 0},
                         .naxes = 1,
                         .axis = {{0, SUBX_FFT_C2C, 2500, 2500, 2500}}};
    p.width = 16;
    p.threads = 1;
    p.serial = test_scene_get_backend(0);
    set_many_regions(&p.side[SX_FROM], 0);
    set_many_regions(&p.side[SX_TO], 2);
    ck_assert_ok(sx_pass_create(&p, &pass));
    for (int side = 0; side < 2; side++)
        sx_base_free(p.side[side].region);
    const ptrdiff_t tiles = 6 * pass->batch.count;
    ck_assert_int_eq(pass->batch.count, RANKS);
    ck_assert_int_eq(count_visits(pass, SX_FROM), tiles * RANKS);
    ck_assert_int_eq(count_visits(pass, SX_TO), tiles);
    ck_assert_int_le(pass->copies[SX_FROM].nshapes, 4);
    ck_assert_int_le(pass->copies[SX_TO].nshapes, 4);
    sx_pass_free(&pass);
}

/* A list may have thousands of regions. It is one allocation, with three numbers per axis for each region:
 * start, len and stride. */
TEST(a_region_has_as_many_axes_as_the_array)
{
    enum { DIMS = 3, COUNT = 4 };
    sx_region *list = sx_pass_regions_alloc(DIMS, COUNT);
    ck_assert_ptr_nonnull(list);
    const ptrdiff_t *begin = list[0].start, *end = list[COUNT - 1].stride + DIMS;
    ck_assert_ptr_eq(begin, list + COUNT);
    ck_assert_int_eq(end - begin, 3 * DIMS * COUNT);
    for (int a = 0; a < DIMS; a++)
        list[1].start[a] = list[1].len[a] = list[1].stride[a] = 5 + a;
    list[1].place = 8;
    list[1].offset = 9;
    sx_pass_region_set(&list[2], &list[1], DIMS);
    list[1].len[1] = 4;
    for (int a = 0; a < DIMS; a++) {
        ck_assert(list[2].start[a] == 5 + a && list[2].len[a] == 5 + a && list[2].stride[a] == 5 + a);
        ck_assert(list[0].stride[a] == 0 && list[3].start[a] == 0);
    }
    ck_assert(list[2].place == 8 && list[2].offset == 9);
    sx_base_free(list);
}

/* The buffers of two threads must never share a page: all of a page lies in one NUMA domain, and each thread
 * needs its buffer in its own domain. */
TEST(threads_share_no_page)
{
    enum { PAGE = 4096 };
    test_random r = test_random_stream(test_random_seed(), 11);
    test_scene s;
    test_scene_make(&r, 0, SUBX_FFT_FORWARD, 0, &s);
    s.p.threads = 3;
    sx_pass pass = test_scene_create(&s);
    for (int i = 0; i < s.p.threads; i++) {
        const char *buffer = sx_pass_get_buffer(pass, i, SX_FROM);
        ck_assert_uint_eq((uintptr_t)buffer % PAGE, 0);
        for (ptrdiff_t k = 0; k < pass->thread_bytes; k++)
            ck_assert_int_eq(buffer[k], 0);
    }
    sx_pass_free(&pass);
}

int main(void)
{
    return test_unit_run_mpi("pass_index");
}
