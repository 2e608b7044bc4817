/* piped.c - the making of the mover over a pipe: who is local, whose layouts nest, how blocks are cut into slices. */
#include "exch/piped.h"
#include <string.h>

/* ---- which engine suits */

/* Runs this long MPI sends as they lie, piece by piece, which is faster than a pass to pack and another to unpack. */
enum { LONG_RUN = 16 << 10 };

/* Our kernels are for strided blocks; of messages, for those of short runs. Of the carriers, the first one is preferred. */
static int avoids(subx_exch ex)
{
    int nshapes = 0, nlong = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ex->side[i].nshapes; k++) {
            const sx_shape *shape = &ex->side[i].shape[k];
            if (!shape->strided)
                return 1;
            nshapes++;
            nlong += shape->layout.block_bytes >= LONG_RUN;
        }
    if (ex->engine.reads_local)
        return 0;
    return ex->engine.carrier != sx_pipe_carriers[0] || (nshapes > 0 && nlong == nshapes);
}

/* ---- what a rank can do alone */

static int alloc_arrays(subx_exch ex, sx_piped *s)
{
    s->is_local = sx_base_alloc(ex->p, 1);
    s->reads_mine = sx_base_alloc(ex->p, 1);
    s->is_done = sx_base_alloc(ex->p, 1);
    s->join = sx_base_alloc(ex->p, sizeof *s->join);
    s->peer_offset = sx_base_alloc(ex->p, sizeof *s->peer_offset);
    s->step[SX_FROM] = sx_base_alloc(ex->p, sizeof *s->step[0]);
    s->step[SX_TO] = sx_base_alloc(ex->p, sizeof *s->step[1]);
    return s->is_local && s->reads_mine && s->is_done && s->join && s->peer_offset && s->step[0] && s->step[1]
               ? MPI_SUCCESS
               : subx_error_get(SUBX_ERR_NO_MEM);
}

static int prepare(subx_exch ex)
{
    sx_piped *s = ex->state = sx_base_alloc(1, sizeof *s);
    int rc = s ? alloc_arrays(ex, s) : subx_error_get(SUBX_ERR_NO_MEM);
    for (int i = 0; i < 2 && !rc; i++)
        if (!sx_exch_side_can_pack(&ex->side[i], ex->p))
            rc = subx_error_get(SUBX_ERR_TOO_LARGE);
    return rc;
}

static void set_local(subx_exch ex, const char *found)
{
    sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        s->is_local[q] = q == ex->r || (found && found[q]);
}

/* ---- what ranks tell each other of their blocks */

/* Of a block: its steps, and for local partners its layout, 3 numbers per level and HEAD more. */
typedef struct offer {
    int64_t step, good_step;
    int64_t offset, levels; /* levels -1 if it is not strided */
} offer;

enum { OFFER_LENGTH = sizeof(offer) / sizeof(int64_t) };

static offer get_offer(const subx_exch ex, int side, int q)
{
    const sx_side *a = &ex->side[side];
    const sx_block *block = &a->block[q];
    offer o = {sx_exch_block_get_step(a, q), sx_exch_block_get_good_step(a, q, side), block->offset, -1};
    if (block->shape >= 0 && a->shape[block->shape].strided)
        o.levels = a->shape[block->shape].layout.nd;
    return o;
}

/* Numbers that a rank sends of a layout to a partner. */
static int get_length(const sx_piped *s, int q, int64_t levels)
{
    return s->is_local[q] && levels >= 0 ? 1 + 3 * (int)levels : 0;
}

static void write_layout(const sx_layout *l, int64_t *at)
{
    *at++ = l->block_bytes;
    for (int i = 0; i < l->nd; i++) {
        *at++ = l->dim[i].n;
        *at++ = l->dim[i].is;
        *at++ = l->dim[i].os;
    }
}

static void read_layout(const int64_t *at, int levels, sx_layout *l)
{
    *l = (sx_layout){.nd = levels, .block_bytes = (ptrdiff_t)*at++};
    for (int i = 0; i < levels; i++) {
        l->dim[i].n = (ptrdiff_t)*at++;
        l->dim[i].is = (ptrdiff_t)*at++;
        l->dim[i].os = (ptrdiff_t)*at++;
    }
}

