/* halo.c - the exchange that fills the ghost cells around a rank's box of a global array.
 *
 * It is a redistribution in which every rank holds its box and wants the box with the ghost cells around it. Both lie in
 * one array:
 *
 *     g g g g g g     o  owned: held, and sent to others
 *     g o o o o g     g  ghost: wanted, and received from others, or from an image of this rank's own box
 *     g o o o o g
 *     g g g g g g     Owned cells that are wanted at their own place do not travel. */
#include "boxes/boxes.h"
#include "exch/exch.h"

struct subx_halo_s {
    subx_exch ex;
};

/* This rank's part of the problem. */
typedef struct problem {
    int ndims;
    const ptrdiff_t *sizes, *start, *len, *below, *above;
    const int *periodic, *order; /* NULL for none, and for C order */
    ptrdiff_t period[SUBX_NDIMS_MAX];
    ptrdiff_t ghost_start[SUBX_NDIMS_MAX], ghost_len[SUBX_NDIMS_MAX]; /* of the box with the ghost cells */
    ptrdiff_t stride[SUBX_NDIMS_MAX];                                 /* of the array, elements */
    ptrdiff_t offset[2]; /* in the array: of the box, of the box with the ghost cells */
    sx_own_boxes own[2];
} problem;

/* ---- arguments */

static int check_arguments(const problem *a)
{
    const sx_own_boxes box = {.n = 1, .starts = a->start, .lens = a->len, .orders = a->order};
    int rc = sx_boxes_check_array(a->ndims, a->sizes);
    if (!rc)
        rc = sx_boxes_check_own(a->ndims, a->sizes, &box);
    if (rc)
        return rc;
    if (!a->below || !a->above)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i < a->ndims; i++)
        if (a->below[i] < 0 || a->above[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

static int set_ghost(problem *a, int axis)
{
    int rc = sx_base_add(a->len[axis], a->below[axis], &a->ghost_len[axis]);
    a->ghost_start[axis] = a->start[axis] - a->below[axis];
    return rc ? rc : sx_base_add(a->ghost_len[axis], a->above[axis], &a->ghost_len[axis]);
}

static int set_problem(problem *a)
{
    ptrdiff_t volume = 1, distance;
    int rc = check_arguments(a);
    for (int i = 0; i < a->ndims && !rc; i++) {
        const int axis = a->order ? a->order[i] : a->ndims - 1 - i;
        a->period[axis] = a->periodic && a->periodic[axis] ? a->sizes[axis] : 0;
        a->stride[axis] = volume;
        rc = set_ghost(a, axis);
        rc = rc ? rc : sx_base_mul(a->below[axis], volume, &distance);
        rc = rc ? rc : sx_base_add(a->offset[SX_FROM], distance, &a->offset[SX_FROM]);
        rc = rc ? rc : sx_base_mul(volume, a->ghost_len[axis], &volume);
    }
    a->own[SX_FROM] = (sx_own_boxes){1, a->start, a->len, NULL, &a->offset[SX_FROM], a->stride};
    a->own[SX_TO] = (sx_own_boxes){1, a->ghost_start, a->ghost_len, NULL, &a->offset[SX_TO], a->stride};
    return rc;
}

/* What must be the same on all ranks. */
static void print_key(const problem *a, char *key, size_t room)
{
    sx_text t = {key, room, 0};
    sx_base_print_sizes(&t, a->ndims, a->sizes);
    sx_base_print(&t, " ");
    sx_base_print_sizes(&t, a->ndims, a->period);
}

/* ---- creation */

static int build(MPI_Comm comm, const sx_comm *ours, int rc, const problem *a, sx_boxes boxes[2],
                 sx_travel *travel, MPI_Info hints, subx_exch *ex)
{
    char key[2048] = "";
    if (!rc)
        print_key(a, key, sizeof key);
    rc = sx_boxes_gather(ours, rc, key, a->ndims, &a->own[SX_FROM], &boxes[SX_FROM]);
    if (!rc)
        rc = sx_boxes_gather(ours, rc, NULL, a->ndims, &a->own[SX_TO], &boxes[SX_TO]);
    if (!rc)
        rc = sx_boxes_check(ours, &boxes[SX_FROM], NULL, a->sizes);
    return rc ? rc : sx_boxes_create_exch(comm, rc, travel, hints, ex);
}

int subx_halo_create(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], const ptrdiff_t start[],
                     const ptrdiff_t len[], const ptrdiff_t below[], const ptrdiff_t above[],
                     const int periodic[], const int order[], MPI_Datatype elemtype, MPI_Info hints,
                     subx_halo *halo)
{
    problem a = {.ndims = ndims, .sizes = sizes, .start = start, .len = len, .below = below, .above = above};
    sx_boxes boxes[2] = {{.ndims = 0}, {.ndims = 0}};
    sx_travel travel = {.side = {&boxes[SX_FROM], &boxes[SX_TO]},
                        .permuting_side = SX_TO,
                        .is_in_place = 1,
                        .period = a.period,
                        .elemtype = elemtype};
    subx_exch ex = SUBX_EXCH_NULL;
    sx_comm *ours;
    a.periodic = periodic;
    a.order = order;
    if (halo)
        *halo = SUBX_HALO_NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    subx_halo made = sx_base_alloc(1, sizeof *made);
    rc = halo ? set_problem(&a) : subx_error_get_code(SUBX_ERR_ARG);
    if (!rc && !made)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = build(comm, ours, rc, &a, boxes, &travel, hints, &ex);
    for (int side = 0; side < 2; side++)
        sx_boxes_free(&boxes[side]);
    sx_comm_free(&ours);
    if (rc) {
        sx_base_free(made);
        return rc;
    }
    made->ex = ex;
    *halo = made;
    return MPI_SUCCESS;
}

/* ---- execution */

int subx_halo_execute(subx_halo halo, void *array)
{
    return halo ? subx_exch_execute(halo->ex, array, array) : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_halo_start(subx_halo halo, void *array)
{
    return halo ? subx_exch_start(halo->ex, array, array) : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_halo_test(subx_halo halo, int *flag)
{
    return halo ? subx_exch_test(halo->ex, flag) : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_halo_wait(subx_halo halo)
{
    return halo ? subx_exch_wait(halo->ex) : subx_error_get_code(SUBX_ERR_ARG);
}

int subx_halo_free(subx_halo *halo)
{
    if (!halo || !*halo)
        return MPI_SUCCESS;
    int rc = subx_exch_free(&(*halo)->ex);
    if ((*halo)->ex)
        return rc;
    sx_base_free(*halo);
    *halo = SUBX_HALO_NULL;
    return rc;
}
