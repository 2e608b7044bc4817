/* create.c - create an exchange: its hints, its two sides, and the engine that serves it. */
#include "exch/exch.h"
#include <stdint.h>
#include <string.h>

/* ---- the steps that each rank does alone */

static int set_sides(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[])
{
    ex->side[SX_FROM].threads = ex->side[SX_TO].threads = ex->hints.threads;
    int rc = sx_exch_side_set(&ex->side[SX_FROM], ex->p, stype, SX_FROM);
    return rc ? rc : sx_exch_side_set(&ex->side[SX_TO], ex->p, rtype, SX_TO);
}

/* For each engine, set whether this rank avoids it: 0, SX_RATHER_NOT or SX_NEVER. */
static void set_avoided(subx_exch ex)
{
    int ntypes = ex->side[SX_FROM].nshapes + ex->side[SX_TO].nshapes, count = 0;
    const char *why;
    sx_engine engine;
    for (; !ex->device && count < SX_FLAGS_MAX && sx_exch_get_engine(count, &engine); count++) {
        ex->engine = engine;
        ex->avoided[count] = sx_exch_quirk_get(engine.name, NULL, ntypes, &why);
        if (!ex->avoided[count] && engine.functions->avoids(ex))
            ex->avoided[count] = SX_RATHER_NOT;
    }
    ex->engine.functions = NULL;
}

/* ---- memory of devices (hint subx_memory_kind) */

/* The hint has no environment variable, because only the program knows where its buffers are. */
static const sx_hint memory_hint = {.key = "subx_memory_kind",
                                    .type = SX_HINT_TEXT,
                                    .offset = offsetof(struct subx_exch_s, memory_kind),
                                    .text = SX_DEVICE_SYSTEM,
                                    .is_right = sx_device_is_kind,
                                    .right = SX_DEVICE_KINDS,
                                    .is_of_program = 1};

/* Find the device. The engine must be an engine of pipes. */
static int set_device(subx_exch ex, MPI_Info info)
{
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    sx_engine engine;
    int rc = sx_base_hints_parse(&memory_hint, 1, info, ex);
    if (rc)
        return rc;
    if (sx_device_find(ex->memory_kind, &ex->device, &t))
        return sx_base_hint_refuse(info, memory_hint.key, SUBX_ERR_UNAVAILABLE, why);
    if (ex->device && sx_exch_find_engine(ex->hints.engine, &engine) && engine.traits & SUBX_ENGINE_TYPES)
        return sx_base_hint_refuse(info, memory_hint.key, SUBX_ERR_UNAVAILABLE,
                                   "the engines types and alltoallw are for memory of the host");
    return MPI_SUCCESS;
}

static int check_carrier(subx_exch ex, MPI_Info info)
{
    char why[SX_ERROR_LEN] = "";
    sx_text t = {why, sizeof why, 0};
    if (!ex->device || !sx_exch_device_find_carriers(ex, &t))
        return MPI_SUCCESS;
    return sx_base_hint_refuse(info, "device_carrier", SUBX_ERR_UNAVAILABLE, why);
}

/* Kernels of devices copy strided blocks only, so other blocks are divided into chunks. */
static int divide_blocks(subx_exch ex, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; ex->device && i < 2 && !rc; i++)
        rc = sx_exch_side_set_chunks(&ex->side[i], ex->p, i);
    if (subx_error_get_kind(rc) == SUBX_ERR_NOT_STRIDED)
        rc = sx_base_hint_refuse(info, memory_hint.key, SUBX_ERR_UNAVAILABLE,
                                 "a type has more than 256 strided blocks (subx_type_get_layout)");
    return rc;
}

/* Only kernels of devices convert doubles to floats. */
static int check_doubles(const subx_exch ex, MPI_Info info)
{
    if (!ex->device || !ex->hints.is_narrow ||
        (sx_exch_side_has_doubles(&ex->side[SX_FROM], ex->p) &&
         sx_exch_side_has_doubles(&ex->side[SX_TO], ex->p)))
        return MPI_SUCCESS;
    return sx_base_hint_refuse(info, "subx_wire", SUBX_ERR_UNAVAILABLE,
                               "only real or complex doubles, aligned as doubles, travel as floats");
}

/* Read the hints and set the sides. This may fail on this rank alone; the ranks agree on the outcome
 * later. */
static int prepare(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info info)
{
    int rc = sx_pipe_hints_parse(info, subx_exch_query_engine, &ex->hints);
    ex->owns_work = !ex->hints.callers_work;
    rc = rc ? rc : set_device(ex, info);
    rc = rc ? rc : check_carrier(ex, info);
    rc = rc ? rc : set_sides(ex, stype, rtype);
    rc = rc ? rc : divide_blocks(ex, info);
    return rc ? rc : check_doubles(ex, info);
}

/* ---- the steps that ranks do together */

/* Each rank tells each rank how many bytes it will send. Without this, a pair of types of different lengths
 * would be noticed only when data is lost, or not at all. Collective; `told` and `heard` have room for a
 * number per rank. SUBX_ERR_MISMATCH if a rank expects another number. */
