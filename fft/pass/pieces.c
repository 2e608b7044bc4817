/* pieces.c - a pass that only copies. It has no tiles: for each region that it reads and each region that it
 * writes, it copies the intersection of the two. */
#include "pass/inside.h"

/* A piece: a part of the intersection of two regions. Each intersection is divided into one piece per
 * thread. */
typedef struct sx_pass_piece {
    ptrdiff_t start[SUBX_NDIMS_MAX];
    int place[2];        /* [side]: sx_region.place of the region that has the piece */
    ptrdiff_t offset[2]; /* [side]: bytes from the address that has the index place[side] to the piece */
    subx_copy copy;
} sx_pass_piece;

struct sx_pieces {
    int n;
    sx_pass_piece piece[];
};

/* ---- creation */

static ptrdiff_t get_offset(sx_pass pass, const sx_region *r, const ptrdiff_t start[], ptrdiff_t element)
{
    ptrdiff_t offset = r->offset;
    for (int a = 0; a < pass->p.ndims; a++)
        offset += (start[a] - r->start[a]) * r->stride[a] * element;
    return offset;
}

static int create_piece(sx_pass pass, const sx_region *of[], const ptrdiff_t start[], const ptrdiff_t len[],
                        sx_pass_piece *piece)
{
    const ptrdiff_t element = sx_pass_get_layout(pass, SX_FROM)->element;
    ptrdiff_t stride[2][SUBX_NDIMS_MAX];
    for (int side = 0; side < 2; side++) {
        piece->place[side] = of[side]->place;
        piece->offset[side] = get_offset(pass, of[side], start, element);
        for (int a = 0; a < pass->p.ndims; a++)
            stride[side][a] = of[side]->stride[a] * element;
    }
    for (int a = 0; a < pass->p.ndims; a++)
        piece->start[a] = start[a];
    return subx_copy_create(pass->p.ndims, len, stride[SX_FROM], stride[SX_TO], element,
                            sx_pass_get_whole_bytes(pass, of[SX_TO]->is_far), &piece->copy);
}

/* Get the outermost axis with several indices: the threads divide this axis among them. */
static int find_outermost(sx_pass pass, const ptrdiff_t len[])
{
    int i = pass->p.ndims - 1;
    while (i > 0 && len[pass->p.order[i]] == 1)
        i--;
    return pass->p.order[i];
}

/* Add the pieces of the intersection of two regions to `pieces`, and their number to n. If `pieces` is NULL,
 * the pieces are only counted. */
static int add_pieces(sx_pass pass, const sx_region *of[], struct sx_pieces *pieces, int *n)
{
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX];
    const int threads = pass->p.threads;
    int rc = MPI_SUCCESS;
    if (sx_base_get_common(pass->p.ndims, of[SX_FROM]->start, of[SX_FROM]->len, of[SX_TO]->start,
                           of[SX_TO]->len, start, len) == 0)
        return MPI_SUCCESS;
    const int axis = find_outermost(pass, len);
    const ptrdiff_t first = start[axis], all = len[axis];
    for (int i = 0; i < threads && !rc; i++) {
        start[axis] = first + all * i / threads;
        len[axis] = first + all * (i + 1) / threads - start[axis];
        if (len[axis] == 0)
            continue;
        if (pieces)
            rc = create_piece(pass, of, start, len, &pieces->piece[pieces->n++]);
        ++*n;
    }
    return rc;
}

static int add_all(sx_pass pass, struct sx_pieces *pieces, int *n)
{
    const sx_pass_side *side = pass->p.side;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < side[SX_FROM].nregions; i++)
        for (int k = 0; k < side[SX_TO].nregions && !rc; k++) {
            const sx_region *of[] = {&side[SX_FROM].region[i], &side[SX_TO].region[k]};
            rc = add_pieces(pass, of, pieces, n);
        }
    return rc;
}

int sx_pass_pieces_create(sx_pass pass)
{
    int n = 0;
    (void)add_all(pass, NULL, &n);
    pass->pieces = sx_base_alloc((ptrdiff_t)sizeof *pass->pieces + n * (ptrdiff_t)sizeof(sx_pass_piece), 1);
    return pass->pieces ? add_all(pass, pass->pieces, &n) : subx_error_get_code(SUBX_ERR_NO_MEM);
}

void sx_pass_pieces_free(sx_pass pass)
{
    for (int i = 0; pass->pieces && i < pass->pieces->n; i++)
        (void)subx_copy_free(&pass->pieces->piece[i].copy);
    sx_base_free(pass->pieces);
}

/* ---- execution */

typedef struct execution {
    sx_pass pass;
    sx_range range;
    int count; /* number of pieces in the range */
    const void *const *from;
    void *const *to;
    const sx_pause *pause;
} execution;

static int is_in_range(const execution *e, int i)
{
    const sx_range *range = &e->range;
    const sx_pass_piece *piece = &e->pass->pieces->piece[i];
    return range->axis < 0 ||
           (piece->start[range->axis] >= range->lo && piece->start[range->axis] < range->hi);
}

/* Copy a piece. If input and output are the same memory, nothing is copied. */
static void execute_piece(const execution *e, const sx_pass_piece *piece)
{
    const char *from = (const char *)e->from[piece->place[SX_FROM]] + piece->offset[SX_FROM];
    char *to = (char *)e->to[piece->place[SX_TO]] + piece->offset[SX_TO];
    if (from != to)
        (void)subx_copy_execute(piece->copy, from, to);
}

/* Execute the pieces of one thread. The threads take the pieces of the range alternately, one piece at a
 * time. */
static void execute(void *context, int thread)
{
    const execution *e = context;
    const int threads = e->pass->p.threads;
    for (int i = 0, k = 0; i < e->pass->pieces->n; i++) {
        if (!is_in_range(e, i) || k++ % threads != thread)
            continue;
        execute_piece(e, &e->pass->pieces->piece[i]);
        if (thread == 0)
            sx_pass_execute_pause(e->pause, (k - 1) / threads + 1, (e->count + threads - 1) / threads);
    }
}

void sx_pass_pieces_execute(sx_pass pass, sx_range range, const void *const from[], void *const to[],
                            const sx_pause *pause)
{
    execution e = {.pass = pass, .range = range, .from = from, .to = to, .pause = pause};
    for (int i = 0; i < pass->pieces->n; i++)
        e.count += is_in_range(&e, i);
    sx_pass_fork(pass->p.threads, execute, &e);
}
