/* engines.c - create hints that ask the library for an engine, together with the hints of the command line. */
#include "common/perf.h"

MPI_Info sx_perf_engines_create_hints(const struct sx_perf_settings *settings, const char *engine)
{
    MPI_Info hints;
    MPI_Info_create(&hints);
    if (sx_perf_memory_get_kind(settings))
        MPI_Info_set(hints, "subx_memory_kind", sx_perf_memory_get_kind(settings));
    for (int i = 0; i < settings->nhints; i++)
        MPI_Info_set(hints, settings->key[i], settings->value[i]);
    if (engine)
        MPI_Info_set(hints, "subx_engine", engine);
    return hints;
}
