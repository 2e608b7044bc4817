/* machine.c - loads of exchanges against counts over all pairs of ranks; texts of placements and of the
 * machine's parameters; prices of stages; names of the processor and of MPI. */
#include "model/model.h"
#include "common/locale.h"
#include "unit/partners.h"
#include <stdio.h>
#include <string.h>

/* ---- loads */

enum { TRIALS = 400 };

/* Draw a placement. Nodes are numbered in the order of their lowest ranks. */
static void create_random(test_random *r, int nranks, sx_placement *p)
{
    int number[RANKS_MAX] = {0}, nodes = test_random_int(r, 1, nranks);
    ck_assert_ok(sx_placement_create_regular(1, nranks, test_random_int(r, 1, 4), 0, p));
    p->nnodes = 0;
    for (int q = 0; q < nranks; q++) {
        const int host = test_random_int(r, 0, nodes - 1);
        number[host] = number[host] ? number[host] : ++p->nnodes;
        p->node[q] = number[host] - 1;
        p->domain[q] = test_random_int(r, 0, p->ndomains - 1);
    }
}

static void create(test_random *r, int nranks, sx_placement *p)
{
    const int per_node = test_random_int(r, 1, nranks);
    if (nranks % per_node == 0)
        ck_assert_ok(sx_placement_create_regular(nranks / per_node, per_node, test_random_int(r, 1, 4),
                                                 test_random_int(r, 0, 1), p));
    else
        create_random(r, nranks, p);
}

static sx_load count(const sx_placement *p, int g, const int dims[], int k, int nranks, double bytes)
{
    sx_load load = {.leaving = 0};
    double ranks = 0;
    for (int a = 0; a < nranks; a++) {
        ranks += p->node[a] == 0;
        for (int b = 0; b < nranks; b++)
            if (p->node[a] == 0 && test_are_partners(g, dims, k, a, b)) {
                load.partners[p->node[b] != 0]++;
                load.across += p->node[b] == 0 && p->domain[a] != p->domain[b];
            }
    }
    for (int i = 0; i < 2; i++) {
        load.partners[i] /= ranks;
        load.bytes[i] = load.partners[i] * bytes / (k < 0 ? nranks : dims[k]);
    }
    load.across *= bytes / ranks / (k < 0 ? nranks : dims[k]);
    load.leaving = load.bytes[1] * ranks;
    return load;
}

static void expect_load(const sx_placement *p, int g, const int dims[], int k, int nranks)
{
    const double bytes = 1000;
    const sx_load expected = count(p, g, dims, k, nranks, bytes);
    sx_load load;
    sx_placement_get_load(p, g, dims, k, bytes, &load);
    for (int i = 0; i < 2; i++) {
        test_expect_close(load.bytes[i], expected.bytes[i]);
        test_expect_close(load.partners[i], expected.partners[i]);
    }
    test_expect_close(load.across, expected.across);
    test_expect_close(load.leaving, expected.leaving);
}

/* Some placements have one more rank, which is not in the grid. */
TEST(loads_are_counts_over_all_pairs)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int t = 0; t < TRIALS; t++) {
        sx_placement p;
        int dims[4];
        const int g = test_random_int(&r, 1, 4), nranks = test_choose_grid(&r, g, dims);
        create(&r, nranks < RANKS_MAX ? nranks + test_random_int(&r, 0, 1) : nranks, &p);
        for (int k = -1; k < g; k++)
            expect_load(&p, g, dims, k, nranks);
        sx_placement_free(&p);
    }
}

TEST(rows_inside_a_node_send_nothing_to_others)
{
    const int dims[] = {64, 128};
    sx_placement p;
    sx_load load;
    ck_assert_ok(sx_placement_create_regular(64, 128, 8, 0, &p));
    sx_placement_get_load(&p, 2, dims, 1, 128e6, &load);
    test_expect_close(load.bytes[SX_INSIDE], 127e6);
    test_expect_close(load.across, 112e6);
    test_expect_close(load.leaving, 0);
    sx_placement_get_load(&p, 2, dims, 0, 128e6, &load);
    test_expect_close(load.partners[SX_INSIDE], 0);
    test_expect_close(load.across, 0);
    test_expect_close(load.leaving, 128 * 126e6);
    sx_placement_get_load(&p, 0, NULL, -1, 128e6, &load);
    test_expect_close(load.partners[SX_BETWEEN], 8192 - 128);
    sx_placement_free(&p);
}

