/* bluestein.c - the complex transform of any length n, by radices or as a convolution (Bluestein 1970). The
 * transform has the steps of step_body.h if n is a product of radices and of primes above 13, and the sum of
 * these primes is at most `primes` of sx_simd_code. Else the transform is a convolution.
 *
 * With the chirp c[j] = exp(-i pi j^2/n), and jk = (j^2 + k^2 - (k-j)^2)/2, result k is
 *
 *     c[k]  sum over j of  (c[j] x[j]) conj(c[k-j])
 *
 * The sum is computed by transforms of a longer length m, which is a product of radices:
 *
 *     x --chirp_in--> first half of the buffer --steps--> --convolution-->
 *                     second half --steps--> --chirp_out--> result
 *
 * The second transform is also a forward one: its result m - k is result k of a backward transform. */
#include "simd/transform.h"
#include <complex.h>

/* Find the length from `least` to 5/4 of `least` whose transform costs least. Such a range always has a
 * product of radices. */
static ptrdiff_t find_length(const sx_simd_code *code, ptrdiff_t least)
{
    int radix[SX_SIMD_NSTEPS_MAX], nsteps;
    double best = 0;
    ptrdiff_t length = 0;
    for (ptrdiff_t m = least; m <= least + least / 4 + 1; m++) {
        const double time = (double)m * sx_simd_get_radices(code, m, radix, &nsteps);
        if (length == 0 || time < best) {
            best = time;
            length = m;
        }
    }
    return length;
}

static long double complex get_root(ptrdiff_t k, ptrdiff_t n)
{
    long double re, im;
    sx_simd_get_root(k, n, &re, &im);
    return re + I * im;
}

static long double complex get_chirp(ptrdiff_t j, ptrdiff_t n)
{
    return get_root((ptrdiff_t)((long long)j * j % (2 * n)), 2 * n);
}

/* ---- the spectrum of the chirp, in long double */

typedef struct table {
    ptrdiff_t n;
    long double complex *root; /* the n roots of unity */
} table;

/* Transform n numbers of `in`, one of every t->n / n numbers. The function divides n by its smallest prime
 * factor, and calls itself for the quotient. */
static void transform(const table *t, ptrdiff_t n, const long double complex in[], long double complex out[])
{
    const ptrdiff_t apart = t->n / n;
    ptrdiff_t p = 2;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    while (n % p)
        p++;
    const ptrdiff_t m = n / p;
    for (ptrdiff_t r = 0; r < p; r++)
        transform(t, m, in + r * apart, out + r * m);
    for (ptrdiff_t k = 0; k < m; k++) {
        long double complex part[SX_SIMD_PRIME_MAX];
        for (ptrdiff_t r = 0; r < p; r++)
            part[r] = out[r * m + k];
        for (ptrdiff_t q = k; q < n; q += m) {
            out[q] = 0;
            for (ptrdiff_t r = 0; r < p; r++)
                out[q] += part[r] * t->root[r * q % n * apart];
        }
    }
}

/* Set the spectrum of the chirp. `space` has three parts of m numbers: roots, chirp, spectrum. */
static void set_spectrum(ptrdiff_t n, ptrdiff_t m, long double complex space[])
{
    const table t = {m, space};
    long double complex *chirp = space + m, *spectrum = space + 2 * m;
    for (ptrdiff_t k = 0; k < m; k++)
        space[k] = get_root(k, m);
    chirp[0] = 1;
    for (ptrdiff_t j = 1; j < n; j++)
        chirp[j] = chirp[m - j] = conjl(get_chirp(j, n));
    transform(&t, m, chirp, spectrum);
}

/* ---- steps */

