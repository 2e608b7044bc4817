/* inverse.c - kinds of transforms: their inverses and their factors. Precisions: the bytes of a real. */
#include "serial/serial.h"

ptrdiff_t sx_serial_get_real_bytes(int precision)
{
    static const ptrdiff_t bytes[] = {[SUBX_FFT_FLOAT] = sizeof(float),
                                      [SUBX_FFT_DOUBLE] = sizeof(double),
                                      [SUBX_FFT_LONG_DOUBLE] = sizeof(long double),
                                      [SUBX_FFT_QUAD] = 16};
    return bytes[precision];
}

int sx_serial_is_r2r(int kind)
{
    return kind >= SUBX_FFT_DCT1;
}

int sx_serial_get_kind(int kind, int d)
{
    static const int inverse[] = {
        [SUBX_FFT_C2C] = SUBX_FFT_C2C,   [SUBX_FFT_R2C] = SUBX_FFT_C2R,   [SUBX_FFT_C2R] = SUBX_FFT_R2C,
        [SUBX_FFT_DCT1] = SUBX_FFT_DCT1, [SUBX_FFT_DCT2] = SUBX_FFT_DCT3, [SUBX_FFT_DCT3] = SUBX_FFT_DCT2,
        [SUBX_FFT_DCT4] = SUBX_FFT_DCT4, [SUBX_FFT_DST1] = SUBX_FFT_DST1, [SUBX_FFT_DST2] = SUBX_FFT_DST3,
        [SUBX_FFT_DST3] = SUBX_FFT_DST2, [SUBX_FFT_DST4] = SUBX_FFT_DST4, [SUBX_FFT_DHT] = SUBX_FFT_DHT,
        [SUBX_FFT_R2HC] = SUBX_FFT_HC2R, [SUBX_FFT_HC2R] = SUBX_FFT_R2HC};
    return d == 0 ? kind : inverse[kind];
}

sx_weights sx_serial_get_weights(int kind, int side)
{
    static const sx_weights weights[][2] = {
        [SUBX_FFT_DCT1] = {{2, 2}, {0.5, 0.5}}, [SUBX_FFT_DCT2] = {{1, 1}, {0.5, 1}},
        [SUBX_FFT_DCT3] = {{2, 1}, {1, 1}},     [SUBX_FFT_DST2] = {{1, 1}, {1, 0.5}},
        [SUBX_FFT_DST3] = {{1, 2}, {1, 1}},     [SUBX_FFT_HC2R] = {{1, 1}, {1, 1}}};
    const sx_weights *w = &weights[kind][side];
    return w->first > 0 ? *w : (sx_weights){1, 1};
}

double sx_serial_get_factor(int kind, ptrdiff_t n)
{
    switch (kind) {
    case SUBX_FFT_NONE:
        return 1;
    case SUBX_FFT_DCT1:
        return 2 * ((double)n - 1);
    case SUBX_FFT_DST1:
        return 2 * ((double)n + 1);
    case SUBX_FFT_DCT2:
    case SUBX_FFT_DCT3:
    case SUBX_FFT_DCT4:
    case SUBX_FFT_DST2:
    case SUBX_FFT_DST3:
    case SUBX_FFT_DST4:
        return 2 * (double)n;
    default:
        return (double)n;
    }
}
