/* term.c - the definition of all kinds of transform: by which factor an entry of a line adds to an entry of its
 * transform. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------ waves */

/* Set exp(2 pi i m / n). The angle is brought below an eighth of a turn in integers: there cos and sin lose nothing. */
static void set_wave(ptrdiff_t m, ptrdiff_t n, long double wave[2])
{
    const long double eighth = 0.785398163397448309615660845819875721L;
    ptrdiff_t octant = 8 * m / n, rest = 8 * m % n;
    long double angle = eighth * (long double)(octant % 2 ? n - rest : rest) / (long double)n;
    long double x = octant % 2 ? sinl(angle) : cosl(angle);
    long double y = octant % 2 ? cosl(angle) : sinl(angle);
    for (; octant >= 2; octant -= 2) { /* a quarter turn */
        long double turned = -y;
        y = x;
        x = turned;
    }
    wave[0] = x;
    wave[1] = y;
}

/* ------------------------------------------------------------------------------------ kinds */

/* A cosine or sine transform: entry k is the sum over j of 2 cos or 2 sin of 2 pi (jf j + j0) (kf k + k0) / period,
 * where period = scale (n + more). */
struct rule {
    int jf, j0, kf, k0, scale, more;
};

static const struct rule rules[] = {
    [SUBX_FFT_DCT1] = {1, 0, 1, 0, 2, -1}, [SUBX_FFT_DCT2] = {2, 1, 1, 0, 4, 0},
    [SUBX_FFT_DCT3] = {1, 0, 2, 1, 4, 0},  [SUBX_FFT_DCT4] = {2, 1, 2, 1, 8, 0},
    [SUBX_FFT_DST1] = {1, 1, 1, 1, 2, 1},  [SUBX_FFT_DST2] = {2, 1, 1, 1, 4, 0},
    [SUBX_FFT_DST3] = {1, 1, 2, 1, 4, 0},  [SUBX_FFT_DST4] = {2, 1, 2, 1, 8, 0}};

static int is_trigonometric(int kind)
{
    return kind >= SUBX_FFT_DCT1 && kind <= SUBX_FFT_DST4;
}

/* Describe the transform that is executed by its own name: backward DCT2 is DCT3, and HC2R is backward R2HC. */
static void set_kind(struct sx_cli_term *term, int kind, int direction)
{
    static const int inverse[] = {[SUBX_FFT_DCT2] = SUBX_FFT_DCT3,
                                  [SUBX_FFT_DCT3] = SUBX_FFT_DCT2,
                                  [SUBX_FFT_DST2] = SUBX_FFT_DST3,
                                  [SUBX_FFT_DST3] = SUBX_FFT_DST2,
                                  [SUBX_FFT_HC2R] = 0};
    if (kind == SUBX_FFT_HC2R) {
        kind = SUBX_FFT_R2HC;
        direction = -direction;
    }
    term->kind = direction == SUBX_FFT_BACKWARD && inverse[kind] ? inverse[kind] : kind;
    term->direction = direction;
}

int sx_cli_term_create(const struct sx_cli_axis *axis, int direction, int orthonormal,
                       struct sx_cli_term *term)
{
    *term = (struct sx_cli_term){.n = axis->size, .modes = axis->modes, .orthonormal = orthonormal};
    set_kind(term, axis->kind, direction);
    term->period = term->n;
    if (is_trigonometric(term->kind))
        term->period = rules[term->kind].scale * (term->n + rules[term->kind].more);
    term->wave = sx_cli_memory_create(term->period, 2 * sizeof(long double));
    for (ptrdiff_t m = 0; term->wave && m < term->period; m++)
        set_wave(m, term->period, term->wave + 2 * m);
    return term->wave ? SX_CLI_OK : SX_CLI_ERROR;
}

void sx_cli_term_free(struct sx_cli_term *term)
{
    free(term->wave);
    term->wave = NULL;
}

/* Entries at the ends of a line have half the weight of the others in some kinds. Orthonormal transforms have weights
 * there that make their matrices orthogonal. */
static long double get_weight(const struct sx_cli_term *term, ptrdiff_t j, ptrdiff_t k)
{
    const long double root = term->orthonormal ? 1.41421356237309504880168872420969808L : 1;
    const ptrdiff_t last = term->n - 1;
    switch (term->kind) {
    case SUBX_FFT_DCT1:
        return (j == 0 || j == last ? root : 2) / (k == 0 || k == last ? root : 1);
    case SUBX_FFT_DCT2:
        return k == 0 ? 2 / root : 2;
    case SUBX_FFT_DCT3:
        return j == 0 ? root : 2;
    case SUBX_FFT_DST2:
        return k == last ? 2 / root : 2;
    case SUBX_FFT_DST3:
        return j == last ? root : 2;
    default:
        return 2;
    }
}

static void get_trigonometric(const struct sx_cli_term *term, ptrdiff_t j, ptrdiff_t k, long double value[2])
{
    const struct rule *rule = &rules[term->kind];
    ptrdiff_t m = (rule->jf * j + rule->j0) * (rule->kf * k + rule->k0) % term->period;
    value[0] = get_weight(term, j, k) * term->wave[2 * m + (term->kind >= SUBX_FFT_DST1)];
    value[1] = 0;
}

/* Entry i of the modes stands for a frequency, the upper half for negative ones. If modes are left out and their number
 * is even, the entry in the middle stands for two frequencies: forward adds both, backward gives half to each. x is the
 * place on the physical side. */
static void get_fourier(const struct sx_cli_term *term, ptrdiff_t i, ptrdiff_t x, long double value[2])
{
    const int forward = term->direction == SUBX_FFT_FORWARD, is_middle = 2 * i == term->modes;
    const int is_shared = is_middle && term->modes < term->n;
    const ptrdiff_t frequency = 2 * i <= term->modes ? i : term->n - (term->modes - i);
    const long double *wave = term->wave + 2 * (frequency * x % term->n);
    const long double both = forward && is_shared ? 2 : 1;
    const long double twice =
        !forward && i > 0 && !is_middle ? 2 : both; /* a real line has both signs, too */
    value[0] = wave[0];
    value[1] = forward ? -wave[1] : wave[1];
    if (term->kind == SUBX_FFT_R2C) {
        value[0] *= twice;
        value[1] *= twice;
        return;
    }
    if (is_shared || term->kind != SUBX_FFT_C2C)
        value[1] = 0;
    if (term->kind == SUBX_FFT_R2HC)
        value[0] = twice * (2 * i <= term->modes ? wave[0] : wave[1]);
    else if (is_shared)
        value[0] *= both;
    else if (term->kind == SUBX_FFT_DHT)
        value[0] += wave[1];
}

void sx_cli_term_get(const struct sx_cli_term *term, ptrdiff_t in, ptrdiff_t out, long double value[2])
{
    if (term->kind == SUBX_FFT_NONE) {
        value[0] = in == out;
        value[1] = 0;
    } else if (is_trigonometric(term->kind))
        get_trigonometric(term, in, out, value);
    else if (term->direction == SUBX_FFT_FORWARD)
        get_fourier(term, out, in, value);
    else
        get_fourier(term, in, out, value);
}
