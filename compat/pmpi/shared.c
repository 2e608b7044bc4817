/* shared.c - the shared way: all-to-alls through memory that all ranks of a communicator share, by exchanges
 * that are kept for later calls.
 *
 * The ranks of a communicator that all run this library are a team. They agree how each call is executed: in
 * the shared way, or by each rank alone. They must agree, because a rank does not know the arguments of the
 * other ranks:
 *
 *     no rank wants the shared way,
 *     or some rank cannot use it         ->  each rank alone; after many such calls agreements are rare
 *     slot i has these arguments
 *     on all ranks, for some i           ->  the way that slot i tells: shared or alone
 *     no slot has these arguments        ->  a new slot
 *
 * During the first calls of a slot both ways are tried; then the slot keeps the faster one. Slots are equal
 * on all ranks, except their keys and times. */
#include "pmpi/alltoall.h"
#include <limits.h>
#include <stdint.h>

enum { SLOTS = 32 };

/* The steps of a slot. Each call with the arguments of the slot takes one step. But at LOOK and DECIDE, the
 * call first compares the times of both ways, and then takes the next step, too. LOOK ends the trials only if
 * the shared way is much faster. The first two steps of short calls need no exchange: creating an exchange
 * takes longer than a short call, and perhaps the program makes the call only once. */
enum {
    ALONE = 'a',
    ALONE_TIMED = 'A',
    CREATE = 'c',
    SHARED_TIMED = 'S',
    LOOK = 'l',
    DECIDE = 'd',
    DECIDED = 0
};
static const char steps_of_long[] = "cSAlSASASASAd", steps_of_short[] = "aAcSAlSASASASAd", end[] = {DECIDED};

typedef struct slot {
    sx_key *key; /* NULL if this rank had no memory for it */
    const char *step;
    subx_exch exch;
    double shared, alone; /* least seconds of each way */
    uint64_t used;        /* the value of team->clock, which counts calls, at the last use; 0: never used */
    int form, is_live;    /* is_live: the slot uses the shared way, or is still trying it */
} slot;

struct sx_team {
    MPI_Comm outer, comm; /* outer: the caller's; comm: ours for the exchanges, or MPI_COMM_NULL */
    int node;
    slot slot[SLOTS];
    uint64_t clock;
    double asking; /* least seconds of an agreement */
    /* For each form of call. skip: calls until the next agreement. interval: the value to which skip was set
     * last. live: number of live slots. */
    int skip[SX_FORMS], interval[SX_FORMS], live[SX_FORMS];
    sx_team *next;
};

/* ---- teams, stored as attributes of communicators */

static int keyval = MPI_KEYVAL_INVALID;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sx_team *teams, nobody;

static void drop_exchange(sx_team *team, slot *s)
{
    team->live[s->form] -= s->is_live;
    s->is_live = 0;
    sx_pmpi_depth++;
    subx_exch_free(&s->exch);
    sx_pmpi_depth--;
}

static void clear(sx_team *team, slot *s)
{
    drop_exchange(team, s);
    sx_pmpi_key_free(s->key);
    *s = (slot){0};
}

static void list(sx_team *team, int is_new)
{
    pthread_mutex_lock(&lock);
    sx_team **at = &teams;
    while (*at && *at != team)
        at = &(*at)->next;
    *at = is_new ? team : team->next;
    pthread_mutex_unlock(&lock);
}

/* MPI calls this function on all ranks when a communicator is freed, or when the attribute is deleted. */
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    sx_team *team = value;
    (void)comm, (void)key, (void)extra;
    if (team == &nobody)
        return MPI_SUCCESS;
    list(team, 0);
    for (int i = 0; i < SLOTS; i++)
        clear(team, &team->slot[i]);
    if (team->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&team->comm);
    sx_base_free(team);
    return MPI_SUCCESS;
}

/* Freeing a team is collective, so all ranks must free the teams in the same order. All ranks create teams in
 * the same order; therefore each rank frees its oldest team first. */
void sx_pmpi_team_free_all(void)
{
    while (teams)
        PMPI_Comm_delete_attr(teams->outer, keyval);
}

static void create_keyval(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
}

/* Create the team of a communicator. If it is not known that all ranks run this library, there is no team,
 * and the attribute becomes `nobody`. */
