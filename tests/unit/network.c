/* network.c - loads of network links against counts over all pairs of ranks, on random grids and networks. */
#include "unit/partners.h"
#include "machine/network.h"
#include <string.h>

enum { TRIALS = 600 };

/* Bytes that each node sends to other nodes, that each group of nodes sends to other groups, and that each
 * group sends to each other group. */
typedef struct tally {
    double node[RANKS_MAX], group[RANKS_MAX], pair[RANKS_MAX][RANKS_MAX];
} tally;

static void count(const sx_network *net, int nranks, int g, const int dims[], int k, double bytes, tally *t)
{
    const int n = net->ranks_per_node, all = n * net->nodes_per_group;
    memset(t, 0, sizeof *t);
    for (int a = 0; a < nranks; a++)
        for (int b = 0; b < nranks; b++) {
            const double block = test_are_partners(g, dims, k, a, b) ? bytes / (k < 0 ? nranks : dims[k]) : 0;
            t->node[a / n] += a / n != b / n ? block : 0;
            t->group[a / all] += a / all != b / all ? block : 0;
            t->pair[a / all][b / all] += a / all != b / all ? block : 0;
        }
}

static double get_largest(const double values[])
{
    double largest = 0;
    for (int i = 0; i < RANKS_MAX; i++)
        largest = fmax(largest, values[i]);
    return largest;
}

static void expect_load(sx_network *net, int nranks, int g, const int dims[], int k)
{
    static tally t;
    const double bytes = 1000, nodes = net->nodes_per_group / net->tapering;
    const int groups = sx_network_count_groups(net, nranks);
    sx_load load;
    count(net, nranks, g, dims, k, bytes, &t);
    net->topology = SX_SWITCH;
    sx_network_get_load(net, g, dims, k, bytes, &load);
    test_expect_close(load.leaving, get_largest(t.node));
    ck_assert_double_eq(load.beyond, 0);
    ck_assert_double_eq(load.delay, load.leaving > 0 ? net->latency : 0);
    net->topology = SX_FAT_TREE;
    sx_network_get_load(net, g, dims, k, bytes, &load);
    test_expect_close(load.beyond, get_largest(t.group) / nodes);
    net->topology = SX_DRAGONFLY;
    sx_network_get_load(net, g, dims, k, bytes, &load);
    double largest = 0;
    for (int i = 0; i < groups; i++)
        largest = fmax(largest, get_largest(t.pair[i]));
    test_expect_close(load.beyond, groups > 1 ? largest * (groups - 1) / nodes : 0);
}

TEST(loads_of_links_are_counts_over_all_pairs)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int i = 0; i < TRIALS; i++) {
        int dims[4];
        const int g = test_random_int(&r, 1, 4), nranks = test_choose_grid(&r, g, dims);
        sx_network net = {.ranks_per_node = test_random_int(&r, 1, 9),
                          .nodes_per_group = test_random_int(&r, 1, 5),
                          .tapering = 1 + test_random_int(&r, 0, 4) / 2.0,
                          .latency = 1e-6};
        for (int k = -1; k < g; k++)
            expect_load(&net, nranks, g, dims, k);
    }
}

/* With 2^24 ranks, a loop over ranks or pairs of ranks would not end in time. The expected loads follow from
 * the definition. The ranks of a row of 4096 are 4096 apart, so no node has two of them. Therefore a rank
 * sends all of its data to other nodes, except its block for itself. */
TEST(loads_of_millions_of_ranks)
{
    const int dims[2] = {4096, 4096};
    const sx_network net = {SX_DRAGONFLY, 64, 512, 2, 0};
    sx_load load;
    for (int i = 0; i < 20; i++)
        sx_network_get_load(&net, 2, dims, 0, 4096, &load);
    test_expect_close(load.leaving, 64.0 * 4095);
    /* There are 512 groups of 32,768 ranks. Each of the 4096 rows has 8 ranks in each group. So between two
     * groups there are 4096 x 8 x 8 pairs of ranks. They share the links of these two groups: 512 nodes /
     * tapering 2 / 511 other groups. */
    test_expect_close(load.beyond, 4096.0 * 64 / (512.0 / 2 / 511));
    sx_network_get_load(&net, 2, dims, 1, 4096, &load);
    test_expect_close(load.leaving, 64.0 * (4096 - 64));
    test_expect_close(load.beyond, 0);
}
