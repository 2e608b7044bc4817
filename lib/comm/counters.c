/* counters.c - allocates counters in pages of memory that the ranks of a node share. lib/pipe/signals.c
 * signals with them. */
#include "comm/comm.h"

/* The number of slots in a page. */
enum { COUNTERS = SX_PAGE / sizeof(sx_counters) };

struct sx_counters_page {
    sx_segment segment;
    char is_taken[COUNTERS];
};

sx_counters *sx_comm_get_counters(const sx_comm *c, int q, sx_slot slot)
{
    const sx_piece *piece = sx_mem_segment_get(&c->page[slot.page]->segment, q);
    return piece && piece->base ? (sx_counters *)(void *)piece->base + slot.index : NULL;
}

static int take(sx_comm *c, sx_slot *slot)
{
    for (int k = 0; k < c->npages; k++)
        for (int i = 0; i < COUNTERS; i++)
            if (!c->page[k]->is_taken[i]) {
                c->page[k]->is_taken[i] = 1;
                *slot = (sx_slot){k, i};
                return 1;
            }
    return 0;
}

void sx_comm_give_counters(sx_comm *c, sx_slot *slot)
{
    if (slot->page >= 0)
        c->page[slot->page]->is_taken[slot->index] = 0;
    slot->page = -1;
}

static int has_room(sx_comm *c)
{
    if (c->npages < c->room)
        return 1;
    int room = c->room > 0 ? 2 * c->room : 4;
    sx_counters_page **more = sx_base_alloc(room, sizeof *more);
    if (!more)
        return 0;
    for (int k = 0; k < c->npages; k++)
        more[k] = c->page[k];
    sx_base_free(c->page);
    c->page = more;
    c->room = room;
    return 1;
}

/* Create the memory of a page. The first page also has memory to measure distances. */
static int create_memory(sx_comm *c, int rc, const int node[], sx_segment *s)
{
    const ptrdiff_t counters = COUNTERS * sizeof(sx_counters);
    const int is_first = c->npages == 0;
    rc = sx_mem_segment_create(c->comm, rc, counters + (is_first ? sx_comm_distance_get_bytes() : 0), node,
                               NULL, s);
    if (!rc && is_first)
        c->is_far = sx_comm_distance_measure(c, s, counters);
    return rc;
}

/* Add a page. Collective. The ranks that really are on one node share the page, even if smaller nodes are
 * pretended. A new page can change which ranks are local. So node_ranks is reset, and the next call of
 * sx_comm_get_local computes the local ranks again. */
static int add_page(sx_comm *c)
{
    sx_counters_page *page = sx_base_alloc(1, sizeof *page);
    int *node = sx_base_alloc(c->p, sizeof *node);
    int rc = page && node && has_room(c) ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_comm_get_nodes(c, rc, 0, node);
    if (!rc)
        rc = create_memory(c, rc, node, &page->segment);
    sx_base_free(node);
    if (rc) {
        sx_base_free(page);
        return rc;
    }
    c->page[c->npages++] = page;
    c->node_ranks = -1;
    return MPI_SUCCESS;
}

/* If any rank has no free slot, all ranks add a page. Ranks may have different numbers of free slots after a
 * creation has failed. */
int sx_comm_take_counters(sx_comm *c, int rc, sx_slot *slot)
{
    *slot = (sx_slot){-1, 0};
    int is_short = !take(c, slot);
    rc = sx_base_agree_flags(c->comm, rc, NULL, 1, &is_short);
    if (!rc && is_short)
        rc = add_page(c);
    if (!rc && slot->page < 0)
        take(c, slot);
    if (rc)
        sx_comm_give_counters(c, slot);
    return rc;
}

int64_t sx_comm_get_process(const sx_comm *c, int q)
{
    const sx_piece *piece = sx_mem_segment_get(&c->page[0]->segment, q);
    return piece ? piece->process : 0;
}

void sx_comm_free_counters(sx_comm *c)
{
    for (int k = 0; k < c->npages; k++) {
        sx_mem_segment_free(&c->page[k]->segment);
        sx_base_free(c->page[k]);
    }
    sx_base_free(c->page);
    c->page = NULL;
    c->npages = c->room = 0;
}
