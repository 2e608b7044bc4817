/* simd.c - transforms of pencils side by side against the definition: every instruction set of the machine,
 * both precisions, all kinds, rows and lines. */
#include "simd/transform.h"
#include "serial/serial.h"
#include "common/random.h"
#include "common/unit.h"
#include "definition/definition.h"
#include "common/worst.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 2048, PENCILS_MAX = 34, DISTINCT = 3, GUARD = 8, PARTS_MAX = 3 };

/* The allowed error is tolerance * epsilon * (1 + levels) * the root mean square of the output. Rounding
 * errors grow with the number of levels at which numbers are multiplied and added (Higham, Accuracy and
 * Stability of Numerical Algorithms, theorem 24.2): log2(length). The length of a DCT-I or DST-I is that of
 * the real transform which defines it, about 2 n. A convolution (bluestein.c) has the levels of both of its
 * transforms. For n = 127 its error has a root mean square of 1.4 epsilon, but the error of an output grows
 * with the output: among 2 million outputs the largest error was 10 epsilon. */
static const long double tolerance = 1.5L;

/* A transform of one kind and length: a few pencils and their right results. The kind says whether the
 * numbers of a side are real or complex. */
typedef struct example {
    int kind, direction;
    ptrdiff_t n;
    long double in[DISTINCT][2 * LENGTH_MAX], out[DISTINCT][2 * LENGTH_MAX];
} example;

/* One execution on random memory. */
typedef struct trial {
    const example *e;
    int precision;
    ptrdiff_t pencils;
    int are_lines[2], is_in_place, is_far;
    int part_count[2]; /* [side]: parts of a line */
    double factor;
    ptrdiff_t bad; /* the index of a pencil that is all NaN, or -1 */
} trial;

static int is_real(int kind, int side)
{
    return sx_serial_is_r2r(kind) || kind == (side == SX_FROM ? SUBX_FFT_R2C : SUBX_FFT_C2R);
}

static ptrdiff_t get_width(int kind, int side)
{
    return is_real(kind, side) ? 1 : 2;
}

static ptrdiff_t get_length(const example *e, int side)
{
    const int is_half = e->kind == (side == SX_FROM ? SUBX_FFT_C2R : SUBX_FFT_R2C);
    return is_half ? e->n / 2 + 1 : e->n;
}

/* ---- examples */

/* Get a random number that every precision represents exactly. */
static long double get_random(test_random *r)
{
    return test_random_int(r, -0x40000, 0x40000) / (long double)0x40000;
}

/* Transform by the definition. Real sides have no imaginary parts. Real-to-real kinds have no direction: the
 * definition is called with direction forward. */
static void define(const example *e, const long double given[], long double result[])
{
    const int is_halved = e->kind == SUBX_FFT_R2C || e->kind == SUBX_FFT_C2R;
    const sx_definition_axis axis = {is_halved ? SUBX_FFT_R2C : e->kind, e->n, e->n, e->n};
    const ptrdiff_t in = get_width(e->kind, SX_FROM), out = get_width(e->kind, SX_TO);
    long double *pairs = calloc((size_t)e->n, 2 * sizeof *pairs);
    for (ptrdiff_t i = 0; i < in * get_length(e, SX_FROM); i++)
        pairs[i / in * 2 + i % in] = given[i];
    ck_assert_int_eq(sx_definition_execute(
                         1, &axis, sx_serial_is_r2r(e->kind) ? SUBX_FFT_FORWARD : e->direction, 0, &pairs),
                     0);
    for (ptrdiff_t i = 0; i < out * get_length(e, SX_TO); i++)
        result[i] = pairs[i / out * 2 + i % out];
    free(pairs);
}

static void make_example(test_random *r, int kind, int direction, ptrdiff_t n, example *e)
{
    e->kind = kind;
    e->direction = direction;
    e->n = n;
    for (int d = 0; d < DISTINCT; d++) {
        for (ptrdiff_t i = 0; i < 2 * n + 2 && i < 2 * LENGTH_MAX; i++)
            e->in[d][i] = get_random(r);
        define(e, e->in[d], e->out[d]);
    }
}

/* ---- memory */

/* Reals at any address. */
typedef float anywhere_float __attribute__((aligned(1)));
typedef double anywhere_double __attribute__((aligned(1)));

