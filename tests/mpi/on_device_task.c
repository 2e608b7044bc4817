/* on_device_task.c - random problems for tests of plans on a device. */
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <stdio.h>
#include <string.h>

/* Draw a process grid. A grid dimension may be longer than the axis that it divides. Some grids divide every
 * axis (bricks). */
static void draw_grid(test_random *r, test_task *t, char *grid)
{
    int left = t->nranks;
    t->is_brick = t->ndims > 1 && test_random_int(r, 0, 4) == 0;
    const int g = t->is_brick || t->ndims == 1 ? t->ndims : test_random_int(r, 1, t->ndims - 1);
    *grid = '\0';
    for (int k = 0; k < g; k++) {
        int n = k + 1 < g ? test_random_int(r, 1, left) : left;
        while (left % n != 0)
            n--;
        sprintf(grid + strlen(grid), "%s%d", k ? "x" : "", n);
        left /= n;
    }
}

/* Draw a list of kinds. At most one is R2C. Seldom, no axis is transformed. */
static void draw_list(test_random *r, test_task *t, int has_complex)
{
    const int chosen = test_random_int(r, test_random_int(r, 0, 7) ? 0 : -1, t->ndims - 1);
    for (int a = 0; a < t->ndims; a++) {
        t->kinds[a] = test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
        if (has_complex && test_random_int(r, 0, 2) == 0)
            t->kinds[a] = SUBX_FFT_C2C;
        if (chosen < 0 || (a != chosen && test_random_int(r, 0, 3) == 0))
            t->kinds[a] = SUBX_FFT_NONE;
    }
    if (has_complex && chosen >= 0 && test_random_int(r, 0, 1))
        t->kinds[chosen] = SUBX_FFT_R2C;
}

/* Draw the kinds: a half of the problems are c2c or r2c, a quarter has a single other kind, a quarter a list
 * of kinds. */
static void draw_kinds(test_random *r, test_task *t)
{
    const int style = test_random_int(r, 0, 7);
    t->kind = style < 2 ? SUBX_FFT_C2C : style < 4 ? SUBX_FFT_R2C : SUBX_FFT_NONE;
    if (style == 4 || style == 5)
        t->kind = test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
    for (int a = 0; a < t->ndims; a++)
        t->kinds[a] = t->kind == SUBX_FFT_R2C && a < t->ndims - 1 ? SUBX_FFT_C2C : t->kind;
    if (style > 5)
        draw_list(r, t, style == 7);
    t->is_real = 1;
    for (int a = 0; a < t->ndims; a++)
        t->is_real &= t->kinds[a] != SUBX_FFT_C2C && t->kinds[a] != SUBX_FFT_R2C;
}

static char *print_kinds(const test_task *t, char *at)
{
    static const char *const names[] = {"-",    "c2c",  "r2c",  "c2r",  "dct1", "dct2", "dct3", "dct4",
                                        "dst1", "dst2", "dst3", "dst4", "dht",  "r2hc", "hc2r"};
    if (t->kind != SUBX_FFT_NONE)
        return at + sprintf(at, "%s", names[t->kind]);
    for (int a = 0; a < t->ndims; a++)
        at += sprintf(at, "%s%s", a ? "," : "", names[t->kinds[a]]);
    return at;
}

/* Print a list of lengths: the sizes, or, if is_less, random lengths that do not exceed the sizes. */
static char *print_list(test_random *r, const test_task *t, int is_less, char *at)
{
    for (int a = 0; a < t->ndims; a++) {
        const int is_whole = t->kinds[a] == SUBX_FFT_NONE || t->kinds[a] == SUBX_FFT_HC2R;
        const ptrdiff_t less = test_random_int(r, 1, (int)t->sizes[a]);
        at += sprintf(at, "%s%td", a ? "x" : "", is_less && !is_whole ? less : t->sizes[a]);
    }
    return at;
}

/* Print the lengths of a problem. In half of the cases there are fewer modes or points than sizes. */
static char *print_lengths(test_random *r, test_task *t, char *at)
{
    const int what = t->is_factored ? 3 : test_random_int(r, 0, 5);
    t->is_truncated = what < 3;
    if (t->is_truncated) {
        at = print_list(r, t, what != 1, at);
        *at++ = '>';
    }
    at = print_list(r, t, 0, at);
    if (t->is_truncated && what != 2) {
        *at++ = '>';
        at = print_list(r, t, 1, at);
    }
    return at;
}

/* Draw the sizes. DCT1 has at least two elements. */
static void draw_sizes(test_random *r, test_task *t)
{
    static const int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 25, 31, 32, 64};
    static const int last[] = {0, 15, 13, 11, 6};
    for (int a = 0; a < t->ndims; a++) {
        const int n = lengths[test_random_int(r, 0, last[t->ndims])];
        t->sizes[a] = n == 1 && t->kinds[a] == SUBX_FFT_DCT1 ? 2 : n;
    }
}

