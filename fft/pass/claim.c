/* claim.c - claim the cache lines that a pass has read in the memory of another rank, which will soon write them again
 * (lib/base/claim.c). The bytes belong to the block that the other rank has written for this rank, so no other rank writes or
 * needs them before this rank completes the slice.
 *
 * Arrays so large that they are mostly written past the caches are not claimed: no processor has their lines in a cache when
 * they are written. */
#include "pass/inside.h"

/* Claim the rows of n[] elements along the axes order[0] to order[k]. */
static void claim_rows(sx_pass pass, const sx_region *region, const ptrdiff_t n[], int k, char *at)
{
    const int axis = pass->p.order[k];
    const ptrdiff_t element = sx_pass_get_element(pass, SX_FROM);
    if (k == 0)
        sx_base_claim(at, n[axis] * element);
    for (ptrdiff_t i = 0; i < n[axis] && k > 0; i++)
        claim_rows(pass, region, n, k - 1, at + i * region->stride[axis] * element);
}

void sx_pass_claim(sx_pass pass, const sx_region *region, int kind, char *at)
{
    ptrdiff_t n[SUBX_NDIMS_MAX];
    for (int a = 0; a < pass->p.ndims; a++)
        n[a] = a == pass->batch.axis ? pass->batch.length[kind] : pass->is_whole[a] ? region->len[a] : 1;
    claim_rows(pass, region, n, pass->p.ndims - 1, at);
}

int sx_pass_may_claim(sx_pass pass)
{
    const sx_pass_side *s = &pass->p.side[SX_FROM];
    int claims = 0;
    for (int i = 0; i < s->nregions; i++)
        claims |= s->region[i].is_claimed && s->region[i].stride[pass->p.order[0]] == 1;
    return claims && !sx_pass_may_bypass(sx_pass_get_array_bytes(pass));
}
