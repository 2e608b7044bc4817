/* pairs.c - choose the pairs of orders to be measured. */
#include "order/order.h"

#include <string.h>

enum { NORDERS_MAX = 24 };

/* Yan's table 1a has the pairs in which the sender's axis 2, along which the array is divided, becomes the receiver's
 * axis 0, whose elements are contiguous. */
static int is_in_table1a(const struct sx_perf_order_pair *pair)
{
    for (int i = 0; i < 3; i++)
        if (pair->send[i] == 2)
            return pair->recv[i] == 0;
    return 0;
}

static void add_all(struct sx_perf_order_job *job)
{
    int order[SX_PERF_ORDER_NDIMS_MAX], norders = sx_perf_orders_get(job->ndims, 0, order);
    for (int s = 0; s < norders; s++)
        for (int r = 0; r < norders; r++) {
            struct sx_perf_order_pair *pair = &job->pairs[job->npairs];
            sx_perf_orders_get(job->ndims, s, pair->send);
            sx_perf_orders_get(job->ndims, r, pair->recv);
            job->npairs += job->settings.set != SX_PERF_ORDER_TABLE1A || is_in_table1a(pair);
        }
}

static void add_word(struct sx_perf_order_job *job, const char *word)
{
    struct sx_perf_order_pair *pair = &job->pairs[job->npairs++];
    int d = job->ndims;
    if (strlen(word) != 2 * (size_t)d + 1 || word[d] != ':' || !sx_perf_orders_parse(word, d, pair->send) ||
        !sx_perf_orders_parse(word + d + 1, d, pair->recv))
        sx_perf_program_exit(MPI_SUCCESS, "--pairs %.40s: not two orders of %d axes such as %s", word, d,
                             d == 2   ? "01:10"
                             : d == 3 ? "021:102"
                                      : "0123:3210");
}

void sx_perf_order_pairs_create(struct sx_perf_order_job *job)
{
    const struct sx_perf_order_settings *s = &job->settings;
    job->pairs = sx_perf_memory_create_small(NORDERS_MAX * NORDERS_MAX, sizeof *job->pairs);
    if (s->set == SX_PERF_ORDER_TABLE1B)
        add_word(job, "021:102");
    else if (s->set == SX_PERF_ORDER_LIST)
        for (int i = 0; i < s->pairs.n; i++)
            add_word(job, s->pairs.name[i]);
    else
        add_all(job);
}
