/* keep.c - free a plan, or keep it for the next equal request. Some programs create and free a plan for each
 * transform, and creation is slow: it clears pages and creates communicators.
 *
 * Each rank has a list of the plans that it keeps. All ranks of a plan keep it, or none: only collective
 * calls of these ranks put plans into the list, take them out and free them. So all ranks of a group have the
 * same plans of this group, in the same order. A rank may belong to several groups. Then the list of this
 * rank also has plans of other groups, but a call for one group skips them. */
#include "keep/keep.h"
#include <string.h>

/* The hint subx_keep limits the bytes of the plans that a group keeps. A plan counts as PLAN_BYTES plus the
 * bytes of its work space, which may be 0. */
enum { PLAN_BYTES = 64 << 10 };

/* What is needed to keep a plan. `bytes` is the same on all ranks of the group. */
struct sx_kept {
    subx_fft_plan next;  /* the plan that was kept before this one, of any group */
    MPI_Group group;     /* the ranks of the caller's communicator */
    int64_t bytes;       /* the largest work space of a rank, plus PLAN_BYTES */
    const char *request; /* the caller's hints and SUBX_* variables as text, in memory behind this struct */
};

static subx_fft_plan newest;
static int keyval = MPI_KEYVAL_INVALID; /* of the attribute of MPI_COMM_SELF whose deletion frees all plans */

/* ---- requests as text */

extern char **environ;

/* Requests are compared as text. Two requests for the same plan may differ: their hints have another order,
 * or a variable SUBX_* without effect on the plan has another value. Then no kept plan is taken, and a new
 * plan is created. */
static int print_request(MPI_Info hints, sx_text *t)
{
    static const char prefix[] = "SUBX_";
    int n = 0, is_found, rc = hints == MPI_INFO_NULL ? MPI_SUCCESS : MPI_Info_get_nkeys(hints, &n);
    for (int i = 0; i < n && !rc; i++) {
        char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
        rc = MPI_Info_get_nthkey(hints, i, key);
        if (!rc)
            rc = MPI_Info_get(hints, key, MPI_MAX_INFO_VAL, value, &is_found);
        if (!rc)
            sx_base_print(t, "%s=%s\n", key, value);
    }
    for (char **variable = environ; variable && *variable; variable++)
        if (strncmp(*variable, prefix, sizeof prefix - 1) == 0)
            sx_base_print(t, "%s\n", *variable);
    return rc;
}

/* Create the text of a request behind `before` bytes of zeros; NULL if there is no memory. */
static char *create_request(MPI_Info hints, size_t before)
{
    sx_text length = {NULL, 0, 0};
    if (print_request(hints, &length))
        return NULL;
    const size_t room = length.used + 1;
    char *made = sx_base_alloc((ptrdiff_t)(before + room), 1);
    if (made && print_request(hints, &(sx_text){made + before, room, 0})) {
        sx_base_free(made);
        made = NULL;
    }
    return made;
}

/* ---- the list */

/* Query whether a plan belongs to the ranks of a group, in the same order. */
static int is_of_group(subx_fft_plan plan, MPI_Group group)
{
    int result = MPI_UNEQUAL;
    return !MPI_Group_compare(plan->kept->group, group, &result) && result == MPI_IDENT;
}

static void remove_plan(subx_fft_plan plan)
{
    subx_fft_plan *at = &newest;
    while (*at != plan)
        at = &(*at)->kept->next;
    *at = plan->kept->next;
    plan->kept->next = SUBX_FFT_PLAN_NULL;
}

static int destroy(subx_fft_plan *plan)
{
    sx_choice choice = (*plan)->choice;
    subx_grid grid = (*plan)->grid;
    if ((*plan)->kept)
        (void)MPI_Group_free(&(*plan)->kept->group);
    sx_base_free((*plan)->kept);
    sx_plan_free(plan);
    int rc = subx_grid_free(&grid), failed = sx_choice_free(&choice);
    return rc ? rc : failed;
}

/* Free the oldest plans of a group, until the remaining plans have at most `room` bytes. Returns how many it
 * has freed. */
static int reduce(MPI_Group group, int64_t room)
{
    for (int n = 0;; n++) {
        subx_fft_plan oldest = SUBX_FFT_PLAN_NULL;
        int64_t sum = 0;
        for (subx_fft_plan p = newest; p; p = p->kept->next)
            if (is_of_group(p, group)) {
                oldest = p;
                sum += p->kept->bytes;
            }
        if (!oldest || sum <= room)
            return n;
        remove_plan(oldest);
        (void)destroy(&oldest);
    }
}

/* Free all plans, the oldest one first, so that each two ranks free the plans that they share in the same
 * order. MPI calls this function at the beginning of MPI_Finalize: later it is too late for the handles of
 * MPI that plans have. */
static int free_all(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    keyval = MPI_KEYVAL_INVALID; /* from now on no plan is kept */
    while (newest) {
        subx_fft_plan oldest = newest;
        while (oldest->kept->next)
            oldest = oldest->kept->next;
        remove_plan(oldest);
        (void)destroy(&oldest);
    }
    return MPI_SUCCESS;
}

/* ---- free or keep */

