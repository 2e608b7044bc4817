/* create.c - create and free what a staged plan has: exchanges, memory, serial transforms. */
#include "pass/pass.h"
#include "staged/staged.h"
#include <string.h>

/* ---- exchanges */

/* An exchange sees the global lengths of the two axes that it changes, and the local ones of all others. A rank that
 * has failed asks for an exchange of no dimensions, which fails in its whole row. */
static int create_exchange(subx_fft_plan plan, int i, int d, int rc, void *hints)
{
    sx_staged *a = plan->state;
    const sx_stage *e = &plan->stage[i];
    const sx_box *from = sx_stage_get_box(e, d, SX_FROM), *to = sx_stage_get_box(e, d, SX_TO);
    int v = sx_stage_get_divided(e, d), w = sx_stage_get_whole(e, d);
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    MPI_Count bytes = 0;
    MPI_Comm row;
    for (int k = 0; k < from->ndims; k++)
        sizes[k] = k == v || k == w ? from->n[k] : from->len[k];
    (void)subx_grid_get_comm(plan->grid, e->dim, &row);
    int failed = subx_exch_create_realign(row, rc ? 0 : from->ndims, sizes, v, w, from->order, to->order,
                                          MPI_C_DOUBLE_COMPLEX, *(MPI_Info *)hints, &a->stage[i].exch[d]);
    if (!failed)
        failed = subx_exch_get(a->stage[i].exch[d], NULL, NULL, NULL, &bytes);
    a->exch_bytes = bytes > a->exch_bytes ? (ptrdiff_t)bytes : a->exch_bytes;
    return failed;
}

/* ---- memory */

/* Arrays begin on pages. Those of a rank without data must differ all the same. */
static ptrdiff_t round_up(ptrdiff_t bytes)
{
    enum { PAGE = 4096 };
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* A work array must hold any array between two stages, and stand for the caller's when transforms are planned. */
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

/* One piece of memory for all, since each piece costs mappings between all ranks of a node. Collective. */
static int alloc_work(subx_fft_plan plan, MPI_Info hints)
{
    sx_staged *a = plan->state;
    const int narrays = sx_staged_get_narrays(plan);
    int rc = subx_mem_alloc(plan->all, narrays * a->array_bytes + a->exch_bytes, hints, &a->memory);
    if (rc)
        return rc;
    a->work[0] = a->memory;
    a->work[1] = narrays > 1 ? a->work[0] + a->array_bytes : NULL;
    a->exch_work = a->work[0] + narrays * a->array_bytes;
    return MPI_SUCCESS;
}

static int set_exchange_work(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_staged *a = plan->state;
    (void)rc, (void)context;
    return subx_exch_set_work(a->stage[i].exch[d], a->exch_work);
}

/* ---- serial transforms */

static void set_axes(sx_serial_problem *p, const sx_stage *s, int d)
{
    const sx_box *from = sx_stage_get_box(s, d, SX_FROM), *to = sx_stage_get_box(s, d, SX_TO);
    ptrdiff_t is[SUBX_NDIMS_MAX], os[SUBX_NDIMS_MAX];
    sx_box_get_strides(from, is);
    sx_box_get_strides(to, os);
    for (int i = 0; i < from->ndims; i++) {
        /* The axes of a stage are whole: the physical length is the local one, also of the halved axis. */
        if (p->naxes < s->naxes && s->axes[p->naxes] == i)
            p->axis[p->naxes++] = (sx_serial_dim){s->from.n[i], is[i], os[i]};
        else
            p->loop[p->nloops++] = (sx_serial_dim){from->len[i], is[i], os[i]};
    }
}

/* Work arrays stand for the caller's arrays. Between exchanges transforms are in place. */
static int create_serial(subx_fft_plan plan, int i, int d, int rc, void *spare)
{
    sx_staged *a = plan->state;
    const sx_stage *s = &plan->stage[i];
    const int reads_caller = sx_plan_get_adjacent(plan, i, d, SX_FROM) < 0;
    const int writes_caller = sx_plan_get_adjacent(plan, i, d, SX_TO) < 0;
    sx_serial_problem p = {.kind = sx_stage_get_kind(s, d),
                           .direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD,
                           .any_alignment = reads_caller || writes_caller};
    if (rc || s->from.bytes == 0 || s->to.bytes == 0)
        return rc;
    p.keep_input = reads_caller && p.kind != SUBX_FFT_C2R;
    set_axes(&p, s, d);
    void *out = reads_caller || writes_caller ? spare : a->work[0];
    return plan->choice.serial->create(&p, plan->choice.effort, a->work[0], out, &a->stage[i].serial[d]);
}

/* A plan without exchanges executes with one work array, and needs a second one only here. */
static int create_serials(subx_fft_plan plan)
{
    sx_staged *a = plan->state;
    void *spare = a->work[1] ? a->work[1] : sx_base_alloc(a->array_bytes, 1);
    int rc = spare ? sx_plan_for_each(plan, SUBX_FFT_STAGE_SERIAL, create_serial, spare)
                   : subx_error_get(SUBX_ERR_NO_MEM);
    if (spare != a->work[1])
        sx_base_free(spare);
    return rc;
}

/* ---- create and free */

/* Rows of a grid may be served by different engines. One of this rank's is told. */
static int set_engine(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    const char *engine = plan->engine;
    (void)context;
    if (!rc)
        rc = subx_exch_get(((sx_staged *)plan->state)->stage[i].exch[d], &engine, NULL, NULL, NULL);
    if (!rc)
        strcpy(plan->engine, engine);
    return rc;
}

int sx_staged_create(subx_fft_plan plan, MPI_Info hints)
{
    sx_staged *a = plan->state = sx_base_alloc(1, sizeof *a);
    plan->threads = sx_pass_get_threads(plan->choice.threads);
    int rc = sx_base_agree(plan->all, a ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
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
    if (a)
        (void)subx_mem_free(&a->memory);
    sx_base_free(a);
}
