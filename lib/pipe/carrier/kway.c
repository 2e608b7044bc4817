/* kway.c - the carrier that forwards blocks in rounds of few partners, for many ranks and small blocks. If
 * the number of ranks is p = k_0 * k_1 * .., a rank sends (k_0 - 1) + (k_1 - 1) + .. messages, not p - 1
 * (Sundar, Malhotra & Biros 2013, section 3.3; Gholami, Hill, Malhotra & Biros 2016).
 *
 * The number of a rank is written with one digit per round: digit j has k_j values, and digit 0 is the most
 * significant. In round j a rank exchanges with the ranks that differ from it in digit j only. To each of
 * these partners it sends all blocks whose destination has the partner's digit j. When round j begins, rank r
 * has the blocks whose source agrees with r in the digits j, j+1, .., and whose destination agrees with r in
 * the digits 0 .. j-1. The other digits identify a block on r, and form its number: the digits 0 .. j-1 of
 * its source, then the digits j, j+1, .. of its destination.
 *
 *     send area --round 0--> received --regroup--> work[0]
 *               --round 1--> received --regroup--> work[1]   ..   --last round--> receive area
 *
 * Before round j, all blocks with the same digit j follow each other, in the order of their numbers: they are
 * one message. */
#include "pipe/pipe.h"
#include <string.h>

/* The largest number of digits of an int. */
enum { ROUNDS_MAX = 31 };

typedef struct round {
    int k, unit; /* k: number of values of the digit; unit: distance of two ranks that differ by 1 in the
                    digit */
} round;

/* The blocks of a slice that this rank has when a round begins. Each array has p entries, in bytes, one per
 * block, by the number of the block (see above). bytes: the length of the block; before: its offset when the
 * round begins; after: the offset of a block that the round brings. Offsets count from the beginning of a
 * buffer. Behind the last round there is one more hold, which has lengths only. */
typedef struct hold {
    ptrdiff_t *bytes, *before, *after;
} hold;

typedef struct state {
    int nrounds, now; /* now: the current round of the current slice, which is slice pipe->arrived; -1 if
                         the slice is in no round yet */
    round round[ROUNDS_MAX];
    hold *hold;         /* for each slice and round, by the index slice * (nrounds + 1) + round */
    ptrdiff_t *numbers; /* the memory that the pointers of `hold` point into */
    /* Offsets of three buffers, which lie in the receive area, behind the blocks. A round receives into
     * `received`. `regroup` then copies all blocks to one of the two buffers `work`, from which the next
     * round sends. */
    ptrdiff_t received, work[2];
    sx_messages side[2];
} state;

/* ---- numbers */

/* Get the largest divisor of n that is at most the radix. If this divisor is 1 and n > 1, get the smallest
 * divisor above the radix instead. */
static int get_divisor(int n, int radix)
{
    int k = radix < n ? radix : n;
    while (k > 1 && n % k != 0)
        k--;
    if (k > 1 || n == 1)
        return k;
    for (k = radix + 1; n % k != 0; k++)
        continue;
    return k;
}

/* List the rounds for p ranks. Returns their number, at least 1. */
static int list_rounds(int p, int radix, round list[])
{
    int n = p, count = 0;
    do {
        round *a = &list[count++];
        a->k = get_divisor(n, radix);
        n /= a->k;
        a->unit = n;
    } while (n > 1);
    return count;
}

static int get_digit(const round *a, int number)
{
    return number / a->unit % a->k;
}

/* Get the number of the i-th block in the order of a round. In this order blocks are sorted by the digit of
 * the round; blocks with the same digit are sorted by their numbers. */
static int get_number(const round *a, int p, int i)
{
    const int n = p / a->k, digit = i / n, j = i % n;
    return j / a->unit * a->unit * a->k + digit * a->unit + j % a->unit;
}

/* Get the rank whose digit in this round is `digit`, and whose other digits are those of rank r. */
static int get_partner(const round *a, int r, int digit)
{
    return r + (digit - get_digit(a, r)) * a->unit;
}

/* Blocks lie in the receive area in the order of the last round. */
static void set_order(subx_pipe pipe, int order[])
{
    round list[ROUNDS_MAX];
    const int n = list_rounds(pipe->p, pipe->radix, list);
    for (int i = 0; i < pipe->p; i++)
        order[i] = get_number(&list[n - 1], pipe->p, i);
}

/* ---- creation */

static hold *get_hold(const subx_pipe pipe, int slice, int j)
{
    const state *a = pipe->state;
    return &a->hold[(ptrdiff_t)slice * (a->nrounds + 1) + j];
}

