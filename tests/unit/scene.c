/* scene.c - draw the problem and the regions of a random pass. */
#include "unit/scene.h"
#include "common/unit.h"
#include <math.h>
#include <stdlib.h>

enum { ELEMENTS_MAX = 4000 };

int test_scene_is_axis(const sx_pass_problem *p, int axis)
{
    for (int i = 0; i < p->naxes; i++)
        if (p->axis[i].axis == axis)
            return 1;
    return 0;
}

int test_scene_is_whole(const sx_pass_problem *p, int axis)
{
    return p->is_whole[axis] || test_scene_is_axis(p, axis);
}

ptrdiff_t test_scene_get_count(int ndims, const ptrdiff_t len[])
{
    ptrdiff_t count = 1;
    for (int a = 0; a < ndims; a++)
        count *= len[a];
    return count;
}

/* ---- axes */

static int make_kind(test_random *r, int features, int i)
{
    const int is_real = features & TEST_REAL && !(features & TEST_HALF);
    if (features & TEST_HALF && i == 0)
        return SUBX_FFT_R2C;
    if (features & TEST_REAL && (is_real || test_random_int(r, 0, 1)))
        return test_random_int(r, SUBX_FFT_DCT1, SUBX_FFT_HC2R);
    return SUBX_FFT_C2C;
}

/* Draw an axis of 1 to `longest` elements; a DCT-I needs at least 2. Some axes are longer than a tile is
 * wide. */
static sx_pass_axis make_axis(test_random *r, int features, int axis, int kind, int longest)
{
    const int n = test_random_int(r, kind == SUBX_FFT_DCT1 ? 2 : 1, longest);
    sx_pass_axis x = {axis, kind, n, n, n};
    if (features & TEST_GAPS && kind != SUBX_FFT_HC2R) {
        x.points = test_random_int(r, 0, 1) ? n : test_random_int(r, 1, n);
        x.modes = test_random_int(r, 0, 1) ? n : test_random_int(r, 1, n);
    }
    return x;
}

/* Without TEST_ORDER, arrays are stored in C order, and the last axes are transformed first. */
static void make_axes(test_random *r, int features, sx_pass_problem *p)
{
    int chosen[TEST_DIMS], longest = test_random_int(r, 0, 2 * p->ndims);
    const int least = features & TEST_ORDER && !(features & TEST_HALF) ? 0 : 1,
              count = test_random_int(r, least, p->ndims < 3 ? p->ndims : 3);
    for (int a = 0; a < p->ndims; a++)
        p->order[a] = p->ndims - 1 - a;
    test_random_permutation(r, p->ndims, chosen);
    if (features & TEST_ORDER)
        test_random_permutation(r, p->ndims, p->order);
    for (int a = p->ndims - 1; a >= 0; a--) {
        const int axis = features & TEST_ORDER ? p->order[p->ndims - 1 - a] : a;
        if (chosen[axis] < count) {
            p->axis[p->naxes] =
                make_axis(r, features, axis, make_kind(r, features, p->naxes), axis == longest ? 60 : 7);
            p->naxes++;
        } else if (features & TEST_ORDER)
            p->is_whole[axis] = !test_random_int(r, 0, 3);
    }
    for (int a = 0; a < p->ndims; a++)
        p->side[0].len[a] = p->side[1].len[a] = test_random_int(r, 1, a == longest ? 60 : 7);
}

/* ---- sides */

static int get_domain(const sx_pass_problem *p, int side)
{
    const int physical = p->direction == SUBX_FFT_FORWARD ? SX_FROM : SX_TO;
    return p->is_round || side == physical ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL;
}

static void set_sides(sx_pass_problem *p, int width)
{
    for (int side = 0; side < 2; side++) {
        const int physical = get_domain(p, side) == SUBX_FFT_PHYSICAL, half = sx_pass_has_half(p);
        p->side[side].width = !half ? width : physical ? 1 : 2;
        for (int i = 0; i < p->naxes; i++) {
            const sx_pass_axis *x = &p->axis[i];
            const ptrdiff_t modes = x->kind == SUBX_FFT_R2C ? sx_serial_get_half(x->modes) : x->modes;
            p->side[side].len[x->axis] = physical ? x->points : modes;
        }
    }
}

static int compare_lengths(const void *a, const void *b)
{
    const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;
    return (x > y) - (x < y);
}

/* Cut each axis into at most `most` pieces, at random places. */
static test_cuts make_cuts(test_random *r, int most, int ndims, const ptrdiff_t len[])
{
    test_cuts c = {.pieces = {0}};
    for (int a = 0; a < ndims; a++) {
        c.pieces[a] = test_random_int(r, 0, 1) ? 1 : test_random_int(r, 1, most);
        for (int i = 1; i < c.pieces[a]; i++)
            c.at[a][i] = test_random_int(r, 0, (int)len[a]);
        c.at[a][c.pieces[a]] = len[a];
        qsort(c.at[a], (size_t)c.pieces[a] + 1, sizeof c.at[a][0], compare_lengths);
    }
    return c;
}

