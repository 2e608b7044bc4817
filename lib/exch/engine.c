/* engine.c - the engine of an exchange: its work space, its execution. */
#include "exch/exch.h"

/* Allocate the work space of the executions, which must not allocate memory. Collective if other ranks read
 * the work space. */
static int alloc_work(subx_exch ex)
{
    if (ex->engine.traits & SUBX_ENGINE_LOCAL)
        return sx_comm_alloc(ex->comm, MPI_SUCCESS, ex->work_bytes, ex->hints.node_ranks, NULL,
                             (void **)&ex->work);
    ex->work = sx_base_alloc_area(ex->work_bytes);
    return ex->work ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static void free_work(subx_exch ex)
{
    if (ex->engine.traits & SUBX_ENGINE_LOCAL)
        subx_mem_free((void **)&ex->work);
    else
        sx_base_free(ex->work);
    ex->work = NULL;
}

void sx_exch_free_engine(subx_exch ex)
{
    ex->engine.functions->free(ex);
    if (ex->owns_work)
        free_work(ex);
    ex->engine.functions = NULL;
    ex->work_bytes = ex->is_bound = 0;
}

int sx_exch_bind(subx_exch ex, char *work)
{
    int rc = ex->engine.functions->bind ? ex->engine.functions->bind(ex, work) : MPI_SUCCESS;
    rc = sx_base_agree(ex->comm->comm, rc, NULL);
    ex->is_bound = !rc;
    return rc;
}

int sx_exch_set_engine(subx_exch ex, const sx_engine *engine)
{
    ex->engine = *engine;
    int rc = sx_base_agree(ex->comm->comm, engine->functions->create(ex), NULL);
    if (!rc && ex->owns_work) {
        rc = sx_base_agree(ex->comm->comm, alloc_work(ex), NULL);
        rc = rc ? rc : sx_exch_bind(ex, ex->work);
    }
    if (rc)
        sx_exch_free_engine(ex);
    return rc;
}

int sx_exch_wait(subx_exch ex)
{
    ex->gives_wrong = 0;
    return ex->engine.functions->wait ? ex->engine.functions->wait(ex) : MPI_SUCCESS;
}

/* `wait` is called even if `start` returns an error, because partners wait for this rank. */
int sx_exch_execute(subx_exch ex)
{
    int rc = ex->engine.functions->start(ex);
    int failed = sx_exch_wait(ex);
    return rc ? rc : failed;
}
