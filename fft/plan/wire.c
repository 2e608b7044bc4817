/* wire.c - the error of a plan whose messages carry floats (subx_wire).
 *
 * In E exchanges each real x of the array is rounded once to the nearest float f. If |x| is at most FLT_MAX,
 *
 *     |f - x| <= u |x| + v,     u = 2^-24,  v = 2^-150:
 *
 * floats have 24 binary digits, and those below 2^-126 are multiples of 2^-149. In the 2-norm over all ranks,
 * an exchange of R reals in the data y thus adds an error of at most u |y| + v sqrt(R). All passes are
 * linear. The gain of a pass is its 2-norm, the largest |output| / |input|. To first order in u:
 *
 *     |y|             is at most |input| times the gains of all passes before the exchange
 *     |error| at end  is at most the sum over all exchanges of (u |y| + v sqrt(R)) times the gains of all
 *                  later passes <= E u G |input| + least,
 *
 * where G is the product of all gains, with the scaling, and `least` is the sum of the terms with v. For c2c
 * axes the gain is the root of the length for every input, so |output| = G |input|, and the error is at most
 * E u |output|. The terms with u^2 that are left out are about 2^-24 times the bound. */
#include "plan/plan.h"
#include <float.h>
#include <math.h>

/* Get the gain of the transform of an axis. If the rows or the columns of its matrix are orthogonal, the gain
 * is the norm of the longest row or column. This is the root of N, the factor of scaling, except in these
 * cases:
 *     C2R, HC2R            times sqrt(2): a halved spectrum stores one of two equal entries
 *     DCT2, DST2           times sqrt(2): FFTW's definition gives one row or column another weight than the
 *                          others
 *     DCT1                 times sqrt(2): the matrix is root * D^-1 C D, where C is orthogonal, and D is
 *                          diagonal, with 1/sqrt(2) at both ends and 1 between them
 *     fewer modes          times sqrt(2): the entry of the highest kept frequency is a sum of two entries
 * The weights of orthonormal scaling make DCTs and DSTs orthogonal. */
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

/* Set the bound of a direction. Go through its stages from the last one to the first one, so that `gain` has
 * the gains of all later passes. The last pass that transforms also scales. */
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
