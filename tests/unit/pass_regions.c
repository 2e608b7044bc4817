/* pass_regions.c - passes whose kernels read and write regions: arrays beyond the nearest caches, and lines
 * that regions divide. The transforms of the data are known. */
#include "unit/scene.h"
#include "common/unit.h"
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
        .serial = test_scene_get_backend(0)};
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

/* Check the results and, out of place, that the input stays as it was. `writes`: 1 if the kernel must write
 * the array itself, 0 if it must leave the results in the buffer, -1 if it may do either. */
static void check_far(planes s, int in_place, int writes)
{
    const size_t bytes = (size_t)get_elements(&s) * sizeof(double _Complex);
    double _Complex *u = sx_base_alloc(get_elements(&s), sizeof *u),
                    *kept = sx_base_alloc(get_elements(&s), sizeof *u);
    double _Complex *v = in_place ? u : sx_base_alloc(get_elements(&s), sizeof *v);
    create_planes(&s, in_place);
    const sx_step *last = &s.pass->step[s.pass->nsteps - 1];
    if (writes >= 0 && last->simd && sx_simd_get_row_bytes(SUBX_FFT_DOUBLE, SUBX_FFT_C2C) == SX_ALIGNMENT)
        ck_assert_int_eq(last->to == SX_REGIONS, writes);
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

/* Rows that are 16 KiB, 2 KiB or 1.5 KiB apart share few cache sets. A kernel must leave such rows to copies.
 * If there are fewer rows, or at other distances, the kernel must write them itself. */
TEST(rows_that_collide)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        check_far((planes){1, 128, 1024, 1024, 1, NULL, 0}, in_place, 0);
        check_far((planes){5, 128, 128, 128, 2, NULL, 0}, in_place, 0);
        check_far((planes){12, 80, 96, 96, 2, NULL, 0}, in_place, 0);
        check_far((planes){16, 60, 96, 96, 2, NULL, 0}, in_place, 1);
        check_far((planes){1, 128, 1024, 1028, 1, NULL, 0}, in_place, 1);
        check_far((planes){5, 128, 120, 132, 2, NULL, 0}, in_place, 1);
    }
}

/* If a tile is large, its kernel prefetches the lines. A call transforms 64 lines, or up to 71 if no more are
 * left. So the tested numbers of lines need two or three calls, and the last call may leave registers that
 * are not full. */
TEST(lines_that_are_far)
{
    for (ptrdiff_t rows = 127; rows <= 145; rows++) {
        planes s = {5, rows, 128, 132, 2, NULL, 0};
        create_planes(&s, 0);
        ck_assert(!s.pass->step[0].simd || s.pass->step[0].is_far == !s.pass->prefetches);
        sx_pass_free(&s.pass);
        check_far(s, 0, -1);
    }
}

/* A kernel writes the rows of a far region past the caches, and the other rows not. So the rows of far
 * regions begin at cache lines, or copies write them. Results do not depend on this. */
TEST(far_regions_are_written_past_the_caches)
{
    for (ptrdiff_t nfar = 1; nfar < 24; nfar += 7)
        for (ptrdiff_t apart = 32; apart <= 36; apart++) {
            planes s = {6, 24, 32, apart, 2, NULL, nfar};
            create_planes(&s, 0);
            const sx_step *last = &s.pass->step[s.pass->nsteps - 1];
            if (last->simd && last->to == SX_REGIONS)
                ck_assert(last->streams && last->keeps && apart % 4 == 0);
            if (last->simd && sx_simd_may_stream(SUBX_FFT_DOUBLE, SUBX_FFT_C2C, 0) && apart == 36)
                ck_assert_int_eq(last->to, SX_REGIONS);
            sx_pass_free(&s.pass);
            check_far(s, 0, -1);
        }
}

/* ---- the next tile */

static sx_tile get_tile(const planes *s, ptrdiff_t stretch)
{
    sx_tile t = {.lo = {s->pass->batch.stretch[stretch].start}, .kind = s->pass->batch.stretch[stretch].kind};
    t.region[SX_FROM] = sx_pass_index_find(&s->pass->index[SX_FROM], t.lo, &t.nregions[SX_FROM]);
    return t;
}

/* Check the rows that are listed for a tile, which has several planes: one row if they are contiguous, else
 * each row of them. Rows are listed from the beginning of a cache line on, and no more than SX_AHEAD_MAX.
 * butterflies: those of the tile before. */
