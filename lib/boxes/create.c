/* create.c - create the exchange that moves the elements of held boxes to the ranks that want them. */
#include "boxes/boxes.h"
#include "exch/exch.h"
#include <string.h>

/* ---- one type per rank, on both sides */

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
        rc = sx_base_mul(travel->side[side]->own->end, travel->extent, &bytes);
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

static int refuse_sizes(subx_boxes send, subx_boxes recv)
{
    char text[SX_ERROR_LEN];
    sx_text t = {text, sizeof text, 0};
    const int code = subx_error_get_code(SUBX_ERR_DIFFERS);
    sx_base_print(&t, "subx: both arrays must be equal: boxes of one of ");
    sx_base_print_sizes(&t, send->ndims, send->sizes);
    sx_base_print(&t, " are sent, and boxes of one of ");
    sx_base_print_sizes(&t, recv->ndims, recv->sizes);
    sx_base_print(&t, " are received");
    sx_base_set_error_text(SUBX_ERR_DIFFERS, text);
    return code;
}

/* Check the arguments, and read the word permute. Append the hint and the lengths of the array to the key:
 * they must be the same on all ranks. */
static int check_arguments(subx_boxes send, subx_boxes recv, MPI_Info hints, int *permuting_side,
                           sx_text *key)
{
    static const char *const sides[] = {SX_WORD_SIDES};
    int choice = 0;
    if (!send || !recv)
        return subx_error_get_code(SUBX_ERR_ARG);
    if (send->ndims != recv->ndims || memcmp(send->sizes, recv->sizes, sizeof send->sizes) != 0)
        return refuse_sizes(send, recv);
    int rc = sx_base_hint_word(hints, "permute", sides, &choice);
    *permuting_side = choice == 0 ? SX_TO : SX_FROM;
    sx_base_print_sizes(key, send->ndims, send->sizes);
    sx_base_print(key, " %s", sides[choice]);
    return rc;
}

static int build(MPI_Comm comm, const sx_comm *ours, subx_boxes send, subx_boxes recv, sx_travel *travel,
                 sx_all_boxes boxes[2], MPI_Info hints, subx_exch *ex)
{
    char key[1024] = "";
    int rc = check_arguments(send, recv, hints, &travel->permuting_side, &(sx_text){key, sizeof key, 0});
    rc = sx_boxes_gather(ours, rc, key, send, &boxes[SX_FROM]);
    if (!rc)
        rc = sx_boxes_gather(ours, rc, NULL, recv, &boxes[SX_TO]);
    if (!rc)
        rc = sx_boxes_check(ours, &boxes[SX_FROM], &boxes[SX_TO], NULL);
    return rc ? rc : sx_boxes_create_exch(comm, rc, travel, hints, ex);
}

int subx_exch_create_boxes(MPI_Comm comm, subx_boxes send, subx_boxes recv, MPI_Datatype elemtype,
                           MPI_Info hints, subx_exch *ex)
{
    sx_all_boxes boxes[2] = {{.ndims = 0}, {.ndims = 0}};
    sx_travel travel = {.side = {&boxes[SX_FROM], &boxes[SX_TO]}, .elemtype = elemtype};
    sx_comm *ours;
    if (ex)
        *ex = SUBX_EXCH_NULL;
    int rc = sx_comm_get(comm, &ours);
    if (rc)
        return rc;
    rc = build(comm, ours, send, recv, &travel, boxes, hints, ex);
    for (int side = 0; side < 2; side++)
        sx_boxes_free(&boxes[side]);
    sx_comm_free(&ours);
    return rc;
}
