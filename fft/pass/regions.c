/* regions.c - execute a step by a kernel, between regions and buffers: give it the addresses of rows or lines. */
#include "pass/inside.h"

/* ---- work space: that of the kernel, and addresses of both sides */

ptrdiff_t sx_pass_kernel_set_work(const sx_step *step, char *work, char **address[])
{
    ptrdiff_t bytes = sx_base_round_up(sx_simd_get_bytes(step->simd));
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t n = sx_simd_get_length(step->simd, side);
        address[side] = (char **)(void *)(work + bytes);
        bytes += sx_base_round_up((n > SX_GROUP ? n : SX_GROUP) * (ptrdiff_t)sizeof(char *));
    }
    return bytes;
}

/* ---- execution */

/* A box of a tile whose regions are one bundle per side, and the place in it. */
typedef struct box {
    sx_pass pass;
    const sx_step *step;
    const sx_tile *t;
    char *buffer[2];         /* [side]: of a side that is not regions */
    const void *const *from; /* addresses of regions */
    void *const *to;
    int region[2]; /* [side]: the first one of the bundle */
    ptrdiff_t lo[SUBX_NDIMS_MAX], n[SUBX_NDIMS_MAX], at[SUBX_NDIMS_MAX];
    char **address[2];
    void *work;
} box;

static char *get_region_address(const box *b, int side, const sx_region *r)
{
    const sx_buffer *layout = sx_pass_get_layout(b->pass, side);
    char *base = side == SX_FROM ? (char *)(size_t)b->from[r->place] : (char *)b->to[r->place];
    ptrdiff_t elements = 0;
    for (int a = 0; a < b->pass->p.ndims; a++)
        if (a != b->step->axis)
            elements += (b->t->lo[a] + b->at[a] - r->start[a]) * r->stride[a];
    return base + r->offset + elements * layout->element;
}

static char *get_buffer_address(const box *b, int side, const sx_buffer *layout)
{
    ptrdiff_t elements = 0;
    for (int a = 0; a < b->pass->p.ndims; a++)
        if (a != b->step->axis && (b->pass->is_whole[a] || a == b->pass->batch.axis))
            elements += b->at[a] * layout->stride[a];
    return b->buffer[side] + elements * layout->element;
}

/* Rows j = 0 .. n-1, or lines, `apart` bytes apart. */
static void set_addresses(char *at[], char *first, ptrdiff_t n, ptrdiff_t apart)
{
    for (ptrdiff_t j = 0; j < n; j++)
        at[j] = first + j * apart;
}

static void set_side(const box *b, int side, ptrdiff_t npencils)
{
    const sx_step *step = b->step;
    const int place = side == SX_FROM ? step->from : step->to, are_lines = step->form[side] == SX_LINES;
    const ptrdiff_t n = sx_simd_get_length(step->simd, side);
    if (place != SX_REGIONS) {
        const sx_buffer *layout = &b->pass->buffer[place];
        set_addresses(b->address[side], get_buffer_address(b, side, layout), are_lines ? npencils : n,
                      layout->stride[are_lines ? step->along : step->axis] * layout->element);
        return;
    }
    for (int i = b->region[side]; i >= 0; i = b->pass->next[side][i]) {
        const sx_region *r = &b->pass->p.side[side].region[i];
        set_addresses(b->address[side] + (are_lines ? 0 : r->start[step->axis]),
                      get_region_address(b, side, r), are_lines ? npencils : r->len[step->axis],
                      r->stride[are_lines ? step->along : step->axis] *
                          sx_pass_get_layout(b->pass, side)->element);
    }
}

static void transform_pencils(box *b)
{
    const sx_step *step = b->step;
    const int u = step->along, has_lines = step->form[0] == SX_LINES || step->form[1] == SX_LINES;
    const ptrdiff_t end = b->lo[u] + b->n[u], most = has_lines ? SX_GROUP : b->n[u];
    for (b->at[u] = b->lo[u]; b->at[u] < end; b->at[u] += most) {
        const ptrdiff_t n = end - b->at[u] < most ? end - b->at[u] : most;
        sx_simd_side side[2];
        for (int k = 0; k < 2; k++) {
            set_side(b, k, n);
            side[k] = (sx_simd_side){step->form[k] == SX_LINES, b->address[k]};
        }
        sx_simd_execute(step->simd, n, &side[SX_FROM], &side[SX_TO], b->work);
    }
}

static void walk(box *b, int a)
{
    if (a == b->pass->p.ndims) {
        transform_pencils(b);
        return;
    }
    if (a == b->step->along || a == b->step->axis) {
        walk(b, a + 1);
        return;
    }
    for (b->at[a] = b->lo[a]; b->at[a] < b->lo[a] + b->n[a]; b->at[a]++)
        walk(b, a + 1);
}

/* The part of the tile in which a region lies; all of it if there is none. */
static void set_box(box *b, const sx_region *r)
{
    sx_corner corner;
    sx_pass_corner_get(b->pass, b->step->nspectral, 0, b->t->kind, &corner);
    for (int a = 0; a < b->pass->p.ndims; a++) {
        const int is_cut = r && b->pass->is_whole[a];
        b->lo[a] = is_cut ? r->start[a] : 0;
        b->n[a] = is_cut ? r->len[a] : corner.n[a];
    }
}

static void execute_box(box *b, const sx_region *r)
{
    set_box(b, r);
    walk(b, 0);
}

/* Go through the bundles of a side. If the other side is regions, too, it has a single bundle. */
static void execute_bundles(box *b, int side)
{
    const sx_pass pass = b->pass;
    int count;
    if (b->step->from == SX_REGIONS)
        b->region[SX_FROM] = *sx_pass_index_find(&pass->index[SX_FROM], b->t->lo, &count);
    const int *list = sx_pass_index_find(&pass->index[side], b->t->lo, &count);
    for (int i = 0; i < count; i++) {
        if (!pass->is_first[side][list[i]])
            continue;
        b->region[side] = list[i];
        execute_box(b, &pass->p.side[side].region[list[i]]);
    }
}

void sx_pass_kernel_execute(sx_pass pass, int thread, const sx_step *step, const sx_tile *t,
                            const void *const from[], void *const to[])
{
    box b = {.pass = pass, .step = step, .t = t, .from = from, .to = to, .work = pass->work[thread]};
    (void)sx_pass_kernel_set_work(step, pass->work[thread], b.address);
    if (step->from != SX_REGIONS)
        b.buffer[SX_FROM] = sx_pass_get_buffer(pass, thread, step->from);
    if (step->to != SX_REGIONS)
        b.buffer[SX_TO] = sx_pass_get_buffer(pass, thread, step->to);
    if (step->to == SX_REGIONS)
        execute_bundles(&b, SX_TO);
    else if (step->from == SX_REGIONS)
        execute_bundles(&b, SX_FROM);
    else
        execute_box(&b, NULL);
}