/* Print the block sizes of a side. On two and more ranks, a grid has blocks of the half of an axis. */
static char *print_blocks(test_random *r, const test_task *t, int side, char *at)
{
    at += sprintf(at, "/%s-block=", side ? "spectral" : "physical");
    for (int a = 0; a < t->ndims; a++) {
        const int half = (int)(t->sizes[a] + 1) / 2, block = test_random_int(r, half, 2 * half);
        const int has_block = t->kinds[a] != SUBX_FFT_NONE && test_random_int(r, 0, 1);
        at += sprintf(at, "%s%d", a ? "x" : "", has_block ? block : 0);
    }
    return at;
}

/* Print how a side is stored: mostly nothing, else an order or blocks. Or set that it has boxes or strides;
 * or the physical side of R2C is padded. */
static char *print_storage(test_random *r, test_task *t, int side, char *at)
{
    const int what = test_random_int(r, 0, 14);
    int order[TEST_DEVICE_NDIMS];
    t->has_strides[side] = what == 2 || what == 3;
    if (what > 11) {
        t->boxes[side] = what == 12 ? TEST_STRIDED_BOXES : TEST_BOXES;
        return at;
    }
    if (what == 4 && side == 0 && t->kinds[t->ndims - 1] == SUBX_FFT_R2C && t->howmany == 1) {
        t->is_padded = 1;
        at += sprintf(at, "/padded");
    }
    if (test_random_int(r, 0, 7) == 0)
        at = print_blocks(r, t, side, at);
    if (what > 1)
        return at;
    test_random_permutation(r, t->ndims, order);
    at += sprintf(at, "/%s-order=", side ? "spectral" : "physical");
    for (int k = 0; k < t->ndims; k++)
        at += sprintf(at, "%s%d", k ? "," : "", order[k]);
    return at;
}

/* One axis on several ranks: only c2c, and the length is not prime. */
static void draw_factored(test_random *r, test_task *t)
{
    static const int lengths[] = {4, 6, 9, 12, 25, 35, 49, 64, 77, 96, 143, 210};
    t->is_factored = 1;
    t->kind = t->kinds[0] = SUBX_FFT_C2C;
    t->is_real = 0;
    t->sizes[0] = lengths[test_random_int(r, 0, 11)];
}

static void draw_problem(test_random *r, test_task *t)
{
    char *at = t->problem;
    const int is_inside = test_random_int(r, 0, 1);
    t->is_float = test_random_int(r, 0, 3) == 0;
    t->howmany = test_random_int(r, 0, 2) ? 1 : test_random_int(r, 2, 3);
    t->ndims = test_random_int(r, 1, TEST_DEVICE_NDIMS);
    draw_kinds(r, t);
    draw_sizes(r, t);
    if (t->ndims == 1 && t->nranks > 1)
        draw_factored(r, t);
    if (t->howmany > 1 && !is_inside)
        at += sprintf(at, "%d*", t->howmany);
    at = print_kinds(t, at);
    at += sprintf(at, "%s:", t->is_float ? ".f32" : "");
    at = print_lengths(r, t, at);
    if (t->howmany > 1 && is_inside)
        at += sprintf(at, "*%d", t->howmany);
    for (int side = 0; side < 2; side++)
        at = print_storage(r, t, side, at);
}

test_task test_task_draw(uint64_t number)
{
    static const char *const engines[] = {"auto", "node", "pairwise", "alltoallv", "kway"};
    static const char *const scalings[] = {"none", "forward", "backward", "symmetric", "orthonormal"};
    static const char *const slices[] = {"0", "1", "2", "3", "7", "40"};
    test_random r = test_random_stream(test_seed(), number);
    test_task t = {.nranks = test_random_int(&r, 1, 7), .number = number};
    char grid[64];
    test_device_set_messages(number);
    t.nranks = t.nranks > test_nranks ? test_nranks : t.nranks;
    draw_problem(&r, &t);
    draw_grid(&r, &t, grid);
    /* With strides, one axis on several ranks has natural output, whose shape differs from that of transposed
     * output. */
    const int is_natural = test_random_int(&r, 0, 1) || (t.is_factored && t.has_strides[1]);
    const char *const chosen = slices[test_random_int(&r, 0, 5)];
    const int engine = test_random_int(&r, 0, 4);
    snprintf(t.hints, TEST_DEVICE_TEXT, "grid=%s output_order=%s slices=%s engine=%s node_ranks=%d", grid,
             is_natural ? "natural" : "transposed", chosen, engines[engine], test_random_int(&r, 0, 2));
    t.scaling = scalings[test_random_int(&r, 0, 4)];
    t.is_natural = test_random_int(&r, 0, 2) == 0;
    return t;
}

MPI_Comm test_task_begin(const test_task *t)
{
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, test_rank < t->nranks ? 0 : MPI_UNDEFINED, 0, &comm);
    test_context("problem %d: %s %s, boxes %d %d, on %d ranks", (int)t->number, t->problem, t->hints,
                 t->boxes[0], t->boxes[1], t->nranks);
    return comm;
}
