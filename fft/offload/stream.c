/* stream.c - the stream of a plan on a device: errors of its work, its end, and a stream of the caller. */
#include "offload/offload.h"

void sx_offload_set_error(int *error, int kind)
{
    *error = *error ? *error : subx_error_get_code(kind);
}

/* Wait for all work, also after an error, because the caller may free the memory next. A call that fails is
 * repeated once. */
void sx_offload_wait(const sx_offload *a, int *error)
{
    const int kind = a->device->finish(a->stream);
    sx_offload_set_error(error, kind);
    if (kind)
        (void)a->device->finish(a->stream);
}

/* ---- a stream of the caller */

/* Add to the stream `to` a wait for the work that is in the stream `from` now. */
static void follow(const sx_offload *a, void *from, void *event, void *to, int *error)
{
    if (!*error)
        sx_offload_set_error(error, a->device->record(from, event));
    if (!*error)
        sx_offload_set_error(error, a->device->await(to, event));
}

void sx_offload_start_in_stream(const sx_offload *a, int *error)
{
    if (a->caller)
        follow(a, a->caller, a->begun, a->stream, error);
}

void sx_offload_complete_in_stream(const sx_offload *a, int *error)
{
    if (a->caller)
        follow(a, a->stream, a->ended, a->caller, error);
    if (!a->caller || *error)
        sx_offload_wait(a, error);
}

int sx_offload_set_stream(subx_fft_plan plan, void *stream)
{
    sx_offload *a = plan->state;
    const int kind = stream ? a->device->record(stream, a->begun) : SUBX_ERR_NONE;
    a->caller = kind ? a->caller : stream;
    return subx_error_get_code(kind);
}

/* ---- plans that are kept (fft/keep) */

void sx_offload_drop_caller(subx_fft_plan plan)
{
    sx_offload *a = plan->state;
    int error = MPI_SUCCESS;
    sx_offload_wait(a, &error);
    a->caller = NULL;
    a->is_broken |= error != MPI_SUCCESS;
}

/* The GPU that is current now may be another one than that of the plan. */
int sx_offload_may_be_given(subx_fft_plan plan)
{
    const sx_offload *a = plan->state;
    return !a->is_broken && a->device->is_current(a->handle, a->memory);
}