/* Reads a float or double. The functions of unit/real.h also read quads, and would take most of this test's
 * time. */
static long double get_real(int precision, const char *array, ptrdiff_t i)
{
    return precision == SUBX_FFT_FLOAT ? (long double)((const anywhere_float *)(const void *)array)[i]
                                       : (long double)((const anywhere_double *)(const void *)array)[i];
}

static void set_real(int precision, char *array, ptrdiff_t i, long double value)
{
    if (precision == SUBX_FFT_FLOAT)
        ((anywhere_float *)(void *)array)[i] = (float)value;
    else
        ((anywhere_double *)(void *)array)[i] = (double)value;
}

/* The memory of one side: rows or lines in a random order, with gaps between them. */
typedef struct memory {
    ptrdiff_t reals; /* number of reals in all of the memory */
    char *allocated;
    char *begin, *copy;       /* begin: the memory; copy: what the memory must contain outside the results */
    char *at[LENGTH_MAX + 1]; /* addresses of the rows or lines */
    ptrdiff_t length, width, bytes, pencils;
    int are_lines, part_count;
    sx_simd_part part[PARTS_MAX];
    ptrdiff_t before[PARTS_MAX]; /* [part]: reals of a line, and gaps, before this part */
} memory;

/* Divide lines into parts of random lengths, in a random order. */
static void set_parts(test_random *r, const trial *t, int side, memory *m)
{
    int order[PARTS_MAX] = {0};
    ptrdiff_t lo = 0;
    m->part_count = t->part_count[side];
    if (m->part_count > 1)
        test_random_permutation(r, m->part_count, order);
    for (int k = 0; k < m->part_count; k++) {
        const int left = m->part_count - 1 - k;
        const ptrdiff_t hi = left ? test_random_int(r, (int)lo + 1, (int)m->length - left) : m->length;
        m->part[order[k]] = (sx_simd_part){.lo = lo, .hi = hi};
        m->before[order[k]] = lo * m->width + GUARD * k;
        lo = hi;
    }
}

/* Get the part that has element i of a line. In place, lines of the other side may be longer than the last
 * part. */
static int find_part(const memory *m, ptrdiff_t i)
{
    int k = 0;
    while (k < m->part_count - 1 && (i < m->part[k].lo || i >= m->part[k].hi))
        k++;
    return k;
}

static void set_memory(test_random *r, const trial *t, int side, memory *m)
{
    int order[LENGTH_MAX + 1];
    m->bytes = sx_serial_get_real_bytes(t->precision);
    m->length = get_length(t->e, side);
    m->width = get_width(t->e->kind, side);
    m->are_lines = t->are_lines[side];
    m->pencils = t->pencils;
    const ptrdiff_t n = m->are_lines ? t->pencils : m->length;
    ptrdiff_t each = m->are_lines ? m->length : t->pencils;
    set_parts(r, t, side, m);
    /* in place, a line is long enough for either side */
    each = (t->is_in_place ? 2 * (each / 2 + 1) : each) * m->width + GUARD * m->part_count +
           test_random_int(r, 0, 3);
    m->reals = n * each + 2 * GUARD;
    /* half of the arrays begin at odd addresses */
    m->allocated = sx_base_alloc(m->reals + 1, (size_t)m->bytes);
    m->begin = m->allocated + test_random_int(r, 0, 1);
    m->copy = malloc((size_t)(m->reals * m->bytes));
    test_random_permutation(r, (int)n, order);
    for (int k = 0; k < m->part_count; k++)
        for (ptrdiff_t i = 0; i < n; i++)
            m->at[k * n + i] = m->begin + (GUARD + order[i] * each + 1 + m->before[k]) * m->bytes;
}

static void free_memory(memory *m)
{
    sx_base_free(m->allocated);
    free(m->copy);
}

/* Get the index in m->begin, in reals, of part w (0: real, 1: imaginary) of element i of pencil p. */
static ptrdiff_t get_index(const memory *m, ptrdiff_t p, ptrdiff_t i, ptrdiff_t w)
{
    if (!m->are_lines)
        return (m->at[i] - m->begin) / m->bytes + p * m->width + w;
    const int k = find_part(m, i);
    return (m->at[k * m->pencils + p] - m->begin) / m->bytes + (i - m->part[k].lo) * m->width + w;
}

