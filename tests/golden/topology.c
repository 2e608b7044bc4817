/* topology.c - print the grids that the library chooses on big machines, without running there, and compare
 * each chosen grid with all others.
 *
 * topology.sh compares the printed text with topology.txt. This program compares the chosen grid with all
 * grids of as many dimensions that give data to all ranks, and whose passes move no more bytes than the
 * passes of the chosen grid. None of these grids may be better. Which grid is better depends on the machine
 * (is_better):
 *
 *   messages have a latency            fewer bytes and no more messages go to other nodes
 *   messages cost only their bytes     fewer bytes go to other nodes
 *   and NUMA domains are slow, too     fewer bytes go to other domains, and no more bytes to other nodes */
#include "decision/decision.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

/* ---- machines */

typedef struct machine {
    int nnodes, ranks_per_node, domains_per_node, is_cyclic;
    const char *node; /* hwloc's description of a node with one rank per core; NULL: none */
} machine;

static const machine machines[] = {
    {64, 128, 8, 0, "package:2 numanode:4 l3cache:4 core:4 pu:2"},
    {64, 128, 8, 1, NULL},
    {16, 48, 2, 0, "package:2 numanode:1 core:24 pu:1"},
    {16, 48, 2, 1, NULL},
    {100, 36, 1, 0, "package:2 core:18 pu:2"},
    {100, 36, 1, 1, NULL},
    {3, 5, 1, 0, NULL},
    {3, 5, 1, 1, NULL},
    {8, 128, 8, 0, "package:2 numanode:4 core:16 pu:1"},
    {1, 128, 8, 0, "package:2 numanode:4 core:16 pu:1"},
    {1, 96, 4, 0, "package:2 numanode:2 core:24 pu:2"},
    {1024, 16, 1, 0, "package:1 core:16 pu:4"},
};

static const char *const problems[] = {"c2c:1024x1024x1024", "r2c:4096x4096x4096", "c2c:256x256x256x256",
                                       "c2c:8192x8192", "c2c:96x4096x512"};

enum { NMACHINES = sizeof machines / sizeof *machines, NPROBLEMS = sizeof problems / sizeof *problems };

static int nfailures;

static void expect(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "FAILED: %s\n", what);
    nfailures++;
}

/* Returns 1 if the numbers of a machine agree with its description, or if there is no description or no
 * hwloc. */
static int is_described(const machine *m)
{
#ifdef HAVE_HWLOC
    hwloc_topology_t topology;
    int is_equal = 0;
    if (!m->node || hwloc_topology_init(&topology))
        return 1;
    if (!hwloc_topology_set_synthetic(topology, m->node) && !hwloc_topology_load(topology))
        is_equal = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) == m->ranks_per_node &&
                   hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) == m->domains_per_node;
    hwloc_topology_destroy(topology);
    return is_equal;
#else
    (void)m;
    return 1;
#endif
}

/* ---- one problem on one machine */

typedef struct view {
    /* memory: bytes that passes move; between, messages: bytes and messages that a rank sends to other
     * nodes */
    double memory, between, messages;
    double across; /* bytes that a rank sends to other domains of its node */
    int n;
    sx_price price[SX_NSTAGES_MAX];
} view;

static void look(const sx_choice *c, view *v)
{
    v->memory = v->between = v->messages = v->across = 0;
    (void)sx_model_get_price(c, v->price, &v->n);
    for (int i = 0; i < v->n; i++) {
        v->memory += v->price[i].memory_bytes;
        v->between += v->price[i].load.bytes[SX_BETWEEN];
        v->messages += v->price[i].load.partners[SX_BETWEEN];
        v->across += v->price[i].load.across;
    }
}

static int gives_all_ranks_data(const sx_choice *c)
{
    const int *axis = c->array.sequence;
    for (int k = 0; k < c->g; k++)
        if (c->dims[k] > sx_choice_get_shortest(c, axis[k]) ||
            c->dims[k] > sx_choice_get_shortest(c, axis[k + 1]))
            return 0;
    return 1;
}

static int is_fewer(double a, double b)
{
    return a < b * (1 - 1e-9);
}

