/* grids.c - prices of stages against bytes and flops that are counted by the definition; chosen grids and
 * numbers of ranks against all other grids and numbers. */
#include "common/hints.h"
#include "common/unit.h"
#include "decision/decision.h"
#include "device/fake.h"
#include "model/model.h"
#include "search/search.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>

/* ---- a choice for ranks that do not exist */

typedef struct scene {
    sx_placement placement;
    sx_machine machine;
    subx_fft_problem problem;
    sx_choice choice;
} scene;

static int set(scene *s, const char *text, int nnodes, int ranks_per_node, const char *key, const char *value)
{
    MPI_Info hints;
    memset(s, 0, sizeof *s);
    ck_assert_ok(sx_placement_create_regular(nnodes, ranks_per_node, 1, 0, &s->placement));
    sx_machine_set_default(&s->machine);
    ck_assert_ok(subx_fft_problem_parse(text, &s->problem));
    s->choice.shared.placement = &s->placement;
    s->choice.shared.machine = &s->machine;
    MPI_Info_create(&hints);
    test_hint_set(hints, key, value);
    int rc = sx_decision_set(&s->choice, s->problem, nnodes * ranks_per_node, hints);
    MPI_Info_free(&hints);
    return rc;
}

static void unset(scene *s)
{
    (void)subx_fft_problem_free(&s->problem);
    sx_placement_free(&s->placement);
    if (sx_base_knobs.fake)
        ck_assert_int_eq(sx_device_fake_free(&sx_base_knobs.fake), 0);
}

/* ---- stages */

#define ck_assert_close(a, b) ck_assert_double_lt(fabs((a) - (b)), 1e-6 * fabs(b) + 1e-30)

TEST(a_pass_has_the_flops_and_bytes_of_the_busiest_rank)
{
    const double element = 16;
    sx_price p[SX_NSTAGES_MAX];
    scene s;
    int n;
    /* In the first pass rank 0 has 4 of the 8 points of axis 0, 5 of the 9 points of axis 1, and all 10
     * points of axis 2. Then axis 1 is whole (4 x 9 x 5 points), at last axis 0 (8 x 5 x 5 points). */
    ck_assert_ok(set(&s, "c2c:8x9x10", 1, 4, "subx_grid", "2x2"));
    const double sum = sx_model_get_price(&s.choice, p, &n);
    ck_assert_int_eq(n, 5);
    ck_assert_close(p[0].flops, 4 * 5 * 5 * 10 * log2(10));
    ck_assert_close(p[0].memory_bytes, 2 * element * 4 * 5 * 10);
    ck_assert_close(p[1].load.bytes[SX_INSIDE], element * 4 * 5 * 10 / 2);
    ck_assert_close(p[2].flops, 4 * 5 * 5 * 9 * log2(9));
    ck_assert_close(p[2].memory_bytes, 2 * element * 4 * 9 * 5);
    ck_assert_close(p[3].load.bytes[SX_INSIDE], element * 4 * 9 * 5 / 2);
    ck_assert_close(p[4].flops, 5 * 5 * 5 * 8 * 3.0);
    ck_assert_close(sum, p[0].seconds + p[1].seconds + p[2].seconds + p[3].seconds + p[4].seconds);
    unset(&s);
}

TEST(real_data_takes_half)
{
    sx_price p[SX_NSTAGES_MAX];
    scene s;
    int n;
    ck_assert_ok(set(&s, "r2c:8x10*3", 1, 2, "subx_engine", "auto"));
    (void)sx_model_get_price(&s.choice, p, &n);
    ck_assert_int_eq(n, 3);
    ck_assert_close(p[0].flops, 3 * 4 * 5 * 10 * log2(10) / 2);
    ck_assert_close(p[0].memory_bytes, 3 * 4 * (8.0 * 10 + 16 * 6));
    ck_assert_close(p[2].flops, 3 * 3 * 5 * 8 * 3.0);
    unset(&s);
    ck_assert_ok(set(&s, "dct2:8x10", 1, 1, "subx_engine", "auto"));
    (void)sx_model_get_price(&s.choice, p, &n);
    ck_assert_close(p[0].flops, (8 * 5 * 10 * log2(10) + 10 * 5 * 8 * 3.0) / 2);
    unset(&s);
}

static double get_price(const char *text, const char *key, const char *value)
{
    scene s;
    ck_assert_ok(set(&s, text, 1, 4, key, value));
    const double price = sx_model_get_price(&s.choice, NULL, NULL);
    unset(&s);
    return price;
}

