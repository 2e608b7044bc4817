/* modes.c - which elements of an axis exist if only some points or modes are kept (truncation, the 3/2
 * rule). */
#include "serial/serial.h"

/* Query whether a spectrum of this kind has the frequencies k and -k in two entries, k and n-k. */
static int has_both(int kind)
{
    return kind == SUBX_FFT_C2C || kind == SUBX_FFT_DHT;
}

/* If the number of modes is even, and less than n, entry modes/2 counts as low. Entry n-k of R2HC is the
 * imaginary part of frequency k. */
sx_extent sx_serial_get_extent(int kind, ptrdiff_t n, ptrdiff_t points, ptrdiff_t modes, int side)
{
    const int is_half = kind == SUBX_FFT_R2C, is_symmetric = has_both(kind) || kind == SUBX_FFT_R2HC;
    sx_extent e = {.n = n, .low = points, .edge = -1, .other = -1};
    if (side == SUBX_FFT_PHYSICAL)
        return e;
    e.n = is_half ? sx_serial_get_half(n) : n;
    e.low = is_half || (is_symmetric && modes < n) ? modes / 2 + 1 : modes;
    e.high = is_half ? 0 : modes - e.low;
    if (modes < n && modes % 2 == 0 && (is_half || is_symmetric))
        e.edge = modes / 2;
    if (e.edge >= 0 && has_both(kind))
        e.other = n - e.edge;
    return e;
}