/* Pencils are copies of the examples, each multiplied by this power of two. Neighbouring pencils have
 * different powers. */
static long double get_scale(ptrdiff_t pencil)
{
    return ldexpl(1, (int)(pencil * 7 % 5) - 2);
}

static void fill(const trial *t, const memory *m)
{
    for (ptrdiff_t i = 0; i < m->reals; i++)
        set_real(t->precision, m->begin, i, (long double)(1000 + i % 17));
    for (ptrdiff_t p = 0; p < t->pencils; p++) {
        const long double scale = get_scale(p);
        for (ptrdiff_t i = 0; i < m->length * m->width; i++)
            set_real(t->precision, m->begin, get_index(m, p, i / m->width, i % m->width),
                     p == t->bad ? (long double)NAN : t->e->in[p % DISTINCT][i] * scale);
    }
    memcpy(m->copy, m->begin, (size_t)(m->reals * m->bytes));
}

/* ---- trials */

static const char *describe(const trial *t)
{
    static char text[200];
    snprintf(
        text, sizeof text,
        "precision %d, kind %d, direction %d, n %td, %td pencils, lines %d %d, parts %d %d, in place %d, factor %g",
        t->precision, t->e->kind, t->e->direction, t->e->n, t->pencils, t->are_lines[0], t->are_lines[1],
        t->part_count[0], t->part_count[1], t->is_in_place, t->factor);
    return text;
}

/* Get the largest error of a pencil, relative to the root mean square of the pencil's results. */
static long double get_error(const trial *t, const memory *m, ptrdiff_t p)
{
    const ptrdiff_t n = m->length * m->width;
    const long double *right = t->e->out[p % DISTINCT], scale = get_scale(p) * t->factor;
    long double error = 0, sum = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const long double x = get_real(t->precision, m->begin, get_index(m, p, i / m->width, i % m->width));
        error = test_get_worse(error, fabsl(x - right[i] * scale));
        sum += right[i] * right[i] * scale * scale;
    }
    return sum > 0 ? error / sqrtl(sum / (long double)n) : error;
}

/* Expect that memory outside the results has not changed. If has_results is 0, no memory may have changed. */
static void check_rest(const trial *t, const memory *m, int has_results)
{
    for (ptrdiff_t p = 0; p < t->pencils && has_results; p++)
        for (ptrdiff_t i = 0; i < m->length * m->width; i++) {
            const ptrdiff_t k = get_index(m, p, i / m->width, i % m->width) * m->bytes;
            memcpy(m->copy + k, m->begin + k, (size_t)m->bytes);
        }
    ck_assert_msg(memcmp(m->begin, m->copy, (size_t)(m->reals * m->bytes)) == 0, "%s", describe(t));
}

/* Pencils in rows are divided into up to 4 batches. */
static ptrdiff_t get_nbatches(const trial *t)
{
    ptrdiff_t count = t->are_lines[0] || t->are_lines[1] ? 1 : 4;
    while (t->pencils % count != 0)
        count--;
    return count;
}

static void execute(const trial *t, sx_simd s, const memory *from, const memory *to)
{
    const ptrdiff_t count = get_nbatches(t), n = t->pencils / count;
    const sx_simd_side sides[2] = {{.are_lines = t->are_lines[0],
                                    .part_count = from->part_count,
                                    .part = from->part,
                                    .at = from->at,
                                    .step = n * from->width * from->bytes,
                                    .is_far = t->is_far},
                                   {.are_lines = t->are_lines[1],
                                    .part_count = to->part_count,
                                    .part = to->part,
                                    .at = to->at,
                                    .step = n * to->width * to->bytes}};
    const ptrdiff_t bytes = sx_simd_get_bytes(s);
    char *work = sx_base_alloc(bytes + GUARD, 1);
    memset(work, 0xff, (size_t)(bytes + GUARD));
    sx_simd_execute(s, n, count, &sides[0], &sides[1], work);
    for (int i = 0; i < GUARD; i++)
        ck_assert_msg(work[bytes + i] == (char)0xff, "%s", describe(t));
    sx_base_free(work);
}