static sx_team *create_team(MPI_Comm comm, int p)
{
    const int node = sx_pmpi_node_get(comm, p);
    sx_team *team = node == SX_NODE_UNKNOWN ? &nobody : sx_base_alloc(1, sizeof *team);
    if (!team)
        return NULL;
    const int rc = PMPI_Comm_set_attr(comm, keyval, team);
    if (team == &nobody)
        return NULL;
    if (rc) {
        sx_base_free(team);
        return NULL;
    }
    team->outer = comm;
    team->comm = MPI_COMM_NULL;
    team->node = node;
    team->asking = 1;
    list(team, 1);
    return team;
}

sx_team *sx_pmpi_team_get(MPI_Comm comm, int p)
{
    void *found = NULL;
    int flag = 0;
    pthread_once(&once, create_keyval);
    if (PMPI_Comm_get_attr(comm, keyval, &found, &flag))
        return NULL;
    if (!flag)
        return create_team(comm, p);
    return found == &nobody ? NULL : found;
}

/* ---- how often the ranks agree */

int sx_pmpi_team_is_due(sx_team *team, int form)
{
    if (team->skip[form] == 0)
        return 1;
    team->skip[form]--;
    return 0;
}

/* If no slot for this form of call is live, put off the next agreement: by about twice as many calls as the
 * last time, but at most SX_PMPI_MOST_SKIPPED calls. */
static void put_off(sx_team *team, int form)
{
    if (team->live[form] > 0)
        return;
    const int interval = 2 * team->interval[form] + 1;
    team->skip[form] = team->interval[form] =
        interval < SX_PMPI_MOST_SKIPPED ? interval : SX_PMPI_MOST_SKIPPED;
}

/* ---- the data that a rank gives to an agreement */

/* A rank wants the shared way if one of its types is strided, and it sends or receives enough bytes. */
/* Flags of a rank. LENGTH is not a flag, but the number of a bit. If the longest block that the rank sends to
 * another rank or receives from it has 2^k .. 2^(k+1) - 1 bytes, bit LENGTH + k is set. */
enum { WANTS = 1, CANNOT = 2, IS_LONG = 4, LENGTH = 8 };

/* The words of a rank for an agreement. The agreement combines the words of all ranks by bitwise or. */
typedef struct words {
    uint64_t unlike, flags; /* bit i of unlike: the arguments of slot i differ from this call's */
} words;

static int can_share(const sx_pmpi_call *call, sx_part *const part[2], ptrdiff_t bytes[2], ptrdiff_t *longest)
{
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < call->p; q++) {
            const sx_part *a = &part[side][q];
            if (!(a->record || a->is_contiguous) || a->count > INT_MAX)
                return 0;
            bytes[side] += a->bytes;
            if (q != call->r && a->bytes > *longest)
                *longest = a->bytes;
        }
    const void *from = call->side[SX_FROM].buf, *to = call->side[SX_TO].buf;
    return (from || bytes[SX_FROM] == 0) && (to || bytes[SX_TO] == 0) &&
           !(from == to && bytes[SX_FROM] > 0 && bytes[SX_TO] > 0);
}

static words get_words(const sx_team *team, const sx_pmpi_call *call, sx_part *const part[2])
{
    words w = {UINT64_MAX, CANNOT};
    ptrdiff_t bytes[2] = {0, 0}, longest = 0;
    if (!part || !can_share(call, part, bytes, &longest))
        return w;
    const ptrdiff_t most = bytes[0] > bytes[1] ? bytes[0] : bytes[1];
    w.flags = most >= SX_PMPI_LONG_BYTES ? IS_LONG : 0;
    if (most >= SX_PMPI_SHARED_BYTES && sx_pmpi_parts_have_record(call))
        w.flags |= WANTS;
    for (int bit = LENGTH; longest > 0; longest >>= 1, bit++)
        w.flags |= longest == 1 ? (uint64_t)1 << bit : 0;
    for (int i = 0; i < SLOTS; i++)
        if (team->slot[i].key && sx_pmpi_key_is_equal(team->slot[i].key, call, part))
            w.unlike &= ~((uint64_t)1 << i);
    return w;
}

static int ask(sx_team *team, const sx_pmpi_call *call, words *w)
{
    const words mine = *w;
    const double begin = PMPI_Wtime();
    int rc = PMPI_Allreduce(&mine, w, 2, MPI_UINT64_T, MPI_BOR, call->comm);
    const double seconds = PMPI_Wtime() - begin;
    if (seconds < team->asking)
        team->asking = seconds;
    return rc;
}

