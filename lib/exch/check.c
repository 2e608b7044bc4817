/* check.c - see whether an engine is right on this MPI, by moving a pattern with the exchange's own types.
 *
 * Each rank tells each other a hash of what it will send; what then arrives must have that hash. Neither the
 * types nor the engine are taken at their word: blocks are read by our own kernels on both sides. */
#include "exch/exch.h"
#include <stdint.h>
#include <string.h>

/* More than this a rank does not allocate unasked. */
enum { MOST_BYTES = 64 << 20 };

/* The bytes around a buffer's address that its types touch. */
typedef struct span {
    MPI_Aint low, high;
} span;

static int get_span(const sx_side *side, int p, span *all)
{
    *all = (span){0, 0};
    for (int q = 0; q < p; q++) {
        const sx_part *part = &side->part[q];
        MPI_Count lb, extent;
        if (part->shape < 0)
            continue;
        const sx_shape *shape = &side->shape[part->shape];
        int rc = MPI_Type_get_true_extent_x(shape->type, &lb, &extent);
        if (rc)
            return rc;
        MPI_Aint low = part->offset - shape->origin + (MPI_Aint)lb, high = low + (MPI_Aint)extent;
        all->low = low < all->low ? low : all->low;
        all->high = high > all->high ? high : all->high;
    }
    return MPI_SUCCESS;
}

static ptrdiff_t get_largest(const sx_side *side, int p)
{
    ptrdiff_t most = 0;
    for (int q = 0; q < p; q++)
        most = side->part[q].bytes > most ? side->part[q].bytes : most;
    return most;
}

typedef struct trial {
    span of[2];
    char *memory[2], *packed, *work;
    ptrdiff_t packed_bytes;
    uint64_t *told, *heard; /* a hash for each rank */
} trial;

static ptrdiff_t get_bytes(const trial *t, const subx_exch ex)
{
    ptrdiff_t bytes = t->packed_bytes + (ex->owns_work ? 0 : ex->work_bytes);
    for (int i = 0; i < 2; i++)
        bytes += t->of[i].high - t->of[i].low;
    return bytes;
}

static int measure(trial *t, const subx_exch ex)
{
    for (int i = 0; i < 2; i++) {
        ptrdiff_t most = get_largest(&ex->side[i], ex->p);
        t->packed_bytes = most > t->packed_bytes ? most : t->packed_bytes;
        int rc = get_span(&ex->side[i], ex->p, &t->of[i]);
        if (rc)
            return rc;
    }
    return MPI_SUCCESS;
}

static int alloc_memory(trial *t, const subx_exch ex)
{
    for (int i = 0; i < 2; i++)
        t->memory[i] = sx_base_alloc(t->of[i].high - t->of[i].low, 1);
    t->packed = sx_base_alloc(t->packed_bytes, 1);
    t->work = sx_base_alloc(ex->owns_work ? 0 : ex->work_bytes, 1);
    t->told = sx_base_alloc(ex->p, sizeof *t->told);
    t->heard = sx_base_alloc(ex->p, sizeof *t->heard);
    return t->memory[0] && t->memory[1] && t->packed && t->work && t->told && t->heard
               ? MPI_SUCCESS
               : subx_error_get(SUBX_ERR_NO_MEM);
}

static void free_memory(trial *t)
{
    sx_base_free(t->heard);
    sx_base_free(t->told);
    sx_base_free(t->work);
    sx_base_free(t->packed);
    sx_base_free(t->memory[1]);
    sx_base_free(t->memory[0]);
}

/* A generator of which any two ranks give different sequences (splitmix64; Steele, Lea & Flood 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void fill(char *memory, ptrdiff_t bytes, int r)
{
    uint64_t state = (uint64_t)r << 32, word;
    for (ptrdiff_t i = 0; i < bytes; i += (ptrdiff_t)sizeof word) {
        ptrdiff_t rest = bytes - i, n = (ptrdiff_t)sizeof word;
        word = draw(&state);
        memcpy(memory + i, &word, (size_t)(rest < n ? rest : n));
    }
}

static uint64_t hash(const char *data, ptrdiff_t bytes)
{
    uint64_t h = (uint64_t)bytes, word;
    for (ptrdiff_t i = 0; i < bytes; i += (ptrdiff_t)sizeof word) {
        ptrdiff_t rest = bytes - i, n = (ptrdiff_t)sizeof word;
        word = 0;
        memcpy(&word, data + i, (size_t)(rest < n ? rest : n));
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* Packing what was received is unpacking turned round. */
static int pack_received(const sx_side *recv, int q, const char *buf, char *packed)
{
    const sx_part *part = &recv->part[q];
    const sx_shape *shape = &recv->shape[part->shape];
    sx_layout l = shape->layout;
    if (!shape->strided)
        return sx_exch_part_pack(recv, q, buf, packed);
    sx_layout_swap(&l);
    sx_kern_scalar.copy(&l, buf + part->offset, packed);
    return MPI_SUCCESS;
}

static int hash_parts(const subx_exch ex, const trial *t, int which, uint64_t *result)
{
    const char *buf = t->memory[which] - t->of[which].low;
    int rc = MPI_SUCCESS;
    for (int q = 0; q < ex->p && !rc; q++) {
        const sx_side *side = &ex->side[which];
        if (side->part[q].shape < 0)
            continue;
        rc = which == SX_SEND ? sx_exch_part_pack(side, q, buf, t->packed)
                              : pack_received(side, q, buf, t->packed);
        result[q] = hash(t->packed, side->part[q].bytes);
    }
    return rc;
}

/* Collective; what fails here has failed in the engine, or in MPI itself. */
static int run(subx_exch ex, const trial *t)
{
    char *given = ex->work;
    if (!ex->owns_work)
        ex->work = t->work;
    int rc = subx_exch_execute(ex, t->memory[SX_SEND] - t->of[SX_SEND].low,
                               t->memory[SX_RECV] - t->of[SX_RECV].low);
    ex->work = given;
    return rc;
}

static int compare(subx_exch ex, trial *t)
{
    fill(t->memory[SX_SEND], t->of[SX_SEND].high - t->of[SX_SEND].low, ex->r);
    int failed = hash_parts(ex, t, SX_SEND, t->told);
    int rc = MPI_Alltoall(t->told, 1, MPI_UINT64_T, t->heard, 1, MPI_UINT64_T, ex->comm);
    rc = rc ? rc : failed;
    /* An engine that says it failed cannot serve, either. */
    if (run(ex, t) && !rc)
        rc = subx_error_get(SUBX_ERR_UNAVAILABLE);
    if (!rc)
        rc = hash_parts(ex, t, SX_RECV, t->told);
    for (int q = 0; q < ex->p && !rc; q++)
        if (ex->side[SX_RECV].part[q].bytes && t->told[q] != t->heard[q])
            rc = subx_error_get(SUBX_ERR_UNAVAILABLE);
    return rc;
}

/* What takes much memory on any rank is left out on all. */
int sx_exch_check(subx_exch ex)
{
    trial t = {.packed_bytes = 0};
    if (ex->choices.check == SX_CHECK_NO)
        return MPI_SUCCESS;
    int rc = measure(&t, ex);
    int skips = ex->choices.check == SX_CHECK_AUTO && get_bytes(&t, ex) > MOST_BYTES;
    if (!rc && !skips)
        rc = alloc_memory(&t, ex);
    rc = sx_base_agree_flags(ex->comm, rc, NULL, 1, &skips);
    if (!rc && !skips)
        rc = sx_base_agree(ex->comm, compare(ex, &t), NULL);
    free_memory(&t);
    return rc;
}
