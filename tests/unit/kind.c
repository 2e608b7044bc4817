/* kind.c - for all kinds, precisions and backends, a forward and then a backward transform multiplies by the
 * known factor. */
#include "common/random.h"
#include "common/unit.h"
#include "unit/real.h"

enum { LENGTH_MAX = 31, LAST = SUBX_FFT_HC2R };

/* The allowed error after two transforms, in units of the precision's epsilon. */
static const long double tolerance = 16;

static void transform(const sx_serial *backend, int precision, int kind, int direction, ptrdiff_t n, void *in,
                      void *out)
{
    sx_serial_problem p = {
        .precision = precision, .kind = kind, .direction = direction, .naxes = 1, .axis = {{n, 1, 1}}};
    void *state = NULL;
    ck_assert_ok(backend->create(&p, SX_EFFORT_ESTIMATE, in, out, &state));
    void *work = sx_base_alloc(backend->get_bytes(state), 1);
    backend->execute(state, in, out, work);
    sx_base_free(work);
    backend->free(state);
}

/* Returns 1 if the i-th real number of the input must be 0. If the input is the spectrum of a real array
 * (C2R), the imaginary parts at frequencies 0 and n/2 must be 0. */
static int is_imaginary_zero(int kind, ptrdiff_t n, ptrdiff_t i)
{
    return kind == SUBX_FFT_C2R && (i == 1 || i == n + 1);
}

static void check_round_trip(const sx_serial *backend, int precision, int kind, ptrdiff_t n)
{
    test_random r = test_random_stream(test_random_seed(), (uint64_t)(64 * kind + n));
    const ptrdiff_t bytes = sx_serial_get_real_bytes(precision), room = 2 * n + 2;
    const ptrdiff_t nreals = kind == SUBX_FFT_C2C   ? 2 * n
                             : kind == SUBX_FFT_C2R ? 2 * sx_serial_get_half(n)
                                                    : n;
    void *x = sx_base_alloc(room, (size_t)bytes), *y = sx_base_alloc(room, (size_t)bytes);
    test_real u[2 * LENGTH_MAX + 2];
    for (ptrdiff_t i = 0; i < nreals; i++) {
        u[i] = is_imaginary_zero(kind, n, i) ? 0 : (float)test_random_double(&r);
        test_real_set(precision, x, i, u[i]);
    }
    transform(backend, precision, sx_serial_get_kind(kind, 0), SUBX_FFT_FORWARD, n, x, y);
    transform(backend, precision, sx_serial_get_kind(kind, 1), SUBX_FFT_BACKWARD, n, y, x);
    const double factor = sx_serial_get_factor(kind, n);
    for (ptrdiff_t i = 0; i < nreals; i++) {
        const long double error = test_real_distance(test_real_get(precision, x, i) / factor, u[i]);
        ck_assert_msg(error <= tolerance * test_real_epsilon(precision),
                      "%s, precision %d, kind %d, %td elements: %Lg", backend->name, precision, kind, n,
                      error);
    }
    sx_base_free(x);
    sx_base_free(y);
}

TESTS(backward_after_forward_multiplies_by_the_factor, SUBX_FFT_C2C, LAST + 1)
{
    for (int i = 0; sx_serial_table[i]; i++)
        for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++)
            for (ptrdiff_t n = _i == SUBX_FFT_DCT1 ? 2 : 1; n <= LENGTH_MAX; n++)
                if (sx_serial_table[i]->serves(precision))
                    check_round_trip(sx_serial_table[i], precision, _i, n);
}

TESTS(the_inverse_of_the_inverse_is_the_kind, SUBX_FFT_C2C, LAST + 1)
{
    ck_assert_int_eq(sx_serial_get_kind(_i, 0), _i);
    ck_assert_int_eq(sx_serial_get_kind(sx_serial_get_kind(_i, 1), 1), _i);
    ck_assert_int_eq(sx_serial_is_r2r(_i), sx_serial_is_r2r(sx_serial_get_kind(_i, 1)));
    ck_assert_double_eq(sx_serial_get_factor(_i, 7), sx_serial_get_factor(sx_serial_get_kind(_i, 1), 7));
}

TEST(no_transform_is_its_own_inverse)
{
    ck_assert_int_eq(sx_serial_get_kind(SUBX_FFT_NONE, 1), SUBX_FFT_NONE);
    ck_assert_double_eq(sx_serial_get_factor(SUBX_FFT_NONE, 7), 1);
}

TEST(reals_have_the_size_of_their_type)
{
    ck_assert_int_eq(sx_serial_get_real_bytes(SUBX_FFT_FLOAT), sizeof(float));
    ck_assert_int_eq(sx_serial_get_real_bytes(SUBX_FFT_DOUBLE), sizeof(double));
    ck_assert_int_eq(sx_serial_get_real_bytes(SUBX_FFT_LONG_DOUBLE), sizeof(long double));
    ck_assert_int_eq(sx_serial_get_real_bytes(SUBX_FFT_QUAD), 16);
}

int main(void)
{
    return test_unit_run_mpi("kind");
}
