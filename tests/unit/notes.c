/* notes.c - notes on which serial backend is faster: their text; backend auto follows them; if they are
 * closed, nothing is measured; FFTW's wisdom. */
#include "common/unit.h"
#include "simd/simd.h"
#include "unit/real.h"
#include <stdio.h>
#include <string.h>
#ifdef HAVE_FFTW3
#include <fftw3.h>
#endif

/* ---- problems: pencils side by side, which both our kernels and FFTW can transform */

/* Our kernels transform LENGTH well, both with AVX2 and with AVX-512. */
enum { LENGTH = 24, PENCILS = 24, COUNT = LENGTH * PENCILS };

static sx_serial_problem get_problem(int precision, sx_serial_notes *notes)
{
    return (sx_serial_problem){.precision = precision,
                               .kind = SUBX_FFT_C2C,
                               .direction = SUBX_FFT_FORWARD,
                               .naxes = 1,
                               .axis = {{LENGTH, PENCILS, PENCILS}},
                               .nloops = 1,
                               .loop = {{PENCILS, 1, 1}},
                               .keep_input = 1,
                               .notes = notes};
}

typedef struct arrays {
    char *in, *out;
    ptrdiff_t bytes;
} arrays;

static arrays alloc_arrays(int precision)
{
    const ptrdiff_t bytes = 2 * COUNT * sx_serial_get_real_bytes(precision);
    arrays a = {sx_base_alloc(bytes, 1), sx_base_alloc(bytes, 1), bytes};
    for (ptrdiff_t i = 0; i < 2 * COUNT; i++)
        test_real_set(precision, a.in, i, (test_real)(i * i % 97) / 128);
    memset(a.out, 0x2b, (size_t)bytes);
    return a;
}

static void free_arrays(arrays a)
{
    sx_base_free(a.in);
    sx_base_free(a.out);
}

/* ---- text */

static sx_serial_notes *create_notes(const char *text, int is_closed)
{
    sx_serial_notes *notes = NULL;
    ck_assert_ok(sx_serial_notes_create(text, is_closed, &notes));
    return notes;
}

static const char *print(const sx_serial_notes *notes)
{
    static char line[4096];
    sx_text t = {line, sizeof line, 0};
    line[0] = '\0';
    sx_serial_notes_print(notes, &t);
    return line;
}

/* Expects that a text can be read as notes, and that these notes are printed as `expected`. */
static void check_text(const char *text, const char *expected)
{
    sx_serial_notes *notes = create_notes(text, 0);
    ck_assert_str_eq(print(notes), expected);
    sx_serial_notes_free(&notes);
    ck_assert_ptr_null(notes);
}

TEST(notes_are_read_and_printed)
{
    check_text("", "");
    check_text(NULL, "");
    check_text("00d107d9d372bb68:kernels", "00d107d9d372bb68:kernels");
    check_text("  ffffffffffffffff:fftw3   0000000000000001:a ", "ffffffffffffffff:fftw3 0000000000000001:a");
    check_text("0000000000000001:a 0000000000000002:b 0000000000000001:c",
               "0000000000000001:c 0000000000000002:b");
}

TEST(words_of_another_form_are_ignored)
{
    static const char *const words[] = {"kernels",
                                        ":kernels",
                                        "1:kernels",
                                        "000000000000001g:kernels",
                                        "00000000000000001:kernels",
                                        "0x00000000000001:kernels",
                                        "-000000000000001:kernels",
                                        "0000000000000001",
                                        "0000000000000001:",
                                        "0000000000000001: kernels",
                                        "0000000000000001:a_name_that_is_too_long"};
    char text[128];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text, "0000000000000002:b %s 0000000000000003:c", words[i]);
        check_text(text, "0000000000000002:b 0000000000000003:c");
    }
}

TEST(notes_grow)
{
    enum { MANY = 100 };
    sx_serial_notes *notes = create_notes("", 0);
    sx_serial_problem p = get_problem(SUBX_FFT_DOUBLE, notes);
    for (int i = 0; i < MANY; i++) {
        p.axis[0].n = i;
        ck_assert_ok(sx_serial_notes_set(&p, 0, i % 2 ? "a" : "b"));
    }
    sx_serial_notes *again = create_notes(print(notes), 1);
    p.notes = again;
    for (int i = 0; i < MANY; i++) {
        p.axis[0].n = i;
        ck_assert_str_eq(sx_serial_notes_get(&p, 0), i % 2 ? "a" : "b");
    }
    sx_serial_notes_free(&notes);
    sx_serial_notes_free(&again);
}

