/* serial.c - every serial backend of the table against the definition, for any axes, loops, strides and
 * kinds. */
#include "serial/serial.h"
#include "common/dft.h"
#include "common/random.h"
#include "common/unit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS = 4, LENGTH_MAX = 9, CASES = 120 };

/* Relative to sqrt(N): see the transform tests. */
static const double tolerance = 1e-12;

/* Number of places of a dimension on one side: only the last axis of real transforms differs. */
static ptrdiff_t get_length(const sx_serial_problem *p, int d, int is_axis, int is_spectral)
{
    ptrdiff_t n = is_axis ? p->axis[d].n : p->loop[d].n;
    return is_axis && is_spectral && p->kind != SUBX_FFT_C2C && d == p->naxes - 1 ? n / 2 + 1 : n;
}

/* Give one side the strides of an array whose axes and loops are stored in a random order, with gaps. Returns
 * the number of elements. */
static ptrdiff_t spread(test_random *r, sx_serial_problem *p, int is_out)
{
    const int nd = p->naxes + p->nloops, is_spectral = is_out == (p->kind != SUBX_FFT_C2R);
    int order[DIMS];
    ptrdiff_t stride = 1;
    test_random_permutation(r, nd, order);
    for (int i = 0; i < nd; i++) {
        const int is_axis = order[i] < p->naxes, d = is_axis ? order[i] : order[i] - p->naxes;
        sx_serial_dim *dim = is_axis ? &p->axis[d] : &p->loop[d];
        if (is_out)
            dim->os = stride;
        else
            dim->is = stride;
        stride *= get_length(p, d, is_axis, is_spectral);
        stride += test_random_int(r, 0, 3) ? 0 : test_random_int(r, 0, 3);
    }
    return stride;
}

static sx_serial_problem make(test_random *r, int kind, int direction)
{
    sx_serial_problem p = {.kind = kind, .direction = direction, .naxes = test_random_int(r, 1, 2)};
    p.nloops = test_random_int(r, 0, 2);
    for (int i = 0; i < p.naxes; i++)
        p.axis[i].n = test_random_int(r, 1, LENGTH_MAX);
    for (int i = 0; i < p.nloops; i++)
        p.loop[i].n = test_random_int(r, 1, 4);
    p.any_alignment = test_random_int(r, 0, 1);
    p.keep_input = kind != SUBX_FFT_C2R && test_random_int(r, 0, 1);
    return p;
}

/* ---- reading and writing one transform of a loop as a whole array in C order, complex on both sides */

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

/* The transform of a loop: what goes in and what must come out, each of the side's own lengths. */
typedef struct pair {
    double complex *in, *out;
} pair;

static void keep_half(const sx_serial_problem *p, const double complex *whole, double complex *half)
{
    ptrdiff_t n[DIMS], m[DIMS], count = get_lengths(p, 1, m);
    get_lengths(p, 0, n);
    for (ptrdiff_t i = 0; i < count; i++)
        half[i] = whole[i / m[p->naxes - 1] * n[p->naxes - 1] + i % m[p->naxes - 1]];
}

/* Random input; for c2r a spectrum that a real array has, whose transform back is N times that array. */
static pair make_pair(test_random *r, const sx_serial_problem *p)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, 0, n);
    const size_t bytes = (size_t)count * sizeof(double complex);
    double complex *u = malloc(bytes), *whole = malloc(bytes), *half = malloc(bytes);
    for (ptrdiff_t i = 0; i < count; i++)
        u[i] = test_random_double(r) + (p->kind == SUBX_FFT_C2C ? I * test_random_double(r) : 0);
    test_dft(p->naxes, n, p->kind == SUBX_FFT_C2C ? p->direction : -1, u, whole);
    keep_half(p, whole, half);
    free(whole);
    if (p->kind != SUBX_FFT_C2R)
        return (pair){u, half};
    for (ptrdiff_t i = 0; i < count; i++)
        u[i] *= (double)count;
    return (pair){half, u};
}

static void set(double *array, int is_real, ptrdiff_t place, double complex value)
{
    if (is_real) {
        array[place] = creal(value);
    } else {
        array[2 * place] = creal(value);
        array[2 * place + 1] = cimag(value);
    }
}

static double complex get(const double *array, int is_real, ptrdiff_t place)
{
    return is_real ? array[place] : array[2 * place] + I * array[2 * place + 1];
}

/* ---- one problem on one backend */

typedef struct arrays {
    double *in, *out;
    size_t in_bytes, out_bytes;
} arrays;

static void fill(const sx_serial_problem *p, const pair *pairs, double *in)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, p->kind == SUBX_FFT_C2R, n);
    for (ptrdiff_t l = 0; l < get_loops(p); l++)
        for (ptrdiff_t i = 0; i < count; i++)
            set(in, p->kind == SUBX_FFT_R2C, get_loop_place(p, l, 0) + get_place(p, i, n, 0), pairs[l].in[i]);
}

