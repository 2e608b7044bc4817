/* backend.c - the serial backends of the library as candidates. */
#include "serial/pencils.h"

#include <stdlib.h>

struct plan {
    const sx_serial *backend;
    void *state, *in, *out, *work;
};

static int serves(const void *which, int precision)
{
    const sx_serial *backend = which;
    return backend->serves(precision);
}

static void free_plan(void *opaque)
{
    struct plan *plan = opaque;
    plan->backend->free(plan->state);
    sx_base_free(plan->work);
    free(plan);
}

static void *create(const void *which, const struct sx_perf_serial_tile *tile, int effort)
{
    const sx_serial *backend = which;
    struct plan *plan = sx_perf_memory_create_small(1, sizeof *plan);
    *plan = (struct plan){.backend = backend, .in = tile->in, .out = tile->out};
    if (backend->create(&tile->problem, effort, tile->in, tile->out, &plan->state) != MPI_SUCCESS) {
        free(plan);
        return NULL;
    }
    plan->work = sx_base_alloc(backend->get_bytes(plan->state), 1);
    if (plan->work)
        return plan;
    free_plan(plan);
    return NULL;
}

static int execute(void *opaque)
{
    const struct plan *plan = opaque;
    plan->backend->execute(plan->state, plan->in, plan->out, plan->work);
    return MPI_SUCCESS;
}

const struct sx_perf_serial_library sx_perf_serial_backend = {serves, create, execute, free_plan};
