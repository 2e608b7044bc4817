/* table.c - the only list of kernels. */
#include "kern/kern.h"

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon, sx_kern_rows;

const sx_kern *const sx_kern_table[] = {
    &sx_kern_avx512, &sx_kern_avx2, &sx_kern_neon, &sx_kern_rows, &sx_kern_blocked, &sx_kern_scalar, NULL,
};

const sx_kern *sx_kern_get(const sx_layout *l)
{
    int i = 0;
    while (!sx_kern_table[i]->suits(l))
        i++;
    return sx_kern_table[i];
}
