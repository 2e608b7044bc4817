/* scene_whole.c - the right results of passes, computed by the definitions of the transforms. */
#include "unit/scene.h"
#include "common/unit.h"
#include "definition/definition.h"
#include <math.h>
#include <string.h>

/* ---- arrays */

static test_number *alloc_numbers(ptrdiff_t n)
{
    test_number *array = sx_base_alloc(n, sizeof *array);
    ck_assert_ptr_nonnull(array);
    return array;
}

/* Transform a whole array along the axes of the problem. The other axes keep their lengths. */
static void transform_all(const sx_pass_problem *p, int direction, ptrdiff_t len[], test_number **array)
{
    sx_definition_axis axes[TEST_DIMS];
    long double *pairs = (long double *)*array;
    for (int a = 0; a < p->ndims; a++)
        axes[a] = (sx_definition_axis){SUBX_FFT_NONE, len[a], len[a], len[a]};
    for (int i = 0; i < p->naxes; i++) {
        const sx_pass_axis *x = &p->axis[i];
        axes[x->axis] = (sx_definition_axis){x->kind, x->n, x->modes, x->points};
    }
    for (int a = 0; a < p->ndims; a++)
        ck_assert_int_eq(len[a], sx_definition_get_result(&axes[a], -direction));
    ck_assert_int_eq(sx_definition_execute(p->ndims, axes, direction, p->is_orthonormal, &pairs), 0);
    for (int a = 0; a < p->ndims; a++)
        len[a] = sx_definition_get_result(&axes[a], direction);
    *array = (test_number *)pairs;
}

static void scale(const sx_pass_problem *p, const ptrdiff_t len[], test_number *array)
{
    for (ptrdiff_t t = 0; t < test_scene_get_count(p->ndims, len); t++)
        array[t] /= p->roots ? p->volume : 1;
}

/* ---- the operation */

/* a and b vary with the index. If an axis is halved, an operation must not spoil the spectrum of real data:
 * then a and b do not depend on the indices of other transformed axes, and b is 0 if a backward transform
 * follows. */
void test_scene_get_operation(const sx_pass_problem *p, const ptrdiff_t at[], double *a, double *b)
{
    const int is_half = sx_pass_has_half(p);
    ptrdiff_t sum = 1;
    for (int i = 0; i < p->ndims; i++)
        if (!is_half || !test_scene_is_axis(p, i) || i == p->axis[0].axis)
            sum = sum * 5 + at[i];
    *a = 1 + (double)(sum % 17) / 16;
    *b = is_half && (p->is_round || p->direction == SUBX_FFT_BACKWARD) ? 0 : (double)(sum % 13) / 8;
}

static void operate(const test_scene *s, const ptrdiff_t len[], test_number *array)
{
    for (ptrdiff_t t = 0; s->operates && t < test_scene_get_count(s->p.ndims, len); t++) {
        ptrdiff_t at[TEST_DIMS], rest = t;
        double a, b;
        for (int i = s->p.ndims - 1; i >= 0; i--) {
            at[i] = rest % len[i];
            rest /= len[i];
        }
        test_scene_get_operation(&s->p, at, &a, &b);
        array[t] = array[t] * a + b;
    }
}

/* ---- whole arrays */

static test_number *make_random(test_random *r, ptrdiff_t n, int width)
{
    test_number *array = alloc_numbers(n);
    for (ptrdiff_t i = 0; i < n; i++) {
        array[i] = test_random_double(r);
        if (width == 2)
            array[i] += test_random_double(r) * (test_number)_Complex_I;
    }
    return array;
}

/* Make the input of a pass. A backward pass gets the forward transform of random physical data: so if the
 * physical data is real, the input is the spectrum of real data. Its numbers are scaled to be near 1. */
static void make_input(test_random *r, const test_scene *s, ptrdiff_t len[], test_number **array)
{
    const int backward = !s->p.is_round && s->p.direction == SUBX_FFT_BACKWARD;
    const sx_pass_side *physical = &s->p.side[backward ? SX_TO : SX_FROM];
    memcpy(len, physical->len, TEST_DIMS * sizeof *len);
    const ptrdiff_t n = test_scene_get_count(s->p.ndims, len);
    *array = make_random(r, n, physical->width);
    if (!backward)
        return;
    transform_all(&s->p, SUBX_FFT_FORWARD, len, array);
    for (ptrdiff_t t = 0; t < test_scene_get_count(s->p.ndims, len); t++)
        (*array)[t] /= sqrtl((long double)n);
}

void test_scene_make_whole(test_random *r, test_scene *s)
{
    const sx_pass_problem *p = &s->p;
    const int forward = p->direction == SUBX_FFT_FORWARD;
    ptrdiff_t len[TEST_DIMS], n;
    make_input(r, s, len, &s->whole[SX_FROM]);
    n = test_scene_get_count(p->ndims, len);
    test_number *array = alloc_numbers(n);
    memcpy(array, s->whole[SX_FROM], (size_t)n * sizeof *array);
    if (p->is_round || forward)
        transform_all(p, SUBX_FFT_FORWARD, len, &array);
    if (!p->is_round && forward)
        scale(p, len, array);
    operate(s, len, array);
    if (p->is_round || !forward)
        transform_all(p, SUBX_FFT_BACKWARD, len, &array);
    if (p->is_round || !forward)
        scale(p, len, array);
    s->whole[SX_TO] = array;
    for (int a = 0; a < p->ndims; a++)
        ck_assert_int_eq(len[a], p->side[SX_TO].len[a]);
}
