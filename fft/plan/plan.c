/* plan.c - create and free a plan: its grid, its memory, its exchanges, its serial transforms. */
#include "plan/plan.h"
#include <math.h>

/* ---- free */

static void free_stage(const sx_serial *backend, sx_stage *s)
{
    for (int d = 0; d < 2; d++) {
        subx_exch_free(&s->exch[d]);
        if (s->serial[d])
            backend->free(s->serial[d]);
    }
}

int subx_fft_plan_free(subx_fft_plan *plan)
{
    if (!plan || !*plan)
        return MPI_SUCCESS;
    subx_fft_plan p = *plan;
    sx_plan_free_fused(p);
    for (int i = p->nstages - 1; i >= 0; i--)
        free_stage(p->choice.serial, &p->stage[i]);
    int rc = subx_grid_free(&p->grid);
    subx_mem_free((void **)&p->exch_work);
    subx_mem_free(&p->work[1]);
    subx_mem_free(&p->work[0]);
    sx_base_free(p);
    *plan = SUBX_FFT_PLAN_NULL;
    return rc;
}

/* ---- memory */

/* Two arrays are enough for any number of exchanges (Dalcin, Mortensen & Keyes 2019, section 3.6).
 * Exchanges send from them only, and peers on the node then read what they get where it is. Collective. */
static int alloc_work(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < 2 && !rc; i++)
        rc = subx_mem_alloc(all, plan->array_bytes, hints, &plan->work[i]);
    return rc;
}

/* A plan without exchanges works in the caller's arrays, and keeps one array for the cases of
 * sx_plan_execute. The second was for the serial backend to plan with. */
static void trim_work(subx_fft_plan plan)
{
    if (plan->nstages > 1)
        return;
    subx_mem_free(&plan->work[1]);
}

/* ---- exchanges */

int sx_plan_add_hint(MPI_Info hints, const char *key, const char *value, MPI_Info *info)
{
    int rc = hints == MPI_INFO_NULL ? MPI_Info_create(info) : MPI_Info_dup(hints, info);
    return rc ? rc : MPI_Info_set(*info, key, value);
}

static int create_exchange(subx_fft_plan plan, sx_stage *s, int d, MPI_Info info, int ndims)
{
    const sx_box *from = sx_stage_get_box(s, d, SX_FROM), *to = sx_stage_get_box(s, d, SX_TO);
    int v = sx_stage_get_divided(s, d), w = sx_stage_get_whole(s, d);
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    MPI_Count work;
    MPI_Comm comm;
    for (int i = 0; i < from->ndims; i++)
        sizes[i] = i == v || i == w ? from->n[i] : from->len[i];
    int rc = subx_grid_get_comm(plan->grid, s->dim, &comm);
    if (!rc)
        rc = subx_exch_create_realign(comm, ndims, sizes, v, w, from->order, to->order, MPI_C_DOUBLE_COMPLEX,
                                      info, &s->exch[d]);
    if (!rc)
        rc = subx_exch_get(s->exch[d], NULL, NULL, NULL, &work);
    if (!rc && work > plan->exch_bytes)
        plan->exch_bytes = (ptrdiff_t)work;
    return rc;
}

/* The plan owns the work space. Collective on the grid's rows, of which some may fail and others not. A rank
 * that has failed goes on with an exchange of no dimensions, which fails in its whole row, so that all meet
 * again at the caller's agreement. */
static int create_exchanges(subx_fft_plan plan, MPI_Info hints)
{
    MPI_Info info = MPI_INFO_NULL;
    int rc = sx_plan_add_hint(hints, "subx_work", "caller", &info);
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]); d++) {
            int failed = create_exchange(plan, &plan->stage[i], d, info, rc ? 0 : plan->choice.ndims);
            rc = rc ? rc : failed;
        }
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return rc;
}

/* One work space serves all exchanges, since one at a time is in flight. */
static int set_exchange_work(subx_fft_plan plan, MPI_Comm all)
{
    int rc = subx_mem_alloc(all, plan->exch_bytes, MPI_INFO_NULL, (void **)&plan->exch_work);
    if (rc)
        return rc;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && sx_stage_is_exchange(&plan->stage[i]); d++) {
            int failed = subx_exch_set_work(plan->stage[i].exch[d], plan->exch_work);
            rc = rc ? rc : failed;
        }
    return rc;
}

/* ---- serial transforms */

static void set_dims(sx_serial_problem *p, const sx_stage *s, int d)
{
    const sx_box *from = sx_stage_get_box(s, d, SX_FROM), *to = sx_stage_get_box(s, d, SX_TO);
    ptrdiff_t is[SUBX_NDIMS_MAX], os[SUBX_NDIMS_MAX];
    int next = 0;
    sx_box_get_strides(from, is);
    sx_box_get_strides(to, os);
    for (int i = 0; i < from->ndims; i++) {
        /* The axes of a stage are whole, so that the physical length is the logical one, also of a halved
         * axis. */
        if (next < s->naxes && s->axes[next] == i) {
            p->axis[p->naxes++] = (sx_serial_dim){s->from.n[i], is[i], os[i]};
            next++;
        } else {
            p->loop[p->nloops++] = (sx_serial_dim){from->len[i], is[i], os[i]};
        }
    }
}

