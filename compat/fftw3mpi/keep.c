/* keep.c - share plans, and keep them (SUBX_FFTW3MPI_KEEP). One plan of libsubx_fft serves both directions, so two plans of
 * FFTW can share it. Programs usually have a forward and a backward plan; sharing halves their work space and planning time. Some
 * have a pair of plans for each array. With MPI_THREAD_MULTIPLE, plans that share take turns (turn.c).
 *
 * Some programs make and destroy a plan for each transform. Therefore, when the last user of a plan frees it, the
 * plan is kept for the next equal request (hint subx_keep), if its ranks are all ranks of MPI_COMM_WORLD. */
#include "fftw3mpi/fftw3mpi.h"
#include <stdio.h>
#include <string.h>

/* A plan that can be shared. */
typedef struct shared {
    struct shared *next;
    subx_fft_plan plan;
    MPI_Group group;
    long number; /* identifies the plan on all its ranks */
    int references;
    sx_fftw_lock lock;
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

/* Query whether later requests should share a plan. With MPI_THREAD_MULTIPLE, turns cost a few messages per execution, so only
 * plans with much work space are shared. */
static int is_worth(subx_fft_plan plan)
{
    enum { LEAST = 1 << 20 };
    int level = MPI_THREAD_MULTIPLE;
    ptrdiff_t bytes = 0;
    return (!MPI_Query_thread(&level) && level != MPI_THREAD_MULTIPLE) ||
           (!subx_fft_plan_get_work(plan, &bytes) && bytes >= LEAST);
}

/* Find a plan for the problem. The plan must have the same number on all ranks; NULL if there is none. Collective. */
static shared *find(MPI_Comm comm, MPI_Group group, subx_fft_problem problem, const char *key)
{
    shared *s = problem ? list : NULL;
    while (s && !is_same(s, group, problem, key))
        s = s->next;
    long ends[2] = {s ? s->number : 0, s ? -s->number : 0};
    if (MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_LONG, MPI_MIN, comm) || ends[0] != -ends[1])
        return NULL;
    return s;
}

/* ---- plans that are kept */

void sx_fftw_share_forget(void)
{
    (void)subx_fft_free_kept(MPI_COMM_WORLD);
}

int sx_fftw_share_has_kept(void)
{
    ptrdiff_t bytes = 0;
    return !subx_fft_query_kept(&bytes) && bytes > 0;
}

/* Set the hint subx_keep (bytes) from the environment variable SUBX_FFTW3MPI_KEEP (MiB); the least value of all ranks
 * counts. The hint is 0 if a value is no number, or if the plan is not for all ranks of MPI_COMM_WORLD. */
static int set_room(MPI_Comm comm, MPI_Info hints)
{
    enum { USUAL = 256, MOST = 1 << 20 };
    char text[32];
    int result = MPI_UNEQUAL, mebibytes = USUAL;
    int rc = MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
    if (sx_base_hint_int(MPI_INFO_NULL, "subx_fftw3mpi_keep", USUAL, 0, MOST, &mebibytes) || rc ||
        result > MPI_CONGRUENT)
        mebibytes = 0;
    rc = MPI_Allreduce(MPI_IN_PLACE, &mebibytes, 1, MPI_INT, MPI_MIN, comm);
    (void)snprintf(text, sizeof text, "%lld", (long long)mebibytes << 20);
    return rc ? rc : MPI_Info_set(hints, "subx_keep", text);
}

/* ---- creation */

/* Add a plan to the list, with a number that is new on all its ranks, if this is worth while for some rank. On a rank without
 * memory the plan is not added: then no later request shares it. The list owns the group. Collective. */
static void add(MPI_Comm comm, MPI_Group group, const char *key, subx_fft_plan plan)
{
    shared *s = sx_base_alloc(1, sizeof *s);
    long most[] = {last, is_worth(plan)};
    if (MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_LONG, MPI_MAX, comm) || !most[1] || !s) {
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
    } else {
        rc = sx_base_agree(comm, set_room(comm, hints), NULL);
        if (!rc)
            rc = subx_fft_plan_create_problem(comm, problem, hints, plan);
    }
    if (s || rc)
        MPI_Group_free(&group);
    else
        add(comm, group, key, *plan);
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
