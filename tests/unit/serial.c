/* serial.c - every serial backend in the table against the definition, for random axes, loops, strides, kinds
 * and precisions. */
#include "common/random.h"
#include "common/unit.h"
#include "definition/definition.h"
#include "unit/real.h"
#include "common/worst.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <subx_tune.h>

/* A single axis has at most LENGTH_ALONE elements. If there are two axes, each has at most LENGTH_MAX. */
enum { DIMS = 4, LENGTH_MAX = 9, LENGTH_ALONE = 40, CASES = 30 };

/* The allowed error, in units of epsilon times the root mean square of the output. */
static const long double tolerance = 32;

/* Get the length of a dimension on one side. Only the last axis of R2C and C2R is shorter on the spectral
 * side. */
static ptrdiff_t get_length(const sx_serial_problem *p, int d, int is_axis, int is_spectral)
{
    const int is_halved =
        (p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R) && is_axis && d == p->naxes - 1;
    ptrdiff_t n = is_axis ? p->axis[d].n : p->loop[d].n;
    return is_halved && is_spectral ? n / 2 + 1 : n;
}

/* Returns 1 for the spectral side: the input of C2R, the output of all other kinds. */
static int is_spectral_side(const sx_serial_problem *p, int is_out)
{
    return is_out == (p->kind != SUBX_FFT_C2R);
}

static int is_real_side(const sx_serial_problem *p, int is_out)
{
    return sx_serial_is_r2r(p->kind) || p->kind == (is_out ? SUBX_FFT_C2R : SUBX_FFT_R2C);
}

/* Give one side the strides of an array whose axes and loops lie in memory in a random order, with gaps.
 * Returns the number of elements that the array spans in memory. */
static ptrdiff_t spread(test_random *r, sx_serial_problem *p, int is_out)
{
    const int nd = p->naxes + p->nloops;
    int order[DIMS];
    ptrdiff_t stride = 1;
    test_random_permutation(r, nd, order);
    for (int i = 0; i < nd; i++) {
        const int is_axis = order[i] < p->naxes, d = is_axis ? order[i] : order[i] - p->naxes;
        sx_dim *dim = is_axis ? &p->axis[d] : &p->loop[d];
        if (is_out)
            dim->os = stride;
        else
            dim->is = stride;
        stride *= get_length(p, d, is_axis, is_spectral_side(p, is_out));
        stride += test_random_int(r, 0, 3) ? 0 : test_random_int(r, 0, 3);
    }
    return stride;
}

static sx_serial_problem make(test_random *r, int precision, int kind, int direction)
{
    sx_serial_problem p = {.precision = precision, .kind = kind, .direction = direction};
    p.naxes = sx_serial_is_r2r(kind) ? 1 : test_random_int(r, 1, 2);
    p.nloops = test_random_int(r, 0, 2);
    for (int i = 0; i < p.naxes; i++)
        p.axis[i].n =
            test_random_int(r, kind == SUBX_FFT_DCT1 ? 2 : 1, p.naxes == 1 ? LENGTH_ALONE : LENGTH_MAX);
    for (int i = 0; i < p.nloops; i++)
        p.loop[i].n = test_random_int(r, 1, 4);
    p.any_alignment = test_random_int(r, 0, 1);
    p.keep_input = kind != SUBX_FFT_C2R && test_random_int(r, 0, 1);
    return p;
}

/* ---- one iteration of the loops: a transform of a whole array in C order, complex on both sides */

static ptrdiff_t get_place(const sx_serial_problem *p, ptrdiff_t index, const ptrdiff_t n[], int is_out)
{
    ptrdiff_t place = 0;
    for (int a = p->naxes - 1; a >= 0; a--) {
        place += index % n[a] * (is_out ? p->axis[a].os : p->axis[a].is);
        index /= n[a];
    }
    return place;
}

static ptrdiff_t get_loop_place(const sx_serial_problem *p, ptrdiff_t index, int is_out)
{
    ptrdiff_t place = 0;
    for (int l = 0; l < p->nloops; l++) {
        place += index % p->loop[l].n * (is_out ? p->loop[l].os : p->loop[l].is);
        index /= p->loop[l].n;
    }
    return place;
}

static ptrdiff_t get_lengths(const sx_serial_problem *p, int is_spectral, ptrdiff_t n[])
{
    ptrdiff_t count = 1;
    for (int a = 0; a < p->naxes; a++)
        count *= n[a] = get_length(p, a, 1, is_spectral);
    return count;
}

