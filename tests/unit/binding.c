/* binding.c - the warnings about how ranks are bound, and lists of PUs (hardware threads). The node has two
 * packages of four cores; a core has two PUs. */
#include "machine/binding.h"
#include "common/unit.h"

#ifdef HAVE_HWLOC

enum { RANKS_MAX = 16, BOTH = SX_WARN_OVERSUBSCRIBED | SX_WARN_SHARED_CORE };

static hwloc_topology_t create_topology(void)
{
    hwloc_topology_t topology;
    ck_assert_int_eq(hwloc_topology_init(&topology), 0);
    ck_assert_int_eq(hwloc_topology_set_synthetic(topology, "package:2 core:4 pu:2"), 0);
#if HWLOC_API_VERSION >= 0x20100
    ck_assert_int_eq(hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED), 0);
#endif
    ck_assert_int_eq(hwloc_topology_load(topology), 0);
    return topology;
}

/* Check the warnings for n ranks. Rank i may run on the PUs (hardware threads) in the list pus[i], for
 * example "0-3". */
static void expect_flags(hwloc_topology_t topology, int n, const int threads[], const char *const pus[],
                         int flags)
{
    sx_binding binding[RANKS_MAX] = {{0, NULL}};
    for (int i = 0; i < n; i++) {
        binding[i] = (sx_binding){threads[i], hwloc_bitmap_alloc()};
        ck_assert_int_eq(hwloc_bitmap_list_sscanf(binding[i].cpuset, pus[i]), 0);
    }
    ck_assert_int_eq(sx_binding_check(topology, n, binding), flags);
    for (int i = 0; i < n; i++)
        hwloc_bitmap_free(binding[i].cpuset);
}

/* As expect_flags, for ranks that all have the same number of threads. */
static void expect(int n, int threads, const char *const pus[], int flags)
{
    hwloc_topology_t topology = create_topology();
    int all[RANKS_MAX];
    for (int i = 0; i < n; i++)
        all[i] = threads;
    expect_flags(topology, n, all, pus, flags);
    hwloc_topology_destroy(topology);
}

#define PUS (const char *const[])

TEST(ranks_with_cores_of_their_own_are_fine)
{
    expect(8, 1, PUS{"0-1", "2-3", "4-5", "6-7", "8-9", "10-11", "12-13", "14-15"}, 0);
    expect(8, 1, PUS{"0", "2", "4", "6", "8", "10", "12", "14"}, 0);
    expect(3, 1, PUS{"1", "2", "5"}, 0);
    expect(2, 4, PUS{"0-7", "8-15"}, 0);
    expect(4, 2, PUS{"0-7", "0-7", "8-15", "8-15"}, 0);
    expect(4, 2, PUS{"0-3", "4-7", "8-11", "12-15"}, 0);
}

TEST(several_ranks_with_all_cores_are_unbound)
{
    expect(1, 1, PUS{"0-15"}, 0);
    expect(1, 8, PUS{"0-15"}, 0);
    expect(2, 1, PUS{"0-15", "0-15"}, SX_WARN_UNBOUND);
    expect(2, 1, PUS{"0-15", "0-3"}, SX_WARN_UNBOUND);
    expect(3, 3, PUS{"0-15", "0-15", "0-15"}, SX_WARN_UNBOUND | SX_WARN_OVERSUBSCRIBED);
}

TEST(more_threads_than_cores_are_too_many)
{
    expect(1, 9, PUS{"0-15"}, SX_WARN_OVERSUBSCRIBED);
    expect(1, 2, PUS{"0-1"}, SX_WARN_OVERSUBSCRIBED);
    expect(2, 3, PUS{"0-3", "4-15"}, SX_WARN_OVERSUBSCRIBED);
    expect(16, 1, PUS{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"},
           SX_WARN_OVERSUBSCRIBED);
}

TEST(ranks_must_not_share_a_core_while_others_are_idle)
{
    expect(2, 1, PUS{"0", "0"}, BOTH);
    expect(2, 1, PUS{"0", "1"}, BOTH);
    expect(2, 1, PUS{"6-7", "7"}, BOTH);
    expect(4, 1, PUS{"0-3", "0-3", "0-3", "0-3"}, BOTH);
    expect(3, 1, PUS{"0-1", "0-1", "2-7"}, SX_WARN_SHARED_CORE);
    expect(3, 1, PUS{"0-1", "0-1", "2-15"}, 0);
}

TEST(of_unknown_ranks_nothing_is_said)
{
    hwloc_topology_t topology = create_topology();
    expect_flags(topology, 2, (const int[]){0, 1}, PUS{"", "0-15"}, 0);
    expect_flags(topology, 0, NULL, NULL, 0);
    hwloc_topology_destroy(topology);
}

#if HWLOC_API_VERSION >= 0x20100
static void expect_allowed(const char *allowed, const char *const pus[], int flags)
{
    hwloc_topology_t topology = create_topology();
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    ck_assert_int_eq(hwloc_bitmap_list_sscanf(set, allowed), 0);
    ck_assert_int_eq(hwloc_topology_allow(topology, set, NULL, HWLOC_ALLOW_FLAG_CUSTOM), 0);
    expect_flags(topology, 2, (const int[]){1, 1}, pus, flags);
    hwloc_bitmap_free(set);
    hwloc_topology_destroy(topology);
}

/* Only PUs that the job may use count as idle. A rank counts as bound if no other rank may run on the PUs of
 * its cgroup. */
TEST(only_allowed_cores_count)
{
    expect_allowed("0-1", PUS{"0-1", "0-1"}, SX_WARN_OVERSUBSCRIBED);
    expect_allowed("0-3", PUS{"0-3", "0-3"}, SX_WARN_UNBOUND);
    expect_allowed("0-3", PUS{"0-3", "4-7"}, 0);
    expect_allowed("0-3", PUS{"0", "1"}, BOTH);
}
#endif

/* ---- domains */

/* Linux lists the PUs of a NUMA domain in a file. */
TEST(a_list_has_its_pus)
{
    static const char *const lists[] = {"0-3,8-11\n", "5", "\n", "", "0,2,4-4,17-300", "x"};
    static const char *const pus[] = {"0-3,8-11", "5", "", "", "0,2,4,17-300", ""};
    for (int i = 0; i < 6; i++) {
        hwloc_bitmap_t set = hwloc_bitmap_alloc();
        ck_assert_int_eq(hwloc_bitmap_list_sscanf(set, pus[i]), 0);
        for (int pu = 0; pu < 400; pu++)
            ck_assert_int_eq(sx_binding_has_pu(lists[i], pu), hwloc_bitmap_isset(set, (unsigned)pu));
        hwloc_bitmap_free(set);
    }
}

#endif
