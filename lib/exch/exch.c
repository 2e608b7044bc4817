/* exch.c - the public functions of an exchange after its creation: execute, start, test, wait, get, free. */
#include "exch/exch.h"
#include <string.h>

/* ---- execution */

/* Check whether this rank can take part in an execution now. */
static int check_state(subx_exch ex)
{
    if (!ex || !ex->is_bound)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    return ex->device_bytes > 0 && !ex->device_work ? subx_error_get_code(SUBX_ERR_ARG) : MPI_SUCCESS;
}

static int check_buffers(subx_exch ex, const void *sendbuf, const void *recvbuf)
{
    ptrdiff_t out = ex->side[SX_FROM].bytes, in = ex->side[SX_TO].bytes;
    if ((out > 0 && !sendbuf) || (in > 0 && !recvbuf))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (out > 0 && in > 0 && sendbuf == recvbuf && !ex->is_in_place)
        return subx_error_get_code(SUBX_ERR_ALIAS);
    return MPI_SUCCESS;
}

/* Use memory of our own instead of the caller's buffers, which are wrong: this rank then still takes part,
 * and tells its partners that its data is wrong. Numbers in this memory are NaN, because MPI_Alltoallw cannot
 * tell partners. An engine on a device finds wrong buffers itself, and moves no data then. */
static int use_substitutes(subx_exch ex)
{
    char *buffer[2] = {NULL, NULL};
    for (int i = 0; i < 2 && !ex->device; i++) {
        const sx_side *side = &ex->side[i];
        ex->substitute[i] = sx_base_alloc((ptrdiff_t)(side->high - side->low), 1);
        if (!ex->substitute[i])
            return subx_error_get_code(SUBX_ERR_NO_MEM);
        memset(ex->substitute[i], 0xff, (size_t)(side->high - side->low));
        buffer[i] = (char *)ex->substitute[i] - side->low;
    }
    ex->sendbuf = buffer[SX_FROM];
    ex->recvbuf = buffer[SX_TO];
    ex->gives_wrong = 1;
    return MPI_SUCCESS;
}

static void free_substitutes(subx_exch ex)
{
    for (int i = 0; i < 2; i++) {
        sx_base_free(ex->substitute[i]);
        ex->substitute[i] = NULL;
    }
}

/* Set the buffers of an execution. If they are wrong, ex->failed becomes the error of the execution, in which
 * this rank still takes part. Returns an error if it cannot take part; then nothing has changed. */
static int set_buffers(subx_exch ex, const void *sendbuf, void *recvbuf, int executes)
{
    int rc = check_state(ex);
    if (rc)
        return rc;
    ex->failed = check_buffers(ex, sendbuf, recvbuf);
    ex->sendbuf = sendbuf;
    ex->recvbuf = recvbuf;
    ex->executes = executes;
    if (!ex->failed || !use_substitutes(ex))
        return MPI_SUCCESS;
    free_substitutes(ex);
    return ex->failed;
}

/* End an execution: get its first error. */
static int end(subx_exch ex, int rc)
{
    if (ex->failed)
        free_substitutes(ex);
    return ex->failed ? ex->failed : rc;
}

int subx_exch_set_failed(subx_exch ex)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    ex->gives_wrong = 1;
    return MPI_SUCCESS;
}

int subx_exch_set_unordered(subx_exch ex, int is_unordered)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    ex->is_unordered = is_unordered != 0;
    return MPI_SUCCESS;
}

int subx_exch_execute(subx_exch ex, const void *sendbuf, void *recvbuf)
{
    int rc = set_buffers(ex, sendbuf, recvbuf, 1);
    return rc ? rc : end(ex, sx_exch_execute(ex));
}

int subx_exch_start(subx_exch ex, const void *sendbuf, void *recvbuf)
{
    int rc = set_buffers(ex, sendbuf, recvbuf, 0);
    if (rc)
        return rc;
    ex->active = 1;
    rc = ex->engine.functions->start(ex);
    ex->failed = ex->failed ? ex->failed : rc;
    return MPI_SUCCESS;
}

