/* epoch.c - an epoch of a pipe: slices are posted and started in their order; then the epoch is completed and
 * waited for. SUBX_ERR_PEER is returned here: local partners tell of a failure by counters (signals.c),
 * remote partners by the stamp behind each block. */
#include "pipe/pipe.h"
#include <string.h>

/* ---- waiting */

int sx_pipe_relax(const subx_pipe pipe, int *polled)
{
    return sx_base_relax(pipe->comm->comm, pipe->carrier ? SX_RELAX_ASK : SX_RELAX_LOOK, polled);
}

int subx_pipe_relax(MPI_Comm comm, int *polled)
{
    return comm == MPI_COMM_NULL || !polled ? subx_error_get_code(SUBX_ERR_ARG)
                                            : sx_base_relax(comm, SX_RELAX_ASK, polled);
}

static int is_in_flight(const subx_pipe pipe)
{
    return pipe->arrived < pipe->nslices || pipe->sent < pipe->posted;
}

/* After an error of MPI, rc, nothing more can be expected of the carrier. */
static int check_carrier(subx_pipe pipe, int rc)
{
    if (rc) {
        pipe->is_broken = 1;
        pipe->arrived = pipe->sent = pipe->nslices;
    }
    return rc;
}

int sx_pipe_progress(subx_pipe pipe)
{
    if (!pipe->carrier || !is_in_flight(pipe))
        return MPI_SUCCESS;
    return check_carrier(pipe, pipe->carrier->progress(pipe));
}

/* Wait until a condition holds for a slice. An error does not end the wait. Returns the first error. */
static int wait_until(subx_pipe pipe, int (*holds)(subx_pipe pipe, int slice), int slice)
{
    int rc = MPI_SUCCESS;
    for (int polled = 0; !holds(pipe, slice);) {
        int failed = sx_pipe_progress(pipe);
        if (!failed && !holds(pipe, slice))
            failed = sx_pipe_relax(pipe, &polled);
        rc = rc ? rc : failed;
    }
    return rc;
}

/* ---- posting */

static int begin(subx_pipe pipe)
{
    const sx_pipe_carrier *it = &pipe->carriers[pipe->is_unordered];
    pipe->carrier = it->carrier;
    pipe->state = it->state;
    pipe->active = 1;
    pipe->completed = pipe->posted = pipe->started = pipe->nread = pipe->is_broken = 0;
    pipe->arrived = pipe->sent = pipe->carrier ? 0 : pipe->nslices;
    pipe->epochs++;
    return pipe->carrier && pipe->carrier->begin ? pipe->carrier->begin(pipe) : MPI_SUCCESS;
}

static int is_through(subx_pipe pipe, int slice)
{
    return pipe->sent > slice && sx_pipe_local_is_read(pipe, slice);
}

int sx_pipe_has_room(subx_pipe pipe, int slice)
{
    const int before = slice - pipe->depth;
    return before < 0 || (pipe->completed > before && is_through(pipe, before));
}

/* Check that this rank may wait for room for a slice: it must have completed slice - depth, which is in the
 * same slot of the ring. Otherwise it would wait for itself. */
static int check_room(const subx_pipe pipe, int slice)
{
    if (!pipe || slice < 0 || slice >= pipe->nslices)
        return subx_error_get_code(SUBX_ERR_ARG);
    const int before = slice - pipe->depth;
    return before < 0 || (pipe->active && pipe->completed > before) ? MPI_SUCCESS
                                                                    : subx_error_get_code(SUBX_ERR_ACTIVE);
}

int subx_pipe_wait_room(subx_pipe pipe, int slice)
{
    const int rc = check_room(pipe, slice);
    return rc ? rc : wait_until(pipe, sx_pipe_has_room, slice);
}

int subx_pipe_test_room(subx_pipe pipe, int slice, int *flag)
{
    int rc = flag ? check_room(pipe, slice) : subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    rc = pipe->active ? sx_pipe_progress(pipe) : MPI_SUCCESS;
    *flag = sx_pipe_has_room(pipe, slice);
    return rc;
}

/* Get the stamp that a rank writes behind its blocks of a slice in this epoch; `first` is the stamp of the
 * rank before the first epoch. */
static uint64_t get_stamp(const subx_pipe pipe, uint64_t first, int slice)
{
    return first + pipe->epochs * (uint64_t)pipe->nslices + (uint64_t)slice;
}

/* Write the stamp of each remote block of a slice; if this rank's data is wrong, the complement of the
 * stamp. */
static void stamp(subx_pipe pipe, int slice)
{
    const uint64_t right = get_stamp(pipe, pipe->stamp, slice), mine = pipe->has_failed ? ~right : right;
    for (int q = 0; q < pipe->p; q++)
        if (sx_pipe_is_remote(pipe, SX_FROM, slice, q))
            memcpy(sx_pipe_get_stamp(pipe, SX_FROM, slice, q), &mine, SX_STAMP_BYTES);
}

/* Read the stamp of the block that came from remote rank q. */
static uint64_t read_stamp(const subx_pipe pipe, int slice, int q)
{
    uint64_t theirs;
    memcpy(&theirs, sx_pipe_get_stamp(pipe, SX_TO, slice, q), SX_STAMP_BYTES);
    return theirs;
}