static void check_listed_tile(const planes *s, ptrdiff_t stretch, ptrdiff_t butterflies, sx_ahead *a)
{
    const ptrdiff_t element = (ptrdiff_t)sizeof(double _Complex),
                    all = s->pass->batch.stretch[stretch].n * s->rows;
    const ptrdiff_t rows = s->apart == s->n ? 1 : all, bytes = all / rows * s->n * element;
    const char *const base = (const char *)0x7000050;
    const sx_tile t = get_tile(s, stretch);
    a->prefetch.butterflies = butterflies;
    ck_assert_ptr_eq(sx_pass_ahead_set(s->pass, (const void *const[]){base}, &t, a), &a->prefetch);
    ck_assert_int_eq(a->nrows, rows < SX_AHEAD_MAX ? rows : SX_AHEAD_MAX);
    for (int i = 0; i < a->nrows; i++) {
        const char *first = base + get_place(s, t.lo[0], i, 0) * element;
        ck_assert_ptr_eq(a->row[i].end, first + bytes);
        ck_assert(a->row[i].at <= first && first - a->row[i].at < SX_ALIGNMENT);
        ck_assert_int_eq((size_t)a->row[i].at % SX_ALIGNMENT, 0);
    }
    ck_assert_ptr_null(a->row[a->nrows].at);
    ck_assert_int_eq(a->prefetch.butterflies, 0);
    const ptrdiff_t lines = a->nrows * bytes / SX_ALIGNMENT, due = a->prefetch.lines * butterflies;
    ck_assert(due >= lines && due <= lines + a->nrows + butterflies);
}

TEST(rows_of_the_next_tile)
{
    const planes given[] = {
        {5, 32, 64, 64, 2, NULL, 0}, {5, 32, 64, 67, 2, NULL, 0}, {2, 600, 64, 65, 2, NULL, 0}};
    sx_ahead a;
    for (int k = 0; k < 3; k++) {
        planes s = given[k];
        create_planes(&s, 0);
        for (ptrdiff_t stretch = 0; stretch < s.pass->batch.count; stretch++)
            check_listed_tile(&s, stretch, 1000 * (stretch + 1), &a);
        ck_assert_ptr_null(sx_pass_ahead_set(s.pass, NULL, NULL, &a));
        sx_pass_free(&s.pass);
    }
}

/* Rows of less than 512 bytes are not listed. */
TEST(short_rows_of_the_next_tile)
{
    planes s = {2, 32, 31, 65, 2, NULL, 0};
    sx_ahead a;
    create_planes(&s, 0);
    const sx_tile t = get_tile(&s, 0);
    ck_assert_int_eq(t.nregions[SX_FROM], 1);
    a.prefetch.butterflies = 1;
    ck_assert_ptr_null(sx_pass_ahead_set(s.pass, (const void *const[]){&s}, &t, &a));
    sx_pass_free(&s.pass);
}

/* During the first tile, kernels only count. If they have counted nothing, nothing is prefetched any more. If
 * a tile is much longer than the one before, it is not prefetched at once. */
TEST(rate_of_the_next_tile)
{
    planes s = {6, 128, 128, 128, 2, NULL, 0};
    sx_ahead a;
    create_planes(&s, 0);
    const sx_tile t = get_tile(&s, 0);
    a.prefetch.butterflies = SX_AHEAD_UNKNOWN;
    ck_assert_ptr_eq(sx_pass_ahead_set(s.pass, NULL, &t, &a), &a.prefetch);
    ck_assert_int_eq(a.prefetch.lines, 0);
    ck_assert_ptr_null(sx_pass_ahead_set(s.pass, NULL, &t, &a));
    ck_assert_ptr_null(sx_pass_ahead_set(s.pass, NULL, &t, &a));
    a.prefetch.butterflies = 1;
    ck_assert_ptr_eq(sx_pass_ahead_set(s.pass, (const void *const[]){&s}, &t, &a), &a.prefetch);
    ck_assert_int_eq(a.prefetch.lines, 16);
    sx_pass_free(&s.pass);
}

/* Kernels prefetch the next tile if the array is larger than the caches. The large array does not exist: the
 * pass is only created. */
TEST(passes_that_look_ahead)
{
    planes small = {6, 64, 128, 128, 2, NULL, 0}, large = {4000, 64, 128, 128, 2, NULL, 0};
    create_planes(&small, 0);
    create_planes(&large, 0);
    ck_assert_int_eq(small.pass->looks_ahead, 0);
    if (large.pass->step[0].simd && !sx_pass_has_regions(large.pass, SX_FROM) &&
        sx_pass_may_bypass(sx_pass_get_array_bytes(large.pass)))
        ck_assert_int_eq(large.pass->looks_ahead, 1);
    sx_pass_free(&small.pass);
    sx_pass_free(&large.pass);
}

/* Results do not depend on what kernels prefetch. */
TEST(tiles_prefetch_the_next_tile)
{
    for (ptrdiff_t apart = 128; apart <= 132; apart++) {
        planes s = {4, 128, 128, apart, 2, NULL, 0};
        double _Complex *u = sx_base_alloc(get_elements(&s), sizeof *u),
                        *v = sx_base_alloc(get_elements(&s), sizeof *v);
        create_planes(&s, 0);
        s.pass->looks_ahead = 1;
        fill_planes(&s, u);
        for (ptrdiff_t i = 0; i < get_elements(&s); i++)
            v[i] = -9;
        sx_pass_execute(s.pass, (sx_range){.axis = -1}, (const void *const[]){u}, (void *const[]){v}, NULL,
                        NULL);
        check_planes(&s, v);
        sx_pass_free(&s.pass);
        sx_base_free(v);
        sx_base_free(u);
    }
}

