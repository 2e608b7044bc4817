/* predict.c - predicted times compared with prices on a real placement, and with limits that follow from the
 * machine; descriptions of machines; formats. */
#include "common/hints.h"
#include "common/unit.h"
#include "decision/decision.h"
#include "predict/predict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

static const char base[] = "ranks_per_node = 4\ncores_per_node = 8\nflops = 1e10\nmemory_bandwidth = 1e11\n"
                           "link_bandwidth = 1e10\nlatency = 1e-6\noverhead = 2e-6\n";
static const char with_switch[] = "topology = switch\n";

static void describe(const char *more, sx_described *d)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s", base, more);
    ck_assert_ok(sx_predict_parse(text, d));
}

static subx_fft_problem parse(const char *text)
{
    subx_fft_problem problem;
    ck_assert_ok(subx_fft_problem_parse(text, &problem));
    return problem;
}

static sx_prediction predict(const char *more, const char *text, const char *grid, int nranks)
{
    subx_fft_problem problem = parse(text);
    MPI_Info hints = test_hints("grid=%s", grid);
    sx_described d;
    sx_prediction p;
    describe(more, &d);
    ck_assert_ok(sx_predict_get(&d, problem, hints, nranks, &p));
    MPI_Info_free(&hints);
    (void)subx_fft_problem_free(&problem);
    return p;
}

#define ck_assert_close(a, b) ck_assert_double_le(fabs((a) - (b)), 1e-9 * fabs(b))

/* With topology switch, a prediction is the price of the choice on a regular placement, plus the latency of
 * the network. */
TEST(a_prediction_is_a_price)
{
    subx_fft_problem problem = parse("r2c:64x48x40");
    MPI_Info hints = test_hints("grid=%s", "8x4");
    sx_placement placement;
    sx_described d;
    describe(with_switch, &d);
    ck_assert_ok(sx_placement_create_regular(8, 4, 1, 0, &placement));
    sx_choice c = {.shared = {.machine = &d.machine, .placement = &placement}};
    ck_assert_ok(sx_decision_set(&c, problem, 32, hints));
    d.machine.memory = d.machine.across = 1e11 / 4;
    const double price = sx_model_get_price(&c, NULL, NULL);
    const sx_prediction p = predict(with_switch, "r2c:64x48x40", "8x4", 32);
    /* only the exchange of dimension 0 adds a latency: the 4 ranks of dimension 1 are on one node */
    ck_assert_close(p.seconds, price + 1e-6);
    ck_assert_close(p.seconds, p.pass + p.exchange);
    ck_assert_int_eq(p.nnodes, 8);
    MPI_Info_free(&hints);
    sx_placement_free(&placement);
    (void)subx_fft_problem_free(&problem);
}

/* The limit is the time in which the link of a node carries all bytes that leave the node. The grid has
 * slabs, and each node has one rank, so a node sends all of its data except its block for itself. */
TEST(the_limit_is_what_leaves_a_node)
{
    subx_fft_problem problem = parse("c2c:64x64x64");
    char text[1024];
    sx_described d;
    sx_prediction p;
    snprintf(text, sizeof text, "%stopology=switch", strchr(base, '\n'));
    char whole[1100];
    snprintf(whole, sizeof whole, "ranks_per_node=1%s", text);
    ck_assert_ok(sx_predict_parse(whole, &d));
    ck_assert_ok(sx_predict_get(&d, problem, MPI_INFO_NULL, 8, &p));
    ck_assert_close(p.limit, 64.0 * 64 * 64 * 16 / 8 * 7 / 8 / 1e10);
    ck_assert_str_eq(p.link, "node");
    (void)subx_fft_problem_free(&problem);
}

TEST(the_best_grid_is_not_slower_than_others)
{
    static const char *const grids[] = {"64", "32x2", "16x4", "8x8", "4x16", "2x32"};
    const sx_prediction best = predict(with_switch, "c2c:64x64x64", "auto", 64);
    double least = INFINITY;
    for (int i = 0; i < 6; i++)
        least = fmin(least, predict(with_switch, "c2c:64x64x64", grids[i], 64).seconds);
    ck_assert_close(best.seconds, least);
}

