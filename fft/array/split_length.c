/* split_length.c - the two factors of a length, for a transform of one axis on several ranks (axes.c). */
#include "array/array.h"

int sx_array_factor(ptrdiff_t n, ptrdiff_t *first, ptrdiff_t *second)
{
    *first = 1;
    for (ptrdiff_t f = 2; f <= n / f; f++)
        if (n % f == 0)
            *first = f;
    *second = n / *first;
    return *first > 1;
}
