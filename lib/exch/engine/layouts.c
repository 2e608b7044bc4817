/* layouts.c - local partners exchange the layouts of their blocks, to find out whether one copy can lead from
 * a sender's buffer to a receiver's buffer. */
#include "exch/exch.h"

int sx_exch_is_partner(const subx_exch ex, const char is_local[], int side, int q)
{
    return q != ex->r && is_local[q] && ex->side[side].block[q].bytes > 0;
}

int sx_exch_count_partners(const subx_exch ex, const char is_local[], int side)
{
    int count = 0;
    for (int q = 0; q < ex->p; q++)
        count += sx_exch_is_partner(ex, is_local, side, q);
    return count;
}

static const sx_layout *get_layout(const sx_side *side, int q)
{
    const sx_shape *shape = &side->shape[side->block[q].shape];
    return shape->strided ? &shape->layout : NULL;
}

/* Start to send layouts to local partners, and to receive theirs. Layouts are sent as bytes, because two
 * ranks of one node store numbers alike. nd = -1 means that a block is not strided. */
static int start_messages(const subx_exch ex, const char is_local[], sx_messages m[2], sx_layout *heard)
{
    static const sx_layout none = {.nd = -1};
    int rc = MPI_SUCCESS;
    for (int q = 0; q < ex->p; q++)
        if (sx_exch_is_partner(ex, is_local, SX_TO, q)) {
            *heard = none;
            int failed = sx_messages_start(&m[SX_TO], q, heard++, sizeof none);
            rc = rc ? rc : failed;
        }
    for (int q = 0; q < ex->p; q++)
        if (sx_exch_is_partner(ex, is_local, SX_FROM, q)) {
            const sx_layout *mine = get_layout(&ex->side[SX_FROM], q);
            int failed = sx_messages_start(&m[SX_FROM], q, (void *)(mine ? mine : &none), sizeof none);
            rc = rc ? rc : failed;
        }
    return rc;
}

static int exchange(const subx_exch ex, const char is_local[], sx_messages m[2], sx_layout *heard)
{
    int rc = start_messages(ex, is_local, m, heard), polled = 0, done = 0;
    for (int side = 0; side < 2; side++, done = 0)
        while (!rc && !done) {
            rc = sx_messages_test(&m[side], &done);
            if (!rc && !done)
                rc = sx_base_relax(ex->comm->comm, SX_RELAX_LOOK, &polled);
        }
    return rc;
}

int sx_exch_gather_layouts(const subx_exch ex, int rc, const char is_local[], sx_layout heard[])
{
    sx_messages m[2] = {{.n = 0}, {.n = 0}};
    const int tag = sx_comm_get_tag(ex->comm);
    for (int side = 0; side < 2 && !rc; side++)
        rc = sx_messages_create(&m[side], ex->comm->comm, side, tag,
                                sx_exch_count_partners(ex, is_local, side) * sx_message_count(sizeof *heard));
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    if (!rc)
        rc = exchange(ex, is_local, m, heard);
    for (int side = 0; side < 2; side++)
        sx_messages_free(&m[side]);
    return rc;
}
