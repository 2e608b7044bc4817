/* fftw_layout.c - local sizes must follow the rules of FFTW's manual. They must also equal the sizes of
 * FFTW's own MPI library, if it is installed for this MPI.
 * ranks: 1 2 3 4 7 */
#include "compat/fftw.h"
#include "common/random.h"
#include "common/verdict.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 2000 };

/* The arguments of a call: dimensions, blocks and flags. */
typedef struct call {
    int d, sign;
    unsigned flags;
    length n[NDIMS], howmany, block[2], length;
} call;

static call draw(int number)
{
    test_random r = test_random_stream(test_seed(), (uint64_t)number);
    call c = {.d = test_random_int(&r, 2, NDIMS), .length = test_random_int(&r, 1, 400)};
    for (int i = 0; i < c.d; i++)
        c.n[i] = test_random_int(&r, 1, test_random_int(&r, 0, 3) ? 40 : 3);
    c.howmany = test_random_int(&r, 0, 1) ? 1 : test_random_int(&r, 1, 12);
    for (int side = 0; side < 2; side++)
        c.block[side] = test_random_int(&r, 0, 1) ? 0 : test_random_int(&r, 1, 40);
    c.sign = test_random_int(&r, 0, 1) ? FFTW_FORWARD : FFTW_BACKWARD;
    c.flags =
        (test_random_int(&r, 0, 1) ? SCRAMBLED_IN : 0) | (test_random_int(&r, 0, 1) ? SCRAMBLED_OUT : 0);
    return c;
}

/* ---- FFTW's own library */

static struct {
    length (*many)(int, const length *, length, length, MPI_Comm, length *, length *);
    length (*transposed)(int, const length *, length, length, length, MPI_Comm, length *, length *, length *,
                         length *);
    length (*line)(length, length, MPI_Comm, int, unsigned, length *, length *, length *, length *);
} stock;

/* Load FFTW's library. With RTLD_DEEPBIND, FFTW's library calls its own functions, not ours of the same
 * names. */
static int find_stock(void)
{
#ifdef SX_HAVE_FFTW3_MPI
    void *library = dlopen("libfftw3_mpi.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        return 0;
    *(void **)&stock.many = dlsym(library, "fftw_mpi_local_size_many");
    *(void **)&stock.transposed = dlsym(library, "fftw_mpi_local_size_many_transposed");
    *(void **)&stock.line = dlsym(library, "fftw_mpi_local_size_many_1d");
#endif
    return stock.many && stock.transposed && stock.line;
}

/* Compare the sizes that three functions return with the sizes by FFTW. The third function is only compared
 * if block1 is less than n[1]. For longer blocks FFTW 3.3.10 returns sizes too, but creates no plan whose
 * output is not transposed. */
static void compare(const call *c)
{
    length ours[5] = {0}, theirs[5] = {0};
    ours[4] =
        fftw_mpi_local_size_many(c->d, c->n, c->howmany, c->block[0], MPI_COMM_WORLD, &ours[0], &ours[1]);
    theirs[4] = stock.many(c->d, c->n, c->howmany, c->block[0], MPI_COMM_WORLD, &theirs[0], &theirs[1]);
    EXPECT(memcmp(ours, theirs, sizeof ours) == 0);
    ours[4] = fftw_mpi_local_size_many_1d(c->length, c->howmany, MPI_COMM_WORLD, c->sign, c->flags, ours,
                                          ours + 1, ours + 2, ours + 3);
    theirs[4] = stock.line(c->length, c->howmany, MPI_COMM_WORLD, c->sign, c->flags, theirs, theirs + 1,
                           theirs + 2, theirs + 3);
    EXPECT(memcmp(ours, theirs, sizeof ours) == 0);
    if (c->block[1] >= c->n[1])
        return;
    ours[4] = fftw_mpi_local_size_many_transposed(c->d, c->n, c->howmany, c->block[0], c->block[1],
                                                  MPI_COMM_WORLD, ours, ours + 1, ours + 2, ours + 3);
    theirs[4] = stock.transposed(c->d, c->n, c->howmany, c->block[0], c->block[1], MPI_COMM_WORLD, theirs,
                                 theirs + 1, theirs + 2, theirs + 3);
    EXPECT(memcmp(ours, theirs, sizeof ours) == 0);
}

/* ---- the manual's rules */

/* Rank k must have min(block, n - k * block) elements, from element k * block on. An idle rank has none, and
 * its start is 0. */
static void expect_block(length n, length block, length len, length start)
{
    const length size = block ? block : (n + test_nranks - 1) / test_nranks, left = n - test_rank * size;
    EXPECT_EQUAL(len, left <= 0 ? 0 : left < size ? left : size);
    EXPECT_EQUAL(start, left <= 0 ? 0 : test_rank * size);
}

static void check_slabs(const call *c)
{
    length n0, start0, n1, start1, rest = c->howmany;
    const length alloc = fftw_mpi_local_size_many_transposed(c->d, c->n, c->howmany, c->block[0], c->block[1],
                                                             MPI_COMM_WORLD, &n0, &start0, &n1, &start1);
    for (int i = 2; i < c->d; i++)
        rest *= c->n[i];
    expect_block(c->n[0], c->block[0], n0, start0);
    expect_block(c->n[1], c->block[1], n1, start1);
    EXPECT(alloc >= 1 && alloc >= n0 * c->n[1] * rest && alloc >= n1 * c->n[0] * rest);
}

/* The input of backward must be distributed as the output of forward is, with and without scrambling. All
 * ranks together must have all elements, in the order of ranks. */
static void check_line(const call *c)
{
    length f[4], b[4], before = 0, len[2];
    const unsigned back =
        (c->flags & SCRAMBLED_OUT ? SCRAMBLED_IN : 0) | (c->flags & SCRAMBLED_IN ? SCRAMBLED_OUT : 0);
    const length alloc = fftw_mpi_local_size_many_1d(c->length, c->howmany, MPI_COMM_WORLD, FFTW_FORWARD,
                                                     c->flags, f, f + 1, f + 2, f + 3);
    (void)fftw_mpi_local_size_many_1d(c->length, c->howmany, MPI_COMM_WORLD, FFTW_BACKWARD, back, b, b + 1,
                                      b + 2, b + 3);
    EXPECT(f[2] == b[0] && f[3] == b[1] && f[0] == b[2] && f[1] == b[3]);
    EXPECT(alloc >= f[0] * c->howmany && alloc >= f[2] * c->howmany);
    for (int side = 0; side < 2; side++) {
        MPI_Scan(&f[2 * side], &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        EXPECT(f[2 * side] == 0 || f[2 * side + 1] == before - f[2 * side]);
        MPI_Allreduce(&f[2 * side], &len[side], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        EXPECT_EQUAL(len[side], c->length);
    }
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    fftw_mpi_init();
    const int has_stock = find_stock();
    for (int i = 0; i < TRIALS; i++) {
        const call c = draw(i);
        test_context("trial %d: %tdx%td of %d axes, howmany %td, blocks %td and %td; %td, sign %d, flags %x",
                     i, c.n[0], c.n[1], c.d, c.howmany, c.block[0], c.block[1], c.length, c.sign, c.flags);
        check_slabs(&c);
        check_line(&c);
        if (has_stock)
            compare(&c);
    }
    fftw_mpi_cleanup();
    return test_end();
}