TEST(a_hint_changes_the_price)
{
    const char *problem = "c2c:256x256x256";
    const double fused = get_price(problem, "strategy", "fused");
    ck_assert_double_eq(fused, get_price(problem, "subx_engine", "auto"));
    ck_assert_double_lt(fused, get_price(problem, "strategy", "stride1"));
    ck_assert_double_lt(fused, get_price(problem, "subx_engine", "alltoallv"));
    ck_assert_double_lt(get_price(problem, "subx_engine", "types"), INFINITY);
}

TEST(threads_divide_passes)
{
    sx_price one[SX_NSTAGES_MAX], four[SX_NSTAGES_MAX];
    scene s;
    ck_assert_ok(set(&s, "c2c:256x256x256", 1, 4, "subx_engine", "auto"));
    (void)sx_model_get_price(&s.choice, one, NULL);
    s.choice.hints.threads = 4;
    (void)sx_model_get_price(&s.choice, four, NULL);
    ck_assert_close(four[0].seconds - s.machine.stage, (one[0].seconds - s.machine.stage) / 4);
    ck_assert_double_eq(four[1].seconds, one[1].seconds);
    unset(&s);
}

TEST(a_strategy_that_cannot_serve_has_no_price)
{
    scene s;
    ck_assert_ok(set(&s, "c2c:8x8", 1, 2, "subx_engine", "auto"));
    s.choice.strategy = sx_strategy_find("fused");
    strcpy(s.choice.hints.engine, "types");
    ck_assert(isinf(sx_model_get_price(&s.choice, NULL, NULL)));
    unset(&s);
}

/* On one rank the plan itself can be created, so the model's number of stages can be compared with the
 * plan's. */
TEST(stages_are_those_of_a_plan)
{
    static const char *const strategies[] = {"fused", "stride1"};
    for (int i = 0; i < 2; i++) {
        subx_fft_plan plan;
        scene s;
        int n, stages = 0;
        MPI_Info hints = test_hints("strategy=%s scaling=forward", strategies[i]);
        ck_assert_ok(set(&s, "c2c,dct2,c2c:8x9x10", 1, 1, "strategy", strategies[i]));
        s.choice.hints.scaling = SX_SCALE_FORWARD;
        ck_assert_ok(subx_fft_plan_create_problem(MPI_COMM_SELF, s.problem, hints, &plan));
        (void)sx_model_get_price(&s.choice, NULL, &n);
        while (sx_plan_get_stage(plan, SX_FORWARD, stages))
            stages++;
        ck_assert_int_eq(n, stages);
        subx_fft_plan_free(&plan);
        MPI_Info_free(&hints);
        unset(&s);
    }
}

/* ---- grids */

/* Get the least price of all grids whose dimensions k, k + 1, .. have the product `left`. The dimensions
 * before k are set. */
static double get_least(sx_choice *c, int k, int left)
{
    double least = INFINITY;
    if (k == c->g)
        return left == 1 ? sx_model_get_price(c, NULL, NULL) : INFINITY;
    for (int p = 1; p <= left; p++) {
        c->dims[k] = p;
        if (left % p == 0)
            least = fmin(least, get_least(c, k + 1, left / p));
    }
    return least;
}

static void check_list(const char *text, int nnodes, int ranks_per_node)
{
    enum { MOST = 32 };
    sx_grid_price list[MOST];
    double least = INFINITY;
    scene s;
    int n;
    ck_assert_ok(set(&s, text, nnodes, ranks_per_node, "subx_grid", "auto"));
    const double chosen = sx_model_get_price(&s.choice, NULL, NULL);
    ck_assert_ok(sx_model_list_grids(&s.choice, s.placement.nranks, MOST, list, &n));
    ck_assert_int_gt(n, 0);
    for (int i = 1; i < n; i++)
        ck_assert_double_le(list[i - 1].seconds, list[i].seconds * (1 + 1e-6));
    for (s.choice.g = 1; s.choice.g <= sx_choice_get_most_dims(&s.choice); s.choice.g++)
        least = fmin(least, get_least(&s.choice, 0, s.placement.nranks));
    ck_assert_close(list[0].seconds, least);
    ck_assert_double_le(chosen * 0.9, least);
    unset(&s);
}

TEST(the_first_grid_is_the_cheapest_of_all)
{
    check_list("c2c:64x64x64", 4, 6);
    check_list("r2c:12x100x30x7", 2, 10);
    check_list("c2c:4x1024x1024", 1, 8);
    check_list("c2c:1000", 1, 8);
    check_list("c2c,-,c2c:30x6x50", 3, 4);
    check_list("c2c:5", 1, 1);
}

