/* create.c - the making of an exchange: its hints, its two sides, and the engine that serves it. */
#include "exch/exch.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>

/* ---- hints */

const sx_engine *sx_exch_find_engine(const char *name)
{
    for (int i = 0; sx_exch_table[i]; i++)
        if (strcmp(sx_exch_table[i]->name, name) == 0)
            return sx_exch_table[i];
    return NULL;
}

static int read_engine(MPI_Info hints, const char *key, char *name)
{
    int rc = sx_base_hint(hints, key, "auto", name);
    if (!rc && strcmp(name, "auto") != 0 && !sx_exch_find_engine(name))
        rc = subx_error_get(SUBX_ERR_HINT);
    return rc;
}

static int read_choices(MPI_Info hints, sx_choices *c)
{
    static const char *const owners[] = {"engine", "caller", NULL};
    static const char *const checks[] = {"auto", "yes", "no", NULL};
    int rc = read_engine(hints, "subx_engine", c->engine);
    if (!rc)
        rc = read_engine(hints, "subx_between", c->between);
    const sx_engine *between = sx_exch_find_engine(c->between);
    if (!rc && between && between->for_nodes)
        rc = subx_error_get(SUBX_ERR_HINT);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_work", owners, &c->callers_work);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_check", checks, &c->check);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_window", 4, 1, INT_MAX, &c->window);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_radix", 4, 2, INT_MAX, &c->radix);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_node_ranks", 0, 0, INT_MAX, &c->node_ranks);
    if (!rc)
        rc = sx_base_hint_threads(hints, &c->threads);
    return rc ? rc : sx_base_hint_number(hints, "subx_tile", 512 << 10, 1, PTRDIFF_MAX, &c->tile_bytes);
}

static void print_choices(const sx_choices *c, sx_text *t)
{
    sx_base_print(t, " %s %s %d %d %d %d %d %d %lld", c->engine, c->between, c->callers_work, c->check,
                  c->window, c->radix, c->node_ranks, c->threads, (long long)c->tile_bytes);
}

/* ---- what a rank can do alone */

static int set_sides(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[])
{
    int rc = MPI_Comm_size(ex->comm, &ex->p);
    if (!rc)
        rc = MPI_Comm_rank(ex->comm, &ex->r);
    if (!rc)
        rc = sx_exch_side_set(&ex->side[SX_FROM], ex->p, stype, SX_FROM);
    return rc ? rc : sx_exch_side_set(&ex->side[SX_TO], ex->p, rtype, SX_TO);
}

static int count_engines(void)
{
    int n = 0;
    while (sx_exch_table[n])
        n++;
    return n;
}

/* Say of each engine of the table whether this rank would rather not use it, or must not. */
static void set_avoided(subx_exch ex)
{
    int ntypes = ex->side[SX_FROM].nshapes + ex->side[SX_TO].nshapes;
    for (int i = 0; sx_exch_table[i]; i++)
        ex->avoided[i] = sx_exch_quirk_get(sx_exch_table[i]->name, NULL, ntypes) ? SX_NEVER
                         : sx_exch_table[i]->avoids(ex)                          ? SX_RATHER_NOT
                                                                                 : 0;
}

/* All that can fail on one rank alone. */
static int prepare(subx_exch ex, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info hints)
{
    if (!ex)
        return subx_error_get(SUBX_ERR_NO_MEM);
    int rc = read_choices(hints, &ex->choices);
    ex->owns_work = !ex->choices.callers_work;
    ex->side[SX_FROM].threads = ex->side[SX_TO].threads = ex->choices.threads;
    if (!rc)
        rc = set_sides(ex, stype, rtype);
    if (!rc)
        set_avoided(ex);
    return rc;
}

/* ---- what ranks do together */

/* Everybody tells everybody how much it will send: a pair of types that does not fit would be noticed only
 * when data is lost, if at all. Collective; `told` and `heard` have room for a number a rank. */
static int compare_amounts(subx_exch ex, int64_t *told, int64_t *heard)
{
    for (int q = 0; q < ex->p; q++)
        told[q] = ex->side[SX_FROM].part[q].bytes;
    int rc = MPI_Alltoall(told, 1, MPI_INT64_T, heard, 1, MPI_INT64_T, ex->comm);
    for (int q = 0; q < ex->p && !rc; q++)
        if (heard[q] != ex->side[SX_TO].part[q].bytes)
            rc = subx_error_get(SUBX_ERR_MISMATCH);
    return rc;
}

/* Allocated at creation, so that executing allocates nothing. */
static int alloc_work(subx_exch ex)
{
    if (!ex->owns_work)
        return MPI_SUCCESS;
    ex->work = sx_base_alloc(ex->work_bytes, 1);
    return ex->work ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM);
}

void sx_exch_drop_engine(subx_exch ex)
{
    ex->engine->free(ex);
    if (ex->owns_work)
        sx_base_free(ex->work);
    ex->engine = NULL;
    ex->work = NULL;
    ex->work_bytes = ex->flag = 0;
}

