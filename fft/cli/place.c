/* place.c - the arrays that the plan works on. In the host's memory they are the job's arrays. With --memory-kind for a GPU
 * they are memory of the GPU, and data is copied from and to the job's arrays, which all other files use. */
#include "cli/cli.h"

#include <stdlib.h>
#include <subx_lowlevel.h>

static int fail(int code, const char *what)
{
    return code == MPI_SUCCESS ? SX_CLI_OK : sx_cli_fail_set_code(code, "%s", what);
}

int sx_cli_place_alloc(const struct sx_cli_job *job, ptrdiff_t bytes, void **mem)
{
    if (job->device)
        return fail(subx_device_alloc_mem(job->device, bytes, mem), "no memory for an array on the device");
    *mem = sx_cli_memory_create(bytes, 1);
    return *mem ? SX_CLI_OK : SX_CLI_ERROR;
}

void sx_cli_place_free(const struct sx_cli_job *job, void *mem)
{
    if (job->device)
        (void)subx_device_free_mem(job->device, &mem);
    else
        free(mem);
}

int sx_cli_place_create(struct sx_cli_job *job)
{
    const char *kind = sx_cli_hints_get(&job->effect, "--memory-kind");
    int rc = SX_CLI_OK;
    if (sx_cli_job_query_hint(job, "--memory-kind", "system")) {
        job->place[SUBX_FFT_PHYSICAL] = job->array[SUBX_FFT_PHYSICAL];
        job->place[SUBX_FFT_SPECTRAL] = job->array[SUBX_FFT_SPECTRAL];
        return SX_CLI_OK;
    }
    rc = fail(subx_device_create(kind, &job->device), "no device");
    for (int side = 0; side < 2 && rc == SX_CLI_OK; side++)
        rc = sx_cli_place_alloc(job, job->box[side].alloc_bytes, &job->place[side]);
    return sx_cli_fail_agree(job->comm, rc);
}

void sx_cli_place_finish(struct sx_cli_job *job)
{
    if (!job->device)
        return;
    for (int side = 0; side < 2; side++)
        sx_cli_place_free(job, job->place[side]);
    (void)subx_device_free(&job->device);
}

static int copy(const struct sx_cli_job *job, int side, void *to, const void *from)
{
    if (!job->device)
        return SX_CLI_OK;
    return fail(subx_device_copy_mem(job->device, to, from, job->box[side].alloc_bytes),
                "copying from or to the device failed");
}

int sx_cli_place_put(const struct sx_cli_job *job, int side, const void *array)
{
    return copy(job, side, job->place[side], array);
}

int sx_cli_place_get(const struct sx_cli_job *job, int side, void *array)
{
    return copy(job, side, array, job->place[side]);
}
