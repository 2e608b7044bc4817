/* table.c - the only list of kernels. */
#include "kern/kern.h"

extern const sx_kern sx_kern_avx512, sx_kern_avx2, sx_kern_neon, sx_kern_rows;

const sx_kern *const sx_kern_table[] = {
    &sx_kern_avx512, &sx_kern_avx2, &sx_kern_neon, &sx_kern_rows, &sx_kern_blocked, &sx_kern_scalar, NULL,
};

/* sx_kern_caches_exceeded reads the sizes of the caches when it is first called. This must not happen in an
 * execution, because hwloc allocates memory. So it is called here. */
const sx_kern *sx_kern_get(const sx_layout *l)
{
    int i = 0;
    (void)sx_kern_caches_exceeded(sx_layout_get_whole_bytes(l));
    while (!sx_kern_table[i]->suits(l))
        i++;
    return sx_kern_table[i];
}
