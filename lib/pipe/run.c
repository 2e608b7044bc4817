/* run.c - a run of a pipe: slices are posted and started in their order, then all is completed and waited
 * for. */
#include "pipe/pipe.h"
#include <string.h>

/* How dear it is to ask MPI, beside a look at a counter. */
enum { LOOK = 1, ASK = 20 };

static int get_cost(const subx_pipe pipe)
{
    return pipe->carrier ? ASK : LOOK;
}

/* ---- what this rank gives */

static int begin(subx_pipe pipe)
{
    pipe->active = 1;
    pipe->completed = pipe->posted = pipe->started = 0;
    pipe->arrived = pipe->sent = pipe->carrier ? 0 : pipe->nslices;
    pipe->runs++;
    sx_pipe_near_begin(pipe);
    return pipe->carrier && pipe->carrier->begin ? pipe->carrier->begin(pipe) : MPI_SUCCESS;
}

/* Near partners first: they need nothing but to see it. They are served whatever becomes of messages. */
int subx_pipe_post(subx_pipe pipe, int slice)
{
    int rc = MPI_SUCCESS;
    if (!pipe || !pipe->is_set || slice < 0 || slice >= pipe->nslices)
        return subx_error_get(SUBX_ERR_ARG);
    if (pipe->active && pipe->posted == pipe->nslices)
        return subx_error_get(SUBX_ERR_ACTIVE);
    if (slice != (pipe->active ? pipe->posted : 0))
        return subx_error_get(SUBX_ERR_ARG);
    if (!pipe->active)
        rc = begin(pipe);
    pipe->posted++;
    sx_pipe_near_post(pipe);
    return rc || !pipe->carrier ? rc : pipe->carrier->post(pipe, slice);
}

/* ---- what this rank gets */

static int is_in_flight(const subx_pipe pipe)
{
    return pipe->arrived < pipe->nslices || pipe->sent < pipe->posted;
}

static int is_here(subx_pipe pipe, int slice)
{
    return pipe->arrived > slice && sx_pipe_near_is_here(pipe, slice);
}

/* MPI is not asked for what is here already. */
static int wait_for(subx_pipe pipe, int slice)
{
    int rc = MPI_SUCCESS;
    for (int round = 0; !rc && !is_here(pipe, slice);) {
        if (pipe->carrier && is_in_flight(pipe))
            rc = pipe->carrier->progress(pipe);
        if (!rc && !is_here(pipe, slice))
            rc = sx_mem_relax(pipe->comm, get_cost(pipe), &round);
    }
    return rc;
}

/* What can be asked about a slice of a run. */
static int check_slice(const subx_pipe pipe, int slice)
{
    if (!pipe || slice < 0 || slice >= pipe->nslices)
        return subx_error_get(SUBX_ERR_ARG);
    return pipe->active ? MPI_SUCCESS : subx_error_get(SUBX_ERR_ACTIVE);
}

int subx_pipe_start(subx_pipe pipe, int slice, const void *block[])
{
    int rc = check_slice(pipe, slice);
    if (rc)
        return rc;
    if (!block || slice != pipe->started)
        return subx_error_get(SUBX_ERR_ARG);
    if (slice >= pipe->posted)
        return subx_error_get(SUBX_ERR_ACTIVE);
    pipe->started++;
    if (pipe->carrier && pipe->carrier->start)
        rc = pipe->carrier->start(pipe, slice);
    if (!rc)
        rc = wait_for(pipe, slice);
    if (!rc)
        memcpy(block, pipe->block + sx_pipe_at(pipe, slice, 0), (size_t)pipe->p * sizeof *block);
    return rc;
}

int subx_pipe_test(subx_pipe pipe, int slice, int *flag)
{
    int rc = check_slice(pipe, slice);
    if (!rc && !flag)
        rc = subx_error_get(SUBX_ERR_ARG);
    if (!rc && pipe->carrier && is_in_flight(pipe))
        rc = pipe->carrier->progress(pipe);
    if (!rc)
        *flag = slice < pipe->posted && is_here(pipe, slice);
    return rc;
}

/* ---- its end */

int subx_pipe_complete(subx_pipe pipe)
{
    if (!pipe)
        return subx_error_get(SUBX_ERR_ARG);
    if (!pipe->active || pipe->completed || pipe->started < pipe->nslices)
        return subx_error_get(SUBX_ERR_ACTIVE);
    pipe->completed = 1;
    sx_pipe_near_complete(pipe);
    return MPI_SUCCESS;
}

static int is_free(subx_pipe pipe)
{
    return pipe->sent == pipe->nslices && sx_pipe_near_is_read(pipe);
}

int subx_pipe_wait(subx_pipe pipe)
{
    int rc = MPI_SUCCESS;
    if (!pipe)
        return subx_error_get(SUBX_ERR_ARG);
    if (!pipe->active)
        return MPI_SUCCESS;
    if (!pipe->completed)
        return subx_error_get(SUBX_ERR_ACTIVE);
    for (int round = 0; !rc && !is_free(pipe);) {
        if (pipe->sent < pipe->nslices)
            rc = pipe->carrier->progress(pipe);
        if (!rc && !is_free(pipe))
            rc = sx_mem_relax(pipe->comm, get_cost(pipe), &round);
    }
    pipe->active = 0;
    return rc;
}