/* Get the bytes of a block in messages: whole cache lines, so that consecutive blocks are aligned. */
static ptrdiff_t get_length(const subx_pipe pipe, int side, int slice, int q)
{
    return sx_base_round_up(sx_pipe_get_bytes(pipe, side, slice, q));
}

static int create(subx_pipe pipe)
{
    state *a = pipe->state = sx_base_alloc(1, sizeof *a);
    if (!a)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->nrounds = list_rounds(pipe->p, pipe->radix, a->round);
    const ptrdiff_t holds = (ptrdiff_t)pipe->nslices * (a->nrounds + 1);
    a->hold = sx_base_alloc(holds, sizeof *a->hold);
    a->numbers = sx_base_alloc(3 * holds, (size_t)pipe->p * sizeof *a->numbers);
    if (!a->hold || !a->numbers)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < holds; i++) {
        ptrdiff_t *at = a->numbers + 3 * i * pipe->p;
        a->hold[i] = (hold){at, at + pipe->p, at + 2 * pipe->p};
    }
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p; q++) {
            get_hold(pipe, s, 0)->bytes[q] = get_length(pipe, SX_FROM, s, q);
            get_hold(pipe, s, a->nrounds)->bytes[q] = get_length(pipe, SX_TO, s, q);
        }
    return MPI_SUCCESS;
}

static int swap(const subx_pipe pipe, int n, int to, const int64_t *told, int from, int64_t *heard)
{
    return MPI_Sendrecv(told, n, MPI_INT64_T, to, pipe->tag, heard, n, MPI_INT64_T, from, pipe->tag,
                        pipe->comm->comm, MPI_STATUS_IGNORE);
}

/* Execute a round that sends the lengths of blocks instead of blocks. `told` and `heard` have room for a
 * number per rank. Collective; after an error the round goes on to its end. */
static int learn(const subx_pipe pipe, int slice, int j, int64_t *told, int64_t *heard)
{
    const state *a = pipe->state;
    const round *now = &a->round[j];
    const ptrdiff_t *bytes = get_hold(pipe, slice, j)->bytes;
    ptrdiff_t *next = get_hold(pipe, slice, j + 1)->bytes;
    const int n = pipe->p / now->k, digit = get_digit(now, pipe->r);
    int rc = MPI_SUCCESS;
    memcpy(next, bytes, (size_t)pipe->p * sizeof *next);
    for (int c = 1; c < now->k; c++) {
        int to = (digit + c) % now->k, from = (digit + now->k - c) % now->k, failed;
        for (int i = 0; i < n; i++)
            told[i] = bytes[get_number(now, pipe->p, to * n + i)];
        failed = swap(pipe, n, get_partner(now, pipe->r, to), told, get_partner(now, pipe->r, from), heard);
        for (int i = 0; i < n; i++)
            next[get_number(now, pipe->p, from * n + i)] = heard[i];
        rc = rc ? rc : failed;
    }
    return rc;
}

/* Set start[number] to the offset of each block. The blocks lie one after the other in the order of a round,
 * and the first one is at offset 0. Returns the end of the last block. */
static ptrdiff_t set_starts(const subx_pipe pipe, const round *now, const ptrdiff_t bytes[],
                            ptrdiff_t start[])
{
    ptrdiff_t at = 0;
    for (int i = 0; i < pipe->p; i++) {
        int number = get_number(now, pipe->p, i);
        start[number] = at;
        at += bytes[number];
    }
    return at;
}

/* Get the offset of a slice in an area. start[q] is the offset of a block from the beginning of the slice. So
 * the slice begins start[q] bytes before any remote block q in the area. */
static ptrdiff_t find_base(const subx_pipe pipe, int side, int slice, const ptrdiff_t start[])
{
    for (int q = 0; q < pipe->p; q++)
        if (sx_pipe_is_remote(pipe, side, slice, q))
            return pipe->side[side].place[sx_pipe_at(pipe, slice, q)] - start[q];
    return 0;
}

static void place_slice(const subx_pipe pipe, int slice, ptrdiff_t most[2])
{
    const state *a = pipe->state;
    for (int j = 0; j < a->nrounds; j++) {
        const hold *h = get_hold(pipe, slice, j);
        const int is_last = j == a->nrounds - 1;
        ptrdiff_t end = set_starts(pipe, &a->round[j], h->bytes, h->before), after = 0;
        ptrdiff_t move = j == 0 ? find_base(pipe, SX_FROM, slice, h->before) : 0;
        for (int q = 0; q < pipe->p; q++)
            h->before[q] += move;
        if (is_last)
            for (int q = 0; q < pipe->p; q++)
                h->after[q] = pipe->side[SX_TO].place[sx_pipe_at(pipe, slice, q)];
        else
            after = set_starts(pipe, &a->round[j], get_hold(pipe, slice, j + 1)->bytes, h->after);
        most[0] = j > 0 && end > most[0] ? end : most[0];
        most[1] = after > most[1] ? after : most[1];
    }
}