static int create_serial(subx_fft_plan plan, int i, int d)
{
    sx_stage *s = &plan->stage[i];
    int from_caller = i == (d == SX_FORWARD ? 0 : plan->nstages - 1);
    int to_caller = i == (d == SX_FORWARD ? plan->nstages - 1 : 0);
    sx_serial_problem p = {.direction = d == SX_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD};
    if (s->from.bytes == 0 || s->to.bytes == 0)
        return MPI_SUCCESS;
    p.kind = sx_stage_get_kind(s, d);
    p.keep_input = from_caller && p.kind != SUBX_FFT_C2R;
    p.any_alignment = from_caller || to_caller;
    set_dims(&p, s, d);
    /* The work arrays stand for the caller's; between exchanges transforms are in place. */
    char *in = plan->work[0], *out = from_caller || to_caller ? plan->work[1] : plan->work[0];
    return plan->choice.serial->create(&p, plan->choice.effort, in, out, &s->serial[d]);
}

static int create_serials(subx_fft_plan plan)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < plan->nstages; i++)
        for (int d = 0; d < 2 && plan->stage[i].kind == SUBX_FFT_STAGE_SERIAL && !rc; d++)
            rc = create_serial(plan, i, d);
    return rc;
}

/* ---- create */

/* N as a double: the product of the lengths may exceed 63 bits, its reciprocal is all that is needed. */
static void set_factors(subx_fft_plan plan)
{
    double n = 1;
    for (int i = 0; i < plan->choice.ndims; i++)
        n *= (double)plan->choice.sizes[i];
    plan->factor[SX_FORWARD] = plan->factor[SX_BACKWARD] = 1;
    if (plan->choice.scaling == SX_SCALE_SYMMETRIC)
        plan->factor[SX_FORWARD] = plan->factor[SX_BACKWARD] = 1 / sqrt(n);
    else if (plan->choice.scaling != SX_SCALE_NONE)
        plan->factor[plan->choice.scaling == SX_SCALE_FORWARD ? SX_FORWARD : SX_BACKWARD] = 1 / n;
}

/* Each step is agreed on before the next, so that no rank enters a collective call that another has given
 * up. */
static int build(subx_fft_plan plan, MPI_Comm all, MPI_Info hints)
{
    int rc = subx_grid_create(all, plan->choice.g, plan->choice.dims, &plan->grid);
    if (rc)
        return rc;
    rc = sx_base_agree(all, sx_plan_set_stages(plan), NULL);
    set_factors(plan);
    if (!rc && plan->choice.strategy == SX_FUSED)
        return sx_plan_fuse(plan, all, hints);
    if (!rc)
        rc = alloc_work(plan, all, hints);
    if (rc)
        return rc;
    rc = sx_base_agree(all, create_exchanges(plan, hints), NULL);
    if (!rc)
        rc = set_exchange_work(plan, all);
    if (!rc)
        rc = create_serials(plan);
    trim_work(plan);
    return sx_base_agree(all, rc, NULL);
}

/* NO_MEM on all ranks if the plan has more work space than it may on any. */
static int check_memory(subx_fft_plan plan, MPI_Comm all)
{
    MPI_Count bytes = 0;
    int rc = subx_fft_plan_get_work(plan, &bytes);
    if (!rc && plan->choice.memory > 0 && bytes > plan->choice.memory)
        rc = subx_error_get(SUBX_ERR_NO_MEM);
    return plan->choice.memory > 0 ? sx_base_agree(all, rc, NULL) : rc;
}

static int create(const sx_choice *choice, MPI_Comm all, MPI_Info hints, subx_fft_plan *plan)
{
    subx_fft_plan made = sx_base_alloc(1, sizeof *made);
    *plan = SUBX_FFT_PLAN_NULL;
    int rc = sx_base_agree(all, made ? MPI_SUCCESS : subx_error_get(SUBX_ERR_NO_MEM), NULL);
    if (!rc) {
        made->choice = *choice;
        rc = build(made, all, hints);
    }
    if (!rc)
        rc = check_memory(made, all);
    if (rc)
        subx_fft_plan_free(&made);
    else
        *plan = made;
    return rc;
}

int sx_plan_create(const sx_choice *choice, MPI_Comm all, MPI_Info hints, subx_fft_plan *plan)
{
    int rc = create(choice, all, hints, plan);
    sx_choice lean = *choice;
    if (subx_error_query(rc) != SUBX_ERR_NO_MEM || !choice->memory || choice->strategy != SX_FUSED)
        return rc;
    lean.overlap = SX_OVERLAP_NONE;
    return create(&lean, all, hints, plan);
}

/* All that can fail on one rank alone before ranks have met. */
static int prepare(sx_choice *choice, MPI_Comm all, int kind, int ndims, const ptrdiff_t sizes[],
                   MPI_Info hints)
{
    int nranks;
    int rc = MPI_Comm_size(all, &nranks);
    return rc ? rc : sx_choice_set(choice, kind, ndims, sizes, nranks, hints);
}

int subx_fft_plan_create(MPI_Comm comm, int kind, int ndims, const ptrdiff_t sizes[], MPI_Info hints,
                         subx_fft_plan *plan)
{
    sx_choice choice = {0};
    char key[2048] = "";
    sx_text t = {key, sizeof key, 0};
    MPI_Comm all;
    subx_fft_plan made = SUBX_FFT_PLAN_NULL;
    if (plan)
        *plan = SUBX_FFT_PLAN_NULL;
    int rc = sx_base_comm_dup(comm, &all);
    if (rc)
        return rc;
    rc = plan ? prepare(&choice, all, kind, ndims, sizes, hints) : subx_error_get(SUBX_ERR_ARG);
    if (!rc)
        sx_choice_print_key(&choice, &t);
    rc = sx_base_agree(all, rc, key);
    if (!rc)
        rc = choice.strategy == SX_AUTO ? sx_plan_try(&choice, all, hints, &made)
                                        : sx_plan_create(&choice, all, hints, &made);
    int failed = MPI_Comm_free(&all);
    rc = rc ? rc : failed;
    if (rc)
        subx_fft_plan_free(&made);
    else
        *plan = made;
    return rc;
}
