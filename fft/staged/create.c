/* create.c - create and free the state of a plan of strategy stride1 or natural: exchanges, memory, serial
 * transforms. */
#include "pass/pass.h"
#include "staged/staged.h"
#include <string.h>

/* ---- exchanges */

/* Query whether elements are sent as bytes: quads, because MPI has no type for them; and elements of more
 * than 16 bytes, because Open MPI overruns a buffer of its own if it cuts a message within a basic type of
 * more than 16 bytes. */
static int is_of_bytes(int precision, const sx_box *b)
{
    return b->element > 16 || precision == SUBX_FFT_QUAD;
}

/* Get the type of an element. The caller frees it if is_of_bytes. */
static int get_type(int precision, const sx_box *b, MPI_Datatype *type)
{
    const int is_complex = b->width == 2;
    if (is_of_bytes(precision, b))
        return MPI_Type_contiguous(sx_base_fit(b->element), MPI_BYTE, type);
    if (precision == SUBX_FFT_FLOAT)
        *type = is_complex ? MPI_C_FLOAT_COMPLEX : MPI_FLOAT;
    else if (precision == SUBX_FFT_DOUBLE)
        *type = is_complex ? MPI_C_DOUBLE_COMPLEX : MPI_DOUBLE;
    else
        *type = MPI_LONG_DOUBLE;
    return MPI_SUCCESS;
}

/* Create the exchange of stage i in direction d. Of the axis that the exchange divides, and of the axis that
 * it makes whole, an exchange takes the global length; of all other axes it takes the local length. A rank
 * that has failed gives 0 axes, so that the creation of the exchange fails on all its ranks. */
static int create_exchange(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    MPI_Info hints = *(MPI_Info *)context;
    sx_staged *a = plan->state;
    const sx_stage *e = &plan->stage[i];
    const sx_box *from = sx_stage_get_box(e, d, SX_FROM), *to = sx_stage_get_box(e, d, SX_TO);
    const int precision = plan->choice.array.precision;
    int v = sx_stage_get_divided(e, d), w = sx_stage_get_whole(e, d);
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    ptrdiff_t bytes = 0;
    MPI_Comm row;
    for (int k = 0; k < from->ndims; k++)
        sizes[k] = k == v || k == w ? from->n[k] : from->len[k];
    (void)subx_grid_get_comm(plan->grid, e->dim, &row);
    rc = rc ? rc : get_type(precision, from, &type);
    rc = rc ? rc : sx_hints_set_engine(plan->engine, plan->choice.hints.between, e->dim, hints);
    int failed = subx_exch_create_realign(row, rc ? 0 : from->ndims, sizes, v, w, from->order, to->order,
                                          type, hints, &a->stage[i].exch[d]);
    if (is_of_bytes(precision, from) && type != MPI_DATATYPE_NULL)
        MPI_Type_free(&type);
    if (!failed)
        failed = subx_exch_get(a->stage[i].exch[d], NULL, NULL, NULL, &bytes);
    a->exch_bytes = bytes > a->exch_bytes ? (ptrdiff_t)bytes : a->exch_bytes;
    return failed;
}

/* ---- memory */

/* Round up to pages: each array begins on a page. */
static ptrdiff_t round_up(ptrdiff_t bytes)
{
    return (bytes + SX_PAGE - 1) / SX_PAGE * SX_PAGE;
}

/* A work array must have room for any array between two stages, and for the caller's arrays: while serial
 * transforms are planned, work arrays stand in for the caller's arrays. An array has at least one page, so
 * that it has an address of its own. */
static void set_array_bytes(subx_fft_plan plan, sx_staged *a)
{
    for (int i = 0; i < plan->nstages; i++) {
        const sx_stage *s = &plan->stage[i];
        ptrdiff_t most = s->from.bytes > s->to.bytes ? s->from.bytes : s->to.bytes;
        a->array_bytes = most > a->array_bytes ? most : a->array_bytes;
    }
    a->array_bytes = round_up(a->array_bytes > 0 ? a->array_bytes : 1);
}

int sx_staged_get_narrays(subx_fft_plan plan)
{
    return plan->nstages > 1 ? 2 : 1;
}

/* Allocate the work arrays and the memory of the exchanges as one piece, because each rank maps all pieces of
 * the ranks of its node, and each mapping takes time. Collective. */
