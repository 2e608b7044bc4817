/* kway.c - the engine that forwards packed blocks in rounds of few partners, for many ranks and small blocks:
 * with p the product of k_0 k_1 .., a rank sends as many messages as the sum of all k_j - 1, and not p - 1
 * (Sundar, Malhotra & Biros 2013, section 3.3; Gholami, Hill, Malhotra & Biros 2016).
 *
 * Ranks are numbers of mixed radix, the most significant digit first. In round j a rank exchanges with
 * those that differ from it in digit j only; what it holds for ranks with the partner's digit goes to the
 * partner. A block that a rank holds before round j has come from a rank that agrees with it in the digits
 * from j on, and goes to one that agrees with it in the digits before. So one number tells which block it
 * is: the digits before j are its source's, the others its destination's. A round replaces the blocks
 * whose numbers have the partner's digit by those of the same numbers that the partner held. */
#include "message/message.h"
#include "exch/packed.h"
#include <stdint.h>
#include <string.h>

/* Blocks whose numbers have the same digit, in the order of their numbers: one message. */
typedef struct group {
    ptrdiff_t start, bytes;
} group;

typedef struct round {
    int k, unit;      /* values of the digit, and how far apart numbers are that differ by 1 in it */
    ptrdiff_t *bytes; /* of each block before the round; after it: of the next round, which always is there */
    ptrdiff_t *start[2]; /* in the work space, of each block before the round, and after */
    group *group[2];     /* the same by the digit */
} round;

/* The digits of an int, at most, and one more for what is left after the last round. */
enum { ROUNDS_MAX = 31 };

typedef struct state {
    int nrounds, now;
    round round[ROUNDS_MAX + 1];
    ptrdiff_t *numbers; /* what the rounds point into */
    group *groups;      /* the same */
    int64_t *told;      /* p numbers that are told, and p that are heard */
    sx_messages messages;
    sx_self self;
} state;

static int avoids(subx_exch ex)
{
    (void)ex;
    return 1;
}

/* ---- numbers */

/* The largest divisor that is no more than the radix, else the smallest one beyond, which is prime. */
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

static int get_digit(const round *a, int number)
{
    return number / a->unit % a->k;
}

/* The i-th of the numbers that have this digit, of which there are p / k. */
static int get_member(const round *a, int digit, int i)
{
    return i / a->unit * a->unit * a->k + digit * a->unit + i % a->unit;
}

/* The rank that differs from rank r in the digit only. */
static int get_partner(const round *a, int r, int digit)
{
    return r + (digit - get_digit(a, r)) * a->unit;
}

/* ---- creation */

/* A single rank has one round, without partners. Returns how many partners all digits have together. */
static int set_rounds(state *s, int p, int radix)
{
    int n = p, sum = 0;
    do {
        round *a = &s->round[s->nrounds++];
        a->k = get_divisor(n, radix);
        n /= a->k;
        a->unit = n;
        sum += a->k;
    } while (n > 1);
    return sum;
}

static void deal_out(state *s, int p)
{
    ptrdiff_t *numbers = s->numbers;
    group *groups = s->groups;
    for (int j = 0; j <= s->nrounds; j++) {
        round *a = &s->round[j];
        a->bytes = numbers;
        numbers += p;
        for (int i = 0; i < 2 && j < s->nrounds; i++) {
            a->start[i] = numbers;
            numbers += p;
            a->group[i] = groups;
            groups += a->k;
        }
    }
}

