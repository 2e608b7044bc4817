/* table.c - the table of instruction sets, the best one first. */
#include "simd/inside.h"

extern const sx_simd_set sx_simd_avx512, sx_simd_avx2, sx_simd_vector128;

static const sx_simd_set *const table[] = {&sx_simd_avx512, &sx_simd_avx2, &sx_simd_vector128, NULL};

const sx_simd_set *sx_simd_get_set(int i)
{
    int k = 0;
    for (; table[k]; k++)
        if (table[k]->is_there() && i-- == 0)
            break;
    return table[k];
}

const char *sx_simd_get_name(int i)
{
    const sx_simd_set *set = sx_simd_get_set(i);
    return set ? set->name : NULL;
}
