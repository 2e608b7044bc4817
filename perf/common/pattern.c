/* pattern.c - a pattern that gives every element of an array a value of its own, for any type of element. */
#include "common/perf.h"

/* Get word k of element g, which has `nwords` words of 32 bits. If an array has at most 2^32 words, all
 * its words differ. */
static uint32_t get_word(uint64_t g, ptrdiff_t nwords, ptrdiff_t k)
{
    return (uint32_t)(g * (uint64_t)nwords + (uint64_t)k + 1);
}

ptrdiff_t sx_perf_pattern_export(const struct sx_perf_row *row)
{
    ptrdiff_t nwords = row->element_bytes / (ptrdiff_t)sizeof(uint32_t);
    uint32_t *word = (uint32_t *)(void *)row->memory;
    for (ptrdiff_t i = 0; i < row->n; i++)
        for (ptrdiff_t k = 0; k < nwords; k++)
            *word++ = get_word(row->first + (uint64_t)i * row->step, nwords, k);
    return 0;
}

static ptrdiff_t query_wrong(const struct sx_perf_row *row)
{
    ptrdiff_t wrong = 0, nwords = row->element_bytes / (ptrdiff_t)sizeof(uint32_t);
    const uint32_t *word = (const uint32_t *)(const void *)row->memory;
    for (ptrdiff_t i = 0; i < row->n; i++, word += nwords) {
        int differs = 0;
        for (ptrdiff_t k = 0; k < nwords; k++)
            differs |= word[k] != get_word(row->first + (uint64_t)i * row->step, nwords, k);
        wrong += differs;
    }
    return wrong;
}

/* Get the difference between the numbers (in C order) of two elements that are adjacent along an axis. */
static uint64_t get_step(const struct sx_perf_shape *shape, int axis)
{
    uint64_t step = 1;
    for (int a = axis + 1; a < shape->ndims; a++)
        step *= (uint64_t)shape->n[a];
    return step;
}

/* Go to the next row in memory; returns 0 after the last one. */
static int set_next(const struct sx_perf_box *box, ptrdiff_t index[])
{
    for (int i = 1; i < box->whole.ndims; i++) {
        int a = box->order[i];
        if (++index[a] < box->len[a])
            return 1;
        index[a] = 0;
    }
    return 0;
}

ptrdiff_t sx_perf_pattern_get_volume(const struct sx_perf_box *box)
{
    ptrdiff_t volume = 1;
    for (int a = 0; a < box->whole.ndims; a++)
        volume *= box->len[a];
    return volume;
}

ptrdiff_t sx_perf_pattern_execute(const struct sx_perf_box *box, ptrdiff_t element_bytes, char *memory,
                                  ptrdiff_t (*act)(const struct sx_perf_row *))
{
    ptrdiff_t index[SUBX_NDIMS_MAX] = {0}, sum = 0;
    const int inner = box->order[0];
    struct sx_perf_row row = {memory, box->len[inner], element_bytes, 0, get_step(&box->whole, inner)};
    if (sx_perf_pattern_get_volume(box) == 0)
        return 0;
    do {
        row.first = 0;
        for (int a = 0; a < box->whole.ndims; a++)
            row.first += (uint64_t)(box->start[a] + index[a]) * get_step(&box->whole, a);
        sum += act(&row);
        row.memory += row.n * row.element_bytes;
    } while (set_next(box, index));
    return sum;
}

double sx_perf_pattern_count_wrong(const struct sx_perf_box *box, ptrdiff_t element_bytes, char *memory)
{
    double wrong = (double)sx_perf_pattern_execute(box, element_bytes, memory, query_wrong);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

void sx_perf_pattern_set_box(const struct sx_perf_shape *whole, int divided, struct sx_perf_box *box)
{
    *box = (struct sx_perf_box){.whole = *whole};
    for (int a = 0; a < whole->ndims; a++) {
        box->len[a] = whole->n[a];
        box->order[a] = whole->ndims - 1 - a;
    }
    subx_block_get(whole->n[divided], sx_perf_program_get_nranks(), sx_perf_program_get_rank(),
                   &box->len[divided], &box->start[divided]);
}
