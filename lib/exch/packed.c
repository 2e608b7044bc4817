/* packed.c - packed blocks in the work space: their places, their counts, and the packing of all of them. */
#include "exch/packed.h"

/* ---- places */

ptrdiff_t sx_exch_round_up(ptrdiff_t bytes)
{
    return (bytes + SX_ALIGNMENT - 1) / SX_ALIGNMENT * SX_ALIGNMENT;
}

static int alloc(sx_packed *a, int p)
{
    a->start = sx_base_alloc(p, sizeof *a->start);
    a->counts = sx_base_alloc(p, sizeof *a->counts);
    a->displs = sx_base_alloc(p, sizeof *a->displs);
    return a->start && a->counts && a->displs ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

/* Deal out the work space from `first` on; returns where it ends. */
static ptrdiff_t place(sx_packed *a, const sx_side *side, int p, int self, ptrdiff_t first)
{
    a->base = first;
    for (int q = 0; q < p; q++) {
        a->start[q] = first;
        if (q != self)
            first += sx_exch_round_up(side->part[q].bytes);
    }
    return first;
}

int sx_exch_packed_create(subx_exch ex, sx_packed of[2], sx_self *self, ptrdiff_t *bytes)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < 2 && !rc; i++)
        rc = sx_exch_side_can_pack(&ex->side[i], ex->p) ? alloc(&of[i], ex->p)
                                                        : subx_error_get(SUBX_ERR_TOO_LARGE);
    if (rc)
        return rc;
    sx_packed *out = &of[SX_FROM], *in = &of[SX_TO];
    ptrdiff_t end = place(out, &ex->side[SX_FROM], ex->p, ex->r, 0);
    end = place(in, &ex->side[SX_TO], ex->p, ex->r, end + SX_ALIGNMENT);
    /* What goes to this rank itself has its one place at the end, if it needs one. */
    out->start[ex->r] = in->start[ex->r] = end;
    sx_exch_self_set(ex, self);
    *bytes = end + (self->kern ? 0 : sx_exch_round_up(ex->side[SX_FROM].part[ex->r].bytes));
    return MPI_SUCCESS;
}

int sx_exch_packed_count(subx_exch ex, sx_packed of[2])
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < 2; i++)
        for (int q = 0; q < ex->p && !rc; q++) {
            rc = sx_base_int(of[i].start[q] - of[i].base, &of[i].displs[q]);
            if (!rc && q != ex->r)
                rc = sx_base_int(ex->side[i].part[q].bytes, &of[i].counts[q]);
        }
    return rc;
}

void sx_exch_packed_free(sx_packed of[2])
{
    for (int i = 0; i < 2; i++) {
        sx_base_free(of[i].displs);
        sx_base_free(of[i].counts);
        sx_base_free(of[i].start);
    }
}

/* ---- packing */

/* The block for this rank itself comes last, as it is the first to be unpacked and still in the cache
 * then. */
int sx_exch_pack_all(subx_exch ex, const sx_self *self, const ptrdiff_t start[], char *work)
{
    int rc = MPI_SUCCESS;
    for (int i = 1; i <= ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        if (q != ex->r || !self->kern)
            rc = sx_exch_part_pack(&ex->side[SX_FROM], q, ex->sendbuf, work + start[q]);
    }
    return rc;
}

/* This rank's own block first. */
int sx_exch_unpack_all(subx_exch ex, const sx_self *self, const ptrdiff_t start[], const char *work)
{
    int rc = self->kern ? sx_exch_self_copy(ex, self) : MPI_SUCCESS;
    for (int i = self->kern != NULL; i < ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        rc = sx_exch_part_unpack(&ex->side[SX_TO], q, work + start[q], ex->recvbuf);
    }
    return rc;
}
