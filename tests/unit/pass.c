/* pass.c - passes over arrays beyond the nearest caches, whose transforms are known; the regions of a thousand
 * ranks. tests/random compares all other passes, in plans. */
#include "pass/inside.h"
#include "common/unit.h"
#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- arrays beyond the nearest caches */

/* Planes of complex doubles; pencils are along the rows, or along both axes of a plane. Rows have `apart`
 * elements, more than `n` if there are gaps. nfar: so many rows of each plane, the last ones, are a region of
 * their own that is far on side SX_TO. */
typedef struct planes {
    ptrdiff_t count, rows, n, apart;
    int naxes;
    sx_pass pass;
    ptrdiff_t nfar;
} planes;

static ptrdiff_t get_elements(const planes *s)
{
    return s->count * s->rows * s->apart;
}

static void create_planes(planes *s, int in_place)
{
    const ptrdiff_t nkept = s->rows - s->nfar;
    ptrdiff_t start[3] = {0}, len[] = {s->count, s->rows, s->n}, stride[] = {s->rows * s->apart, s->apart, 1};
    ptrdiff_t kept_len[] = {s->count, nkept, s->n}, far_start[] = {0, nkept, 0},
              far_len[] = {s->count, s->nfar, s->n};
    sx_region from = {.start = start, .len = len, .stride = stride};
    sx_region to[] = {{.start = start, .len = kept_len, .stride = stride},
                      {.start = far_start,
                       .len = far_len,
                       .stride = stride,
                       .is_far = 1,
                       .offset = nkept * s->apart * (ptrdiff_t)sizeof(double _Complex)}};
    sx_pass_problem p = {
        .precision = SUBX_FFT_DOUBLE,
        .direction = SUBX_FFT_FORWARD,
        .ndims = 3,
        .order = {2, 1, 0},
        .naxes = s->naxes,
        .axis = {{2, SUBX_FFT_C2C, s->n, s->n, s->n}, {1, SUBX_FFT_C2C, s->rows, s->rows, s->rows}},
        .width = s->naxes == 1 ? 24 : 3,
        .interleaved = 1,
        .is_in_place = in_place,
        .threads = 1,
        .volume = 1,
        .serial = sx_serial_find("auto", SUBX_FFT_DOUBLE)};
    if (s->naxes == 1)
        p.axis[0] = p.axis[1];
    p.side[SX_FROM] = (sx_pass_side){.width = 2, .nregions = 1, .region = &from};
    p.side[SX_TO] = (sx_pass_side){.width = 2, .nregions = s->nfar > 0 ? 2 : 1, .region = to};
    for (int side = 0; side < 2; side++)
        memcpy(p.side[side].len, len, sizeof len);
    ck_assert_ok(sx_pass_create(&p, &s->pass));
}

/* The transform of a pencil or a plane has one element that is not zero. Set at[] to the frequencies of this
 * element. */
static void get_peak(const planes *s, ptrdiff_t plane, ptrdiff_t column, ptrdiff_t at[])
{
    at[0] = (5 * plane + 3 * column + 1) % s->rows;
    at[1] = s->naxes == 2 ? (7 * plane + 2) % s->n : column;
}

static ptrdiff_t get_place(const planes *s, ptrdiff_t plane, ptrdiff_t row, ptrdiff_t column)
{
    return (plane * s->rows + row) * s->apart + column;
}

static void fill_planes(const planes *s, double _Complex u[])
{
    const double turn = 2 * acos(-1.0);
    for (ptrdiff_t i = 0; i < get_elements(s); i++)
        u[i] = -9;
    for (ptrdiff_t a = 0; a < s->count; a++)
        for (ptrdiff_t j = 0; j < s->rows; j++)
            for (ptrdiff_t k = 0; k < s->n; k++) {
                ptrdiff_t at[2];
                get_peak(s, a, s->naxes == 2 ? 0 : k, at);
                const double x = (double)(j * at[0] % s->rows) / (double)s->rows,
                             y = s->naxes == 2 ? (double)(k * at[1] % s->n) / (double)s->n : 0;
                u[get_place(s, a, j, k)] = cexp(turn * (x + y) * I);
            }
}