/* If the links between groups have the full bandwidth of the nodes, a fat tree is not slower. Tapered links
 * make it slower. */
TEST(tapering_takes_time)
{
    const char *problem = "c2c:256x256x256", *grid = "16x16";
    const double fast = predict(with_switch, problem, grid, 256).seconds;
    const sx_prediction whole =
        predict("topology=fat_tree\nnodes_per_group=8\ntapering=1", problem, grid, 256);
    const sx_prediction half =
        predict("topology=fat_tree\nnodes_per_group=8\ntapering=4", problem, grid, 256);
    const sx_prediction fly =
        predict("topology=dragonfly\nnodes_per_group=8\ntapering=4", problem, grid, 256);
    ck_assert_close(whole.seconds, fast);
    ck_assert_str_eq(whole.link, "node");
    ck_assert_double_gt(half.seconds, fast);
    ck_assert_str_eq(half.link, "group");
    ck_assert_double_ge(fly.seconds, half.seconds * (1 - 1e-9));
    ck_assert_close(half.limit, whole.limit);
}

TEST(a_node_that_is_not_full)
{
    const sx_prediction p = predict(with_switch, "c2c:64x64x64", "auto", 3);
    ck_assert_int_eq(p.nnodes, 1);
    ck_assert_double_eq(p.limit, 0);
    ck_assert_str_eq(p.link, "none");
    ck_assert_int_eq(predict(with_switch, "c2c:64x64x64", "auto", 5).nnodes, 2);
}

TEST(a_calibrated_line_replaces_rates)
{
    char line[600], text[1024];
    sx_text t = {line, sizeof line, 0};
    sx_machine m;
    sx_described d;
    sx_machine_set_default(&m);
    m.flops = 3e10;
    sx_machine_print(&m, 0, &t);
    snprintf(
        text, sizeof text,
        "calibrated = %s # measured\nranks_per_node=2\r\ncores_per_node=2\nlink_bandwidth=1e9\nlatency=1e-6\n"
        "overhead=1e-6\n\n# end\ntopology=switch",
        line);
    ck_assert_ok(sx_predict_parse(text, &d));
    ck_assert_double_eq(d.machine.flops, 3e10);
    ck_assert_double_eq(d.machine.memory, m.memory);
    ck_assert_double_eq(d.memory_per_node, 0);
    ck_assert_double_eq(d.machine.bandwidth[SX_BETWEEN], 1e9);
}

TEST(the_arguments_are_checked)
{
    static const int one[] = {64};
    char text[4096], machine[1024];
    size_t needed, again;
    subx_fft_problem problem = parse("3*r2c:64x48x40");
    snprintf(machine, sizeof machine, "%s%s", base, with_switch);
    ck_assert_kind(subx_fft_predict(NULL, MPI_INFO_NULL, machine, 1, one, 0, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, NULL, 1, one, 0, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, machine, 0, one, 0, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, machine, 1, NULL, 0, 0, NULL, NULL),
                   SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, machine, 1, one, 3, 0, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, machine, 1, one, 0, 1, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_kind(subx_fft_predict(problem, MPI_INFO_NULL, "x", 1, one, 0, 0, NULL, NULL), SUBX_ERR_HINT);
    for (int format = SUBX_FFT_TEXT; format <= SUBX_FFT_CSV; format++) {
        ck_assert_ok(subx_fft_predict(problem, MPI_INFO_NULL, machine, 1, one, format, 0, NULL, &needed));
        ck_assert_ok(
            subx_fft_predict(problem, MPI_INFO_NULL, machine, 1, one, format, sizeof text, text, &again));
        ck_assert_uint_eq(needed, again);
        ck_assert_uint_eq(needed, strlen(text));
        ck_assert_ptr_nonnull(strstr(text, "3*r2c:64x48x40"));
    }
    (void)subx_fft_problem_free(&problem);
}
