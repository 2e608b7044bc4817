/* exch.c - the public life of an exchange: create, execute, start, wait, free. */
#include "exch/exch.h"
#include <stdint.h>
#include <string.h>

/* ---- creation */

/* All but the communicator, whose freeing is collective; also for exchanges that were only half made. */
static void destroy(subx_exch ex)
{
    if (!ex)
        return;
    if (ex->engine)
        ex->engine->free(ex);
    if (ex->owns_work)
        sx_base_free(ex->work);
    sx_exch_side_free(&ex->side[SX_SEND]);
    sx_exch_side_free(&ex->side[SX_RECV]);
    sx_base_free(ex);
}

static int set_sides(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[])
{
    int rc = MPI_Comm_size(ex->comm, &ex->p);
    if (!rc)
        rc = MPI_Comm_rank(ex->comm, &ex->r);
    if (!rc)
        rc = sx_exch_side_set(&ex->side[SX_SEND], ex->p, stype, SX_SEND);
    return rc ? rc : sx_exch_side_set(&ex->side[SX_RECV], ex->p, rtype, SX_RECV);
}

/* Everybody tells everybody how much it will send: a pair of types that does not fit would be noticed only
 * when data is lost, if at all. Collective; `told` and `heard` have room for a number a rank. */
static int compare_amounts(subx_exch ex, int64_t *told, int64_t *heard)
{
    for (int q = 0; q < ex->p; q++)
        told[q] = ex->side[SX_SEND].part[q].bytes;
    int rc = MPI_Alltoall(told, 1, MPI_INT64_T, heard, 1, MPI_INT64_T, ex->comm);
    for (int q = 0; q < ex->p && !rc; q++)
        if (heard[q] != ex->side[SX_RECV].part[q].bytes)
            rc = subx_error_get(SUBX_ERR_MISMATCH);
    return rc;
}

/* Allocated at creation, so that executing allocates nothing. */
static int alloc_work(subx_exch ex)
{
    if (!ex->owns_work)
        return MPI_SUCCESS;
    ex->work = sx_base_alloc(ex->work_bytes, 1);
    return ex->work ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

/* Collective. rc tells how this rank has fared so far. Leaves ex->engine NULL on failure. */
static int try_engine(subx_exch ex, int rc, const sx_engine *engine)
{
    ex->engine = engine;
    if (!rc)
        rc = engine->create(ex);
    if (!rc)
        rc = alloc_work(ex);
    rc = sx_base_agree_flags(ex->comm, rc, NULL, 1, &ex->flag);
    if (!rc && engine->complete)
        rc = sx_base_agree(ex->comm, engine->complete(ex), NULL);
    if (rc) {
        engine->free(ex);
        ex->engine = NULL;
    }
    return rc;
}

static const sx_engine *find_engine(const char *name)
{
    for (int i = 0; sx_exch_table[i]; i++)
        if (strcmp(sx_exch_table[i]->name, name) == 0)
            return sx_exch_table[i];
    return NULL;
}

typedef struct choices {
    char engine[SX_HINT_LEN];
    int callers_work;
    int avoided[SX_FLAGS_MAX]; /* engines of the table that some rank would rather not use */
} choices;

static int read_hints(MPI_Info hints, choices *c)
{
    static const char *const owners[] = {"engine", "caller", NULL};
    int rc = sx_base_hint(hints, "subx_engine", "auto", c->engine);
    if (!rc && strcmp(c->engine, "auto") != 0 && !find_engine(c->engine))
        rc = subx_error_get(SUBX_ERR_HINT);
    return rc ? rc : sx_base_hint_word(hints, "subx_work", owners, &c->callers_work);
}

static int count_engines(void)
{
    int n = 0;
    while (sx_exch_table[n])
        n++;
    return n;
}

/* All that can fail on one rank alone. */
static int prepare(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info hints,
                   choices *c)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_NO_MEM);
    int rc = read_hints(hints, c);
    ex->owns_work = !c->callers_work;
    if (!rc)
        rc = set_sides(ex, stype, rtype);
    for (int i = 0; i < count_engines() && !rc; i++)
        c->avoided[i] = sx_exch_table[i]->avoids(ex);
    return rc;
}

/* The one that was asked for, or the first that no rank avoids. The last of the table avoids nothing. */
static const sx_engine *choose_engine(const choices *c)
{
    const sx_engine *asked = find_engine(c->engine);
    int i = 0;
    while (c->avoided[i])
        i++;
    return asked ? asked : sx_exch_table[i];
}

