/* scene_data.c - fill the memory of a scene, execute the pass, and compare the results. */
#include "unit/scene.h"
#include "common/unit.h"
#include "definition/definition.h"
#include "common/worst.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of any precision */

/* Get the allowed error, relative to the largest result. */
static double get_tolerance(int precision)
{
    return precision == SUBX_FFT_FLOAT ? 1e-5 : precision == SUBX_FFT_DOUBLE ? 1e-13 : 1e-17;
}

static test_number get_number(int precision, int width, const char *at)
{
    test_number v = sx_definition_get_real(precision, at, 0);
    if (width == 2)
        v += sx_definition_get_real(precision, at, 1) * (test_number)_Complex_I;
    return v;
}

static void set_number(int precision, int width, char *at, test_number v)
{
    sx_definition_set_real(precision, at, 0, creall(v));
    if (width == 2)
        sx_definition_set_real(precision, at, 1, cimagl(v));
}

/* ---- the regions of a side, element by element */

/* Get the addresses of the t-th element of a region: in the region's memory, and in the whole array. */
static char *get_element(const test_scene *s, int side, const sx_region *region, ptrdiff_t t,
                         test_number **whole)
{
    const sx_pass_side *of = &s->p.side[side];
    ptrdiff_t at = 0, all = 0, stride = 1;
    for (int a = s->p.ndims - 1; a >= 0; a--) {
        const ptrdiff_t i = t % region->len[a];
        at += i * region->stride[a];
        all += (region->start[a] + i) * stride;
        stride *= of->len[a];
        t /= region->len[a];
    }
    *whole = s->whole[side] + all;
    return s->place[side][region->place] + region->offset +
           at * of->width * sx_serial_get_real_bytes(s->p.precision);
}

/* The value that memory outside of all regions has. */
static const double untouched = -7.25;

/* Get a buffer that nothing has written. There is one buffer for each precision, made once, because making it
 * takes long. */
static const char *get_empty_place(int precision)
{
    static char *places[SUBX_FFT_QUAD + 1];
    if (!places[precision]) {
        places[precision] = calloc(TEST_ROOM, (size_t)sx_serial_get_real_bytes(precision));
        ck_assert_ptr_nonnull(places[precision]);
        for (ptrdiff_t i = 0; i < TEST_ROOM; i++)
            sx_definition_set_real(precision, places[precision], i, untouched);
    }
    return places[precision];
}

static size_t get_place_bytes(const test_scene *s)
{
    return TEST_ROOM * (size_t)sx_serial_get_real_bytes(s->p.precision);
}

void test_scene_fill_places(const test_scene *s, int side)
{
    for (int k = 0; k < TEST_PLACES; k++)
        memcpy(s->place[side][k], get_empty_place(s->p.precision), get_place_bytes(s));
}

static void fill_regions(const test_scene *s, int side)
{
    test_number *whole;
    for (int i = 0; i < s->p.side[side].nregions; i++) {
        const sx_region *region = &s->p.side[side].region[i];
        for (ptrdiff_t t = 0; t < test_scene_get_count(s->p.ndims, region->len); t++) {
            char *element = get_element(s, side, region, t, &whole);
            set_number(s->p.precision, s->p.side[side].width, element, *whole);
        }
    }
}

/* Get the largest error of a side's regions, relative to the largest number. Then set all of their elements
 * to `untouched`. */
static double compare_regions(const test_scene *s, int side)
{
    const test_number none = untouched + untouched * (test_number)_Complex_I;
    long double worst = 0, largest = 1;
    test_number *whole;
    for (int i = 0; i < s->p.side[side].nregions; i++) {
        const sx_region *region = &s->p.side[side].region[i];
        for (ptrdiff_t t = 0; t < test_scene_get_count(s->p.ndims, region->len); t++) {
            char *element = get_element(s, side, region, t, &whole);
            const long double difference =
                cabsl(get_number(s->p.precision, s->p.side[side].width, element) - *whole);
            worst = test_get_worse(worst, difference);
            largest = fmaxl(largest, cabsl(*whole));
            set_number(s->p.precision, s->p.side[side].width, element, none);
        }
    }
    return (double)(worst / largest);
}

/* Returns 1 if all memory of a side has the value `untouched`. Compares bytes first, which is quick. Equal
 * numbers may have different bytes, because a long double has unused bytes. */
