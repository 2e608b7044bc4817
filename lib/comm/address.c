/* address.c - converts addresses in memory of subx_mem_alloc to places (sx_place) and back. Other ranks can
 * use a place, but not an address. */
#include "comm/comm.h"

sx_place sx_comm_find_place(const void *low, const void *high)
{
    const sx_segment *where = sx_mem_find_address(low);
    const char *begin = low, *end = high;
    if (!where || end > where->own->base + where->own->bytes)
        return (sx_place){0, 0, 0};
    return (sx_place){where->key, where->own->rank, begin - where->own->base};
}

/* Rank place.rank of the segment and rank q of `c` are ranks of two communicators, which may number ranks
 * differently. So the processes of the two ranks are compared. */
const char *sx_comm_get_address(const sx_comm *c, int q, sx_place place)
{
    const sx_segment *where = place.key ? sx_mem_find_key(place.key) : NULL;
    const sx_piece *piece = where ? sx_mem_segment_get(where, place.rank) : NULL;
    return piece && piece->base && piece->process == sx_comm_get_process(c, q) ? piece->base + place.offset
                                                                               : NULL;
}

int sx_comm_is_visible(const sx_comm *c, int q, sx_place place)
{
    const sx_segment *where = place.key ? sx_mem_find_key(place.key) : NULL;
    for (int i = 0; where && i < where->npieces; i++)
        if (where->piece[i].base && where->piece[i].process == sx_comm_get_process(c, q))
            return 1;
    return 0;
}
