/* list.c - list the stages of a plan from the physical to the spectral side: serial transforms and exchanges.
 *
 * The list follows Dalcin, Mortensen & Keyes 2019, eqs. 26-32. First the axes that are whole are transformed.
 * Then, for each grid dimension k from the last to the first, an exchange makes axis k of the array's
 * sequence whole, and divides axis k+1 of the sequence instead; then axis k is transformed. For example,
 * three axes on a grid of P0 x P1 ranks (pencils):
 *
 *                   physical                                                 spectral
 *      axis 0          P0                           P0                         whole
 *      axis 1          P1                         whole                          P0
 *      axis 2       whole                           P1                           P1
 *
 *      stage      serial 2    exchange 2 and 1    serial 1    exchange 1 and 0   serial 0
 *
 * A backward execution takes the list in reverse. A grid dimension needs no exchange if it has one rank, or
 * if it divides an axis that is not transformed. If one end of the list is an edge (array.h), two stages are
 * added there: a copy and an exchange between all ranks. Some strategies (exchanges_edges) need no copy
 * there. If an axis is factored, its first factor is whole at the beginning. */
#include "stages/stages.h"
#include <string.h>

/* ---- the list */

static sx_stage *add_stage(sx_stages *list, int kind, const sx_box *from)
{
    sx_stage *s = &list->stage[list->n++];
    s->kind = kind;
    s->from = s->to = *from;
    return s;
}

static void set_width(const sx_stages *list, sx_box *b, int width)
{
    b->width = width;
    b->element = width * list->choice->array.real_bytes;
}

/* List the axes that a stage transforms: the halved axis, then the others in their storage order, innermost
 * first. */
static void order_axes(const sx_array *a, const char axes[], sx_stage *s)
{
    if (a->halved >= 0 && axes[a->halved])
        s->axes[s->naxes++] = a->halved;
    for (int i = 0; i < a->ndims; i++) {
        const int axis = a->order[SUBX_FFT_PHYSICAL][i];
        if (axes[axis] && axis != a->halved)
            s->axes[s->naxes++] = axis;
    }
}

static void name_serial(const sx_strategy *strategy, const char axes[], sx_stage *s)
{
    sx_text t = {s->name, sizeof s->name, 0};
    const char *comma = " ";
    sx_base_print(&t, s->naxes ? "%s, axes" : "copy", strategy->transform);
    for (int i = 0; i < s->from.ndims; i++) {
        if (!axes[i])
            continue;
        sx_base_print(&t, "%s%d", comma, i);
        comma = ",";
    }
}

void sx_stages_add_serial(sx_stages *list, const sx_box *from, const char axes[])
{
    const sx_array *a = &list->choice->array;
    sx_stage *s = add_stage(list, SUBX_FFT_STAGE_SERIAL, from);
    order_axes(a, axes, s);
    name_serial(list->strategy, axes, s);
    for (int i = 0; i < s->naxes; i++) {
        s->to.n[s->axes[i]] = a->axis[s->axes[i]].spectral;
        if (s->axes[i] == a->halved)
            set_width(list, &s->to, 2);
    }
}

const sx_box *sx_stages_get_last(const sx_stages *list)
{
    return &list->stage[list->n - 1].to;
}

/* Add an exchange over grid dimension k that makes axis `whole` whole and divides axis `divided`. */
static void add_exchange(sx_stages *list, const sx_box *from, int k, int whole, int divided)
{
    sx_stage *s = add_stage(list, SUBX_FFT_STAGE_EXCHANGE, from);
    sx_text t = {s->name, sizeof s->name, 0};
    s->dim = k;
    s->whole_before = divided;
    s->divided_before = whole;
    s->to.dist[divided] = k;
    s->to.dist[whole] = -1;
    s->to.block[whole] = 0;
    s->to.block[divided] = sx_choice_get_block(list->choice, SUBX_FFT_SPECTRAL, divided);
    if (list->strategy->reorders)
        sx_box_set_innermost(&s->to, whole, 0);
    sx_base_print(&t, "exchange, axes %d and %d, %d ranks", divided, whole, list->choice->dims[k]);
}

/* If the physical side is an edge, add the exchange from the edge to box b, and a copy before it unless the
 * strategy needs none. */
static void begin_at_edge(sx_stages *list, const sx_box *b)
{
    static const char none[SUBX_NDIMS_MAX] = {0};
    const sx_edge *edge = list->choice->edge[SUBX_FFT_PHYSICAL];
    if (!edge)
        return;
    if (!list->strategy->exchanges_edges) {
        sx_stages_add_serial(list, b, none);
        list->stage[0].edge[SX_FROM] = list->stage[0].edge[SX_TO] = edge;
    }
    sx_stage *s = add_stage(list, SUBX_FFT_STAGE_EXCHANGE, b);
    s->dim = -1;
    s->edge[SX_FROM] = edge;
    strcpy(s->name, "exchange, from the caller's boxes");
}