static long double get_allowed(const trial *t, sx_simd s)
{
    const int is_doubled = t->e->kind == SUBX_FFT_DCT1 || t->e->kind == SUBX_FFT_DST1;
    const long double levels = is_doubled + log2l((long double)t->e->n),
                      more = s->number ? 0 : log2l((long double)s->core.n);
    return tolerance * (t->precision == SUBX_FFT_FLOAT ? FLT_EPSILON : DBL_EPSILON) * (1 + levels + more);
}

static void check(test_random *r, sx_simd s, const trial *t)
{
    const long double allowed = get_allowed(t, s);
    memory m[2];
    set_memory(r, t, SX_FROM, &m[0]);
    fill(t, &m[0]);
    if (t->is_in_place) {
        m[1] = m[0];
        m[1].length = get_length(t->e, SX_TO);
        m[1].width = get_width(t->e->kind, SX_TO);
    } else {
        set_memory(r, t, SX_TO, &m[1]);
        trial empty = *t;
        empty.pencils = 0;
        fill(&empty, &m[1]);
    }
    execute(t, s, &m[0], &m[1]);
    for (ptrdiff_t p = 0; p < t->pencils; p++)
        ck_assert_msg(p == t->bad || get_error(t, &m[1], p) <= allowed, "%s, pencil %td: %Lg, allowed %Lg",
                      describe(t), p, get_error(t, &m[1], p), allowed);
    check_rest(t, &m[1], 1);
    if (!t->is_in_place) {
        check_rest(t, &m[0], 0);
        free_memory(&m[1]);
    }
    free_memory(&m[0]);
}

/* Get the number of parts of a line: usually 1. Lines of reals are not divided. */
static int choose_nparts(test_random *r, const trial *t, int side)
{
    const ptrdiff_t length = get_length(t->e, side);
    if (!t->are_lines[side] || is_real(t->e->kind, side))
        return 1;
    const int part_count = test_random_int(r, 0, 1) ? 1 : test_random_int(r, 1, PARTS_MAX);
    return part_count < length ? part_count : (int)length;
}

/* A transform can be in place if both sides have lines, or if both have rows of the same length. Rows of
 * reals are shorter than rows of complex numbers. */
static int can_be_in_place(const trial *t)
{
    return t->are_lines[0] == t->are_lines[1] &&
           (t->are_lines[0] || get_width(t->e->kind, SX_FROM) == get_width(t->e->kind, SX_TO));
}

static void check_sides(test_random *r, sx_simd s, trial t)
{
    for (int k = 0; k < 8; k++) {
        t.are_lines[0] = k & 1;
        t.are_lines[1] = k >> 1 & 1;
        t.is_in_place = k >> 2;
        t.is_far = test_random_int(r, 0, 1);
        for (int side = 0; side < 2; side++)
            t.part_count[side] = choose_nparts(r, &t, side);
        if (t.is_in_place)
            t.part_count[1] = t.part_count[0] =
                t.part_count[0] < t.part_count[1] ? t.part_count[0] : t.part_count[1];
        if (!t.is_in_place || can_be_in_place(&t))
            check(r, s, &t);
    }
}

/* Check a transform for different numbers of pencils, at most 2 * lanes + 1; a register has `lanes` pencils.
 * Short pencils are checked for each of these numbers, longer ones for a random number. Then one pencil of 2
 * * lanes + 1 is all NaN. It must not change the other pencils. */
static void check_pencils(test_random *r, const example *e, int set, int precision, double factor)
{
    const sx_simd_problem p = {precision, e->kind, e->direction, e->n, factor, test_random_int(r, 0, 1), set};
    trial t = {.e = e, .precision = precision, .factor = factor, .bad = -1};
    sx_simd s;
    ck_assert_ok(sx_simd_create(&p, &s));
    const int lanes = sx_simd_get_lanes(s), all = 2 * lanes + 1;
    ck_assert_int_eq(sx_simd_get_length(s, SX_FROM), get_length(e, SX_FROM));
    ck_assert_int_eq(sx_simd_get_length(s, SX_TO), get_length(e, SX_TO));
    for (t.pencils = 1; t.pencils <= all && e->n <= 8; t.pencils++)
        check_sides(r, s, t);
    if (e->n > 8) {
        t.pencils = test_random_int(r, 1, all);
        check_sides(r, s, t);
    }
    t.pencils = all;
    t.bad = test_random_int(r, 0, all - 1);
    check_sides(r, s, t);
    sx_simd_free(&s);
    ck_assert_ptr_null(s);
}