/* Returns 1 if the grid of v is better than the chosen grid: then the library should have chosen it. */
static int is_better(const sx_machine *m, const view *v, const view *chosen)
{
    const int is_free = m->latency[SX_BETWEEN] < 1e-9, is_slow = m->across < m->memory;
    if (v->memory > chosen->memory)
        return 0;
    if (is_free && is_slow)
        return v->between <= chosen->between && is_fewer(v->across, chosen->across);
    return is_fewer(v->between, chosen->between) && (is_free || v->messages <= chosen->messages);
}

/* Compare the chosen grid with all grids whose dimensions k, k + 1, .. have the product `left`. The
 * dimensions before k are set. */
static void compare_all(sx_choice *c, int k, int left, const view *chosen, const char *what)
{
    view v;
    if (k == c->g && left == 1 && gives_all_ranks_data(c)) {
        look(c, &v);
        sx_choice_name_grid(c);
        if (is_better(c->shared.machine, &v, chosen))
            fprintf(stderr, "%s: %s would be better\n", what, c->hints.grid);
        expect(!is_better(c->shared.machine, &v, chosen), "the fewest bytes between nodes and domains");
    }
    for (int p = 1; p <= left && k < c->g; p++) {
        c->dims[k] = p;
        if (left % p == 0)
            compare_all(c, k + 1, left / p, chosen, what);
    }
}

static void choose(sx_placement *p, sx_machine *model, subx_fft_problem problem, sx_choice *c, view *v)
{
    *c = (sx_choice){.shared = {.placement = p, .machine = model}};
    expect(!sx_decision_set(c, problem, p->nranks, MPI_INFO_NULL), "a grid");
    look(c, v);
}

static void check(sx_choice *c, const char *text, const view *chosen)
{
    char what[256];
    snprintf(what, sizeof what, "%s on %.99s, %d nodes", text, c->hints.grid, c->shared.placement->nnodes);
    if (gives_all_ranks_data(c))
        compare_all(c, 0, c->shared.placement->nranks, chosen, what);
}

static void print(const sx_choice *c, const char *text, const view *v)
{
    printf("  %-20s %-12s", text, c->hints.grid);
    for (int i = 0; i < v->n; i++) {
        const double mib = 1 << 20, across = v->price[i].load.across, *bytes = v->price[i].load.bytes;
        if (bytes[SX_INSIDE] + bytes[SX_BETWEEN] > 0)
            printf(" %10.3f %10.3f %10.3f ", bytes[SX_INSIDE] / mib, across / mib, bytes[SX_BETWEEN] / mib);
    }
    printf("\n");
}

static void check_problem(sx_placement *p, const char *text)
{
    sx_machine common, ideal, slow;
    subx_fft_problem problem;
    sx_choice c;
    view v;
    sx_machine_set_default(&common);
    ideal = common;
    ideal.latency[SX_INSIDE] = ideal.latency[SX_BETWEEN] = 1e-15;
    slow = ideal;
    ideal.across = ideal.memory;
    slow.across = slow.memory / 10;
    expect(!subx_fft_problem_parse(text, &problem), text);
    choose(p, &common, problem, &c, &v);
    print(&c, text, &v);
    check(&c, text, &v);
    choose(p, &ideal, problem, &c, &v);
    check(&c, text, &v);
    choose(p, &slow, problem, &c, &v);
    check(&c, text, &v);
    (void)subx_fft_problem_free(&problem);
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    printf(
        "# ranks; problem, grid, and per exchange the MiB that a rank sends inside its node, of these to other domains, and "
        "to other nodes\n");
    for (int i = 0; i < NMACHINES; i++) {
        const machine *m = &machines[i];
        sx_placement p;
        expect(is_described(m), "the cores and domains of the description");
        expect(
            !sx_placement_create_regular(m->nnodes, m->ranks_per_node, m->domains_per_node, m->is_cyclic, &p),
            "a placement");
        printf("%d nodes of %d ranks, %d domains%s\n", m->nnodes, m->ranks_per_node, m->domains_per_node,
               m->is_cyclic ? ", cyclic" : "");
        for (int k = 0; k < NPROBLEMS; k++)
            check_problem(&p, problems[k]);
        sx_placement_free(&p);
    }
    MPI_Finalize();
    return nfailures > 0;
}
