/* work.c - the areas of a pipe: peers learn here, once, where to read, so that nothing is looked up in a
 * run. */
#include "pipe/pipe.h"

/* Where a rank's send area is: in its piece of a segment of subx_mem_alloc. */
typedef struct card {
    int64_t key, rank, offset; /* rank -1: not in such memory */
} card;

enum { CARD_LENGTH = sizeof(card) / sizeof(int64_t) };

static int check_areas(subx_pipe pipe, const void *send, const void *recv)
{
    if (pipe->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    if ((uintptr_t)send % SX_ALIGNMENT || (uintptr_t)recv % SX_ALIGNMENT)
        return subx_error_get(SUBX_ERR_ARG);
    if ((pipe->send.area > 0 && !send) || (pipe->recv.area > 0 && !recv))
        return subx_error_get(SUBX_ERR_ARG);
    return MPI_SUCCESS;
}

static card find_card(const subx_pipe pipe, const char *send)
{
    const sx_segment *where = pipe->send.area > 0 ? sx_mem_find_address(send) : NULL;
    if (!where || send + pipe->send.area > where->base[where->r] + where->bytes[where->r])
        return (card){0, -1, 0};
    return (card){where->key, where->r, send - where->base[where->r]};
}

/* Where a partner's send area begins, as this rank sees it; NULL if it cannot. */
static const char *get_area(const subx_pipe pipe, int q, const card *c)
{
    const sx_segment *where = c->rank < 0 ? NULL : sx_mem_find_key(c->key);
    if (!where || c->rank >= where->p || where->process[c->rank] != pipe->segment.process[q] ||
        !where->base[c->rank])
        return NULL;
    return where->base[c->rank] + c->offset;
}

static int find_areas(const subx_pipe pipe, const card cards[], const char *area[])
{
    for (int i = 0; i < pipe->nneighbours; i++) {
        int q = pipe->neighbour[i].rank;
        area[q] = pipe->neighbour[i].gives ? get_area(pipe, q, &cards[q]) : NULL;
        if (pipe->neighbour[i].gives && !area[q])
            return subx_error_get(SUBX_ERR_UNAVAILABLE);
    }
    return MPI_SUCCESS;
}

static void set_blocks(subx_pipe pipe, const char *const area[])
{
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p; q++) {
            const ptrdiff_t at = sx_pipe_at(pipe, s, q);
            pipe->block[at] = pipe->recv.bytes[at] == 0 ? NULL
                              : q == pipe->r            ? pipe->from + pipe->send.place[at]
                              : pipe->is_near[q]        ? area[q] + pipe->peer_place[at]
                                                        : pipe->to + pipe->recv.place[at];
        }
}

/* Nothing changes unless all ranks can see what they are to read. */
static int set_work(subx_pipe pipe, int rc, const char *send, char *recv, card cards[], const char *area[])
{
    rc = sx_base_agree(pipe->comm, rc, NULL);
    if (rc)
        return rc;
    card mine = find_card(pipe, send);
    rc = MPI_Allgather(&mine, CARD_LENGTH, MPI_INT64_T, cards, CARD_LENGTH, MPI_INT64_T, pipe->comm);
    if (!rc)
        rc = find_areas(pipe, cards, area);
    rc = sx_base_agree(pipe->comm, rc, NULL);
    if (rc)
        return rc;
    pipe->from = send;
    pipe->to = recv;
    set_blocks(pipe, area);
    pipe->is_set = 1;
    return MPI_SUCCESS;
}

int subx_pipe_set_work(subx_pipe pipe, void *send, void *recv)
{
    if (!pipe)
        return subx_error_get(SUBX_ERR_ARG);
    card *cards = sx_base_alloc(pipe->p, sizeof *cards);
    const char **area = sx_base_alloc(pipe->p, sizeof *area);
    int rc = check_areas(pipe, send, recv);
    if (!rc && (!cards || !area))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = set_work(pipe, rc, send, recv, cards, area);
    sx_base_free(area);
    sx_base_free(cards);
    return rc;
}