/* Check a length with every instruction set in both precisions. */
static void check_length(test_random *r, int kind, int direction, ptrdiff_t n)
{
    static example e;
    make_example(r, kind, direction, n, &e);
    for (int i = 0; sx_simd_get_name(i); i++)
        for (int precision = SUBX_FFT_FLOAT; precision <= SUBX_FFT_DOUBLE; precision++) {
            check_pencils(r, &e, i, precision, 1);
            if (n % 3 == 0 || n < 8)
                check_pencils(r, &e, i, precision, 1 / (double)(n + 1));
        }
}

static const ptrdiff_t lengths[] = {72,  77,  81,  97,  100, 113, 120, 121, 126, 127, 128,
                                    169, 202, 210, 243, 256, 289, 331, 360, 512, 1009};

static void check_kind(int kind, int direction)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)(2 * kind + (direction > 0)));
    for (ptrdiff_t n = kind == SUBX_FFT_DCT1 ? 2 : 1; n <= 64; n++)
        check_length(&r, kind, direction, n);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_length(&r, kind, direction, lengths[i]);
}

/* apart: how far apart the lengths of long lines are */
static const struct {
    int kind, direction;
    ptrdiff_t apart;
} ways[] = {{SUBX_FFT_C2C, SUBX_FFT_FORWARD, 8},
            {SUBX_FFT_C2C, SUBX_FFT_BACKWARD, 8},
            {SUBX_FFT_R2C, SUBX_FFT_FORWARD, 16},
            {SUBX_FFT_C2R, SUBX_FFT_BACKWARD, 16}};

TESTS(complex_and_real, 0, 4)
{
    check_kind(ways[_i].kind, ways[_i].direction);
}

/* Lines of many of these lengths are transformed in several steps, without being transposed. */
TESTS(long_lines, 0, 4)
{
    const int kind = ways[_i].kind, direction = ways[_i].direction;
    const ptrdiff_t apart = ways[_i].apart;
    test_random r = test_random_stream(test_random_seed(), (uint64_t)(200 + 2 * kind + (direction > 0)));
    for (ptrdiff_t n = 12 * apart; n <= 64 * apart; n += apart)
        check_length(&r, kind, direction, n);
    for (ptrdiff_t n = 640; n <= LENGTH_MAX; n += 256)
        check_length(&r, kind, direction, n);
}

TESTS(real_to_real, SUBX_FFT_DCT1, SUBX_FFT_HC2R + 1)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)(100 + _i));
    check_kind(_i, SUBX_FFT_FORWARD);
    for (ptrdiff_t n = 65; n <= 130; n += 5)
        check_length(&r, _i, SUBX_FFT_FORWARD, n);
}

/* ---- prefetching */

/* A kernel prefetches `lines` lines per butterfly of a large radix, row after row, and counts these
 * butterflies. */
static void check_prefetch(sx_simd s, ptrdiff_t lines)
{
    enum { N = 128, PENCILS = 16, LINE = 64 };
    static double from[N][2 * PENCILS], to[N][2 * PENCILS];
    static char ahead[3 * LINE];
    const sx_simd_row rows[] = {{ahead + LINE, ahead + 3 * LINE}, {NULL, NULL}};
    sx_simd_prefetch p = {.row = {ahead, ahead + LINE / 2}, .next = rows, .lines = lines};
    char *at[2][N];
    void *work = sx_base_alloc(sx_simd_get_bytes(s), 1);
    for (int j = 0; j < N; j++) {
        at[SX_FROM][j] = (char *)from[j];
        at[SX_TO][j] = (char *)to[j];
    }
    const sx_simd_side side[] = {
        [SX_FROM] = {.at = at[SX_FROM], .prefetch = &p}, [SX_TO] = {.at = at[SX_TO]}};
    sx_simd_execute(s, PENCILS, 1, &side[SX_FROM], &side[SX_TO], work);
    ck_assert_int_gt(p.butterflies, 2);
    ck_assert_int_eq(p.lines, 0);
    ck_assert_ptr_null(p.row.at);
    ck_assert_ptr_eq(p.next, rows + 2);
    sx_base_free(work);
}

