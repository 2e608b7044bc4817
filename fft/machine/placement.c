/* placement.c - the node and the NUMA domain of each rank, the text of the nodes, and the bytes that
 * exchanges send between nodes and domains. */
#include "machine/binding.h"
#include "machine/network.h"
#include <stdint.h>
#include <string.h>
#include <subx_lowlevel.h>

/* ---- sorting */

/* List all ranks, sorted by node; the ranks of a node are in ascending order. The list lies in p->room. Takes
 * a few steps per rank. */
static const int *list_by_node(const sx_placement *p)
{
    int *next = p->room, *list = p->room + p->nranks, first = 0;
    memset(next, 0, (size_t)p->nranks * sizeof *next);
    for (int r = 0; r < p->nranks; r++)
        next[p->node[r]]++;
    for (int i = 0; i < p->nnodes; i++) {
        const int size = next[i];
        next[i] = first;
        first += size;
    }
    for (int r = 0; r < p->nranks; r++)
        list[next[p->node[r]]++] = r;
    return list;
}

static void permute(const sx_placement *p, const int list[], int values[])
{
    int *sorted = p->room;
    for (int i = 0; i < p->nranks; i++)
        sorted[i] = values[list[i]];
    memcpy(values, sorted, (size_t)p->nranks * sizeof *values);
}

void sx_placement_sort(sx_placement *p)
{
    const int *list = list_by_node(p);
    permute(p, list, p->domain);
    permute(p, list, p->node);
}

/* ---- domains */

/* Number the domains of the n ranks of a node from 0 on. Before the call, p->domain has the system's numbers
 * (-1: not known); afterwards it has the new numbers. */
static void number_domains(sx_placement *p, const int ranks[], int n)
{
    int system[SX_DOMAINS_MAX], count = 0, is_known = 1;
    for (int i = 0; i < n; i++)
        is_known = is_known && p->domain[ranks[i]] >= 0;
    for (int i = 0; i < n; i++) {
        const int id = is_known ? p->domain[ranks[i]] : 0;
        int k = 0;
        while (k < count && k < SX_DOMAINS_MAX - 1 && system[k] != id)
            k++;
        if (k == count)
            system[count++] = id;
        p->domain[ranks[i]] = k;
    }
    if (count > p->ndomains)
        p->ndomains = count;
}

static void number_all_domains(sx_placement *p)
{
    const int *list = list_by_node(p);
    for (int i = 0, next; i < p->nranks; i = next) {
        for (next = i + 1; next < p->nranks && p->node[list[next]] == p->node[list[i]];)
            next++;
        number_domains(p, &list[i], next - i);
    }
}

/* If each rank is alone on its node, domains are not needed. */
static int find_domains(MPI_Comm all, sx_placement *p)
{
    if (p->nnodes == p->nranks)
        return MPI_SUCCESS;
    const int mine = sx_binding_get_domain();
    const int rc = MPI_Allgather(&mine, 1, MPI_INT, p->domain, 1, MPI_INT, all);
    if (!rc)
        number_all_domains(p);
    return rc;
}

/* ---- create and free */

static int alloc(int nranks, sx_placement *p)
{
    enum { ARRAYS = 4 }; /* numbers per rank: one of `node`, one of `domain`, two of `room` */
    *p = (sx_placement){.nranks = nranks, .ndomains = 1, .node = sx_base_alloc(nranks, ARRAYS * sizeof(int))};
    if (!p->node)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    p->domain = p->node + nranks;
    p->room = p->domain + nranks;
    return MPI_SUCCESS;
}

static void count_nodes(sx_placement *p)
{
    for (int r = 0; r < p->nranks; r++)
        if (p->node[r] >= p->nnodes)
            p->nnodes = p->node[r] + 1;
}

int sx_placement_create(MPI_Comm all, MPI_Info hints, sx_placement *p)
{
    int nranks = 0;
    *p = (sx_placement){0};
    int rc = MPI_Comm_size(all, &nranks);
    if (!rc)
        rc = alloc(nranks, p);
    rc = sx_base_agree(all, rc, NULL);
    if (!rc)
        rc = subx_mem_get_nodes(all, hints, p->node);
    if (!rc) {
        count_nodes(p);
        rc = find_domains(all, p);
    }
    if (rc)
        sx_placement_free(p);
    return rc;
}

int sx_placement_create_regular(int nnodes, int ranks_per_node, int domains_per_node, int is_cyclic,
                                sx_placement *p)
{
    int rc = alloc(nnodes * ranks_per_node, p);
    if (rc)
        return rc;
    for (int r = 0; r < p->nranks; r++) {
        const int i = is_cyclic ? r / nnodes : r % ranks_per_node;
        p->node[r] = is_cyclic ? r % nnodes : r / ranks_per_node;
        p->domain[r] = sx_base_fit((ptrdiff_t)i * domains_per_node / ranks_per_node);
    }
    p->nnodes = nnodes;
    p->ndomains = domains_per_node;
    return MPI_SUCCESS;
}

