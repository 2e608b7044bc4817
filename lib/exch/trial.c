/* trial.c - try whether an engine moves data correctly with this MPI, by moving a pattern with the exchange's
 * own types.
 *
 * Each rank sends to each rank the hash of the block for that rank. The block that arrives must have this
 * hash. The check relies neither on the engine nor on MPI's types: our own kernels read the blocks on both
 * sides. Only blocks that are not strided are read by MPI_Pack. */
#include "exch/exch.h"
#include <stdint.h>
#include <string.h>

static ptrdiff_t get_largest(const sx_side *side, int p)
{
    ptrdiff_t most = 0;
    for (int q = 0; q < p; q++)
        most = side->block[q].bytes > most ? side->block[q].bytes : most;
    return most;
}

typedef struct trial {
    void *shared; /* shared memory for the data that is sent, if the engine reads it in place; else NULL */
    void *work;   /* work space for the check, if the caller owns the work space of the exchange; else NULL */
    char *memory[2], *packed;
    void *device[2],
        *device_work; /* memory of the device: copies of `memory`; work space, as `work`; else NULL */
    ptrdiff_t packed_bytes;
    uint64_t *told, *heard; /* a hash for each rank */
} trial;

/* Get the number of bytes from the first to the last byte of all blocks of a side. */
static ptrdiff_t get_span(const subx_exch ex, int which)
{
    return ex->side[which].high - ex->side[which].low;
}

/* Get the address from which the types of a side count their displacements. */
static char *get_buffer(const subx_exch ex, const trial *t, int which)
{
    return t->memory[which] - ex->side[which].low;
}

static void set_packed_bytes(const subx_exch ex, trial *t)
{
    for (int i = 0; i < 2; i++) {
        ptrdiff_t most = get_largest(&ex->side[i], ex->p);
        t->packed_bytes = most > t->packed_bytes ? most : t->packed_bytes;
    }
}

static ptrdiff_t get_bytes(const subx_exch ex, const trial *t)
{
    return t->packed_bytes + (ex->owns_work ? 0 : ex->work_bytes) + get_span(ex, SX_FROM) +
           get_span(ex, SX_TO);
}

/* Allocate memory of the exchange's device: what partners may read, and the buffer to receive. Collective, if
 * ranks read each other's memory. */
static int alloc_on_device(subx_exch ex, trial *t)
{
    int rc = sx_exch_device_alloc(ex, get_span(ex, SX_FROM), &t->device[SX_FROM]);
    if (!rc && !ex->owns_work)
        rc = sx_exch_device_alloc(ex, ex->device_bytes, &t->device_work);
    return rc ? rc
              : subx_error_get_code(ex->device->alloc(ex->handle, get_span(ex, SX_TO), &t->device[SX_TO]));
}

/* Allocate the memory of the check. Collective if the engine reads memory of local partners, or if the caller
 * owns the work space. */