/* Without a placement there are no prices, and the grid is chosen by lengths. On a single node, prices must
 * lead to the same grid. */
TEST(grids_stay_on_one_node)
{
    static const char *const problems[] = {"c2c:64x64x64", "r2c:32x40x48", "c2c:256x256", "dct2:30x20x10"};
    for (int i = 0; i < 4; i++)
        for (int nranks = 1; nranks <= 8; nranks++) {
            sx_choice by_lengths = {0};
            scene s;
            ck_assert_ok(set(&s, problems[i], 1, nranks, "subx_engine", "auto"));
            ck_assert_ok(sx_decision_set(&by_lengths, s.problem, nranks, MPI_INFO_NULL));
            ck_assert_str_eq(s.choice.hints.grid, by_lengths.hints.grid);
            unset(&s);
        }
}

TEST(without_memory_there_is_no_choice)
{
    scene s;
    int n;
    ck_assert_ok(set(&s, "c2c:64x64x64", 1, 4, "subx_grid", "auto"));
    (void)sx_base_fail_after(0);
    int rc = sx_model_list_grids(&s.choice, 4, 1, &(sx_grid_price){0}, &n);
    (void)sx_base_fail_after(-1);
    ck_assert_kind(rc, SUBX_ERR_NO_MEM);
    unset(&s);
}

/* ---- numbers of ranks */

static int get_best(const char *text, int nnodes, int ranks_per_node)
{
    scene s;
    int best;
    ck_assert_ok(set(&s, text, nnodes, ranks_per_node, "subx_grid", "auto"));
    ck_assert_ok(sx_model_get_best_ranks(&s.choice, s.placement.nranks, &best));
    unset(&s);
    return best;
}

TEST(all_ranks_are_used_unless_fewer_are_cheaper)
{
    ck_assert_int_eq(get_best("c2c:512x512x512", 1, 8), 8);
    ck_assert_int_eq(get_best("c2c:1024x1024x1024", 64, 128), 64 * 128);
    ck_assert_int_eq(get_best("c2c:4096x4096", 1, 1), 1);
    /* a small problem uses only one node, or only one rank */
    ck_assert_int_eq(get_best("c2c:32x32x32", 64, 16), 16);
    ck_assert_int_eq(get_best("c2c:4x4", 64, 16), 1);
}

TEST(numbers_of_ranks_are_listed_once_and_the_cheapest_first)
{
    sx_grid_price list[SX_RANKS_MAX];
    scene s;
    int n, has_all = 0, has_node = 0;
    ck_assert_ok(set(&s, "r2c:60x128x96", 31, 7, "subx_grid", "auto"));
    ck_assert_ok(sx_model_list_ranks(&s.choice, s.placement.nranks, list, &n));
    for (int i = 0; i < n; i++) {
        int product = 1;
        for (int k = 0; k < list[i].g; k++)
            product *= list[i].dims[k];
        ck_assert_int_eq(product, list[i].nranks);
        has_all += product == 31 * 7;
        has_node += product == 7;
        for (int k = 0; k < i; k++)
            ck_assert_int_ne(list[k].nranks, list[i].nranks);
        ck_assert(i == 0 || list[i].seconds >= list[i - 1].seconds * (1 - 1e-8));
    }
    ck_assert_int_eq(has_all, 1);
    ck_assert_int_eq(has_node, 1);
    unset(&s);
}

/* The library tries only a few numbers of ranks. So another number may be cheaper, but only a little. */
TEST(no_other_number_of_ranks_is_much_cheaper)
{
    static const struct {
        const char *problem;
        int nnodes, ranks_per_node;
    } t[] = {{"c2c:256x256", 100, 10},   {"c2c:256x256", 4, 12},   {"c2c:1024x1024", 10, 48},
             {"c2c:32x32x32", 8, 36},    {"r2c:60x128x96", 31, 7}, {"c2c:100x100x100", 1, 101},
             {"c2c:512x512x512", 50, 20}};
    const double much = 1.15;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        sx_grid_price p, least = {.seconds = INFINITY};
        scene s;
        int best, count;
        ck_assert_ok(set(&s, t[i].problem, t[i].nnodes, t[i].ranks_per_node, "subx_grid", "auto"));
        ck_assert_ok(sx_model_get_best_ranks(&s.choice, s.placement.nranks, &best));
        for (int k = 1; k <= s.placement.nranks; k++) {
            ck_assert_ok(sx_model_list_grids(&s.choice, k, 1, &p, &count));
            least = p.seconds < least.seconds ? p : least;
        }
        ck_assert_ok(sx_model_list_grids(&s.choice, best, 1, &p, &count));
        ck_assert_double_lt(p.seconds, much * least.seconds);
        unset(&s);
    }
}