int sx_exch_try_engine(subx_exch ex, const sx_engine *engine)
{
    ex->engine = engine;
    int rc = engine->create(ex);
    if (!rc && !engine->complete)
        rc = alloc_work(ex);
    rc = sx_base_agree_flags(ex->comm, rc, NULL, 1, &ex->flag);
    if (!rc && engine->complete) {
        rc = engine->complete(ex);
        if (!rc)
            rc = alloc_work(ex);
        rc = sx_base_agree(ex->comm, rc, NULL);
    }
    if (rc)
        sx_exch_drop_engine(ex);
    return rc;
}

/* An engine counts only if what it moves arrives. */
static int try_and_check(subx_exch ex, const sx_engine *engine)
{
    int rc = sx_exch_try_engine(ex, engine);
    if (rc)
        return rc;
    rc = sx_exch_check(ex);
    if (rc)
        sx_exch_drop_engine(ex);
    return rc;
}

/* Try the engines that are as welcome as `avoided` says, in the order of the table, until one can serve. */
static int try_all(subx_exch ex, int which, int avoided)
{
    sx_text t = {ex->dropped, sizeof ex->dropped, strlen(ex->dropped)};
    for (int i = 0; sx_exch_table[i]; i++) {
        const sx_engine *engine = sx_exch_table[i];
        if (ex->avoided[i] != avoided || (which == SX_BETWEEN_NODES && engine->for_nodes))
            continue;
        int rc = try_and_check(ex, engine);
        if (subx_error_query(rc) != SUBX_ERR_UNAVAILABLE)
            return rc;
        sx_base_print(&t, "%s%s", t.used ? " " : "", engine->name);
    }
    return subx_error_get(SUBX_ERR_UNAVAILABLE);
}

int sx_exch_choose_engine(subx_exch ex, int which)
{
    const sx_engine *asked = sx_exch_find_engine(ex->choices.engine);
    for (int i = 0; asked && sx_exch_table[i]; i++)
        if (sx_exch_table[i] == asked && ex->avoided[i] == SX_NEVER)
            return subx_error_get(SUBX_ERR_UNAVAILABLE);
    if (asked)
        return try_and_check(ex, asked);
    int rc = try_all(ex, which, 0);
    return subx_error_query(rc) == SUBX_ERR_UNAVAILABLE ? try_all(ex, which, SX_RATHER_NOT) : rc;
}

/* Set-up time is a matter of how often ranks meet: here for the outcome of what each did alone, for the
 * amounts, and for the outcome of each engine that is tried. */
static int build(subx_exch ex, int rc, const char *key, const MPI_Datatype stype[],
                 const MPI_Datatype rtype[], MPI_Info hints, MPI_Comm comm)
{
    char keys[4 * SX_HINT_LEN + 1024] = "";
    int nothing[SX_FLAGS_MAX] = {0}, p = 0;
    sx_text t = {keys, sizeof keys, 0};
    if (!rc)
        rc = prepare(ex, stype, rtype, hints);
    if (!rc)
        p = ex->p;
    int64_t *told = sx_base_alloc(p, sizeof *told), *heard = sx_base_alloc(p, sizeof *heard);
    if (!rc && (!told || !heard))
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    sx_base_print(&t, "%s", key);
    if (!rc)
        print_choices(&ex->choices, &t);
    rc = sx_base_agree_flags(comm, rc, keys, count_engines(), ex ? ex->avoided : nothing);
    if (!rc)
        rc = sx_base_agree(comm, compare_amounts(ex, told, heard), NULL);
    if (!rc)
        rc = sx_exch_choose_engine(ex, SX_ANYWHERE);
    sx_base_free(heard);
    sx_base_free(told);
    return rc;
}

/* ---- the life of the object */

void sx_exch_destroy(subx_exch ex)
{
    if (!ex)
        return;
    if (ex->engine)
        sx_exch_drop_engine(ex);
    sx_exch_side_free(&ex->side[SX_FROM]);
    sx_exch_side_free(&ex->side[SX_TO]);
    sx_base_free(ex);
}

int sx_exch_create(MPI_Comm comm, int rc, const char *key, const MPI_Datatype stype[],
                   const MPI_Datatype rtype[], MPI_Info hints, subx_exch *ex)
{
    MPI_Comm dup = MPI_COMM_NULL;
    if (ex)
        *ex = SUBX_EXCH_NULL;
    int failed = sx_base_comm_dup(comm, &dup);
    if (failed)
        return failed;
    subx_exch made = sx_base_alloc(1, sizeof *made);
    if (made)
        made->comm = dup;
    if (!rc && !ex)
        rc = subx_error_get(SUBX_ERR_ARG);
    rc = build(made, rc, key, stype, rtype, hints, dup);
    if (rc) {
        sx_exch_destroy(made);
        MPI_Comm_free(&dup);
        return rc;
    }
    *ex = made;
    return MPI_SUCCESS;
}

int subx_exch_create(MPI_Comm comm, const MPI_Datatype stype[], const MPI_Datatype rtype[], MPI_Info hints,
                     subx_exch *ex)
{
    return sx_exch_create(comm, MPI_SUCCESS, "", stype, rtype, hints, ex);
}
