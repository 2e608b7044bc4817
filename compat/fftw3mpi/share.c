/* share.c - one plan of libsubx_fft serves both directions, so two plans of FFTW can share it. Programs usually have a
 * forward and a backward plan; sharing halves their work space and planning time.
 *
 * A plan that nobody uses any more is kept for the next equal request, because some programs make and destroy a plan for
 * each transform. Only plans of all ranks of MPI_COMM_WORLD are kept: so all ranks keep the same plans, and free them in the
 * same order. */
#include "fftw3mpi/fftw3mpi.h"
#include <string.h>

/* A plan that can be shared. Members that are the same on all its ranks: the serial number, `work`, `room`. */
typedef struct shared {
    struct shared *next;
    subx_fft_plan plan;
    MPI_Group group;
    long number, work; /* work: the largest work space of a rank, bytes */
    long room;         /* bytes of work space that kept plans may have together; -1: this plan is not kept */
    int references;    /* 0: it is kept */
    char key[SX_HINT_LEN]; /* the hints, as text */
} shared;

static shared *list; /* the newest plan comes first */
static long last;    /* the highest number that this rank has used */

static int is_same(const shared *s, MPI_Group group, subx_fft_problem problem, const char *key)
{
    subx_fft_problem other;
    int result = MPI_UNEQUAL, equal = 0;
    if (strcmp(s->key, key) != 0 || MPI_Group_compare(s->group, group, &result) || result != MPI_IDENT ||
        subx_fft_plan_get(s->plan, &other, NULL, NULL))
        return 0;
    return !subx_fft_problem_query_equal(problem, other, &equal) && equal;
}

/* Plans are not shared under MPI_THREAD_MULTIPLE: several threads may execute FFTW's plans at the same time, but not
 * our plans on one communicator. */
static int may_share(void)
{
    int level = MPI_THREAD_MULTIPLE;
    return !MPI_Query_thread(&level) && level != MPI_THREAD_MULTIPLE;
}

/* Find a plan for the problem, with the same number on all ranks; NULL if there is none. Collective. */
static shared *find(MPI_Comm comm, MPI_Group group, subx_fft_problem problem, const char *key)
{
    shared *s = problem && may_share() ? list : NULL;
    while (s && !is_same(s, group, problem, key))
        s = s->next;
    long ends[2] = {s ? s->number : 0, s ? -s->number : 0};
    if (MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_LONG, MPI_MIN, comm) || ends[0] != -ends[1])
        return NULL;
    return s;
}

/* ---- plans that are kept */

static void drop(shared *s)
{
    shared **at = &list;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    (void)subx_fft_plan_free(&s->plan);
    MPI_Group_free(&s->group);
    sx_base_free(s);
}

/* Find the oldest plan that is kept, and the work space of all of them. */
static shared *find_oldest(long *sum)
{
    shared *oldest = NULL;
    *sum = 0;
    for (shared *s = list; s; s = s->next)
        if (s->references == 0) {
            oldest = s;
            *sum += s->work;
        }
    return oldest;
}

/* Drop the oldest plans that are kept, until the others have at most `room` bytes of work space. */
static void reduce(long room)
{
    long sum;
    for (shared *s = find_oldest(&sum); s && sum > room; s = find_oldest(&sum))
        drop(s);
}

void sx_fftw_share_forget(void)
{
    reduce(-1);
}

int sx_fftw_share_has_kept(void)
{
    long sum;
    return find_oldest(&sum) != NULL;
}

/* Get the room for plans like this one on this rank: SUBX_FFTW3MPI_KEEP in MiB. A value that is no number is 0. */
static long get_room(MPI_Comm comm)
{
    enum { USUAL = 256, MOST = 1 << 20 };
    int result = MPI_UNEQUAL, mebibytes = USUAL;
    if (!may_share() || MPI_Comm_compare(comm, MPI_COMM_WORLD, &result) ||
        (result != MPI_CONGRUENT && result != MPI_IDENT))
        return -1;
    if (sx_base_hint_int(MPI_INFO_NULL, "subx_fftw3mpi_keep", USUAL, 0, MOST, &mebibytes))
        mebibytes = 0;
    return mebibytes > 0 ? (long)mebibytes << 20 : -1;
}

/* ---- creation */

/* Add a plan to the list, with a number that is new on all its ranks. If a rank has no memory, the plan is not shared.
 * Takes over the group. Collective. */
static void add(MPI_Comm comm, MPI_Group group, const char *key, subx_fft_plan plan)
{
    enum { NUMBER, WORK, ROOM, MEMBERS };
    shared *s = sx_base_alloc(1, sizeof *s);
    ptrdiff_t work = 0;
    (void)subx_fft_plan_get_work(plan, &work);
    long most[MEMBERS] = {[NUMBER] = last, [WORK] = (long)work, [ROOM] = -get_room(comm)};
    if (MPI_Allreduce(MPI_IN_PLACE, most, MEMBERS, MPI_LONG, MPI_MAX, comm) || !s) {
        sx_base_free(s);
        MPI_Group_free(&group);
        return;
    }
    last = most[NUMBER] + 1;
    *s = (shared){.next = list,
                  .plan = plan,
                  .group = group,
                  .number = last,
                  .work = most[WORK],
                  .room = -most[ROOM],
                  .references = 1};
    strcpy(s->key, key);
    list = s;
}

/* Plans that are kept must not be the reason that there is no memory. */
static int create(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    int result = MPI_UNEQUAL, rc = subx_fft_plan_create_problem(comm, problem, hints, plan);
    if (subx_error_get_kind(rc) != SUBX_ERR_NO_MEM || MPI_Comm_compare(comm, MPI_COMM_WORLD, &result) ||
        result > MPI_CONGRUENT)
        return rc;
    sx_fftw_share_forget();
    return subx_fft_plan_create_problem(comm, problem, hints, plan);
}

int sx_fftw_share_create(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, const char *key,
                         subx_fft_plan *plan)
{
    MPI_Group group;
    int rc = sx_base_agree(comm, MPI_Comm_group(comm, &group), NULL);
    if (rc)
        return rc;
    shared *s = find(comm, group, problem, key);
    if (s) {
        s->references++;
        *plan = s->plan;
    } else
        rc = create(comm, problem, hints, plan);
    if (s || rc)
        MPI_Group_free(&group);
    else
        add(comm, group, key, *plan);
    return rc;
}

void sx_fftw_share_free(subx_fft_plan *plan)
{
    shared *s = *plan ? list : NULL;
    while (s && s->plan != *plan)
        s = s->next;
    if (!s) {
        (void)subx_fft_plan_free(plan);
        return;
    }
    *plan = SUBX_FFT_PLAN_NULL;
    if (--s->references > 0)
        return;
    if (s->work <= s->room)
        reduce(s->room);
    else
        drop(s);
}
