/* comm.c - get, share and free our duplicate of a caller's communicator. */
#include "comm/comm.h"
#include <pthread.h>

/* ---- the attribute that leads from a communicator to its sx_comm: on the caller's communicator, and on our
 * duplicate, which callers can get from subx_grid_get_comm */

static int keyval = MPI_KEYVAL_INVALID;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* MPI calls this function when the caller frees its communicator, or when we delete the attribute. */
static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    sx_comm *c = value;
    (void)key, (void)extra;
    if (c->outer == comm)
        c->outer = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

static void create_keyval(void)
{
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
}

static sx_comm *find(MPI_Comm outer)
{
    void *found = NULL;
    int flag = 0;
    pthread_once(&once, create_keyval);
    int rc = MPI_Comm_get_attr(outer, keyval, &found, &flag);
    return !rc && flag ? found : NULL;
}

/* ---- the duplicate */

/* Make a call while the caller's error handler is replaced: that handler might stop the program at an error
 * of our call. */
static int call_quietly(MPI_Comm outer, int (*call)(MPI_Comm outer, void *result), void *result)
{
    MPI_Errhandler handler;
    int rc = MPI_Comm_get_errhandler(outer, &handler);
    if (rc)
        return rc;
    rc = MPI_Comm_set_errhandler(outer, MPI_ERRORS_RETURN);
    if (!rc)
        rc = call(outer, result);
    const int failed = MPI_Comm_set_errhandler(outer, handler);
    MPI_Errhandler_free(&handler);
    return rc ? rc : failed;
}

static int test_inter(MPI_Comm outer, void *result)
{
    return MPI_Comm_test_inter(outer, result);
}

static int duplicate(MPI_Comm outer, void *result)
{
    /* The info of the caller's communicator may have assertions about messages, such as
     * mpi_assert_no_any_tag. Our calls may break these assertions, so the duplicate does not get the info. */
    return MPI_Comm_dup_with_info(outer, MPI_INFO_NULL, result);
}

static int attach(MPI_Comm outer, void *value)
{
    return MPI_Comm_set_attr(outer, keyval, value);
}

static void set_last_tag(sx_comm *c)
{
    void *value = NULL;
    int flag = 0;
    c->last_tag = (1 << 15) - 2; /* MPI guarantees one tag more */
    if (!MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag) && flag)
        c->last_tag = *(int *)value - 1;
}

static int fill(sx_comm *c, MPI_Comm outer)
{
    int rc = MPI_Comm_size(c->comm, &c->p);
    if (!rc)
        rc = MPI_Comm_rank(c->comm, &c->r);
    c->node_ranks = -1;
    c->is_local = sx_base_alloc(c->p, 1);
    if (!rc && !c->is_local)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    set_last_tag(c);
    if (!rc)
        rc = MPI_Comm_set_attr(c->comm, keyval, c);
    if (rc || outer == MPI_COMM_NULL)
        return rc;
    c->outer = outer;
    return call_quietly(outer, attach, c);
}

static void destroy(sx_comm *c)
{
    if (!c)
        return;
    if (c->outer != MPI_COMM_NULL && find(c->outer) == c)
        MPI_Comm_delete_attr(c->outer, keyval);
    if (find(c->comm) == c)
        MPI_Comm_delete_attr(c->comm, keyval);
    sx_comm_free_counters(c);
    sx_base_free(c->places);
    sx_base_free(c->is_local);
    sx_base_free(c);
}

/* Create the object that holds `ours`. Collective; if this fails on any rank, every rank frees `ours`. */
static int create(MPI_Comm outer, MPI_Comm ours, sx_comm **c)
{
    sx_comm *made = sx_base_alloc(1, sizeof *made);
    int rc = made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (made)
        *made = (sx_comm){.comm = ours, .outer = MPI_COMM_NULL, .users = 1};
    if (!rc)
        rc = MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN);
    if (!rc)
        rc = fill(made, outer);
    rc = sx_base_agree(ours, rc, NULL);
    if (rc) {
        destroy(made);
        MPI_Comm_free(&ours);
        return rc;
    }
    *c = made;
    return MPI_SUCCESS;
}

int sx_comm_get(MPI_Comm outer, sx_comm **c)
{
    int inter = 0;
    MPI_Comm ours = MPI_COMM_NULL;
    *c = NULL;
    if (outer == MPI_COMM_NULL)
        return subx_error_get_code(SUBX_ERR_COMM);
    *c = find(outer);
    if (*c) {
        sx_comm_hold(*c);
        return MPI_SUCCESS;
    }
    int rc = call_quietly(outer, test_inter, &inter);
    if (!rc && inter)
        rc = subx_error_get_code(SUBX_ERR_COMM);
    if (rc)
        return rc;
    rc = call_quietly(outer, duplicate, &ours);
    return rc ? rc : create(outer, ours, c);
}

int sx_comm_adopt(MPI_Comm ours, sx_comm **c)
{
    *c = NULL;
    pthread_once(&once, create_keyval);
    return create(MPI_COMM_NULL, ours, c);
}

int sx_comm_free(sx_comm **c)
{
    if (!*c)
        return MPI_SUCCESS;
    sx_comm *given = *c;
    *c = NULL;
    if (--given->users > 0)
        return MPI_SUCCESS;
    MPI_Comm comm = given->comm;
    destroy(given);
    return MPI_Comm_free(&comm);
}

/* ---- tags, local ranks */

int sx_comm_get_tag(sx_comm *c)
{
    int tag = c->next_tag;
    c->next_tag = tag == c->last_tag ? 0 : tag + 1;
    return tag;
}

/* Another rank is local if it is on this rank's node, and this rank can read all its counters. The other rank
 * can then read all counters of this rank, too, because sharing fails for a whole node or not at all. */
static void find_local(sx_comm *c, const int node[])
{
    for (int q = 0; q < c->p; q++) {
        c->is_local[q] = node[q] == node[c->r];
        for (int k = 0; k < c->npages; k++)
            c->is_local[q] = c->is_local[q] && sx_comm_get_counters(c, q, (sx_slot){k, 0});
    }
}

/* Number the nodes, and make sure that there is a page of counters: its allocation shows whether the ranks of
 * a node can share memory. Collective. */
static int find_nodes(sx_comm *c, int node_ranks, int node[])
{
    sx_slot slot;
    int rc = sx_comm_take_counters(c, node ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), &slot);
    sx_comm_give_counters(c, &slot);
    return rc ? rc : sx_comm_get_nodes(c, rc, node_ranks, node);
}

int sx_comm_get_local(sx_comm *c, int node_ranks, const char **is_local)
{
    *is_local = c->is_local;
    if (c->node_ranks == node_ranks)
        return MPI_SUCCESS;
    int *node = sx_base_alloc(c->p, sizeof *node);
    int rc = find_nodes(c, node_ranks, node);
    if (!rc) {
        find_local(c, node);
        c->node_ranks = node_ranks;
    }
    sx_base_free(node);
    return rc;
}