/* Both ends cut a block alike: at steps of the end whose steps are longer, if these are whole steps of the other's, and
 * not at all if they are not. */
static ptrdiff_t get_common_step(ptrdiff_t all, offer a, offer b)
{
    ptrdiff_t least = (ptrdiff_t)(a.step > b.step ? a.step : b.step);
    ptrdiff_t good = (ptrdiff_t)(a.good_step > b.good_step ? a.good_step : b.good_step);
    if (least <= 0 || least % a.step != 0 || least % b.step != 0 || least >= all)
        return all;
    return good > least ? good / least * least : least;
}

/* `told` and `heard` have two offers for each rank: of what it gets, and of what it gives. */
static int exchange_offers(subx_exch ex, offer *told, offer *heard)
{
    sx_piped *s = ex->state;
    int rc;
    for (int q = 0; q < ex->p; q++)
        for (int side = 0; side < 2; side++)
            told[2 * q + side] = get_offer(ex, side, q);
    SX_AGAIN(rc, MPI_Alltoall(told, 2 * OFFER_LENGTH, MPI_INT64_T, heard, 2 * OFFER_LENGTH, MPI_INT64_T,
                              ex->comm->comm));
    for (int q = 0; q < ex->p && !rc; q++) {
        s->peer_offset[q] = (ptrdiff_t)heard[2 * q + SX_FROM].offset;
        for (int side = 0; side < 2; side++)
            s->step[side][q] =
                get_common_step(ex->side[side].block[q].bytes, told[2 * q + side], heard[2 * q + 1 - side]);
    }
    return rc;
}

/* ---- what local partners tell each other: layouts, and whether these nest */

/* Arguments of MPI_Alltoallv for the layouts of blocks for local partners. */
typedef struct letters {
    int *count[2], *displ[2];
    int64_t *data[2];
} letters;

static int alloc_letters(const subx_exch ex, const offer *told, const offer *heard, letters *a)
{
    const sx_piped *s = ex->state;
    for (int side = 0; side < 2; side++) {
        int total = 0;
        const offer *offers = side == SX_FROM ? told : heard;
        a->count[side] = sx_base_alloc(ex->p, sizeof *a->count[side]);
        a->displ[side] = sx_base_alloc(ex->p, sizeof *a->displ[side]);
        if (!a->count[side] || !a->displ[side])
            return subx_error_get(SUBX_ERR_NO_MEM);
        for (int q = 0; q < ex->p; q++) {
            a->displ[side][q] = total;
            a->count[side][q] = q == ex->r ? 0 : get_length(s, q, offers[2 * q + SX_FROM].levels);
            total += a->count[side][q];
        }
        a->data[side] = sx_base_alloc(total, sizeof *a->data[side]);
        if (!a->data[side])
            return subx_error_get(SUBX_ERR_NO_MEM);
    }
    return MPI_SUCCESS;
}

static void free_letters(letters *a)
{
    for (int side = 0; side < 2; side++) {
        sx_base_free(a->data[side]);
        sx_base_free(a->displ[side]);
        sx_base_free(a->count[side]);
    }
}

static int exchange_layouts(const subx_exch ex, letters *a)
{
    const sx_side *send = &ex->side[SX_FROM];
    int rc;
    for (int q = 0; q < ex->p; q++)
        if (a->count[SX_FROM][q] > 0)
            write_layout(&send->shape[send->block[q].shape].layout, a->data[SX_FROM] + a->displ[SX_FROM][q]);
    SX_AGAIN(rc,
             MPI_Alltoallv(a->data[SX_FROM], a->count[SX_FROM], a->displ[SX_FROM], MPI_INT64_T,
                           a->data[SX_TO], a->count[SX_TO], a->displ[SX_TO], MPI_INT64_T, ex->comm->comm));
    return rc;
}

