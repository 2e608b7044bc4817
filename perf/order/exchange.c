/* exchange.c - the exchange of a pair of orders, by the library. */
#include "order/order.h"

#include <stdlib.h>

static int create_by_storage(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                             MPI_Info hints, subx_exch *ex)
{
    return subx_exch_create_realign(MPI_COMM_WORLD, job->ndims, job->settings.shape.n, job->v, job->w,
                                    pair->send, pair->recv, job->element, hints, ex);
}

/* Create the type of the block for or from rank q on one side: a portion of axis `cut`. */
static MPI_Datatype create_type(const struct sx_perf_order_job *job, const struct sx_perf_box *side, int cut,
                                int q, const int order[])
{
    MPI_Count sizes[SX_PERF_ORDER_NDIMS_MAX], subsizes[SX_PERF_ORDER_NDIMS_MAX],
        starts[SX_PERF_ORDER_NDIMS_MAX] = {0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int code;
    for (int t = 0; t < job->ndims; t++) {
        int a = side->order[t];
        ptrdiff_t len = side->len[a], start = 0;
        if (a == cut)
            subx_block_get(job->settings.shape.n[a], sx_perf_program_get_nranks(), q, &len, &start);
        sizes[t] = side->len[a];
        subsizes[t] = len;
        starts[t] = start;
    }
    code = subx_type_create_subarray_c(job->ndims, sizes, subsizes, starts, MPI_ORDER_FORTRAN, order,
                                       job->element, &type);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no subarray type");
    return type;
}

static int create_by_traversal(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                               MPI_Info hints, subx_exch *ex)
{
    int code, nranks = sx_perf_program_get_nranks();
    MPI_Datatype *type = sx_perf_memory_create_small(2 * (ptrdiff_t)nranks, sizeof *type);
    struct sx_perf_box send, recv;
    sx_perf_order_sides_get(job, pair, &send, &recv);
    for (int q = 0; q < nranks; q++) {
        type[q] = create_type(job, &send, job->v, q, pair->send);
        type[nranks + q] = create_type(job, &recv, job->w, q, pair->recv);
    }
    code = subx_exch_create(MPI_COMM_WORLD, type, type + nranks, hints, ex);
    for (int i = 0; i < 2 * nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
    return code;
}

int sx_perf_order_exchange_create(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                                  const char *engine, subx_exch *ex)
{
    MPI_Info hints = sx_perf_engines_create_hints(&job->settings.common, engine);
    int code = job->settings.meaning == SX_PERF_ORDER_STORAGE ? create_by_storage(job, pair, hints, ex)
                                                              : create_by_traversal(job, pair, hints, ex);
    MPI_Info_free(&hints);
    return code;
}
