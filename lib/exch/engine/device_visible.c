/* device_visible.c - visible partners: ranks of this node whose memory on the device this rank reads. */
#include "exch/on_device.h"
#include <string.h>

/* ---- a trial: each rank writes a pattern into memory on its device, and reads the patterns of the others of
 * its node */

enum { WORDS = 64, BYTES = WORDS * 4 };

static void set_pattern(int r, unsigned word[WORDS])
{
    for (int i = 0; i < WORDS; i++)
        word[i] = 2654435761u * (unsigned)(WORDS * r + i + 1);
}

/* Copy BYTES bytes on the device. */
static int pull(subx_exch ex, const char *from, char *to)
{
    const sx_on_device *s = ex->state;
    sx_device_nest nest = sx_device_nest_create(4);
    sx_device_nest_add(&nest, WORDS, 4, 4);
    return subx_error_get_code(ex->device->permute(s->stream[SX_TO], &nest, from, to));
}

/* Query whether this rank reads the pattern of rank q right. `room` is memory of this rank on the device. */
static int is_right(subx_exch ex, int q, sx_place place, char *room)
{
    unsigned expected[WORDS], got[WORDS] = {0};
    const char *theirs = sx_comm_get_address(ex->comm, q, place);
    set_pattern(q, expected);
    return theirs && !pull(ex, theirs, room) && !sx_exch_device_copy(ex, got, room, BYTES) &&
           memcmp(got, expected, BYTES) == 0;
}

enum { PLACE_LENGTH = sizeof(sx_place) / sizeof(int64_t) };

/* Tell all ranks where some memory of this rank is. Collective. */
static int gather_places(subx_exch ex, sx_place mine, sx_place all[])
{
    return MPI_Allgather(&mine, PLACE_LENGTH, MPI_INT64_T, all, PLACE_LENGTH, MPI_INT64_T, ex->comm->comm);
}

/* Collective; `memory` has two parts of BYTES bytes on the device. *fails becomes 1 on all ranks if some rank
 * reads a wrong pattern. */
static int try_patterns(subx_exch ex, const char is_local[], char *memory, sx_place all[], int *fails)
{
    unsigned pattern[WORDS];
    set_pattern(ex->r, pattern);
    *fails = sx_exch_device_copy(ex, memory, pattern, BYTES) != MPI_SUCCESS;
    const int rc = gather_places(ex, sx_comm_find_place(memory, memory + BYTES), all);
    for (int q = 0; q < ex->p && !rc && !*fails; q++)
        if (q != ex->r && is_local[q])
            *fails = !is_right(ex, q, all[q], memory + BYTES);
    return sx_base_agree_flags(ex->comm->comm, rc, NULL, 1, fails);
}

/* If the memory cannot be had, the ranks do not read each other's memory: this is no error. */
static int try_sharing(subx_exch ex, int *fails)
{
    const char *is_local = NULL;
    void *memory = NULL;
    *fails = 1;
    int rc = sx_comm_get_local(ex->comm, ex->hints.node_ranks, &is_local);
    sx_place *all = sx_base_alloc(ex->p, sizeof *all);
    rc = sx_base_agree(ex->comm->comm, rc || all ? rc : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc && !sx_comm_alloc(ex->comm, MPI_SUCCESS, 2 * BYTES, ex->hints.node_ranks, ex->device, &memory)) {
        rc = try_patterns(ex, is_local, memory, all, fails);
        (void)subx_mem_free(&memory);
    }
    sx_base_free(all);
    return rc;
}

int sx_exch_device_check_sharing(subx_exch ex)
{
    sx_device_trials *known = sx_exch_device_get_trials(ex);
    int fails = known->sharing == SX_TRIAL_FAILED;
    ex->is_shared = 0;
    if (ex->p == 1 || !sx_pipe_query_local(&ex->hints))
        return MPI_SUCCESS;
    const int rc = known->sharing ? MPI_SUCCESS : try_sharing(ex, &fails);
    if (rc)
        return rc;
    known->sharing = fails ? SX_TRIAL_FAILED : SX_TRIAL_PASSED;
    ex->is_shared = !fails;
    if (fails)
        sx_exch_device_remember(ex, "ipc", 1, "ranks of a node cannot read each other's GPUs");
    return MPI_SUCCESS;
}

/* ---- blocks */

static void set_joins(subx_exch ex, const sx_layout *heard)
{
    sx_on_device *s = ex->state;
    const sx_side *recv = &ex->side[SX_TO];
    for (int q = 0; q < ex->p; q++)
        if (sx_exch_is_partner(ex, s->is_visible, SX_TO, q)) {
            if (heard->nd >= 0)
                sx_exch_set_direct(heard, &recv->shape[recv->block[q].shape], recv->bytes, &s->direct[q]);
            heard++;
        }
}

static int gather_layouts(subx_exch ex)
{
    const sx_on_device *s = ex->state;
    sx_layout *heard = sx_base_alloc(sx_exch_count_partners(ex, s->is_visible, SX_TO), sizeof *heard);
    int rc = heard ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_exch_gather_layouts(ex, rc, s->is_visible, heard);
    if (!rc)
        set_joins(ex, heard);
    sx_base_free(heard);
    return sx_base_agree(ex->comm->comm, rc, NULL);
}

