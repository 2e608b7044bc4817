/* halo.c - the exchange that fills the ghost cells around a rank's box of a global array.
 *
 * A halo exchange is a redistribution (lib/boxes) in which every rank holds its box, and wants a larger box,
 * which has the ghost cells, too. Both boxes lie in one array:
 *
 *     g g g g g g     o  owned: held, and sent to others
 *     g o o o o g     g  ghost: wanted, and received from others, or from an image of this rank's own box
 *     g o o o o g
 *     g g g g g g     An owned cell is wanted, too, but it is not moved: it is there already. */
#include "boxes/boxes.h"
#include "exch/exch.h"

struct subx_halo_s {
    subx_exch ex;
};

/* This rank's part of the problem. */
typedef struct problem {
    const ptrdiff_t *start, *len, *below, *above;
    const int *periodic, *order; /* periodic is NULL if no axis is periodic, order is NULL for C order */
    ptrdiff_t period[SUBX_NDIMS_MAX];
    subx_boxes own[2]; /* [SX_FROM]: the rank's box; [SX_TO]: the box with the ghost cells, which may extend
                          beyond the array */
} problem;

/* ---- arguments */

static int check_arguments(const problem *a)
{
    const int ndims = a->own[SX_FROM]->ndims;
    int rc = sx_boxes_check_box(a->own[SX_FROM], a->start, a->len);
    if (rc)
        return rc;
    if (a->order && !sx_base_is_permutation(ndims, a->order))
        return subx_error_get_code(SUBX_ERR_ORDER);
    if (!a->below || !a->above)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int i = 0; i < ndims; i++)
        if (a->below[i] < 0 || a->above[i] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    return MPI_SUCCESS;
}

/* Add the rank's box, and the box with the ghost cells around it. Both lie in the caller's local array. */
static int add_boxes(problem *a)
{
    const int ndims = a->own[SX_FROM]->ndims;
    ptrdiff_t start[SUBX_NDIMS_MAX], len[SUBX_NDIMS_MAX], stride[SUBX_NDIMS_MAX];
    ptrdiff_t volume = 1, offset = 0, distance;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < ndims && !rc; i++) {
        const int axis = a->order ? a->order[i] : ndims - 1 - i;
        stride[axis] = volume;
        start[axis] = a->start[axis] - a->below[axis];
        rc = sx_base_add(a->len[axis], a->below[axis], &len[axis]);
        rc = rc ? rc : sx_base_add(len[axis], a->above[axis], &len[axis]);
        rc = rc ? rc : sx_base_mul(a->below[axis], volume, &distance);
        rc = rc ? rc : sx_base_add(offset, distance, &offset);
        rc = rc ? rc : sx_base_mul(volume, len[axis], &volume);
    }
    rc = rc ? rc : sx_boxes_add(a->own[SX_FROM], a->start, a->len, offset, stride);
    return rc ? rc : sx_boxes_add(a->own[SX_TO], start, len, 0, stride);
}

static int set_problem(int ndims, const ptrdiff_t sizes[], problem *a)
{
    int rc = MPI_SUCCESS;
    for (int side = 0; side < 2 && !rc; side++)
        rc = subx_boxes_create(ndims, sizes, &a->own[side]);
    rc = rc ? rc : check_arguments(a);
    for (int i = 0; i < ndims && !rc; i++)
        a->period[i] = a->periodic && a->periodic[i] ? sizes[i] : 0;
    return rc ? rc : add_boxes(a);
}

/* Print the arguments that must be the same on all ranks. */
static void print_key(const problem *a, char *key, size_t room)
{
    sx_text t = {key, room, 0};
    sx_base_print_sizes(&t, a->own[SX_FROM]->ndims, a->own[SX_FROM]->sizes);
    sx_base_print(&t, " ");
    sx_base_print_sizes(&t, a->own[SX_FROM]->ndims, a->period);
}

/* ---- creation */

static int build(MPI_Comm comm, const sx_comm *ours, int rc, const problem *a, sx_all_boxes boxes[2],
                 sx_travel *travel, MPI_Info hints, subx_exch *ex)
{
    char key[2048] = "";
    if (!rc)
        print_key(a, key, sizeof key);
    rc = sx_boxes_gather(ours, rc, key, a->own[SX_FROM], &boxes[SX_FROM]);
    if (!rc)
        rc = sx_boxes_gather(ours, rc, NULL, a->own[SX_TO], &boxes[SX_TO]);
    if (!rc)
        rc = sx_boxes_check(ours, &boxes[SX_FROM], NULL, a->own[SX_FROM]->sizes);
    return rc ? rc : sx_boxes_create_exch(comm, rc, travel, hints, ex);
}

int subx_halo_create(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], const ptrdiff_t start[],
                     const ptrdiff_t len[], const ptrdiff_t below[], const ptrdiff_t above[],
                     const int periodic[], const int order[], MPI_Datatype elemtype, MPI_Info hints,
                     subx_halo *halo)
{
    problem a = {.start = start, .len = len, .below = below, .above = above};
    sx_all_boxes boxes[2] = {{.ndims = 0}, {.ndims = 0}};
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
    rc = halo ? set_problem(ndims, sizes, &a) : subx_error_get_code(SUBX_ERR_ARG);
    if (!rc && !made)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = build(comm, ours, rc, &a, boxes, &travel, hints, &ex);
    for (int side = 0; side < 2; side++) {
        sx_boxes_free(&boxes[side]);
        subx_boxes_free(&a.own[side]);
    }
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
