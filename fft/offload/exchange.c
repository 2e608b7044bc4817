/* exchange.c - create an exchange of a plan on a device. subx_exch_create_realign has balanced blocks only, so the types of all
 * blocks are created here. Data are sent in the storage order of the receiver. */
#include "offload/offload.h"
#include <string.h>

/* The types of the blocks that this rank sends, and then of those that it receives: one for each of p ranks. */
typedef struct blocks {
    int p;
    MPI_Datatype element, *type;
} blocks;

static MPI_Datatype get_element(int precision, const sx_box *b)
{
    if (precision == SUBX_FFT_FLOAT)
        return b->width == 2 ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
    return b->width == 2 ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
}

/* Create the type of a block in this rank's box. The block extends from start to start + len along an axis, and over all of
 * the box along the other axes. Its elements are sent in an order of the axes. A type has axes in the order of their
 * storage. */
static int create_type(const sx_box *b, int axis, ptrdiff_t start, ptrdiff_t len, const int sent[],
                       MPI_Datatype element, MPI_Datatype *type)
{
    MPI_Count sizes[SUBX_NDIMS_MAX], subsizes[SUBX_NDIMS_MAX], starts[SUBX_NDIMS_MAX];
    int place[SUBX_NDIMS_MAX], order[SUBX_NDIMS_MAX];
    for (int k = 0; k < b->ndims; k++) {
        const int a = b->order[k];
        place[a] = k;
        sizes[k] = b->len[a];
        subsizes[k] = a == axis ? len : b->len[a];
        starts[k] = a == axis ? start : 0;
    }
    for (int k = 0; k < b->ndims; k++)
        order[k] = place[sent[k]];
    return subx_type_create_subarray_c(b->ndims, sizes, subsizes, starts, MPI_ORDER_FORTRAN, order, element,
                                       type);
}

/* A block has the sender's part of the axis that becomes whole, and the receiver's part of the axis that becomes divided. */
static int create_types(const sx_stage *e, int d, blocks *b)
{
    const sx_box *from = sx_stage_get_box(e, d, SX_FROM), *to = sx_stage_get_box(e, d, SX_TO);
    const int whole = sx_stage_get_whole(e, d), divided = sx_stage_get_divided(e, d);
    int rc = MPI_SUCCESS;
    for (int q = 0; q < b->p && !rc; q++) {
        ptrdiff_t len, start;
        sx_box_get_part(to, divided, b->p, q, &len, &start);
        rc = create_type(from, divided, start, len, to->order, b->element, &b->type[q]);
        sx_box_get_part(from, whole, b->p, q, &len, &start);
        rc = rc ? rc : create_type(to, whole, start, len, to->order, b->element, &b->type[b->p + q]);
    }
    return rc;
}

/* All types are null at first, so that only the created ones are freed after an error. */
static int alloc_types(blocks *b)
{
    b->type = sx_base_alloc(2 * (ptrdiff_t)b->p, sizeof *b->type);
    for (int q = 0; b->type && q < 2 * b->p; q++)
        b->type[q] = MPI_DATATYPE_NULL;
    return b->type ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

static void free_types(const blocks *b)
{
    for (int q = 0; b->type && q < 2 * b->p; q++)
        if (b->type[q] != MPI_DATATYPE_NULL)
            MPI_Type_free(&b->type[q]);
    sx_base_free(b->type);
}

/* The creation fails on all ranks if a rank gives no types. */
int sx_offload_create_exchange(subx_fft_plan plan, int i, int d, int rc, MPI_Info hints)
{
    sx_offload *a = plan->state;
    const sx_stage *e = &plan->stage[i];
    blocks b = {.p = sx_plan_get_ranks(plan, e),
                .element = get_element(plan->choice.array.precision, &e->from)};
    MPI_Comm row;
    (void)subx_grid_get_comm(plan->grid, e->dim, &row);
    rc = rc ? rc : alloc_types(&b);
    rc = rc ? rc : create_types(e, d, &b);
    rc = rc ? rc : sx_hints_set_engine(plan->engine, plan->choice.hints.between, e->dim, hints);
    const int failed =
        subx_exch_create(row, rc ? NULL : b.type, rc ? NULL : b.type + b.p, hints, &a->stage[i].exch[d]);
    free_types(&b);
    return rc ? rc : failed;
}

/* ---- texts */

/* How data travel in an exchange. */
typedef struct ways {
    char engine[SX_HINT_LEN], carrier[SX_HINT_LEN], dropped[SX_HINT_LEN], why[SX_HINT_LEN];
} ways;

static void get_value(MPI_Info info, const char *key, char value[])
{
    int found = 0;
    *value = '\0';
    (void)MPI_Info_get(info, key, SX_HINT_LEN - 1, value, &found);
}

/* Returns 0 if this rank does not have the exchange. */
static int get_ways(subx_exch ex, ways *w)
{
    MPI_Info info;
    if (!ex || subx_exch_get_info(ex, &info))
        return 0;
    get_value(info, "subx_engine", w->engine);
    get_value(info, "subx_device_carrier", w->carrier);
    get_value(info, "subx_dropped", w->dropped);
    get_value(info, "subx_device_why", w->why);
    MPI_Info_free(&info);
    return 1;
}

static int is_direct(const ways *w)
{
    return (strcmp(w->engine, "shm") == 0 || strcmp(w->engine, "node") == 0) && !strstr(w->dropped, "ipc");
}

/* The carrier is "auto" if no data need one. */
static const char *get_text(const ways *w)
{
    return strcmp(w->carrier, "auto") == 0       ? NULL
           : strcmp(w->carrier, "messages") == 0 ? "as messages between GPUs (messages)"
                                                 : "through the host's memory (staged)";
}

static void print_exchange(const ways *w, sx_text *t)
{
    const char *carried = get_text(w);
    if (is_direct(w))
        sx_base_print(t, "ranks of a node read each other's memory%s", carried ? ", other data go " : "");
    else
        sx_base_print(t, "data between ranks %s", carried ? "go " : "stay");
    sx_base_print(t, "%s", carried ? carried : "");
    if (*w->why)
        sx_base_print(t, " (%s)", w->why);
}

/* All exchanges of a plan mostly have the same ways; each text is printed once. */
void sx_offload_print_ways(subx_fft_plan plan, sx_text *t)
{
    const sx_offload *a = plan->state;
    char last[4 * SX_HINT_LEN] = "";
    for (int i = 0; i < plan->nstages; i++) {
        char text[sizeof last];
        sx_text one = {text, sizeof text, 0};
        ways w;
        if (!get_ways(a->stage[i].exch[SX_FORWARD], &w))
            continue;
        print_exchange(&w, &one);
        if (strcmp(text, last) != 0)
            sx_base_print(t, "; %s", text);
        strcpy(last, text);
    }
}
