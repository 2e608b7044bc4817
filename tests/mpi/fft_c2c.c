/* fft_c2c.c - complex transforms on every process grid, by all strategies. Some lengths are odd or prime, and
 * some arrays have fewer rows than there are ranks.
 * ranks: 1 2 3 4 5 7 */
#include "common/transform.h"
#include "common/verdict.h"
#include <subx_fft.h>

CHECK(check_all)
{
    test_transform(SUBX_FFT_C2C, 3, (const ptrdiff_t[]){7, 11, 13});
    test_transform(SUBX_FFT_C2C, 3, (const ptrdiff_t[]){1, 5, 3});
    test_transform(SUBX_FFT_C2C, 2, (const ptrdiff_t[]){2, 2});
    if (test_nranks <= 2)
        test_transform(SUBX_FFT_C2C, 2, (const ptrdiff_t[]){40, 21});
    if (test_nranks <= 2)
        test_transform(SUBX_FFT_C2C, 2,
                       (const ptrdiff_t[]){11, 74}); /* with a small cache, rows of blocks have gaps */
    if (test_nranks <= 2)
        test_transform(SUBX_FFT_C2C, 2, (const ptrdiff_t[]){9, 8});
    if (test_nranks <= 4)
        test_transform(SUBX_FFT_C2C, 4, (const ptrdiff_t[]){3, 4, 5, 6});
}
