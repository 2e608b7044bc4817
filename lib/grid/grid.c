/* grid.c - Cartesian grids of ranks, and a communicator for each of their dimensions.
 *
 * MPI has a limited number of communicators. So grids of the same shape on one communicator are one object,
 * which counts its users. A dimension with all ranks uses the communicator of the grid. All dimensions of
 * length 1 share one communicator of this rank alone. It is not MPI_COMM_SELF: only one thread at a time may
 * use a communicator, but several threads may have grids. */
#include "comm/comm.h"

struct subx_grid_s {
    int users;
    int g;
    int dims[SUBX_NDIMS_MAX], coords[SUBX_NDIMS_MAX];
    sx_comm *all;
    sx_comm *along[SUBX_NDIMS_MAX];
    subx_grid next; /* the next grid on the same communicator */
};

/* ---- create */

/* Check the dimensions. Their product must not overflow, and must be the number of ranks p. */
static int check(int p, int g, const int dims[])
{
    ptrdiff_t product = 1;
    int rc = MPI_SUCCESS;
    if (g < 1 || g > SUBX_NDIMS_MAX)
        return subx_error_get_code(SUBX_ERR_NDIMS);
    if (!dims)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int k = 0; k < g && !rc; k++) {
        if (dims[k] < 1)
            return subx_error_get_code(SUBX_ERR_GRID);
        rc = sx_base_mul(product, dims[k], &product);
    }
    return rc || product == p ? rc : subx_error_get_code(SUBX_ERR_GRID);
}

static subx_grid find(const sx_comm *all, int g, const int dims[])
{
    subx_grid grid = all->grids;
    for (; grid; grid = grid->next) {
        int same = grid->g == g;
        for (int k = 0; k < g && same; k++)
            same = grid->dims[k] == dims[k];
        if (same)
            return grid;
    }
    return NULL;
}

/* Set the dimensions, and the coordinates of this rank. The last coordinate changes fastest from rank to
 * rank, as in MPI_Cart_create. */
static void set_shape(subx_grid grid, sx_comm *all, int g, const int dims[])
{
    int rank = all->r;
    grid->users = 1;
    grid->all = all;
    grid->g = g;
    for (int k = g - 1; k >= 0; k--) {
        grid->dims[k] = dims[k];
        grid->coords[k] = rank % dims[k];
        rank /= dims[k];
    }
}

/* Create the communicator of this rank's row along dimension k: ranks are in one row if all their other
 * coordinates are equal. */
static int split(subx_grid grid, int k)
{
    MPI_Comm row = MPI_COMM_NULL;
    int color = 0;
    for (int j = 0; j < grid->g; j++)
        color = j == k ? color : color * grid->dims[j] + grid->coords[j];
    const int rc = MPI_Comm_split(grid->all->comm, color, grid->coords[k], &row);
    return rc ? rc : sx_comm_adopt(row, &grid->along[k]);
}

/* Find a communicator that dimension k can share with the grid or with an earlier dimension; NULL if there is
 * none. */
static sx_comm *find_shared(subx_grid grid, int k)
{
    if (grid->dims[k] == grid->all->p)
        return grid->all;
    for (int j = 0; j < k && grid->dims[k] == 1; j++)
        if (grid->dims[j] == 1)
            return grid->along[j];
    return NULL;
}

static int set_row(subx_grid grid, int k)
{
    sx_comm *shared = find_shared(grid, k);
    if (!shared)
        return split(grid, k);
    grid->along[k] = sx_comm_hold(shared);
    return MPI_SUCCESS;
}

/* Create the communicators of all dimensions. A rank goes on after an error, because it is also in rows along
 * the other dimensions, whose ranks wait for it. */
static int set_rows(subx_grid grid)
{
    int rc = MPI_SUCCESS;
    for (int k = 0; k < grid->g; k++) {
        int failed = set_row(grid, k);
        rc = rc ? rc : failed;
    }
    return sx_base_agree(grid->all->comm, rc, NULL);
}

/* Agree on the outcome so far, and check that all ranks give the same dimensions: otherwise they would form
 * different rows. */
static int agree(const sx_comm *all, int rc, int g, const int dims[])
{
    char key[16 * SUBX_NDIMS_MAX] = "";
    sx_text t = {key, sizeof key, 0};
    if (!rc)
        sx_base_print_order(&t, g, dims);
    return sx_base_agree(all->comm, rc, key);
}

/* Create a grid. Collective. The grid takes over the caller's hold of `all`; after an error the hold is
 * released. */
static int create(sx_comm *all, int g, const int dims[], subx_grid *grid)
{
    subx_grid made = sx_base_alloc(1, sizeof *made);
    int rc = sx_base_agree(all->comm, made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (rc) {
        sx_base_free(made);
        sx_comm_free(&all);
        return rc;
    }
    set_shape(made, all, g, dims);
    made->next = all->grids;
    all->grids = made;
    rc = set_rows(made);
    if (rc)
        subx_grid_free(&made);
    else
        *grid = made;
    return rc;
}

int subx_grid_create(MPI_Comm comm, int g, const int dims[], subx_grid *grid)
{
    sx_comm *all;
    if (grid)
        *grid = SUBX_GRID_NULL;
    int rc = sx_comm_get(comm, &all);
    if (rc)
        return rc;
    rc = agree(all, grid ? check(all->p, g, dims) : subx_error_get_code(SUBX_ERR_ARG), g, dims);
    subx_grid known = rc ? NULL : find(all, g, dims);
    if (!rc && !known)
        return create(all, g, dims, grid);
    sx_comm_free(&all);
    if (rc)
        return rc;
    known->users++;
    *grid = known;
    return MPI_SUCCESS;
}

/* ---- questions */

int subx_grid_get(subx_grid grid, int maxdims, int *g, int dims[], int coords[])
{
    if (!grid || !g)
        return subx_error_get_code(SUBX_ERR_ARG);
    if ((dims || coords) && maxdims < grid->g)
        return subx_error_get_code(SUBX_ERR_TRUNCATE);
    *g = grid->g;
    for (int k = 0; k < grid->g; k++) {
        if (dims)
            dims[k] = grid->dims[k];
        if (coords)
            coords[k] = grid->coords[k];
    }
    return MPI_SUCCESS;
}

int subx_grid_get_comm(subx_grid grid, int dim, MPI_Comm *comm)
{
    if (!grid || !comm || dim < -1 || dim >= grid->g)
        return subx_error_get_code(SUBX_ERR_ARG);
    *comm = dim < 0 ? grid->all->comm : grid->along[dim]->comm;
    return MPI_SUCCESS;
}

/* ---- free */

static void forget(subx_grid grid)
{
    subx_grid first = grid->all->grids, at = first;
    if (first == grid) {
        grid->all->grids = grid->next;
        return;
    }
    while (at->next != grid)
        at = at->next;
    at->next = grid->next;
}

int subx_grid_free(subx_grid *grid)
{
    int rc = MPI_SUCCESS;
    if (!grid || !*grid)
        return rc;
    subx_grid given = *grid;
    *grid = SUBX_GRID_NULL;
    if (--given->users > 0)
        return rc;
    forget(given);
    for (int k = given->g - 1; k >= 0; k--) {
        int failed = sx_comm_free(&given->along[k]);
        rc = rc ? rc : failed;
    }
    int failed = sx_comm_free(&given->all);
    sx_base_free(given);
    return rc ? rc : failed;
}
