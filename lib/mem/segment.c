/* segment.c - create and free segments: the ranks of each node agree on one file, or on private memory. Files
 * are created and mapped in memory_file.c. */
#include "mem/mem.h"
#include <unistd.h>

/* The data that each rank sends to all others about its own piece. `file` is the descriptor of the node's
 * file in the rank that has created the file, and -1 on all other ranks. */
typedef struct card {
    int64_t process, pid, serial, file, bytes,
        available; /* available: bytes of free memory before any rank allocates; PTRDIFF_MAX if this rank
                      has not asked */
} card;

enum { CARD_LENGTH = sizeof(card) / sizeof(int64_t) };

/* The outcome on a rank, from the best to the worst. */
enum { FINE, CANNOT_SHARE, NO_MEMORY, FAILED };

/* Data that is needed only during creation. */
typedef struct draft {
    const int *node;
    int p, r;          /* the number of ranks, and this rank */
    int file;          /* this rank's descriptor of the node's file, or -1 */
    card *cards;       /* for each rank */
    ptrdiff_t *offset; /* for each rank of this node: the offset of its piece in the file */
    int *outcome;      /* for each rank */
} draft;

/* ---- the file of a node */

static int is_alone(const sx_segment *s)
{
    return s->npieces == 1;
}

/* The lowest rank of a node creates its file. */
static int leads(const sx_segment *s)
{
    return s->own == s->piece;
}

/* Round up; -1 if the result exceeds 63 bits. */
static ptrdiff_t round_up(ptrdiff_t a, ptrdiff_t unit)
{
    ptrdiff_t sum;
    return a < 0 || sx_base_add(a, unit - 1, &sum) ? -1 : sum / unit * unit;
}

/* Place the pieces of this node one after the other in the file. Each piece begins at a multiple of the page
 * size; if the piece is long enough for huge pages, of the huge page size. Returns the length of the file, or
 * -1 if it exceeds 63 bits. */
static ptrdiff_t place_pieces(const sx_segment *s, draft *d)
{
    const ptrdiff_t page = sysconf(_SC_PAGESIZE);
    ptrdiff_t end = 0;
    for (int i = 0; i < s->npieces && end >= 0; i++) {
        const ptrdiff_t bytes = s->piece[i].bytes;
        d->offset[i] = round_up(end, bytes >= SX_BASE_LARGE ? SX_BASE_HUGE_PAGE : page);
        if (d->offset[i] < 0 || sx_base_add(d->offset[i], bytes, &end))
            return -1;
        end = round_up(end, page);
    }
    return end;
}

/* Map the file of this node. Returns this rank's outcome. */
static int map_file(sx_segment *s, draft *d)
{
    const card *owner = &d->cards[s->piece[0].rank];
    const ptrdiff_t bytes = place_pieces(s, d);
    if (!leads(s))
        d->file = sx_mem_file_open(sx_base_fit(owner->pid), sx_base_fit(owner->file), owner->process,
                                   owner->serial);
    if (bytes < 0 || d->file < 0)
        return CANNOT_SHARE;
    s->map = sx_mem_file_map(d->file, bytes, d->offset[s->own - s->piece],
                             round_up(s->own->bytes, sysconf(_SC_PAGESIZE)));
    s->map_bytes = bytes;
    for (int i = 0; i < s->npieces; i++)
        s->piece[i].base = s->map ? s->map + d->offset[i] : NULL;
    return s->map ? FINE : CANNOT_SHARE;
}

static void unmap_file(sx_segment *s)
{
    for (int i = 0; i < s->npieces; i++)
        s->piece[i].base = NULL;
    sx_mem_file_unmap(s->map, s->map_bytes);
    s->map = NULL;
}

/* ---- this rank's piece */

static int alloc_private(sx_segment *s)
{
    s->own->base = sx_base_alloc_area(s->own->bytes);
    return s->own->base ? FINE : NO_MEMORY;
}

/* Allocate this rank's piece on the device. */
static int alloc_on_device(sx_segment *s, int *rc)
{
    const ptrdiff_t unit = is_alone(s) ? 1 : s->device->export_unit, room = round_up(s->own->bytes, unit);
    *rc = sx_device_open(s->device, &s->handle);
    if (!*rc)
        *rc = subx_error_get_code(s->device->alloc(s->handle, room, (void **)&s->own->base));
    return *rc ? FAILED : FINE;
}

/* What each rank tells all others about its piece on a device. */
typedef struct invitation {
    int64_t is_valid, address; /* address: for ranks of the same process */
    sx_device_ticket ticket;
} invitation;

enum { INVITATION = sizeof(invitation) };

