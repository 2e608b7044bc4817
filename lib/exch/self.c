/* self.c - copy what a rank sends to itself, by a kernel if both types are strided and nest, else by MPI. */
#include "exch/self.h"

void sx_exch_self_set(subx_exch ex, sx_self *self)
{
    const sx_side *send = &ex->side[SX_FROM], *recv = &ex->side[SX_TO];
    int out = send->part[ex->r].shape, in = recv->part[ex->r].shape;
    self->kern = NULL;
    if (out >= 0 && in >= 0 && send->shape[out].strided)
        sx_exch_join(&send->shape[out].layout, &recv->shape[in], recv->bytes, &self->layout, &self->kern);
}

/* Where the type of a part counts its displacements from, relative to the buffer. */
static MPI_Aint get_origin(const sx_side *side, int q)
{
    const sx_part *part = &side->part[q];
    return part->offset - side->shape[part->shape].origin;
}

int sx_exch_self_copy(subx_exch ex, const sx_self *self)
{
    const sx_side *send = &ex->side[SX_FROM], *recv = &ex->side[SX_TO];
    const sx_part *out = &send->part[ex->r], *in = &recv->part[ex->r];
    if (out->shape < 0 || in->shape < 0)
        return MPI_SUCCESS;
    if (!self->kern)
        return MPI_Sendrecv(ex->sendbuf + get_origin(send, ex->r), 1, send->shape[out->shape].type, ex->r, 0,
                            ex->recvbuf + get_origin(recv, ex->r), 1, recv->shape[in->shape].type, ex->r, 0,
                            ex->comm, MPI_STATUS_IGNORE);
    sx_kern_copy(self->kern, &self->layout, ex->sendbuf + out->offset, ex->recvbuf + in->offset,
                 ex->choices.threads);
    return MPI_SUCCESS;
}
