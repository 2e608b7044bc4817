/* fold.c - how an axis is transformed on a device. The libraries of devices have complex and real Fourier
 * transforms only. Cosine, sine, Hartley and half-complex transforms are Fourier transforms between two folds
 * (device.h), which are parts of the copies that a wide stage makes anyway (wide.c).
 *
 *   DCT-I, DST-I            the real transform of the line that symmetry extends to 2(n-1) or 2(n+1) numbers.
 *                           Ways without this extension are faster, but less accurate: their error grows with
 *                           the square root of n
 *   DCT-II, III             a real transform of n reordered numbers (Makhoul 1980: A fast cosine transform in
 *                           one and two dimensions, IEEE Trans. ASSP 28(1))
 *   DCT-IV, n even          a complex transform of n/2 pairs, with factors before and after (Duhamel, Mahieux
 *                           and Petit 1991: A fast algorithm for the implementation of filter banks, Proc.
 *                           ICASSP). For the even inputs 2j and outputs 2k, pi (4j+1)(4k+1)/4n = 2 pi
 *                           jk/(n/2) + pi (8j+1)/8n + pi (8k+1)/8n. The odd ones, in reverse order, have the
 *                           same angles
 *   DCT-IV, n odd           a real transform of n reordered numbers (Chan and Ho 1990: Direct methods for
 *                           computing discrete sinusoidal transforms, IEE Proc. F 137(6); kernel_fold_body.h)
 *   DST-II, III, IV         DCTs, with every second number of one side negated, and the other side reversed
 *   DHT, half-complex       parts of the real transform
 */
#include "offload/offload.h"
#include <math.h>

/* ---- transforms without folds */

static void set_transform(sx_offload_recipe *r, int kind, ptrdiff_t n)
{
    r->kind = kind;
    r->n = n;
    r->unit[SX_FROM] = kind == SUBX_FFT_R2C ? 1 : 2;
    r->unit[SX_TO] = kind == SUBX_FFT_C2R ? 1 : 2;
    r->length[SX_FROM] = kind == SUBX_FFT_C2R ? sx_serial_get_half(n) : n;
    r->length[SX_TO] = kind == SUBX_FFT_R2C ? sx_serial_get_half(n) : n;
}

/* ---- folds */

static sx_device_fold make_fold(int rule, int is_after, ptrdiff_t n)
{
    return (sx_device_fold){.rule = rule,
                            .is_after = is_after,
                            .n = n,
                            .imaginary = 1,
                            .factor = {{1, 0}, {1, 0}},
                            .ends = {1, 1}};
}

static void set_factors(sx_device_fold *f, double re, double im, double other_re, double other_im)
{
    f->factor[0][0] = re;
    f->factor[0][1] = im;
    f->factor[1][0] = other_re;
    f->factor[1][1] = other_im;
}

static void set_root(sx_device_fold *f, ptrdiff_t step, ptrdiff_t first, ptrdiff_t circle)
{
    f->root[0] = step;
    f->root[1] = first;
    f->root[2] = circle;
}

/* DCT-I and DST-I: the second half of the extended line mirrors the first half. */
static void set_first(sx_offload_recipe *r, int is_sine, ptrdiff_t n)
{
    set_transform(r, SUBX_FFT_R2C, 2 * (is_sine ? n + 1 : n - 1));
    r->before = make_fold(SX_FOLD_LINE, 0, n);
    r->after = make_fold(SX_FOLD_LINE, 1, n);
    r->before.shift = r->after.shift = is_sine;
    if (is_sine)
        set_factors(&r->after, 0, 1, 0, 1); /* the real part of i y: minus the imaginary part of y */
}

static void set_second(sx_offload_recipe *r, int is_sine, ptrdiff_t n)
{
    set_transform(r, SUBX_FFT_R2C, n);
    r->before = make_fold(SX_FOLD_EVENS, 0, n);
    r->after = make_fold(SX_FOLD_HALF, 1, n);
    r->before.alternates = r->after.is_reversed = is_sine;
    set_factors(&r->after, 2, 0, 0, 2);
    set_root(&r->after, 1, 0, 4 * n);
}

