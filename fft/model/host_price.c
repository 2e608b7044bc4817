/* host_price.c - the seconds that passes and exchanges take on hosts, by the parameters of the machine. */
#include "model/model.h"
#include <math.h>

/* Get the part of an array that is in the caches: all of it if the caches have room for it, none if it is
 * twice as large as the caches, and linearly less in between. */
static double get_cached_share(const sx_machine *m, double array_bytes)
{
    const double share = 2 - array_bytes / m->cache_bytes;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Arithmetic and memory accesses do not overlap: a tile is gathered, then transformed, then scattered. */
double sx_model_price_pass(const sx_machine *m, double flops, double bytes, double array_bytes)
{
    const double cached = get_cached_share(m, array_bytes);
    return m->stage + flops / m->flops + bytes * (cached / m->cache + (1 - cached) / m->memory);
}

/* A message of n bytes takes latency + n / bandwidth (Hockney 1994). As in LogGP (Alexandrov, Ionescu,
 * Schauser & Scheiman 1995, after Culler et al. 1993), a rank handles its messages one after the other, so
 * the latencies of all its partners add up. All bytes that leave a node share the node's link; if a link
 * behind it needs longer, that link counts instead. Bytes inside a node count per rank: the ranks of a node
 * copy at the same time, each its own blocks. If is_direct, these blocks are not copied, and cost only
 * latencies. Reading memory of another domain takes longer than reading memory of the rank's own domain. Only
 * the difference is added here: the price of the pass that reads the memory has the rest. */
double sx_model_price_exchange(const sx_machine *m, const sx_load *load, int is_direct)
{
    double seconds = m->stage;
    for (int i = SX_INSIDE; i <= SX_BETWEEN; i++)
        seconds += load->partners[i] * m->latency[i];
    if (!is_direct)
        seconds += load->bytes[SX_INSIDE] / m->bandwidth[SX_INSIDE];
    if (m->across < m->memory)
        seconds += load->across * (1 / m->across - 1 / m->memory);
    return seconds + load->delay + fmax(load->leaving, load->beyond) / m->bandwidth[SX_BETWEEN];
}

/* The busiest rank has coordinate 0 in each grid dimension, where blocks are longest. */
double sx_model_get_length(const sx_choice *c, const sx_box *b, int axis)
{
    const int k = b->dist[axis];
    ptrdiff_t len = b->n[axis], start;
    if (k >= 0)
        sx_box_get_part(b, axis, c->dims[k], 0, &len, &start);
    return (double)len;
}
