/* keep.c - share plans, and keep them (SUBX_FFTW3MPI_KEEP). One plan of libsubx_fft serves both directions,
 * so two plans of FFTW can share it. Programs usually have a forward and a backward plan; sharing halves
 * their work space and planning time. Some have a pair of plans for each array. With MPI_THREAD_MULTIPLE,
 * plans that share take turns (turn.c).
 *
 * Some programs make and destroy a plan for each transform. Therefore, when the last user of a plan frees it,
 * the plan is kept for the next equal request (hint subx_keep), if its ranks are all ranks of
 * MPI_COMM_WORLD. */
#include "fftw3mpi/fftw3mpi.h"
#include <stdio.h>
#include <string.h>

/* A plan that can be shared. */
typedef struct shared {
    struct shared *next;
    subx_fft_plan plan;
    MPI_Group group;
    int number; /* identifies the plan on all its ranks */
    int references;
    sx_fftw_lock lock;
    char key[SX_HINT_LEN]; /* the hints, as text */
} shared;

static shared *list; /* the newest plan comes first */
static int last;     /* the highest number that this rank has used */

static int is_same(const shared *s, MPI_Group group, subx_fft_problem problem, const char *key)
{
    subx_fft_problem other;
    int result = MPI_UNEQUAL, equal = 0;
    if (strcmp(s->key, key) != 0 || MPI_Group_compare(s->group, group, &result) || result != MPI_IDENT ||
        subx_fft_plan_get(s->plan, &other, NULL, NULL))
        return 0;
    return !subx_fft_problem_query_equal(problem, other, &equal) && equal;
}

/* Query whether later requests should share a plan. With MPI_THREAD_MULTIPLE, turns cost a few messages per
 * execution, so only plans with much work space are shared. */
static int is_worth(subx_fft_plan plan)
{
    int level = MPI_THREAD_MULTIPLE;
    ptrdiff_t bytes = 0;
    return (!MPI_Query_thread(&level) && level != MPI_THREAD_MULTIPLE) ||
           (!subx_fft_plan_get_work(plan, &bytes) && bytes >= SX_FFTW_LEAST_SHARED);
}

/* Find a plan for the problem; NULL if there is none. Local. */
static shared *find(MPI_Group group, subx_fft_problem problem, const char *key)
{
    shared *s = list;
    while (s && !is_same(s, group, problem, key))
        s = s->next;
    return s;
}

/* ---- plans that are kept */

/* Get the MiB that plans may keep on this rank, from the environment variable SUBX_FFTW3MPI_KEEP. The result
 * is 0 if the value is no number, or if the plan is not for all ranks of MPI_COMM_WORLD. */
static int get_room(const sx_fftw_request *q)
{
    enum { MOST = 1 << 20 };
    int mebibytes = 0;
    const int failed = sx_base_hint_int(MPI_INFO_NULL, "subx_fftw3mpi_keep", SX_FFTW_KEPT_MEBIBYTES, 0, MOST,
                                        &mebibytes) != MPI_SUCCESS;
    return failed || !q->is_world ? 0 : mebibytes;
}

static int set_room(MPI_Info hints, int mebibytes)
{
    char bytes[32];
    (void)snprintf(bytes, sizeof bytes, "%lld", (long long)mebibytes << 20);
    return MPI_Info_set(hints, "subx_keep", bytes);
}

/* ---- creation */

/* Add a plan to the list, with a number that is new on all its ranks, if this is worth while for some rank.
 * On a rank without memory the plan is not added: then no later request shares it. The list owns the group.
 * Collective. */
static void add(MPI_Comm comm, MPI_Group group, const char *key, subx_fft_plan plan)
{
    shared *s = sx_base_alloc(1, sizeof *s);
    int most[] = {last, is_worth(plan)};
    if (MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, comm) || !most[1] || !s) {
        sx_base_free(s);
        MPI_Group_free(&group);
        return;
    }
    last = most[0] + 1;
    *s = (shared){.next = list, .plan = plan, .group = group, .number = last, .references = 1};
    s->lock.first = SX_FFTW_NOBODY;
    strcpy(s->key, key);
    list = s;
}

/* The ranks share a plan if all have found a plan of the same number. The least room of all ranks counts. */
int sx_fftw_share_create(const sx_fftw_request *q, int rc, subx_fft_problem problem, MPI_Info hints,
                         const char *key, subx_fft_plan *plan)
{
    MPI_Group group = MPI_GROUP_NULL;
    if (!rc)
        rc = MPI_Comm_group(q->comm, &group);
    shared *s = rc ? NULL : find(group, problem, key);
    int flags[] = {-get_room(q), s ? s->number : 0, s ? -s->number : 0};
    rc = sx_base_agree_flags(q->comm, rc, NULL, 3, flags);
    const int is_found = !rc && s && flags[1] == -flags[2];
    if (is_found) {
        s->references++;
        *plan = s->plan;
    } else if (!rc) {
        rc = set_room(hints, -flags[0]);
        rc = subx_fft_plan_create_problem(q->comm, rc ? SUBX_FFT_PROBLEM_NULL : problem, hints, plan);
    }
    if (!is_found && !rc)
        add(q->comm, group, key, *plan);
    else if (group != MPI_GROUP_NULL)
        MPI_Group_free(&group);
    return rc;
}

sx_fftw_lock *sx_fftw_share_get_lock(subx_fft_plan plan)
{
    shared *s = plan ? list : NULL;
    while (s && s->plan != plan)
        s = s->next;
    return s ? &s->lock : NULL;
}

void sx_fftw_share_free(subx_fft_plan *plan)
{
    shared **at = &list;
    while (*at && (*plan == SUBX_FFT_PLAN_NULL || (*at)->plan != *plan))
        at = &(*at)->next;
    shared *s = *at;
    if (s && --s->references > 0) {
        *plan = SUBX_FFT_PLAN_NULL;
        return;
    }
    if (s) {
        *at = s->next;
        MPI_Group_free(&s->group);
        sx_base_free(s);
    }
    (void)subx_fft_plan_free(plan);
}