static int compare_amounts(subx_exch ex, int64_t *told, int64_t *heard)
{
    for (int q = 0; q < ex->p; q++)
        told[q] = ex->side[SX_FROM].block[q].bytes;
    int rc = MPI_Alltoall(told, 1, MPI_INT64_T, heard, 1, MPI_INT64_T, ex->comm->comm);
    for (int q = 0; q < ex->p && !rc; q++)
        if (heard[q] != ex->side[SX_TO].block[q].bytes)
            rc = subx_error_get_code(SUBX_ERR_MISMATCH);
    return rc;
}

/* Use an engine, and check that data arrives correctly. After an error the exchange has no engine.
 * Collective. */
static int try_and_check(subx_exch ex, const sx_engine *engine)
{
    int rc = sx_exch_set_engine(ex, engine);
    if (rc)
        return rc;
    rc = sx_exch_check(ex);
    if (rc)
        sx_exch_free_engine(ex);
    return rc;
}

/* Try all engines i with ex->avoided[i] == avoided, until one can serve. */
static int try_all(subx_exch ex, int avoided)
{
    sx_text t = {ex->dropped, sizeof ex->dropped, strlen(ex->dropped)};
    int rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    sx_engine engine;
    for (int i = 0; sx_exch_get_engine(i, &engine) && sx_exch_may_go_on(rc); i++) {
        if (ex->avoided[i] != avoided)
            continue;
        rc = try_and_check(ex, &engine);
        if (sx_exch_may_go_on(rc))
            sx_base_print(&t, "%s%s", t.used ? " " : "", engine.name);
    }
    return rc;
}

/* On devices all engines have the same functions. They set the name of the engine. */
static int use_device(subx_exch ex)
{
    const int reads_local = sx_pipe_query_local(&ex->hints);
    const sx_engine engine = {.functions = &sx_exch_device,
                              .traits = SUBX_ENGINE_BLOCKS | (reads_local ? SUBX_ENGINE_LOCAL : 0)};
    return try_and_check(ex, &engine);
}

static int choose_engine(subx_exch ex)
{
    sx_engine engine;
    if (ex->device)
        return sx_exch_device_choose(ex, use_device);
    for (int i = 0; sx_exch_get_engine(i, &engine); i++)
        if (strcmp(engine.name, ex->hints.engine) == 0)
            return ex->avoided[i] == SX_NEVER ? subx_error_get_code(SUBX_ERR_UNAVAILABLE)
                                              : try_and_check(ex, &engine);
    int rc = try_all(ex, 0);
    return sx_exch_may_go_on(rc) ? try_all(ex, SX_RATHER_NOT) : rc;
}

/* Build an exchange. The ranks agree on the outcome of `prepare`, compare the amounts that they send, and
 * then try engines. */
static int build(subx_exch ex, int rc, const char *key, const MPI_Datatype stype[],
                 const MPI_Datatype rtype[], MPI_Info info)
{
    char keys[5 * SX_HINT_LEN + 1024] = "";
    sx_text t = {keys, sizeof keys, 0};
    const MPI_Comm comm = ex->comm->comm;
    if (!rc)
        rc = prepare(ex, stype, rtype, info);
    sx_base_print(&t, "%s", key);
    if (!rc) {
        sx_pipe_hints_print(&ex->hints, &t);
        sx_base_print(&t, ", memory_kind %s", ex->memory_kind);
        set_avoided(ex);
    }
    int64_t *told = sx_base_alloc(ex->p, sizeof *told), *heard = sx_base_alloc(ex->p, sizeof *heard);
    if (!rc && !(told && heard))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree_flags(comm, rc, keys, SX_FLAGS_MAX, ex->avoided);
    if (!rc)
        rc = sx_base_agree(comm, compare_amounts(ex, told, heard), NULL);
    if (!rc)
        rc = choose_engine(ex);
    sx_base_free(heard);
    sx_base_free(told);
    return rc;
}

/* ---- free */

int sx_exch_free(subx_exch ex)
{
    if (!ex)
        return MPI_SUCCESS;
    if (ex->engine.functions)
        sx_exch_free_engine(ex);
    sx_exch_side_free(&ex->side[SX_FROM]);
    sx_exch_side_free(&ex->side[SX_TO]);
    int rc = sx_comm_free(&ex->comm);
    sx_base_free(ex);
    return rc;
}

int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info info, subx_exch *ex)
{
    sx_comm *ours;
    if (ex)
        *ex = SUBX_EXCH_NULL;
    int failed = sx_comm_get(comm, &ours);
    if (failed)
        return failed;
    subx_exch made = sx_base_alloc(1, sizeof *made);
    failed = sx_base_agree(ours->comm, made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (failed) {
        sx_base_free(made);
        sx_comm_free(&ours);
        return failed;
    }
    *made = (struct subx_exch_s){.comm = ours, .p = ours->p, .r = ours->r};
    rc = build(made, rc || ex ? rc : subx_error_get_code(SUBX_ERR_ARG), key, stype, rtype, info);
    if (rc)
        sx_exch_free(made);
    else
        *ex = made;
    return rc;
}

int subx_exch_create(MPI_Comm comm, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info hints,
                     subx_exch *ex)
{
    return sx_exch_create(comm, MPI_SUCCESS, "", stype, rtype, hints, ex);
}
