/* engines.c - create hints that ask the library for an engine and for the memory of a device, together with the hints of the
 * command line. */
#include "common/perf.h"

#include <string.h>

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
    /* Earlier runs, perhaps of another build, must not change the results. A hint of the command line may ask for wisdom. */
    MPI_Info_set(hints, "subx_wisdom", "none");
    for (int i = 0; i < settings->nhints; i++)
        MPI_Info_set(hints, settings->key[i], settings->value[i]);
    if (engine)
        MPI_Info_set(hints, "subx_engine", engine);
    return hints;
}
