/* team.c - form a team, move blocks, break it. See team.h. */
#include "exch/team.h"
#include <string.h>

/* ---- notices */

/* The cost of a poll of the device (sx_base_relax). */
enum { ASK = 20 };

static int get_tag(const sx_team *t)
{
    return t->comm->last_tag + 1;
}

static void expect_notice(sx_team *t)
{
    int rc = MPI_Irecv(&t->heard, 1, MPI_CHAR, MPI_ANY_SOURCE, get_tag(t), t->comm->comm, &t->notice);
    (void)rc;
}

/* Leave the team, and tell all ranks. */
static void break_team(sx_team *t)
{
    if (t->is_broken)
        return;
    t->is_broken = 1;
    t->device->teams->leave(t->state, 1);
    t->state = NULL;
    for (int q = 0; q < t->comm->p; q++) {
        int rc;
        if (q != t->comm->r)
            rc = MPI_Isend(&t->told, 1, MPI_CHAR, q, get_tag(t), t->comm->comm, &t->notices[q]);
    }
}

static void look_for_notice(sx_team *t)
{
    int has_come = 0;
    if (t->notice == MPI_REQUEST_NULL)
        expect_notice(t);
    if (MPI_Test(&t->notice, &has_come, MPI_STATUS_IGNORE) || !has_come)
        return;
    t->nheard++;
    expect_notice(t);
    break_team(t);
}

/* ---- waiting. These functions return a kind of error */

static int fail(sx_team *t, int kind)
{
    break_team(t);
    return kind;
}

/* Wait until the device's library has begun what it was asked for. */
static int wait_begun(sx_team *t)
{
    for (int round = 0, done = 0;;) {
        look_for_notice(t);
        if (t->is_broken)
            return SUBX_ERR_PEER;
        const int kind = t->device->teams->poll(t->state, &done);
        if (kind)
            return fail(t, kind);
        if (done)
            return SUBX_ERR_NONE;
        (void)sx_base_relax(t->comm->comm, ASK, &round);
    }
}

/* Look at a stream, and at errors of its work. A query that fails is repeated once. */
static int look_at_stream(sx_team *t, void *stream, int *done)
{
    int ignored, failed = SUBX_ERR_NONE;
    const int kind = t->device->query(stream, done), again = kind ? t->device->query(stream, done) : kind;
    if (again)
        return fail(t, again);
    if (!*done)
        failed = t->device->teams->poll(t->state, &ignored);
    return failed ? fail(t, failed) : kind;
}

int sx_exch_team_wait(sx_team *t, void *stream)
{
    int first = SUBX_ERR_NONE;
    for (int round = 0, done = 0; !done;) {
        look_for_notice(t);
        if (t->is_broken)
            break;
        const int kind = look_at_stream(t, stream, &done);
        first = first ? first : kind;
        if (!done)
            (void)sx_base_relax(t->comm->comm, ASK, &round);
    }
    if (!t->is_broken)
        return first;
    const int kind = t->device->finish(stream);
    return first ? first : kind ? kind : SUBX_ERR_PEER;
}

/* ---- moving */

/* List the blocks of a slice for and from the ranks that move them, too. Returns -1 if it is not known whether some rank does. */
static int list_blocks(sx_team *t, const subx_pipe pipe, int slice)
{
    int n = 0;
    for (int i = 1; i < pipe->p; i++) {
        const int q = (pipe->r + i) % pipe->p;
        if (!sx_pipe_is_stamped(pipe, SX_TO, slice, q))
            continue;
        const int stamp = sx_pipe_check_stamp(pipe, slice, q);
        if (stamp == SX_STAMP_MISSING)
            return -1;
        for (int side = 0; side < 2 && stamp == SX_STAMP_RIGHT; side++)
            if (sx_pipe_is_remote(pipe, side, slice, q))
                t->block[n++] = (sx_device_block){q, side, sx_pipe_get_address(pipe, side, slice, q),
                                                  pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)]};
    }
    return n;
}

int sx_exch_team_start(sx_team *t, const subx_pipe pipe, int slice, void *stream)
{
    look_for_notice(t);
    if (t->is_broken)
        return SUBX_ERR_PEER;
    const int n = pipe->carrier ? list_blocks(t, pipe, slice) : 0;
    if (n <= 0)
        return n < 0 ? fail(t, SUBX_ERR_PEER) : SUBX_ERR_NONE;
    const int kind = t->device->teams->move(t->state, stream, n, t->block);
    return kind ? fail(t, kind) : wait_begun(t);
}

/* ---- the end */