static void set_third(sx_offload_recipe *r, int is_sine, ptrdiff_t n)
{
    set_transform(r, SUBX_FFT_C2R, n);
    r->before = make_fold(SX_FOLD_HALF, 0, n);
    r->after = make_fold(SX_FOLD_EVENS, 1, n);
    r->before.is_reversed = r->after.alternates = is_sine;
    r->before.imaginary = -1;
    set_root(&r->before, -1, 0, 4 * n);
}

static void set_fourth_even(sx_offload_recipe *r, ptrdiff_t n)
{
    set_transform(r, SUBX_FFT_C2C, n / 2);
    r->before = make_fold(SX_FOLD_QUARTER, 0, n);
    r->after = make_fold(SX_FOLD_QUARTER, 1, n);
    set_factors(&r->after, 2, 0, 0, 2);
    set_root(&r->before, 8, 1, 16 * n);
    set_root(&r->after, 8, 1, 16 * n);
}

/* The factors are 2 exp(-+2 pi i n/8), whose real and imaginary parts are the square root of 2, but for the
 * signs. */
static void set_fourth_odd(sx_offload_recipe *r, ptrdiff_t n)
{
    const double root = sqrt(2);
    const double re = n % 8 == 1 || n % 8 == 7 ? root : -root, im = n % 8 < 4 ? root : -root;
    set_transform(r, SUBX_FFT_R2C, n);
    r->before = make_fold(SX_FOLD_ODD, 0, n);
    r->after = make_fold(SX_FOLD_ODD, 1, n);
    set_factors(&r->after, re, -im, re, im);
}

static void set_fourth(sx_offload_recipe *r, int is_sine, ptrdiff_t n)
{
    if (n % 2)
        set_fourth_odd(r, n);
    else
        set_fourth_even(r, n);
    r->before.alternates = r->after.is_reversed = is_sine;
}

/* R2HC takes the real or the imaginary part of y, DHT takes their difference or their sum. */
static void set_half(sx_offload_recipe *r, int kind, ptrdiff_t n)
{
    set_transform(r, kind == SUBX_FFT_HC2R ? SUBX_FFT_C2R : SUBX_FFT_R2C, n);
    if (kind == SUBX_FFT_HC2R) {
        r->before = make_fold(SX_FOLD_HALF, 0, n);
        return;
    }
    r->after = make_fold(SX_FOLD_HALF, 1, n);
    if (kind == SUBX_FFT_DHT)
        set_factors(&r->after, 1, 1, 1, -1);
    else
        set_factors(&r->after, 1, 0, 0, -1);
}

static void set_weights(int kind, int side, sx_device_fold *f)
{
    const sx_weights w = sx_serial_get_weights(kind, side);
    f->ends[0] = sqrt(w.first);
    f->ends[1] = sqrt(w.last);
}

sx_offload_recipe sx_offload_get_recipe(int kind, ptrdiff_t n, int is_orthonormal)
{
    sx_offload_recipe r = {0};
    const int is_sine = kind >= SUBX_FFT_DST1;
    switch (kind) {
    case SUBX_FFT_DCT1:
    case SUBX_FFT_DST1:
        set_first(&r, is_sine, n);
        break;
    case SUBX_FFT_DCT2:
    case SUBX_FFT_DST2:
        set_second(&r, is_sine, n);
        break;
    case SUBX_FFT_DCT3:
    case SUBX_FFT_DST3:
        set_third(&r, is_sine, n);
        break;
    case SUBX_FFT_DCT4:
    case SUBX_FFT_DST4:
        set_fourth(&r, is_sine, n);
        break;
    case SUBX_FFT_DHT:
    case SUBX_FFT_R2HC:
    case SUBX_FFT_HC2R:
        set_half(&r, kind, n);
        break;
    default:
        set_transform(&r, kind, n);
    }
    if (is_orthonormal) {
        set_weights(kind, SX_FROM, &r.before);
        set_weights(kind, SX_TO, &r.after);
    }
    return r;
}
