/* huge_fft.c - plans of 2^32 and more elements: the boxes and blocks that ranks would have. No arrays are
 * allocated. */
#include "common/boxes.h"
#include "common/hints.h"
#include "common/unit.h"
#include "decision/decision.h"
#include "fused/fused.h"
#include <stdint.h>
#include <string.h>

static subx_fft_problem parse(const char *text)
{
    subx_fft_problem p;
    ck_assert_ok(subx_fft_problem_parse(text, &p));
    return p;
}

/* ---- plans on one rank, which allocate no more than the buffers of tiles */

static void check_plan(const char *text, ptrdiff_t bytes)
{
    subx_fft_problem p = parse(text);
    subx_fft_plan plan;
    ptrdiff_t work;
    ck_assert_ok(subx_fft_plan_create_problem(MPI_COMM_SELF, p, MPI_INFO_NULL, &plan));
    for (int side = 0; side < 2; side++) {
        ptrdiff_t alloc;
        ck_assert_ok(subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &alloc));
        ck_assert_int_eq(alloc, bytes);
    }
    ck_assert_ok(subx_fft_plan_get_work(plan, &work));
    ck_assert(work < 64 << 20);
    ck_assert_ok(subx_fft_plan_free(&plan));
    subx_fft_problem_free(&p);
}

TEST(plans_on_one_rank)
{
    const ptrdiff_t n = (ptrdiff_t)1 << 33;
    check_plan("c2c:2048x2048x2048", 16 * n);
    check_plan("c2c.f32:2048x2048x2048", 8 * n);
    check_plan("dct2:2048x2048x2048", 8 * n);
    check_plan("8*c2c:1024x1024x1024", 16 * n);
    check_plan("c2c:1024x1024x1024*8", 16 * n);
    check_plan("c2c,-,c2c:65536x2x65536", 16 * n);
}

/* ---- plans on several ranks: this single process creates the stages of one rank after the other */

enum { RANKS_MAX = 6 };

typedef struct seen {
    struct subx_fft_plan_s plan;
    sx_fused fused;
    sx_fused_pass pass[SX_NSTAGES_MAX];
    sx_fused_pipe pipe[SX_NSTAGES_MAX];
    subx_fft_problem problem;
    int nranks;
} seen;

/* Create the stages of rank 0. see_as turns them into the stages of another rank. */
static void create_stages(seen *s)
{
    static const int coords[SUBX_NDIMS_MAX] = {0};
    sx_base_free(s->plan.stage);
    ck_assert_ok(sx_stages_create(&s->plan.choice, coords, &s->plan.nstages, &s->plan.stage));
    for (int i = 0; i < s->plan.nstages; i++)
        s->pipe[i].nslices = 1;
}

static void create_seen(seen *s, const char *text, const char *grid, int nranks)
{
    memset(s, 0, sizeof *s);
    s->problem = parse(text);
    s->nranks = nranks;
    s->plan.state = &s->fused;
    s->fused.pass = s->pass;
    s->fused.pipe = s->pipe;
    MPI_Info hints = test_hints("grid=%s", grid);
    ck_assert_ok(sx_decision_set(&s->plan.choice, s->problem, nranks, hints));
    MPI_Info_free(&hints);
    create_stages(s);
}

static void free_seen(seen *s)
{
    sx_base_free(s->plan.stage);
    subx_fft_problem_free(&s->problem);
}

static void see_as(seen *s, int rank)
{
    const sx_choice *c = &s->plan.choice;
    int coords[SUBX_NDIMS_MAX];
    for (int k = c->g - 1; k >= 0; k--) {
        coords[k] = rank % c->dims[k];
        rank /= c->dims[k];
    }
    for (int i = 0; i < s->plan.nstages; i++) {
        ck_assert_ok(sx_box_set_local(&s->plan.stage[i].from, c->dims, coords));
        ck_assert_ok(sx_box_set_local(&s->plan.stage[i].to, c->dims, coords));
    }
}

static ptrdiff_t get_volume(int ndims, const ptrdiff_t len[])
{
    ptrdiff_t volume = 1;
    for (int i = 0; i < ndims; i++)
        volume *= len[i];
    return volume;
}

/* Get the bytes of the blocks that a rank sends (side SX_FROM) or receives (SX_TO) in stage i, direction d.
 * Expects that the regions of the blocks fill the rank's box, and that each block has enough bytes for its
 * regions. */