static int is_untouched(const test_scene *s, int side)
{
    for (int k = 0; k < TEST_PLACES; k++) {
        const char *place = s->place[side][k];
        if (memcmp(place, get_empty_place(s->p.precision), get_place_bytes(s)) == 0)
            continue;
        for (ptrdiff_t i = 0; i < TEST_ROOM; i++)
            if (sx_definition_get_real(s->p.precision, place, i) != untouched)
                return 0;
    }
    return 1;
}

void test_scene_begin(test_scene *s, test_random *r, int in_place)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < TEST_PLACES; k++) {
            s->place[side][k] =
                in_place && side ? s->place[0][k]
                                 : sx_base_alloc(TEST_ROOM, (size_t)sx_serial_get_real_bytes(s->p.precision));
            ck_assert_ptr_nonnull(s->place[side][k]);
        }
    test_scene_make_whole(r, s);
    test_scene_fill_places(s, SX_TO);
    test_scene_fill_places(s, SX_FROM);
    fill_regions(s, SX_FROM);
}

void test_scene_end(test_scene *s, int k)
{
    const sx_pass_problem *p = &s->p;
    const int in_place = s->place[0][0] == s->place[1][0];
    const double worst = compare_regions(s, SX_TO), tolerance = get_tolerance(p->precision);
    ck_assert_msg(worst <= tolerance, "case %d, precision %d, %d of %d axes, %s: %g", k, p->precision,
                  p->naxes, p->ndims, p->serial->name, worst);
    ck_assert_msg(is_untouched(s, SX_TO), "case %d: more was written", k);
    ck_assert_msg(in_place || compare_regions(s, SX_FROM) <= tolerance, "case %d: the input was written", k);
    ck_assert(is_untouched(s, SX_FROM));
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < TEST_PLACES && !(in_place && side); i++)
            sx_base_free(s->place[side][i]);
        sx_base_free(s->whole[side]);
    }
}

/* ---- executions */

/* The operation of a scene. The boxes of its calls must cover every element of the spectrum once. */
static void operate(void *context, int thread, int ndims, const ptrdiff_t lo[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    const test_scene *s = context;
    const sx_pass_problem *p = &s->p;
    const int width = sx_pass_has_half(p) ? 2 : p->side[SX_FROM].width;
    const ptrdiff_t element = width * sx_serial_get_real_bytes(p->precision);
    ck_assert(thread >= 0 && thread < p->threads);
    for (ptrdiff_t t = 0; t < test_scene_get_count(ndims, n); t++) {
        ptrdiff_t at[TEST_DIMS], rest = t, offset = 0;
        double a, b;
        for (int i = 0; i < ndims; i++) {
            at[i] = lo[i] + rest % n[i];
            offset += rest % n[i] * stride[i] * element;
            rest /= n[i];
        }
        test_scene_get_operation(p, at, &a, &b);
        char *x = (char *)data + offset;
        set_number(p->precision, width, x, get_number(p->precision, width, x) * a + b);
    }
}

static void count_pause(void *context)
{
    ++*(int *)context;
}

/* Set the addresses of the buffers that have a region in the range. The other addresses are NULL, because the
 * pass must not use these buffers. */
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
    const sx_operation op = {operate, (void *)(size_t)s};
    for (int side = 0; side < 2; side++)
        get_places(s, side, range, place[side]);
    for (int i = 0; i < TEST_PLACES; i++)
        from[i] = place[SX_FROM][i];
    sx_pass_execute(pass, range, from, place[SX_TO], times ? &pause : NULL, s->operates ? &op : NULL);
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
    if (axis < 0 || test_scene_is_whole(&s->p, axis))
        test_scene_execute(s, pass, (sx_range){.axis = -1}, k % 4);
    else
        for (int i = 0; i < c->pieces[axis]; i++)
            test_scene_execute(s, pass, (sx_range){axis, c->at[axis][i], c->at[axis][i + 1]}, k % 4);
}

sx_pass test_scene_create(const test_scene *s)
{
    sx_pass pass = NULL;
    ck_assert_ok(sx_pass_create(&s->p, &pass));
    ck_assert(s->p.naxes == 0 || sx_pass_get_bytes(pass) > 0);
    return pass;
}
