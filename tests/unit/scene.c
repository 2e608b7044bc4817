/* scene.c - random passes, executed and compared with a transform of the whole array. */
#include "unit/scene.h"
#include "common/unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 4000 };

/* Relative to sqrt(N): see the transform tests. */
static const double tolerance = 1e-12;

/* ---- random problems */

int test_scene_is_axis(const sx_pass_problem *p, int axis)
{
    for (int i = 0; i < p->naxes; i++)
        if (p->axes[i] == axis)
            return 1;
    return 0;
}

static void make_axes(test_random *r, sx_pass_problem *p)
{
    int order[TEST_DIMS];
    const int most = p->ndims < 3 ? p->ndims : 3, count = test_random_int(r, 1, most);
    char chosen[TEST_DIMS] = {0};
    test_random_permutation(r, p->ndims, order);
    for (int i = 0; i < count; i++)
        chosen[order[i]] = 1;
    for (int a = 0; a < p->ndims; a++)
        if (chosen[a])
            p->axes[p->naxes++] = a;
}

/* One axis may be longer than a tile is wide. */
static int make_lengths(test_random *r, sx_pass_problem *p)
{
    const int longest = test_random_int(r, 0, 2 * p->ndims), halved = p->axes[p->naxes - 1];
    ptrdiff_t count = 1;
    for (int a = 0; a < p->ndims; a++) {
        const ptrdiff_t n = test_random_int(r, 1, a == longest ? 60 : 7);
        p->side[SX_FROM].len[a] = p->side[SX_TO].len[a] = n;
        count *= n;
    }
    if (p->kind != SUBX_FFT_C2C) {
        const int real = p->kind == SUBX_FFT_R2C ? SX_FROM : SX_TO;
        p->side[!real].len[halved] = sx_serial_get_half(p->side[real].len[halved]);
    }
    return count <= ELEMENTS_MAX;
}

static int compare_lengths(const void *a, const void *b)
{
    const ptrdiff_t x = *(const ptrdiff_t *)a, y = *(const ptrdiff_t *)b;
    return (x > y) - (x < y);
}

static test_cuts make_cuts(test_random *r, int ndims, const ptrdiff_t len[])
{
    test_cuts c = {.pieces = {0}};
    for (int a = 0; a < ndims; a++) {
        c.pieces[a] = test_random_int(r, 0, 1) ? 1 : test_random_int(r, 1, TEST_PIECES);
        for (int i = 1; i < c.pieces[a]; i++)
            c.at[a][i] = test_random_int(r, 0, (int)len[a]);
        c.at[a][c.pieces[a]] = len[a];
        qsort(c.at[a], (size_t)c.pieces[a] + 1, sizeof c.at[a][0], compare_lengths);
    }
    return c;
}

/* Store a region in any order of its axes, with gaps. Returns the number of elements that it spans. */
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

/* Returns 1 if all regions have room in their places. */
static int make_regions(test_random *r, test_scene *s, int side)
{
    sx_pass_side *t = &s->p.side[side];
    const test_cuts *c = &s->cut[side];
    ptrdiff_t used[TEST_PLACES] = {0};
    t->region = s->region[side];
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
        region->offset = used[region->place] * (ptrdiff_t)sizeof(double);
        used[region->place] += spread(r, s->p.ndims, region) * t->width + test_random_int(r, 0, 5);
        if (used[region->place] > TEST_ROOM)
            return 0;
    }
    return 1;
}

const sx_serial *test_scene_get_backend(int k)
{
    int n = 0;
    while (sx_serial_table[n])
        n++;
    return sx_serial_table[k % n];
}

/* The choices alternate with coprime periods, so that all combinations occur. */
void test_scene_make_choices(test_random *r, sx_pass_problem *p, int k)
{
    static const ptrdiff_t widths[] = {1, 3, 16};
    p->serial = test_scene_get_backend(k);
    p->width = widths[k % 3];
    p->interleaved = k / 5 % 2;
    p->threads = p->serial->is_reentrant && k / 7 % 2 ? 3 : 1;
    p->factor = test_random_int(r, 0, 1) ? 1 : 0.125;
}

void test_scene_make(test_random *r, int kind, int direction, int k, test_scene *s)
{
    for (int fits = 0; !fits;) {
        *s = (test_scene){
            .p = {.kind = kind, .direction = direction, .ndims = test_random_int(r, 1, TEST_DIMS)}};
        make_axes(r, &s->p);
        test_scene_make_choices(r, &s->p, k);
        s->p.side[SX_FROM].width = kind == SUBX_FFT_R2C ? 1 : 2;
        s->p.side[SX_TO].width = kind == SUBX_FFT_C2R ? 1 : 2;
        fits = make_lengths(r, &s->p);
        for (int side = 0; side < 2 && fits; side++) {
            s->cut[side] = make_cuts(r, s->p.ndims, s->p.side[side].len);
            fits = make_regions(r, s, side);
        }
    }
}