static void get_blocks(seen *s, int rank, int i, int d, int side, ptrdiff_t bytes[])
{
    const sx_stage *stage = &s->plan.stage[i];
    sx_fused_blocks b;
    ptrdiff_t volume = 0;
    see_as(s, rank);
    const sx_box *box = sx_stage_get_box(stage, d, side);
    ck_assert_ok(sx_fused_blocks_create(&s->plan, i, d, side, &b));
    memcpy(bytes, b.bytes, (size_t)b.nplaces * sizeof *bytes);
    for (int k = 0; k < b.nregions; k++) {
        const sx_region *r = &b.region[k];
        const ptrdiff_t v = get_volume(box->ndims, r->len);
        ptrdiff_t end = 0;
        ck_assert_ok(sx_array_get_bytes(box->ndims, 0, r->len, r->stride, box->element, &end));
        ck_assert(r->offset >= 0 && r->offset + end <= bytes[r->place]);
        ck_assert(end >= v * box->element);
        for (int a = 0; a < box->ndims; a++)
            ck_assert(r->start[a] >= 0 && r->start[a] + r->len[a] <= box->len[a]);
        volume += v;
    }
    ck_assert_int_eq(volume, get_volume(box->ndims, box->len));
    sx_fused_blocks_free(&b);
}

/* Check the exchange of stage i in direction d: rank r must send as many bytes to rank q as q receives from
 * r. The grid has one dimension. Returns the bytes of the longest block. */
static ptrdiff_t check_exchange(seen *s, int i, int d)
{
    ptrdiff_t sent[RANKS_MAX][RANKS_MAX], received[RANKS_MAX][RANKS_MAX], longest = 0;
    for (int r = 0; r < s->nranks; r++) {
        get_blocks(s, r, i, d, SX_FROM, sent[r]);
        get_blocks(s, r, i, d, SX_TO, received[r]);
    }
    for (int r = 0; r < s->nranks; r++)
        for (int q = 0; q < s->nranks; q++) {
            ck_assert_int_eq(sent[r][q], received[q][r]);
            longest = sent[r][q] > longest ? sent[r][q] : longest;
        }
    return (ptrdiff_t)longest;
}

static void check_ranks(const char *text, int nranks, ptrdiff_t least)
{
    seen s;
    int count = 0;
    create_seen(&s, text, "0", nranks);
    for (int i = 0; i < s.plan.nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&s.plan.stage[i]); d++) {
            ck_assert_int_ge(check_exchange(&s, i, d), least);
            count++;
        }
    ck_assert_int_eq(count, 2);
    free_seen(&s);
}

TEST(blocks_between_ranks)
{
    const ptrdiff_t n = (ptrdiff_t)1 << 33;
    check_ranks("c2c:2048x2048x2048", 2, 4 * n);
    check_ranks("c2c.f32:2048x2048x2048", 3, 8 * n / 9);
    check_ranks("c2c:3000000019x3x2", 2, (ptrdiff_t)16 * 1500000009);
    check_ranks("c2c:3x2x3000000019", 3, (ptrdiff_t)16 * 3000000019);
    check_ranks("r2c:2049x2047x4099", 5, n / 25);
    check_ranks("8*c2c:1025x1023x1024", 6, 16 * n / 40);
    check_ranks("c2c:5x5>5x5*536870912", 5, (ptrdiff_t)16 * 536870912);
}

/* On a grid of two dimensions, the boxes of all ranks together have as many elements as the array, at the
 * first stage and at the last. */
TEST(boxes_of_pencils)
{
    seen s;
    ptrdiff_t volume[2] = {0, 0};
    create_seen(&s, "c2c:2050x2047x4099/physical-block=1025x0x0", "2x3", 6);
    for (int r = 0; r < 6; r++) {
        see_as(&s, r);
        for (int i = 0; i < s.plan.nstages; i++)
            ck_assert_int_eq(s.plan.stage[i].to.bytes, 16 * get_volume(3, s.plan.stage[i].to.len));
        volume[0] += get_volume(3, s.plan.stage[0].from.len);
        volume[1] += get_volume(3, s.plan.stage[s.plan.nstages - 1].to.len);
    }
    for (int side = 0; side < 2; side++)
        ck_assert_int_eq(volume[side], (ptrdiff_t)2050 * 2047 * 4099);
    free_seen(&s);
}

/* ---- boxes of callers */

