/* plain.c - the reference without our library: MPI_Alltoallw with MPI's own subarray types. */
#include "order/order.h"

#include <stdlib.h>

/* Set count and type of the block for or from rank q: a portion of axis `cut` of a side in C order. An empty block has
 * count 0 and no subarray type, because MPI's subarray types cannot be empty. */
static void set_partner(const struct sx_perf_order_job *job, struct sx_perf_order_plain *plain, int which,
                        const struct sx_perf_box *side, int cut, int q)
{
    int sizes[SX_PERF_ORDER_NDIMS_MAX], subsizes[SX_PERF_ORDER_NDIMS_MAX], starts[SX_PERF_ORDER_NDIMS_MAX],
        empty = 0;
    ptrdiff_t len, start;
    subx_block_get(job->settings.shape.n[cut], plain->nranks, q, &len, &start);
    for (int a = 0; a < job->ndims; a++) {
        sizes[a] = (int)side->len[a];
        subsizes[a] = a == cut ? (int)len : sizes[a];
        starts[a] = a == cut ? (int)start : 0;
        empty |= subsizes[a] == 0;
    }
    plain->count[which][q] = !empty;
    plain->type[which][q] = MPI_BYTE;
    if (empty)
        return;
    MPI_Type_create_subarray(job->ndims, sizes, subsizes, starts, MPI_ORDER_C, job->element,
                             &plain->type[which][q]);
    MPI_Type_commit(&plain->type[which][q]);
}

void sx_perf_order_plain_create(const struct sx_perf_order_job *job, struct sx_perf_order_plain *plain)
{
    struct sx_perf_box send, recv;
    *plain =
        (struct sx_perf_order_plain){.nranks = sx_perf_program_get_nranks(), .in = job->in, .out = job->out};
    sx_perf_order_sides_get(job, NULL, &send, &recv);
    plain->displ = sx_perf_memory_create_small(plain->nranks, sizeof *plain->displ);
    for (int i = 0; i < 2; i++) {
        plain->count[i] = sx_perf_memory_create_small(plain->nranks, sizeof *plain->count[i]);
        plain->type[i] = sx_perf_memory_create_small(plain->nranks, sizeof *plain->type[i]);
        for (int q = 0; q < plain->nranks; q++)
            set_partner(job, plain, i, i ? &recv : &send, i ? job->w : job->v, q);
    }
}

int sx_perf_order_plain_execute(void *plain)
{
    const struct sx_perf_order_plain *p = plain;
    return MPI_Alltoallw(p->in, p->count[0], p->displ, p->type[0], p->out, p->count[1], p->displ, p->type[1],
                         MPI_COMM_WORLD);
}

void sx_perf_order_plain_free(struct sx_perf_order_plain *plain)
{
    for (int i = 0; i < 2; i++) {
        for (int q = 0; q < plain->nranks; q++)
            if (plain->count[i][q])
                MPI_Type_free(&plain->type[i][q]);
        free(plain->type[i]);
        free(plain->count[i]);
    }
    free(plain->displ);
}
