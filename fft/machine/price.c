/* price.c - what stages cost: a pass by the rates of a core and its memory, an exchange by messages. */
#include "machine/machine.h"

/* An array that is a little larger than the caches is still found there in part, and none of it when it is twice as
 * large. */
static double get_cached_share(const sx_machine *m, double array_bytes)
{
    const double share = 2 - array_bytes / m->cache_bytes;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Arithmetic and memory do not overlap: a tile is gathered, then transformed, then scattered. */
double sx_machine_price_pass(const sx_machine *m, double flops, double bytes, double array_bytes)
{
    const double cached = get_cached_share(m, array_bytes);
    return m->stage + flops / m->flops + bytes * (cached / m->cache + (1 - cached) / m->memory);
}

/* A message of n bytes takes latency + n / bandwidth (Hockney 1994). As in LogGP (Alexandrov, Ionescu, Schauser &
 * Scheiman 1995, after Culler et al. 1993), a rank handles its messages one after the other, so that the latencies of
 * all its partners add up. Bytes that leave a node share its network; those inside it are copied by each rank. Who reads bytes of
 * another domain waits longer than for those of its own memory, whose price is that of the passes. */
double sx_machine_price_exchange(const sx_machine *m, const sx_load *load, int is_direct)
{
    double seconds = m->stage;
    for (int i = SX_INSIDE; i <= SX_BETWEEN; i++)
        seconds += load->partners[i] * m->latency[i];
    if (!is_direct)
        seconds += load->bytes[SX_INSIDE] / m->bandwidth[SX_INSIDE];
    if (m->across < m->memory)
        seconds += load->across * (1 / m->across - 1 / m->memory);
    return seconds + load->leaving / m->bandwidth[SX_BETWEEN];
}