/* ---- the whole arrays */

ptrdiff_t test_scene_get_count(const test_scene *s, int side)
{
    ptrdiff_t count = 1;
    for (int a = 0; a < s->p.ndims; a++)
        count *= s->p.side[side].len[a];
    return count;
}

/* Get the number of elements of one transform, on its real side. */
static double get_elements(const test_scene *s)
{
    const int real = s->p.kind == SUBX_FFT_C2R ? SX_TO : SX_FROM;
    double n = 1;
    for (int i = 0; i < s->p.naxes; i++)
        n *= (double)s->p.side[real].len[s->p.axes[i]];
    return n;
}

static void get_strides(const test_scene *s, int side, ptrdiff_t stride[])
{
    ptrdiff_t next = 1;
    for (int a = s->p.ndims - 1; a >= 0; a--) {
        stride[a] = next;
        next *= s->p.side[side].len[a];
    }
}

/* Transform a whole array at once, in C order on both sides, by the naive backend. */
static void transform_whole(const test_scene *s, int kind, int direction, int from, double *in, double *out)
{
    sx_serial_problem p = {.kind = kind, .direction = direction};
    const int real = kind == SUBX_FFT_C2R ? !from : from;
    ptrdiff_t is[TEST_DIMS], os[TEST_DIMS];
    void *state = NULL;
    get_strides(s, from, is);
    get_strides(s, !from, os);
    for (int a = 0; a < s->p.ndims; a++) {
        const sx_serial_dim d = {s->p.side[real].len[a], is[a], os[a]};
        if (test_scene_is_axis(&s->p, a))
            p.axis[p.naxes++] = d;
        else
            p.loop[p.nloops++] = d;
    }
    ck_assert_ok(sx_serial_naive.create(&p, SX_EFFORT_ESTIMATE, in, out, &state));
    sx_serial_naive.execute(state, in, out);
    sx_serial_naive.free(state);
}

static double *alloc_doubles(ptrdiff_t n)
{
    double *array = sx_base_alloc(n, sizeof *array);
    ck_assert_ptr_nonnull(array);
    return array;
}

/* Random input; complex-to-real transforms get a spectrum that a real array has. */
static void make_whole(test_random *r, test_scene *s)
{
    ptrdiff_t n[2];
    for (int side = 0; side < 2; side++) {
        n[side] = test_scene_get_count(s, side) * s->p.side[side].width;
        s->whole[side] = alloc_doubles(n[side]);
    }
    const int from = s->p.kind == SUBX_FFT_C2R ? SX_TO : SX_FROM;
    for (ptrdiff_t i = 0; i < n[from]; i++)
        s->whole[from][i] = test_random_double(r);
    if (s->p.kind == SUBX_FFT_C2R)
        transform_whole(s, SUBX_FFT_R2C, SUBX_FFT_FORWARD, SX_TO, s->whole[SX_TO], s->whole[SX_FROM]);
    double *in = alloc_doubles(n[SX_FROM]); /* which the transform may destroy */
    memcpy(in, s->whole[SX_FROM], (size_t)n[SX_FROM] * sizeof *in);
    transform_whole(s, s->p.kind, s->p.direction, SX_FROM, in, s->whole[SX_TO]);
    for (ptrdiff_t i = 0; i < n[SX_TO]; i++)
        s->whole[SX_TO][i] *= s->p.factor;
    sx_base_free(in);
}

/* ---- the regions of a side, element by element */

static ptrdiff_t get_region_count(const test_scene *s, const sx_region *region)
{
    ptrdiff_t count = 1;
    for (int a = 0; a < s->p.ndims; a++)
        count *= region->len[a];
    return count;
}

/* Get the t-th element of a region in its memory, and in the whole array. */
static double *get_element(const test_scene *s, int side, const sx_region *region, ptrdiff_t t,
                           double **whole)
{
    const sx_pass_side *of = &s->p.side[side];
    ptrdiff_t stride[TEST_DIMS], at = 0, all = 0;
    get_strides(s, side, stride);
    for (int a = 0; a < s->p.ndims; a++) {
        const ptrdiff_t i = t % region->len[a];
        at += i * region->stride[a];
        all += (region->start[a] + i) * stride[a];
        t /= region->len[a];
    }
    *whole = s->whole[side] + all * of->width;
    return s->place[side][region->place] + region->offset / (ptrdiff_t)sizeof(double) + at * of->width;
}

/* Memory that belongs to no region keeps this value. */
static const double untouched = -7.25;

void test_scene_fill_places(const test_scene *s, int side)
{
    for (int k = 0; k < TEST_PLACES; k++)
        for (ptrdiff_t i = 0; i < TEST_ROOM; i++)
            s->place[side][k][i] = untouched;
}

