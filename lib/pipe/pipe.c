/* pipe.c - the public functions that create pipes and return information about them. */
#include "pipe/pipe.h"
#include <string.h>

/* ---- engines */

/* The engines that read local partners' memory; all other engines are carriers. */
static const struct {
    const char *name;
    int traits;
} local[] = {{"shm", SUBX_ENGINE_LOCAL}, {"node", SUBX_ENGINE_LOCAL | SUBX_ENGINE_BETWEEN}};
enum { SHM, NODE, LOCAL };
SX_BASE_ASSERT(sizeof local / sizeof local[0] == LOCAL);

int subx_pipe_query_engine(int i, const char **name)
{
    if (i < 0 || !name)
        return subx_error_get_code(SUBX_ERR_ARG);
    *name = i < LOCAL ? local[i].name : NULL;
    for (int k = 0; !*name && sx_pipe_carriers[k]; k++)
        if (k == i - LOCAL)
            *name = sx_pipe_carriers[k]->name;
    return MPI_SUCCESS;
}

int sx_pipe_get_traits(const char *engine)
{
    const sx_carrier *carrier = sx_pipe_get_carrier(engine);
    for (int i = 0; i < LOCAL; i++)
        if (strcmp(engine, local[i].name) == 0)
            return local[i].traits;
    return carrier ? carrier->traits : 0;
}

/* A route, which the hints choose: the name of the engine (NULL for auto), whether this rank reads the memory
 * of local partners, and the carrier for remote blocks (NULL for none). */
typedef struct route {
    const char *name;
    int reads_local;
    const sx_carrier *carrier;
} route;

/* Get the route that the hints ask for. The default carrier is pairwise, which suits slices best. */
static route find_route(const sx_pipe_hints *hints)
{
    const sx_carrier *carrier = sx_pipe_get_carrier(hints->engine);
    const char *between = strcmp(hints->between, "auto") == 0 ? "pairwise" : hints->between;
    if (carrier)
        return (route){carrier->name, 0, carrier};
    if (strcmp(hints->engine, local[SHM].name) == 0)
        return (route){local[SHM].name, 1, NULL};
    return (route){strcmp(hints->engine, local[NODE].name) == 0 ? local[NODE].name : NULL, 1,
                   sx_pipe_get_carrier(between)};
}

/* ---- create */

static int read_hints(MPI_Info info, int nslices, int depth, sx_pipe_hints *hints, sx_text *key)
{
    int rc = sx_pipe_hints_parse(info, subx_pipe_query_engine, hints);
    if (rc)
        return rc;
    sx_pipe_hints_print(hints, key);
    sx_base_print(key, " %d %d", nslices, depth);
    return MPI_SUCCESS;
}

/* If the engine was auto, its name becomes the engine that the pipe really uses. */
static void set_engine(subx_pipe pipe)
{
    if (pipe->engine)
        return;
    if (!pipe->carrier)
        pipe->engine = local[SHM].name;
    else
        pipe->engine = pipe->npartners > 0 ? local[NODE].name : pipe->carrier->name;
}

/* Set which ranks are local. If the engine reads the memory of local partners, these are all ranks whose
 * memory this rank can read; else only this rank itself. Collective. */
static int set_local(sx_comm *comm, int reads_local, int node_ranks, char is_local[])
{
    const char *found = NULL;
    int rc = reads_local ? sx_comm_get_local(comm, node_ranks, &found) : MPI_SUCCESS;
    for (int q = 0; q < comm->p && is_local; q++)
        is_local[q] = q == comm->r || (found && found[q]);
    return rc || is_local ? rc : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int sx_pipe_query_local(const sx_pipe_hints *hints)
{
    return find_route(hints).reads_local;
}

int sx_pipe_query_stamps(const sx_pipe_hints *hints)
{
    const sx_carrier *carrier = find_route(hints).carrier;
    return carrier && carrier->sends_stamps;
}

int sx_pipe_create_by_hints(sx_comm *comm, int rc, const sx_pipe_hints *hints, sx_pipe_plan *plan,
                            subx_pipe *pipe)
{
    const route found = find_route(hints);
    char *is_local = sx_base_alloc(comm->p, 1);
    int failed = set_local(comm, found.reads_local, hints->node_ranks, is_local);
    plan->is_local = is_local;
    plan->carrier = found.carrier;
    plan->engine = found.name;
    plan->window = hints->window;
    plan->radix = hints->radix;
    rc = sx_pipe_create(comm, rc ? rc : failed, plan, pipe);
    sx_base_free(is_local);
    if (!rc)
        set_engine(*pipe);
    return rc;
}

int subx_pipe_create_ring(MPI_Comm comm, int nslices, int depth, const ptrdiff_t send_bytes[],
                          const ptrdiff_t recv_bytes[], MPI_Info info, subx_pipe *pipe)
{
    sx_pipe_hints hints = {.window = 0};
    sx_pipe_plan plan = {.nslices = nslices, .depth = depth, .bytes = {send_bytes, recv_bytes}};
    char text[2 * SX_HINT_LEN + 1024] = "";
    sx_text key = {text, sizeof text, 0};
    sx_comm *ours;
    if (pipe)
        *pipe = SUBX_PIPE_NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    rc = read_hints(info, nslices, depth, &hints, &key);
    if (nslices < 1 || depth < 1 || !send_bytes || !recv_bytes || !pipe)
        rc = subx_error_get_code(SUBX_ERR_ARG);
    rc = sx_base_agree(ours->comm, rc, text);
    if (!rc)
        rc = sx_pipe_create_by_hints(ours, rc, &hints, &plan, pipe);
    sx_comm_free(&ours);
    return rc;
}

int subx_pipe_create(MPI_Comm comm, int nslices, const ptrdiff_t send_bytes[], const ptrdiff_t recv_bytes[],
                     MPI_Info info, subx_pipe *pipe)
{
    return subx_pipe_create_ring(comm, nslices, nslices, send_bytes, recv_bytes, info, pipe);
}

/* ---- questions */

int subx_pipe_get(subx_pipe pipe, const char **engine, ptrdiff_t *send_bytes, ptrdiff_t *recv_bytes)
{
    if (!pipe)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (engine)
        *engine = pipe->engine;
    if (send_bytes)
        *send_bytes = pipe->side[SX_FROM].area;
    if (recv_bytes)
        *recv_bytes = pipe->side[SX_TO].area;
    return MPI_SUCCESS;
}

int subx_pipe_get_place(subx_pipe pipe, int slice, int q, ptrdiff_t *offset)
{
    if (!pipe || !offset || slice < 0 || slice >= pipe->nslices || q < 0 || q >= pipe->p)
        return subx_error_get_code(SUBX_ERR_ARG);
    *offset = pipe->side[SX_FROM].place[sx_pipe_at(pipe, slice, q)];
    return MPI_SUCCESS;
}

int subx_pipe_query_far(subx_pipe pipe, int q, int *flag)
{
    if (!pipe || !flag || q < 0 || q >= pipe->p)
        return subx_error_get_code(SUBX_ERR_ARG);
    *flag = pipe->is_local[q] && q != pipe->r && pipe->comm->is_far;
    return MPI_SUCCESS;
}