void sx_placement_free(sx_placement *p)
{
    sx_base_free(p->node);
    *p = (sx_placement){0};
}

/* ---- print */

enum { PRINTED_MAX = 60 };

static int is_regular(const sx_placement *p, int is_cyclic)
{
    if (p->nranks % p->nnodes)
        return 0;
    for (int r = 0; r < p->nranks; r++)
        if (p->node[r] != (is_cyclic ? r % p->nnodes : r / (p->nranks / p->nnodes)))
            return 0;
    return 1;
}

/* Print the numbers of consecutive ranks on the same node, such as 4+4+2@0. The number of a node follows (@0)
 * if the node has occurred before: else the text would not tell which node it is. */
static void print_lengths(const sx_placement *p, sx_text *t)
{
    int nodes = 0;
    for (int r = 0, next; r < p->nranks && t->used <= PRINTED_MAX; r = next) {
        const int node = p->node[r];
        for (next = r + 1; next < p->nranks && p->node[next] == node;)
            next++;
        sx_base_print(t, "%s%d", r ? "+" : "", next - r);
        if (node < nodes)
            sx_base_print(t, "@%d", node);
        else
            nodes = node + 1;
    }
}

/* The hash is of the numbers of the nodes, rank by rank. */
static void print_hash(const sx_placement *p, sx_text *t)
{
    uint64_t h = SX_BASE_NO_HASH;
    for (int r = 0; r < p->nranks; r++)
        h = sx_base_add_hash(h, (uint64_t)p->node[r]);
    sx_base_print(t, "%d ranks on %d nodes, %016llx", p->nranks, p->nnodes, (unsigned long long)h);
}

void sx_placement_print(const sx_placement *p, sx_text *t)
{
    char lengths[PRINTED_MAX + 1];
    sx_text l = {lengths, sizeof lengths, 0};
    if (p->nnodes <= 1) {
        sx_base_print(t, "%d", p->nranks);
        return;
    }
    if (is_regular(p, 0)) {
        sx_base_print(t, "%dx%d", p->nnodes, p->nranks / p->nnodes);
        return;
    }
    if (is_regular(p, 1)) {
        sx_base_print(t, "%dx%d cyclic", p->nnodes, p->nranks / p->nnodes);
        return;
    }
    print_lengths(p, &l);
    if (l.used <= PRINTED_MAX)
        sx_base_print(t, "%s", lengths);
    else
        print_hash(p, t);
}

/* ---- load */

/* Counts for node 0: its ranks; the pairs of its ranks that exchange; and how many of these pairs are inside
 * a domain. */
typedef struct tally {
    double ranks, pairs, inside_domain;
} tally;

/* Add the counts of the row whose first rank is `first`. */
static void count(const sx_placement *p, const sx_grid_rows *w, int first, tally *sum)
{
    int size[SX_DOMAINS_MAX], n = 0;
    memset(size, 0, (size_t)p->ndomains * sizeof *size);
    for (int i = 0; i < w->length; i++) {
        const int r = first + i * w->stride;
        if (p->node[r] == 0) {
            sum->pairs += n++;
            sum->inside_domain += size[p->domain[r]]++;
        }
    }
    sum->ranks += n;
}

/* Each row is counted once, so that all rows together take one step per rank. */
void sx_placement_get_load(const sx_placement *p, int g, const int dims[], int k, double bytes, sx_load *load)
{
    const sx_grid_rows w = sx_network_get_rows(g ? g : 1, g ? dims : &p->nranks, k);
    tally sum = {0, 0, 0};
    memset(load, 0, sizeof *load);
    if (p->network) {
        sx_network_get_load(p->network, g ? g : 1, g ? dims : &p->nranks, k, bytes, load);
        return;
    }
    for (int low = 0; low < w.nranks; low += w.period)
        for (int first = low; first < low + w.stride; first++)
            count(p, &w, first, &sum);
    load->partners[SX_INSIDE] = 2 * sum.pairs / sum.ranks;
    load->partners[SX_BETWEEN] = w.length - 1 - load->partners[SX_INSIDE];
    for (int i = SX_INSIDE; i <= SX_BETWEEN; i++)
        load->bytes[i] = load->partners[i] * bytes / w.length;
    load->across = 2 * (sum.pairs - sum.inside_domain) / sum.ranks * bytes / w.length;
    load->leaving = sum.ranks * load->bytes[SX_BETWEEN];
}
