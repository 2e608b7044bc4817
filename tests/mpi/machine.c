/* machine.c - on which nodes and in which NUMA domains ranks run, real and pretended ones; warnings about
 * ranks that are badly bound.
 * ranks: 1 2 3 4 5 8 */
#include "machine/binding.h"
#include "common/hints.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

enum { RANKS_MAX = 8 };

/* How often the libraries have called MPI_Iallgather. The function below counts the calls; it replaces MPI's
 * function, also inside the libraries. */
static int gathered;

/* pretended[r] is the NUMA domain in which rank r pretends to be. NULL: ranks report their real domains. */
static const int *pretended;

int MPI_Allgather(const void *send, int nsend, MPI_Datatype stype, void *receive, int nreceive,
                  MPI_Datatype rtype, MPI_Comm comm)
{
    gathered++;
    if (pretended && stype == MPI_INT && nsend == 1)
        send = &pretended[test_rank];
    return PMPI_Allgather(send, nsend, stype, receive, nreceive, rtype, comm);
}

static MPI_Info get_hints(const char *node_ranks)
{
    MPI_Info hints = test_hints("node_ranks=%s", node_ranks);
    return hints;
}

/* Expect that each node has `group` consecutive ranks of MPI_COMM_WORLD (0: all ranks are on one node), and
 * that nodes are numbered in the order of the communicator's ranks. `step` is 1 if this is the order of
 * MPI_COMM_WORLD, -1 if it is the reverse order. */
static void expect_nodes(const int node[], int group, int step)
{
    int first[RANKS_MAX], nodes = 0;
    for (int q = 0; q < test_nranks; q++) {
        const int world = step > 0 ? q : test_nranks - 1 - q, id = group ? world / group : 0;
        int i = 0;
        while (i < nodes && first[i] != id)
            i++;
        first[i] = id;
        nodes = i == nodes ? nodes + 1 : nodes;
        EXPECT_EQUAL(node[q], i);
    }
}

static void check_group(MPI_Comm comm, int group, int step)
{
    int node[RANKS_MAX];
    char text[8];
    snprintf(text, sizeof text, "%d", group);
    test_context("nodes of %d ranks, step %d", group, step);
    MPI_Info hints = get_hints(text);
    EXPECT_OK(subx_mem_get_nodes(comm, hints, node));
    expect_nodes(node, group, step);
    MPI_Info_free(&hints);
    char tune[32];
    snprintf(tune, sizeof tune, "node_ranks %d", group);
    setenv("SUBX_TUNE", tune, 1);
    memset(node, 0xff, sizeof node);
    EXPECT_OK(subx_mem_get_nodes(comm, MPI_INFO_NULL, node));
    expect_nodes(node, group, step);
    unsetenv("SUBX_TUNE");
}

/* Returns 1 if MPI finds all ranks on one host, and no hint pretends other nodes. */
static int is_one_host(void)
{
    MPI_Comm host;
    int n, is_one;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &n);
    MPI_Comm_free(&host);
    n = n == test_nranks;
    MPI_Allreduce(&n, &is_one, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return is_one;
}

static void check_nodes(void)
{
    MPI_Comm reversed;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -test_rank, &reversed);
    for (int group = 0; group <= 4; group++) {
        check_group(MPI_COMM_WORLD, group, 1);
        check_group(reversed, group, -1);
    }
    MPI_Comm_free(&reversed);
}

