/* piped.c - create an engine that uses a pipe: which partners are local, which layouts nest, how blocks are
 * cut into slices. */
#include "exch/piped.h"
#include <string.h>

/* ---- which engine suits */

/* Avoid each engine that uses a pipe if a block is not strided, because our kernels do not copy such a block.
 * Also avoid a carrier if all blocks have long runs, because MPI's own engines send these faster. Always
 * avoid all carriers except the first one of the list. */
static int avoids(subx_exch ex)
{
    int nshapes = 0, nlong = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ex->side[i].nshapes; k++) {
            const sx_shape *shape = &ex->side[i].shape[k];
            if (!shape->strided)
                return 1;
            nshapes++;
            nlong += shape->layout.block_bytes >= SX_EXCH_LONG_RUN;
        }
    if (ex->engine.traits & SUBX_ENGINE_LOCAL)
        return 0;
    return ex->engine.carrier != sx_pipe_carriers[0] || (nshapes > 0 && nlong == nshapes);
}

/* ---- the steps that each rank does alone */

static int alloc_arrays(subx_exch ex, sx_piped *s)
{
    s->is_local = sx_base_alloc(ex->p, 1);
    s->reads_mine = sx_base_alloc(ex->p, 1);
    s->is_done = sx_base_alloc(ex->p, 1);
    s->direct = sx_base_alloc(ex->p, sizeof *s->direct);
    s->partner_offset = sx_base_alloc(ex->p, sizeof *s->partner_offset);
    s->step[SX_FROM] = sx_base_alloc(ex->p, sizeof *s->step[0]);
    s->step[SX_TO] = sx_base_alloc(ex->p, sizeof *s->step[1]);
    return s->is_local && s->reads_mine && s->is_done && s->direct && s->partner_offset && s->step[0] &&
                   s->step[1]
               ? MPI_SUCCESS
               : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int prepare(subx_exch ex)
{
    sx_piped *s = ex->state = sx_base_alloc(1, sizeof *s);
    int rc = s ? alloc_arrays(ex, s) : subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2 && !rc; i++)
        if (!sx_exch_side_can_pack(&ex->side[i], ex->p))
            rc = subx_error_get_code(SUBX_ERR_TOO_LARGE);
    return rc;
}

static void set_local(subx_exch ex, const char *found)
{
    sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        s->is_local[q] = q == ex->r || (found && found[q]);
}

/* ---- offers. For each block, sender and receiver tell each other at which steps they can cut the block, and
 * at which offset it lies in their buffers */

typedef struct offer {
    int64_t step, good_step, offset;
} offer;

enum { OFFER_LENGTH = sizeof(offer) / sizeof(int64_t) };

static offer get_offer(const subx_exch ex, int side, int q)
{
    const sx_side *a = &ex->side[side];
    return (offer){sx_exch_block_get_step(a, q), sx_exch_block_get_good_step(a, q, side), a->block[q].offset};
}

/* Get the step at which sender and receiver cut a block of `all` bytes; a and b are their offers. `least` is
 * the longer one of their steps, `good` the longer one of their good steps. If `least` is not a multiple of
 * both steps, the block is not cut: the result is its length. Else the result is the largest multiple of
 * `least` that is at most `good`, or `least` itself if `good` is shorter. */
static ptrdiff_t get_common_step(ptrdiff_t all, offer a, offer b)
{
    ptrdiff_t least = (ptrdiff_t)(a.step > b.step ? a.step : b.step);
    ptrdiff_t good = (ptrdiff_t)(a.good_step > b.good_step ? a.good_step : b.good_step);
    if (least <= 0 || least % a.step != 0 || least % b.step != 0 || least >= all)
        return all;
    return good > least ? good / least * least : least;
}

/* Tell each rank q two offers: told[2 * q + SX_FROM] for the block that this rank sends to q, and told[2 * q
 * + SX_TO] for the block that it receives from q. Get the offers of q in `heard`, and set the steps of all
 * blocks. */
static int exchange_offers(subx_exch ex, offer *told, offer *heard)
{
    sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        for (int side = 0; side < 2; side++)
            told[2 * q + side] = get_offer(ex, side, q);
    int rc = MPI_Alltoall(told, 2 * OFFER_LENGTH, MPI_INT64_T, heard, 2 * OFFER_LENGTH, MPI_INT64_T,
                          ex->comm->comm);
    for (int q = 0; q < ex->p && !rc; q++) {
        s->partner_offset[q] = (ptrdiff_t)heard[2 * q + SX_FROM].offset;
        for (int side = 0; side < 2; side++)
            s->step[side][q] =
                get_common_step(ex->side[side].block[q].bytes, told[2 * q + side], heard[2 * q + 1 - side]);
    }
    return rc;
}