enum { VISIBLE_LENGTH = sizeof(sx_visible_block) / sizeof(int64_t) };

static int tell_blocks(subx_exch ex)
{
    sx_on_device *s = ex->state;
    sx_visible_block *told = sx_base_alloc(ex->p, sizeof *told);
    int rc = sx_base_agree(ex->comm->comm, told ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    for (int q = 0; q < ex->p && !rc; q++)
        told[q] = (sx_visible_block){ex->side[SX_FROM].block[q].offset, s->place[SX_FROM][q],
                                     s->packed_bytes[SX_FROM]};
    if (!rc)
        rc = MPI_Alltoall(told, VISIBLE_LENGTH, MPI_INT64_T, s->visible, VISIBLE_LENGTH, MPI_INT64_T,
                          ex->comm->comm);
    sx_base_free(told);
    return rc;
}

/* Tell each rank q whether this rank reads the block from q in the send buffer of q, if it can. */
static int tell_readers(subx_exch ex)
{
    sx_on_device *s = ex->state;
    char *mine = sx_base_alloc(ex->p, 1);
    int rc = sx_base_agree(ex->comm->comm, mine ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    for (int q = 0; q < ex->p && !rc; q++)
        mine[q] = s->direct[q].kern != NULL;
    if (!rc)
        rc = MPI_Alltoall(mine, 1, MPI_CHAR, s->reads_mine, 1, MPI_CHAR, ex->comm->comm);
    for (int q = 0; q < ex->p; q++)
        s->has_readers |= s->reads_mine[q];
    sx_base_free(mine);
    return rc;
}

int sx_exch_device_find_partners(subx_exch ex)
{
    sx_on_device *s = ex->state;
    const char *is_local;
    if (!ex->is_shared)
        return MPI_SUCCESS;
    const int rc = sx_comm_get_local(ex->comm, ex->hints.node_ranks, &is_local);
    for (int q = 0; q < ex->p && !rc; q++)
        s->is_visible[q] = q != ex->r && is_local[q];
    return rc;
}

int sx_exch_device_gather_layouts(subx_exch ex)
{
    if (!ex->is_shared)
        return MPI_SUCCESS;
    int rc = gather_layouts(ex);
    rc = rc ? rc : sx_base_agree(ex->comm->comm, tell_blocks(ex), NULL);
    return rc ? rc : sx_base_agree(ex->comm->comm, tell_readers(ex), NULL);
}

int sx_exch_device_has_rows(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    sx_device_rows rows;
    for (int q = 0; q < ex->p; q++)
        if (s->is_visible[q] && s->direct[q].kern && sx_copy_get_rows(&s->direct[q].layout, &rows))
            return 1;
    return 0;
}

/* ---- work space. A rank without work space gives the place {0, -1, 0}: its partners need no address. */

static int find_addresses(subx_exch ex, const sx_place all[])
{
    sx_on_device *s = ex->state;
    for (int q = 0; q < ex->p; q++) {
        if (!sx_exch_is_partner(ex, s->is_visible, SX_TO, q))
            continue;
        s->visible_work[q] = sx_comm_get_address(ex->comm, q, all[q]);
        if (!s->visible_work[q] && all[q].rank >= 0)
            return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    }
    return MPI_SUCCESS;
}

int sx_exch_device_find_work(subx_exch ex, const char *work)
{
    sx_place *all = sx_base_alloc(ex->p, sizeof *all), mine = {0, -1, 0};
    int rc = sx_base_agree(ex->comm->comm, all ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (ex->device_bytes > 0)
        mine = sx_comm_find_place(work, work + ex->device_bytes);
    if (!rc)
        rc = gather_places(ex, mine, all);
    if (!rc)
        rc = find_addresses(ex, all);
    sx_base_free(all);
    return sx_base_agree(ex->comm->comm, rc, NULL);
}

/* ---- executions */

sx_place sx_exch_device_find_send(const subx_exch ex)
{
    const sx_on_device *s = ex->state;
    const sx_side *send = &ex->side[SX_FROM];
    const sx_place none = {0, 0, 0};
    if (!s->has_readers)
        return none;
    sx_place place = sx_comm_find_place(ex->sendbuf + send->low, ex->sendbuf + send->high);
    for (int q = 0; q < ex->p; q++)
        if (s->reads_mine[q] && !sx_comm_is_visible(ex->comm, q, place))
            return none;
    place.offset -= send->low;
    return place;
}

const char *sx_exch_device_get_visible(const subx_exch ex, int q, int *rc)
{
    const sx_on_device *s = ex->state;
    const sx_partner *partner = s->pipe->partner;
    while (partner->rank != q)
        partner++;
    const sx_place place = partner->counters->data;
    if (!s->direct[q].kern || !place.key)
        return NULL;
    const char *send = sx_comm_get_address(ex->comm, q, place);
    *rc = send ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_ARG);
    return send ? send + s->visible[q].offset : NULL;
}
