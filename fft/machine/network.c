/* network.c - compute the loads of links, by counting the pairs of ranks that exchange blocks.
 *
 * The ranks of a row exchange with each other: the ranks first + i * stride, i = 0 .. length - 1. `stride`
 * rows with consecutive first ranks fill a period of stride * length consecutive ranks. So each row has q or
 * q + 1 of n consecutive ranks inside a period, where q = n / stride (integer division). Therefore pairs are
 * counted without a loop over ranks. In this file, a range is the ranks of a node or of a group. A range may
 * touch several periods. */
#include "machine/network.h"
#include <string.h>

/* The ranks low .. high-1. */
typedef struct range {
    int low, high;
} range;

static int get_least(int a, int b)
{
    return a < b ? a : b;
}

/* Divide the ranks into parts of `size` ranks, and get part i. The last part may be shorter. */
static range get_part(const sx_grid_rows *w, ptrdiff_t size, int i)
{
    const ptrdiff_t low = i * size, high = low + size;
    return (range){sx_base_fit(low), sx_base_fit(high < w->nranks ? high : w->nranks)};
}

static int count_parts(const sx_grid_rows *w, ptrdiff_t size)
{
    return sx_base_fit((w->nranks + size - 1) / size);
}

/* Get the next part after part i that may have another number of pairs than all parts before it. Parts that
 * lie inside one period have equal numbers, so the next part is the one with the first rank of the next
 * period. After `period` parts, the positions of parts in their periods repeat. From there on only the last
 * part can differ, because it may be shorter. */
static int get_next_part(const sx_grid_rows *w, ptrdiff_t size, int i)
{
    const range r = get_part(w, size, i);
    const ptrdiff_t end = ((ptrdiff_t)r.low / w->period + 1) * w->period;
    const int last = count_parts(w, size) - 1, next = end / size > i ? sx_base_fit(end / size) : i + 1;
    return next >= w->period && i < last ? last : next;
}

/* ---- pairs */

/* Of n consecutive ranks inside a period, count the ordered pairs of different ranks in the same row. */
static double count_in_period(const sx_grid_rows *w, int n)
{
    const double q = (double)(n / w->stride), longer = n - q * w->stride;
    return longer * (q + 1) * q + (w->stride - longer) * q * (q - 1);
}

/* Count the ordered pairs of different ranks in the same row, in a range. The range consists of a part of its
 * first period, whole periods, and a part of its last period. */
static double count_inside(const sx_grid_rows *w, range r)
{
    const int first = r.low % w->period ? get_least(w->period - r.low % w->period, r.high - r.low) : 0;
    const int rest = r.high - r.low - first;
    return count_in_period(w, first) + (double)(rest / w->period) * count_in_period(w, w->period) +
           count_in_period(w, rest % w->period);
}

/* Count the numbers that are in both of two sets of consecutive numbers modulo `all`: n numbers from 0 on,
 * and m numbers from `ahead` on. */
static int count_common(int n, int m, int ahead, int all)
{
    const int before = n - ahead > 0 ? get_least(n - ahead, m) : 0, behind = ahead + m - all;
    return before + (behind > 0 ? get_least(behind, n) : 0);
}

/* Count the pairs of ranks x, y of one row, with x in range a and y in a later range b. There are such pairs
 * only in the period where a ends and b begins. In this period, a has n ranks: q ranks of each row, and one
 * more rank of `longer` consecutive rows, from the row of its first rank on. In the same way, b has m ranks:
 * s ranks of each row, and one more rank of `other` rows. */
static double count_between(const sx_grid_rows *w, range a, range b)
{
    const int last = (a.high - 1) / w->period;
    if (b.low / w->period != last)
        return 0;
    const int low = a.low > last * w->period ? a.low : last * w->period;
    const int high = (double)b.high > ((double)last + 1) * w->period ? (last + 1) * w->period : b.high;
    const int n = a.high - low, m = high - b.low, stride = w->stride;
    const int longer = n % stride, other = m % stride;
    const int ahead = (b.low % stride - low % stride + stride) % stride;
    const double q = (double)(n / stride), s = (double)(m / stride);
    return q * s * stride + q * other + s * longer + count_common(longer, other, ahead, stride);
}

