/* rank_order.c - which ranks of a communicator a plan works on, and in which order.
 *
 *     ranks of the communicator    0 1 2 3 4 5        on nodes   a b a b a b
 *     their order, reorder    0 2 4 1 3 5                   a a a b b b
 *     active, subx_ranks = 4      0 2 4 1                       ranks 3 and 5 are idle
 *
 * Active ranks use a communicator of their own, which belongs to the plan's grid. With subx_ranks = auto,
 * candidates may have different active ranks; but they share one grid of all ranks, which has one
 * dimension. */
#include "decision/decision.h"
#include <subx_lowlevel.h>
#include <string.h>

/* ---- the order */

typedef struct order {
    int nranks, rank, position; /* position: the place of this rank in the order */
    int is_changed;             /* 1 if the order is not 0, 1, 2, .. */
} order;

/* Sort the ranks by their nodes. Nodes are numbered in the order of their lowest ranks, so rank 0 stays the
 * first rank. */
static void sort(const int node[], order *o)
{
    o->position = 0;
    for (int q = 0; q < o->nranks; q++) {
        o->position += node[q] < node[o->rank] || (node[q] == node[o->rank] && q < o->rank);
        o->is_changed |= q > 0 && node[q] < node[q - 1];
    }
}

static int set_order(const sx_choice *c, MPI_Comm all, MPI_Info hints, order *o)
{
    int g;
    (void)subx_grid_get(c->shared.all_ranks, 1, &g, &o->nranks, &o->rank);
    o->position = o->rank;
    if (!c->hints.reorder)
        return MPI_SUCCESS;
    int *node = sx_base_alloc(o->nranks, sizeof *node);
    int rc = sx_base_agree(all, node ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (!rc)
        rc = subx_mem_get_nodes(all, hints, node);
    if (!rc)
        sort(node, o);
    sx_base_free(node);
    return rc;
}

/* ---- active ranks */

int sx_decision_create_all_ranks(MPI_Comm comm, subx_grid *line)
{
    int nranks;
    if (comm == MPI_COMM_NULL)
        return subx_error_get_code(SUBX_ERR_COMM);
    const int rc = MPI_Comm_size(comm, &nranks);
    return rc ? rc : subx_grid_create(comm, 1, &nranks, line);
}

/* Create a one-dimensional grid of the ranks that work; SUBX_GRID_NULL on an idle rank. MPI has a limited
 * number of communicators, so a new one is created only if the ranks or their order differ from the caller's
 * communicator. */
static int create_active(const sx_choice *c, MPI_Comm all, MPI_Info hints, subx_grid *active)
{
    MPI_Comm part = MPI_COMM_NULL;
    order o = {0};
    int rc = set_order(c, all, hints, &o);
    if (rc)
        return rc;
    if (c->nranks_used == o.nranks && !o.is_changed)
        return subx_grid_create(all, 1, &o.nranks, active);
    const int works = o.position < c->nranks_used;
    rc = MPI_Comm_split(all, works ? 0 : MPI_UNDEFINED, o.position, &part);
    if (!rc && works)
        rc = subx_grid_create(part, 1, &c->nranks_used, active); /* the grid keeps a duplicate of `part` */
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    return rc;
}

/* ---- edges */

/* An idle rank has the same stages as active ranks, so it has edges, too; but its edges are empty. */
static int create_empty_edge(const sx_choice *c, int side, sx_edge **edge)
{
    const subx_fft_problem p = c->problem;
    const sx_problem_storage *s = &p->storage[side];
    sx_edge *e = *edge = sx_base_alloc(1, sizeof *e);
    for (int i = 0; e && i < p->ndims; i++)
        e->order[i] = s->has_order ? s->order[i] : p->ndims - 1 - i;
    return e ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Create the edge of a side, if it has one: the caller's boxes, bricks on a grid of all axes, or the blocks
 * of a factored axis. (A factored axis has no edge on the spectral side if the plan leaves the spectrum
 * transposed.) */
static int create_edge(sx_choice *c, MPI_Comm active, int side)
{
    const int has_boxes = c->problem->storage[side].boxes.n >= 0;
    const int is_scrambled = side == SUBX_FFT_SPECTRAL && sx_choice_is_transposed(c);
    if (!has_boxes && !c->is_brick && (!c->array.factored || is_scrambled))
        return MPI_SUCCESS;
    if (active == MPI_COMM_NULL)
        return create_empty_edge(c, side, &c->edge[side]);
    return sx_edge_create(active, &c->array, c->problem, side, c->is_brick && !has_boxes ? c->brick : NULL,
                          &c->edge[side]);
}

/* If the boxes on the physical side are the blocks of a grid, use this grid, and the sequence of the boxes,
 * unless the caller asks for another grid or sequence. The grid is not used if it cannot have the blocks that
 * the caller wants on the spectral side. */
static void reuse_physical(sx_choice *c)
{
    sx_choice with = *c;
    const int keeps_sequence = strcmp(c->hints.sequence, "auto") != 0;
    if (!sx_edge_reuse_physical(c->edge[SUBX_FFT_PHYSICAL], keeps_sequence, &with.array, &with.g, with.dims))
        return;
    with.is_reused[SUBX_FFT_PHYSICAL] = 1;
    if (sx_choice_check_grid(&with))
        return;
    *c = with;
    sx_edge_free(&c->edge[SUBX_FFT_PHYSICAL]);
}

/* If the boxes are the blocks of a grid, and the plan uses this grid, no edge is needed. So the plan uses the
 * grid of the boxes, unless the caller asks for another grid. */
static void reuse_edges(sx_choice *c)
{
    sx_edge **spectral = &c->edge[SUBX_FFT_SPECTRAL];
    if (c->is_brick)
        return;
    if (c->edge[SUBX_FFT_PHYSICAL] && c->is_auto_grid)
        reuse_physical(c);
    sx_choice_name_grid(c);
    if (*spectral && sx_edge_reuse_spectral(*spectral, &c->array, c->g, c->dims)) {
        c->is_reused[SUBX_FFT_SPECTRAL] = 1;
        sx_edge_free(spectral);
    }
}

/* ---- edges and grid */

static int create_on_active(sx_choice *c, subx_grid active, subx_grid *grid)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int rc = MPI_SUCCESS;
    (void)subx_grid_get_comm(active, -1, &comm);
    for (int side = 0; side < 2 && !rc; side++)
        rc = create_edge(c, comm, side);
    if (rc || !active)
        return rc;
    reuse_edges(c);
    return subx_grid_create(comm, c->g, c->dims, grid);
}

/* Idle ranks wait in the last agreement for the outcome of the active ranks. */
int sx_decision_create_grid(sx_choice *c, MPI_Info hints, subx_grid *grid)
{
    MPI_Comm all = MPI_COMM_NULL;
    subx_grid active = SUBX_GRID_NULL;
    (void)subx_grid_get_comm(c->shared.all_ranks, -1, &all);
    int rc = create_active(c, all, hints, &active);
    if (!rc)
        rc = create_on_active(c, active, grid);
    (void)subx_grid_free(&active);
    return sx_base_agree(all, rc, NULL);
}

/* All grids of the same active ranks use one communicator. If `like` has the same active ranks, the new grid
 * uses the communicator of `known`. */
int sx_decision_create_other_grid(const sx_choice *c, const sx_choice *like, subx_grid known, MPI_Info hints,
                                  subx_grid *grid)
{
    MPI_Comm all = MPI_COMM_NULL, comm = MPI_COMM_NULL;
    subx_grid active = SUBX_GRID_NULL;
    const int is_same = c->nranks_used == like->nranks_used;
    *grid = SUBX_GRID_NULL;
    (void)subx_grid_get_comm(c->shared.all_ranks, -1, &all);
    int rc = is_same ? MPI_SUCCESS : create_active(c, all, hints, &active);
    (void)subx_grid_get_comm(is_same ? known : active, -1, &comm);
    if (!rc && comm != MPI_COMM_NULL)
        rc = subx_grid_create(comm, c->g, c->dims, grid);
    (void)subx_grid_free(&active);
    rc = sx_base_agree(all, rc, NULL);
    if (rc)
        (void)subx_grid_free(grid);
    return rc;
}