/* By the lengths alone, the first choice is a grid that divides axis 0 between two ranks. The problem demands
 * four blocks of one point of axis 0, which need four ranks, so another grid must be chosen. */
TEST(blocks_that_do_not_suit_the_first_grid_lead_to_another_one)
{
    scene s;
    ck_assert_ok(set(&s, "c2c:4x64x64/physical-block=1x0x0", 1, 8, "subx_grid", "auto"));
    ck_assert_int_eq(sx_choice_get_nranks(&s.choice), 8);
    ck_assert_ok(sx_choice_check_grid(&s.choice));
    unset(&s);
}

/* ---- what counts as given by the caller */

static int gives(const char *key, const char *value)
{
    scene s;
    ck_assert_ok(set(&s, "c2c:64x64x64", 1, 4, key, value));
    const int is_given = sx_hints_is_given(&s.choice.hints, sx_base_hint_get_name(key));
    unset(&s);
    return is_given;
}

TEST(a_value_is_given_by_who_says_it)
{
    ck_assert(gives("permute", "recv"));
    ck_assert(gives("cache", "1310720"));
    ck_assert(gives("progress", "16"));
    ck_assert(gives("subx_ranks", "auto"));
    /* with these values the caller leaves the decision to the library */
    ck_assert(!gives("slices", "0"));
    ck_assert(!gives("subx_grid", "auto"));
    ck_assert(!gives("overlap", "auto"));
    setenv("SUBX_TUNE", "permute recv", 1);
    ck_assert(gives("permute", "recv"));
    unsetenv("SUBX_TUNE");
}

/* A search varies all parameters, except those that the caller gives. */
TEST(what_is_given_is_not_tuned)
{
    static const char *const hints[][2] = {{"cache", "1310720"}, {"progress", "16"}, {"permute", "recv"}};
    for (int i = 0; i < 3; i++) {
        const sx_parameter *list[SX_TUNE_NDIMS_MAX];
        sx_space space = {.hints = MPI_INFO_NULL};
        scene s;
        ck_assert_ok(set(&s, "c2c:64x64x64", 1, 4, hints[i][0], hints[i][1]));
        space.base = &s.choice;
        ck_assert_ok(sx_space_reserve(&space, 1));
        (void)sx_space_add(&space, i < 2 ? "strategy fused, engine pairwise" : "strategy stride1");
        const int n = sx_space_list_parameters(&space, 0, list);
        ck_assert_int_gt(n, 0);
        for (int k = 0; k < n; k++)
            ck_assert_str_ne(list[k]->name, hints[i][0]);
        sx_space_free(&space);
        unset(&s);
    }
}

/* Candidates come from the lists of engines. Thus every new engine is a candidate. */
TEST(a_patient_search_tries_every_engine)
{
    const char *engine;
    sx_space space = {.hints = MPI_INFO_NULL};
    scene s;
    int count = 0;
    ck_assert_ok(set(&s, "c2c:64x64x64", 1, 4, "subx_effort", "patient"));
    space.base = &s.choice;
    ck_assert_ok(sx_space_list(&space));
    for (int i = 0; !subx_exch_query_engine(i, &engine) && engine; i++) {
        char name[sizeof space.list->name];
        int is_there = 0;
        snprintf(name, sizeof name, "strategy stride1, engine %s", engine);
        for (int k = 0; k < space.n; k++)
            is_there |= strcmp(space.list[k].name, name) == 0;
        ck_assert_int_eq(is_there, !(sx_hints_get_traits(engine, 0) & SUBX_ENGINE_LOCAL));
        count += is_there;
    }
    ck_assert_int_ge(count, 6);
    sx_space_free(&space);
    unset(&s);
}

/* The request (the text of the hints) is part of a key of wisdom. So different hints must have different
 * requests, also if the hints are long. */