static ptrdiff_t get_loops(const sx_serial_problem *p)
{
    ptrdiff_t loops = 1;
    for (int l = 0; l < p->nloops; l++)
        loops *= p->loop[l].n;
    return loops;
}

/* The input of one iteration of the loops, and its right output. Each array has the lengths of its side. */
typedef struct pair {
    long double complex *in, *out;
} pair;

/* Get a random number that every precision represents exactly. The sums of such numbers are exact, too. */
static long double get_random(test_random *r)
{
    return test_random_int(r, -0x40000, 0x40000) / (long double)0x40000;
}

/* Transform by the definition. Real-to-real kinds have no direction: the inverse of a kind is another kind, such
 * as DCT-III for DCT-II. */
static long double complex *define(const sx_serial_problem *p, int direction, const long double complex *in)
{
    const int is_halved = p->kind == SUBX_FFT_R2C || p->kind == SUBX_FFT_C2R;
    sx_definition_axis axes[DIMS];
    ptrdiff_t n[DIMS], count = get_lengths(p, is_halved && direction == SUBX_FFT_BACKWARD, n);
    long double *pairs = malloc((size_t)count * sizeof *in);
    memcpy(pairs, in, (size_t)count * sizeof *in);
    (void)get_lengths(p, 0, n);
    for (int a = 0; a < p->naxes; a++)
        axes[a] = (sx_definition_axis){is_halved ? SUBX_FFT_C2C : p->kind, n[a], n[a], n[a]};
    if (is_halved)
        axes[p->naxes - 1].kind = SUBX_FFT_R2C;
    ck_assert_int_eq(sx_definition_execute(p->naxes, axes, direction, 0, &pairs), 0);
    return (long double complex *)pairs;
}

/* The input of C2R is the spectrum of random real data. */
static pair make_pair(test_random *r, const sx_serial_problem *p)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, 0, n);
    const int is_back = p->kind == SUBX_FFT_C2R;
    pair x = {.in = malloc((size_t)count * sizeof *x.in)};
    for (ptrdiff_t i = 0; i < count; i++) {
        x.in[i] = get_random(r);
        if (!is_real_side(p, 0) && !is_back)
            x.in[i] += I * get_random(r);
    }
    if (is_back) {
        long double complex *spectrum = define(p, SUBX_FFT_FORWARD, x.in);
        free(x.in);
        x.in = spectrum;
        for (ptrdiff_t i = 0; i < get_lengths(p, 1, n); i++)
            x.in[i] /= sqrtl((long double)count);
    }
    x.out = define(p,
                   p->kind == SUBX_FFT_C2C ? p->direction
                   : is_back               ? SUBX_FFT_BACKWARD
                                           : SUBX_FFT_FORWARD,
                   x.in);
    return x;
}

/* ---- one problem on one backend */

/* The memory for one problem. In place, `out` equals `in`. */
typedef struct arrays {
    char *in, *out, *first; /* first: the output of the first backend in the table */
    size_t in_bytes, out_bytes;
} arrays;

static void fill(const sx_serial_problem *p, const pair *pairs, void *in)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, is_spectral_side(p, 0), n);
    const int width = is_real_side(p, 0) ? 1 : 2;
    for (ptrdiff_t l = 0; l < get_loops(p); l++)
        for (ptrdiff_t i = 0; i < count; i++) {
            const ptrdiff_t place = width * (get_loop_place(p, l, 0) + get_place(p, i, n, 0));
            test_real_set(p->precision, in, place, creall(pairs[l].in[i]));
            if (width == 2)
                test_real_set(p->precision, in, place + 1, cimagl(pairs[l].in[i]));
        }
}

/* Get the largest distance of the output from the right output (error), and from the first backend's output
 * (difference). */
static void compare(const sx_serial_problem *p, const pair *pairs, const void *out, const void *first,
                    long double *error, long double *difference)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, is_spectral_side(p, 1), n);
    const int width = is_real_side(p, 1) ? 1 : 2;
    *error = *difference = 0;
    for (ptrdiff_t l = 0; l < get_loops(p); l++)
        for (ptrdiff_t i = 0; i < width * count; i++) {
            const ptrdiff_t place = get_loop_place(p, l, 1) + get_place(p, i / width, n, 1);
            const test_real x = test_real_get(p->precision, out, width * place + i % width);
            const long double complex y = pairs[l].out[i / width];
            *error = test_get_worse(*error, test_real_distance(x, i % width ? cimagl(y) : creall(y)));
            *difference = test_get_worse(
                *difference,
                test_real_distance(x, test_real_get(p->precision, first, width * place + i % width)));
        }
}