static void check_errors(void)
{
    int node[RANKS_MAX];
    MPI_Info hints = get_hints("-1"), mine = get_hints(test_rank ? "2" : "1");
    test_context("errors");
    EXPECT_KIND(subx_mem_get_nodes(MPI_COMM_NULL, MPI_INFO_NULL, node), SUBX_ERR_COMM);
    EXPECT_KIND(subx_mem_get_nodes(MPI_COMM_WORLD, hints, node), SUBX_ERR_HINT);
    EXPECT_KIND(subx_mem_get_nodes(MPI_COMM_WORLD, MPI_INFO_NULL, test_rank ? node : NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_mem_get_nodes(MPI_COMM_WORLD, mine, node), test_nranks > 1 ? SUBX_ERR_DIFFERS : 0);
    MPI_Info_free(&hints);
    MPI_Info_free(&mine);
}

/* As long as an object of the communicator exists (here a grid), the library gathers the nodes only once. */
static void check_memory(void)
{
    subx_grid grid;
    int node[RANKS_MAX];
    test_context("places are told once");
    EXPECT_OK(subx_grid_create(MPI_COMM_WORLD, 1, &test_nranks, &grid));
    EXPECT_OK(subx_mem_get_nodes(MPI_COMM_WORLD, MPI_INFO_NULL, node));
    gathered = 0;
    EXPECT_OK(subx_mem_get_nodes(MPI_COMM_WORLD, MPI_INFO_NULL, node));
    EXPECT_EQUAL(gathered, 0);
    EXPECT_OK(subx_grid_free(&grid));
}

static void check_placement(void)
{
    char text[64];
    sx_text t = {text, sizeof text, 0};
    sx_placement p;
    MPI_Info hints = get_hints("3");
    test_context("placement");
    EXPECT_OK(sx_placement_create(MPI_COMM_WORLD, hints, &p));
    EXPECT_EQUAL(p.nranks, test_nranks);
    EXPECT_EQUAL(p.nnodes, (test_nranks + 2) / 3);
    expect_nodes(p.node, 3, 1);
    sx_placement_print(&p, &t);
    static const char *const texts[] = {"1", "2", "3", "3+1", "3+2", "2x3", "3+3+1", "3+3+2"};
    EXPECT(strcmp(text, texts[test_nranks - 1]) == 0);
    sx_placement_free(&p);
    MPI_Info_free(&hints);
    hints = get_hints("x");
    EXPECT_KIND(sx_placement_create(MPI_COMM_WORLD, hints, &p), SUBX_ERR_HINT);
    MPI_Info_free(&hints);
}

/* ---- domains */

static void create_placement(const char *node_ranks, const int domains[], sx_placement *p)
{
    MPI_Info hints = get_hints(node_ranks);
    pretended = domains;
    EXPECT_OK(sx_placement_create(MPI_COMM_WORLD, hints, p));
    pretended = NULL;
    MPI_Info_free(&hints);
}

static void expect_domains(const char *node_ranks, const int domains[], const int expected[])
{
    sx_placement p;
    int n = 0;
    test_context("domains in nodes of %s ranks", node_ranks);
    create_placement(node_ranks, domains, &p);
    for (int q = 0; q < test_nranks; q++) {
        EXPECT_EQUAL(p.domain[q], expected[q]);
        n = expected[q] >= n ? expected[q] + 1 : n;
    }
    EXPECT_EQUAL(p.ndomains, n);
    sx_placement_free(&p);
}

/* The system may give domains any numbers. If a rank is not bound to a domain, its node counts as one
 * domain. */
static void check_domains(void)
{
    static const int told[] = {7, 7, 3, 3, 7, 3, 900, 7}, unknown[] = {7, 3, -1, 3, 7, 3, 7, 3};
    expect_domains("0", told, (const int[]){0, 0, 1, 1, 0, 1, 2, 0});
    expect_domains("3", told, (const int[]){0, 0, 1, 0, 1, 0, 0, 1});
    expect_domains("1", told, (const int[RANKS_MAX]){0});
    if (test_nranks > 2) {
        expect_domains("0", unknown, (const int[RANKS_MAX]){0});
        expect_domains("3", unknown, (const int[]){0, 0, 0, 0, 1, 0, 0, 1});
    }
}

/* Pretended domains share the same real memory, so reading across domains must not be much slower. Small
 * arrays are measured. */
static void check_across(void)
{
    static const int domains[][4] = {{0, 0, 0, 0}, {0, 0, 1, 2}, {0, 1, 1, 0}};
    sx_base_knobs.shrinks = 6;
    for (int i = 0; i < 3; i++) {
        sx_machine m;
        sx_placement p;
        sx_machine_set_default(&m);
        const double ratio = m.across / m.memory;
        test_context("reading across domains, %d", i);
        create_placement("0", domains[i], &p);
        EXPECT_OK(sx_machine_calibrate(MPI_COMM_WORLD, &p, MPI_INFO_NULL, NULL, 0.01, &m));
        if (p.ndomains > 1)
            EXPECT(m.across > m.memory / 100 && m.across < 100 * m.memory);
        else
            EXPECT(m.across > 0.999 * ratio * m.memory && m.across < 1.001 * ratio * m.memory);
        sx_placement_free(&p);
    }
    sx_base_knobs.shrinks = 0;
}

/* ---- warnings */

static int find_warnings(int threads)
{
    int flags = -1;
    EXPECT_OK(sx_machine_find_warnings(MPI_COMM_WORLD, threads, &flags));
    EXPECT_SAME(flags);
    return flags;
}

static void check_threads(void)
{
    int flags = find_warnings(1 << 20);
    test_context("too many threads");
#ifdef HAVE_HWLOC
    EXPECT(flags & SX_WARN_OVERSUBSCRIBED);
#else
    EXPECT_EQUAL(flags, 0);
#endif
}

#ifdef HAVE_HWLOC

/* Expect that the domain that the library finds contains this PU (a hardware thread), to which the rank is
 * bound. If the system knows no domains, the library finds none (-1), although hwloc assumes a domain 0. */
static void expect_domain(hwloc_topology_t topology, unsigned pu)
{
    hwloc_obj_t numa = NULL;
    test_context("the domain of PU %u", pu);
    const int domain = sx_binding_get_domain();
    while ((numa = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, numa)))
        if ((int)numa->os_index == domain)
            break;
    EXPECT(domain < 0 || (numa && hwloc_bitmap_isset(numa->cpuset, pu)));
}

/* Bind all ranks to the first hardware thread that they may use, if the system can bind processes. */
static void check_shared(void)
{
    hwloc_topology_t topology = sx_binding_get_topology();
    hwloc_bitmap_t before = hwloc_bitmap_alloc(), one = hwloc_bitmap_alloc();
    test_context("ranks on one core");
    if (hwloc_get_cpubind(topology, before, HWLOC_CPUBIND_PROCESS) == 0) {
        const unsigned pu = (unsigned)hwloc_bitmap_first(before);
        hwloc_bitmap_only(one, pu);
        EXPECT_EQUAL(hwloc_set_cpubind(topology, one, HWLOC_CPUBIND_PROCESS), 0);
        expect_domain(topology, pu);
        const int flags = find_warnings(1);
        EXPECT_EQUAL((flags & SX_WARN_OVERSUBSCRIBED) != 0, test_nranks > 1);
        setenv("SUBX_TUNE", "node_ranks 1", 1);
        EXPECT_EQUAL(find_warnings(1), flags);
        unsetenv("SUBX_TUNE");
        hwloc_set_cpubind(topology, before, HWLOC_CPUBIND_PROCESS);
    }
    hwloc_bitmap_free(one);
    hwloc_bitmap_free(before);
    hwloc_topology_destroy(topology);
}

#else

static void check_shared(void) {}

#endif

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    unsetenv("SUBX_TUNE");
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
    check_errors();
    if (is_one_host()) {
        check_nodes();
        check_placement();
        check_domains();
        if (test_nranks > 1 && test_nranks < 5)
            check_across();
        check_shared();
    }
    check_memory();
    check_threads();
    return test_end();
}
