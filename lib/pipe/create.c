/* create.c - create a pipe: the offsets of its blocks in the areas, and the carrier for remote partners. The
 * caller has decided which partners are local: pipe.c, or lib/exch/engine/piped.c for exchanges. */
#include "pipe/pipe.h"

/* ---- what a rank can do alone */

static int alloc_side(sx_pipe_side *side, ptrdiff_t n)
{
    side->bytes = sx_base_alloc(n, sizeof *side->bytes);
    side->place = sx_base_alloc(n, sizeof *side->place);
    return side->bytes && side->place ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static int alloc_arrays(subx_pipe pipe)
{
    const ptrdiff_t n = (ptrdiff_t)pipe->nslices * pipe->p;
    int rc = alloc_side(&pipe->side[SX_FROM], n);
    if (!rc)
        rc = alloc_side(&pipe->side[SX_TO], n);
    pipe->is_local = sx_base_alloc(pipe->p, 1);
    pipe->partner = sx_base_alloc(pipe->p, sizeof *pipe->partner);
    pipe->partner_stamp = sx_base_alloc(pipe->p, sizeof *pipe->partner_stamp);
    pipe->partner_place = sx_base_alloc(n, sizeof *pipe->partner_place);
    pipe->block = sx_base_alloc(n, sizeof *pipe->block);
    if (!rc &&
        !(pipe->is_local && pipe->partner && pipe->partner_stamp && pipe->partner_place && pipe->block))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    return rc;
}

static int alloc_stamps(subx_pipe pipe)
{
    for (int side = 0; side < 2 && pipe->is_on_device; side++) {
        pipe->apart[side] = sx_base_alloc((ptrdiff_t)pipe->depth * pipe->p, sizeof *pipe->apart[side]);
        if (!pipe->apart[side])
            return subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    return MPI_SUCCESS;
}

/* Set the lengths of all blocks. In its area a block may take two cache lines more, for its stamp and its
 * alignment. */
static int set_bytes(const subx_pipe pipe, int side, const ptrdiff_t bytes[])
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)pipe->nslices * pipe->p; i++) {
        if (bytes[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
        if (bytes[i] > PTRDIFF_MAX - 2 * SX_ALIGNMENT)
            return subx_error_get_code(SUBX_ERR_TOO_LARGE);
        pipe->side[side].bytes[i] = (ptrdiff_t)bytes[i];
    }
    return MPI_SUCCESS;
}

/* Get the bytes that a block takes in an area. The send area has no blocks for ranks q with is_direct[q]; the
 * receive area has remote blocks only. */
static ptrdiff_t get_room(const subx_pipe pipe, int side, int slice, int q, const char *is_direct)
{
    ptrdiff_t bytes = sx_pipe_get_bytes(pipe, side, slice, q);
    if (side == SX_FROM && bytes == 0 && !(is_direct && is_direct[q]))
        bytes = pipe->side[side].bytes[sx_pipe_at(pipe, slice, q)];
    return sx_base_round_up(bytes);
}

/* Get the place of a rank's block among the blocks of a slice: first the blocks of remote ranks, which the
 * carrier moves; then this rank's own block; then the blocks of other local ranks, which may be far. So all
 * blocks that a pass writes through the caches are side by side (fft/pass/regions.c). */
static int get_group(const subx_pipe pipe, int q)
{
    return !pipe->is_local[q] ? 0 : q == pipe->r ? 1 : 2;
}

/* Assign offsets to the blocks of a slice, from *end on, group by group. *end becomes the end of the
 * slice. */
static int deal_slice(subx_pipe pipe, int side, int slice, const int order[], const char *is_direct,
                      ptrdiff_t *end)
{
    int rc = MPI_SUCCESS;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < pipe->p && !rc; i++) {
            int q = order[i];
            if (get_group(pipe, q) != k)
                continue;
            pipe->side[side].place[sx_pipe_at(pipe, slice, q)] = *end;
            rc = sx_base_add(*end, get_room(pipe, side, slice, q, is_direct), end);
        }
    return rc;
}

/* Move the blocks of a slice by `by` bytes, to the slice's slot in the ring. */
static void move_slice(subx_pipe pipe, int side, int slice, ptrdiff_t by)
{
    for (int q = 0; q < pipe->p; q++)
        pipe->side[side].place[sx_pipe_at(pipe, slice, q)] += by;
}

/* Assign offsets to all blocks of a side. If there is room for all slices, they follow each other. A ring has
 * `depth` slots, each as long as the longest slice. */
static int deal_area(subx_pipe pipe, int side, const int order[], const char *is_direct)
{
    ptrdiff_t longest = 0, at = 0;
    int rc = MPI_SUCCESS, is_ring = pipe->depth < pipe->nslices;
    for (int s = 0; s < pipe->nslices && !rc; s++) {
        at = is_ring ? 0 : at;
        rc = deal_slice(pipe, side, s, order, is_direct, &at);
        longest = at > longest ? at : longest;
    }
    pipe->side[side].area = at;
    if (!rc && is_ring)
        rc = sx_base_mul(longest, pipe->depth, &pipe->side[side].area);
    for (int s = 0; s < pipe->nslices && !rc && is_ring; s++)
        move_slice(pipe, side, s, s % pipe->depth * longest);
    return rc;
}

