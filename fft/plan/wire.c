/* wire.c - the error of a plan whose messages carry floats (subx_wire).
 *
 * In E exchanges each real x of the array is rounded once to the nearest float f. If |x| is at most FLT_MAX,
 *
 *     |f - x| <= u |x| + v,     u = 2^-24,  v = 2^-150:
 *
 * floats have 24 binary digits, and those below 2^-126 are multiples of 2^-149. In the 2-norm over all ranks, an exchange
 * of R reals in the data y thus adds an error of at most u |y| + v sqrt(R). All passes are linear. With g(i) the 2-norm of
 * pass i, that is the largest ratio of its output to its input, and to first order in u:
 *
 *     |y|             is at most the product of the g of all passes before the exchange, times |input|
 *     |error| at end  is at most the sum over exchanges of (u |y| + v sqrt(R)) times the g of all passes behind it
 *                  <= E u G |input| + least,
 *
 * where G is the product of all g, with the scaling, and `least` is the sum of the terms with v. For c2c axes g is the root
 * of the length for every input, so |output| = G |input|, and the error is at most E u |output|. Rounding twice
 * what was rounded once (terms with u^2) counts less than double's own errors. */
#include "plan/plan.h"
#include <float.h>
#include <math.h>

/* Get the largest ratio of the 2-norms of output and input of an axis. Lines of a matrix that are orthogonal to each other
 * make it the norm of the longest one; in FFTW's definitions some DCTs and DSTs have a line or a column with another weight
 * than the others. DCT-I is D^-1 C D times a root, with C orthogonal and D at the ends 1/sqrt(2). A halved spectrum has one of
 * two equal entries. The sum of two entries at the highest kept frequency (subx_fft_problem_set_modes) has sqrt(2). */
static double get_gain(const sx_choice *c, const sx_axis *x, int d)
{
    const int kind = sx_serial_get_kind(x->kind, d), is_weighted = c->hints.scaling == SX_SCALE_ORTHONORMAL;
    double square = sx_serial_get_factor(kind, x->n);
    switch (kind) {
    case SUBX_FFT_C2R:
    case SUBX_FFT_HC2R:
        square *= 2;
        break;
    case SUBX_FFT_DCT1:
    case SUBX_FFT_DCT2:
    case SUBX_FFT_DST2:
        square *= is_weighted ? 1 : 2;
        break;
    default:
        break;
    }
    return sqrt(x->modes < x->n ? 2 * square : square);
}

static double get_stage_gain(const sx_choice *c, const sx_stage *s, int d)
{
    double gain = 1;
    for (int i = 0; i < s->naxes; i++)
        gain *= get_gain(c, &c->array.axis[s->axes[i]], d);
    return gain;
}

static double count_reals(const sx_box *b)
{
    double count = b->width;
    for (int i = 0; i < b->ndims; i++)
        count *= (double)b->n[i];
    return count;
}

static int is_narrow(subx_fft_plan plan, int i)
{
    sx_traffic traffic;
    return sx_stage_is_exchange(&plan->stage[i]) && !plan->choice.strategy->get_traffic(plan, i, &traffic) &&
           traffic.is_narrow;
}

/* Go through the stages of a direction from its last one to its first one. The last stage that transforms also scales. */
static void set_direction(subx_fft_plan plan, int d, sx_wire *w)
{
    const double u = ldexp(1, -FLT_MANT_DIG), v = ldexp(1, FLT_MIN_EXP - FLT_MANT_DIG - 1);
    double gain = 1, scale = pow(plan->volume, -0.5 * plan->roots[d]);
    for (int k = plan->nstages - 1; k >= 0; k--) {
        const int i = d == SX_FORWARD ? k : plan->nstages - 1 - k;
        const sx_stage *s = &plan->stage[i];
        if (is_narrow(plan, i))
            w->least[d] += gain * v * sqrt(count_reals(&s->from));
        if (s->kind != SUBX_FFT_STAGE_SERIAL || s->naxes == 0)
            continue;
        gain *= scale * get_stage_gain(&plan->choice, s, d);
        scale = 1;
    }
    w->relative[d] = w->exchanges * u * gain;
}

sx_wire sx_plan_get_wire(subx_fft_plan plan)
{
    sx_wire w = {0};
    for (int i = 0; i < plan->nstages && !plan->is_idle; i++)
        w.exchanges += is_narrow(plan, i);
    for (int d = 0; d < 2 && w.exchanges > 0; d++)
        set_direction(plan, d, &w);
    return w;
}

/* The printed bounds are rounded up. */
void sx_plan_print_wire(subx_fft_plan plan, sx_text *t)
{
    const double up = 1.0005;
    const sx_wire w = sx_plan_get_wire(plan);
    if (w.exchanges == 0)
        return;
    sx_base_print(t, "%d exchange%s carr%s floats; 2-norm of the error, at most: forward", w.exchanges,
                  w.exchanges == 1 ? "" : "s", w.exchanges == 1 ? "ies" : "y");
    for (int d = 0; d < 2; d++)
        sx_base_print(t, "%s %.4g of the input's + %.4g", d == SX_FORWARD ? "" : ", backward",
                      up * w.relative[d], up * w.least[d]);
}
