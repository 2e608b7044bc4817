/* grid.c - Cartesian grids of ranks and a communicator for each of their dimensions. */
#include "base/base.h"

struct subx_grid_s {
    int g;
    int dims[SUBX_NDIMS_MAX], coords[SUBX_NDIMS_MAX];
    MPI_Comm all;
    MPI_Comm along[SUBX_NDIMS_MAX];
};

/* The product is compared only when it is known not to have overflowed. */
static int check(MPI_Comm comm, int g, const int dims[])
{
    int p;
    ptrdiff_t product = 1;
    if (g < 1 || g > SUBX_NDIMS_MAX)
        return subx_error_get(SUBX_ERR_NDIMS);
    if (!dims)
        return subx_error_get(SUBX_ERR_ARG);
    int rc = MPI_Comm_size(comm, &p);
    for (int k = 0; k < g && !rc; k++) {
        if (dims[k] < 1)
            return subx_error_get(SUBX_ERR_GRID);
        rc = sx_base_mul(product, dims[k], &product);
    }
    if (!rc && product != p)
        rc = subx_error_get(SUBX_ERR_GRID);
    return rc;
}

/* The last dimension is fastest, as in MPI_Cart_create. */
static void set_coords(subx_grid grid, int rank)
{
    for (int k = grid->g - 1; k >= 0; k--) {
        grid->coords[k] = rank % grid->dims[k];
        rank /= grid->dims[k];
    }
}

/* Ranks belong together along dimension k if all their other coordinates are the same. */
static int split(subx_grid grid, int k)
{
    int color = 0;
    for (int j = 0; j < grid->g; j++)
        color = j == k ? color : color * grid->dims[j] + grid->coords[j];
    int rc = MPI_Comm_split(grid->all, color, grid->coords[k], &grid->along[k]);
    return rc ? rc : MPI_Comm_set_errhandler(grid->along[k], MPI_ERRORS_RETURN);
}

/* Null communicators tell a half-made grid which of them to free. */
static subx_grid alloc_grid(void)
{
    subx_grid grid = sx_base_alloc(1, sizeof *grid);
    if (!grid)
        return NULL;
    grid->all = MPI_COMM_NULL;
    for (int k = 0; k < SUBX_NDIMS_MAX; k++)
        grid->along[k] = MPI_COMM_NULL;
    return grid;
}

static int fill(subx_grid grid, int g, const int dims[])
{
    int rank;
    int rc = MPI_Comm_rank(grid->all, &rank);
    if (rc)
        return rc;
    grid->g = g;
    for (int k = 0; k < g; k++)
        grid->dims[k] = dims[k];
    set_coords(grid, rank);
    for (int k = 0; k < g && !rc; k++)
        rc = split(grid, k);
    return rc;
}

/* Ranks must give the same dimensions, or they would disagree on who is whose neighbour. */
static int agree(MPI_Comm all, int rc, int g, const int dims[])
{
    char key[16 * SUBX_NDIMS_MAX] = "";
    sx_text t = {key, sizeof key, 0};
    if (!rc)
        sx_base_print_order(&t, g, dims);
    return sx_base_agree(all, rc, key);
}

int subx_grid_create(MPI_Comm comm, int g, const int dims[], subx_grid *grid)
{
    MPI_Comm all = MPI_COMM_NULL;
    if (grid)
        *grid = SUBX_GRID_NULL;
    int rc = sx_base_comm_dup(comm, &all);
    if (rc)
        return rc;
    rc = check(all, g, dims);
    if (!grid)
        rc = subx_error_get(SUBX_ERR_ARG);
    subx_grid made = alloc_grid();
    if (!made)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    rc = agree(all, rc, g, dims);
    if (rc) {
        sx_base_free(made);
        MPI_Comm_free(&all);
        return rc;
    }
    made->all = all;
    rc = fill(made, g, dims);
    if (rc)
        subx_grid_free(&made);
    else
        *grid = made;
    return rc;
}

int subx_grid_get(subx_grid grid, int maxdims, int *g, int dims[], int coords[])
{
    if (!grid || !g)
        return subx_error_get(SUBX_ERR_ARG);
    if ((dims || coords) && maxdims < grid->g)
        return subx_error_get(SUBX_ERR_TRUNCATE);
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
        return subx_error_get(SUBX_ERR_ARG);
    *comm = dim < 0 ? grid->all : grid->along[dim];
    return MPI_SUCCESS;
}

int subx_grid_free(subx_grid *grid)
{
    int rc = MPI_SUCCESS;
    if (!grid || !*grid)
        return rc;
    for (int k = (*grid)->g - 1; k >= 0; k--) {
        int failed = (*grid)->along[k] == MPI_COMM_NULL ? 0 : MPI_Comm_free(&(*grid)->along[k]);
        rc = rc ? rc : failed;
    }
    int failed = MPI_Comm_free(&(*grid)->all);
    sx_base_free(*grid);
    *grid = SUBX_GRID_NULL;
    return rc ? rc : failed;
}
