/* tile.c - find the fastest known transform of pencils in cache. The candidates are all serial backends of the library
 * except naive; FFTW is one of them. Tiles and plans are made as in subx-perf-serial. */
#include "fft/fft.h"
#include "serial/pencils.h" /* of perf/serial */

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tiles of the first size fit into a usual first-level cache, two tiles of the last size into a usual second-level
 * cache. Long pencils need larger tiles, because our kernels transform as many pencils at a time as a vector register
 * has lanes. */
static const ptrdiff_t sizes[SX_PERF_FFT_NTILE_SIZES] = {16 << 10, 64 << 10, 256 << 10};

/* C2C, R2C, DOUBLE: indices in the lists of subx-perf-serial. GROUP: the tiles of that program have a multiple of this
 * number of pencils. */
enum { C2C = 0, R2C = 1, DOUBLE = 1, GROUP = SX_ALIGNMENT / sizeof(double) };

struct sx_perf_fft_tile {
    struct sx_perf_serial_tile tile;
    void *memory, *plan;
    double seconds; /* per pencil */
};

static void release(struct sx_perf_fft_tile *t)
{
    if (t->plan)
        sx_perf_serial_backend.free(t->plan);
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
            sx_perf_serial_backend.execute(plan);
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
    t.plan = sx_perf_serial_backend.create(backend, &t.tile, effort);
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
static void set(struct sx_perf_serial_tile *tile, ptrdiff_t most)
{
    sx_perf_serial_tile_set(tile);
    if (tile->npencils > most)
        tile->npencils = tile->problem.loop[0].n = most;
}

/* Compare all backends except naive, which is the last one: it evaluates the definition, and is too slow for long axes. */
static void compare_all(const struct sx_perf_serial_tile *shape, ptrdiff_t most, int effort,
                        struct sx_perf_fft_tile *best)
{
    struct sx_perf_serial_tile tile = *shape;
    for (int layout = 0; layout < SX_PERF_SERIAL_NLAYOUTS; layout++)
        for (int place = 0; place < SX_PERF_SERIAL_NPLACES; place++) {
            if (tile.kind != C2C && place == SX_PERF_SERIAL_IN_PLACE)
                continue;
            tile.layout = layout;
            tile.place = place;
            set(&tile, most);
            for (int i = 0; sx_serial_table[i] != &sx_serial_naive; i++)
                compare(sx_serial_table[i], &tile, effort, best);
        }
}

struct sx_perf_fft_tile *sx_perf_fft_tile_create(int is_real, ptrdiff_t n, ptrdiff_t most, int effort)
{
    const ptrdiff_t pencil_bytes = (is_real ? n / 2 + 1 : n) * (ptrdiff_t)sizeof(fftw_complex),
                    all_bytes = (most + GROUP - 1) / GROUP * GROUP * pencil_bytes;
    struct sx_perf_fft_tile *best = sx_perf_memory_create_small(1, sizeof *best);
    struct sx_perf_serial_tile tile = {.kind = is_real ? R2C : C2C, .precision = DOUBLE, .n = n};
    /* These plans have effort measure or more, even if --effort asks for less: the limit shall be a lower bound of the
     * time. */
    effort = effort > SX_EFFORT_MEASURE ? effort : SX_EFFORT_MEASURE;
    best->seconds = HUGE_VAL;
    for (int i = 0; i < SX_PERF_FFT_NTILE_SIZES; i++) {
        const ptrdiff_t before = tile.npencils;
        tile.cache = sizes[i] < all_bytes ? sizes[i] : all_bytes;
        set(&tile, most);
        if (tile.npencils != before)
            compare_all(&tile, most, effort, best);
    }
    if (!best->plan)
        sx_perf_program_abort(MPI_SUCCESS, "no backend transforms %td numbers", n);
    return best;
}

ptrdiff_t sx_perf_fft_tile_get_npencils(const struct sx_perf_fft_tile *tile)
{
    return tile->tile.npencils;
}

void sx_perf_fft_tile_execute(const struct sx_perf_fft_tile *tile)
{
    sx_perf_serial_backend.execute(tile->plan);
}

void sx_perf_fft_tile_free(struct sx_perf_fft_tile *tile)
{
    release(tile);
    free(tile);
}