TEST(kernels_prefetch)
{
    sx_simd s;
    for (int set = 0; sx_simd_get_name(set); set++) {
        const sx_simd_problem q = {.precision = SUBX_FFT_DOUBLE,
                                   .kind = SUBX_FFT_C2C,
                                   .direction = SUBX_FFT_FORWARD,
                                   .n = 128,
                                   .factor = 1,
                                   .set = set};
        ck_assert_ok(sx_simd_create(&q, &s));
        check_prefetch(s, 1);
        check_prefetch(s, 5);
        sx_simd_free(&s);
    }
}

TEST(what_is_not_served)
{
    static const sx_simd_problem problems[] = {
        {SUBX_FFT_LONG_DOUBLE, SUBX_FFT_C2C, SUBX_FFT_FORWARD, 8, 1, 0, 0},
        {SUBX_FFT_DOUBLE, SUBX_FFT_C2C, SUBX_FFT_FORWARD, 0, 1, 0, 0},
        {SUBX_FFT_DOUBLE, SUBX_FFT_NONE, SUBX_FFT_FORWARD, 8, 1, 0, 0},
        {SUBX_FFT_DOUBLE, SUBX_FFT_DCT1, SUBX_FFT_FORWARD, 1, 1, 0, 0}};
    for (int i = 0; i < 4; i++) {
        sx_simd s = (sx_simd)&s;
        ck_assert_kind(sx_simd_create(&problems[i], &s), SUBX_ERR_UNAVAILABLE);
        ck_assert_ptr_null(s);
    }
}

TEST(equal_transforms_are_shared)
{
    sx_simd a, b, c;
    const sx_simd_problem p = {SUBX_FFT_FLOAT, SUBX_FFT_R2C, SUBX_FFT_FORWARD, 30, 1, 0, 0},
                          q = {SUBX_FFT_FLOAT, SUBX_FFT_R2C, SUBX_FFT_FORWARD, 30, 2, 0, 0};
    ck_assert_ok(sx_simd_create(&p, &a));
    ck_assert_ok(sx_simd_create(&q, &b));
    ck_assert_ok(sx_simd_create(&p, &c));
    ck_assert_ptr_eq(a, c);
    ck_assert_ptr_ne(a, b);
    sx_simd_free(&a);
    ck_assert_int_eq(sx_simd_get_length(c, SX_TO), 16);
    sx_simd_free(&b);
    sx_simd_free(&c);
    sx_simd_free(&c);
}

/* Let the first allocation fail, then the second, and so on, until the creation succeeds. */
static void check_memory(const sx_simd_problem *p)
{
    sx_simd s = NULL;
    long left = 0;
    for (long k = 0; !s; k++) {
        sx_base_fail_after(k);
        int rc = sx_simd_create(p, &s);
        left = sx_base_fail_after(-1);
        if (left < 0)
            ck_assert_kind(rc, SUBX_ERR_NO_MEM);
        ck_assert_int_eq(rc == MPI_SUCCESS, s != NULL);
    }
    sx_simd_free(&s);
}

TEST(memory_that_is_missing)
{
    static const int kinds[] = {SUBX_FFT_C2C,  SUBX_FFT_R2C,  SUBX_FFT_C2R,  SUBX_FFT_DCT1, SUBX_FFT_DCT2,
                                SUBX_FFT_DCT4, SUBX_FFT_DST1, SUBX_FFT_DST3, SUBX_FFT_DHT};
    static const ptrdiff_t some[] = {12, 15, 34, 302, 768};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            const sx_simd_problem p = {SUBX_FFT_DOUBLE, kinds[k], SUBX_FFT_FORWARD, some[i], 1, 0, 0};
            check_memory(&p);
        }
}

/* The library must find all instruction sets of the machine: the tests above only test what the library
 * finds. */
TEST(instruction_sets_of_the_machine)
{
    int n = 0;
    while (sx_simd_get_name(n))
        n++;
#ifdef __GNUC__
    ck_assert_int_gt(n, 0);
    ck_assert_str_eq(sx_simd_get_name(n - 1), "vector128");
#ifdef __x86_64__
    const int has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                           __builtin_cpu_supports("avx512vl");
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    ck_assert_int_eq(n, 1 + !!has_avx2 + !!has_avx512);
#endif
#endif
}