/* Create the set of messages of a side. It has room for the messages of one round: one message for each of at
 * most k - 1 partners. A message has at most as many bytes as the area, or as the longest buffer (`most`). */
static int create_messages(subx_pipe pipe, int side, ptrdiff_t most)
{
    state *a = pipe->state;
    int k = 1;
    for (int j = 0; j < a->nrounds; j++)
        k = a->round[j].k > k ? a->round[j].k : k;
    most = pipe->side[side].area > most ? pipe->side[side].area : most;
    return sx_messages_create(&a->side[side], pipe->comm->comm, side, pipe->tag,
                              (k - 1) * sx_message_count(most));
}

/* Make the receive area longer by a buffer. The caller provides this memory with the area, so pipes that
 * share their areas also share the buffers. */
static int add_buffer(subx_pipe pipe, ptrdiff_t bytes, ptrdiff_t *offset)
{
    *offset = sx_base_round_up(pipe->side[SX_TO].area);
    return sx_base_add(*offset, sx_base_round_up(bytes), &pipe->side[SX_TO].area);
}

static int connect(subx_pipe pipe)
{
    state *a = pipe->state;
    ptrdiff_t most[2] = {0, 0};
    int64_t *told = sx_base_alloc(pipe->p, sizeof *told), *heard = sx_base_alloc(pipe->p, sizeof *heard);
    int rc = sx_base_agree(pipe->comm->comm,
                           told && heard ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    /* 1 if no rank has failed so far. A rank that fails in the following loop goes on, because other ranks
     * wait for it. */
    const int is_fit = !rc;
    for (int s = 0; s < pipe->nslices && is_fit; s++) {
        for (int j = 0; j + 1 < a->nrounds; j++) {
            int failed = learn(pipe, s, j, told, heard);
            rc = rc ? rc : failed;
        }
    }
    sx_base_free(heard);
    sx_base_free(told);
    for (int s = 0; s < pipe->nslices && !rc; s++)
        place_slice(pipe, s, most);
    const ptrdiff_t longest = most[0] > most[1] ? most[0] : most[1];
    for (int side = 0; side < 2 && !rc; side++)
        rc = create_messages(pipe, side, longest);
    for (int i = 0; i < 2 && !rc; i++)
        rc = add_buffer(pipe, a->nrounds > i + 1 ? most[0] : 0, &a->work[i]);
    return rc ? rc : add_buffer(pipe, most[1], &a->received);
}

static void free_state(subx_pipe pipe)
{
    state *a = pipe->state;
    if (!a)
        return;
    for (int side = 0; side < 2; side++)
        sx_messages_free(&a->side[side]);
    sx_base_free(a->numbers);
    sx_base_free(a->hold);
    sx_base_free(a);
    pipe->state = NULL;
}

/* ---- an epoch: one slice after the other goes through the rounds */

static char *get_before(const subx_pipe pipe, int j)
{
    const state *a = pipe->state;
    return j == 0 ? pipe->from : pipe->to + a->work[(j - 1) % 2];
}

static char *get_after(const subx_pipe pipe, int j)
{
    const state *a = pipe->state;
    return j == a->nrounds - 1 ? pipe->to : pipe->to + a->received;
}

/* All blocks whose numbers have the same digit in a round. These blocks are contiguous: they travel as one
 * message, or stay on this rank. */
typedef struct group {
    char *start; /* the address of the first block */
    ptrdiff_t bytes;
} group;

/* Get the group with a digit in round j of the current slice, where the round sends it (SX_FROM) or receives
 * it (SX_TO). Empty blocks are left out, because they may have any offset. */
static group get_group(const subx_pipe pipe, int side, int j, int digit)
{
    const round *now = &((const state *)pipe->state)->round[j];
    const hold *h = get_hold(pipe, pipe->arrived, j);
    const ptrdiff_t *bytes = side == SX_FROM ? h->bytes : get_hold(pipe, pipe->arrived, j + 1)->bytes;
    const ptrdiff_t *start = side == SX_FROM ? h->before : h->after;
    const int n = pipe->p / now->k;
    group g = {NULL, 0};
    for (int i = 0; i < n; i++) {
        int number = get_number(now, pipe->p, digit * n + i);
        if (bytes[number] > 0 && g.bytes == 0)
            g.start = (side == SX_FROM ? get_before(pipe, j) : get_after(pipe, j)) + start[number];
        g.bytes += bytes[number];
    }
    return g;
}

static int start_messages(subx_pipe pipe, int side, int j)
{
    state *a = pipe->state;
    const round *now = &a->round[j];
    const int digit = get_digit(now, pipe->r);
    int rc = MPI_SUCCESS;
    for (int c = 1; c < now->k; c++) {
        int other = (digit + (side == SX_FROM ? c : now->k - c)) % now->k;
        group g = get_group(pipe, side, j, other);
        int failed = sx_messages_start(&a->side[side], get_partner(now, pipe->r, other), g.start, g.bytes);
        rc = rc ? rc : failed;
    }
    return rc;
}

static int start_round(subx_pipe pipe, int j)
{
    state *a = pipe->state;
    a->now = j;
    int rc = start_messages(pipe, SX_TO, j);
    int failed = start_messages(pipe, SX_FROM, j);
    return rc ? rc : failed;
}

/* After round j, copy all blocks to the buffer of the next round, in the order of that round. Round j has
 * received the blocks with other digits than this rank's. It has not moved the blocks with this rank's
 * digit. */
static void regroup(subx_pipe pipe, int j)
{
    const state *a = pipe->state;
    const round *now = &a->round[j];
    const hold *h = get_hold(pipe, pipe->arrived, j), *next = get_hold(pipe, pipe->arrived, j + 1);
    const int digit = get_digit(now, pipe->r);
    for (int number = 0; number < pipe->p; number++) {
        const char *from = get_digit(now, number) == digit ? get_before(pipe, j) + h->before[number]
                                                           : get_after(pipe, j) + h->after[number];
        if (next->bytes[number] > 0)
            memcpy(get_before(pipe, j + 1) + next->before[number], from, (size_t)next->bytes[number]);
    }
}

/* The last round has received blocks into the receive area. Copy the blocks with this rank's digit there,
 * too, because the round has not moved them. */
static void end_slice(subx_pipe pipe)
{
    state *a = pipe->state;
    const int j = a->nrounds - 1, digit = get_digit(&a->round[j], pipe->r);
    const group from = get_group(pipe, SX_FROM, j, digit), to = get_group(pipe, SX_TO, j, digit);
    if (from.bytes > 0)
        memcpy(to.start, from.start, (size_t)from.bytes);
    a->now = -1;
    pipe->arrived++;
}

static int begin(subx_pipe pipe)
{
    state *a = pipe->state;
    a->now = -1;
    return MPI_SUCCESS;
}

/* Query whether the next slice can start: it is posted, and its room in the receive area is free. */
static int may_start(const subx_pipe pipe)
{
    return pipe->arrived < pipe->posted && pipe->arrived < pipe->completed + pipe->depth;
}

static int end_round(subx_pipe pipe)
{
    state *a = pipe->state;
    if (a->now == a->nrounds - 1) {
        end_slice(pipe);
        return MPI_SUCCESS;
    }
    regroup(pipe, a->now);
    return start_round(pipe, a->now + 1);
}

static int progress(subx_pipe pipe)
{
    state *a = pipe->state;
    int rc = MPI_SUCCESS, goes_on = 1;
    while (!rc && goes_on && pipe->arrived < pipe->nslices) {
        int done[2] = {1, 1};
        if (a->now < 0) {
            goes_on = may_start(pipe);
            rc = goes_on ? start_round(pipe, 0) : MPI_SUCCESS;
            continue;
        }
        for (int side = 0; side < 2 && !rc; side++)
            rc = sx_messages_test(&a->side[side], &done[side]);
        goes_on = !rc && done[SX_FROM] && done[SX_TO];
        if (goes_on)
            rc = end_round(pipe);
    }
    pipe->sent = pipe->arrived;
    return rc;
}

static int post(subx_pipe pipe, int slice)
{
    (void)slice;
    return progress(pipe);
}

extern const sx_carrier sx_pipe_kway;
const sx_carrier sx_pipe_kway = {
    .name = "kway",
    .traits = SUBX_ENGINE_RADIX |
              SUBX_ENGINE_TRY_PACKED, /* for small blocks, kway may be faster than shared memory, where each
                                         rank waits for all others */
    .set_order = set_order,
    .create = create,
    .connect = connect,
    .begin = begin,
    .post = post,
    .progress = progress,
    .free = free_state,
};
