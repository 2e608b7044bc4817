/* fftw_trial.c - random transforms for FFTW's interface, their results by the serial library, and the parts
 * of ranks. */
#include "compat/fftw.h"
#include "common/random.h"
#include "common/worst.h"
#include <math.h>
#include <string.h>

/* ---- drawing */

/* Draw flags. For a real transform FFTW accepts only one of the two transposed flags: the flag of the complex
 * side. */
static unsigned draw_flags(test_random *r, const trial *t)
{
    unsigned flags = test_random_int(r, 0, 3) ? 0 : FFTW_DESTROY_INPUT;
    if (t->d > 1 && t->family != C2R && test_random_int(r, 0, 1))
        flags |= TRANSPOSED_OUT;
    if (t->d > 1 && t->family != R2C && test_random_int(r, 0, 1))
        flags |= TRANSPOSED_IN;
    return flags;
}

static length get_divided(const trial *t, int side)
{
    const int axis = t->d > 1 && t->flags & (side ? TRANSPOSED_OUT : TRANSPOSED_IN);
    const int is_halved = (t->family == R2C || t->family == C2R) && axis == t->d - 1;
    return is_halved ? t->n[axis] / 2 + 1 : t->n[axis];
}

trial test_fftw_draw(int number, int nranks)
{
    static const int most[] = {100, 30, 14, 7};
    test_random r = test_random_stream(test_random_seed(), (uint64_t)number);
    trial t = {.family = test_random_int(&r, 0, FAMILIES - 1)};
    t.d = test_random_int(&r, t.family == R2C || t.family == C2R ? 2 : 1, NDIMS);
    t.howmany = test_random_int(&r, 0, 2) ? 1 : test_random_int(&r, 1, 6);
    t.sign = test_random_int(&r, 0, 1) ? FFTW_FORWARD : FFTW_BACKWARD;
    t.is_in_place = test_random_int(&r, 0, 1);
    for (int i = 0; i < t.d; i++) {
        t.n[i] = test_random_int(&r, 0, 7) ? test_random_int(&r, 1, most[t.d - 1]) : 1;
        t.kind[i] = (fftw_r2r_kind)test_random_int(&r, FFTW_R2HC, FFTW_RODFT11);
        if (t.family == R2R && t.kind[i] == FFTW_REDFT00 && t.n[i] == 1)
            t.n[i] = 2;
    }
    t.flags = draw_flags(&r, &t);
    for (int side = 0; side < 2 && t.d > 1; side++)
        if (test_random_int(&r, 0, 2) == 0)
            t.block[side] = (get_divided(&t, side) + nranks - 1) / nranks + test_random_int(&r, 0, 2);
    return t;
}

/* ---- the serial library */

int test_fftw_transform(const trial *t, double *in, double *out)
{
    const int h = (int)t->howmany;
    fftw_complex *cin = (fftw_complex *)in, *cout = (fftw_complex *)out;
    fftw_plan plan;
    int n[NDIMS];
    for (int i = 0; i < t->d; i++)
        n[i] = (int)t->n[i];
    if (t->family == DFT)
        plan = fftw_plan_many_dft(t->d, n, h, cin, NULL, h, 1, cout, NULL, h, 1, t->sign, FFTW_ESTIMATE);
    else if (t->family == R2C)
        plan = fftw_plan_many_dft_r2c(t->d, n, h, in, NULL, h, 1, cout, NULL, h, 1, FFTW_ESTIMATE);
    else if (t->family == C2R)
        plan = fftw_plan_many_dft_c2r(t->d, n, h, cin, NULL, h, 1, out, NULL, h, 1, FFTW_ESTIMATE);
    else
        plan = fftw_plan_many_r2r(t->d, n, h, in, NULL, h, 1, out, NULL, h, 1, t->kind, FFTW_ESTIMATE);
    if (plan)
        fftw_execute(plan);
    fftw_destroy_plan(plan);
    return plan != NULL;
}

/* ---- parts */

static part get_part(const trial *t, int side, MPI_Comm comm, length *alloc)
{
    const int is_real = t->family == R2R || t->family == (side ? C2R : R2C);
    const int is_halved = t->family == R2C || t->family == C2R;
    length n[NDIMS], n0, start0, n1, start1;
    part p = {.d = t->d, .width = t->howmany * (is_real ? 1 : 2)};
    p.divided = t->d > 1 && t->flags & (side ? TRANSPOSED_OUT : TRANSPOSED_IN);
    memcpy(n, t->n, sizeof n);
    n[t->d - 1] = is_halved ? n[t->d - 1] / 2 + 1 : n[t->d - 1];
    if (t->d == 1) {
        *alloc = fftw_mpi_local_size_many_1d(n[0], t->howmany, comm, t->family == R2R ? 0 : t->sign, t->flags,
                                             &n0, &start0, &n1, &start1);
        if (t->family == R2R || side == 0)
            n1 = n0, start1 = start0;
    } else
        *alloc = fftw_mpi_local_size_many_transposed(t->d, n, t->howmany, p.divided ? 0 : t->block[side],
                                                     p.divided ? t->block[side] : 0, comm, &n0, &start0, &n1,
                                                     &start1);
    p.len = p.divided || t->d == 1 ? n1 : n0;
    p.start = p.divided || t->d == 1 ? start1 : start0;
    memcpy(p.stored, n, sizeof n);
    p.stored[p.divided] = p.len;
    if (is_halved && is_real)
        p.stored[t->d - 1] = 2 * n[t->d - 1];
    memcpy(p.n, is_real ? t->n : n, sizeof n);
    return p;
}

length test_fftw_get_parts(const trial *t, MPI_Comm comm, part parts[2])
{
    length alloc[2];
    for (int side = 0; side < 2; side++)
        parts[side] = get_part(t, side, comm, &alloc[side]);
    return alloc[0] > alloc[1] ? alloc[0] : alloc[1];
}

/* In memory the divided axis is the slowest one. */
double test_fftw_move(const part *p, const double *global, double *local, int sets)
{
    length count = p->len, x[NDIMS];
    double most = 0;
    for (int i = 0; i < p->d; i++)
        count *= i == p->divided ? 1 : p->n[i];
    for (length at = 0; at < count; at++) {
        length left = at, there = 0, here = 0;
        for (int i = p->d - 1; i >= 0; i--) {
            const length len = i == p->divided ? p->len : p->n[i];
            x[i] = left % len;
            left /= len;
        }
        here = x[p->divided];
        for (int i = 0; i < p->d; i++) {
            there = there * p->n[i] + x[i] + (i == p->divided ? p->start : 0);
            here = i == p->divided ? here : here * p->stored[i] + x[i];
        }
        for (length k = 0; k < p->width; k++) {
            if (sets)
                local[here * p->width + k] = global[there * p->width + k];
            most =
                (double)test_get_worse(most, fabs(local[here * p->width + k] - global[there * p->width + k]));
        }
    }
    return most;
}