/* Change property number `what` (0 .. 11) of a problem. If `what` is 12, nothing changes. */
static void change(sx_serial_problem *p, int what)
{
    ptrdiff_t *const lengths[] = {&p->axis[0].n, &p->axis[0].is, &p->axis[0].os,
                                  &p->loop[0].n, &p->loop[0].is, &p->loop[0].os};
    int *const numbers[] = {&p->precision, &p->kind,       &p->direction,
                            &p->nloops,    &p->keep_input, &p->any_alignment};
    if (what < 6)
        ++*lengths[what];
    else if (what < 12)
        *numbers[what - 6] ^= 1;
}

TEST(all_that_a_problem_has_counts)
{
    sx_serial_notes *notes = create_notes("", 0);
    for (int what = 0; what <= 12; what++) {
        sx_serial_problem p = get_problem(SUBX_FFT_DOUBLE, notes);
        change(&p, what);
        ck_assert_ptr_null(sx_serial_notes_get(&p, 0));
        ck_assert_ptr_null(sx_serial_notes_get(&p, 1));
        ck_assert_ok(sx_serial_notes_set(&p, 0, "a"));
        ck_assert_ok(sx_serial_notes_set(&p, 1, "b"));
        ck_assert_str_eq(sx_serial_notes_get(&p, 0), "a");
        ck_assert_str_eq(sx_serial_notes_get(&p, 1), "b");
    }
    sx_serial_notes_free(&notes);
}

/* ---- backend auto */

static int has_fftw(int precision)
{
    return sx_serial_find("fftw3", precision) != NULL;
}

/* Returns 1 if backend auto can choose between two backends in this precision. */
static int has_choice(int precision)
{
    return sx_serial_find("auto", precision) && sx_serial_kernels.serves(precision) &&
           sx_simd_is_fast(precision, SUBX_FFT_C2C, LENGTH, 0) && has_fftw(precision);
}

static void forget_wisdom(void)
{
#ifdef HAVE_FFTW3
    fftw_forget_wisdom();
#endif
#ifdef HAVE_FFTW3F
    fftwf_forget_wisdom();
#endif
#ifdef HAVE_FFTW3L
    fftwl_forget_wisdom();
#endif
#ifdef HAVE_FFTW3Q
    fftwq_forget_wisdom();
#endif
}

/* Compare with backend naive. The tolerance is 2 * LENGTH epsilons, because elements are sums of LENGTH
 * numbers. */
static void check_result(const sx_serial *backend, void *state, int precision)
{
    const sx_serial_problem p = get_problem(precision, NULL);
    const arrays a = alloc_arrays(precision), b = alloc_arrays(precision);
    void *work = sx_base_alloc(backend->get_bytes(state), 1), *other = NULL;
    ck_assert_ok(sx_serial_naive.create(&p, SX_EFFORT_ESTIMATE, b.in, b.out, &other));
    void *naive_work = sx_base_alloc(sx_serial_naive.get_bytes(other), 1);
    backend->execute(state, a.in, a.out, work);
    sx_serial_naive.execute(other, b.in, b.out, naive_work);
    for (ptrdiff_t i = 0; i < 2 * COUNT; i++)
        ck_assert(test_real_distance(test_real_get(precision, a.out, i), test_real_get(precision, b.out, i)) <
                  2 * LENGTH * test_real_epsilon(precision));
    sx_serial_naive.free(other);
    sx_base_free(naive_work);
    sx_base_free(work);
    free_arrays(b);
    free_arrays(a);
}

/* Plan with a backend. Returns 1 if the arrays have changed: only a backend that measures changes them. */
static int plan(const sx_serial *backend, const sx_serial_problem *p, int effort, ptrdiff_t *work_bytes)
{
    const arrays a = alloc_arrays(p->precision), b = alloc_arrays(p->precision);
    void *state = NULL;
    ck_assert_ok(backend->create(p, effort, a.in, a.out, &state));
    const int is_measured =
        memcmp(a.in, b.in, (size_t)a.bytes) != 0 || memcmp(a.out, b.out, (size_t)a.bytes) != 0;
    *work_bytes = backend->get_bytes(state);
    check_result(backend, state, p->precision);
    backend->free(state);
    free_arrays(b);
    free_arrays(a);
    return is_measured;
}

