/* engines.c - create hints that ask the library for an engine and for the memory of a device, together with the hints of the
 * command line. */
#include "common/perf.h"

MPI_Info sx_perf_engines_create_hints(const struct sx_perf_settings *settings, const char *engine)
{
    MPI_Info hints;
    MPI_Info_create(&hints);
    if (settings->memory == SX_PERF_DEVICE)
        MPI_Info_set(hints, "subx_memory_kind", "cuda:device");
    for (int i = 0; i < settings->nhints; i++)
        MPI_Info_set(hints, settings->key[i], settings->value[i]);
    if (engine)
        MPI_Info_set(hints, "subx_engine", engine);
    return hints;
}
