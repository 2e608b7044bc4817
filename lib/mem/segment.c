/* segment.c - create and free segments: the ranks of each node agree on one file, or on private memory. Files are created
 * and mapped in pages.c. */
#include "mem/mem.h"
#include <unistd.h>

/* The data that each rank sends to all others about its own piece. `file` is the descriptor of the node's file in the
 * rank that has created the file, and -1 on all other ranks. */
typedef struct card {
    int64_t process, pid, serial, file, bytes,
        available; /* available: free memory before any rank allocates; PTRDIFF_MAX if the piece is SMALL */
} card;

enum { CARD_LENGTH = sizeof(card) / sizeof(int64_t) };

/* The outcome on a rank, from the best to the worst. */
enum { FINE, CANNOT_SHARE, NO_MEMORY, FAILED };

/* Data that is needed only during creation. */
typedef struct draft {
    const int *node;
    int leader;        /* the lowest rank of this node, which creates its file */
    int is_alone;      /* 1 if no other rank is on this node */
    int file;          /* this rank's descriptor of the node's file, or -1 */
    card *cards;       /* for each rank */
    ptrdiff_t *offset; /* for each rank of this node: the offset of its piece in the file */
    int *outcome;      /* for each rank */
} draft;

/* ---- the file of a node */

static void find_leader(const sx_segment *s, draft *d)
{
    d->leader = s->r;
    d->is_alone = 1;
    for (int q = s->p - 1; q >= 0; q--) {
        if (q == s->r || d->node[q] != d->node[s->r])
            continue;
        d->is_alone = 0;
        d->leader = q < d->leader ? q : d->leader;
    }
}

/* Round up; -1 if the result exceeds 63 bits. */
static ptrdiff_t round_up(ptrdiff_t a, ptrdiff_t unit)
{
    ptrdiff_t sum;
    return a < 0 || sx_base_add(a, unit - 1, &sum) ? -1 : sum / unit * unit;
}

/* Place the pieces of this node one after the other in the file. Each piece begins at a page, or at a huge page if it
 * is long enough for huge pages. Returns the length of the file, or -1 if it exceeds 63 bits. */
static ptrdiff_t place_pieces(const sx_segment *s, draft *d)
{
    const ptrdiff_t page = sysconf(_SC_PAGESIZE);
    ptrdiff_t end = 0;
    for (int q = 0; q < s->p && end >= 0; q++) {
        if (d->node[q] != d->node[s->r])
            continue;
        d->offset[q] = round_up(end, s->bytes[q] >= SX_MEM_LARGE ? SX_MEM_HUGE_PAGE : page);
        if (d->offset[q] < 0 || sx_base_add(d->offset[q], s->bytes[q], &end))
            return -1;
        end = round_up(end, page);
    }
    return end;
}

/* Map the file of this node. Returns this rank's outcome. */
static int map_file(sx_segment *s, draft *d)
{
    const card *owner = &d->cards[d->leader];
    const ptrdiff_t bytes = place_pieces(s, d);
    if (d->leader != s->r)
        d->file = sx_mem_file_open((int)owner->pid, (int)owner->file, owner->process, owner->serial);
    if (bytes < 0 || d->file < 0)
        return CANNOT_SHARE;
    s->map =
        sx_mem_file_map(d->file, bytes, d->offset[s->r], round_up(s->bytes[s->r], sysconf(_SC_PAGESIZE)));
    s->map_bytes = bytes;
    for (int q = 0; q < s->p; q++)
        s->base[q] = s->map && d->node[q] == d->node[s->r] ? s->map + d->offset[q] : NULL;
    return s->map ? FINE : CANNOT_SHARE;
}

static void unmap_file(sx_segment *s)
{
    for (int q = 0; q < s->p; q++)
        s->base[q] = NULL;
    sx_mem_file_unmap(s->map, s->map_bytes);
    s->map = NULL;
}

/* ---- this rank's piece */

static int alloc_private(sx_segment *s)
{
    s->base[s->r] = sx_base_alloc(s->bytes[s->r], 1);
    return s->base[s->r] ? FINE : NO_MEMORY;
}

static void note_losses(sx_segment *s, const draft *d)
{
    if (!s->map && !d->is_alone)
        s->lost |= SX_MEM_LOST_SHARING;
    if (s->bytes[s->r] >= SX_MEM_LARGE && !sx_mem_has_huge_pages(s->map != NULL))
        s->lost |= SX_MEM_LOST_HUGE;
}

/* ---- creation */

/* A rank whose piece has at most so many bytes does not ask how much memory is free. */
enum { SMALL = 1 << 20 };