static int create(subx_exch ex)
{
    state *s = ex->state = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2; i++)
        if (!sx_exch_side_can_pack(&ex->side[i], ex->p))
            return subx_error_get(SUBX_ERR_TOO_LARGE);
    int sum = set_rounds(s, ex->p, ex->choices.radix);
    s->numbers = sx_base_alloc((3 * (ptrdiff_t)s->nrounds + 1) * ex->p, sizeof *s->numbers);
    s->groups = sx_base_alloc(2 * (ptrdiff_t)sum, sizeof *s->groups);
    s->told = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *s->told);
    if (!s->numbers || !s->groups || !s->told)
        return subx_error_get(SUBX_ERR_NO_MEM);
    deal_out(s, ex->p);
    for (int q = 0; q < ex->p; q++)
        s->round[0].bytes[q] = ex->side[SX_FROM].part[q].bytes;
    sx_exch_self_set(ex, &s->self);
    if (s->self.kern) /* it does not travel, not even through the work space */
        s->round[0].bytes[ex->r] = 0;
    int k = 1;
    for (int j = 0; j < s->nrounds; j++)
        k = s->round[j].k > k ? s->round[j].k : k;
    return sx_message_create(&s->messages, ex->comm, 2 * (k - 1));
}

/* Go through a round with the lengths of blocks in their stead. */
static int learn(subx_exch ex, const round *a, ptrdiff_t *after)
{
    const state *s = ex->state;
    int n = ex->p / a->k, digit = get_digit(a, ex->r), rc = MPI_SUCCESS;
    int64_t *told = s->told, *heard = told + ex->p;
    memcpy(after, a->bytes, (size_t)ex->p * sizeof *after);
    for (int c = 1; c < a->k && !rc; c++) {
        int to = (digit + c) % a->k, from = (digit + a->k - c) % a->k;
        for (int i = 0; i < n; i++)
            told[i] = a->bytes[get_member(a, to, i)];
        rc = MPI_Sendrecv(told, n, MPI_INT64_T, get_partner(a, ex->r, to), 0, heard, n, MPI_INT64_T,
                          get_partner(a, ex->r, from), 0, ex->comm, MPI_STATUS_IGNORE);
        for (int i = 0; i < n && !rc; i++)
            after[get_member(a, from, i)] = heard[i];
    }
    return rc;
}

/* Lay out the groups of a round one after the other; *end goes from where they may begin to where they
 * end. */
static int place(const round *a, int p, int after, const ptrdiff_t *bytes, ptrdiff_t *end)
{
    int rc = MPI_SUCCESS;
    for (int digit = 0; digit < a->k; digit++) {
        group *g = &a->group[after][digit];
        *end = g->start = sx_exch_round_up(*end);
        for (int i = 0; i < p / a->k && !rc; i++) {
            int number = get_member(a, digit, i);
            a->start[after][number] = *end;
            rc = sx_base_add(*end, bytes[number], end);
        }
        g->bytes = *end - g->start;
    }
    return rc;
}

/* All rounds send from the beginning of the work space, and receive behind what any of them sends. There
 * is some even for nothing, so that there is an address to count from. */
static int place_all(subx_exch ex)
{
    const state *s = ex->state;
    ptrdiff_t longest[2] = {0, 0};
    int rc = MPI_SUCCESS;
    for (int after = 0; after < 2; after++) {
        longest[1] = longest[0];
        for (int j = 0; j < s->nrounds && !rc; j++) {
            ptrdiff_t end = after ? longest[0] : 0;
            rc = place(&s->round[j], ex->p, after, s->round[j + after].bytes, &end);
            longest[after] = end > longest[after] ? end : longest[after];
        }
    }
    return rc ? rc : sx_base_add(longest[1], SX_ALIGNMENT, &ex->work_bytes);
}

/* What a rank has for itself stays where it is in the last round. */
static int complete(subx_exch ex)
{
    const state *s = ex->state;
    int rc = MPI_SUCCESS;
    for (int j = 0; j < s->nrounds && !rc; j++)
        rc = learn(ex, &s->round[j], s->round[j + 1].bytes);
    if (!rc)
        rc = place_all(ex);
    const round *last = &s->round[s->nrounds - 1];
    for (int i = 0; i < ex->p / last->k && !rc; i++) {
        int number = get_member(last, get_digit(last, ex->r), i);
        last->start[1][number] = last->start[0][number];
    }
    return rc;
}