/* Plan and execute a problem with a backend. If any_alignment is set, the backend executes on addresses that
 * are one real number behind the addresses for which it planned. */
static void check_backend(const sx_serial *backend, const sx_serial_problem *p, const pair *pairs,
                          const arrays *a)
{
    void *state = NULL;
    ptrdiff_t n[DIMS], count = get_lengths(p, 0, n);
    const ptrdiff_t shift = p->any_alignment ? sx_serial_get_real_bytes(p->precision) : 0;
    const long double epsilon = test_real_epsilon(p->precision),
                      allowed = tolerance * sqrtl((long double)count);
    long double error, difference;
    char *kept = malloc(a->in_bytes);
    ck_assert_ok(backend->create(p, SX_EFFORT_ESTIMATE, a->in, a->out, &state));
    memset(a->in, 0, a->in_bytes);
    if (a->in != a->out)
        memset(a->out, 0xff, a->out_bytes);
    fill(p, pairs, a->in + shift);
    memcpy(kept, a->in, a->in_bytes);
    void *work = sx_base_alloc(backend->get_bytes(state), 1);
    backend->execute(state, a->in + shift, a->out + shift, work);
    sx_base_free(work);
    if (backend == sx_serial_find("auto", p->precision))
        memcpy(a->first, a->out, a->out_bytes);
    compare(p, pairs, a->out + shift, a->first + shift, &error, &difference);
    ck_assert_msg(error <= allowed * test_get_worse(epsilon, LDBL_EPSILON) && difference <= allowed * epsilon,
                  "%s, precision %d, kind %d, %d axes, %d loops, %td places: %Lg, %Lg", backend->name,
                  p->precision, p->kind, p->naxes, p->nloops, count, error, difference);
    if (p->keep_input && a->in != a->out)
        ck_assert_mem_eq(kept, a->in, a->in_bytes);
    backend->free(state);
    free(kept);
}

static void check_all(const sx_serial_problem *p, const arrays *a, test_random *r)
{
    const ptrdiff_t loops = get_loops(p);
    pair *pairs = malloc((size_t)loops * sizeof *pairs);
    for (ptrdiff_t l = 0; l < loops; l++)
        pairs[l] = make_pair(r, p);
    for (int i = 0; sx_serial_table[i]; i++)
        if (sx_serial_table[i]->serves(p->precision))
            check_backend(sx_serial_table[i], p, pairs, a);
    for (ptrdiff_t l = 0; l < loops; l++) {
        free(pairs[l].in);
        free(pairs[l].out);
    }
    free(pairs);
}

static void set_in_place(sx_serial_problem *p)
{
    p->keep_input = 0;
    for (int i = 0; i < p->naxes; i++)
        p->axis[i].os = p->axis[i].is;
    for (int i = 0; i < p->nloops; i++)
        p->loop[i].os = p->loop[i].is;
}

/* Check a problem whose arrays have `in` and `out` elements; `out` is 0 if the problem is in place. Each
 * array has room for one element more, so that it can begin at another alignment. */
static void check_sized(test_random *r, const sx_serial_problem *p, ptrdiff_t in, ptrdiff_t out)
{
    const ptrdiff_t bytes = 2 * sx_serial_get_real_bytes(p->precision);
    arrays a = {.in_bytes = (size_t)((in + 1) * bytes),
                .out_bytes = (size_t)(((out ? out : in) + 1) * bytes)};
    a.in = sx_base_alloc((ptrdiff_t)a.in_bytes, 1);
    a.out = out ? sx_base_alloc((ptrdiff_t)a.out_bytes, 1) : a.in;
    a.first = sx_base_alloc((ptrdiff_t)a.out_bytes, 1);
    check_all(p, &a, r);
    sx_base_free(a.in);
    if (out)
        sx_base_free(a.out);
    sx_base_free(a.first);
}

static void check_one(test_random *r, sx_serial_problem p, int is_in_place)
{
    const ptrdiff_t in = spread(r, &p, 0);
    if (is_in_place)
        set_in_place(&p);
    check_sized(r, &p, in, is_in_place ? 0 : spread(r, &p, 1));
}