/* ---- lines that regions divide */

/* A matrix of complex doubles, whose rows are the pencils. On each side its columns are divided into parts. A
 * part is a region, and is stored as a matrix of its own. The regions are not listed in the order of their
 * columns. */
typedef struct matrix {
    ptrdiff_t rows, n, part_count[2];
    ptrdiff_t start[2][3][2], len[2][3][2], stride[2][3][2];
    sx_region region[2][3];
} matrix;

static ptrdiff_t get_first_column(const matrix *m, int side, ptrdiff_t part)
{
    return m->n * part / m->part_count[side];
}

static void set_matrix_side(matrix *m, int side, sx_pass_side *p)
{
    const ptrdiff_t part_count = m->part_count[side];
    *p = (sx_pass_side){
        .width = 2, .nregions = (int)part_count, .region = m->region[side], .len = {m->rows, m->n}};
    for (ptrdiff_t k = 0; k < part_count; k++) {
        const ptrdiff_t at = (k + 1) % part_count, first = get_first_column(m, side, k),
                        len = get_first_column(m, side, k + 1) - first;
        memcpy(m->start[side][at], (ptrdiff_t[]){0, first}, sizeof m->start[side][at]);
        memcpy(m->len[side][at], (ptrdiff_t[]){m->rows, len}, sizeof m->len[side][at]);
        memcpy(m->stride[side][at], (ptrdiff_t[]){len, 1}, sizeof m->stride[side][at]);
        m->region[side][at] = (sx_region){.start = m->start[side][at],
                                          .len = m->len[side][at],
                                          .stride = m->stride[side][at],
                                          .offset = m->rows * first * (ptrdiff_t)sizeof(double _Complex)};
    }
}

static double _Complex *find_element(const matrix *m, int side, double _Complex u[], ptrdiff_t row,
                                     ptrdiff_t column)
{
    ptrdiff_t k = 0;
    while (column >= get_first_column(m, side, k + 1))
        k++;
    const ptrdiff_t first = get_first_column(m, side, k), len = get_first_column(m, side, k + 1) - first;
    return &u[m->rows * first + row * len + column - first];
}

static sx_pass create_matrix(matrix *m)
{
    sx_pass pass;
    sx_pass_problem p = {.precision = SUBX_FFT_DOUBLE,
                         .direction = SUBX_FFT_FORWARD,
                         .ndims = 2,
                         .order = {1, 0},
                         .naxes = 1,
                         .axis = {{1, SUBX_FFT_C2C, m->n, m->n, m->n}},
                         .width = 24,
                         .interleaved = 1,
                         .threads = 1,
                         .volume = 1,
                         .serial = test_scene_get_backend(0)};
    set_matrix_side(m, SX_FROM, &p.side[SX_FROM]);
    set_matrix_side(m, SX_TO, &p.side[SX_TO]);
    ck_assert_ok(sx_pass_create(&p, &pass));
    return pass;
}

/* The transform of row i has one element that is not zero, at column (7 i + 2) % n. */
static void check_matrix(matrix *m)
{
    sx_pass pass = create_matrix(m);
    const sx_step *step = &pass->step[0];
    if (step->simd && sx_simd_is_fast_divided(SUBX_FFT_DOUBLE, SUBX_FFT_C2C, m->n))
        ck_assert(step->from == SX_REGIONS && step->to == SX_REGIONS);
    double _Complex *u = sx_base_alloc(m->rows * m->n, sizeof *u),
                    *v = sx_base_alloc(m->rows * m->n, sizeof *v);
    for (ptrdiff_t i = 0; i < m->rows; i++)
        for (ptrdiff_t j = 0; j < m->n; j++)
            *find_element(m, SX_FROM, u, i, j) =
                cexp(2 * acos(-1.0) * (double)(j * (7 * i + 2) % m->n) / (double)m->n * I);
    sx_pass_execute(pass, (sx_range){.axis = -1}, (const void *const[]){u}, (void *const[]){v}, NULL, NULL);
    for (ptrdiff_t i = 0; i < m->rows; i++)
        for (ptrdiff_t j = 0; j < m->n; j++) {
            const double right = j == (7 * i + 2) % m->n ? (double)m->n : 0;
            ck_assert_double_le(cabs(*find_element(m, SX_TO, v, i, j) - right), 1e-12 * (double)m->n);
        }
    sx_base_free(v);
    sx_base_free(u);
    sx_pass_free(&pass);
}

TEST(lines_that_regions_divide)
{
    for (int k = 0; k < 9; k++) {
        check_matrix(&(matrix){.rows = 70, .n = 100, .part_count = {1 + k % 3, 1 + k / 3}});
        check_matrix(&(matrix){.rows = 100, .n = 328, .part_count = {1 + k % 3, 1 + k / 3}});
    }
}

int main(void)
{
    return test_unit_run_mpi("pass_regions");
}