/* If the spectral side is an edge, add the exchange from the last box to the edge, and a copy after it unless
 * the strategy needs none. */
static void end_at_edge(sx_stages *list)
{
    static const char none[SUBX_NDIMS_MAX] = {0};
    const sx_edge *edge = list->choice->edge[SUBX_FFT_SPECTRAL];
    if (!edge)
        return;
    sx_stage *s = add_stage(list, SUBX_FFT_STAGE_EXCHANGE, sx_stages_get_last(list));
    s->dim = -1;
    s->edge[SX_TO] = edge;
    strcpy(s->name, "exchange, to the caller's boxes");
    if (list->strategy->exchanges_edges)
        return;
    sx_stages_add_serial(list, sx_stages_get_last(list), none);
    s = &list->stage[list->n - 1];
    s->edge[SX_FROM] = s->edge[SX_TO] = edge;
}

/* ---- the boxes at both ends */

static void set_physical(const sx_stages *list, sx_box *b)
{
    const sx_choice *c = list->choice;
    const sx_array *a = &c->array;
    b->ndims = a->ndims;
    b->padded = -1;
    set_width(list, b, a->width[SUBX_FFT_PHYSICAL]);
    memcpy(b->order, a->order[SUBX_FFT_PHYSICAL], sizeof b->order);
    for (int i = 0; i < a->ndims; i++) {
        b->n[i] = a->axis[i].points;
        b->dist[i] = -1;
    }
    for (int k = 0; k < c->g; k++) {
        const int axis = a->sequence[a->factored ? k + 1 : k];
        if (c->dims[k] == 1)
            continue;
        b->dist[axis] = k;
        b->block[axis] = sx_choice_get_block(c, SUBX_FFT_PHYSICAL, axis);
    }
}

/* Set the storage order of the spectral side. Transposed output has the order that the exchanges of stride1
 * produce: the axis that an exchange makes whole becomes the innermost one. Interleaved fields stay
 * innermost. */
static void set_output_order(sx_stages *list)
{
    const sx_array *a = &list->choice->array;
    sx_box *box = &list->stage[list->n - 1].to;
    memcpy(box->order, a->order[SUBX_FFT_SPECTRAL], sizeof box->order);
    const int components = box->order[0] == a->fields;
    for (int i = 0; i < list->n && sx_choice_is_transposed(list->choice); i++)
        if (sx_stage_is_exchange(&list->stage[i]) && list->stage[i].dim >= 0)
            sx_box_set_innermost(box, list->stage[i].divided_before, components);
}

/* ---- the whole list */

static void add_all(sx_stages *list)
{
    const sx_choice *c = list->choice;
    const sx_array *a = &c->array;
    char axes[SUBX_NDIMS_MAX] = {0};
    sx_box b = {0};
    set_physical(list, &b);
    begin_at_edge(list, &b);
    for (int i = 0; i < a->ndims; i++)
        axes[i] = b.dist[i] < 0 && a->axis[i].kind != SUBX_FFT_NONE;
    list->strategy->add_transforms(list, &b, axes);
    for (int k = c->g - 1; k >= 0; k--) {
        const int whole = a->sequence[a->factored ? 1 : k], divided = a->sequence[a->factored ? 0 : k + 1];
        if (c->dims[k] == 1 || k < a->nfixed)
            continue;
        add_exchange(list, sx_stages_get_last(list), k, whole, divided);
        memset(axes, 0, sizeof axes);
        axes[whole] = 1;
        list->strategy->add_transforms(list, sx_stages_get_last(list), axes);
    }
    set_output_order(list);
    end_at_edge(list);
}

sx_stages *sx_stages_alloc(const sx_array *a)
{
    const size_t most = 2 * (size_t)a->ndims + 4; /* as SX_NSTAGES_MAX */
    return sx_base_alloc(1, sizeof(sx_stages) + most * sizeof(sx_stage));
}

int sx_stages_list(sx_stages *list, const sx_choice *c)
{
    memset(list->stage, 0, (size_t)list->n * sizeof *list->stage);
    list->n = 0;
    list->choice = c;
    list->strategy = sx_choice_get_strategy(c);
    if (!list->strategy || !sx_choice_may_have(c, list->strategy))
        return 0;
    add_all(list);
    return 1;
}