static double compare(const sx_serial_problem *p, const pair *pairs, const double *out)
{
    ptrdiff_t n[DIMS], count = get_lengths(p, p->kind != SUBX_FFT_C2R, n);
    double worst = 0;
    for (ptrdiff_t l = 0; l < get_loops(p); l++)
        for (ptrdiff_t i = 0; i < count; i++) {
            ptrdiff_t place = get_loop_place(p, l, 1) + get_place(p, i, n, 1);
            double difference = cabs(get(out, p->kind == SUBX_FFT_C2R, place) - pairs[l].out[i]);
            if (!(difference <= worst))
                worst = difference;
        }
    return worst;
}

static void check_backend(const sx_serial *backend, const sx_serial_problem *p, const pair *pairs,
                          const arrays *a)
{
    void *state = NULL;
    ptrdiff_t n[DIMS], count = get_lengths(p, 0, n);
    double *kept = malloc(a->in_bytes);
    ck_assert_ok(backend->create(p, SX_EFFORT_ESTIMATE, a->in, a->out, &state));
    memset(a->in, 0, a->in_bytes);
    if (a->in != a->out)
        memset(a->out, 0xff, a->out_bytes);
    fill(p, pairs, a->in);
    memcpy(kept, a->in, a->in_bytes);
    backend->execute(state, a->in, a->out);
    double scale = sqrt((double)count) * (p->kind == SUBX_FFT_C2R ? sqrt((double)count) : 1);
    double worst = compare(p, pairs, a->out);
    ck_assert_msg(worst <= tolerance * scale, "%s, kind %d, %d axes, %d loops: %g", backend->name, p->kind,
                  p->naxes, p->nloops, worst);
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
        check_backend(sx_serial_table[i], p, pairs, a);
    for (ptrdiff_t l = 0; l < loops; l++) {
        free(pairs[l].in);
        free(pairs[l].out);
    }
    free(pairs);
}

static void check_random(int stream, int kind, int direction)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)stream);
    for (int k = 0; k < CASES; k++) {
        sx_serial_problem p = make(&r, kind, direction);
        arrays a;
        a.in_bytes = 2 * sizeof(double) * (size_t)spread(&r, &p, 0);
        a.out_bytes = 2 * sizeof(double) * (size_t)spread(&r, &p, 1);
        a.in = sx_base_alloc((ptrdiff_t)a.in_bytes, 1);
        a.out = sx_base_alloc((ptrdiff_t)a.out_bytes, 1);
        check_all(&p, &a, &r);
        sx_base_free(a.in);
        sx_base_free(a.out);
    }
}

START_TEST(complex_forward)
{
    check_random(1, SUBX_FFT_C2C, SUBX_FFT_FORWARD);
}
END_TEST

START_TEST(complex_backward)
{
    check_random(2, SUBX_FFT_C2C, SUBX_FFT_BACKWARD);
}
END_TEST

START_TEST(real_to_complex)
{
    check_random(3, SUBX_FFT_R2C, SUBX_FFT_FORWARD);
}
END_TEST

START_TEST(complex_to_real)
{
    check_random(4, SUBX_FFT_C2R, SUBX_FFT_BACKWARD);
}
END_TEST

START_TEST(complex_in_place)
{
    test_random r = test_random_stream(test_random_seed(), 5);
    for (int k = 0; k < CASES; k++) {
        sx_serial_problem p = make(&r, SUBX_FFT_C2C, k % 2 ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD);
        arrays a;
        p.keep_input = 0;
        a.in_bytes = a.out_bytes = 2 * sizeof(double) * (size_t)spread(&r, &p, 0);
        for (int i = 0; i < p.naxes; i++)
            p.axis[i].os = p.axis[i].is;
        for (int i = 0; i < p.nloops; i++)
            p.loop[i].os = p.loop[i].is;
        a.in = a.out = sx_base_alloc((ptrdiff_t)a.in_bytes, 1);
        check_all(&p, &a, &r);
        sx_base_free(a.in);
    }
}
END_TEST

/* The fallback is always there, and last. */
START_TEST(the_naive_backend_is_always_built)
{
    int n = 0;
    while (sx_serial_table[n])
        n++;
    ck_assert_int_gt(n, 0);
    ck_assert_str_eq(sx_serial_table[n - 1]->name, "naive");
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, complex_forward);
    tcase_add_test(tests, complex_backward);
    tcase_add_test(tests, real_to_complex);
    tcase_add_test(tests, complex_to_real);
    tcase_add_test(tests, complex_in_place);
    tcase_add_test(tests, the_naive_backend_is_always_built);
}

int main(void)
{
    return test_unit_run_mpi("serial", add);
}
