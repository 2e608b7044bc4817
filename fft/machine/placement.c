/* placement.c - on which node each rank runs, the text of that, and what exchanges therefore send between nodes. */
#include "machine/machine.h"
#include <stdint.h>
#include <stdlib.h>
#include <subx_lowlevel.h>

/* ---- create and free */

static int alloc(int nranks, sx_placement *p)
{
    *p = (sx_placement){.nranks = nranks, .node = sx_base_alloc(nranks, sizeof(int))};
    return p->node ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
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
    if (rc)
        sx_placement_free(p);
    else
        count_nodes(p);
    return rc;
}

int sx_placement_create_regular(int nnodes, int ranks_per_node, int is_cyclic, sx_placement *p)
{
    int rc = alloc(nnodes * ranks_per_node, p);
    if (rc)
        return rc;
    for (int r = 0; r < p->nranks; r++)
        p->node[r] = is_cyclic ? r % nnodes : r / ranks_per_node;
    p->nnodes = nnodes;
    return MPI_SUCCESS;
}

void sx_placement_free(sx_placement *p)
{
    sx_base_free(p->node);
    *p = (sx_placement){0};
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void sx_placement_sort(sx_placement *p)
{
    qsort(p->node, (size_t)p->nranks, sizeof *p->node, compare);
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

/* A node that had ranks before is named, because the lengths alone would not tell which one it is. */
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

/* FNV-1a, 64 bits (Fowler, Noll & Vo), with nodes in place of bytes. */
static void print_hash(const sx_placement *p, sx_text *t)
{
    uint64_t h = 14695981039346656037u;
    for (int r = 0; r < p->nranks; r++)
        h = (h ^ (uint64_t)p->node[r]) * 1099511628211u;
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

/* The ranks of an exchange that meet: `length` ranks, `stride` apart. All ranks are one such row of stride 1. */
typedef struct row {
    int nranks, length, stride;
} row;

static row get_row(const sx_placement *p, int g, const int dims[], int k)
{
    row w = {1, 1, 1};
    for (int i = 0; i < g; i++)
        w.nranks *= dims[i];
    if (g == 0)
        w.nranks = p->nranks;
    for (int i = k + 1; k >= 0 && i < g; i++)
        w.stride *= dims[i];
    w.length = k < 0 ? w.nranks : dims[k];
    return w;
}

/* Count the ranks of node 0 in the row that begins at a rank. */
static int count(const sx_placement *p, const row *w, int first)
{
    int n = 0;
    for (int i = 0; i < w->length; i++)
        n += p->node[first + i * w->stride] == 0;
    return n;
}

/* Each row is counted once, so that all rows together take one step per rank. */
void sx_placement_get_load(const sx_placement *p, int g, const int dims[], int k, double bytes, sx_load *load)
{
    const row w = get_row(p, g, dims, k);
    double ranks = 0, pairs = 0;
    for (int low = 0; low < w.nranks; low += w.stride * w.length)
        for (int first = low; first < low + w.stride; first++) {
            const double n = count(p, &w, first);
            ranks += n;
            pairs += n * (n - 1);
        }
    load->partners[SX_INSIDE] = pairs / ranks;
    load->partners[SX_BETWEEN] = w.length - 1 - load->partners[SX_INSIDE];
    for (int i = SX_INSIDE; i <= SX_BETWEEN; i++)
        load->bytes[i] = load->partners[i] * bytes / w.length;
    load->leaving = ranks * load->bytes[SX_BETWEEN];
}
