/* frequency.c - the frequencies of the entries of a transformed axis. */
#include "array/array.h"

static int has_frequencies(int kind)
{
    return kind != SUBX_FFT_DCT3 && kind != SUBX_FFT_DCT4 && kind != SUBX_FFT_DST3 && kind != SUBX_FFT_DST4 &&
           kind != SUBX_FFT_HC2R;
}

static ptrdiff_t get_frequency(int kind, ptrdiff_t modes, ptrdiff_t i)
{
    switch (kind) {
    case SUBX_FFT_NONE:
        return 0;
    case SUBX_FFT_DCT1:
    case SUBX_FFT_DCT2:
        return i;
    case SUBX_FFT_DST1:
    case SUBX_FFT_DST2:
        return i + 1;
    default:
        return i <= modes / 2 ? i : i - modes;
    }
}

int sx_array_get_frequencies(int kind, ptrdiff_t modes, ptrdiff_t start, ptrdiff_t n, ptrdiff_t frequency[])
{
    if (!has_frequencies(kind))
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    for (ptrdiff_t i = 0; i < n; i++)
        frequency[i] = get_frequency(kind, modes, start + i);
    return MPI_SUCCESS;
}