/* ---- direct copies: local partners exchange layouts and find out whether they nest */

/* If the layouts of the block from rank q nest, add a direct copy, without packing. `from` is the sender's
 * layout; it is not used if q is this rank itself. */
static void add_join(subx_exch ex, int q, const sx_layout *from)
{
    sx_piped *s = ex->state;
    const sx_side *recv = &ex->side[SX_TO];
    sx_direct *direct = &s->directs[s->ndirects];
    if (q == ex->r)
        sx_exch_set_direct_self(ex, direct);
    else
        sx_exch_set_direct(from, &recv->shape[recv->block[q].shape], recv->bytes, direct);
    if (direct->kern)
        s->direct[q] = s->ndirects++;
}

static void set_joins(subx_exch ex, const sx_layout *heard)
{
    const sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        if (sx_exch_is_partner(ex, s->is_local, SX_TO, q)) {
            if (heard->nd >= 0)
                add_join(ex, q, heard);
            heard++;
        }
    if (ex->side[SX_TO].block[ex->r].bytes > 0)
        add_join(ex, ex->r, NULL);
}

/* Tell each rank q whether this rank will read the block from q without packing, in the send buffer of q. Get
 * the answers of all ranks about the blocks of this rank (reads_mine). */
static int exchange_answers(subx_exch ex)
{
    sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        s->is_done[q] = s->direct[q] >= 0;
    const int rc = MPI_Alltoall(s->is_done, 1, MPI_CHAR, s->reads_mine, 1, MPI_CHAR, ex->comm->comm);
    for (int q = 0; q < ex->p; q++)
        s->has_readers = s->has_readers || (q != ex->r && s->reads_mine[q]);
    return rc;
}

/* Exchange layouts with local partners, and set the direct copies. Collective; rc is the outcome of this rank
 * so far, and a rank that has failed must call this function, too. */
static int join_layouts(subx_exch ex, int rc)
{
    sx_piped *s = ex->state;
    const int count = rc ? 0 : sx_exch_count_partners(ex, s->is_local, SX_TO);
    sx_layout *heard = sx_base_alloc(count, sizeof *heard);
    s->directs = sx_base_alloc(count + 1, sizeof *s->directs);
    if (!rc && !(heard && s->directs))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_exch_gather_layouts(ex, rc, s->is_local, heard);
    if (!rc)
        set_joins(ex, heard);
    sx_base_free(heard);
    return sx_base_agree(ex->comm->comm, rc, NULL);
}

static int learn(subx_exch ex)
{
    const sx_piped *s = ex->state;
    offer *told = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *told),
          *heard = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *heard);
    int rc = sx_base_agree(ex->comm->comm, told && heard ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM),
                           NULL);
    if (!rc) {
        for (int q = 0; q < ex->p; q++)
            s->direct[q] = -1;
        rc = join_layouts(ex, exchange_offers(ex, told, heard));
    }
    sx_base_free(heard);
    sx_base_free(told);
    return rc ? rc : exchange_answers(ex);
}

/* ---- slices */

/* A slice that stays in the second-level cache is packed, sent and unpacked faster. */
static int count_piped_slices(const subx_exch ex, const sx_carrier *carrier)
{
    const sx_piped *s = ex->state;
    ptrdiff_t longest = 0;
    if (ex->hints.slices > 0)
        return ex->hints.slices;
    for (int q = 0; q < ex->p; q++)
        if (!s->is_local[q] && ex->side[SX_FROM].block[q].bytes > longest)
            longest = ex->side[SX_FROM].block[q].bytes;
    if (!carrier || !carrier->likes_slices || longest < 2 * SX_EXCH_SLICE_BYTES)
        return 1;
    int n;
    return sx_base_int(longest / SX_EXCH_SLICE_BYTES, &n) || n > SX_EXCH_MOST_SLICES ? SX_EXCH_MOST_SLICES
                                                                                     : n;
}

/* ---- the pipe */

/* Get the carrier for remote partners. Engine shm has no carrier (NULL). Engine node has the carrier that
 * between names, or the first carrier of the list. Any other engine is a carrier itself. */
static const sx_carrier *get_carrier(const subx_exch ex)
{
    if (ex->engine.carrier || !(ex->engine.traits & SUBX_ENGINE_BETWEEN))
        return ex->engine.carrier;
    const sx_carrier *named = sx_pipe_get_carrier(ex->hints.between);
    return named ? named : sx_pipe_carriers[0];
}

static void set_counts(const subx_exch ex, ptrdiff_t *bytes[2])
{
    const sx_piped *s = ex->state;
    ptrdiff_t first;
    for (int side = 0; side < 2; side++)
        for (int slice = 0; slice < s->nslices; slice++)
            for (int q = 0; q < ex->p; q++)
                bytes[side][(ptrdiff_t)slice * ex->p + q] = sx_piped_get_slice(ex, side, slice, q, &first);
}

