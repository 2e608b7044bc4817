/* fft_fused.c - transforms by strategy fused are compared with the definition: on every process grid; with
 * several widths of tiles, numbers of slices, and engines; with odd and prime lengths; with fewer rows than
 * ranks.
 * ranks: 1 2 3 4 5 7 */
#include "common/transform.h"
#include "common/verdict.h"
#include <subx_fft.h>

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    for (int kind = SUBX_FFT_C2C; kind <= SUBX_FFT_R2C; kind++) {
        test_fused(kind, 3, (const ptrdiff_t[]){7, 11, 13});
        test_fused(kind, 3, (const ptrdiff_t[]){1, 5, 3});
        test_fused(kind, 2, (const ptrdiff_t[]){2, 2});
        if (test_nranks <= 2)
            test_fused(kind, 2, (const ptrdiff_t[]){40, 21});
        if (test_nranks <= 2)
            test_fused(kind, 2,
                       (const ptrdiff_t[]){11, 74}); /* with a small cache, rows of blocks have gaps */
        if (test_nranks <= 4)
            test_fused(kind, 4, (const ptrdiff_t[]){3, 4, 5, 6});
    }
    return test_end();
}
