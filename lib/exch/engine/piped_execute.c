/* piped_execute.c - execute an engine that uses a pipe: pack and post slices, and read the slices of other
 * ranks as they arrive. */
#include "exch/piped.h"
#include <string.h>

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

/* ---- sending */

/* Query whether all ranks that read this rank's blocks in place have mapped the memory of the send buffer. */
static int is_visible(const subx_exch ex, sx_piped *s, sx_place place)
{
    if (place.key == s->known_key)
        return 1;
    for (int q = 0; q < ex->p; q++)
        if (q != ex->r && s->reads_mine[q] && !sx_comm_is_visible(ex->comm, q, place))
            return 0;
    s->known_key = place.key;
    return 1;
}

/* Get the place of the send buffer; the key is 0 if partners cannot read the buffer. All bytes that the types
 * touch must lie in this rank's piece of a segment (mem.h). The address of the buffer, from which
 * displacements count, may lie outside of this piece. */
static sx_place find_place(const subx_exch ex, sx_piped *s)
{
    const sx_side *send = &ex->side[SX_FROM];
    sx_place place = {0, 0, 0};
    if (s->has_readers)
        place = sx_comm_find_place(ex->sendbuf + send->low, ex->sendbuf + send->high);
    if (!place.key || !is_visible(ex, s, place))
        return (sx_place){0, 0, 0};
    place.offset -= send->low;
    return place;
}

static int is_packed(const subx_exch ex, const sx_piped *s, int q)
{
    if (!s->is_local[q])
        return 1;
    return !s->reads_mine[q] || (q != ex->r && !s->place.key);
}

/* Query whether a far rank reads the packed block for rank q where it is packed. */
static int is_far(const subx_exch ex, const sx_piped *s, int q)
{
    return s->is_local[q] && q != ex->r && ex->comm->is_far;
}

/* Pack all blocks of a slice that must be packed. This rank's block for itself is packed last: it is the
 * first to be unpacked, and then it is still in the cache. */
static int pack_slice(const subx_exch ex, sx_piped *s, int slice)
{
    int rc = MPI_SUCCESS;
    for (int i = 1; i <= ex->p; i++) {
        int q = (ex->r + i) % ex->p;
        ptrdiff_t first, bytes = sx_piped_get_slice(ex, SX_FROM, slice, q, &first);
        if (!is_packed(ex, s, q))
            continue;
        int failed = sx_exch_block_pack(&ex->side[SX_FROM], q, first, bytes, is_far(ex, s, q), ex->sendbuf,
                                        sx_pipe_get_address(s->pipe, SX_FROM, slice, q));
        rc = rc ? rc : failed;
    }
    return rc;
}

/* Pack and post the slices that have room. Slices are posted also after errors, because partners would
 * otherwise wait for ever. */
static int post_slices(subx_exch ex, sx_piped *s)
{
    int rc = MPI_SUCCESS;
    while (s->posted < s->nslices && sx_pipe_has_room(s->pipe, s->posted)) {
        int failed = pack_slice(ex, s, s->posted);
        if (failed)
            subx_pipe_set_failed(s->pipe);
        rc = rc ? rc : failed;
        failed = subx_pipe_post(s->pipe, s->posted++);
        rc = rc ? rc : failed;
    }
    return rc;
}

/* ---- receiving */

static int unpack(const subx_exch ex, const sx_piped *s, int slice, int q)
{
    ptrdiff_t first, bytes = sx_piped_get_slice(ex, SX_TO, slice, q, &first);
    return sx_exch_block_unpack(&ex->side[SX_TO], q, first, bytes,
                                s->pipe->block[sx_pipe_at(s->pipe, slice, q)], ex->recvbuf);
}

static void copy_in_place(const subx_exch ex, const sx_piped *s, int q, const char *sendbuf)
{
    const sx_direct *direct = &s->directs[s->direct[q]];
    sx_kern_copy(direct->kern, &direct->layout, sendbuf + s->partner_offset[q],
                 ex->recvbuf + ex->side[SX_TO].block[q].offset, ex->hints.threads);
}

/* Read the block of a local partner. A block that is read in place is read with the first slice, as a whole.
 * SUBX_ERR_ARG if this rank has freed its piece of the segment that has the partner's send buffer. */
static int read_local(const subx_exch ex, const sx_piped *s, int slice, const sx_partner *partner)
{
    const int q = partner->rank;
    const sx_place place = partner->counters->data;
    if (sx_pipe_local_has_failed(s->pipe, partner))
        return subx_error_get_code(SUBX_ERR_PEER);
    if (s->direct[q] < 0 || !place.key)
        return unpack(ex, s, slice, q);
    if (slice > 0)
        return MPI_SUCCESS;
    const char *sendbuf = sx_comm_get_address(ex->comm, q, place);
    if (!sendbuf)
        return subx_error_get_code(SUBX_ERR_ARG);
    copy_in_place(ex, s, q, sendbuf);
    return MPI_SUCCESS;
}