TEST(requests_are_whole)
{
    char request[2][SX_PROBLEM_TEXT], four[200], tune[500];
    memset(four, '0', sizeof four);
    four[sizeof four - 2] = '4';
    four[sizeof four - 1] = '\0';
    snprintf(tune, sizeof tune, "window %s, node_ranks %s", four, four);
    setenv("SUBX_TUNE", tune, 1);
    setenv("SUBX_RANKS", four, 1);
    for (int i = 0; i < 2; i++) {
        scene s;
        ck_assert_ok(set(&s, "c2c:64x64x64", 1, 4, "slices", i ? "8" : "9"));
        strcpy(request[i], s.choice.hints.request);
        unset(&s);
    }
    unsetenv("SUBX_TUNE");
    unsetenv("SUBX_RANKS");
    ck_assert_str_ne(request[0], request[1]);
}

/* ---- devices */

/* Slabs of 16 ranks have one exchange, and send 15/16 of the array. Pencils of 4x4 have two, and send 3/4
 * twice. But in slabs, a rank reads from 15 other ranks with a launch for each, and in pencils twice from
 * 3. */
TEST(a_device_takes_the_cheapest_grid)
{
    scene s;
    sx_base_knobs.fake = sx_device_fake_create(1);
    ck_assert_ok(set(&s, "c2c:64x64x64", 1, 16, "subx_memory_kind", SX_DEVICE_FAKE));
    ck_assert_ptr_eq(s.choice.device, &sx_device_fake);
    ck_assert_str_eq(s.choice.strategy->name, "device");
    s.machine.device_launch = 1;
    ck_assert_ok(sx_model_set_cheaper_grid(&s.choice));
    ck_assert_int_eq(s.choice.g, 2);
    s.machine.device_launch = 1e-9;
    s.machine.device_link = 1e6;
    ck_assert_ok(sx_model_set_cheaper_grid(&s.choice));
    ck_assert_int_eq(s.choice.g, 1);
    unset(&s);
}

/* The first stage transforms axes 1 and 2 with one launch; a wait counts as one more. The array of rank 0 has
 * 2x9x10 points. Then axis 0 is contiguous. */
TEST(stages_of_a_device_have_launches_and_bytes)
{
    const double element = 16;
    sx_price p[SX_NSTAGES_MAX];
    scene s;
    int n;
    sx_base_knobs.fake = sx_device_fake_create(1);
    ck_assert_ok(set(&s, "c2c:8x9x10", 1, 4, "subx_memory_kind", SX_DEVICE_FAKE));
    s.machine.device_launch = 1;
    (void)sx_model_get_price(&s.choice, p, &n);
    ck_assert_int_eq(n, 3);
    ck_assert_close(p[0].memory_bytes, 2 * 2 * element * 2 * 9 * 10);
    ck_assert_close(p[0].seconds, 2 + p[0].memory_bytes / s.machine.device_memory);
    ck_assert_close(p[1].load.bytes[SX_INSIDE], element * 2 * 9 * 10 * 3 / 4);
    ck_assert_close(p[2].memory_bytes, 2 * element * 8 * 3 * 10);
    ck_assert_close(p[2].seconds, 2 + p[2].memory_bytes / s.machine.device_memory);
    unset(&s);
}

/* A hint decides. Else messages need an MPI that takes addresses of devices, and an exchange that sends point
 * to point. */
TEST(the_carrier_between_devices_has_its_price)
{
    static const struct {
        const char *engine, *between, *carrier;
        int takes, is_staged;
    } c[] = {
        {"auto", "", "", 1, 0},           {"auto", "", "", 0, 1},         {"auto", "pairwise", "auto", 1, 0},
        {"node", "alltoallv", "", 1, 1},  {"pairwise", "", "", 1, 0},     {"kway", "", "", 1, 1},
        {"pairwise", "", "staged", 1, 1}, {"auto", "", "messages", 0, 0}, {"kway/pairwise", "", "", 1, 1}};
    scene s;
    double price[2];
    sx_base_knobs.fake = sx_device_fake_create(1);
    ck_assert_ok(set(&s, "c2c:64x64x64", 2, 2, "subx_memory_kind", SX_DEVICE_FAKE));
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        strcpy(s.choice.hints.engine, c[i].engine);
        strcpy(s.choice.hints.between, c[i].between);
        strcpy(s.choice.hints.device_carrier, c[i].carrier);
        s.choice.shared.takes_messages = c[i].takes;
        ck_assert_int_eq(sx_model_is_staged(&s.choice, 0), c[i].is_staged);
        price[c[i].is_staged] = sx_model_get_price(&s.choice, NULL, NULL);
    }
    ck_assert_int_eq(sx_model_is_staged(&s.choice, 1), 0);
    ck_assert_double_lt(price[0], price[1]);
    unset(&s);
}