/* Set-up time is a matter of how often ranks meet: here for the duplicate of the communicator, for the
 * outcome of what each did alone, for the amounts, and for the outcome of the engine. */
int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info hints, subx_exch *ex)
{
    choices c = {.callers_work = 0};
    char keys[2 * SX_HINT_LEN + 1024] = "";
    sx_text t = {keys, sizeof keys, 0};
    MPI_Comm dup = MPI_COMM_NULL;
    int p = 0;
    if (ex)
        *ex = SUBX_EXCH_NULL;
    int failed = sx_base_comm_dup(comm, &dup);
    if (failed)
        return failed;
    subx_exch made = sx_base_alloc(1, sizeof *made);
    if (made)
        made->comm = dup;
    if (!rc)
        rc = ex ? prepare(made, stype, rtype, hints, &c) : subx_error_get(SUBX_ERR_ARG);
    if (!rc)
        p = made->p;
    int64_t *told = sx_base_alloc(p, sizeof *told), *heard = sx_base_alloc(p, sizeof *heard);
    if (!rc && (!told || !heard))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    sx_base_print(&t, "%s %s %d", key, c.engine, c.callers_work);
    rc = sx_base_agree_flags(dup, rc, keys, count_engines(), c.avoided);
    if (!rc)
        rc = try_engine(made, compare_amounts(made, told, heard), choose_engine(&c));
    sx_base_free(heard);
    sx_base_free(told);
    if (rc) {
        destroy(made);
        MPI_Comm_free(&dup);
        return rc;
    }
    *ex = made;
    return MPI_SUCCESS;
}

int subx_exch_create(MPI_Comm comm, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info hints,
                     subx_exch *ex)
{
    return sx_exch_create(comm, MPI_SUCCESS, "", stype, rtype, hints, ex);
}

int subx_exch_free(subx_exch *ex)
{
    if (!ex || !*ex)
        return MPI_SUCCESS;
    if ((*ex)->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    MPI_Comm comm = (*ex)->comm;
    destroy(*ex);
    *ex = SUBX_EXCH_NULL;
    return MPI_Comm_free(&comm);
}

/* ---- execution */

static int check_buffers(subx_exch ex, const void *sendbuf, const void *recvbuf)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    ptrdiff_t out = ex->side[SX_SEND].bytes, in = ex->side[SX_RECV].bytes;
    if ((out > 0 && !sendbuf) || (in > 0 && !recvbuf) || (ex->work_bytes > 0 && !ex->work))
        return subx_error_get(SUBX_ERR_ARG);
    if (out > 0 && in > 0 && sendbuf == recvbuf)
        return subx_error_get(SUBX_ERR_ALIAS);
    return MPI_SUCCESS;
}

/* Buffers count only once they are known to be right: a call that fails changes nothing. */
static int set_buffers(subx_exch ex, const void *sendbuf, void *recvbuf)
{
    int rc = check_buffers(ex, sendbuf, recvbuf);
    if (rc)
        return rc;
    ex->sendbuf = sendbuf;
    ex->recvbuf = recvbuf;
    return MPI_SUCCESS;
}

int subx_exch_execute(subx_exch ex, const void *sendbuf, void *recvbuf)
{
    int rc = set_buffers(ex, sendbuf, recvbuf);
    return rc ? rc : ex->engine->execute(ex);
}

int subx_exch_start(subx_exch ex, const void *sendbuf, void *recvbuf)
{
    int rc = set_buffers(ex, sendbuf, recvbuf);
    if (!rc)
        rc = ex->engine->start(ex);
    if (!rc)
        ex->active = 1;
    return rc;
}

int subx_exch_wait(subx_exch ex)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_ARG);
    if (!ex->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    ex->active = 0;
    return ex->engine->wait(ex);
}

/* ---- questions */

int subx_exch_get(subx_exch ex, const char **engine, MPI_Count *send_bytes, MPI_Count *recv_bytes,
                  MPI_Count *work_bytes)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_ARG);
    if (engine)
        *engine = ex->engine->name;
    if (send_bytes)
        *send_bytes = ex->side[SX_SEND].bytes;
    if (recv_bytes)
        *recv_bytes = ex->side[SX_RECV].bytes;
    if (work_bytes)
        *work_bytes = ex->work_bytes;
    return MPI_SUCCESS;
}

int subx_exch_set_work(subx_exch ex, void *work)
{
    if (!ex || ex->owns_work || !work)
        return subx_error_get(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    ex->work = work;
    return MPI_SUCCESS;
}
