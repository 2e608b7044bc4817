/* part.c - where the elements of a rank lie in memory, computed only from the problem and the plan's grid. */
#include "random/part.h"
#include "random/storage.h"
#include "unit/real.h"
#include "common/worst.h"
#include <stdlib.h>
#include <string.h>

/* ---- the box of a rank on a grid */

typedef struct share {
    /* parts: the length of the grid dimension that divides the axis; coordinate: the rank's coordinate in
     * this dimension. If no dimension divides the axis, they are 1 and 0 */
    int parts, coordinate;
} share;

static void get_block(ptrdiff_t n, ptrdiff_t block, share s, ptrdiff_t *start, ptrdiff_t *len)
{
    const ptrdiff_t rest = n % s.parts, r = s.coordinate;
    *len = n / s.parts + (r < rest);
    *start = r * (n / s.parts) + (r < rest ? r : rest);
    if (block > 0 && s.parts > 1) {
        *start = r * block < n ? r * block : n;
        *len = n - *start < block ? n - *start : block;
    }
}

/* Get the first rank whose box on the physical side begins at another index of `axis` than the box of rank 0.
 * Returns nranks if there is no such rank, or if some rank does not have exactly one box. */
static int get_period(const random_problem *p, int axis)
{
    random_box box[RANDOM_BOXES];
    ptrdiff_t first = 0;
    for (int rank = 0; rank < p->nranks; rank++) {
        if (random_storage_get_boxes(p, SUBX_FFT_PHYSICAL, rank, box) != 1)
            return p->nranks;
        first = rank == 0 ? box[0].start[axis] : first;
        if (box[0].start[axis] != first)
            return rank;
    }
    return p->nranks;
}

/* If a plan takes the boxes as its grid, get the sequence of its axes. The axes that the boxes divide come
 * first. Among them, the axis with the longest period (get_period) comes first. Axes that are whole and not
 * transformed come last. Returns how many of the divided axes are not transformed. */
static int sort_by_boxes(const random_problem *p, int n, int sequence[])
{
    int period[RANDOM_NDIMS], nfixed = 0;
    for (int a = 0; a < p->ndims; a++) {
        const int is_fixed = p->kinds[a] == SUBX_FFT_NONE;
        period[a] = get_period(p, a) % p->nranks;
        period[a] -= period[a] == 0 && is_fixed;
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && period[sequence[k]] > period[sequence[k - 1]]; k--) {
            const int axis = sequence[k];
            sequence[k] = sequence[k - 1];
            sequence[k - 1] = axis;
        }
    for (int i = 0; i < n; i++)
        nfixed += period[sequence[i]] > 0 && p->kinds[sequence[i]] == SUBX_FFT_NONE;
    return nfixed;
}

/* Returns 1 if the plan has taken the boxes as its grid. subx_fft_plan_get_info then gives a sequence other
 * than auto, or no sequence because no axis is transformed. */
static int has_grid_of_boxes(const random_problem *p, subx_fft_plan plan)
{
    char value[RANDOM_VALUE] = "auto";
    int flag;
    MPI_Info info;
    if (*random_problem_get(p, "subx_sequence") || subx_fft_plan_get_info(plan, &info))
        return 0;
    MPI_Info_get(info, "subx_sequence", RANDOM_VALUE - 1, value, &flag);
    MPI_Info_free(&info);
    return !flag || strcmp(value, "auto") != 0;
}

/* Set for each axis the length of the grid dimension that divides it, and this rank's coordinate in this
 * dimension. The last grid dimension varies fastest with the rank. */
static void set_shares(const random_problem *p, subx_fft_plan plan, int side, int rank, int g,
                       const int dims[], share shares[])
{
    int nfixed, sequence[RANDOM_NDIMS];
    const int most = random_problem_get_sequence(p, &nfixed, sequence);
    if (has_grid_of_boxes(p, plan))
        nfixed = sort_by_boxes(p, p->ndims, sequence);
    for (int a = 0; a < p->ndims; a++)
        shares[a] = (share){1, 0};
    for (int k = g - 1; k >= 0; rank /= dims[k--]) {
        const int next = side == SUBX_FFT_SPECTRAL && k >= nfixed && p->ndims > 1;
        shares[g > most ? k : sequence[k + next]] = (share){dims[k], rank % dims[k]};
    }
}