static int deal_areas(subx_pipe pipe, const char *is_direct)
{
    int rc = MPI_SUCCESS, *order = sx_base_alloc(pipe->p, sizeof *order);
    if (!order)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int side = 0; side < 2 && !rc; side++) {
        for (int q = 0; q < pipe->p; q++)
            order[q] = q;
        if (side == SX_TO && pipe->carrier && pipe->carrier->set_order)
            pipe->carrier->set_order(pipe, order);
        rc = deal_area(pipe, side, order, is_direct);
    }
    sx_base_free(order);
    return rc;
}

/* Get the first stamp of a pipe. Stamps of two pipes of a process differ until one of them has posted
 * 2^EPOCH_BITS slices; stamps of two processes differ because sx_mem_process is a hash. */
static uint64_t get_stamp(void)
{
    enum { EPOCH_BITS = 36 };
    return (uint64_t)sx_mem_process() + ((uint64_t)sx_mem_take_serial() << EPOCH_BITS);
}

/* Set the sizes and the offsets of all blocks. This may fail on this rank alone; the ranks agree on the
 * outcome later. */
static int prepare(subx_pipe pipe, const sx_pipe_plan *plan)
{
    pipe->nslices = plan->nslices;
    pipe->depth = plan->depth < plan->nslices ? plan->depth : plan->nslices;
    pipe->window = plan->window;
    pipe->radix = plan->radix;
    pipe->engine = plan->engine;
    pipe->carrier = plan->carrier;
    pipe->is_on_device = plan->is_on_device;
    pipe->stamp = get_stamp();
    if (pipe->is_on_device && pipe->carrier && !pipe->carrier->sends_stamps)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    int rc = alloc_arrays(pipe);
    rc = rc ? rc : alloc_stamps(pipe);
    for (int side = 0; side < 2 && !rc; side++)
        rc = set_bytes(pipe, side, plan->bytes[side]);
    for (int q = 0; q < pipe->p && !rc; q++)
        pipe->is_local[q] = plan->is_local[q];
    return rc ? rc : deal_areas(pipe, plan->is_direct);
}

/* ---- the steps that ranks do together */

/* First each rank sends HEAD numbers to each rank: the slot of its counters (2 numbers), the value of its
 * counters, and its first stamp. Then, for each slice, it sends EACH numbers: the length of the receiver's
 * block, and the block's offset in the send area. */
enum { HEAD = 4, EACH = 2 };

static void tell(const subx_pipe pipe, int q, int64_t *told)
{
    told[0] = pipe->slot.page;
    told[1] = pipe->slot.index;
    told[2] = (int64_t)pipe->first;
    told[3] = (int64_t)pipe->stamp;
    for (int s = 0; s < pipe->nslices; s++) {
        told[HEAD + EACH * s] = pipe->side[SX_FROM].bytes[sx_pipe_at(pipe, s, q)];
        told[HEAD + EACH * s + 1] = pipe->side[SX_FROM].place[sx_pipe_at(pipe, s, q)];
    }
}

static int hear(subx_pipe pipe, int q, const int64_t *heard)
{
    for (int s = 0; s < pipe->nslices; s++) {
        pipe->partner_place[sx_pipe_at(pipe, s, q)] = (ptrdiff_t)heard[HEAD + EACH * s + 1];
        if (heard[HEAD + EACH * s] != pipe->side[SX_TO].bytes[sx_pipe_at(pipe, s, q)])
            return subx_error_get_code(SUBX_ERR_MISMATCH);
    }
    pipe->partner_stamp[q] = (uint64_t)heard[3];
    if (q == pipe->r)
        return MPI_SUCCESS;
    sx_slot slot;
    int rc = sx_base_int((ptrdiff_t)heard[0], &slot.page);
    if (!rc)
        rc = sx_base_int((ptrdiff_t)heard[1], &slot.index);
    return rc ? rc : sx_pipe_local_add(pipe, q, slot, (uint64_t)heard[2]);
}

/* Tell all ranks about this rank's blocks, and hear about theirs. Partners are listed from the next rank on,
 * so that different ranks look at different counters at the same time. Collective; rc is the outcome of this
 * rank so far. */
static int meet(subx_pipe pipe, int rc, int64_t *told, int64_t *heard)
{
    const ptrdiff_t n = HEAD + EACH * (ptrdiff_t)pipe->nslices;
    int length = 0;
    if (!rc && !(told && heard))
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = sx_base_int(n, &length);
    rc = sx_base_agree(pipe->comm->comm, rc, NULL);
    if (rc)
        return rc;
    for (int q = 0; q < pipe->p; q++)
        tell(pipe, q, told + q * n);
    rc = MPI_Alltoall(told, length, MPI_INT64_T, heard, length, MPI_INT64_T, pipe->comm->comm);
    for (int i = 1; i <= pipe->p && !rc; i++) {
        int q = (pipe->r + i) % pipe->p;
        rc = hear(pipe, q, heard + q * n);
    }
    return rc;
}