static int alloc_memory(subx_exch ex, trial *t)
{
    int rc = MPI_SUCCESS;
    if (ex->engine.traits & SUBX_ENGINE_LOCAL && !ex->device)
        rc = sx_comm_alloc(ex->comm, rc, get_span(ex, SX_FROM), ex->hints.node_ranks, NULL, &t->shared);
    if (rc)
        return rc;
    if (!ex->owns_work)
        rc = sx_comm_alloc(ex->comm, rc, ex->work_bytes, ex->hints.node_ranks, NULL, &t->work);
    if (!rc && ex->device)
        rc = alloc_on_device(ex, t);
    if (rc)
        return rc;
    t->memory[SX_FROM] = t->shared ? t->shared : sx_base_alloc(get_span(ex, SX_FROM), 1);
    t->memory[SX_TO] = sx_base_alloc(get_span(ex, SX_TO), 1);
    t->packed = sx_base_alloc(t->packed_bytes, 1);
    t->told = sx_base_alloc(ex->p, sizeof *t->told);
    t->heard = sx_base_alloc(ex->p, sizeof *t->heard);
    return t->memory[0] && t->memory[1] && t->packed && t->told && t->heard
               ? MPI_SUCCESS
               : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static void free_memory(subx_exch ex, trial *t)
{
    if (ex->device) {
        sx_exch_device_free(ex, t->device_work);
        sx_exch_device_free(ex, t->device[SX_FROM]);
        ex->device->free(ex->handle, t->device[SX_TO]);
    }
    sx_base_free(t->heard);
    sx_base_free(t->told);
    sx_base_free(t->packed);
    sx_base_free(t->memory[SX_TO]);
    if (!t->shared)
        sx_base_free(t->memory[SX_FROM]);
    subx_mem_free(&t->work);
    subx_mem_free(&t->shared);
}

/* A generator of random numbers; any two ranks get different sequences (splitmix64; Steele, Lea & Flood
 * 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Get a double that a float represents exactly, as the bits of a word. */
static uint64_t round_word(uint64_t word)
{
    const double value = (double)(word >> 40);
    memcpy(&word, &value, sizeof word);
    return word;
}

/* If blocks travel as floats, the pattern consists of doubles that do not change on their way. */
static void fill(char *memory, ptrdiff_t bytes, int r, int is_narrow)
{
    uint64_t state = (uint64_t)r << 32, word;
    for (ptrdiff_t i = 0; i < bytes; i += (ptrdiff_t)sizeof word) {
        ptrdiff_t rest = bytes - i, n = (ptrdiff_t)sizeof word;
        word = draw(&state);
        word = is_narrow ? round_word(word) : word;
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

/* Pack a received block. Its layout unpacks it, so the layout with the sides swapped packs it. */
static int pack_received(const sx_side *recv, int q, const char *buf, char *packed)
{
    const sx_block *block = &recv->block[q];
    const sx_shape *shape = &recv->shape[block->shape];
    sx_layout l = shape->layout;
    if (!shape->strided)
        return sx_exch_block_pack(recv, q, 0, block->bytes, 0, buf, packed);
    sx_layout_swap(&l);
    sx_kern_scalar.copy(&l, buf + block->offset, packed);
    return MPI_SUCCESS;
}

static int hash_parts(const subx_exch ex, const trial *t, int which, uint64_t *result)
{
    const char *buf = get_buffer(ex, t, which);
    int rc = MPI_SUCCESS;
    for (int q = 0; q < ex->p && !rc; q++) {
        const sx_side *side = &ex->side[which];
        if (side->block[q].shape < 0)
            continue;
        rc = which == SX_FROM ? sx_exch_block_pack(side, q, 0, side->block[q].bytes, 0, buf, t->packed)
                              : pack_received(side, q, buf, t->packed);
        result[q] = hash(t->packed, side->block[q].bytes);
    }
    return rc;
}

/* Execute the exchange between the copies of the trial's memory on the device. If the data cannot be copied
 * there, partners must be told. Collective. */
static int run_on_device(subx_exch ex, const trial *t)
{
    int rc = sx_exch_device_copy(ex, t->device[SX_FROM], t->memory[SX_FROM], get_span(ex, SX_FROM));
    ex->gives_wrong = rc != MPI_SUCCESS;
    ex->sendbuf = (const char *)t->device[SX_FROM] - ex->side[SX_FROM].low;
    ex->recvbuf = (char *)t->device[SX_TO] - ex->side[SX_TO].low;
    const int failed = sx_exch_execute(ex);
    rc = rc ? rc : failed;
    return rc ? rc : sx_exch_device_copy(ex, t->memory[SX_TO], t->device[SX_TO], get_span(ex, SX_TO));
}

/* Execute the exchange with the trial's memory. Collective. */
static int run(subx_exch ex, const trial *t)
{
    if (ex->device)
        return run_on_device(ex, t);
    ex->sendbuf = get_buffer(ex, t, SX_FROM);
    ex->recvbuf = get_buffer(ex, t, SX_TO);
    ex->executes = 1;
    return sx_exch_execute(ex);
}

static int compare(subx_exch ex, trial *t)
{
    fill(t->memory[SX_FROM], get_span(ex, SX_FROM), ex->r, ex->device && ex->hints.is_narrow);
    int failed = hash_parts(ex, t, SX_FROM, t->told);
    int rc = MPI_Alltoall(t->told, 1, MPI_UINT64_T, t->heard, 1, MPI_UINT64_T, ex->comm->comm);
    rc = rc ? rc : failed;
    /* The engine cannot serve if it reports an error. */
    if (run(ex, t) && !rc)
        rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    if (!rc)
        rc = hash_parts(ex, t, SX_TO, t->told);
    for (int q = 0; q < ex->p && !rc; q++)
        if (ex->side[SX_TO].block[q].bytes && t->told[q] != t->heard[q])
            rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    return rc;
}

/* If the check is optional (SX_CHECK_AUTO) and needs much memory on any rank, it is left out on all ranks. */
int sx_exch_check(subx_exch ex)
{
    trial t = {.packed_bytes = 0};
    if (ex->hints.check == SX_CHECK_NO)
        return MPI_SUCCESS;
    set_packed_bytes(ex, &t);
    int skips = ex->hints.check == SX_CHECK_AUTO && get_bytes(ex, &t) > SX_EXCH_CHECK_BYTES;
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &skips);
    if (rc || skips)
        return rc;
    rc = sx_base_agree(ex->comm->comm, alloc_memory(ex, &t), NULL);
    if (!rc && !ex->owns_work)
        rc = sx_exch_bind(ex, t.work);
    if (!rc && ex->device && !ex->owns_work)
        rc = sx_exch_device_bind(ex, t.device_work);
    if (!rc)
        rc = sx_base_agree(ex->comm->comm, compare(ex, &t), NULL);
    ex->is_bound = ex->owns_work;
    if (ex->device && !ex->owns_work)
        sx_exch_device_drop_work(ex);
    free_memory(ex, &t);
    return rc;
}