static void free_state(subx_exch ex)
{
    state *s = ex->state;
    if (!s)
        return;
    sx_message_free(&s->messages);
    sx_base_free(s->told);
    sx_base_free(s->groups);
    sx_base_free(s->numbers);
    sx_base_free(s);
    ex->state = NULL;
}

/* ---- execution */

static int start_message(subx_exch ex, int way, int digit, int slot)
{
    state *s = ex->state;
    const round *a = &s->round[s->now];
    const group *g = &a->group[way][digit];
    char *at = ex->work + g->start;
    sx_message m = {.way = way, .tag = s->now, .from = at, .to = at, .n = g->bytes, .type = MPI_BYTE};
    m.peer = get_partner(a, ex->r, digit);
    return g->bytes > 0 ? sx_message_start(&s->messages, slot, &m) : MPI_SUCCESS;
}

/* Blocks of the own digit stay here, and join those that arrive. */
static int start_round(subx_exch ex)
{
    const state *s = ex->state;
    const round *a = &s->round[s->now];
    int digit = get_digit(a, ex->r), rc = MPI_SUCCESS;
    for (int c = 1; c < a->k && !rc; c++)
        rc = start_message(ex, SX_TO, (digit + a->k - c) % a->k, c - 1);
    for (int c = 1; c < a->k && !rc; c++)
        rc = start_message(ex, SX_FROM, (digit + c) % a->k, a->k + c - 2);
    if (!rc && s->now + 1 < s->nrounds)
        memcpy(ex->work + a->group[1][digit].start, ex->work + a->group[0][digit].start,
               (size_t)a->group[0][digit].bytes);
    return rc;
}

/* Order the blocks by the next round's digit; what is together before and after is copied together. */
static void regroup(subx_exch ex, const round *a, const round *next)
{
    ptrdiff_t from = 0, to = 0, n = 0;
    for (int i = 0; i < ex->p; i++) {
        int number = get_member(next, i / (ex->p / next->k), i % (ex->p / next->k));
        if (a->start[1][number] != from + n || next->start[0][number] != to + n) {
            memcpy(ex->work + to, ex->work + from, (size_t)n);
            from = a->start[1][number];
            to = next->start[0][number];
            n = 0;
        }
        n += next->bytes[number];
    }
    memcpy(ex->work + to, ex->work + from, (size_t)n);
}

/* Go on through the rounds as far as that needs no waiting, or to the end. */
static int progress(subx_exch ex, int waits, int *done)
{
    state *s = ex->state;
    int slot = 0, rc = MPI_SUCCESS;
    while (!rc && slot >= 0) {
        rc = sx_message_get(&s->messages, waits, &slot);
        if (!rc && slot == SX_IDLE && s->now + 1 < s->nrounds) {
            regroup(ex, &s->round[s->now], &s->round[s->now + 1]);
            s->now++;
            slot = 0;
            rc = start_round(ex);
        }
    }
    *done = slot == SX_IDLE;
    return rc;
}

static int start(subx_exch ex)
{
    state *s = ex->state;
    s->now = 0;
    int rc = sx_exch_pack_all(ex, &s->self, s->round[0].start[0], ex->work);
    return rc ? rc : start_round(ex);
}

static int test(subx_exch ex, int *done)
{
    return progress(ex, 0, done);
}

static int wait_for(subx_exch ex)
{
    const state *s = ex->state;
    int done;
    int rc = progress(ex, 1, &done);
    return rc ? rc : sx_exch_unpack_all(ex, &s->self, s->round[s->nrounds - 1].start[1], ex->work);
}

const sx_engine sx_exch_kway = {
    .name = "kway",
    .avoids = avoids,
    .create = create,
    .complete = complete,
    .start = start,
    .test = test,
    .wait = wait_for,
    .free = free_state,
};
