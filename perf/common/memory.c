/* memory.c - arrays in private memory, on huge pages if asked for, in memory of the library that the ranks of a node share,
 * or in the memory of a GPU. */
#include "common/perf.h"

#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <sys/mman.h>

/* Private arrays always begin at a multiple of a huge page's length, so that times do not depend on their addresses. */
enum { PAGE = 2 << 20 };

static void *create_private(ptrdiff_t bytes, int huge)
{
    void *memory = NULL;
    size_t whole = ((size_t)bytes + PAGE) / PAGE * PAGE;
    if (posix_memalign(&memory, PAGE, whole))
        sx_perf_program_abort(MPI_SUCCESS, "no memory for an array of %td bytes", bytes);
#ifdef MADV_HUGEPAGE
    if (huge)
        madvise(memory, whole, MADV_HUGEPAGE);
#else
    (void)huge;
#endif
    memset(memory, 0, whole);
    return memory;
}

static void *create_shared(const struct sx_perf_settings *settings, ptrdiff_t bytes)
{
    MPI_Info hints = sx_perf_engines_create_hints(settings, NULL);
    void *memory = NULL;
    int code = subx_mem_alloc(MPI_COMM_WORLD, (ptrdiff_t)bytes, hints, &memory);
    MPI_Info_free(&hints);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no shared memory for an array of %td bytes", bytes);
    memset(memory, 0, (size_t)bytes);
    return memory;
}

/* ---------------------------------------------------------------------------------- a device */

static subx_device device; /* SUBX_DEVICE_NULL while no array is on a device */

const char *sx_perf_memory_get_kind(const struct sx_perf_settings *settings)
{
    if (settings->memory != SX_PERF_DEVICE)
        return NULL;
    for (int i = 0; i < settings->nhints; i++)
        if (strcmp(settings->key[i], "subx_memory_kind") == 0)
            return settings->value[i];
    return "cuda:device";
}

/* If some rank has no device, the program ends. Collective. */
static void open_device(const struct sx_perf_settings *settings)
{
    const int code = subx_device_create(sx_perf_memory_get_kind(settings), &device);
    int failed = code != MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed)
        sx_perf_program_exit(code, "--memory device: %s",
                             code == MPI_SUCCESS ? "another rank has no device" : "no device");
}

static void *create_on_device(const struct sx_perf_settings *settings, ptrdiff_t bytes)
{
    enum { CHUNK = 16 << 20 };
    void *memory = NULL, *zeros = create_private(CHUNK, 0);
    if (!device)
        open_device(settings);
    int code = subx_device_alloc_mem(device, bytes, &memory);
    for (ptrdiff_t at = 0; at < bytes && code == MPI_SUCCESS; at += CHUNK)
        code = subx_device_copy_mem(device, (char *)memory + at, zeros,
                                    bytes - at < CHUNK ? bytes - at : (ptrdiff_t)CHUNK);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no memory of a device for an array of %td bytes", bytes);
    free(zeros);
    return memory;
}

void sx_perf_memory_print_device(size_t len, char *text)
{
    snprintf(text, len, "none");
    if (device)
        (void)subx_device_print(device, len, text, NULL);
}

void sx_perf_memory_finish(void)
{
    (void)subx_device_free(&device);
}

int sx_perf_memory_copy(void *to, const void *from, ptrdiff_t bytes)
{
    if (device)
        return subx_device_copy_mem(device, to, from, bytes);
    memcpy(to, from, (size_t)bytes);
    return MPI_SUCCESS;
}

/* ---------------------------------------------------------------------------- any memory */

void *sx_perf_memory_create(const struct sx_perf_settings *settings, ptrdiff_t bytes)
{
    if (settings->memory == SX_PERF_DEVICE)
        return create_on_device(settings, bytes);
    if (settings->memory == SX_PERF_SHARED)
        return create_shared(settings, bytes);
    return create_private(bytes, settings->memory == SX_PERF_HUGE);
}

void sx_perf_memory_free(const struct sx_perf_settings *settings, void *memory)
{
    if (settings->memory == SX_PERF_DEVICE)
        subx_device_free_mem(device, &memory);
    else if (settings->memory == SX_PERF_SHARED)
        subx_mem_free(&memory);
    else
        free(memory);
}

void *sx_perf_memory_create_small(ptrdiff_t n, size_t bytes_each)
{
    void *memory = calloc((size_t)n + 1, bytes_each);
    if (!memory)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a list of %td entries", n);
    return memory;
}