/* A block needs no room in the send area if it is read in place in all executions: this rank's block for
 * itself, and the blocks for other ranks if the caller has promised shared send buffers (subx_work =
 * caller). */
static void set_direct(const subx_exch ex, char *is_direct)
{
    const sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        is_direct[q] = s->reads_mine[q] && (q == ex->r || ex->hints.callers_work);
}

/* Create the pipe. Collective; all ranks agree on the number of slices. */
static int create_pipe(subx_exch ex)
{
    sx_piped *s = ex->state;
    const sx_carrier *carrier = get_carrier(ex);
    int slices = count_piped_slices(ex, carrier);
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &slices);
    if (rc)
        return rc;
    s->nslices = slices;
    const ptrdiff_t n = (ptrdiff_t)slices * ex->p;
    ptrdiff_t *bytes[2] = {sx_base_alloc(n, sizeof **bytes), sx_base_alloc(n, sizeof **bytes)};
    char *is_direct = sx_base_alloc(ex->p, 1);
    if (bytes[0] && bytes[1] && is_direct) {
        set_counts(ex, bytes);
        set_direct(ex, is_direct);
    } else {
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    const sx_pipe_plan plan = {.nslices = slices,
                               .depth = ex->hints.window,
                               .bytes = {bytes[0], bytes[1]},
                               .is_direct = is_direct,
                               .is_local = s->is_local,
                               .carrier = carrier,
                               .engine = ex->engine.name,
                               .window = ex->hints.window,
                               .radix = ex->hints.radix};
    rc = sx_pipe_create(ex->comm, rc, &plan, &s->pipe);
    /* Copies to far ranks ask for the sizes of the caches. They are read here, because executions must not
     * call hwloc. */
    if (!rc && ex->comm->is_far)
        (void)sx_kern_caches_get_level2();
    sx_base_free(is_direct);
    sx_base_free(bytes[1]);
    sx_base_free(bytes[0]);
    return rc;
}

/* Refuse the engine node if no rank has a local partner: it would do the same as its carrier alone. */
static int check_partners(const subx_exch ex)
{
    const sx_piped *s = ex->state;
    int has_local = s->pipe->npartners > 0;
    if (!(ex->engine.traits & SUBX_ENGINE_BETWEEN))
        return MPI_SUCCESS;
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &has_local);
    return rc || has_local ? rc : subx_error_get_code(SUBX_ERR_UNAVAILABLE);
}

static int create(subx_exch ex)
{
    const char *found = NULL;
    int rc = sx_base_agree(ex->comm->comm, prepare(ex), NULL);
    if (!rc && (ex->engine.traits & SUBX_ENGINE_LOCAL))
        rc = sx_comm_get_local(ex->comm, ex->hints.node_ranks, &found);
    if (rc)
        return rc;
    set_local(ex, found);
    rc = sx_base_agree(ex->comm->comm, learn(ex), NULL);
    if (!rc)
        rc = create_pipe(ex);
    if (!rc)
        rc = check_partners(ex);
    if (rc)
        return rc;
    const subx_pipe pipe = ((const sx_piped *)ex->state)->pipe;
    if (ex->engine.traits & SUBX_ENGINE_BETWEEN && pipe->carrier)
        strcpy(ex->hints.between, pipe->carrier->name); /* for subx_exch_get_info */
    return sx_base_add(pipe->side[SX_FROM].area, pipe->side[SX_TO].area, &ex->work_bytes);
}

static int bind(subx_exch ex, char *work)
{
    const sx_piped *s = ex->state;
    return subx_pipe_set_work(s->pipe, work, work ? work + s->pipe->side[SX_FROM].area : NULL);
}

static void free_state(subx_exch ex)
{
    sx_piped *s = ex->state;
    if (!s)
        return;
    subx_pipe_free(&s->pipe);
    sx_base_free(s->directs);
    sx_base_free(s->step[SX_TO]);
    sx_base_free(s->step[SX_FROM]);
    sx_base_free(s->partner_offset);
    sx_base_free(s->direct);
    sx_base_free(s->is_done);
    sx_base_free(s->reads_mine);
    sx_base_free(s->is_local);
    sx_base_free(s);
    ex->state = NULL;
}

extern const sx_engine_functions sx_exch_piped;
const sx_engine_functions sx_exch_piped = {
    .avoids = avoids,
    .create = create,
    .bind = bind,
    .start = sx_piped_start,
    .test = sx_piped_test,
    .wait = sx_piped_wait,
    .free = free_state,
};