static invitation invite(const sx_segment *s, int outcome)
{
    invitation mine = {0, 0, {{0}}};
    if (outcome != FINE || is_alone(s))
        return mine;
    mine.address = (int64_t)(intptr_t)s->own->base;
    mine.is_valid = s->device->export_memory(s->handle, s->own->base, &mine.ticket) == SUBX_ERR_NONE;
    return mine;
}

/* Import the pieces of the other ranks of this node. Returns 0 if that fails for one of them. */
static int import_pieces(sx_segment *s, const invitation all[])
{
    for (int i = 0; i < s->npieces; i++) {
        const invitation *theirs = &all[s->piece[i].rank];
        if (!theirs->is_valid)
            return 0;
        if (&s->piece[i] == s->own)
            continue;
        if (s->piece[i].process == s->own->process)
            s->piece[i].base = (char *)(intptr_t)theirs->address;
        else if (s->device->import_memory(s->handle, &theirs->ticket, (void **)&s->piece[i].base))
            return 0;
    }
    return 1;
}

/* Exchange invitations, and import pieces. `outcome` is this rank's outcome so far; returns the new one.
 * Collective. */
static int share_on_device(MPI_Comm comm, sx_segment *s, int p, int outcome, int *rc)
{
    const invitation mine = invite(s, outcome);
    invitation *all = sx_base_alloc(p, sizeof *all);
    int failed = sx_base_agree(comm, all ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!failed)
        failed = MPI_Allgather(&mine, INVITATION, MPI_BYTE, all, INVITATION, MPI_BYTE, comm);
    *rc = *rc ? *rc : failed;
    if (outcome == FINE && failed)
        outcome = FAILED;
    if (outcome == FINE && !is_alone(s) && !import_pieces(s, all))
        outcome = CANNOT_SHARE;
    sx_base_free(all);
    return outcome;
}

void sx_mem_segment_drop(sx_segment *s)
{
    for (int i = 0; s->handle && i < s->npieces; i++) {
        sx_piece *piece = &s->piece[i];
        if (piece == s->own || !piece->base)
            continue;
        if (piece->process != s->own->process)
            s->device->drop_memory(s->handle, piece->base);
        piece->base = NULL;
    }
}

static void free_on_device(const sx_segment *s)
{
    if (!s->handle)
        return;
    s->device->free(s->handle, s->own->base);
    s->device->close(s->handle);
}

int sx_mem_is_large(const sx_segment *s)
{
    return !s->device && s->own->bytes >= (s->map ? SX_BASE_LARGE : SX_BASE_LEAST_HUGE);
}

static void note_losses(sx_segment *s)
{
    const int shares = s->device ? s->piece[0].base && s->piece[s->npieces - 1].base : s->map != NULL;
    if (!shares && !is_alone(s))
        s->lost |= SX_MEM_LOST_SHARING;
    if (sx_mem_is_large(s) && !sx_mem_has_huge_pages(s->map != NULL))
        s->lost |= SX_MEM_LOST_HUGE;
}

/* ---- creation */

/* Query whether there is memory for all pieces of this node. All ranks of the node use the numbers that they
 * have exchanged, because free memory changes while they allocate. */
static int fits(const sx_segment *s, const draft *d)
{
    ptrdiff_t sum = 0, available = PTRDIFF_MAX;
    for (int i = 0; i < s->npieces; i++) {
        const int64_t theirs = d->cards[s->piece[i].rank].available;
        if (sx_base_add(sum, s->piece[i].bytes, &sum))
            return 0;
        available = theirs < available ? (ptrdiff_t)theirs : available;
    }
    return sum <= available;
}

/* The lowest rank of each node, the leader, creates the node's file. Then all ranks exchange their cards. The
 * leader must keep the file open until the other ranks of the node have opened it. Collective. */
static int exchange_cards(MPI_Comm comm, sx_segment *s, draft *d, ptrdiff_t bytes)
{
    card mine = {sx_mem_process(),
                 getpid(),
                 sx_mem_take_serial(),
                 -1,
                 bytes > 0 ? bytes : 1,
                 bytes > SX_MEM_CHECKED && !s->device ? sx_base_get_free_memory() : PTRDIFF_MAX};
    if (leads(s) && !is_alone(s) && !s->device)
        mine.file = d->file = sx_mem_file_create(mine.process, mine.serial);
    int rc = MPI_Allgather(&mine, CARD_LENGTH, MPI_INT64_T, d->cards, CARD_LENGTH, MPI_INT64_T, comm);
    for (int i = 0; i < s->npieces && !rc; i++) {
        const card *theirs = &d->cards[s->piece[i].rank];
        s->piece[i].bytes = (ptrdiff_t)theirs->bytes;
        s->piece[i].process = theirs->process;
    }
    s->key = (int64_t)((uint64_t)d->cards[0].process * 31 + (uint64_t)d->cards[0].serial);
    return rc;
}

