/* fftw_remember.c - the outcome of a comparison with FFTW's plan is remembered in wisdom. If ours was faster,
 * FFTW does not plan, but its wisdom is as if it had, where the program can see it.
 * ranks: 1 2 3 (more would repeat three: the checks only tell one, two and more ranks apart) */
#include "compat/fftw.h"
#include "common/verdict.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 16 };

static char path[64];

/* ---- the file of wisdom, which rank 0 reads and writes */

static void read_text(char text[LONGEST])
{
    FILE *file = test_rank == 0 ? fopen(path, "r") : NULL;
    const size_t n = file ? fread(text, 1, LONGEST - 1, file) : 0;
    text[n] = 0;
    if (file)
        fclose(file);
    MPI_Bcast(text, LONGEST, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Query whether the file has an outcome that begins with these words. */
static int has_outcome(const char *words)
{
    char text[LONGEST];
    read_text(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strstr(line, "\tfftw3mpi\t") && strncmp(strrchr(line, '\t') + 1, words, strlen(words)) == 0)
            return 1;
    return 0;
}

/* Write an entry with this value instead of an outcome, with a valid checksum (64-bit FNV-1a of what follows
 * it). */
static void write_line(FILE *file, const char *line, const char *value)
{
    char all[LONGEST];
    uint64_t h = 14695981039346656037u;
    const int is_outcome = strstr(line, "\tfftw3mpi\t") != NULL;
    const char *rest = strchr(line, '\t'), *last = strrchr(line, '\t');
    if (!is_outcome) {
        fprintf(file, "%s\n", line);
        return;
    }
    snprintf(all, sizeof all, "%.*s\t%s", (int)(last - rest - 1), rest + 1, value);
    for (const char *c = all; *c; c++)
        h = (h ^ (unsigned char)*c) * 1099511628211u;
    fprintf(file, "%016" PRIx64 "\t%s\n", h, all);
}

static void set_outcomes(const char *value)
{
    char text[LONGEST];
    read_text(text);
    FILE *file = test_rank == 0 ? fopen(path, "w") : NULL;
    for (char *line = strtok(text, "\n"); line && file; line = strtok(NULL, "\n"))
        write_line(file, line, value);
    if (file)
        fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- plans */

static int contains(char *text, const char *words)
{
    const int found = text && strstr(text, words);
    free(text);
    return found;
}

static int is_ours(fftw_plan plan)
{
    return contains(fftw_sprint_plan(plan), "subx-");
}

/* Query whether FFTW's wisdom has a plan of its MPI library on this rank. */
static int is_known(void)
{
    return contains(fftw_export_wisdom_to_string(), "_mpi_");
}

static const length n[] = {6, 7, 10};
static double *arrays[2];

static fftw_plan create(int family, MPI_Comm comm, unsigned flags)
{
    static const fftw_r2r_kind kinds[] = {FFTW_REDFT10, FFTW_R2HC, FFTW_RODFT11};
    double *in = arrays[0], *out = arrays[1];
    fftw_complex *cin = (fftw_complex *)in, *cout = (fftw_complex *)out;
    switch (family) {
    case DFT: /* in place */
        return fftw_mpi_plan_many_dft(3, n, 2, 0, 0, cin, cin, comm, FFTW_FORWARD, flags | TRANSPOSED_OUT);
    case R2C:
        return fftw_mpi_plan_many_dft_r2c(3, n, 1, 0, 0, in, cout, comm, flags);
    case C2R:
        return fftw_mpi_plan_many_dft_c2r(3, n, 1, 0, 0, cin, out, comm, flags | TRANSPOSED_IN);
    case R2R:
        return fftw_mpi_plan_many_r2r(3, n, 1, 0, 0, in, out, comm, kinds, flags);
    default:
        return fftw_mpi_plan_many_transpose(n[0], n[1], 3, 0, 0, in, out, comm, flags);
    }
}

/* Create a plan with FFTW's wisdom forgotten, check who executes it and whether FFTW has planned, and destroy
 * it. */
static void expect(int family, MPI_Comm comm, unsigned flags, int ours, int known)
{
    fftw_forget_wisdom();
    fftw_plan plan = create(family, comm, flags);
    if (!EXPECT(plan))
        return;
    EXPECT_EQUAL(is_ours(plan), ours);
    EXPECT_EQUAL(is_known(), known);
    fftw_destroy_plan(plan);
}

/* The sum over all elements is the first element of the spectrum. */
static void check_result(MPI_Comm comm, unsigned flags)
{
    fftw_plan plan = create(R2C, comm, flags);
    length n0, start0;
    (void)fftw_mpi_local_size_many(3, n, 1, 0, comm, &n0, &start0);
    for (length i = 0; i < n0 * n[1] * 2 * (n[2] / 2 + 1); i++)
        arrays[0][i] = 1;
    if (!EXPECT(plan))
        return;
    fftw_execute(plan);
    EXPECT(start0 > 0 || n0 == 0 || fabs(arrays[1][0] - (double)(n[0] * n[1] * n[2])) < 1e-9);
    fftw_destroy_plan(plan);
}

/* ---- the checks */

static void check_family(int family)
{
    const unsigned flags = FFTW_MEASURE;
    test_context("family %d: compared", family);
    fftw_forget_wisdom();
    fftw_plan plan = create(family, MPI_COMM_WORLD, flags);
    if (!EXPECT(plan))
        return;
    EXPECT(is_known() && has_outcome(is_ours(plan) ? "ours; " : "fftw; "));
    fftw_destroy_plan(plan);
    test_context("family %d: ours is known to be faster", family);
    set_outcomes("ours; 0.001; 0.002");
    expect(family, MPI_COMM_WORLD, flags, 1, 0);
    expect(family, MPI_COMM_WORLD, flags, 1, 0);
    plan = create(family, MPI_COMM_WORLD, flags | FFTW_WISDOM_ONLY);
    EXPECT(plan && !is_ours(plan) && is_known());
    fftw_destroy_plan(plan);
    expect(family, MPI_COMM_WORLD, flags, 1, 0);
    fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
    EXPECT(is_known());
    test_context("family %d: FFTW's plan is known to be faster", family);
    set_outcomes("fftw; 0.002; 0.001");
    expect(family, MPI_COMM_WORLD, flags, 0, 1);
}

/* FFTW accepts its own wisdom in a later job: after a cleanup, nothing is known. */
static void check_import(void)
{
    test_context("import");
    fftw_destroy_plan(create(R2C, MPI_COMM_WORLD, FFTW_MEASURE));
    fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
    fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
    char *text = fftw_export_wisdom_to_string();
    EXPECT(text && strstr(text, "_mpi_"));
    fftw_mpi_cleanup();
    fftw_mpi_init();
    EXPECT(!is_known());
    EXPECT(text && fftw_import_wisdom_from_string(text));
    EXPECT(is_known());
    fftw_plan plan = create(R2C, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    EXPECT(plan);
    fftw_destroy_plan(plan);
    free(text);
}

static void check_damage(void)
{
    static const char *const wrong[] = {"",           "ours",  "ours; 1",       "ours; 1; 2; 3",
                                        "ours; 0; 1", "oursx", "fftw; -1; 0.5", "theirs; 1; 0.5",
                                        "ours; x; 1", "plan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_context("damaged: %s", wrong[i]);
        set_outcomes(wrong[i]);
        fftw_forget_wisdom();
        fftw_plan plan = create(R2C, MPI_COMM_WORLD, FFTW_MEASURE);
        EXPECT(plan && is_known() && (has_outcome("ours; ") || has_outcome("fftw; ")));
        fftw_destroy_plan(plan);
    }
}

static void check_others(void)
{
    MPI_Comm some;
    test_context("results");
    set_outcomes("ours; 0.001; 0.002");
    check_result(MPI_COMM_WORLD, FFTW_MEASURE);
    set_outcomes("fftw; 0.002; 0.001");
    check_result(MPI_COMM_WORLD, FFTW_MEASURE);
    test_context("other flags");
    set_outcomes("ours; 0.001; 0.002");
    fftw_forget_wisdom();
    fftw_destroy_plan(create(R2C, MPI_COMM_WORLD, FFTW_MEASURE | FFTW_DESTROY_INPUT));
    EXPECT(is_known());
    test_context("no wisdom");
    setenv("SUBX_WISDOM", "none", 1);
    fftw_forget_wisdom();
    fftw_destroy_plan(create(R2C, MPI_COMM_WORLD, FFTW_MEASURE));
    EXPECT(is_known());
    setenv("SUBX_WISDOM", path, 1);
    test_context("some ranks");
    MPI_Comm_split(MPI_COMM_WORLD, test_rank == 0, 0, &some);
    for (int i = 0; i < 2 && test_nranks > 1; i++) {
        fftw_forget_wisdom();
        fftw_plan plan = create(R2C, some, FFTW_MEASURE);
        EXPECT(plan && is_known() && (i == 0 || is_ours(plan)));
        fftw_destroy_plan(plan);
        MPI_Barrier(MPI_COMM_WORLD);
        set_outcomes("ours; 0.001; 0.002");
    }
    MPI_Comm_free(&some);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
#ifndef SX_HAVE_FFTW3_MPI
    (void)test_end();
    return 77;
#endif
    int process = (int)getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "/tmp/subx-fftw-remember.%d", process);
    setenv("SUBX_FFTW3MPI_STOCK", "load", 1);
    setenv("SUBX_WISDOM", path, 1);
    fftw_mpi_init();
    for (int i = 0; i < 2; i++)
        arrays[i] = fftw_alloc_real(10000);
    for (int family = DFT; family <= FAMILIES; family++)
        check_family(family);
    check_import();
    check_damage();
    check_others();
    for (int i = 0; i < 2; i++)
        fftw_free(arrays[i]);
    fftw_mpi_cleanup();
    if (test_rank == 0)
        (void)remove(path);
    return test_end();
}