int sx_pipe_check_stamps(const subx_pipe pipe, int slice)
{
    for (int q = 0; q < pipe->p && pipe->carrier; q++)
        if (sx_pipe_is_remote(pipe, SX_TO, slice, q) &&
            read_stamp(pipe, slice, q) != get_stamp(pipe, pipe->partner_stamp[q], slice))
            return subx_error_get_code(SUBX_ERR_PEER);
    return MPI_SUCCESS;
}

/* Post a slice. Local partners are told before the carrier sends, because they can read at once. */
static int post(subx_pipe pipe, int slice)
{
    int rc = MPI_SUCCESS;
    pipe->posted++;
    if (pipe->carrier)
        stamp(pipe, slice);
    sx_pipe_local_post(pipe);
    if (pipe->carrier)
        rc = check_carrier(pipe, pipe->carrier->post(pipe, slice));
    return rc;
}

int subx_pipe_post(subx_pipe pipe, int slice)
{
    int rc = MPI_SUCCESS;
    if (!pipe || !pipe->is_set || slice < 0 || slice >= pipe->nslices)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (pipe->active && pipe->posted == pipe->nslices)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    if (slice != (pipe->active ? pipe->posted : 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!pipe->active)
        rc = begin(pipe);
    int failed = post(pipe, slice);
    return rc ? rc : failed;
}

int subx_pipe_set_failed(subx_pipe pipe)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    pipe->has_failed = 1;
    return MPI_SUCCESS;
}

int subx_pipe_set_unordered(subx_pipe pipe, int is_unordered)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (pipe->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    pipe->is_unordered = is_unordered != 0;
    return MPI_SUCCESS;
}

/* ---- starting */

static int is_here(subx_pipe pipe, int slice)
{
    return pipe->arrived > slice && sx_pipe_local_is_here(pipe, slice);
}

static int check_partners(const subx_pipe pipe)
{
    for (int i = 0; i < pipe->npartners; i++)
        if (pipe->partner[i].gives && sx_pipe_local_has_failed(pipe, &pipe->partner[i]))
            return subx_error_get_code(SUBX_ERR_PEER);
    return MPI_SUCCESS;
}

/* Check that the slice exists and that the pipe is in an epoch. */
static int check_slice(const subx_pipe pipe, int slice)
{
    if (!pipe || slice < 0 || slice >= pipe->nslices)
        return subx_error_get_code(SUBX_ERR_ARG);
    return pipe->active ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_ACTIVE);
}

int sx_pipe_start_slice(subx_pipe pipe, int slice)
{
    pipe->started++;
    return pipe->carrier && pipe->carrier->block ? pipe->carrier->block(pipe, slice) : MPI_SUCCESS;
}

int subx_pipe_start(subx_pipe pipe, int slice, const void *block[])
{
    int rc = check_slice(pipe, slice);
    if (rc)
        return rc;
    if (!block || slice != pipe->started)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (slice >= pipe->posted)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    rc = sx_pipe_start_slice(pipe, slice);
    int failed = wait_until(pipe, is_here, slice);
    memcpy(block, pipe->block + sx_pipe_at(pipe, slice, 0), (size_t)pipe->p * sizeof *block);
    rc = rc ? rc : failed;
    if (!rc)
        rc = sx_pipe_check_stamps(pipe, slice);
    return rc ? rc : check_partners(pipe);
}

int subx_pipe_test(subx_pipe pipe, int slice, int *flag)
{
    int rc = check_slice(pipe, slice);
    if (!rc && !flag)
        rc = subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    rc = sx_pipe_progress(pipe);
    *flag = slice < pipe->posted && is_here(pipe, slice);
    return rc;
}

/* ---- completing and waiting */

void sx_pipe_complete_slice(subx_pipe pipe, int slice)
{
    pipe->completed = slice + 1;
    sx_pipe_local_complete(pipe);
}

int subx_pipe_complete_slice(subx_pipe pipe, int slice)
{
    int rc = check_slice(pipe, slice);
    if (!rc && (slice < pipe->completed || slice >= pipe->started))
        rc = subx_error_get_code(SUBX_ERR_ACTIVE);
    if (!rc)
        sx_pipe_complete_slice(pipe, slice);
    return rc;
}

int subx_pipe_complete(subx_pipe pipe)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (!pipe->active || pipe->completed == pipe->nslices || pipe->started < pipe->nslices)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    sx_pipe_complete_slice(pipe, pipe->nslices - 1);
    return MPI_SUCCESS;
}

/* Check that this rank may wait for the end of the epoch: it has completed all slices, or the pipe is in no
 * epoch. */
static int check_end(const subx_pipe pipe)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    return pipe->active && pipe->completed < pipe->nslices ? subx_error_get_code(SUBX_ERR_ACTIVE)
                                                           : MPI_SUCCESS;
}

int subx_pipe_test_wait(subx_pipe pipe, int *flag)
{
    int rc = flag ? check_end(pipe) : subx_error_get_code(SUBX_ERR_ARG);
    if (rc)
        return rc;
    rc = pipe->active ? sx_pipe_progress(pipe) : MPI_SUCCESS;
    *flag = !pipe->active || is_through(pipe, pipe->nslices - 1);
    return rc;
}

int subx_pipe_wait(subx_pipe pipe)
{
    const int wrong = check_end(pipe);
    if (wrong || !pipe->active)
        return wrong;
    int rc = wait_until(pipe, is_through, pipe->nslices - 1);
    pipe->active = pipe->has_failed = 0;
    return rc;
}