static void fill_regions(const test_scene *s, int side)
{
    double *whole;
    for (int i = 0; i < s->p.side[side].nregions; i++) {
        const sx_region *region = &s->p.side[side].region[i];
        for (ptrdiff_t t = 0; t < get_region_count(s, region); t++) {
            double *element = get_element(s, side, region, t, &whole);
            memcpy(element, whole, (size_t)s->p.side[side].width * sizeof *whole);
        }
    }
}

/* Get the largest difference. Elements become untouched once they have been compared. */
static double compare_regions(const test_scene *s, int side)
{
    double *whole, worst = 0;
    for (int i = 0; i < s->p.side[side].nregions; i++) {
        const sx_region *region = &s->p.side[side].region[i];
        for (ptrdiff_t t = 0; t < get_region_count(s, region); t++) {
            double *element = get_element(s, side, region, t, &whole);
            for (int w = 0; w < s->p.side[side].width; w++) {
                const double difference = fabs(element[w] - whole[w]);
                if (!(difference <= worst))
                    worst = difference;
                element[w] = untouched;
            }
        }
    }
    return worst;
}

static int is_untouched(const test_scene *s, int side)
{
    for (int k = 0; k < TEST_PLACES; k++)
        for (ptrdiff_t i = 0; i < TEST_ROOM; i++)
            if (s->place[side][k][i] != untouched)
                return 0;
    return 1;
}

void test_scene_begin(test_scene *s, test_random *r, int in_place)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < TEST_PLACES; k++)
            s->place[side][k] = in_place && side ? s->place[0][k] : alloc_doubles(TEST_ROOM);
    make_whole(r, s);
    test_scene_fill_places(s, SX_TO);
    test_scene_fill_places(s, SX_FROM);
    fill_regions(s, SX_FROM);
}

void test_scene_end(test_scene *s, int k)
{
    const double n = get_elements(s), scale = s->p.kind == SUBX_FFT_C2R ? n : sqrt(n);
    const int in_place = s->place[0][0] == s->place[1][0];
    const double worst = compare_regions(s, SX_TO);
    ck_assert_msg(worst <= tolerance * scale, "case %d, kind %d, %d of %d axes, %s: %g", k, s->p.kind,
                  s->p.naxes, s->p.ndims, s->p.serial->name, worst);
    ck_assert_msg(is_untouched(s, SX_TO), "case %d: more was written", k);
    ck_assert_msg(in_place || compare_regions(s, SX_FROM) == 0, "case %d: the input was written", k);
    ck_assert(is_untouched(s, SX_FROM));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < TEST_PLACES && !(in_place && side); i++)
            sx_base_free(s->place[side][i]);
        sx_base_free(s->whole[side]);
    }
}

/* ---- executions */

static void count_pause(void *context)
{
    ++*(int *)context;
}

/* The address of a place without a region in the range need not be known yet. */
static void get_places(const test_scene *s, int side, sx_range range, void *place[TEST_PLACES])
{
    memset(place, 0, TEST_PLACES * sizeof *place);
    for (int i = 0; i < s->p.side[side].nregions; i++) {
        const sx_region *region = &s->p.side[side].region[i];
        if (range.axis < 0 || (region->start[range.axis] < range.hi &&
                               region->start[range.axis] + region->len[range.axis] > range.lo))
            place[region->place] = s->place[side][region->place];
    }
}

void test_scene_execute(const test_scene *s, sx_pass pass, sx_range range, int times)
{
    int calls = 0;
    void *place[2][TEST_PLACES];
    const void *from[TEST_PLACES];
    const sx_pause pause = {count_pause, &calls, times};
    for (int side = 0; side < 2; side++)
        get_places(s, side, range, place[side]);
    for (int i = 0; i < TEST_PLACES; i++)
        from[i] = place[SX_FROM][i];
    sx_pass_execute(pass, range, from, place[SX_TO], times ? &pause : NULL);
    ck_assert_int_le(calls, times);
    if (range.axis >= 0 && range.lo == range.hi)
        ck_assert_int_eq(calls, 0);
    else if (times && s->p.threads == 1)
        ck_assert_int_gt(calls, 0);
}

void test_scene_execute_all(const test_scene *s, sx_pass pass, int k)
{
    const int axis = k % (s->p.ndims + 1) - 1;
    const test_cuts *c = &s->cut[k / 3 % 2];
    if (axis < 0 || test_scene_is_axis(&s->p, axis))
        test_scene_execute(s, pass, (sx_range){.axis = -1}, k % 4);
    else
        for (int i = 0; i < c->pieces[axis]; i++)
            test_scene_execute(s, pass, (sx_range){axis, c->at[axis][i], c->at[axis][i + 1]}, k % 4);
}

sx_pass test_scene_create(const test_scene *s)
{
    sx_pass pass = NULL;
    ck_assert_ok(sx_pass_create(&s->p, &pass));
    ck_assert_int_gt(sx_pass_get_bytes(pass), 0);
    return pass;
}