/* Query whether there is memory for all pieces of this node. All ranks of the node use the numbers that they have
 * exchanged, because free memory changes while they allocate. */
static int fits(const sx_segment *s, const draft *d)
{
    ptrdiff_t sum = 0, available = PTRDIFF_MAX;
    for (int q = 0; q < s->p; q++) {
        if (d->node[q] != d->node[s->r])
            continue;
        if (sx_base_add(sum, s->bytes[q], &sum))
            return 0;
        available = d->cards[q].available < available ? (ptrdiff_t)d->cards[q].available : available;
    }
    return sum <= available;
}

/* Create the file, and exchange cards. Other ranks can open the leader's file only while the leader has it open.
 * Collective. */
static int exchange_cards(MPI_Comm comm, sx_segment *s, draft *d, ptrdiff_t bytes)
{
    card mine = {sx_mem_process(),      getpid(),
                 sx_mem_take_serial(),  -1,
                 bytes > 0 ? bytes : 1, bytes > SMALL ? sx_base_get_free_memory() : PTRDIFF_MAX};
    if (d->leader == s->r && !d->is_alone)
        mine.file = d->file = sx_mem_file_create(mine.process, mine.serial);
    int rc;
    SX_JOIN(rc, MPI_Iallgather(&mine, CARD_LENGTH, MPI_INT64_T, d->cards, CARD_LENGTH, MPI_INT64_T, comm,
                               &request));
    for (int q = 0; q < s->p && !rc; q++) {
        s->bytes[q] = (ptrdiff_t)d->cards[q].bytes;
        s->process[q] = d->cards[q].process;
    }
    s->key = (int64_t)((uint64_t)d->cards[0].process * 31 + (uint64_t)d->cards[0].serial);
    return rc;
}

/* Settle the outcome of all ranks. If a rank cannot share, all ranks of its node take private memory. */
static int settle(sx_segment *s, const draft *d)
{
    int worst = FINE, shares = 1, rc = MPI_SUCCESS;
    for (int q = 0; q < s->p; q++) {
        worst = d->outcome[q] > worst ? d->outcome[q] : worst;
        shares &= d->node[q] != d->node[s->r] || d->outcome[q] != CANNOT_SHARE;
    }
    if (worst == FAILED)
        return MPI_SUCCESS; /* the other rank returns its error, on which all ranks agree later */
    if (worst == NO_MEMORY)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!shares) {
        unmap_file(s);
        rc = alloc_private(s) == FINE ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    note_losses(s, d);
    return rc;
}

static int create_pieces(MPI_Comm comm, sx_segment *s, draft *d, ptrdiff_t bytes)
{
    find_leader(s, d);
    int rc = exchange_cards(comm, s, d, bytes), failed;
    const int mine = rc ? FAILED : !fits(s, d) ? NO_MEMORY : d->is_alone ? alloc_private(s) : map_file(s, d);
    SX_JOIN(failed, MPI_Iallgather(&mine, 1, MPI_INT, d->outcome, 1, MPI_INT, comm, &request));
    sx_mem_file_close(d->file);
    rc = rc ? rc : failed;
    return sx_base_agree(comm, rc ? rc : settle(s, d), NULL);
}

static int alloc_arrays(sx_segment *s, draft *d)
{
    s->base = sx_base_alloc(s->p, sizeof *s->base);
    s->bytes = sx_base_alloc(s->p, sizeof *s->bytes);
    s->process = sx_base_alloc(s->p, sizeof *s->process);
    d->cards = sx_base_alloc(s->p, sizeof *d->cards);
    d->offset = sx_base_alloc(s->p, sizeof *d->offset);
    d->outcome = sx_base_alloc(s->p, sizeof *d->outcome);
    return s->base && s->bytes && s->process && d->cards && d->offset && d->outcome
               ? MPI_SUCCESS
               : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, const int node[], sx_segment *s)
{
    draft d = {.node = node, .file = -1};
    *s = (sx_segment){0};
    if (!rc)
        rc = MPI_Comm_size(comm, &s->p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &s->r);
    if (!rc)
        rc = alloc_arrays(s, &d);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc)
        rc = create_pieces(comm, s, &d, bytes);
    sx_base_free(d.outcome);
    sx_base_free(d.offset);
    sx_base_free(d.cards);
    if (rc)
        sx_mem_segment_free(s);
    return rc;
}

void sx_mem_segment_free(sx_segment *s)
{
    if (s->map)
        sx_mem_file_unmap(s->map, s->map_bytes);
    else if (s->base)
        sx_base_free(s->base[s->r]);
    sx_base_free(s->process);
    sx_base_free(s->bytes);
    sx_base_free(s->base);
    *s = (sx_segment){0};
}
