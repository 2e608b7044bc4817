/* table.c - the only list of kernels. */
#include "kern/kern.h"

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon, sx_kern_rows;

const sx_kern *const sx_kern_table[] = {
    &sx_kern_avx512, &sx_kern_avx2, &sx_kern_neon, &sx_kern_rows, &sx_kern_blocked, &sx_kern_scalar, NULL,
};

/* The sizes of the caches are read here, not by the first execution: hwloc allocates memory. */
const sx_kern *sx_kern_get(const sx_layout *l)
{
    int i = 0;
    (void)sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
    while (!sx_kern_table[i]->suits(l))
        i++;
    return sx_kern_table[i];
}