static int set_convolution(sx_simd s, ptrdiff_t n)
{
    const ptrdiff_t m = s->core.n;
    long double complex *space = sx_base_alloc(3 * m, sizeof *space);
    void *numbers = sx_simd_own_numbers(s, m);
    if (space && numbers) {
        const long double complex *spectrum = space + 2 * m;
        set_spectrum(n, m, space);
        for (ptrdiff_t k = 0; k < m; k++)
            sx_simd_put(s, numbers, k, creall(spectrum[k]) / (long double)m,
                        cimagl(spectrum[k]) / (long double)m);
        s->convolution =
            (sx_simd_step){.n = m, .from = s->core.output, .to = s->core.input, .numbers = numbers};
        s->convolution.run = s->code->multiply_in[SX_SIMD_BUFFER];
        s->convolution.to_base = s->core.points;
    }
    sx_base_free(space);
    return space && numbers ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Set the two steps that multiply by the chirp. In a c2c transform the second step also multiplies by the
 * factor of the transform; other kinds have another step for the factor. */
static int set_chirps(sx_simd s, ptrdiff_t n, int is_backward)
{
    const ptrdiff_t m = s->core.n;
    const long double factor = s->p.kind == SUBX_FFT_C2C ? s->p.factor : 1;
    void *in = sx_simd_own_numbers(s, n), *out = sx_simd_own_numbers(s, n);
    ptrdiff_t *output = sx_simd_own(s, n + 1, sizeof *output);
    if (!in || !out || !output)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t k = 0; k < n; k++) {
        const ptrdiff_t l = is_backward && k ? n - k : k;
        const long double complex a = get_chirp(k, n), b = get_chirp(l, n) * factor;
        sx_simd_put(s, in, k, creall(a), cimagl(a));
        sx_simd_put(s, out, k, creall(b), cimagl(b));
        output[k] = s->core.points + s->core.output[l ? m - l : 0];
    }
    output[n] = s->core.points + s->core.output[m];
    s->output = output;
    s->chirp_in = (sx_simd_step){.n = n, .m = m, .from = s->input, .to = s->input, .numbers = in};
    s->chirp_out = (sx_simd_step){.n = n, .from = output, .to = output, .numbers = out};
    return MPI_SUCCESS;
}

static int set_bluestein(sx_simd s, ptrdiff_t n, int is_backward)
{
    int rc = sx_simd_core_set(s, &s->core, find_length(s->code, 2 * n - 1), 0);
    s->input = s->core.input;
    s->points = 2 * s->core.points;
    if (!rc)
        rc = set_convolution(s, n);
    return rc ? rc : set_chirps(s, n, is_backward);
}

static void add_bluestein(sx_simd s, int from, int to, sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, NULL);
    *step = s->chirp_in;
    step->run = s->code->multiply_in[from == SX_SIMD_ROWS ? SX_SIMD_ORDERED : from];
    sx_simd_core_add(s, &s->core, SX_SIMD_BUFFER, SX_SIMD_BUFFER, 0, g);
    *sx_simd_program_add(g, NULL) = s->convolution;
    sx_simd_core_add(s, &s->core, SX_SIMD_BUFFER, SX_SIMD_BUFFER, s->core.points, g);
    step = sx_simd_program_add(g, NULL);
    *step = s->chirp_out;
    step->run = s->code->multiply_out[to == SX_SIMD_ROWS ? SX_SIMD_ORDERED : to];
}

/* ---- radices or convolution */

int sx_simd_transform_set(sx_simd s, ptrdiff_t n, int is_backward)
{
    int radix[SX_SIMD_NSTEPS_MAX], nsteps;
    if (sx_simd_get_radices(s->code, n, radix, &nsteps) == SX_SIMD_NO_TIME)
        return set_bluestein(s, n, is_backward);
    int rc = sx_simd_core_set(s, &s->core, n, is_backward);
    s->input = s->core.input;
    s->output = s->core.output;
    s->number = s->core.number;
    s->points = s->core.points;
    return rc;
}

void sx_simd_transform_add(sx_simd s, int from, int to, sx_simd_program *g)
{
    if (s->number)
        sx_simd_core_add(s, &s->core, from, to, 0, g);
    else
        add_bluestein(s, from, to == SX_SIMD_STREAM ? SX_SIMD_ROWS : to, g);
}