/* Keep a join if the layouts nest. */
static void add_join(subx_exch ex, int q, const sx_layout *from)
{
    sx_piped *s = ex->state;
    const sx_side *recv = &ex->side[SX_TO];
    sx_join *join = &s->joins[s->njoins];
    if (q == ex->r)
        sx_exch_join_self(ex, join);
    else
        sx_exch_join(from, &recv->shape[recv->block[q].shape], recv->bytes, join);
    if (join->kern)
        s->join[q] = s->njoins++;
}

static int set_joins(subx_exch ex, const offer *heard, const letters *a)
{
    sx_piped *s = ex->state;
    int count = 0;
    for (int q = 0; q < ex->p; q++) {
        s->join[q] = -1;
        count += s->is_local[q] && ex->side[SX_TO].block[q].bytes > 0;
    }
    s->joins = sx_base_alloc(count, sizeof *s->joins);
    if (!s->joins)
        return subx_error_get(SUBX_ERR_NO_MEM);
    for (int q = 0; q < ex->p; q++) {
        sx_layout from;
        if (ex->side[SX_TO].block[q].bytes == 0 || (q != ex->r && a->count[SX_TO][q] == 0))
            continue;
        if (q != ex->r)
            read_layout(a->data[SX_TO] + a->displ[SX_TO][q], (int)heard[2 * q + SX_FROM].levels, &from);
        add_join(ex, q, &from);
    }
    return MPI_SUCCESS;
}

/* Senders are told which of their blocks are read in place. */
static int exchange_answers(subx_exch ex)
{
    sx_piped *s = ex->state;
    int rc;
    for (int q = 0; q < ex->p; q++)
        s->is_done[q] = s->join[q] >= 0;
    SX_AGAIN(rc, MPI_Alltoall(s->is_done, 1, MPI_CHAR, s->reads_mine, 1, MPI_CHAR, ex->comm->comm));
    for (int q = 0; q < ex->p; q++)
        s->has_readers = s->has_readers || (q != ex->r && s->reads_mine[q]);
    return rc;
}

static int learn(subx_exch ex, offer *told, offer *heard)
{
    letters a = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    const MPI_Comm comm = ex->comm->comm;
    int rc = sx_base_agree(comm, told && heard ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (rc)
        return rc;
    rc = exchange_offers(ex, told, heard);
    if (!rc)
        rc = alloc_letters(ex, told, heard, &a);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc && ex->engine.reads_local)
        rc = exchange_layouts(ex, &a);
    if (!rc)
        rc = set_joins(ex, heard, &a);
    rc = sx_base_agree(comm, rc, NULL);
    free_letters(&a);
    return rc ? rc : exchange_answers(ex);
}

/* ---- slices */

ptrdiff_t sx_piped_get_slice(const subx_exch ex, int side, int slice, int q, ptrdiff_t *first)
{
    const sx_piped *s = ex->state;
    const ptrdiff_t all = ex->side[side].block[q].bytes, step = s->step[side][q];
    ptrdiff_t n = 0, start = 0;
    *first = 0;
    if (all == 0 || s->nslices == 1)
        return all;
    (void)subx_block_get((all + step - 1) / step, s->nslices, slice, &n, &start);
    if (n == 0)
        return 0;
    *first = start * step;
    return start * step + n * step < all ? n * step : all - start * step;
}

/* As many slices as messages of LEAST_MESSAGE bytes allow. */
enum { ENOUGH_SLICES = 4, LEAST_MESSAGE = 64 << 10 };

static int count_slices(const subx_exch ex, const sx_carrier *carrier)
{
    const sx_piped *s = ex->state;
    ptrdiff_t longest = 0;
    if (ex->hints.slices > 0)
        return ex->hints.slices;
    for (int q = 0; q < ex->p; q++)
        if (!s->is_local[q] && ex->side[SX_FROM].block[q].bytes > longest)
            longest = ex->side[SX_FROM].block[q].bytes;
    if (carrier != sx_pipe_get_carrier("pairwise") || longest < LEAST_MESSAGE)
        return 1;
    return longest / LEAST_MESSAGE < ENOUGH_SLICES ? (int)(longest / LEAST_MESSAGE) : ENOUGH_SLICES;
}

/* ---- the pipe */