/* Set the strides of a box. The rows of a padded array are long enough for half a spectrum. */
static ptrdiff_t set_strides(const random_part *part, const int order[], int is_alone, random_part_box *b)
{
    const random_problem *p = part->p;
    const int is_padded = p->padded && part->side == SUBX_FFT_PHYSICAL && is_alone;
    ptrdiff_t stride = p->interleaved ? p->howmany : 1;
    for (int k = 0; k < p->ndims; k++) {
        const ptrdiff_t n = b->len[order[k]];
        b->stride[order[k]] = stride;
        stride *= is_padded && k == 0 ? 2 * (n / 2 + 1) : n;
    }
    b->stride[p->ndims] = p->interleaved ? 1 : stride;
    return stride * (p->interleaved ? 1 : p->howmany);
}

/* Set the two factors of a factored axis if the output is transposed. The output then is a matrix, stored row
 * by row; the second factor is the number of columns. */
static void set_factors(random_part *part)
{
    const random_problem *p = part->p;
    const random_side *s = &p->side[SUBX_FFT_SPECTRAL];
    if (part->side != SUBX_FFT_SPECTRAL || !random_problem_is_factored(p) || s->has_order || s->has_strides ||
        s->block[0] || !random_problem_has(p, "subx_output_order", "transposed"))
        return;
    for (ptrdiff_t f = 1; f * f <= p->sizes[0]; f++)
        if (p->sizes[0] % f == 0)
            part->first = f;
    part->second = p->sizes[0] / part->first;
}

static const char *set_grid(random_part *part, subx_fft_plan plan, int position)
{
    const random_problem *p = part->p;
    ptrdiff_t shape[RANDOM_NDIMS], start[RANDOM_NDIMS];
    int g = 0, dims[RANDOM_NDIMS], order[RANDOM_NDIMS], seen = 0, nworking = 1;
    share shares[RANDOM_NDIMS];
    random_part_box *b = &part->box[0];
    set_factors(part);
    if (subx_fft_plan_get(plan, NULL, &g, dims) ||
        subx_fft_plan_get_local(plan, part->side, shape, start, order, NULL))
        return "the plan does not say what it is";
    for (int k = 0; k < g; k++)
        nworking *= dims[k];
    set_shares(p, plan, part->side, position, g, dims, shares);
    part->nboxes = 1;
    for (int a = 0; a < p->ndims; a++) {
        get_block(part->first ? part->first : random_problem_get_length(p, part->side, a),
                  p->side[part->side].block[a], shares[a], &b->start[a], &b->len[a]);
        b->start[a] *= part->first ? part->second : 1;
        b->len[a] *= part->first ? part->second : 1;
        b->len[a] = position < nworking ? b->len[a] : 0;
        if (shape[a] != b->len[a])
            return "a local length";
        if (shape[a] > 0 && start[a] != b->start[a])
            return "a start";
        seen |= 1 << order[a];
    }
    if (seen != (1 << p->ndims) - 1)
        return "the order is no permutation";
    if (p->side[part->side].has_order &&
        memcmp(order, p->side[part->side].order, (size_t)p->ndims * sizeof *order))
        return "the order is not the one that was set";
    (void)set_strides(part, order, 1, b);
    return NULL;
}

/* Set the caller's boxes of this rank, which lie in memory one after the other. */
static void set_boxes(random_part *part, int rank)
{
    random_box box[RANDOM_BOXES];
    ptrdiff_t offset = 0;
    part->nboxes = random_storage_get_boxes(part->p, part->side, rank, box);
    for (int i = 0; i < part->nboxes; i++) {
        random_part_box *b = &part->box[i];
        memcpy(b->start, box[i].start, sizeof b->start);
        memcpy(b->len, box[i].len, sizeof b->len);
        b->offset = offset;
        offset += set_strides(part, box[i].order, 0, b);
    }
}

static void count(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place)
{
    random_part *part = context;
    (void)field, (void)global;
    part->count++;
    part->elements = place >= part->elements ? place + 1 : part->elements;
}

