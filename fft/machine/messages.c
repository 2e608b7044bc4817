/* messages.c - measure how long ranks take to meet, to send messages, and to read memory of other NUMA
 * domains, while all ranks do the same. */
#include "machine/calibrate.h"
#include <math.h>
#include <subx_lowlevel.h>

/* ---- who sends to whom */

/* The number of each rank among the ranks of its node, and among the ranks of its domain: 0 for the lowest
 * rank. */
typedef struct places {
    const sx_placement *p;
    int *number, *size; /* each rank's number in its node; each node's number of ranks */
    int largest;        /* size of the largest node */
    int *number_in_domain, *domain_size;
} places;

/* Get the index of a rank's domain in domain_size, which has room for the same number of domains in each
 * node. */
static int get_domain(const sx_placement *p, int r)
{
    return p->node[r] * p->ndomains + p->domain[r];
}

static int create_places(const sx_placement *p, places *w)
{
    *w = (places){p,
                  sx_base_alloc(p->nranks, sizeof(int)),
                  sx_base_alloc(p->nnodes, sizeof(int)),
                  0,
                  sx_base_alloc(p->nranks, sizeof(int)),
                  sx_base_alloc((ptrdiff_t)p->nnodes * p->ndomains, sizeof(int))};
    if (!w->number || !w->size || !w->number_in_domain || !w->domain_size)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int r = 0; r < p->nranks; r++) {
        w->number[r] = w->size[p->node[r]]++;
        w->number_in_domain[r] = w->domain_size[get_domain(p, r)]++;
        if (w->size[p->node[r]] > w->largest)
            w->largest = w->size[p->node[r]];
    }
    return MPI_SUCCESS;
}

static void free_places(places *w)
{
    sx_base_free(w->domain_size);
    sx_base_free(w->number_in_domain);
    sx_base_free(w->size);
    sx_base_free(w->number);
}

enum { ACROSS = SX_BETWEEN + 1 };

/* Which blocks a pipe moves, of `bytes` bytes each. `where` is one of these:
 *     SX_INSIDE    each rank has a block for each of the next `npartners` ranks of its node
 *     SX_BETWEEN   each rank has a block for the rank with the same number on each of the next `npartners`
 *                  nodes
 *     ACROSS       each rank has a block for the rank with the same number in the next domain of its node */
typedef struct pattern {
    const char *engine;
    int where, npartners;
    ptrdiff_t bytes;
} pattern;

/* Query whether rank `to` is in the domain after the domain of rank `from`. After the last domain of a node
 * comes the first one. */
static int is_in_next_domain(const places *w, int from, int to)
{
    const int d = w->p->domain[from] + 1,
              has_next = d < w->p->ndomains && w->domain_size[get_domain(w->p, from) + 1];
    return w->p->domain[to] == (has_next ? d : 0) && w->p->domain[to] != w->p->domain[from];
}

static int is_partner(const places *w, const pattern *s, int from, int to)
{
    const int a = w->p->node[from], b = w->p->node[to], n = w->p->nnodes;
    int distance;
    if (s->where == ACROSS)
        return a == b && w->number_in_domain[from] == w->number_in_domain[to] &&
               is_in_next_domain(w, from, to);
    if (s->where == SX_INSIDE)
        distance = a == b ? (w->number[to] - w->number[from] + w->size[a]) % w->size[a] : 0;
    else
        distance = w->number[from] == w->number[to] ? (b - a + n) % n : 0;
    return distance > 0 && distance <= s->npartners;
}

/* Get the bytes that all ranks together send in a pattern whose `where` is SX_BETWEEN. */
static double get_total(const places *w, const pattern *s)
{
    double total = 0;
    for (int r = 0; r < w->p->nranks; r++) {
        const int a = w->p->node[r];
        for (int k = 1; k <= s->npartners; k++)
            total += w->number[r] < w->size[(a + k) % w->p->nnodes] ? (double)s->bytes : 0;
    }
    return total;
}

/* ---- a pipe */

typedef struct channel {
    subx_pipe pipe;
    ptrdiff_t *bytes[2];
    const void **block;
    void *area[2];
} channel;