int subx_exch_test(subx_exch ex, int *flag)
{
    int done = 1;
    if (!ex || !flag)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    if (ex->engine.functions->test) {
        int failed = ex->engine.functions->test(ex, &done);
        ex->failed = ex->failed ? ex->failed : failed;
    }
    *flag = done;
    return MPI_SUCCESS;
}

int subx_exch_wait(subx_exch ex)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    ex->active = 0;
    return end(ex, sx_exch_wait(ex));
}

/* ---- work space */

int subx_exch_set_work(subx_exch ex, void *work)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = ex->active ? subx_error_get_code(SUBX_ERR_ACTIVE) : MPI_SUCCESS;
    if (!rc && (ex->owns_work || (!work && ex->work_bytes > 0)))
        rc = subx_error_get_code(SUBX_ERR_ARG);
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    return rc ? rc : sx_exch_bind(ex, work);
}

/* ---- devices */

int subx_exch_get_device_work(subx_exch ex, ptrdiff_t *bytes)
{
    if (!ex || !bytes)
        return subx_error_get_code(SUBX_ERR_ARG);
    *bytes = ex->device_bytes;
    return MPI_SUCCESS;
}

int subx_exch_set_device_work(subx_exch ex, void *work)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = ex->active ? subx_error_get_code(SUBX_ERR_ACTIVE) : MPI_SUCCESS;
    if (!rc && (!ex->device || ex->owns_work ||
                (ex->device_bytes > 0 && !ex->device->has(ex->handle, work, ex->device_bytes))))
        rc = subx_error_get_code(SUBX_ERR_ARG);
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    return rc ? rc : sx_exch_device_bind(ex, work);
}

int subx_exch_set_stream(subx_exch ex, void *stream)
{
    if (!ex || !ex->device)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (ex->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    ex->stream = stream;
    return MPI_SUCCESS;
}

/* ---- information */

int subx_exch_get(subx_exch ex, const char **engine, ptrdiff_t *send_bytes, ptrdiff_t *recv_bytes,
                  ptrdiff_t *work_bytes)
{
    if (!ex)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (engine)
        *engine = ex->engine.name;
    if (send_bytes)
        *send_bytes = ex->side[SX_FROM].bytes;
    if (recv_bytes)
        *recv_bytes = ex->side[SX_TO].bytes;
    if (work_bytes)
        *work_bytes = ex->work_bytes;
    return MPI_SUCCESS;
}

/* An MPI_Info cannot hold an empty text: then there is no key. */
static int set_text(MPI_Info info, const char *key, const char *text)
{
    return *text ? MPI_Info_set(info, key, text) : MPI_SUCCESS;
}

int subx_exch_get_info(subx_exch ex, MPI_Info *info)
{
    char carriers[SX_HINT_LEN] = "";
    sx_text t = {carriers, sizeof carriers, 0};
    if (!ex || !info)
        return subx_error_get_code(SUBX_ERR_ARG);
    *info = MPI_INFO_NULL;
    MPI_Info made;
    int rc = MPI_Info_create(&made);
    if (rc)
        return rc;
    rc = sx_pipe_hints_export(&ex->hints, made);
    if (!rc)
        rc = MPI_Info_set(made, "subx_engine", ex->engine.name);
    if (!rc)
        rc = MPI_Info_set(made, "subx_memory_kind", ex->memory_kind);
    sx_exch_device_print_carriers(ex, &t);
    if (!rc)
        rc = set_text(made, "subx_device_carriers", carriers);
    if (!rc)
        rc = set_text(made, "subx_dropped", ex->dropped);
    if (!rc)
        rc = set_text(made, "subx_device_why", ex->why);
    if (rc)
        MPI_Info_free(&made);
    else
        *info = made;
    return rc;
}

/* ---- free */

int subx_exch_free(subx_exch *ex)
{
    if (!ex || !*ex)
        return MPI_SUCCESS;
    if ((*ex)->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    int rc = sx_exch_free(*ex);
    *ex = SUBX_EXCH_NULL;
    return rc;
}