static int read_self(const subx_exch ex, const sx_piped *s, int slice)
{
    if (s->direct[ex->r] < 0)
        return unpack(ex, s, slice, ex->r);
    if (slice == 0)
        copy_in_place(ex, s, ex->r, ex->sendbuf);
    return MPI_SUCCESS;
}

/* Read the slice from all local partners that have posted it. Returns the first error; *all becomes 0 if a
 * local partner has not posted the slice yet. */
static int read_partners(subx_exch ex, sx_piped *s, int slice, int *all)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < s->pipe->npartners; i++) {
        sx_partner *partner = &s->pipe->partner[i];
        if (s->is_done[partner->rank] || !partner->gives)
            continue;
        if (!sx_pipe_local_has_posted(s->pipe, partner, slice)) {
            *all = 0;
            continue;
        }
        int failed = read_local(ex, s, slice, partner);
        rc = rc ? rc : failed;
        s->is_done[partner->rank] = 1;
    }
    return rc;
}

/* Read all remote blocks of a slice together, because the carrier only tells when all of them have
 * arrived. */
static int read_remote(subx_exch ex, sx_piped *s, int slice)
{
    int rc = sx_pipe_check_stamps(s->pipe, slice);
    for (int i = 1; i < ex->p && !rc; i++) {
        int q = (ex->r + i) % ex->p;
        if (!s->is_local[q])
            rc = unpack(ex, s, slice, q);
    }
    return rc;
}

/* Begin to read a slice: read this rank's block for itself. */
static int begin_slice(subx_exch ex, sx_piped *s, int slice)
{
    memset(s->is_done, 0, (size_t)ex->p);
    s->is_begun = 1;
    int rc = ex->side[SX_TO].block[ex->r].bytes ? read_self(ex, s, slice) : MPI_SUCCESS;
    int failed = sx_pipe_start_slice(s->pipe, slice);
    return rc ? rc : failed;
}

/* Continue to read the current slice. *goes_on becomes 1 if the slice is complete, else 0. */
static int read_slice(subx_exch ex, sx_piped *s, int *goes_on)
{
    const int slice = s->read;
    int all = 1;
    int rc = s->is_begun ? MPI_SUCCESS : begin_slice(ex, s, slice);
    int failed = read_partners(ex, s, slice, &all);
    rc = rc ? rc : failed;
    *goes_on = all && s->pipe->arrived > slice;
    if (!*goes_on)
        return rc;
    failed = read_remote(ex, s, slice);
    rc = rc ? rc : failed;
    sx_pipe_complete_slice(s->pipe, slice);
    s->read++;
    s->is_begun = 0;
    return rc;
}

/* ---- the whole execution */

/* Post and read all slices that need no waiting. */
static int go_on(subx_exch ex, sx_piped *s)
{
    int rc = sx_pipe_progress(s->pipe), goes_on = 1;
    while (goes_on) {
        int failed = post_slices(ex, s);
        rc = rc ? rc : failed;
        goes_on = s->read < s->posted;
        failed = goes_on ? read_slice(ex, s, &goes_on) : MPI_SUCCESS;
        rc = rc ? rc : failed;
    }
    return rc;
}

/* A caller that sets subx_work = caller promises shared send buffers, and the send area then has no room for
 * blocks that are read in place. If partners cannot read the send buffer in spite of the promise, this rank
 * returns SUBX_ERR_ARG, and its partners get SUBX_ERR_PEER. */
int sx_piped_start(subx_exch ex)
{
    sx_piped *s = ex->state;
    int rc = MPI_SUCCESS;
    s->place = find_place(ex, s);
    s->posted = s->read = s->is_begun = 0;
    /* the same on all ranks: either all make the blocking call of the carrier, or none does */
    s->pipe->may_block = ex->executes && !(ex->engine.traits & SUBX_ENGINE_LOCAL);
    (void)subx_pipe_set_unordered(s->pipe, ex->is_unordered && !ex->executes);
    if (s->pipe->npartners > 0)
        sx_comm_get_counters(ex->comm, ex->r, s->pipe->slot)->data = s->place;
    if (ex->hints.callers_work && s->has_readers && !s->place.key) {
        rc = subx_error_get_code(SUBX_ERR_ARG);
        subx_pipe_set_failed(s->pipe);
        s->place.key = -1; /* so that no block is packed for local partners */
    }
    if (ex->gives_wrong)
        subx_pipe_set_failed(s->pipe);
    int failed = post_slices(ex, s);
    return rc ? rc : failed;
}

int sx_piped_test(subx_exch ex, int *done)
{
    sx_piped *s = ex->state;
    int rc = go_on(ex, s);
    *done = s->read == s->nslices && s->pipe->sent == s->nslices &&
            sx_pipe_local_is_read(s->pipe, s->nslices - 1);
    return rc;
}

int sx_piped_wait(subx_exch ex)
{
    sx_piped *s = ex->state;
    int rc = go_on(ex, s);
    for (int polled = 0; s->read < s->nslices;) {
        int failed = sx_pipe_relax(s->pipe, &polled);
        rc = rc ? rc : failed;
        failed = go_on(ex, s);
        rc = rc ? rc : failed;
    }
    int failed = subx_pipe_wait(s->pipe);
    return rc ? rc : failed;
}