/* Rank 0 has two boxes, rank 1 has one. An exchange moves them to the blocks of the grid. */
TEST(boxes_of_callers)
{
    const ptrdiff_t n = 3000000019, half = 1500000000;
    seen s;
    sx_edge_box boxes[3] = {{.start = {0, 0}, .len = {half, 2}, .stride = {2, 1}},
                            {.start = {half, 0}, .len = {n - half, 1}, .stride = {1, 1}, .offset = 2 * half},
                            {.start = {half, 1}, .len = {n - half, 1}, .stride = {1, 1}}};
    ptrdiff_t first[] = {0, 2, 3};
    sx_edge edge = {.nranks = 2, .first = first, .box = boxes};
    ptrdiff_t to[2][RANKS_MAX];
    create_seen(&s, "c2c:3000000019x2", "0", 2);
    s.plan.choice.edge[SUBX_FFT_PHYSICAL] = &edge;
    create_stages(&s);
    ck_assert(sx_stage_is_exchange(&s.plan.stage[1]));
    for (int r = 0; r < 2; r++) {
        sx_fused_blocks b;
        edge.rank = r;
        see_as(&s, r);
        ck_assert_ok(sx_fused_blocks_create(&s.plan, 1, SX_FORWARD, SX_FROM, &b));
        ptrdiff_t volume = 0;
        for (int k = 0; k < b.nregions; k++)
            volume += get_volume(2, b.region[k].len);
        ck_assert_int_eq(volume, r ? n - half : n + half);
        sx_fused_blocks_free(&b);
        get_blocks(&s, r, 1, SX_FORWARD, SX_TO, to[r]);
        ck_assert(to[r][0] + to[r][1] >= 16 * (n - 1));
    }
    free_seen(&s);
}

/* The array has a single axis, which is factored into N0 x N1. A rank's boxes are intervals of the axis. In
 * the matrix of N0 x N1 elements each interval consists of at most three boxes, which follow each other. */
TEST(intervals_of_an_axis)
{
    const ptrdiff_t n = (ptrdiff_t)1 << 34, cut = 5000000001, starts[] = {0, cut}, lens[] = {cut, n - cut};
    subx_fft_problem p = parse("3*c2c:17179869184");
    sx_array a;
    sx_edge *e;
    ptrdiff_t next = 0;
    for (int side = 0; side < 2; side++)
        ck_assert_ok(test_boxes_set(p, side, 2, starts, lens, NULL));
    ck_assert_ok(sx_array_set(&a, p, 7, "auto"));
    ck_assert(a.axis[0].n == 1 << 17 && a.axis[1].n == 1 << 17);
    for (int side = 0; side < 2; side++, next = 0) {
        const int fast = side == SUBX_FFT_PHYSICAL;
        ck_assert_ok(sx_edge_create(MPI_COMM_SELF, &a, p, side, NULL, &e));
        ck_assert_int_eq(e->bytes, 3 * 16 * n);
        ck_assert(e->first[1] <= 6);
        for (ptrdiff_t i = 0; i < e->first[1]; i++) {
            const sx_edge_box *b = &e->box[i];
            const ptrdiff_t at = b->start[!fast] * a.axis[fast].n + b->start[fast];
            ck_assert_int_eq(at, next);
            ck_assert_int_eq(b->offset, next < cut ? next : next + 2 * cut);
            next += b->len[0] * b->len[1];
        }
        ck_assert_int_eq(next, n);
        sx_edge_free(&e);
    }
    subx_fft_problem_free(&p);
}

/* ---- beyond 63 bits */

TEST(strides_beyond_63_bits)
{
    const ptrdiff_t len[] = {3, 5}, fits[] = {(ptrdiff_t)1 << 58, 1}, far[] = {(ptrdiff_t)1 << 60, 1},
                    farther[] = {(ptrdiff_t)1 << 62, 1};
    ptrdiff_t bytes;
    ck_assert_ok(sx_array_get_bytes(2, 0, len, fits, 8, &bytes));
    ck_assert_int_eq(bytes, 8 * (((ptrdiff_t)1 << 59) + 5));
    ck_assert_kind(sx_array_get_bytes(2, 0, len, far, 8, &bytes), SUBX_ERR_TOO_LARGE);
    ck_assert_kind(sx_array_get_bytes(2, 0, len, farther, 1, &bytes), SUBX_ERR_TOO_LARGE);
    ck_assert_kind(sx_array_get_bytes(2, PTRDIFF_MAX - 3, len, fits, 1, &bytes), SUBX_ERR_TOO_LARGE);
}

TEST(parts_of_long_axes)
{
    const ptrdiff_t n = INT64_MAX - 7;
    ptrdiff_t len, start, total = 0;
    for (int r = 0; r < 5; r++) {
        sx_array_get_part(n, (ptrdiff_t)1 << 61, 5, r, &len, &start);
        ck_assert_int_eq(start, total);
        total += len;
    }
    ck_assert_int_eq(total, n);
    sx_array_get_part(n, (ptrdiff_t)1 << 61, 2000000000, 1999999999, &len, &start);
    ck_assert(len == 0 && start == n);
}
