/* storage.c - draw storage orders, blocks, strides and boxes. */
#include "random/storage.h"
#include <string.h>

static int happens(test_random *r, int percent)
{
    return test_random_int(r, 0, 99) < percent;
}

/* Draw lengths of blocks. Most are long enough for the ranks that divide the axis. */
static void draw_blocks(random_problem *p, int side, test_random *r)
{
    for (int a = 0; a < p->ndims; a++) {
        const int n = (int)random_problem_get_length(p, side, a), least = (n + p->nworking - 1) / p->nworking;
        p->side[side].block[a] = happens(r, 50) ? 0 : test_random_int(r, happens(r, 25) ? 1 : least, n + 2);
    }
}

/* In most problems, an axis that is not transformed gets the same blocks on both sides. */
static void match_blocks(random_problem *p, test_random *r)
{
    const int is_matched = happens(r, 90);
    for (int a = 0; a < p->ndims; a++)
        if (is_matched && p->kinds[a] == SUBX_FFT_NONE && !p->side[SUBX_FFT_SPECTRAL].has_boxes)
            p->side[SUBX_FFT_SPECTRAL].block[a] = p->side[SUBX_FFT_PHYSICAL].block[a];
}

static void draw_side(random_problem *p, int side, test_random *r)
{
    random_side *s = &p->side[side];
    s->has_boxes = happens(r, 15);
    s->has_box_orders = happens(r, 50);
    s->has_strides = happens(r, 15);
    s->has_order = !s->has_boxes && !s->has_strides && happens(r, 30);
    test_random_permutation(r, p->ndims, s->order);
    if (!s->has_boxes && happens(r, 20))
        draw_blocks(p, side, r);
}

static void draw_padding(random_problem *p, test_random *r)
{
    random_side *s = &p->side[SUBX_FFT_PHYSICAL];
    const int innermost = s->has_order ? s->order[0] : p->ndims - 1;
    const int may_be = innermost == random_problem_get_halved(p) && !s->has_strides && !s->has_boxes;
    p->padded = happens(r, 40) && may_be;
}

/* Half of the problems set no orders, blocks, strides or boxes. */
void random_storage_draw(random_problem *p, test_random *r)
{
    if (happens(r, 50)) {
        for (int side = 0; side < 2; side++)
            draw_side(p, side, r);
        match_blocks(p, r);
    }
    draw_padding(p, r);
}

/* ---- boxes */

/* Cut a box in two along a random axis that is long enough. Returns 0 if there is no such axis. */
static int cut(const random_problem *p, test_random *r, random_box *box, random_box *rest)
{
    int order[RANDOM_NDIMS];
    test_random_permutation(r, p->ndims, order);
    for (int i = 0; i < p->ndims; i++) {
        const int a = order[i];
        if (box->len[a] < 2)
            continue;
        const ptrdiff_t n = test_random_int(r, 1, (int)box->len[a] - 1);
        *rest = *box;
        rest->start[a] += n;
        rest->len[a] -= n;
        box->len[a] = n;
        return 1;
    }
    return 0;
}

static void set_order(const random_problem *p, int side, test_random *r, random_box *box)
{
    test_random_permutation(r, p->ndims, box->order);
    for (int k = 0; k < p->ndims && !p->side[side].has_box_orders; k++)
        box->order[k] = p->ndims - 1 - k;
}

/* Add an empty box to some problems. It must have no effect. */
static int add_empty(const random_problem *p, test_random *r, random_box box[RANDOM_BOXES], int n)
{
    if (!happens(r, 20))
        return n;
    box[n] = box[test_random_int(r, 0, n - 1)];
    box[n].len[test_random_int(r, 0, p->ndims - 1)] = 0;
    return n + 1;
}

int random_storage_get_fault(const random_problem *p, int side)
{
    test_random r = random_problem_get_stream(p, RANDOM_STREAM_BOXES + 2 + side);
    const int fault =
        test_random_int(&r, RANDOM_GAP, p->side[side].has_strides ? RANDOM_GAP : RANDOM_OVERLAP);
    return p->side[side].has_boxes && happens(&r, 4) ? fault : RANDOM_RIGHT;
}

/* If the side has a fault, leave box[0] out, or repeat box[0]. This box is never empty. */
static int add_fault(const random_problem *p, int side, random_box box[RANDOM_BOXES], int n)
{
    switch (random_storage_get_fault(p, side)) {
    case RANDOM_GAP:
        box[0] = box[n - 1];
        return n - 1;
    case RANDOM_OVERLAP:
        box[n] = box[0];
        return n + 1;
    default:
        return n;
    }
}

/* List the boxes of all ranks. If there are strides, a rank has at most one box. Two elements of box[] are
 * kept free for an empty box and a wrong box. */
static int list_boxes(const random_problem *p, int side, random_box box[RANDOM_BOXES])
{
    test_random r = random_problem_get_stream(p, RANDOM_STREAM_BOXES + side);
    const int single = p->side[side].has_strides, least = test_random_int(&r, 0, p->nranks - 1);
    const int most = single ? p->nranks : test_random_int(&r, 1, RANDOM_BOXES - 2);
    int n = 1, ranks[RANDOM_BOXES];
    box[0] = (random_box){0};
    for (int a = 0; a < p->ndims; a++)
        box[0].len[a] = random_problem_get_length(p, side, a);
    while (n < most && cut(p, &r, &box[test_random_int(&r, 0, n - 1)], &box[n]))
        n++;
    if (!single)
        n = add_empty(p, &r, box, n);
    n = add_fault(p, side, box, n);
    test_random_permutation(&r, p->nranks, ranks);
    for (int i = 0; i < n; i++) {
        box[i].rank = single ? ranks[i] : test_random_int(&r, least, p->nranks - 1);
        set_order(p, side, &r, &box[i]);
    }
    return n;
}

int random_storage_get_boxes(const random_problem *p, int side, int rank, random_box box[RANDOM_BOXES])
{
    const int all = list_boxes(p, side, box);
    int n = 0;
    for (int i = 0; i < all; i++)
        if (box[i].rank == rank)
            box[n++] = box[i];
    return n;
}

/* ---- strides */

/* Draw strides that are wide enough for the whole array, whatever part of it a rank has. Some strides leave
 * gaps. */
void random_storage_get_strides(const random_problem *p, int side, int rank,
                                ptrdiff_t strides[RANDOM_NDIMS + 1])
{
    test_random r = random_problem_get_stream(p, RANDOM_STREAM_STRIDES + 2 * rank + side);
    int order[RANDOM_NDIMS + 1];
    ptrdiff_t stride = test_random_int(&r, 1, 2);
    test_random_permutation(&r, p->ndims + 1, order);
    for (int k = 0; k <= p->ndims; k++) {
        const int a = order[k];
        const ptrdiff_t n = a == p->ndims ? p->howmany : random_problem_get_length(p, side, a);
        strides[a] = stride;
        stride *= n + test_random_int(&r, 0, 3) / 3;
    }
}