static int alloc_work(subx_fft_plan plan, MPI_Info hints)
{
    sx_staged *a = plan->state;
    const int narrays = sx_staged_get_narrays(plan);
    int rc = subx_mem_alloc(plan->all, narrays * a->array_bytes + a->exch_bytes, hints, &a->memory);
    if (rc)
        return rc;
    plan->at[SX_AT_WORK] = a->memory;
    plan->at[SX_AT_WORK + 1] = narrays > 1 ? (char *)a->memory + a->array_bytes : NULL;
    a->exch_work = (char *)a->memory + narrays * a->array_bytes;
    return MPI_SUCCESS;
}

static int set_exchange_work(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_staged *a = plan->state;
    (void)rc, (void)context;
    return subx_exch_set_work(a->stage[i].exch[d], a->exch_work);
}

/* ---- serial transforms */

/* Plan the serial transform of stage i in direction d. The caller's arrays are not known yet: work arrays,
 * one of which is `spare`, stand in for them. A transform between two exchanges is in place. */
static int create_serial(subx_fft_plan plan, int i, int d, int rc, void *spare)
{
    sx_staged *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    const int reads_caller = sx_plan_get_adjacent(plan, i, d, SX_FROM) < 0;
    const int writes_caller = sx_plan_get_adjacent(plan, i, d, SX_TO) < 0;
    if (rc || s->from.bytes == 0 || s->to.bytes == 0)
        return rc;
    sx_serial_problem p = sx_stage_get_problem(&plan->choice, s, d, reads_caller);
    p.any_alignment = reads_caller || writes_caller;
    p.notes = plan->choice.shared.notes;
    if (sx_serial_is_r2r(p.kind) && sx_stage_get_box(s, d, SX_FROM)->width == 2)
        sx_serial_loop_over_parts(&p);
    void *in = plan->at[SX_AT_WORK], *out = reads_caller || writes_caller ? spare : in;
    const sx_serial *backend = plan->choice.serial;
    void **state = &a->stage[i].serial[d];
    rc = backend->create(&p, sx_hints_get_rigor(&plan->choice.hints), in, out, state);
    if (!rc && backend->get_bytes(*state) > a->serial_bytes)
        a->serial_bytes = backend->get_bytes(*state);
    return rc;
}

/* Planning needs two arrays. A plan with a single stage has only one work array, so the second array is
 * allocated here and freed after planning. */
static int create_serials(subx_fft_plan plan)
{
    sx_staged *a = plan->state;
    void *const second = plan->at[SX_AT_WORK + 1],
                *spare = second ? second : sx_base_alloc(a->array_bytes, 1);
    int rc = spare ? sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_serial, spare)
                   : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (spare != second)
        sx_base_free(spare);
    if (rc)
        return rc;
    a->serial_work = sx_base_alloc(a->serial_bytes, 1);
    return a->serial_work ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* ---- create and free */

/* Set the engine that the plan reports: the caller's list of engines, if there is one, else the engine of the
 * last exchange that was created. */
static int set_engine(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_staged *a = plan->state;
    const char *engine = plan->engine;
    int traits = 0;
    (void)context;
    if (!rc)
        rc = subx_exch_get(a->stage[i].exch[d], &engine, NULL, NULL, NULL);
    if (!rc)
        rc = subx_exch_query_traits(engine, &traits);
    a->blocks |= (traits & SUBX_ENGINE_BLOCKS) != 0;
    if (!rc && !strchr(plan->engine, '/'))
        strcpy(plan->engine, engine);
    return rc;
}

int sx_staged_create(subx_fft_plan plan, MPI_Info hints)
{
    sx_staged *a = plan->state = sx_base_alloc(1, sizeof *a + (size_t)plan->nstages * sizeof *a->stage);
    plan->threads = sx_pass_get_threads(plan->choice.hints.threads);
    int rc = sx_base_agree(plan->all, a ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), NULL);
    if (rc)
        return rc;
    set_array_bytes(plan, a);
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, create_exchange, &hints);
    rc = sx_base_agree(plan->all, rc, NULL);
    if (!rc)
        rc = alloc_work(plan, hints);
    if (rc)
        return rc;
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_exchange_work, NULL);
    if (!rc)
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_engine, NULL);
    return rc ? rc : create_serials(plan);
}

static void free_stage(const sx_serial *backend, sx_staged_stage *s)
{
    for (int d = 0; d < 2; d++) {
        (void)subx_exch_free(&s->exch[d]);
        if (s->serial[d])
            backend->free(s->serial[d]);
    }
}

void sx_staged_free(subx_fft_plan plan)
{
    sx_staged *a = plan->state;
    for (int i = plan->nstages - 1; a && i >= 0; i--)
        free_stage(plan->choice.serial, &a->stage[i]);
    if (!a)
        return;
    sx_base_free(a->serial_work);
    (void)subx_mem_free(&a->memory);
    sx_base_free(a);
}
