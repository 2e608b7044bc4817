/* memory.c - arrays in private memory, on huge pages if asked for, in memory of the library that the ranks
 * of a node share, or in a GPU's memory; the hints that ask the library for this memory and for an engine. */
#include "common/perf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ------------------------------------------------------------------------------------ hints */

const char *sx_perf_engines_get_kind(const struct sx_perf_settings *settings)
{
    for (int i = 0; i < settings->nhints; i++)
        if (strcmp(settings->key[i], "subx_memory_kind") == 0)
            return settings->value[i];
    return "cuda:device";
}

MPI_Info sx_perf_engines_create_hints(const struct sx_perf_settings *settings, const char *engine)
{
    MPI_Info hints;
    MPI_Info_create(&hints);
    if (settings->memory == SX_PERF_DEVICE)
        MPI_Info_set(hints, "subx_memory_kind", sx_perf_engines_get_kind(settings));
    /* Earlier runs, perhaps of another build, must not change the results. A hint of the command line may
     * ask for wisdom. */
    MPI_Info_set(hints, "subx_wisdom", "none");
    for (int i = 0; i < settings->nhints; i++)
        MPI_Info_set(hints, settings->key[i], settings->value[i]);
    if (engine)
        MPI_Info_set(hints, "subx_engine", engine);
    return hints;
}

void sx_perf_engines_add_word(MPI_Info hints, const char *word, const char *value)
{
    char text[2 * MPI_MAX_INFO_VAL] = "";
    int found = 0;
    MPI_Info_get(hints, "subx_tune", MPI_MAX_INFO_VAL, text, &found);
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s %s", found ? ", " : "", word, value);
    MPI_Info_set(hints, "subx_tune", text);
}

/* ----------------------------------------------------------------------------------- arrays */

/* Private arrays always begin at a multiple of a huge page's length, so that times do not depend on their
 * addresses. */
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

/* Allocate memory of the library: shared by the ranks of a node, or on a device. */
static void *create_by_library(const struct sx_perf_settings *settings, ptrdiff_t bytes)
{
    MPI_Info hints = sx_perf_engines_create_hints(settings, NULL);
    void *memory = NULL;
    int code = subx_mem_alloc(MPI_COMM_WORLD, bytes, hints, &memory);
    MPI_Info_free(&hints);
    if (code != MPI_SUCCESS)
        sx_perf_program_exit(code, "no array of %td bytes in memory %s", bytes,
                             sx_perf_options_device_memory[settings->memory]);
    if (settings->memory == SX_PERF_SHARED)
        memset(memory, 0, (size_t)bytes);
    return memory;
}

void *sx_perf_memory_create(const struct sx_perf_settings *settings, ptrdiff_t bytes)
{
    if (settings->memory == SX_PERF_DEVICE || settings->memory == SX_PERF_SHARED)
        return create_by_library(settings, bytes);
    return create_private(bytes, settings->memory == SX_PERF_HUGE);
}

void sx_perf_memory_free(const struct sx_perf_settings *settings, void *memory)
{
    if (settings->memory == SX_PERF_SHARED || settings->memory == SX_PERF_DEVICE)
        subx_mem_free(&memory);
    else
        free(memory);
}

void sx_perf_memory_print_device(const struct sx_perf_settings *settings, size_t len, char *text)
{
    void *memory = sx_perf_memory_create(settings, 1);
    MPI_Info info;
    int found = 0;
    snprintf(text, len, "none");
    if (subx_mem_get_info(memory, &info) == MPI_SUCCESS) {
        MPI_Info_get(info, "subx_device", (int)len - 1, text, &found);
        MPI_Info_free(&info);
    }
    sx_perf_memory_free(settings, memory);
}

void sx_perf_memory_write(const struct sx_perf_settings *settings, void *memory, const void *from,
                          ptrdiff_t bytes)
{
    if (settings->memory != SX_PERF_DEVICE) {
        memcpy(memory, from, (size_t)bytes);
        return;
    }
    int code = subx_mem_write(memory, from, bytes);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "%td bytes cannot be copied to the device", bytes);
}

void sx_perf_memory_read(const struct sx_perf_settings *settings, const void *memory, void *to,
                         ptrdiff_t bytes)
{
    if (settings->memory != SX_PERF_DEVICE) {
        memcpy(to, memory, (size_t)bytes);
        return;
    }
    int code = subx_mem_read(memory, to, bytes);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "%td bytes cannot be copied from the device", bytes);
}

void *sx_perf_memory_create_small(ptrdiff_t n, size_t bytes_each)
{
    void *memory = calloc((size_t)n + 1, bytes_each);
    if (!memory)
        sx_perf_program_abort(MPI_SUCCESS, "no memory for a list of %td entries", n);
    return memory;
}