static ptrdiff_t get_longest(uint64_t flags)
{
    ptrdiff_t longest = 1;
    for (flags >>= LENGTH; flags > 0; flags >>= 1)
        longest *= 2;
    return longest;
}

/* ---- slots */

/* Take a slot for new arguments: a free one, or else the slot that was not used for the longest time. */
static slot *take_slot(sx_team *team, const sx_pmpi_call *call, sx_part *const part[2], int is_long)
{
    slot *s = &team->slot[0];
    for (int i = 1; i < SLOTS; i++)
        if (team->slot[i].used < s->used)
            s = &team->slot[i];
    clear(team, s);
    *s = (slot){.key = sx_pmpi_key_create(call, part),
                .step = is_long ? steps_of_long : steps_of_short,
                .form = call->form,
                .is_live = 1};
    team->live[call->form]++;
    return s;
}

/* Create the communicator of the exchanges, which must not have the caller's attributes, assertions or error
 * handler. Collective. */
static int create_comm(sx_team *team, const sx_pmpi_call *call)
{
    MPI_Group group;
    if (team->comm != MPI_COMM_NULL)
        return MPI_SUCCESS;
    int rc = PMPI_Comm_group(call->comm, &group);
    if (rc)
        return rc;
    rc = PMPI_Comm_create(call->comm, group, &team->comm);
    PMPI_Group_free(&group);
    return rc;
}

static void create_exchange(sx_team *team, slot *s, const sx_pmpi_call *call, sx_part *const part[2],
                            ptrdiff_t longest)
{
    sx_pmpi_depth++;
    int rc = create_comm(team, call);
    if (!rc)
        rc = sx_pmpi_exchange_create(team->comm, call, part, longest, team->node == SX_NODE_ALL, &s->exch);
    sx_pmpi_depth--;
    if (rc) {
        drop_exchange(team, s);
        s->step = end;
    }
}

/* Compare the two ways by the times of the slowest rank; the time of the shared way includes the agreement.
 * If the shared way is much faster, it is kept at once: other programs on
 * the node seldom cause so large a difference. Collective. */
static void compare(sx_team *team, slot *s, const sx_pmpi_call *call, int is_last)
{
    const double mine[2] = {s->shared + team->asking, s->alone};
    double all[2];
    const int failed = PMPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, call->comm);
    if (failed || (is_last && all[0] >= all[1]))
        drop_exchange(team, s);
    if (failed || all[0] < SX_PMPI_MUCH * all[1])
        s->step = end;
}

static sx_pmpi_choice take_step(sx_team *team, slot *s, const sx_pmpi_call *call, sx_part *const part[2],
                                ptrdiff_t longest)
{
    char step = *s->step;
    if (step == LOOK || step == DECIDE) {
        s->step++;
        compare(team, s, call, step == DECIDE);
        step = *s->step;
    }
    s->step += step != DECIDED;
    if (step == CREATE)
        create_exchange(team, s, call, part, longest);
    if (step == ALONE || step == ALONE_TIMED)
        return (sx_pmpi_choice){SUBX_EXCH_NULL, step == ALONE_TIMED ? &s->alone : NULL};
    return (sx_pmpi_choice){s->exch, step == SHARED_TIMED ? &s->shared : NULL};
}

sx_pmpi_choice sx_pmpi_team_agree(sx_team *team, const sx_pmpi_call *call, sx_part *const part[2])
{
    words w = get_words(team, call, part);
    slot *s = NULL;
    if (ask(team, call, &w) || w.flags & CANNOT || !(w.flags & WANTS)) {
        put_off(team, call->form);
        return (sx_pmpi_choice){SUBX_EXCH_NULL, NULL};
    }
    for (int i = 0; i < SLOTS && !s; i++)
        if (!(w.unlike >> i & 1))
            s = &team->slot[i];
    if (!s)
        s = take_slot(team, call, part, (w.flags & IS_LONG) != 0);
    s->used = ++team->clock;
    sx_pmpi_choice choice = take_step(team, s, call, part, get_longest(w.flags));
    if (s->is_live)
        team->interval[call->form] = 0;
    else
        put_off(team, call->form);
    return choice;
}
