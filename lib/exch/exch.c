/* exch.c - the public life of an exchange once it is made: execute, start, test, wait, questions, free. */
#include "exch/exch.h"

/* ---- execution */

static int check_buffers(subx_exch ex, const void *sendbuf, const void *recvbuf)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    ptrdiff_t out = ex->side[SX_FROM].bytes, in = ex->side[SX_TO].bytes;
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
    if (!rc && ex->engine->execute)
        return ex->engine->execute(ex);
    if (!rc)
        rc = ex->engine->start(ex);
    return rc ? rc : ex->engine->wait(ex);
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

int subx_exch_test(subx_exch ex, int *flag)
{
    int done = 1;
    if (!ex || !flag)
        return subx_error_get(SUBX_ERR_ARG);
    if (!ex->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    int rc = ex->engine->test ? ex->engine->test(ex, &done) : MPI_SUCCESS;
    *flag = done;
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
        *send_bytes = ex->side[SX_FROM].bytes;
    if (recv_bytes)
        *recv_bytes = ex->side[SX_TO].bytes;
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

/* ---- free */

int subx_exch_free(subx_exch *ex)
{
    if (!ex || !*ex)
        return MPI_SUCCESS;
    if ((*ex)->active)
        return subx_error_get(SUBX_ERR_ACTIVE);
    MPI_Comm comm = (*ex)->comm;
    sx_exch_destroy(*ex);
    *ex = SUBX_EXCH_NULL;
    return MPI_Comm_free(&comm);
}