int subx_fft_plan_free(subx_fft_plan *plan)
{
    if (!plan || !*plan)
        return MPI_SUCCESS;
    if ((*plan)->is_active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    if (!(*plan)->kept || keyval == MPI_KEYVAL_INVALID)
        return destroy(plan);
    if ((*plan)->choice.strategy->drop_caller && !(*plan)->is_idle)
        (*plan)->choice.strategy->drop_caller(*plan);
    (*plan)->kept->next = newest;
    newest = *plan;
    *plan = SUBX_FFT_PLAN_NULL;
    (void)reduce(newest->kept->group, newest->choice.hints.keep);
    return MPI_SUCCESS;
}

/* With MPI_THREAD_MULTIPLE no plan is kept: threads may call collective functions of different communicators
 * in any order, so the lists of the ranks could differ. */
static int may_keep(void)
{
    int level = MPI_THREAD_MULTIPLE;
    if (MPI_Query_thread(&level) || level == MPI_THREAD_MULTIPLE)
        return 0;
    if (keyval != MPI_KEYVAL_INVALID)
        return 1;
    return !MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_all, &keyval, NULL) &&
           !MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
}

int sx_keep_set(subx_fft_plan plan, MPI_Comm comm, MPI_Info hints)
{
    enum { BYTES, REFUSALS, N };
    if (plan->choice.hints.keep == 0)
        return MPI_SUCCESS;
    struct sx_kept *k = (void *)create_request(hints, sizeof *k);
    if (k)
        k->request = (const char *)(k + 1);
    MPI_Group group = MPI_GROUP_NULL;
    int rc = MPI_Comm_group(comm, &group);
    int64_t most[N] = {[BYTES] = sx_plan_get_work(plan) + PLAN_BYTES, [REFUSALS] = !k || rc || !may_keep()};
    rc = MPI_Allreduce(MPI_IN_PLACE, most, N, MPI_INT64_T, MPI_MAX, plan->everyone);
    if (!rc && !most[REFUSALS] && most[BYTES] <= plan->choice.hints.keep) {
        k->group = group;
        k->bytes = most[BYTES];
        plan->kept = k;
        return MPI_SUCCESS;
    }
    if (group != MPI_GROUP_NULL)
        (void)MPI_Group_free(&group);
    sx_base_free(k);
    return rc;
}

/* ---- take */

static int is_equal(subx_fft_plan plan, subx_fft_problem problem, const char *request)
{
    int equal = 0;
    return strcmp(plan->kept->request, request) == 0 &&
           !subx_fft_problem_query_equal(plan->choice.problem, problem, &equal) && equal;
}

/* Query whether the plan can be used now. One on a GPU cannot after a failure, or if another GPU is current:
 * it then stays in the list until it is the oldest one. */
static int is_ready(subx_fft_plan plan)
{
    const sx_strategy *s = plan->choice.strategy;
    return plan->is_idle || !s->may_be_given || s->may_be_given(plan);
}

/* Find the plan for a request. *place becomes its number among the plans of the group, from 1; 0 if there is
 * none. */
static subx_fft_plan find(MPI_Group group, subx_fft_problem problem, const char *request, int *place)
{
    *place = 0;
    int i = 0;
    for (subx_fft_plan p = request && problem ? newest : SUBX_FFT_PLAN_NULL; p; p = p->kept->next) {
        i += is_of_group(p, group);
        if (is_of_group(p, group) && is_equal(p, problem, request) && is_ready(p)) {
            *place = i;
            return p;
        }
    }
    return SUBX_FFT_PLAN_NULL;
}

/* A plan is taken only if all ranks find the same one. Otherwise a new plan is created, and the creation
 * reports an error if the ranks ask for different plans. */
static int take(MPI_Comm comm, MPI_Group group, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    char *request = create_request(hints, 0);
    int place;
    subx_fft_plan found = find(group, problem, request, &place);
    int flags[] = {place, -place};
    const int rc = sx_base_agree_flags(comm, MPI_SUCCESS, NULL, 2, flags);
    sx_base_free(request);
    if (!rc && found && flags[0] == -flags[1]) {
        remove_plan(found);
        (void)subx_fft_plan_set_times_zero(found);
        *plan = found;
    }
    return rc;
}

/* Get the group of a communicator, and query whether its ranks keep plans. */
static int has_plans(MPI_Comm comm, MPI_Group *group)
{
    int is_inter = 1;
    *group = MPI_GROUP_NULL;
    if (!newest || comm == MPI_COMM_NULL || MPI_Comm_test_inter(comm, &is_inter) || is_inter ||
        MPI_Comm_group(comm, group))
        return 0;
    for (subx_fft_plan p = newest; p; p = p->kept->next)
        if (is_of_group(p, *group))
            return 1;
    return 0;
}

int sx_keep_take(MPI_Comm comm, subx_fft_problem problem, MPI_Info hints, subx_fft_plan *plan)
{
    MPI_Group group;
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = has_plans(comm, &group) ? take(comm, group, problem, hints, plan) : MPI_SUCCESS;
    if (group != MPI_GROUP_NULL)
        (void)MPI_Group_free(&group);
    return rc;
}

/* ---- free all plans of a group */

int sx_keep_free(MPI_Comm comm)
{
    MPI_Group group;
    const int n = has_plans(comm, &group) ? reduce(group, -1) : 0;
    if (group != MPI_GROUP_NULL)
        (void)MPI_Group_free(&group);
    return n;
}

int subx_fft_free_kept(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return subx_error_get_code(SUBX_ERR_ARG);
    (void)sx_keep_free(comm);
    return MPI_SUCCESS;
}

int subx_fft_query_kept(ptrdiff_t *bytes)
{
    if (!bytes)
        return subx_error_get_code(SUBX_ERR_ARG);
    *bytes = 0;
    for (subx_fft_plan p = newest; p; p = p->kept->next)
        *bytes += (ptrdiff_t)p->kept->bytes;
    return MPI_SUCCESS;
}