/* The bytes of work space show which backend auto took: FFTW needs none, our kernels need some. With effort
 * estimate, auto ignores the notes. */
TEST(auto_takes_what_is_noted)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++)
        for (int closed = 0; closed < 2 && has_choice(precision); closed++) {
            ptrdiff_t bytes;
            forget_wisdom();
            sx_serial_notes *notes = create_notes("", closed);
            const sx_serial_problem p = get_problem(precision, notes);
            ck_assert_ok(sx_serial_notes_set(&p, 0, "kernels"));
            ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_MEASURE, &bytes), 0);
            ck_assert_int_gt(bytes, 0);
            ck_assert_ok(sx_serial_notes_set(&p, 0, "fftw3"));
            ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_ESTIMATE, &bytes), 0);
            ck_assert_int_gt(bytes, 0);
            ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_MEASURE, &bytes), !closed);
            ck_assert_int_eq(bytes, 0);
            ck_assert_str_eq(strchr(print(notes), ':'), ":fftw3");
            sx_serial_notes_free(&notes);
        }
}

TEST(auto_notes_what_it_measures)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++) {
        ptrdiff_t bytes, again;
        if (!has_choice(precision))
            continue;
        sx_serial_notes *notes = create_notes("", 0);
        const sx_serial_problem p = get_problem(precision, notes);
        ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_ESTIMATE, &bytes), 0);
        ck_assert_str_eq(print(notes), "");
        ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_MEASURE, &bytes), 1);
        ck_assert_str_eq(sx_serial_notes_get(&p, 0), bytes ? "kernels" : "fftw3");
        char kept[64];
        snprintf(kept, sizeof kept, "%s", print(notes));
        ck_assert_int_eq(plan(&sx_serial_auto, &p, SX_EFFORT_MEASURE, &again), 0);
        ck_assert_int_eq(bytes, again);
        ck_assert_str_eq(print(notes), kept);
        sx_serial_notes_free(&notes);
    }
}

TEST(unknown_backends_are_measured_anew)
{
    ptrdiff_t bytes;
    sx_serial_notes *notes = create_notes("", 0);
    const sx_serial_problem p = get_problem(SUBX_FFT_DOUBLE, notes);
    ck_assert_ok(sx_serial_notes_set(&p, 0, "unknown"));
    (void)plan(&sx_serial_auto, &p, SX_EFFORT_MEASURE, &bytes);
    if (has_choice(SUBX_FFT_DOUBLE))
        ck_assert_str_eq(sx_serial_notes_get(&p, 0), bytes ? "kernels" : "fftw3");
    sx_serial_notes_free(&notes);
}

/* ---- closed notes, and FFTW's wisdom */

TEST(closed_notes_never_measure)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++)
        for (int i = 0; sx_serial_table[i]; i++)
            for (int effort = SX_EFFORT_ESTIMATE; effort <= SX_EFFORT_EXHAUSTIVE; effort++) {
                ptrdiff_t bytes;
                if (!sx_serial_table[i]->serves(precision))
                    continue;
                forget_wisdom();
                sx_serial_notes *notes = create_notes("", 1);
                const sx_serial_problem p = get_problem(precision, notes);
                ck_assert_int_eq(plan(sx_serial_table[i], &p, effort, &bytes), 0);
                ck_assert_str_eq(print(notes), "");
                sx_serial_notes_free(&notes);
            }
}

static char *export_wisdom(int precision)
{
    char *line = sx_serial_export_wisdom(precision);
    ck_assert(!line || !strpbrk(line, "\t\n\r"));
    return line;
}

/* Plan with FFTW. Returns 1 if FFTW measured. */
static int plan_fftw(int precision, int effort, int is_closed)
{
    ptrdiff_t bytes;
    sx_serial_notes *notes = create_notes("", is_closed);
    const sx_serial_problem p = get_problem(precision, notes);
    const int is_measured = plan(sx_serial_find("fftw3", precision), &p, effort, &bytes);
    sx_serial_notes_free(&notes);
    return is_measured;
}

/* Expect the same entries of FFTW's wisdom in any order: FFTW writes them in the order of a hash table, which
 * may change. */