/* shm has no carrier; node has the one that subx_between names, or the first. */
static const sx_carrier *get_carrier(const subx_exch ex)
{
    if (ex->engine.carrier || strcmp(ex->engine.name, "shm") == 0)
        return ex->engine.carrier;
    const sx_carrier *named = sx_pipe_get_carrier(ex->hints.between);
    return named ? named : sx_pipe_carriers[0];
}

static void set_counts(const subx_exch ex, MPI_Count *bytes[2])
{
    const sx_piped *s = ex->state;
    ptrdiff_t first;
    for (int side = 0; side < 2; side++)
        for (int slice = 0; slice < s->nslices; slice++)
            for (int q = 0; q < ex->p; q++)
                bytes[side][slice * ex->p + q] = sx_piped_get_slice(ex, side, slice, q, &first);
}

/* Blocks that are read in place need no room, unless the send buffer may be one that others cannot see. */
static void set_direct(const subx_exch ex, char *is_direct)
{
    const sx_piped *s = ex->state;
    for (int q = 0; q < ex->p; q++)
        is_direct[q] = s->reads_mine[q] && (q == ex->r || ex->hints.callers_work);
}

/* Collective: also after a failure on this rank. */
static int create_pipe(subx_exch ex)
{
    sx_piped *s = ex->state;
    const sx_carrier *carrier = get_carrier(ex);
    int slices = count_slices(ex, carrier);
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &slices);
    if (rc)
        return rc;
    s->nslices = slices;
    const ptrdiff_t n = (ptrdiff_t)slices * ex->p;
    MPI_Count *bytes[2] = {sx_base_alloc(n, sizeof **bytes), sx_base_alloc(n, sizeof **bytes)};
    char *is_direct = sx_base_alloc(ex->p, 1);
    if (bytes[0] && bytes[1] && is_direct) {
        set_counts(ex, bytes);
        set_direct(ex, is_direct);
    } else {
        rc = subx_error_get(SUBX_ERR_NO_MEM);
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
    sx_base_free(is_direct);
    sx_base_free(bytes[1]);
    sx_base_free(bytes[0]);
    return rc;
}

/* The name shows what it is: node has both local and remote partners on some rank. */
static int check_partners(const subx_exch ex)
{
    const sx_piped *s = ex->state;
    int flags[2] = {s->pipe->npartners > 0, s->pipe->carrier != NULL};
    if (strcmp(ex->engine.name, "node") != 0)
        return MPI_SUCCESS;
    int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 2, flags);
    return rc || flags[0] ? rc : subx_error_get(SUBX_ERR_UNAVAILABLE);
}

static int create(subx_exch ex)
{
    const char *found = NULL;
    int rc = sx_base_agree(ex->comm->comm, prepare(ex), NULL);
    if (!rc && ex->engine.reads_local)
        rc = sx_comm_get_local(ex->comm, ex->hints.node_ranks, &found);
    if (rc)
        return rc;
    set_local(ex, found);
    offer *told = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *told),
          *heard = sx_base_alloc(2 * (ptrdiff_t)ex->p, sizeof *heard);
    rc = sx_base_agree(ex->comm->comm, learn(ex, told, heard), NULL);
    sx_base_free(heard);
    sx_base_free(told);
    if (!rc)
        rc = create_pipe(ex);
    if (!rc)
        rc = check_partners(ex);
    if (rc)
        return rc;
    const subx_pipe pipe = ((const sx_piped *)ex->state)->pipe;
    if (strcmp(ex->engine.name, "node") == 0 && pipe->carrier)
        strcpy(ex->hints.between, pipe->carrier->name); /* for those who ask */
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
    sx_base_free(s->joins);
    sx_base_free(s->step[SX_TO]);
    sx_base_free(s->step[SX_FROM]);
    sx_base_free(s->peer_offset);
    sx_base_free(s->join);
    sx_base_free(s->is_done);
    sx_base_free(s->reads_mine);
    sx_base_free(s->is_local);
    sx_base_free(s);
    ex->state = NULL;
}

const sx_mover sx_exch_piped = {
    .avoids = avoids,
    .create = create,
    .bind = bind,
    .start = sx_piped_start,
    .test = sx_piped_test,
    .wait = sx_piped_wait,
    .free = free_state,
};