/* ---- loads */

/* Count the pairs of ranks p, q of one row, with p in the range and q outside of it. */
static double count_leaving(const sx_grid_rows *w, range r)
{
    return (double)(r.high - r.low) * (w->length - 1) - count_inside(w, r);
}

static void set_node(const sx_network *net, const sx_grid_rows *w, double block, sx_load *load)
{
    memset(load, 0, sizeof *load);
    const ptrdiff_t size = net->ranks_per_node;
    for (int i = 0, n = count_parts(w, size); i < n; i = get_next_part(w, size, i)) {
        const range r = get_part(w, size, i);
        const double ranks = r.high - r.low, leaving = count_leaving(w, r);
        if (i > 0 && leaving * block <= load->leaving)
            continue;
        load->leaving = leaving * block;
        load->partners[SX_BETWEEN] = leaving / ranks;
        load->partners[SX_INSIDE] = w->length - 1 - load->partners[SX_BETWEEN];
    }
    for (int i = SX_INSIDE; i <= SX_BETWEEN; i++)
        load->bytes[i] = load->partners[i] * block;
}

/* Update load->beyond, the load of the busiest link, by a link between groups that carries `bytes`. nodes:
 * the bandwidth of this link / the bandwidth of a node's link. */
static void add_link(double bytes, double nodes, sx_load *load)
{
    if (bytes / nodes > load->beyond)
        load->beyond = bytes / nodes;
}

static void set_leaves(const sx_network *net, const sx_grid_rows *w, double block, sx_load *load)
{
    const ptrdiff_t size = (ptrdiff_t)net->ranks_per_node * net->nodes_per_group;
    for (int i = 0, n = count_parts(w, size); i < n; i = get_next_part(w, size, i))
        add_link(count_leaving(w, get_part(w, size, i)) * block, net->nodes_per_group / net->tapering, load);
}

static void set_groups(const sx_network *net, const sx_grid_rows *w, double block, sx_load *load)
{
    const ptrdiff_t size = (ptrdiff_t)net->ranks_per_node * net->nodes_per_group;
    const int n = count_parts(w, size);
    const double nodes = n > 1 ? net->nodes_per_group / net->tapering / (n - 1) : 1;
    for (int i = 0; i < n; i = get_next_part(w, size, i))
        for (int k = i + 1; k < n; k++)
            add_link(count_between(w, get_part(w, size, i), get_part(w, size, k)) * block, nodes, load);
}

sx_grid_rows sx_network_get_rows(int g, const int dims[], int k)
{
    sx_grid_rows w = {1, 1, 1, 1};
    for (int i = 0; i < g; i++)
        w.nranks *= dims[i];
    for (int i = k + 1; k >= 0 && i < g; i++)
        w.stride *= dims[i];
    w.length = k < 0 ? w.nranks : dims[k];
    w.period = w.stride * w.length;
    return w;
}

void sx_network_get_load(const sx_network *net, int g, const int dims[], int k, double bytes, sx_load *load)
{
    const sx_grid_rows w = sx_network_get_rows(g, dims, k);
    const double block = bytes / w.length;
    set_node(net, &w, block, load);
    load->delay = load->leaving > 0 ? net->latency : 0;
    if (net->topology == SX_FAT_TREE)
        set_leaves(net, &w, block, load);
    if (net->topology == SX_DRAGONFLY)
        set_groups(net, &w, block, load);
}

int sx_network_count_groups(const sx_network *net, int nranks)
{
    const sx_grid_rows w = {.nranks = nranks};
    return count_parts(&w, (ptrdiff_t)net->ranks_per_node * net->nodes_per_group);
}