const char *random_part_set(const random_problem *p, subx_fft_plan plan, int side, int rank, int position,
                            random_part *part)
{
    const char *wrong = NULL;
    *part = (random_part){.p = p, .side = side, .width = random_problem_get_width(p, side)};
    if (p->side[side].has_boxes)
        set_boxes(part, rank);
    else
        wrong = set_grid(part, plan, position);
    if (p->side[side].has_strides)
        random_storage_get_strides(p, side, rank, part->box[0].stride);
    random_part_for_each(part, count, part);
    if (subx_fft_plan_get_local(plan, side, NULL, NULL, NULL, &part->bytes) || part->bytes <= 0 ||
        part->bytes < part->elements * part->width * sx_serial_get_real_bytes(p->precision))
        return wrong ? wrong : "the bytes of an array";
    return wrong;
}

/* ---- elements */

static void visit(const random_part *part, const random_part_box *b, ptrdiff_t field, random_part_call *call,
                  void *context)
{
    const int ndims = part->p->ndims;
    ptrdiff_t n = 1;
    for (int a = 0; a < ndims; a++)
        n *= b->len[a];
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t global = 0, place = b->offset + field * b->stride[ndims], below = n, rest = i;
        for (int a = 0; a < ndims; a++) {
            below /= b->len[a];
            const ptrdiff_t x = rest / below;
            rest %= below;
            global = global * random_problem_get_length(part->p, part->side, a) + b->start[a] + x;
            place += x * b->stride[a];
        }
        if (part->first)
            global = global % part->second * part->first + global / part->second;
        call(context, field, global, place);
    }
}

void random_part_for_each(const random_part *part, random_part_call *call, void *context)
{
    for (int i = 0; i < part->nboxes; i++)
        for (ptrdiff_t field = 0; field < part->p->howmany; field++)
            visit(part, &part->box[i], field, call, context);
}

/* The context of a visit: the data with which elements are filled or compared. */
typedef struct work {
    const random_part *part;
    ptrdiff_t count;
    const random_pair *data;
    long double factor, error;
    void *array;
} work;

static void fill(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place)
{
    const work *w = context;
    const random_pair z = w->data[field * w->count + global];
    const int precision = w->part->p->precision, width = w->part->width;
    test_real_set(precision, w->array, place * width, z.re * w->factor);
    if (width == 2)
        test_real_set(precision, w->array, place * width + 1, z.im * w->factor);
}

void random_part_fill(const random_part *part, ptrdiff_t count_of, const random_pair data[],
                      long double factor, void *array)
{
    work w = {part, count_of, data, factor, 0, array};
    random_part_for_each(part, fill, &w);
}

static void compare(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place)
{
    work *w = context;
    const random_pair z = w->data[field * w->count + global];
    const int precision = w->part->p->precision, width = w->part->width;
    for (int k = 0; k < width; k++) {
        const test_real expected = (k ? z.im : z.re) * w->factor;
        const long double d =
            test_real_distance(test_real_get(precision, w->array, place * width + k), expected);
        w->error = test_get_worse(w->error, d);
    }
}

long double random_part_compare(const random_part *part, ptrdiff_t count_of, const random_pair data[],
                                long double factor, const void *array)
{
    work w = {part, count_of, data, factor, 0, (void *)array};
    random_part_for_each(part, compare, &w);
    return w.error;
}

static void mark(void *context, ptrdiff_t field, ptrdiff_t global, ptrdiff_t place)
{
    (void)field, (void)global;
    ((char *)context)[place] = 1;
}

ptrdiff_t random_part_count_touched(const random_part *part, unsigned char byte, const unsigned char *array)
{
    const ptrdiff_t element = part->width * sx_serial_get_real_bytes(part->p->precision);
    char *is_used = calloc((size_t)part->elements + 1, 1);
    ptrdiff_t touched = 0;
    random_part_for_each(part, mark, is_used);
    for (ptrdiff_t i = 0; i < part->elements * element; i++)
        touched += !is_used[i / element] && array[i] != byte;
    free(is_used);
    return touched;
}