/* Ranks 0 2 4 are on node 0, in its domains 0 0 1; ranks 1 3 5 are on node 1, in its domains 0 1 0. Ordered
 * by nodes, the ranks are 0 2 4 1 3 5. */
TEST(sorting_keeps_the_domains_of_ranks)
{
    const int before[] = {0, 0, 0, 1, 1, 0}, after[] = {0, 0, 1, 0, 1, 0};
    sx_placement p;
    ck_assert_ok(sx_placement_create_regular(2, 3, 2, 1, &p));
    memcpy(p.domain, before, sizeof before);
    sx_placement_sort(&p);
    for (int r = 0; r < 6; r++) {
        ck_assert_int_eq(p.node[r], r / 3);
        ck_assert_int_eq(p.domain[r], after[r]);
    }
    sx_placement_free(&p);
}

TEST(ranks_of_a_node_fill_domain_after_domain)
{
    const int blocks[] = {0, 0, 0, 1, 1, 0, 0, 0, 1, 1}, cyclic[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    for (int i = 0; i < 2; i++) {
        sx_placement p;
        ck_assert_ok(sx_placement_create_regular(2, 5, 2, i, &p));
        ck_assert_int_eq(p.ndomains, 2);
        for (int r = 0; r < 10; r++)
            ck_assert_int_eq(p.domain[r], (i ? cyclic : blocks)[r]);
        sx_placement_free(&p);
    }
}

/* ---- the text of placements */

static void print(const sx_placement *p, char text[64])
{
    sx_text t = {text, 64, 0};
    sx_placement_print(p, &t);
    ck_assert_uint_le(t.used, 60);
}

static void expect_regular(int nodes, int per_node, int is_cyclic, const char *expected)
{
    char text[64];
    sx_placement p;
    ck_assert_ok(sx_placement_create_regular(nodes, per_node, 1, is_cyclic, &p));
    ck_assert_int_eq(p.nnodes, nodes);
    print(&p, text);
    ck_assert_str_eq(text, expected);
    sx_placement_free(&p);
}

static void expect_text(int nranks, int nnodes, const int node[], const char *expected)
{
    char text[64];
    sx_placement p;
    ck_assert_ok(sx_placement_create_regular(1, nranks, 1, 0, &p));
    memcpy(p.node, node, (size_t)nranks * sizeof *node);
    p.nnodes = nnodes;
    print(&p, text);
    ck_assert_str_eq(text, expected);
    sx_placement_free(&p);
}

TEST(placements_have_a_short_text)
{
    expect_regular(1, 8, 0, "8");
    expect_regular(1, 8, 1, "8");
    expect_regular(2, 4, 0, "2x4");
    expect_regular(4, 2, 1, "4x2 cyclic");
    expect_regular(4, 1, 1, "4x1");
    expect_regular(64, 128, 0, "64x128");
    expect_text(7, 2, (const int[]){0, 0, 0, 0, 1, 1, 1}, "4+3");
    expect_text(11, 3, (const int[]){0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2}, "4+4+3");
    expect_text(5, 2, (const int[]){0, 1, 1, 0, 0}, "1+2+2@0");
    expect_text(3, 2, (const int[]){0, 1, 0}, "1+1+1@0");
}

/* The text of an irregular placement has a hash. Two placements that differ in the nodes of two ranks must
 * have different texts. */
TEST(long_placements_have_different_hashes)
{
    char text[2][64];
    sx_placement p;
    ck_assert_ok(sx_placement_create_regular(50, 10, 1, 0, &p));
    p.node[9] = 1;
    print(&p, text[0]);
    ck_assert_int_eq(strncmp(text[0], "500 ranks on 50 nodes, ", 23), 0);
    p.node[9] = 0;
    p.node[10] = 0;
    print(&p, text[1]);
    ck_assert_str_ne(text[0], text[1]);
    sx_placement_free(&p);
}

/* ---- parameters */

static const char *print_machine(const sx_machine *m, int has_device)
{
    static char text[1024];
    sx_text t = {text, sizeof text, 0};
    sx_machine_print(m, has_device, &t);
    ck_assert_uint_lt(t.used, sizeof text);
    return text;
}

TEST(parameters_survive_their_text)
{
    test_random r = test_random_stream(test_random_seed(), 2);
    for (int t = 0; t < 100; t++) {
        sx_machine m, back = {0};
        double *value = (double *)(void *)&m, *other = (double *)(void *)&back;
        for (size_t i = 0; i < sizeof m / sizeof *value; i++)
            value[i] = pow(10, 12 * test_random_double(&r));
        ck_assert_ok(sx_machine_parse(print_machine(&m, 1), &back));
        for (size_t i = 0; i < sizeof m / sizeof *value; i++)
            ck_assert_double_le(fabs(value[i] - other[i]), 5.1e-6 * value[i]);
    }
}

static const char defaults[] =
    "flops 1e+10, memory 5e+09, across 3e+09, cache 3e+10, cache_bytes 1.5e+06, latency_inside 5e-07, "
    "latency_between 2e-06, bandwidth_inside 4e+09, bandwidth_between 2.5e+10, stage 5e-06";

#define OF_DEVICE "device_memory 2e+12, device_launch 5e-06, device_host 2e+10, device_link 2e+11"
static const char with_device[] =
    "flops 1e+10, memory 5e+09, across 3e+09, cache 3e+10, cache_bytes 1.5e+06, latency_inside 5e-07, "
    "latency_between 2e-06, bandwidth_inside 4e+09, bandwidth_between 2.5e+10, stage 5e-06, " OF_DEVICE;

TEST(text_is_the_same_in_all_locales)
{
    sx_machine m;
    sx_machine_set_default(&m);
    for (int has_comma = 0; has_comma < 2; has_comma++) {
        if (!test_locale_use(has_comma))
            continue;
        ck_assert_str_eq(print_machine(&m, 0), defaults);
        ck_assert_str_eq(print_machine(&m, 1), with_device);
        ck_assert_ok(sx_machine_parse(defaults, &m));
        ck_assert_double_eq(m.cache_bytes, 1.5e6);
    }
    test_locale_use(0);
}

static void expect_wrong(const char *text)
{
    sx_machine m, before;
    sx_machine_set_default(&m);
    before = m;
    ck_assert_kind(sx_machine_parse(text, &m), SUBX_ERR_HINT);
    ck_assert_int_eq(memcmp(&m, &before, sizeof m), 0);
}

/* Without the parameters of devices, these stay as they are. One of them alone is missing its neighbours. */
TEST(parameters_of_devices_come_together)
{
    char text[1024];
    sx_machine m;
    sx_machine_set_default(&m);
    m.device_link = 3;
    ck_assert_ok(sx_machine_parse(defaults, &m));
    ck_assert_double_eq(m.device_link, 3);
    ck_assert_ok(sx_machine_parse(with_device, &m));
    ck_assert_double_eq(m.device_link, 2e11);
    snprintf(text, sizeof text, "%s, device_link 1e+11", defaults);
    expect_wrong(text);
    snprintf(text, sizeof text, "%s, flops 1", with_device);
    expect_wrong(text);
    expect_wrong(OF_DEVICE);
}

TEST(other_texts_are_refused)
{
    char text[1024];
    expect_wrong("");
    expect_wrong("flops 1e10");
    for (size_t n = 0; n < sizeof defaults - sizeof " 5e-06"; n++) {
        strcpy(text, defaults);
        text[n] = '\0';
        expect_wrong(text);
    }
    snprintf(text, sizeof text, "%s,", defaults);
    expect_wrong(text);
    snprintf(text, sizeof text, "%s, flops 1", defaults);
    expect_wrong(text);
    strcpy(text, defaults);
    memcpy(text, "flips", 5);
    expect_wrong(text);
    memcpy(text, "flops -", 7);
    expect_wrong(text);
    memcpy(text, "flops 0e+00", 11);
    expect_wrong(text);
    memcpy(text, "flops inf  ", 11);
    expect_wrong(text);
    memcpy(text, "stage 1e+10", 11);
    expect_wrong(text);
}

/* ---- names */

static const char *library;

/* Replaces MPI's function. If `library` is set, the function returns this text. */
int MPI_Get_library_version(char *version, int *length)
{
    if (!library)
        return PMPI_Get_library_version(version, length);
    strcpy(version, library);
    *length = (int)strlen(library);
    return MPI_SUCCESS;
}

static void expect_mpi(const char *text, const char *expected)
{
    char name[128] = "";
    sx_text t = {name, sizeof name, 0};
    library = text;
    sx_machine_print_mpi(&t);
    library = NULL;
    ck_assert_str_eq(name, expected);
}

TEST(mpi_has_a_short_name)
{
    expect_mpi("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4", "Open MPI 4.1.4");
    expect_mpi("Open MPI v5.0.0rc12, package: x", "Open MPI 5.0.0rc12");
    expect_mpi("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n", "MPICH 4.0.2");
    expect_mpi("MPICH Version:      4.2.0\nMPICH Release date: x", "MPICH 4.2.0");
    expect_mpi("Intel(R) MPI Library 2021.6 for Linux* OS\n", "Intel(R) MPI Library 2021.6 for Linux* O");
    expect_mpi(" a\tb \nsecond line", "a b");
    expect_mpi("a\177b\1c", "a b c");
    expect_mpi("0123456789012345678901234567890123456789, and more",
               "0123456789012345678901234567890123456789");
    expect_mpi("", "");
}

/* ---- prices */

TEST(prices_of_passes_grow)
{
    sx_machine m;
    sx_machine_set_default(&m);
    double before = 0;
    for (double bytes = 1e3; bytes < 1e9; bytes *= 1.1) {
        const double price = sx_model_price_pass(&m, 0, 2 * bytes, bytes);
        ck_assert_double_gt(price, before);
        ck_assert_double_gt(sx_model_price_pass(&m, bytes, 2 * bytes, bytes), price);
        before = price;
    }
    test_expect_close(sx_model_price_pass(&m, 1e10, 0, 1), m.stage + 1);
    test_expect_close(sx_model_price_pass(&m, 0, 3e10, m.cache_bytes), m.stage + 1);
    test_expect_close(sx_model_price_pass(&m, 0, 5e9, 1e9), m.stage + 1);
}

TEST(prices_of_exchanges_grow)
{
    sx_machine m;
    sx_machine_set_default(&m);
    const sx_load load = {.bytes = {1e6, 2e6}, .across = 15e3, .leaving = 16e6, .partners = {3, 12}};
    sx_load more[5] = {load, load, load, load, load};
    const double price = sx_model_price_exchange(&m, &load, 0);
    test_expect_close(price, m.stage + 3 * 5e-7 + 12 * 2e-6 + 1e6 / 4e9 + 2e-6 + 16e6 / 2.5e10);
    test_expect_close(price - sx_model_price_exchange(&m, &load, 1), 1e6 / 4e9);
    more[0].bytes[SX_INSIDE]++;
    more[1].leaving++;
    more[2].partners[SX_INSIDE]++;
    more[3].partners[SX_BETWEEN]++;
    more[4].across++;
    for (int i = 0; i < 5; i++)
        ck_assert_double_gt(sx_model_price_exchange(&m, &more[i], 0), price);
    m.across = 2 * m.memory;
    test_expect_close(price - sx_model_price_exchange(&m, &load, 0), 2e-6);
}

TEST(each_warning_has_a_sentence)
{
    for (int flag = SX_WARN_UNBOUND; flag <= SX_WARN_SHARED_CORE; flag *= 2)
        ck_assert_ptr_nonnull(sx_machine_get_warning(flag));
    ck_assert_ptr_null(sx_machine_get_warning(0));
}