static int meet_all(subx_pipe pipe)
{
    const ptrdiff_t n = HEAD + EACH * (ptrdiff_t)pipe->nslices;
    int rc = sx_comm_take_counters(pipe->comm, MPI_SUCCESS, &pipe->slot);
    if (rc)
        return rc;
    pipe->first = sx_comm_get_counters(pipe->comm, pipe->r, pipe->slot)->posted;
    int64_t *told = sx_base_alloc(pipe->p * n, sizeof *told),
            *heard = sx_base_alloc(pipe->p * n, sizeof *heard);
    rc = meet(pipe, rc, told, heard);
    sx_base_free(heard);
    sx_base_free(told);
    return rc;
}

/* Query whether this rank sends or receives a remote block. */
static int has_remote(const subx_pipe pipe)
{
    for (int s = 0; s < pipe->nslices; s++)
        for (int q = 0; q < pipe->p; q++)
            if (sx_pipe_is_remote(pipe, SX_FROM, s, q) || sx_pipe_is_remote(pipe, SX_TO, s, q))
                return 1;
    return 0;
}

/* Create the pipe's carrier. If this carrier is ordered, also create pairwise, for unordered epochs. Local.
 * Pairwise has no collective steps, and accepts any order of blocks in the receive area. */
static int create_ways(subx_pipe pipe)
{
    int rc = MPI_SUCCESS;
    pipe->carriers[0].carrier = pipe->carrier;
    if (pipe->carrier->is_ordered) {
        pipe->carriers[1].carrier = pipe->carrier = sx_pipe_get_carrier("pairwise");
        rc = pipe->carrier->create(pipe);
        pipe->carriers[1].state = pipe->state;
        pipe->carrier = pipe->carriers[0].carrier;
        pipe->state = NULL;
    }
    const int failed = pipe->carrier->create(pipe);
    pipe->carriers[0].state = pipe->state;
    if (!pipe->carrier->is_ordered)
        pipe->carriers[1] = pipe->carriers[0];
    return rc ? rc : failed;
}

/* Create the carrier. If any rank has remote partners, all ranks take part in the collective steps of the
 * carrier; else the pipe has no carrier. */
static int create_carrier(subx_pipe pipe, int rc)
{
    int is_needed = !rc && has_remote(pipe);
    rc = sx_base_agree_flags(pipe->comm->comm, rc, NULL, 1, &is_needed);
    if (rc || !is_needed) {
        pipe->carrier = NULL;
        return rc;
    }
    if (!pipe->carrier)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    rc = sx_base_agree(pipe->comm->comm, create_ways(pipe), NULL);
    if (!rc && pipe->carrier->connect)
        rc = sx_base_agree(pipe->comm->comm, pipe->carrier->connect(pipe), NULL);
    return rc;
}

/* ---- free */

static void free_ways(subx_pipe pipe)
{
    for (int i = 0; i < 2; i++) {
        const sx_pipe_carrier it = pipe->carriers[i];
        if (!it.carrier || (i > 0 && it.carrier == pipe->carriers[0].carrier))
            continue;
        pipe->state = it.state;
        it.carrier->free(pipe);
    }
}

static int destroy(subx_pipe pipe)
{
    if (!pipe)
        return MPI_SUCCESS;
    free_ways(pipe);
    sx_comm_give_counters(pipe->comm, &pipe->slot);
    sx_base_free(pipe->block);
    sx_base_free(pipe->partner_place);
    sx_base_free(pipe->apart[SX_TO]);
    sx_base_free(pipe->apart[SX_FROM]);
    sx_base_free(pipe->partner_stamp);
    sx_base_free(pipe->partner);
    sx_base_free(pipe->is_local);
    for (int side = 0; side < 2; side++) {
        sx_base_free(pipe->side[side].place);
        sx_base_free(pipe->side[side].bytes);
    }
    int rc = sx_comm_free(&pipe->comm);
    sx_base_free(pipe);
    return rc;
}

int sx_pipe_create(sx_comm *comm, int rc, const sx_pipe_plan *plan, subx_pipe *pipe)
{
    subx_pipe made = sx_base_alloc(1, sizeof *made);
    const int tag = sx_comm_get_tag(comm);
    *pipe = SUBX_PIPE_NULL;
    rc = rc || made ? rc : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (made) {
        *made = (struct subx_pipe_s){.comm = sx_comm_hold(comm),
                                     .p = comm->p,
                                     .r = comm->r,
                                     .tag = tag,
                                     .slot = {-1, 0},
                                     .may_block = 1};
        rc = rc ? rc : prepare(made, plan);
    }
    rc = sx_base_agree(comm->comm, rc, NULL);
    if (!rc)
        rc = create_carrier(made, meet_all(made));
    if (rc)
        destroy(made);
    else
        *pipe = made;
    return rc;
}

int subx_pipe_free(subx_pipe *pipe)
{
    if (!pipe || !*pipe)
        return MPI_SUCCESS;
    if ((*pipe)->active)
        return subx_error_get_code(SUBX_ERR_ACTIVE);
    int rc = destroy(*pipe);
    *pipe = SUBX_PIPE_NULL;
    return rc;
}
