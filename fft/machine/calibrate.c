/* calibrate.c - measure the parameters of the cost model. */
#include "machine/calibrate.h"

/* Copy hints for measurements in the memory of the host. Local. */
static int copy_hints(MPI_Info hints, MPI_Info *host)
{
    *host = MPI_INFO_NULL;
    int rc = hints == MPI_INFO_NULL ? MPI_Info_create(host) : MPI_Info_dup(hints, host);
    return rc ? rc : MPI_Info_set(*host, "subx_memory_kind", SX_DEVICE_SYSTEM);
}

static int measure_host(const sx_gauge *g, sx_machine *m)
{
    const double across = m->across / m->memory;
    int rc = sx_machine_measure_rates(g, m);
    m->across = across * m->memory;
    return rc ? rc : sx_machine_measure_messages(g, m);
}

int sx_machine_calibrate(MPI_Comm all, const sx_placement *p, MPI_Info hints, const sx_device *device,
                         double seconds, sx_machine *m)
{
    const double share_of_host = device ? 0.75 : 1;
    sx_gauge g = {all, p, MPI_INFO_NULL, share_of_host * seconds, MPI_Wtime()};
    sx_machine found = *m;
    int rc = sx_base_agree(all, copy_hints(hints, &g.hints), NULL);
    if (!rc)
        rc = measure_host(&g, &found);
    if (g.hints != MPI_INFO_NULL)
        MPI_Info_free(&g.hints);
    g.hints = hints;
    g.seconds = seconds;
    if (!rc && device)
        rc = sx_machine_measure_device(&g, device, &found);
    if (!rc)
        *m = found;
    return rc;
}
