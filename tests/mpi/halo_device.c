/* halo_device.c - halo exchanges in device memory, by default on the fake device, are compared with those on
 * the host. Also memory of subx_mem_alloc on the device.
 * ranks: 1 2 3 4 5 7 */
#include "common/hints.h"
#include "common/verdict.h"
#include "mpi/on_device.h"
#include <stdlib.h>
#include <string.h>
#include <subx_boxes.h>
#include <subx_lowlevel.h>

/* ---- halos: the send buffer is the receive buffer */

/* Ranks own rows of an array; `width` rows below and above are ghost cells. The blocks are strided, because
 * the array has a column that nobody owns. If it is periodic, this column has ghost cells, too, and there are
 * corners: a rank then gets several boxes from another one. */
static void check_halo(int width, int is_periodic, const char *more)
{
    enum { ROWS = 3, N = 6 };
    const ptrdiff_t sizes[2] = {ROWS * test_nranks, N}, start[2] = {ROWS * test_rank, 0}, len[2] = {ROWS, N};
    const ptrdiff_t below[2] = {width, 1}, above[2] = {width, 0};
    const int periodic[2] = {test_nranks > 2 || is_periodic, is_periodic};
    const ptrdiff_t bytes = (ROWS + 2 * width) * (N + 1) * (ptrdiff_t)sizeof(double);
    double *u = malloc((size_t)bytes), *got = malloc((size_t)bytes);
    void *x = test_device_alloc(bytes);
    subx_halo halo[2] = {SUBX_HALO_NULL, SUBX_HALO_NULL};
    MPI_Info hints[2] = {MPI_INFO_NULL, test_hints("%s memory_kind=%s", more, test_device.place)};
    test_context("halo of width %d%s, %s", width, is_periodic ? ", periodic" : "", more);
    for (ptrdiff_t i = 0; i < bytes / (ptrdiff_t)sizeof(double); i++)
        u[i] = 1000. * test_rank + (double)i;
    test_device_copy(x, u, bytes);
    for (int k = 0; k < 2; k++)
        EXPECT_OK(subx_halo_create(MPI_COMM_WORLD, 2, sizes, start, len, below, above, periodic, NULL,
                                   MPI_DOUBLE, hints[k], &halo[k]));
    EXPECT_OK(subx_halo_execute(halo[0], u));
    EXPECT_OK(subx_halo_execute(halo[1], x));
    test_device_copy(got, x, bytes);
    EXPECT(memcmp(u, got, (size_t)bytes) == 0);
    for (int k = 0; k < 2; k++)
        EXPECT_OK(subx_halo_free(&halo[k]));
    MPI_Info_free(&hints[1]);
    test_device.table->free(test_device.handle, x);
    free(got);
    free(u);
}

/* ---- memory of subx_mem_alloc on the device */

static void check_memory(void)
{
    enum { BYTES = 1000 };
    char from[BYTES], to[BYTES] = "";
    void *mem[2] = {NULL, NULL};
    MPI_Info hints = test_hints("memory_kind=%s", test_device.place);
    test_context("subx_mem_alloc");
    for (int i = 0; i < BYTES; i++)
        from[i] = (char)(i + test_rank);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, BYTES, hints, &mem[0]));
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, test_rank == 0 ? 0 : BYTES, hints, &mem[1]));
    EXPECT(test_device.table->has(test_device.handle, mem[0], BYTES));
    EXPECT_OK(subx_mem_write(mem[0], from, BYTES));
    EXPECT_OK(subx_mem_read(mem[0], to, BYTES));
    EXPECT(memcmp(from, to, BYTES) == 0);
    EXPECT_OK(subx_mem_read((char *)mem[0] + BYTES - 5, to, 5));
    EXPECT(memcmp(from + BYTES - 5, to, 5) == 0);
    EXPECT_KIND(subx_mem_read((char *)mem[0] + BYTES - 5, to, 6), SUBX_ERR_ARG);
    EXPECT_KIND(subx_mem_write(from, to, 6), SUBX_ERR_ARG);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(subx_mem_free(&mem[i]));
    MPI_Info_free(&hints);
    hints = test_hints("memory_kind=gpu");
    EXPECT_KIND(subx_mem_alloc(MPI_COMM_WORLD, BYTES, hints, &mem[0]), SUBX_ERR_HINT);
    MPI_Info_free(&hints);
}

int main(int argc, char **argv)
{
    static const char *const hints[] = {"engine=auto", "engine=auto slices=3 device_reader=copies",
                                        "engine=pairwise", "engine=node node_ranks=2 slices=2",
                                        "engine=alltoallv"};
    test_device_begin(&argc, &argv);
    for (int k = 0; k < 2 * 3 * 2 * 5; k++) {
        test_device_set_messages((uint64_t)k / 4);
        check_halo(1 + k % 2, k / 2 % 2, hints[k / 12]);
    }
    check_memory();
    test_device_close();
    return test_end();
}