static void expect_same_entries(const char *a, const char *b)
{
    ck_assert_uint_eq(strlen(a), strlen(b));
    for (const char *entry = strchr(a + 1, '('); entry; entry = strchr(entry + 1, '(')) {
        char text[256];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(entry, ")") + 1, entry);
        ck_assert_ptr_nonnull(strstr(b, text));
    }
}

TEST(wisdom_replaces_measuring)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++) {
        if (!has_fftw(precision))
            continue;
        forget_wisdom();
        ck_assert_int_eq(plan_fftw(precision, SX_EFFORT_MEASURE, 0), 1);
        char *line = export_wisdom(precision);
        ck_assert_ptr_nonnull(line);
        forget_wisdom();
        ck_assert_ok(sx_serial_import_wisdom(precision, line));
        ck_assert_int_eq(plan_fftw(precision, SX_EFFORT_MEASURE, 0), 0);
        ck_assert_int_eq(plan_fftw(precision, SX_EFFORT_MEASURE, 1), 0);
        char *again = export_wisdom(precision);
        expect_same_entries(line, again);
        sx_base_free(again);
        sx_base_free(line);
    }
}

/* The first plan, with closed notes, must not measure. FFTW keeps wisdom of each measurement. The second
 * plan, with open notes, must measure: this shows that the first plan has left no wisdom. */
TEST(closed_notes_leave_no_measured_wisdom)
{
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++) {
        if (!has_fftw(precision))
            continue;
        forget_wisdom();
        ck_assert_int_eq(plan_fftw(precision, SX_EFFORT_EXHAUSTIVE, 1), 0);
        ck_assert_int_eq(plan_fftw(precision, SX_EFFORT_MEASURE, 0), 1);
    }
}

TEST(there_may_be_no_wisdom)
{
    forget_wisdom();
    for (int precision = TEST_REAL_FIRST; precision <= TEST_REAL_LAST; precision++) {
        ck_assert_ptr_null(sx_serial_export_wisdom(precision));
        ck_assert_kind(sx_serial_import_wisdom(precision, "(damaged"),
                       has_fftw(precision) ? SUBX_ERR_SERIAL : SUBX_ERR_NONE);
    }
}

/* ---- memory */

TEST(allocations_may_fail)
{
    enum { ATTEMPTS_MAX = 20 };
    int rc = -1;
    long n;
    for (n = 0; rc && n < ATTEMPTS_MAX; n++) {
        sx_serial_notes *notes = NULL;
        sx_base_fail_after(n);
        rc = sx_serial_notes_create("0000000000000001:a", 0, &notes);
        sx_base_fail_after(-1);
        ck_assert_kind(rc, rc ? SUBX_ERR_NO_MEM : SUBX_ERR_NONE);
        ck_assert((notes == NULL) == (rc != MPI_SUCCESS));
        sx_serial_notes_free(&notes);
    }
    ck_assert_int_eq(n, 3);
}

/* Create a plan with auto while allocation n fails. */
static int create_failing(long n, sx_serial_notes *notes)
{
    const sx_serial_problem p = get_problem(SUBX_FFT_DOUBLE, notes);
    const arrays a = alloc_arrays(SUBX_FFT_DOUBLE);
    void *state = NULL;
    sx_base_fail_after(n);
    const int rc = sx_serial_auto.create(&p, SX_EFFORT_MEASURE, a.in, a.out, &state);
    sx_base_fail_after(-1);
    if (!rc)
        sx_serial_auto.free(state);
    free_arrays(a);
    return rc;
}

/* If an allocation for the plan fails, creating the plan fails. If an allocation for measuring fails, there
 * may be no error. */
TEST(auto_fails_where_allocations_do)
{
    enum { ATTEMPTS = 20 };
    int failed = 0;
    for (long n = 0; n < ATTEMPTS; n++) {
        sx_serial_notes *notes = create_notes("", 0);
        const int rc = create_failing(n, notes);
        failed += rc != MPI_SUCCESS;
        ck_assert_kind(rc, rc ? SUBX_ERR_NO_MEM : SUBX_ERR_NONE);
        if (rc)
            ck_assert_str_eq(print(notes), "");
        sx_serial_notes_free(&notes);
    }
    ck_assert_int_gt(failed, 0);
    ck_assert_int_lt(failed, ATTEMPTS);
}
