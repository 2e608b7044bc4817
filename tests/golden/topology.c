/* topology.c - print the grids that the library chooses on big machines, without running there. topology.sh
 * compares the printed text with topology.txt. tests/unit/grids.c compares the prices of chosen grids with
 * those of all others. */
#include "decision/decision.h"
#include "model/model.h"
#include <stdio.h>

typedef struct machine {
    int nnodes, ranks_per_node, domains_per_node, is_cyclic;
} machine;

static const machine machines[] = {{64, 128, 8, 0}, {64, 128, 8, 1}, {16, 48, 2, 0}, {16, 48, 2, 1},
                                   {100, 36, 1, 0}, {100, 36, 1, 1}, {3, 5, 1, 0},   {3, 5, 1, 1},
                                   {8, 128, 8, 0},  {1, 128, 8, 0},  {1, 96, 4, 0},  {1024, 16, 1, 0}};

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

static void print(const sx_choice *c, const char *text)
{
    sx_price price[SX_NSTAGES_MAX];
    int n;
    (void)sx_model_get_price(c, price, &n);
    printf("  %-20s %-12s", text, c->hints.grid);
    for (int i = 0; i < n; i++) {
        const double mib = 1 << 20, across = price[i].load.across, *bytes = price[i].load.bytes;
        if (bytes[SX_INSIDE] + bytes[SX_BETWEEN] > 0)
            printf(" %10.3f %10.3f %10.3f ", bytes[SX_INSIDE] / mib, across / mib, bytes[SX_BETWEEN] / mib);
    }
    printf("\n");
}

static void check_problem(sx_placement *p, const char *text)
{
    sx_machine model;
    subx_fft_problem problem;
    sx_machine_set_default(&model);
    sx_choice c = {.shared = {.placement = p, .machine = &model}};
    expect(!subx_fft_problem_parse(text, &problem), text);
    expect(!sx_decision_set(&c, problem, p->nranks, MPI_INFO_NULL), "a grid");
    print(&c, text);
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