/* Decide what this rank does, from the outcomes of all ranks. If a rank cannot share, all ranks of its node
 * take private memory. */
static int settle(sx_segment *s, const draft *d)
{
    int worst = FINE, shares = 1, rc = MPI_SUCCESS;
    for (int q = 0; q < d->p; q++)
        worst = d->outcome[q] > worst ? d->outcome[q] : worst;
    for (int i = 0; i < s->npieces; i++)
        shares &= d->outcome[s->piece[i].rank] != CANNOT_SHARE;
    if (worst == FAILED)
        return MPI_SUCCESS; /* the rank that failed returns its error, and then all ranks agree on this
                               error */
    if (worst == NO_MEMORY)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!shares && s->device) {
        sx_mem_segment_drop(s);
    } else if (!shares) {
        unmap_file(s);
        rc = alloc_private(s) == FINE ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    note_losses(s);
    return rc;
}

/* Allocate this rank's piece. Returns this rank's outcome; *rc becomes the error if there is one besides
 * NO_MEM. */
static int alloc_piece(sx_segment *s, draft *d, int *rc)
{
    if (*rc)
        return FAILED;
    if (s->device)
        return alloc_on_device(s, rc);
    return !fits(s, d) ? NO_MEMORY : is_alone(s) ? alloc_private(s) : map_file(s, d);
}

static int create_pieces(MPI_Comm comm, sx_segment *s, draft *d, ptrdiff_t bytes)
{
    int rc = exchange_cards(comm, s, d, bytes), failed;
    int mine = alloc_piece(s, d, &rc);
    if (s->device)
        mine = share_on_device(comm, s, d->p, mine, &rc);
    failed = MPI_Allgather(&mine, 1, MPI_INT, d->outcome, 1, MPI_INT, comm);
    sx_mem_file_close(d->file);
    rc = rc ? rc : failed;
    return sx_base_agree(comm, rc ? rc : settle(s, d), NULL);
}

/* List the pieces of this node: there is one per rank. */
static int list_pieces(sx_segment *s, const draft *d)
{
    int n = 0;
    for (int q = 0; q < d->p; q++)
        s->npieces += d->node[q] == d->node[d->r];
    s->piece = sx_base_alloc(s->npieces, sizeof *s->piece);
    if (!s->piece)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int q = 0; q < d->p; q++) {
        if (d->node[q] != d->node[d->r])
            continue;
        if (q == d->r)
            s->own = &s->piece[n];
        s->piece[n++].rank = q;
    }
    return MPI_SUCCESS;
}

static int alloc_arrays(sx_segment *s, draft *d)
{
    const int rc = list_pieces(s, d);
    d->cards = sx_base_alloc(d->p, sizeof *d->cards);
    d->offset = sx_base_alloc(s->npieces, sizeof *d->offset);
    d->outcome = sx_base_alloc(d->p, sizeof *d->outcome);
    return rc || (d->cards && d->offset && d->outcome) ? rc : subx_error_get_code(SUBX_ERR_NO_MEM);
}

int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, const int node[], const sx_device *device,
                          sx_segment *s)
{
    draft d = {.node = node, .file = -1};
    *s = (sx_segment){.device = device};
    if (!rc)
        rc = MPI_Comm_size(comm, &d.p);
    if (!rc)
        rc = MPI_Comm_rank(comm, &d.r);
    if (!rc)
        rc = alloc_arrays(s, &d);
    rc = sx_base_agree(comm, rc, NULL);
    if (!rc)
        rc = create_pieces(comm, s, &d, bytes);
    sx_base_free(d.outcome);
    sx_base_free(d.offset);
    sx_base_free(d.cards);
    if (rc && s->device) {
        sx_mem_segment_drop(s);
        (void)MPI_Barrier(comm);
    }
    if (rc)
        sx_mem_segment_free(s);
    return rc;
}

const sx_piece *sx_mem_segment_get(const sx_segment *s, int64_t rank)
{
    int low = 0, high = s->npieces;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (s->piece[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->npieces && s->piece[low].rank == rank ? &s->piece[low] : NULL;
}

void sx_mem_segment_free(sx_segment *s)
{
    if (s->device)
        free_on_device(s);
    else if (s->map)
        sx_mem_file_unmap(s->map, s->map_bytes);
    else if (s->own)
        sx_base_free(s->own->base);
    sx_base_free(s->piece);
    *s = (sx_segment){0};
}
