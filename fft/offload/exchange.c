/* exchange.c - create the exchanges of a plan on a device. Data are sent in the storage order of the
 * receiver.
 *
 * Between an edge and the grid, two ranks may have several blocks for each other. A type of several blocks
 * would always be packed, and subx_exch accepts at most 256 blocks per type. So the stage has several layers
 * instead. Each layer is an exchange, and layer k moves the k-th block of each pair of ranks. */
#include "offload/offload.h"
#include <string.h>

/* ---- types */

/* The types of the blocks that this rank sends, and then of those that it receives: one for each of p
 * ranks. */
typedef struct blocks {
    int p;
    MPI_Datatype *type;
} blocks;

static MPI_Datatype get_element(int precision, const sx_box *b)
{
    if (precision == SUBX_FFT_FLOAT)
        return b->width == 2 ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
    return b->width == 2 ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
}

/* A type stays null if there is no block. */
static int create_types(subx_fft_plan plan, int i, int d, int layer, blocks *b)
{
    const sx_box *box = &plan->stage[i].from;
    const MPI_Datatype element = get_element(plan->choice.array.precision, box);
    int rc = MPI_SUCCESS;
    for (int q = 0; q < 2 * b->p && !rc; q++) {
        sx_offload_block block;
        if (sx_offload_get_block(plan, i, d, q < b->p ? SX_FROM : SX_TO, q % b->p, layer, &block))
            rc = sx_offload_create_type(box->ndims, &block, element, box->element, &b->type[q]);
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

/* ---- layers */

/* Get the largest number of blocks that this rank has for, or from, one partner. */
static int count_blocks(subx_fft_plan plan, int i)
{
    const int p = sx_plan_get_ranks(plan, &plan->stage[i]);
    sx_offload_block b;
    int most = 1;
    for (int side = 0; side < 2; side++)
        for (int q = 0; q < p; q++)
            while (sx_offload_get_block(plan, i, SX_FORWARD, side, q, most, &b))
                most++;
    return most;
}

/* Every exchange has at least one layer. If an edge has several blocks for a partner, all ranks have the same
 * number of layers: the largest number of blocks. */
int sx_offload_create_layers(subx_fft_plan plan)
{
    sx_offload *a = plan->state;
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages && !rc; i++) {
        sx_offload_stage *s = &a->stage[i];
        s->nlayers = 1;
        if (!sx_stage_is_exchange(&plan->stage[i]))
            continue;
        if (plan->stage[i].dim < 0) {
            s->nlayers = count_blocks(plan, i);
            rc = sx_base_agree_flags(plan->all, MPI_SUCCESS, NULL, 1, &s->nlayers);
        }
        for (int d = 0; d < 2 && !rc; d++) {
            s->exch[d] = sx_base_alloc(s->nlayers, sizeof *s->exch[d]);
            rc = sx_base_agree(plan->all, s->exch[d] ? rc : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
        }
    }
    return rc;
}

/* Take part in the creation of an exchange after the error rc, and keep the text of rc. */
static void join_creation(MPI_Comm row, int rc, MPI_Info hints, subx_exch *ex)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length;
    (void)MPI_Error_string(rc, text, &length);
    text[SX_ERROR_LEN - 1] = '\0';
    (void)subx_exch_create(row, NULL, NULL, hints, ex);
    (void)sx_base_set_error_text(subx_error_get_kind(rc), text);
}

static int create_layer(subx_fft_plan plan, int i, int d, int layer, int rc, MPI_Info hints)
{
    sx_offload *a = plan->state;
    blocks b = {.p = sx_plan_get_ranks(plan, &plan->stage[i])};
    MPI_Comm row;
    (void)subx_grid_get_comm(plan->grid, plan->stage[i].dim, &row);
    rc = rc ? rc : alloc_types(&b);
    rc = rc ? rc : create_types(plan, i, d, layer, &b);
    if (rc)
        join_creation(row, rc, hints, &a->stage[i].exch[d][layer]);
    else
        rc = subx_exch_create(row, b.type, b.type + b.p, hints, &a->stage[i].exch[d][layer]);
    free_types(&b);
    return rc;
}

/* The creation fails on all ranks if a rank gives no types. */
int sx_offload_create_exchange(subx_fft_plan plan, int i, int d, int rc, MPI_Info hints)
{
    const sx_offload *a = plan->state;
    rc = rc ? rc : sx_hints_set_engine(plan->engine, plan->choice.hints.between, plan->stage[i].dim, hints);
    rc = rc ? rc : MPI_Info_set(hints, "subx_wire", a->stage[i].is_narrow ? "float" : "full");
    for (int layer = 0; layer < a->stage[i].nlayers; layer++)
        rc = create_layer(plan, i, d, layer, rc, hints);
    return rc;
}

void sx_offload_free_exchanges(sx_offload_stage *s)
{
    for (int d = 1; d >= 0; d--) {
        for (int layer = s->nlayers - 1; layer >= 0 && s->exch[d]; layer--)
            (void)subx_exch_free(&s->exch[d][layer]);
        sx_base_free(s->exch[d]);
        s->exch[d] = NULL;
    }
}

/* ---- texts */

/* How data travel in an exchange. */
typedef struct ways {
    char engine[SX_HINT_LEN], carrier[SX_HINT_LEN], carriers[SX_HINT_LEN], reader[SX_HINT_LEN];
    char dropped[SX_HINT_LEN], why[SX_HINT_LEN];
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
    (void)sx_base_hint(info, "device_carrier", "auto", w->carrier);
    get_value(info, "subx_device_carriers", w->carriers);
    (void)sx_base_hint(info, "device_reader", "auto", w->reader);
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
        sx_base_print(t, "ranks of a node read each other's memory%s%s",
                      strcmp(w->reader, "copies") == 0 ? " by the copy engine (copies)" : "",
                      carried ? ", other data go " : "");
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
        const subx_exch *exch = a->stage[i].exch[SX_FORWARD];
        if (!exch || !get_ways(exch[0], &w))
            continue;
        print_exchange(&w, &one);
        if (strcmp(text, last) != 0)
            sx_base_print(t, "; %s", text);
        strcpy(last, text);
    }
}

/* ---- for searches */

/* Add the ways of one exchange to those of all exchanges. A carrier may be barred; both readers work in every
 * exchange. */
static void add_ways(const ways *one, sx_ways *w)
{
    const char *name;
    for (int i = 0; !sx_hints_query_device_carrier(i, &name) && name; i++) {
        w->is_used[SX_WAY_CARRIER][i] |= strcmp(one->carrier, name) == 0;
        w->is_barred[SX_WAY_CARRIER][i] |= !sx_base_has_word(one->carriers, name, " ");
    }
    for (int i = 0; !sx_hints_query_device_reader(i, &name) && name; i++)
        w->is_used[SX_WAY_READER][i] |= strcmp(one->reader, name) == 0;
}

void sx_offload_get_ways(subx_fft_plan plan, sx_ways *w)
{
    const sx_offload *a = plan->state;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && a->stage[i].exch[d]; d++)
            for (int layer = 0; layer < a->stage[i].nlayers; layer++) {
                ways one;
                if (get_ways(a->stage[i].exch[d][layer], &one))
                    add_ways(&one, w);
            }
}
