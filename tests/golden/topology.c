/* topology.c - print the grids that are chosen on big machines, without any rank of them; compare each with all others.
 *
 * topology.sh compares the text with topology.txt. Here the choice is checked against all grids of the same number of
 * dimensions that give all ranks data and have the same balance. None of them sends fewer bytes between nodes without
 * sending more messages. If messages cost nothing but their bytes, none of them sends fewer bytes. */
#include "plan/plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

/* ---- machines */

typedef struct machine {
    int nnodes, ranks_per_node, is_cyclic;
    const char *node; /* as hwloc describes it, a rank per core; NULL if only the number of ranks is known */
} machine;

static const machine machines[] = {
    {64, 128, 0, "package:2 numanode:4 l3cache:4 core:4 pu:2"},
    {64, 128, 1, NULL},
    {16, 48, 0, "package:2 numanode:1 core:24 pu:1"},
    {16, 48, 1, NULL},
    {100, 36, 0, "package:2 core:18 pu:2"},
    {100, 36, 1, NULL},
    {3, 5, 0, NULL},
    {3, 5, 1, NULL},
    {8, 128, 0, "package:2 numanode:4 core:16 pu:1"},
    {1, 128, 0, "package:2 numanode:4 core:16 pu:1"},
    {1024, 16, 0, "package:1 core:16 pu:4"},
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

/* Without hwloc the number of cores is taken from the table. */
static int count_cores(const machine *m)
{
#ifdef HAVE_HWLOC
    hwloc_topology_t topology;
    int n = -1;
    if (!m->node || hwloc_topology_init(&topology))
        return m->ranks_per_node;
    if (!hwloc_topology_set_synthetic(topology, m->node) && !hwloc_topology_load(topology))
        n = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    hwloc_topology_destroy(topology);
    return n;
#else
    return m->ranks_per_node;
#endif
}

/* ---- one problem on one machine */

typedef struct view {
    double memory, between, messages; /* bytes of passes; bytes and messages to other nodes, of a rank */
    int n;
    sx_price price[SX_NSTAGES_MAX];
} view;

static void look(const sx_choice *c, view *v)
{
    v->memory = v->between = v->messages = 0;
    (void)sx_choice_get_price(c, v->price, &v->n);
    for (int i = 0; i < v->n; i++) {
        v->memory += v->price[i].memory_bytes;
        v->between += v->price[i].load.bytes[SX_BETWEEN];
        v->messages += v->price[i].load.partners[SX_BETWEEN];
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

/* Fill dimension k and those behind it in all ways, and compare each grid with the chosen one. */
static void compare_all(sx_choice *c, int k, int left, const view *chosen, const char *what)
{
    view v;
    if (k == c->g && left == 1 && gives_all_ranks_data(c)) {
        look(c, &v);
        const int is_free = c->machine->latency[SX_BETWEEN] < 1e-9;
        const int is_better = v.memory <= chosen->memory && is_fewer(v.between, chosen->between) &&
                              (is_free || v.messages <= chosen->messages);
        sx_choice_name_grid(c);
        if (is_better)
            fprintf(stderr, "%s: %s would be better\n", what, c->grid);
        expect(!is_better, "the fewest bytes between nodes");
    }
    for (int p = 1; p <= left && k < c->g; p++) {
        c->dims[k] = p;
        if (left % p == 0)
            compare_all(c, k + 1, left / p, chosen, what);
    }
}

static void choose(sx_placement *p, sx_machine *model, subx_fft_problem problem, sx_choice *c, view *v)
{
    *c = (sx_choice){.placement = p, .machine = model};
    expect(!sx_choice_set(c, problem, p->nranks, MPI_INFO_NULL), "a grid");
    look(c, v);
}

static void check(sx_choice *c, const char *text, const view *chosen)
{
    char what[256];
    snprintf(what, sizeof what, "%s on %s, %d nodes", text, c->grid, c->placement->nnodes);
    if (gives_all_ranks_data(c) && c->placement->nnodes > 1)
        compare_all(c, 0, c->placement->nranks, chosen, what);
}

static void print(const sx_choice *c, const char *text, const view *v)
{
    printf("  %-20s %-12s", text, c->grid);
    for (int i = 0; i < v->n; i++) {
        const double *bytes = v->price[i].load.bytes;
        if (bytes[SX_INSIDE] + bytes[SX_BETWEEN] > 0)
            printf(" %10.3f %10.3f ", bytes[SX_INSIDE] / (1 << 20), bytes[SX_BETWEEN] / (1 << 20));
    }
    printf("\n");
}

static void check_problem(sx_placement *p, const char *text)
{
    sx_machine common, ideal;
    subx_fft_problem problem;
    sx_choice c;
    view v;
    sx_machine_set_default(&common);
    ideal = common;
    ideal.latency[SX_INSIDE] = ideal.latency[SX_BETWEEN] = 1e-15;
    expect(!subx_fft_problem_parse(text, &problem), text);
    choose(p, &common, problem, &c, &v);
    print(&c, text, &v);
    check(&c, text, &v);
    choose(p, &ideal, problem, &c, &v);
    check(&c, text, &v);
    (void)subx_fft_problem_free(&problem);
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    printf(
        "# ranks; problem, grid, and per exchange the MiB that a rank sends inside its node and to others\n");
    for (int i = 0; i < NMACHINES; i++) {
        const machine *m = &machines[i];
        sx_placement p;
        expect(count_cores(m) == m->ranks_per_node, "the cores of the description");
        expect(!sx_placement_create_regular(m->nnodes, m->ranks_per_node, m->is_cyclic, &p), "a placement");
        printf("%d nodes of %d ranks%s\n", m->nnodes, m->ranks_per_node, m->is_cyclic ? ", cyclic" : "");
        for (int k = 0; k < NPROBLEMS; k++)
            check_problem(&p, problems[k]);
        sx_placement_free(&p);
    }
    MPI_Finalize();
    return nfailures > 0;
}
