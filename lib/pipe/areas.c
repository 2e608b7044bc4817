/* areas.c - set the areas of a pipe: ranks tell each other once, here, where their send areas are (sx_place),
 * so that no epoch has to look this up. */
#include "pipe/pipe.h"

enum { PLACE_LENGTH = sizeof(sx_place) / sizeof(int64_t) };

static int check_areas(const subx_pipe pipe, const void *send, const void *recv)
{
    if (pipe->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    if ((uintptr_t)send % SX_ALIGNMENT || (uintptr_t)recv % SX_ALIGNMENT)
        return subx_error_get_code(SUBX_ERR_ARG);
    if ((pipe->side[SX_FROM].area > 0 && !send) || (pipe->side[SX_TO].area > 0 && !recv))
        return subx_error_get_code(SUBX_ERR_ARG);
    return MPI_SUCCESS;
}

/* Get the addresses of the partners' send areas. A rank without a send area has given the place {0, -1, 0}:
 * its partners need no address. */
static int find_areas(const subx_pipe pipe, const sx_place places[], const char *area[])
{
    for (int i = 0; i < pipe->npartners; i++) {
        int q = pipe->partner[i].rank;
        area[q] = sx_comm_get_address(pipe->comm, q, places[q]);
        if (pipe->partner[i].gives && places[q].rank >= 0 && !area[q])
            return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    }
    return MPI_SUCCESS;
}

static void set_blocks(subx_pipe pipe, const char *const area[])
{
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p; q++) {
            const ptrdiff_t at = sx_pipe_at(pipe, s, q);
            pipe->block[at] = pipe->side[SX_TO].bytes[at] == 0 ? NULL
                              : q == pipe->r                   ? sx_pipe_get_address(pipe, SX_FROM, s, q)
                              : pipe->is_local[q] && !area[q]  ? NULL
                              : pipe->is_local[q]              ? area[q] + pipe->partner_place[at]
                                                               : sx_pipe_get_address(pipe, SX_TO, s, q);
        }
}

/* Agree, then exchange the places of the areas. If a rank cannot find an area that it reads, the pipe stays
 * as it was. Collective. */
static int set_work(subx_pipe pipe, int rc, char *send, char *recv, sx_place places[], const char *area[])
{
    const MPI_Comm comm = pipe->comm->comm;
    const ptrdiff_t bytes = pipe->side[SX_FROM].area;
    sx_place mine = {0, -1, 0};
    rc = sx_base_agree(comm, rc, NULL);
    if (rc)
        return rc;
    if (bytes > 0)
        mine = sx_comm_find_place(send, send + bytes);
    rc = MPI_Allgather(&mine, PLACE_LENGTH, MPI_INT64_T, places, PLACE_LENGTH, MPI_INT64_T, comm);
    if (!rc)
        rc = find_areas(pipe, places, area);
    rc = sx_base_agree(comm, rc, NULL);
    if (rc)
        return rc;
    pipe->from = send;
    pipe->to = recv;
    set_blocks(pipe, area);
    pipe->carrier = pipe->carriers[0].carrier;
    pipe->state = pipe->carriers[0].state;
    if (pipe->carrier && pipe->carrier->bind)
        rc = sx_base_agree(comm, pipe->carrier->bind(pipe), NULL);
    pipe->is_set = !rc;
    return rc;
}

int subx_pipe_set_work(subx_pipe pipe, void *send, void *recv)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_place *places = sx_base_alloc(pipe->p, sizeof *places);
    const char **area = sx_base_alloc(pipe->p, sizeof *area);
    int rc = check_areas(pipe, send, recv);
    if (!rc && (!places || !area))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = set_work(pipe, rc, send, recv, places, area);
    sx_base_free(area);
    sx_base_free(places);
    return rc;
}