static int execute(void *context)
{
    const channel *c = context;
    int rc = subx_pipe_post(c->pipe, 0);
    int failed = subx_pipe_start(c->pipe, 0, c->block);
    rc = rc ? rc : failed;
    failed = subx_pipe_complete(c->pipe);
    rc = rc ? rc : failed;
    failed = subx_pipe_wait(c->pipe);
    return rc ? rc : failed;
}

static int set_lengths(const sx_gauge *g, const places *w, const pattern *s, channel *c)
{
    const int n = w->p->nranks;
    int rank;
    int rc = MPI_Comm_rank(g->all, &rank);
    for (int side = 0; side < 2; side++)
        c->bytes[side] = sx_base_alloc(n, sizeof *c->bytes[side]);
    c->block = sx_base_alloc(n, sizeof *c->block);
    if (!c->bytes[SX_FROM] || !c->bytes[SX_TO] || !c->block)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int q = 0; q < n && !rc; q++) {
        c->bytes[SX_FROM][q] = is_partner(w, s, rank, q) ? s->bytes : 0;
        c->bytes[SX_TO][q] = is_partner(w, s, q, rank) ? s->bytes : 0;
    }
    return rc;
}

static int set_areas(const sx_gauge *g, channel *c)
{
    ptrdiff_t bytes[2];
    int rc = subx_pipe_get(c->pipe, NULL, &bytes[SX_FROM], &bytes[SX_TO]);
    if (!rc)
        rc = subx_mem_alloc(g->all, bytes[SX_FROM], g->hints, &c->area[SX_FROM]);
    if (rc)
        return rc;
    c->area[SX_TO] = sx_base_alloc((ptrdiff_t)bytes[SX_TO], 1);
    rc = sx_base_agree(g->all, c->area[SX_TO] ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    return rc ? rc : subx_pipe_set_work(c->pipe, c->area[SX_FROM], c->area[SX_TO]);
}

static int create_channel(const sx_gauge *g, const places *w, const pattern *s, channel *c)
{
    MPI_Info hints = MPI_INFO_NULL;
    int rc = g->hints == MPI_INFO_NULL ? MPI_Info_create(&hints) : MPI_Info_dup(g->hints, &hints);
    if (!rc)
        rc = MPI_Info_set(hints, "subx_engine", s->engine);
    if (!rc)
        rc = set_lengths(g, w, s, c);
    rc = sx_base_agree(g->all, rc, NULL);
    if (!rc)
        rc = subx_pipe_create(g->all, 1, c->bytes[SX_FROM], c->bytes[SX_TO], hints, &c->pipe);
    if (!rc)
        rc = sx_base_agree(g->all, set_areas(g, c), NULL);
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    return rc;
}

static void free_channel(channel *c)
{
    (void)subx_pipe_free(&c->pipe);
    if (c->area[SX_FROM])
        (void)subx_mem_free(&c->area[SX_FROM]);
    sx_base_free(c->area[SX_TO]);
    sx_base_free(c->block);
    for (int side = 0; side < 2; side++)
        sx_base_free(c->bytes[side]);
}

/* Measure the seconds of an epoch. */
static int time_epoch(const sx_gauge *g, const places *w, const pattern *s, double *seconds)
{
    channel c = {.pipe = SUBX_PIPE_NULL};
    int rc = create_channel(g, w, s, &c);
    if (!rc)
        rc = sx_machine_measure(g, 0.08, execute, &c, seconds);
    free_channel(&c);
    return rc;
}

/* ---- the parameters */

static int get_npartners(int others)
{
    return others < SX_MACHINE_MOST_PARTNERS ? others : SX_MACHINE_MOST_PARTNERS;
}

/* Set m->stage and m->latency[SX_INSIDE]. An epoch with k partners takes stage + k * latency seconds. The
 * measured seconds are `one` with one partner, and `all` with npartners. If npartners is 1, there is one
 * equation for both parameters, and each gets half of the time. Noise must not make either of them 0. */
static void split(double one, double all, int npartners, sx_machine *m)
{
    const double slope = npartners > 1 ? (all - one) / (npartners - 1) : one / 2;
    m->latency[SX_INSIDE] = fmin(fmax(slope, one / 16), one - one / 16);
    m->stage = one - m->latency[SX_INSIDE];
}

static int measure_inside(const sx_gauge *g, const places *w, sx_machine *m)
{
    const int n = get_npartners(w->largest - 1);
    pattern s = {"node", SX_INSIDE, n > 0, SX_MACHINE_SMALL};
    double one, all, large;
    int rc = time_epoch(g, w, &s, &one);
    if (rc)
        return rc;
    if (n == 0) {
        m->stage = one;
        return MPI_SUCCESS;
    }
    all = one;
    s.npartners = n;
    if (n > 1)
        rc = time_epoch(g, w, &s, &all);
    s = (pattern){"pairwise", SX_INSIDE, n, sx_machine_get_bytes(SX_MACHINE_MESSAGE) / n};
    if (!rc)
        rc = time_epoch(g, w, &s, &large);
    if (rc)
        return rc;
    split(one, all, n, m);
    m->bandwidth[SX_INSIDE] = n * (double)s.bytes / large;
    return rc;
}

static int measure_between(const sx_gauge *g, const places *w, sx_machine *m)
{
    const int n = get_npartners(w->p->nnodes - 1);
    pattern s = {"pairwise", SX_BETWEEN, n, SX_MACHINE_SMALL};
    double small, large;
    int rc = n ? time_epoch(g, w, &s, &small) : MPI_SUCCESS;
    if (rc || n == 0)
        return rc;
    s.bytes = sx_machine_get_bytes(SX_MACHINE_MESSAGE) / n;
    rc = time_epoch(g, w, &s, &large);
    if (rc)
        return rc;
    m->latency[SX_BETWEEN] = fmax(small - m->stage, small / 16) / n;
    m->bandwidth[SX_BETWEEN] = get_total(w, &s) / w->p->nnodes / large;
    return rc;
}

/* Get the one block that this rank receives from another rank; NULL if it receives none. */
static const void *get_block(const channel *c, int nranks)
{
    const void *block = NULL;
    for (int q = 0; q < nranks; q++)
        block = c->block[q] ? c->block[q] : block;
    return block;
}

/* During one epoch, each rank copies its partner's block from the partner's memory, again and again. */
static int time_across(const sx_gauge *g, channel *c, void *to, double *seconds)
{
    int rc = subx_pipe_post(c->pipe, 0);
    int failed = subx_pipe_start(c->pipe, 0, c->block);
    rc = sx_base_agree(g->all, rc ? rc : failed, NULL);
    const void *from = get_block(c, g->placement->nranks);
    if (!rc)
        rc = sx_machine_measure_copy(g, 0.1, from ? SX_MACHINE_LARGEST : 0, from, to, seconds);
    failed = subx_pipe_complete(c->pipe);
    rc = rc ? rc : failed;
    failed = subx_pipe_wait(c->pipe);
    return sx_base_agree(g->all, rc ? rc : failed, NULL);
}

/* The copy takes bytes / across to read, and bytes / memory to write. Reading is the slower part: it counts
 * as at least half of the time, even if noise makes it appear shorter. */
static int measure_across(const sx_gauge *g, const places *w, sx_machine *m)
{
    const pattern s = {"node", ACROSS, 1, SX_MACHINE_LARGEST};
    channel c = {.pipe = SUBX_PIPE_NULL};
    double seconds;
    if (w->p->ndomains == 1)
        return MPI_SUCCESS;
    void *to = sx_base_alloc(SX_MACHINE_LARGEST, 1);
    int rc = sx_base_agree(g->all, to ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = create_channel(g, w, &s, &c);
    if (!rc)
        rc = time_across(g, &c, to, &seconds);
    if (!rc)
        m->across = SX_MACHINE_LARGEST / fmax(seconds - SX_MACHINE_LARGEST / m->memory, seconds / 2);
    free_channel(&c);
    sx_base_free(to);
    return rc;
}

int sx_machine_measure_messages(const sx_gauge *g, sx_machine *m)
{
    places w;
    int rc = sx_base_agree(g->all, create_places(g->placement, &w), NULL);
    if (!rc)
        rc = measure_inside(g, &w, m);
    if (!rc)
        rc = measure_between(g, &w, m);
    if (!rc)
        rc = measure_across(g, &w, m);
    free_places(&w);
    return rc;
}
