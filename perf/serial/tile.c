/* tile.c - the shape of a tile: as many pencils as fit into a cache, in the layout of the tiles of passes.
 * Its plans by the serial backends of the library. */
#include "serial/pencils.h"

#include <stdlib.h>

/* The lists of words are in the order of the library's constants. */
static int get_kind(const struct sx_perf_serial_tile *tile)
{
    return SUBX_FFT_C2C + tile->kind;
}

static int get_precision(const struct sx_perf_serial_tile *tile)
{
    return SUBX_FFT_FLOAT + tile->precision;
}

void sx_perf_serial_tile_set_kind(struct sx_perf_serial_tile *tile, int kind, int precision)
{
    tile->kind = kind - SUBX_FFT_C2C;
    tile->precision = precision - SUBX_FFT_FLOAT;
}

/* Get the number of elements of a pencil on a side. */
static ptrdiff_t get_length(const struct sx_perf_serial_tile *tile, int side)
{
    const int is_half = get_kind(tile) == (side == SX_TO ? SUBX_FFT_R2C : SUBX_FFT_C2R);
    return is_half ? sx_serial_get_half(tile->n) : tile->n;
}

static ptrdiff_t get_element_bytes(const struct sx_perf_serial_tile *tile, int side)
{
    return sx_serial_get_width(get_kind(tile), side) * sx_serial_get_real_bytes(get_precision(tile));
}

/* Get the number of pencils that fit into the cache, but at least 1. If possible, it is a multiple of the
 * number of reals in a cache line. */
static ptrdiff_t get_npencils(const struct sx_perf_serial_tile *tile)
{
    const ptrdiff_t from = get_length(tile, SX_FROM) * get_element_bytes(tile, SX_FROM),
                    to = get_length(tile, SX_TO) * get_element_bytes(tile, SX_TO),
                    count = tile->cache / (from > to ? from : to),
                    group = SX_ALIGNMENT / sx_serial_get_real_bytes(get_precision(tile));
    if (count >= group)
        return count / group * group;
    return count > 1 ? count : 1;
}

/* A row takes an odd number of cache lines, as in fft/pass/create.c. Returns the elements from one row to
 * the next. */
static ptrdiff_t get_row(ptrdiff_t n, ptrdiff_t element_bytes)
{
    const ptrdiff_t lines = (n * element_bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT;
    return n > 1 ? (lines | 1) * SX_ALIGNMENT / element_bytes : 1;
}

static void set_side(struct sx_perf_serial_tile *tile, int side, ptrdiff_t *axis, ptrdiff_t *loop)
{
    const ptrdiff_t element = get_element_bytes(tile, side), length = get_length(tile, side);
    const int is_interleaved = tile->layout == SX_PERF_SERIAL_INTERLEAVED;
    const ptrdiff_t row = get_row(is_interleaved ? tile->npencils : length, element);
    const ptrdiff_t bytes = row * element * (is_interleaved ? length : tile->npencils);
    *axis = is_interleaved ? row : 1;
    *loop = is_interleaved ? 1 : row;
    tile->bytes[side] = (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

void sx_perf_serial_tile_set(struct sx_perf_serial_tile *tile)
{
    tile->npencils = get_npencils(tile);
    sx_dim axis = {.n = tile->n}, loop = {.n = tile->npencils};
    set_side(tile, SX_FROM, &axis.is, &loop.is);
    set_side(tile, SX_TO, &axis.os, &loop.os);
    tile->problem = (sx_serial_problem){.precision = get_precision(tile),
                                        .kind = get_kind(tile),
                                        .direction = SUBX_FFT_FORWARD,
                                        .naxes = 1,
                                        .axis = {axis},
                                        .nloops = 1,
                                        .loop = {loop}};
    if (get_kind(tile) == SUBX_FFT_C2R)
        tile->problem.direction = SUBX_FFT_BACKWARD;
}

ptrdiff_t sx_perf_serial_tile_get_bytes(const struct sx_perf_serial_tile *tile)
{
    return tile->bytes[SX_FROM] + (tile->place == SX_PERF_SERIAL_OUT_OF_PLACE ? tile->bytes[SX_TO] : 0);
}

/* The output follows the input directly, as in a pass. If both began at the beginning of a page, loads
 * would wait for stores at the same place in another page. */
void sx_perf_serial_tile_set_memory(struct sx_perf_serial_tile *tile, char *memory)
{
    tile->in = memory;
    tile->out = memory + (tile->place == SX_PERF_SERIAL_OUT_OF_PLACE ? tile->bytes[SX_FROM] : 0);
}

/* ------------------------------------------------------------------------------------ plans */

struct plan {
    const sx_serial *backend;
    void *state, *in, *out, *work;
};

void sx_perf_serial_plan_free(void *opaque)
{
    struct plan *plan = opaque;
    plan->backend->free(plan->state);
    sx_base_free(plan->work);
    free(plan);
}

void *sx_perf_serial_plan_create(const sx_serial *backend, const struct sx_perf_serial_tile *tile, int effort)
{
    struct plan *plan = sx_perf_memory_create_small(1, sizeof *plan);
    *plan = (struct plan){.backend = backend, .in = tile->in, .out = tile->out};
    if (!backend->serves(tile->problem.precision) ||
        backend->create(&tile->problem, effort, tile->in, tile->out, &plan->state) != MPI_SUCCESS) {
        free(plan);
        return NULL;
    }
    plan->work = sx_base_alloc(backend->get_bytes(plan->state), 1);
    if (plan->work)
        return plan;
    sx_perf_serial_plan_free(plan);
    return NULL;
}

int sx_perf_serial_plan_execute(void *opaque)
{
    const struct plan *plan = opaque;
    plan->backend->execute(plan->state, plan->in, plan->out, plan->work);
    return MPI_SUCCESS;
}
