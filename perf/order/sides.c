/* sides.c - this rank's part of the array before and after an exchange. */
#include "order/order.h"

static void set_whole(const struct sx_perf_order_job *job, struct sx_perf_box *side, int divided)
{
    side->whole = job->settings.shape;
    for (int a = 0; a < job->ndims; a++) {
        side->len[a] = job->settings.shape.n[a];
        side->start[a] = 0;
    }
    subx_block_get(side->len[divided], sx_perf_program_get_nranks(), sx_perf_program_get_rank(),
                   &side->len[divided], &side->start[divided]);
}

/* Set the storage orders of both sides. With orders of traversal, both local arrays are stored in Fortran order. The
 * sender's dimension i is the array's axis i. The receiver's dimension recv[i] is the array's axis send[i]. */
static void set_order(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                      struct sx_perf_box *send, struct sx_perf_box *recv)
{
    for (int i = 0; i < job->ndims; i++) {
        if (!pair)
            send->order[i] = recv->order[i] = job->ndims - 1 - i;
        else if (job->settings.meaning == SX_PERF_ORDER_STORAGE) {
            send->order[i] = pair->send[i];
            recv->order[i] = pair->recv[i];
        } else {
            send->order[i] = i;
            recv->order[pair->recv[i]] = pair->send[i];
        }
    }
}

void sx_perf_order_sides_get(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                             struct sx_perf_box *send, struct sx_perf_box *recv)
{
    set_whole(job, send, job->w);
    set_whole(job, recv, job->v);
    set_order(job, pair, send, recv);
}
