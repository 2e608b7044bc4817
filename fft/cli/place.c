/* place.c - the arrays that the plan works on. In the host's memory they are the job's arrays. With
 * --memory-kind for a GPU they are memory of the GPU, and data is copied from and to the job's arrays, which
 * all other files use. */
#include "cli/cli.h"

#include <stdlib.h>
#include <subx_lowlevel.h>

static int fail(int code, const char *what)
{
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", what);
}

int sx_cli_place_alloc(const struct sx_cli_job *job, ptrdiff_t bytes, void **mem)
{
    MPI_Info hints;
    char kind[SX_CLI_VALUE];
    int code;
    if (!job->is_on_device) {
        *mem = sx_cli_memory_create(bytes, 1);
        return *mem ? SX_CLI_OK : SX_CLI_ERROR;
    }
    MPI_Info_create(&hints);
    if (sx_cli_hint_get(job->effect, "subx_memory_kind", kind))
        MPI_Info_set(hints, "subx_memory_kind", kind);
    code = subx_mem_alloc(job->comm, bytes, hints, mem);
    MPI_Info_free(&hints);
    return fail(code, "no memory for an array on the device");
}

void sx_cli_place_free(const struct sx_cli_job *job, void *mem)
{
    if (job->is_on_device)
        (void)subx_mem_free(&mem);
    else
        free(mem);
}

int sx_cli_place_create(struct sx_cli_job *job)
{
    int rc = SX_CLI_OK;
    job->is_on_device = !sx_cli_job_query_hint(job, "subx_memory_kind", "system");
    for (int side = 0; side < 2 && rc == SX_CLI_OK; side++)
        if (job->is_on_device)
            rc = sx_cli_place_alloc(job, job->box[side].alloc_bytes, &job->place[side]);
        else
            job->place[side] = job->array[side];
    return sx_cli_fail_agree(job->comm, rc);
}

void sx_cli_place_finish(struct sx_cli_job *job)
{
    for (int side = 0; side < 2 && job->is_on_device; side++)
        sx_cli_place_free(job, job->place[side]);
}

int sx_cli_place_put(const struct sx_cli_job *job, int side, const void *array)
{
    if (!job->is_on_device)
        return SX_CLI_OK;
    return fail(subx_mem_write(job->place[side], array, job->box[side].alloc_bytes),
                "copying to the device failed");
}

int sx_cli_place_get(const struct sx_cli_job *job, int side, void *array)
{
    if (!job->is_on_device)
        return SX_CLI_OK;
    return fail(subx_mem_read(job->place[side], array, job->box[side].alloc_bytes),
                "copying from the device failed");
}
