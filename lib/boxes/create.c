/* create.c - the exchange that brings the elements of held boxes to those who want them. */
#include "boxes/boxes.h"
#include "exch/exch.h"

/* ---- one type per peer, on both sides */

static MPI_Datatype *alloc_types(int n)
{
    MPI_Datatype *types = sx_base_alloc(n, sizeof *types);
    for (int i = 0; types && i < n; i++)
        types[i] = MPI_DATATYPE_NULL;
    return types;
}

static int set_extent(sx_travel *travel)
{
    MPI_Aint lb;
    ptrdiff_t bytes;
    if (travel->elemtype == MPI_DATATYPE_NULL)
        return subx_error_get_code(SUBX_ERR_TYPE);
    int rc = MPI_Type_get_extent(travel->elemtype, &lb, &travel->extent);
    for (int side = 0; side < 2 && !rc; side++)
        rc = sx_base_mul(travel->side[side]->end, travel->extent, &bytes);
    return rc;
}

int sx_boxes_create_exch(MPI_Comm comm, int rc, sx_travel *travel, MPI_Info hints, subx_exch *ex)
{
    const int p = travel->side[SX_FROM]->p;
    MPI_Datatype *types = alloc_types(2 * p);
    if (!rc && !types)
        rc = subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc)
        rc = set_extent(travel);
    for (int side = 0; side < 2 && !rc; side++)
        rc = sx_boxes_create_types(travel, side, types + side * p);
    rc = sx_exch_create(comm, rc, "", types, types ? types + p : NULL, hints, ex);
    if (!rc)
        (*ex)->is_in_place = travel->is_in_place;
    for (int i = 0; types && i < 2 * p; i++)
        if (types[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&types[i]);
    sx_base_free(types);
    return rc;
}

/* ---- redistribution */

/* The array, and what each side has of it on this rank. */
typedef struct problem {
    int ndims;
    const ptrdiff_t *sizes;
    sx_own_boxes own[2];
    MPI_Datatype elemtype;
    MPI_Info hints;
} problem;

static int check_problem(const problem *a, int *permuting_side, char *key, size_t room)
{
    static const char *const sides[] = {"recv", "send", NULL};
    sx_text t = {key, room, 0};
    int choice = 0, rc = sx_boxes_check_array(a->ndims, a->sizes);
    for (int side = 0; side < 2 && !rc; side++)
        rc = sx_boxes_check_own(a->ndims, a->sizes, &a->own[side]);
    if (!rc)
        rc = sx_base_hint_word(a->hints, "subx_permute", sides, &choice);
    if (rc)
        return rc;
    *permuting_side = choice == 0 ? SX_TO : SX_FROM;
    sx_base_print_sizes(&t, a->ndims, a->sizes);
    sx_base_print(&t, " %s", sides[choice]);
    return MPI_SUCCESS;
}

static int build(MPI_Comm comm, const sx_comm *ours, const problem *a, sx_boxes boxes[2], subx_exch *ex)
{
    sx_travel travel = {.side = {&boxes[SX_FROM], &boxes[SX_TO]}, .elemtype = a->elemtype};
    char key[1024] = "";
    int rc = check_problem(a, &travel.permuting_side, key, sizeof key);
    rc = sx_boxes_gather(ours, rc, key, a->ndims, &a->own[SX_FROM], &boxes[SX_FROM]);
    if (!rc)
        rc = sx_boxes_gather(ours, rc, NULL, a->ndims, &a->own[SX_TO], &boxes[SX_TO]);
    if (!rc)
        rc = sx_boxes_check(ours, &boxes[SX_FROM], &boxes[SX_TO], NULL);
    return rc ? rc : sx_boxes_create_exch(comm, rc, &travel, a->hints, ex);
}

static int create(MPI_Comm comm, const problem *a, subx_exch *ex)
{
    sx_boxes boxes[2] = {{.ndims = 0}, {.ndims = 0}};
    sx_comm *ours;
    if (ex)
        *ex = SUBX_EXCH_NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    rc = build(comm, ours, a, boxes, ex);
    for (int side = 0; side < 2; side++)
        sx_boxes_free(&boxes[side]);
    sx_comm_free(&ours);
    return rc;
}

int subx_exch_create_boxes(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int nsend,
                           const ptrdiff_t sstarts[], const ptrdiff_t slens[], const int sorders[], int nrecv,
                           const ptrdiff_t rstarts[], const ptrdiff_t rlens[], const int rorders[],
                           MPI_Datatype elemtype, MPI_Info hints, subx_exch *ex)
{
    const problem a = {.ndims = ndims,
                       .sizes = sizes,
                       .own = {{.n = nsend, .starts = sstarts, .lens = slens, .orders = sorders},
                               {.n = nrecv, .starts = rstarts, .lens = rlens, .orders = rorders}},
                       .elemtype = elemtype,
                       .hints = hints};
    return create(comm, &a, ex);
}

int subx_exch_create_boxes_strided(MPI_Comm comm, int ndims, const ptrdiff_t sizes[], int nsend,
                                   const ptrdiff_t sstarts[], const ptrdiff_t slens[],
                                   const ptrdiff_t soffsets[], const ptrdiff_t sstrides[], int nrecv,
                                   const ptrdiff_t rstarts[], const ptrdiff_t rlens[],
                                   const ptrdiff_t roffsets[], const ptrdiff_t rstrides[],
                                   MPI_Datatype elemtype, MPI_Info hints, subx_exch *ex)
{
    const problem a = {
        .ndims = ndims,
        .sizes = sizes,
        .own = {{.n = nsend, .starts = sstarts, .lens = slens, .offsets = soffsets, .strides = sstrides},
                {.n = nrecv, .starts = rstarts, .lens = rlens, .offsets = roffsets, .strides = rstrides}},
        .elemtype = elemtype,
        .hints = hints};
    return create(comm, &a, ex);
}
