/* blocks.c - the blocks of an exchange: contiguous blocks, each a 1-D subarray, or blocks of a realignment. */
#include "exch/exch.h"

#include <stdlib.h>
#include <string.h>

/* Get the largest divisor d of n with d^power <= n. If n is a power of two, d is close to the root of n. `power` is
 * 2 or 3. */
static ptrdiff_t get_divisor(ptrdiff_t n, int power)
{
    ptrdiff_t best = 1;
    for (ptrdiff_t d = 1; d * (power > 2 ? d * d : d) <= n; d++)
        if (n % d == 0)
            best = d;
    return best;
}

void sx_perf_exch_blocks_set(struct sx_perf_exch_blocks *blocks, int kind, ptrdiff_t bytes)
{
    ptrdiff_t elements = bytes / SX_PERF_EXCH_ELEMENT;
    blocks->kind = kind;
    blocks->bytes = bytes;
    blocks->a[0] = get_divisor(elements, 3);
    blocks->a[1] = get_divisor(elements / blocks->a[0], 2);
    blocks->a[2] = elements / blocks->a[0] / blocks->a[1];
}

static int create_contiguous(const struct sx_perf_exch_blocks *blocks, MPI_Info hints, subx_exch *ex)
{
    int code = MPI_SUCCESS, nranks = sx_perf_program_get_nranks();
    const MPI_Count size = blocks->bytes * nranks, subsize = blocks->bytes;
    MPI_Datatype *type = sx_perf_memory_create_small(nranks, sizeof *type);
    for (int q = 0; q < nranks && code == MPI_SUCCESS; q++) {
        const MPI_Count start = q * subsize;
        code = subx_type_create_subarray_c(1, &size, &subsize, &start, MPI_ORDER_C, NULL, MPI_BYTE, &type[q]);
    }
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no subarray type");
    code = subx_exch_create(MPI_COMM_WORLD, type, type, hints, ex);
    for (int q = 0; q < nranks; q++)
        MPI_Type_free(&type[q]);
    free(type);
    return code;
}

int sx_perf_exch_blocks_create(const struct sx_perf_exch_blocks *blocks, MPI_Info hints, subx_exch *ex)
{
    static const int c_order[] = {2, 1, 0}, reversed[] = {0, 1, 2};
    ptrdiff_t p = sx_perf_program_get_nranks(), sizes[] = {p * blocks->a[0], blocks->a[1], p * blocks->a[2]};
    if (blocks->kind == SX_PERF_EXCH_CONTIGUOUS)
        return create_contiguous(blocks, hints, ex);
    return subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 0, 2, c_order,
                                    blocks->kind == SX_PERF_EXCH_PLAIN ? c_order : reversed,
                                    MPI_C_DOUBLE_COMPLEX, hints, ex);
}

/* -------------------------------------------------------------------------------- verification */

/* Get the number that is stored in element e (in C order) of the block from rank s to rank r. */
static uint64_t get_number(const struct sx_perf_exch_blocks *blocks, int s, int r, ptrdiff_t e)
{
    uint64_t elements = (uint64_t)(blocks->bytes / SX_PERF_EXCH_ELEMENT);
    return ((uint64_t)s * (uint64_t)sx_perf_program_get_nranks() + (uint64_t)r) * elements + (uint64_t)e + 1;
}

/* Get the index in an array of element e of a block. If is_recv is 0, the block is the one for rank q in the send
 * array; if it is 1, the one from rank q in the receive array. */
static ptrdiff_t get_place(const struct sx_perf_exch_blocks *blocks, int is_recv, int q, ptrdiff_t e)
{
    ptrdiff_t p = sx_perf_program_get_nranks();
    const ptrdiff_t *a = blocks->a;
    ptrdiff_t i = e / (a[1] * a[2]), j = e / a[2] % a[1], k = e % a[2];
    if (blocks->kind == SX_PERF_EXCH_CONTIGUOUS)
        return q * a[0] * a[1] * a[2] + e;
    if (!is_recv) /* an array [p * a0][a1][a2]: rank q gets portion q of axis 0 */
        return ((q * a[0] + i) * a[1] + j) * a[2] + k;
    k += q * a[2];
    if (blocks->kind == SX_PERF_EXCH_PLAIN)
        return (i * a[1] + j) * p * a[2] + k;
    return (k * a[1] + j) * a[0] + i;
}

void sx_perf_exch_blocks_export(const struct sx_perf_exch_blocks *blocks, char *in)
{
    int me = sx_perf_program_get_rank();
    memset(in, 0, (size_t)(blocks->bytes * sx_perf_program_get_nranks()));
    for (int q = 0; q < sx_perf_program_get_nranks(); q++)
        for (ptrdiff_t e = 0; e < blocks->bytes / SX_PERF_EXCH_ELEMENT; e++) {
            uint64_t number = get_number(blocks, me, q, e);
            memcpy(in + get_place(blocks, 0, q, e) * SX_PERF_EXCH_ELEMENT, &number, sizeof number);
        }
}

int sx_perf_exch_blocks_is_right(const struct sx_perf_exch_blocks *blocks, const char *out)
{
    int me = sx_perf_program_get_rank(), wrong = 0;
    for (int q = 0; q < sx_perf_program_get_nranks(); q++)
        for (ptrdiff_t e = 0; e < blocks->bytes / SX_PERF_EXCH_ELEMENT; e++) {
            uint64_t number = get_number(blocks, q, me, e);
            wrong |=
                memcmp(out + get_place(blocks, 1, q, e) * SX_PERF_EXCH_ELEMENT, &number, sizeof number) != 0;
        }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return !wrong;
}