/* ---- regions */

/* Give a region strides: its axes lie in memory in a random order, with gaps. Returns the number of elements
 * that the region spans in memory. */
static ptrdiff_t spread(test_random *r, int ndims, sx_region *region)
{
    int order[TEST_DIMS];
    ptrdiff_t stride = 1;
    test_random_permutation(r, ndims, order);
    for (int i = 0; i < ndims; i++) {
        region->stride[order[i]] = stride;
        stride *= region->len[order[i]];
        stride += test_random_int(r, 0, 3) ? 0 : test_random_int(r, 0, 3);
    }
    return stride;
}

void test_scene_bind(test_scene *s)
{
    for (int side = 0; side < 2; side++) {
        s->p.side[side].region = s->region[side];
        for (int i = 0; i < TEST_REGIONS; i++) {
            s->region[side][i].start = s->arrays[side][i][0];
            s->region[side][i].len = s->arrays[side][i][1];
            s->region[side][i].stride = s->arrays[side][i][2];
        }
    }
}

/* Give each region of a side memory in a random buffer (place). Returns 1 if all regions fit into the
 * buffers. */
static int make_regions(test_random *r, test_scene *s, int side)
{
    sx_pass_side *t = &s->p.side[side];
    const test_cuts *c = &s->cut[side];
    ptrdiff_t used[TEST_PLACES] = {0};
    t->nregions = 1;
    for (int a = 0; a < s->p.ndims; a++)
        t->nregions *= c->pieces[a];
    for (int i = 0; i < t->nregions; i++) {
        sx_region *region = &t->region[i];
        int rest = i;
        for (int a = 0; a < s->p.ndims; a++) {
            const ptrdiff_t *at = &c->at[a][rest % c->pieces[a]];
            region->start[a] = at[0];
            region->len[a] = at[1] - at[0];
            rest /= c->pieces[a];
        }
        region->place = test_random_int(r, 0, TEST_PLACES - 1);
        region->is_far = test_random_int(r, 0, 1);
        region->offset = used[region->place] * sx_serial_get_real_bytes(s->p.precision);
        used[region->place] += spread(r, s->p.ndims, region) * t->width + test_random_int(r, 0, 5);
        if (used[region->place] > TEST_ROOM)
            return 0;
    }
    return 1;
}

const sx_serial *test_scene_get_backend(int k)
{
    int n = 0, i = 0;
    for (; sx_serial_table[i]; i++)
        n += sx_serial_table[i]->serves(SUBX_FFT_DOUBLE);
    k %= n;
    for (i = 0; !sx_serial_table[i]->serves(SUBX_FFT_DOUBLE) || k-- > 0;)
        i++;
    return sx_serial_table[i];
}

/* Each choice is drawn independently, so that any combination may occur. */
void test_scene_make_choices(test_random *r, int k, test_scene *s)
{
    sx_pass_problem *p = &s->p;
    static const ptrdiff_t widths[] = {1, 3, 16};
    p->serial = test_scene_get_backend(k);
    p->width = widths[test_random_int(r, 0, 2)];
    p->interleaved = test_random_int(r, 0, 1);
    p->is_small = test_random_int(r, 0, 1);
    p->threads = test_random_int(r, 0, 1) ? 3 : 1;
    p->volume = 8;
    p->roots = test_random_int(r, 0, 1) ? 0 : 2;
}

static void make_features(test_random *r, int features, test_scene *s)
{
    sx_pass_problem *p = &s->p;
    p->precision = SUBX_FFT_DOUBLE;
    while (features & TEST_PRECISION && p->precision == SUBX_FFT_DOUBLE) {
        const int precision = test_random_int(r, SUBX_FFT_FLOAT, SUBX_FFT_QUAD);
        p->precision = p->serial->serves(precision) ? precision : SUBX_FFT_DOUBLE;
    }
    p->is_orthonormal = features & TEST_ENDS ? 1 : 0;
    p->is_round = features & TEST_ROUND ? 1 : 0;
    p->has_operation = features & TEST_OPERATION ? 1 : 0;
    s->operates = p->has_operation && test_random_int(r, 0, 3);
}

void test_scene_make(test_random *r, int features, int direction, int k, test_scene *s)
{
    for (int fits = 0; !fits;) {
        *s = (test_scene){.p = {.direction = direction, .ndims = test_random_int(r, 1, TEST_DIMS)}};
        test_scene_make_choices(r, k, s);
        make_features(r, features, s);
        make_axes(r, features, &s->p);
        set_sides(&s->p, features & TEST_REAL ? test_random_int(r, 1, 2) : 2);
        test_scene_bind(s);
        fits = 1;
        for (int side = 0; side < 2 && fits; side++) {
            const int most = s->p.is_small && test_random_int(r, 0, 2) ? 1 : TEST_PIECES;
            s->cut[side] = make_cuts(r, most, s->p.ndims, s->p.side[side].len);
            fits = test_scene_get_count(s->p.ndims, s->p.side[side].len) <= ELEMENTS_MAX &&
                   make_regions(r, s, side);
        }
    }
}
