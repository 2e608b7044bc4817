/* table.c - the only list of instruction sets. */
#include "simd/inside.h"

static const sx_simd_set *const table[] = {&sx_simd_avx512, &sx_simd_avx2, &sx_simd_vector128, NULL};

/* Only creations read and write it; tests call sx_simd_use while no transform is being created. */
static int used = 0;

static const sx_simd_set *get(int i)
{
    int k = 0;
    for (; table[k]; k++)
        if (table[k]->is_there() && i-- == 0)
            break;
    return table[k];
}

const char *sx_simd_get_name(int i)
{
    return get(i) ? get(i)->name : NULL;
}

void sx_simd_use(int i)
{
    used = i;
}

const sx_simd_set *sx_simd_get_set(void)
{
    return get(used);
}