/* If some rank has broken the team, all ranks break it and get all notices, so that none is left in MPI. */
static void end_notices(sx_team *t)
{
    int is_broken;
    look_for_notice(t);
    is_broken = t->is_broken;
    if (sx_base_agree_flags(t->comm->comm, MPI_SUCCESS, NULL, 1, &is_broken))
        is_broken = 0;
    if (is_broken)
        break_team(t);
    for (int round = 0; is_broken && t->nheard < t->comm->p - 1;) {
        look_for_notice(t);
        (void)sx_base_relax(t->comm->comm, ASK, &round);
    }
    if (t->notice != MPI_REQUEST_NULL)
        (void)MPI_Cancel(&t->notice);
    (void)MPI_Wait(&t->notice, MPI_STATUS_IGNORE);
    for (int q = 0; q < t->comm->p; q++)
        (void)MPI_Wait(&t->notices[q], MPI_STATUS_IGNORE);
}

static void destroy(sx_team *t)
{
    if (!t)
        return;
    t->device->teams->leave(t->state, 0);
    if (t->handle)
        t->device->close(t->handle);
    sx_base_free(t->block);
    sx_base_free(t->notices);
    sx_base_free(t);
}

/* Collective. */
static void free_team(sx_comm *c)
{
    sx_team *t = c->team;
    c->team = NULL;
    end_notices(t);
    destroy(t);
}

/* ---- forming. Collective */

static sx_team *alloc_team(subx_exch ex)
{
    sx_team *t = sx_base_alloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (sx_team){.comm = ex->comm, .device = ex->device, .notice = MPI_REQUEST_NULL};
    t->notices = sx_base_alloc(ex->p, sizeof *t->notices);
    t->block = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *t->block);
    if (!t->notices || !t->block) {
        destroy(t);
        return NULL;
    }
    for (int q = 0; q < ex->p; q++)
        t->notices[q] = MPI_REQUEST_NULL;
    return t;
}

/* After an error there is no team. */
static int create_team(subx_exch ex)
{
    sx_team *t = alloc_team(ex);
    const int rc =
        sx_base_agree(ex->comm->comm, t ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (rc) {
        destroy(t);
        return rc;
    }
    ex->comm->team = t;
    ex->comm->free_team = free_team;
    return MPI_SUCCESS;
}

/* Query the reason why ranks with these cards form no team; NULL if they can. */
static const char *compare_cards(int p, const sx_device_card card[], const int node[])
{
    for (int q = 0; q < p; q++) {
        if (card[q].version != card[0].version)
            return "ranks have different versions of the library";
        for (int k = 0; k < q; k++)
            if (node[k] == node[q] && memcmp(card[k].device, card[q].device, sizeof card[k].device) == 0)
                return "two ranks have the same GPU";
    }
    return NULL;
}

static int exchange_cards(subx_exch ex, sx_device_card card[], int node[], const char **why)
{
    const sx_team *t = ex->comm->team;
    int rc = sx_comm_get_nodes(ex->comm, card && node ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), 0,
                               node);
    if (rc)
        return rc;
    rc = MPI_Allgather(&t->card, (int)sizeof *card, MPI_BYTE, card, (int)sizeof *card, MPI_BYTE,
                       ex->comm->comm);
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    if (!rc)
        *why = compare_cards(ex->p, card, node);
    return rc;
}

static int check_cards(subx_exch ex, const char **why)
{
    sx_team *t = ex->comm->team;
    int rc = sx_device_open(ex->device, &t->handle);
    if (!rc)
        rc = subx_error_get_code(ex->device->teams->get_card(t->handle, &t->card));
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    if (rc)
        return rc;
    sx_device_card *card = sx_base_alloc(ex->p, sizeof *card);
    int *node = sx_base_alloc(ex->p, sizeof *node);
    rc = exchange_cards(ex, card, node, why);
    sx_base_free(node);
    sx_base_free(card);
    return rc;
}

/* Rank 0 names the team. */
static int share_id(subx_exch ex, sx_device_id *id)
{
    const sx_team *t = ex->comm->team;
    int rc = MPI_SUCCESS;
    if (ex->r == 0)
        rc = subx_error_get_code(ex->device->teams->create_id(t->handle, id));
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    if (rc)
        return rc;
    rc = MPI_Bcast(id, (int)sizeof *id, MPI_BYTE, 0, ex->comm->comm);
    return sx_base_agree(ex->comm->comm, rc, NULL);
}

static int join(subx_exch ex)
{
    sx_device_id id;
    sx_team *t = ex->comm->team;
    int rc = share_id(ex, &id);
    if (rc)
        return rc;
    expect_notice(t);
    int kind = ex->device->teams->join(t->handle, &id, ex->p, ex->r, &t->state);
    kind = kind ? fail(t, kind) : wait_begun(t);
    return sx_base_agree(ex->comm->comm, subx_error_get_code(kind), NULL);
}

int sx_exch_team_create(subx_exch ex, const char **why)
{
    *why = NULL;
    int rc = create_team(ex);
    rc = rc ? rc : check_cards(ex, why);
    if (rc || *why)
        return rc;
    return join(ex);
}

int sx_exch_team_has_device(const sx_team *t)
{
    sx_device_card card = {.version = 0};
    return !t->is_broken && !t->device->teams->get_card(t->handle, &card) &&
           memcmp(&card, &t->card, sizeof card) == 0;
}