static void check_random(int kind, int direction)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++) {
        test_random r =
            test_random_stream(test_random_seed(), (uint64_t)(100 * precision + 2 * kind + direction));
        for (int k = 0; k < CASES && sx_serial_find("auto", precision); k++)
            check_one(&r, make(&r, precision, kind, direction),
                      k % 3 == 0 && kind != SUBX_FFT_R2C && kind != SUBX_FFT_C2R);
    }
}

TEST(complex_to_complex)
{
    check_random(SUBX_FFT_C2C, SUBX_FFT_FORWARD);
    check_random(SUBX_FFT_C2C, SUBX_FFT_BACKWARD);
}

TEST(real_to_complex)
{
    check_random(SUBX_FFT_R2C, SUBX_FFT_FORWARD);
}

TEST(complex_to_real)
{
    check_random(SUBX_FFT_C2R, SUBX_FFT_BACKWARD);
}

TESTS(real_to_real, SUBX_FFT_DCT1, SUBX_FFT_HC2R + 1)
{
    check_random(_i, SUBX_FFT_FORWARD);
}

/* FFTW 3.3.10 crashes on some of these problems if it is called in the usual way. Backend fftw3 must avoid
 * this. */
TEST(lines_an_odd_number_of_elements_apart)
{
    test_random r = test_random_stream(test_random_seed(), 7);
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++)
        for (int n = 2; n <= 32; n += 2) {
            sx_serial_problem p = {.precision = precision,
                                   .kind = SUBX_FFT_C2C,
                                   .direction = n % 4 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
                                   .naxes = 1,
                                   .axis = {{n, 8, 1}},
                                   .nloops = 1,
                                   .loop = {{8, 1, n + 1}}};
            check_sized(&r, &p, 8 * n, 8 * (n + 1));
        }
}

/* A DCT-I has at least two elements. */
TEST(no_backend_has_a_dct1_of_one_element)
{
    sx_serial_problem p = {
        .precision = SUBX_FFT_DOUBLE, .kind = SUBX_FFT_DCT1, .naxes = 1, .axis = {{1, 1, 1}}};
    double x[1] = {1};
    void *state = NULL;
    for (int i = 0; sx_serial_table[i]; i++)
        if (sx_serial_table[i]->serves(p.precision))
            ck_assert_kind(sx_serial_table[i]->create(&p, SX_EFFORT_ESTIMATE, x, x, &state), SUBX_ERR_SERIAL);
}

/* Backend naive is always built, and comes last in the table. */
TEST(the_naive_backend_is_always_built)
{
    int n = 0;
    while (sx_serial_table[n])
        n++;
    ck_assert_int_gt(n, 0);
    ck_assert_str_eq(sx_serial_table[n - 1]->name, "naive");
}

/* Hints may name all backends of the table, also those without which the library was built.
 * subx_fft_query_serial lists only those that were built. */
TEST(the_names_of_hints_are_those_of_the_table)
{
    const char *name, *there;
    int k = 1;
    for (int i = 0; !sx_serial_query_name(i, &name) && name; i++) {
        ck_assert_ptr_eq(name, sx_serial_table[i + 1]->name);
        ck_assert_ok(subx_fft_query_serial(k, &there));
        if (sx_serial_find(name, SUBX_FFT_DOUBLE))
            k++;
        ck_assert_int_eq(sx_serial_find(name, SUBX_FFT_DOUBLE) != NULL, there && strcmp(there, name) == 0);
    }
    ck_assert_ok(subx_fft_query_serial(k, &there));
    ck_assert_ptr_null(there);
}

TEST(backends_are_found_by_name_and_precision)
{
    for (int precision = SUBX_FFT_FLOAT; precision <= SUBX_FFT_LONG_DOUBLE; precision++) {
        ck_assert_ptr_eq(sx_serial_find("naive", precision), &sx_serial_naive);
        ck_assert_ptr_nonnull(sx_serial_find("auto", precision));
    }
    ck_assert_ptr_eq(sx_serial_find("auto", SUBX_FFT_DOUBLE), sx_serial_table[0]);
    ck_assert_ptr_null(sx_serial_find("unknown", SUBX_FFT_DOUBLE));
    for (int i = 0; sx_serial_table[i]; i++)
        if (!sx_serial_table[i]->serves(SUBX_FFT_QUAD))
            ck_assert_ptr_null(sx_serial_find(sx_serial_table[i]->name, SUBX_FFT_QUAD));
}