static void check_planes(const planes *s, const double _Complex v[])
{
    const double peak = (double)(s->naxes == 2 ? s->rows * s->n : s->rows);
    for (ptrdiff_t a = 0; a < s->count; a++)
        for (ptrdiff_t j = 0; j < s->rows; j++)
            for (ptrdiff_t k = 0; k < s->apart; k++) {
                ptrdiff_t at[2];
                get_peak(s, a, s->naxes == 2 ? 0 : k, at);
                const double right = k >= s->n ? -9 : j == at[0] && k == at[1] ? peak : 0;
                ck_assert_double_le(cabs(v[get_place(s, a, j, k)] - right), 1e-12 * peak);
            }
}

/* Check the results and, out of place, that the input stays as it was. looks_ahead: 1 if kernels prefetch the
 * next tile, -1 if the pass decides that. */
static void check(planes s, int in_place, int looks_ahead)
{
    const size_t bytes = (size_t)get_elements(&s) * sizeof(double _Complex);
    double _Complex *u = sx_base_alloc(get_elements(&s), sizeof *u),
                    *kept = sx_base_alloc(get_elements(&s), sizeof *u);
    double _Complex *v = in_place ? u : sx_base_alloc(get_elements(&s), sizeof *v);
    create_planes(&s, in_place);
    if (looks_ahead >= 0)
        s.pass->looks_ahead = looks_ahead;
    for (ptrdiff_t i = 0; i < get_elements(&s) && !in_place; i++)
        v[i] = -9;
    fill_planes(&s, u);
    memcpy(kept, u, bytes);
    sx_pass_execute(s.pass, (sx_range){.axis = -1}, (const void *const[]){u}, (void *const[]){v}, NULL, NULL);
    check_planes(&s, v);
    if (!in_place) {
        ck_assert_mem_eq(u, kept, bytes);
        sx_base_free(v);
    }
    sx_base_free(kept);
    sx_base_free(u);
    sx_pass_free(&s.pass);
}

/* Rows that are 16 KiB, 2 KiB or 1.5 KiB apart share few cache sets. A kernel leaves such rows to copies. If
 * there are fewer rows, or at other distances, the kernel writes them itself. */
TESTS(rows_that_collide_or_do_not, 0, 12)
{
    static const planes given[] = {{1, 128, 1024, 1024, 1, NULL, 0}, {5, 128, 128, 128, 2, NULL, 0},
                                   {12, 80, 96, 96, 2, NULL, 0},     {16, 60, 96, 96, 2, NULL, 0},
                                   {1, 128, 1024, 1028, 1, NULL, 0}, {5, 128, 120, 132, 2, NULL, 0}};
    check(given[_i / 2], _i % 2, -1);
}

/* If a tile is large, its kernel prefetches the lines. A call transforms 64 lines, or up to 71 if no more are
 * left. So the tested numbers of lines need two or three calls, and the last call may leave registers that
 * are not full. */
TEST(lines_that_are_far)
{
    for (ptrdiff_t rows = 127; rows <= 145; rows++)
        check((planes){5, rows, 128, 132, 2, NULL, 0}, 0, -1);
}

/* A kernel writes the rows of a far region past the caches, and the other rows not. So the rows of far
 * regions begin at cache lines, or copies write them. */
TEST(far_regions_are_written_past_the_caches)
{
    for (ptrdiff_t nfar = 1; nfar < 24; nfar += 7)
        for (ptrdiff_t apart = 32; apart <= 36; apart++)
            check((planes){6, 24, 32, apart, 2, NULL, nfar}, 0, -1);
}

TEST(tiles_prefetch_the_next_tile)
{
    for (ptrdiff_t apart = 128; apart <= 132; apart++)
        check((planes){4, 128, 128, apart, 2, NULL, 0}, 0, 1);
}

/* ---- the regions of many ranks */

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
    p.serial = sx_serial_find("auto", SUBX_FFT_DOUBLE);
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
