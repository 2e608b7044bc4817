/* field.c - create random fields and their spectra, create plans, and compare a plan's local arrays with
 * them. */
#include "common/field.h"
#include "common/hints.h"
#include "common/verdict.h"
#include "common/worst.h"
#include "definition/definition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields */

static void transform(test_field *f)
{
    sx_definition_axis axis[TEST_FIELD_NDIMS];
    long double *pairs = malloc((size_t)f->count * 2 * sizeof *pairs);
    for (int a = 0; a < f->ndims; a++) {
        const int is_halved = f->kind == SUBX_FFT_R2C || f->kind == SUBX_FFT_C2R;
        const int kind = !is_halved ? f->kind : a == f->ndims - 1 ? SUBX_FFT_R2C : SUBX_FFT_C2C;
        axis[a] = (sx_definition_axis){kind, f->sizes[a], f->sizes[a], f->sizes[a]};
        f->spectral[a] = sx_definition_get_length(&axis[a], SUBX_FFT_SPECTRAL);
        f->spectral_count *= f->spectral[a];
    }
    for (ptrdiff_t i = 0; i < f->count; i++) {
        pairs[2 * i] = creal(f->u[i]);
        pairs[2 * i + 1] = cimag(f->u[i]);
    }
    if (sx_definition_execute(f->ndims, axis, SUBX_FFT_FORWARD, 0, &pairs))
        abort();
    f->spectrum = malloc((size_t)f->spectral_count * sizeof *f->spectrum);
    for (ptrdiff_t i = 0; i < f->spectral_count; i++)
        f->spectrum[i] = (double)pairs[2 * i] + I * (double)pairs[2 * i + 1];
    free(pairs);
}

test_field test_field_create(int kind, int ndims, const ptrdiff_t sizes[], uint64_t seed)
{
    test_field f = {.kind = kind, .ndims = ndims, .count = 1, .spectral_count = 1};
    test_random r = test_random_stream(seed, 1);
    for (int a = 0; a < ndims; a++) {
        f.sizes[a] = sizes[a];
        f.count *= f.sizes[a];
    }
    f.u = malloc((size_t)f.count * sizeof *f.u);
    for (ptrdiff_t i = 0; i < f.count; i++) {
        f.u[i] = test_random_double(&r);
        if (kind == SUBX_FFT_C2C)
            f.u[i] += I * test_random_double(&r);
    }
    transform(&f);
    return f;
}

void test_field_free(test_field *f)
{
    free(f->u);
    free(f->spectrum);
}

/* ---- plans */

static void set_hint(MPI_Info hints, const char *key, const char *value)
{
    if (value)
        test_hint_set(hints, key, value);
}

int test_field_plan(const test_field *f, const test_choices *c, MPI_Comm comm, subx_fft_plan *plan)
{
    MPI_Info hints;
    PMPI_Info_create(&hints);
    set_hint(hints, "subx_grid", c->grid);
    set_hint(hints, "strategy", c->strategy);
    set_hint(hints, "subx_output_order", c->output);
    set_hint(hints, "subx_scaling", c->scaling);
    set_hint(hints, "serial", c->serial);
    set_hint(hints, "subx_engine", c->engine);
    set_hint(hints, "permute", c->permute);
    for (size_t i = 0; i < sizeof c->more / sizeof c->more[0]; i++)
        if (c->more[i][0])
            set_hint(hints, c->more[i][0], c->more[i][1]);
    int rc = subx_fft_plan_create(comm, f->kind, f->ndims, f->sizes, hints, plan);
    MPI_Info_free(&hints);
    return rc;
}

/* ---- parts */

test_part test_part_get(const test_field *f, subx_fft_plan plan, int side)
{
    test_part p = {.ndims = f->ndims, .count = 1};
    p.is_real = f->kind > SUBX_FFT_C2R || (side == SUBX_FFT_PHYSICAL && f->kind != SUBX_FFT_C2C);
    if (subx_fft_plan_get_local(plan, side, p.shape, p.start, p.order, &p.bytes))
        p.bytes = -1;
    for (int a = 0; a < p.ndims; a++)
        p.count *= p.shape[a];
    return p;
}

ptrdiff_t test_part_global(const test_field *f, const test_part *p, int side, ptrdiff_t i)
{
    const ptrdiff_t *n = side == SUBX_FFT_PHYSICAL ? f->sizes : f->spectral;
    ptrdiff_t x[TEST_FIELD_NDIMS], global = 0;
    for (int k = 0; k < p->ndims; k++) {
        int axis = p->order[k];
        x[axis] = p->start[axis] + i % p->shape[axis];
        i /= p->shape[axis];
    }
    for (int axis = 0; axis < p->ndims; axis++)
        global = global * n[axis] + x[axis];
    return global;
}

static double complex get_expected(const test_field *f, const test_part *p, int side, ptrdiff_t i)
{
    ptrdiff_t global = test_part_global(f, p, side, i);
    return side == SUBX_FFT_PHYSICAL ? f->u[global] : f->spectrum[global];
}

void test_part_fill(const test_field *f, const test_part *p, int side, double scale, void *array)
{
    double *real = array;
    double complex *pairs = array;
    for (ptrdiff_t i = 0; i < p->count; i++) {
        double complex value = scale * get_expected(f, p, side, i);
        if (p->is_real)
            real[i] = creal(value);
        else
            pairs[i] = value;
    }
}

double test_part_compare(const test_field *f, const test_part *p, int side, double scale, const void *array)
{
    const double *real = array;
    const double complex *pairs = array;
    double worst = 0;
    for (ptrdiff_t i = 0; i < p->count; i++) {
        double complex got = p->is_real ? real[i] : pairs[i];
        double difference = cabs(got - scale * get_expected(f, p, side, i));
        worst = (double)test_get_worse(worst, difference);
    }
    return worst;
}

void test_field_check(const test_field *f, subx_fft_plan plan, double scale)
{
    const test_part from = test_part_get(f, plan, SUBX_FFT_PHYSICAL),
                    to = test_part_get(f, plan, SUBX_FFT_SPECTRAL);
    const double tolerance = 1e-12 * sqrt((double)f->count);
    void *u = malloc((size_t)from.bytes), *spectrum = malloc((size_t)to.bytes);
    test_part_fill(f, &from, SUBX_FFT_PHYSICAL, 1, u);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum));
    EXPECT(test_part_compare(f, &to, SUBX_FFT_SPECTRAL, 1, spectrum) <= tolerance);
    memset(u, 0xff, (size_t)from.bytes);
    EXPECT_OK(subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, u));
    EXPECT(test_part_compare(f, &from, SUBX_FFT_PHYSICAL, scale, u) <= scale * tolerance);
    free(spectrum);
    free(u);
}
