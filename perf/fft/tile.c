/* tile.c - find the fastest known transform of pencils in cache. The candidates are all serial backends of
 * the library except naive; FFTW is one of them. Tiles and plans are made as in subx-perf-stride serial. */
#include "fft/fft.h"
#include "serial/pencils.h" /* of perf/serial */

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tiles of the first size fit into a usual first-level cache, two tiles of the last size into a usual
 * second-level cache. Long pencils need larger tiles, because our kernels transform as many pencils at a
 * time as a vector register has lanes. */
static const ptrdiff_t sizes[SX_PERF_FFT_NTILE_SIZES] = {16 << 10, 64 << 10, 256 << 10};

struct sx_perf_fft_tile {
    struct sx_perf_serial_tile tile;
    void *memory, *plan;
    double seconds; /* per pencil */
};

static void release(struct sx_perf_fft_tile *t)
{
    if (t->plan)
        sx_perf_serial_plan_free(t->plan);
    sx_base_free(t->memory);
}

/* Get the seconds of an execution: the least of several rounds, because other programs may disturb some. */
static double measure(void *plan)
{
    enum { ROUNDS = 10 };
    const double least_seconds = 50e-6;
    double best = HUGE_VAL;
    for (int i = 0; i < ROUNDS; i++) {
        const double began = MPI_Wtime();
        double seconds = 0;
        int n = 0;
        for (; seconds < least_seconds; seconds = MPI_Wtime() - began, n++)
            sx_perf_serial_plan_execute(plan);
        best = fmin(best, seconds / n);
    }
    return best;
}

/* Time a backend with this tile. If it is faster than *best, replace *best. */
static void compare(const sx_serial *backend, const struct sx_perf_serial_tile *tile, int effort,
                    struct sx_perf_fft_tile *best)
{
    const ptrdiff_t bytes = sx_perf_serial_tile_get_bytes(tile);
    struct sx_perf_fft_tile t = {.tile = *tile, .memory = sx_base_alloc(bytes, 1)};
    if (!t.memory)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a tile of %td bytes", bytes);
    sx_perf_serial_tile_set_memory(&t.tile, t.memory);
    t.plan = sx_perf_serial_plan_create(backend, &t.tile, effort);
    /* Set the array to 0, because planning may leave any data in it. Transforms of zeros remain zeros. */
    memset(t.memory, 0, (size_t)bytes);
    t.seconds = t.plan ? measure(t.plan) / (double)t.tile.npencils : HUGE_VAL;
    if (t.seconds < best->seconds) {
        const struct sx_perf_fft_tile slower = *best;
        *best = t;
        t = slower;
    }
    release(&t);
}

/* Set the shape of a tile with at most `most` pencils. */
static void set(struct sx_perf_serial_tile *tile, ptrdiff_t most, int from)
{
    sx_perf_serial_tile_set(tile);
    tile->problem.direction = from == SX_PERF_FFT_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    if (tile->npencils > most)
        tile->npencils = tile->problem.loop[0].n = most;
}

/* Query whether a tile can be transformed in place: its elements are equal on both sides. */
static int is_even(const struct sx_perf_serial_tile *tile)
{
    return tile->problem.kind != SUBX_FFT_R2C && tile->problem.kind != SUBX_FFT_C2R;
}

/* Compare all backends except naive, which is the last one: it evaluates the definition, and is too slow
 * for long axes. */
static void compare_all(const struct sx_perf_serial_tile *shape, ptrdiff_t most, int from, int effort,
                        struct sx_perf_fft_tile *best)
{
    struct sx_perf_serial_tile tile = *shape;
    for (int layout = 0; layout < SX_PERF_SERIAL_NLAYOUTS; layout++)
        for (int place = 0; place < SX_PERF_SERIAL_NPLACES; place++) {
            if (!is_even(&tile) && place == SX_PERF_SERIAL_IN_PLACE)
                continue;
            tile.layout = layout;
            tile.place = place;
            set(&tile, most, from);
            for (int i = 0; sx_serial_table[i] != &sx_serial_naive; i++)
                compare(sx_serial_table[i], &tile, effort, best);
        }
}

/* Get the bytes of `most` pencils, at the number of pencils to which the tiles of subx-perf-stride serial
 * are rounded. */
static ptrdiff_t get_all_bytes(const struct sx_perf_fft_problem *p, int axis, ptrdiff_t most)
{
    const ptrdiff_t real = sx_perf_fft_problem_get_real_bytes(p), group = SX_ALIGNMENT / real,
                    n = p->sizes[axis];
    const ptrdiff_t reals = p->kinds[axis] == SUBX_FFT_C2C   ? 2 * n
                            : p->kinds[axis] == SUBX_FFT_R2C ? 2 * (n / 2 + 1)
                                                             : n;
    return (most + group - 1) / group * group * reals * real;
}

struct sx_perf_fft_tile *sx_perf_fft_tile_create(const struct sx_perf_fft_problem *problem, int axis,
                                                 int from, ptrdiff_t most, int effort)
{
    const ptrdiff_t all_bytes = get_all_bytes(problem, axis, most);
    struct sx_perf_fft_tile *best = sx_perf_memory_create_small(1, sizeof *best);
    struct sx_perf_serial_tile tile = {.n = problem->sizes[axis]};
    sx_perf_serial_tile_set_kind(&tile, sx_serial_get_kind(problem->kinds[axis], from), problem->precision);
    /* These plans have effort measure or more, even if --effort asks for less: the limit shall be a lower
     * bound of the time. */
    effort = effort > SX_EFFORT_MEASURE ? effort : SX_EFFORT_MEASURE;
    best->seconds = HUGE_VAL;
    for (int i = 0; i < SX_PERF_FFT_NTILE_SIZES; i++) {
        const ptrdiff_t before = tile.npencils;
        tile.cache = sizes[i] < all_bytes ? sizes[i] : all_bytes;
        set(&tile, most, from);
        if (tile.npencils != before)
            compare_all(&tile, most, from, effort, best);
    }
    if (!best->plan)
        sx_perf_program_abort(MPI_SUCCESS, "no backend transforms %td numbers", problem->sizes[axis]);
    return best;
}

ptrdiff_t sx_perf_fft_tile_get_npencils(const struct sx_perf_fft_tile *tile)
{
    return tile->tile.npencils;
}

void sx_perf_fft_tile_execute(const struct sx_perf_fft_tile *tile)
{
    sx_perf_serial_plan_execute(tile->plan);
}

void sx_perf_fft_tile_free(struct sx_perf_fft_tile *tile)
{
    release(tile);
    free(tile);
}
