/* create.c - create and free the state of a fused plan: pipes, areas, passes. */
#include "fused/fused.h"
#include <string.h>

/* ---- areas */

/* Choose the areas of each exchange. The exchanges of a direction use the two send areas alternately; in both
 * directions, the exchange next to the physical side is number 0. In a round trip (forward, operation,
 * backward) the pass of the round trip reads one area and must write the other. So if the problem has an
 * operation, each exchange uses one area forward and the other one backward. */
static void deal_areas(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    const int has_two = sx_fused_sends_slices(a), has_operation = plan->choice.problem->has_operation;
    int n = 0;
    for (int i = 0; i < plan->nstages; i++) {
        sx_fused_pipe *e = &a->pipe[i];
        if (!sx_stage_is_exchange(&plan->stage[i]))
            continue;
        e->send_area[SX_FORWARD] = n % 2;
        e->send_area[SX_BACKWARD] = (n + has_operation) % 2;
        for (int d = 0; d < 2; d++)
            e->recv_area[d] = has_two ? e->send_area[d] : 0;
        n++;
    }
}

static void grow(ptrdiff_t *bytes, ptrdiff_t needed)
{
    *bytes = needed > *bytes ? (ptrdiff_t)needed : *bytes;
}

static int count_bytes(subx_fft_plan plan, int i, int d, int rc, void *nblocks)
{
    sx_fused *a = plan->state;
    const sx_fused_pipe *e = &a->pipe[i];
    ptrdiff_t send = 0, recv = 0;
    if (!rc)
        rc = subx_pipe_get(e->pipe[d], NULL, &send, &recv);
    grow(&a->send_bytes[e->send_area[d]], send);
    grow(&a->recv_bytes[e->recv_area[d]], recv);
    grow(nblocks, (ptrdiff_t)e->nslices * sx_plan_get_ranks(plan, &plan->stage[i]));
    return rc;
}

/* Query whether a pass can read and write one array: each element of a tile has the same address on both
 * sides. If the pass halves an axis, this axis must be padded. */
static int are_alike(const sx_array *a, const sx_box *from, const sx_box *to)
{
    for (int i = 0; i < a->ndims; i++)
        if (i != a->halved &&
            (from->len[i] != to->len[i] ||
             (from->len[i] > 1 && from->stride[i] * from->element != to->stride[i] * to->element)))
            return 0;
    return from->element == to->element ||
           (from->padded >= 0 && from->len[a->halved] / 2 + 1 == to->len[a->halved]);
}

/* Query whether a stage has several tiles. */
static int has_tiles(const sx_stage *s)
{
    for (int i = 0; i < s->from.ndims; i++)
        if (s->from.len[i] > 1 && !sx_stage_is_transformed(s, i))
            return 1;
    return 0;
}

/* Query whether all stages could work in one array that is stored as `like`: there are no exchanges, and the
 * array after each stage has this layout. */
static int is_uniform(subx_fft_plan plan, const sx_box *like)
{
    for (int i = 0; i < plan->nstages; i++)
        if (sx_stage_is_exchange(&plan->stage[i]) ||
            !are_alike(&plan->choice.array, like, &plan->stage[i].to))
            return 0;
    return 1;
}

/* Choose where data lies between two passes that follow each other without an exchange:
 *   in the caller's output array if the plan has no exchange, and all arrays have the same layout;
 *   in the caller's spectral array if the plan has no exchange, all arrays except the physical one have the
 *   same layout, and an axis is halved; but backward only if it may destroy its input;
 *   in `local` otherwise, and always if the plan has an operation.
 * In two cases the first pass would overwrite tiles that it has not read yet, if input and output were the
 * same array: a single pass whose two sides have different layouts, and a forward pass that writes the
 * spectral array. Such a plan has `local`, too, and an execution with the same array first copies the input
 * there. */
static void choose_local(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    const sx_choice *c = &plan->choice;
    const sx_box *first = &plan->stage[0].from, *last = &plan->stage[plan->nstages - 1].to;
    const int has_operation = c->problem->has_operation;
    if (!has_operation && is_uniform(plan, first))
        return;
    a->is_in_spectral[SX_FORWARD] =
        !has_operation && c->array.halved >= 0 && plan->nstages > 1 && is_uniform(plan, last);
    a->is_in_spectral[SX_BACKWARD] = a->is_in_spectral[SX_FORWARD] && c->hints.input == SX_INPUT_DESTROY;
    if ((plan->nstages == 1 && has_tiles(plan->stage) && !is_uniform(plan, first)) ||
        a->is_in_spectral[SX_FORWARD] != a->is_in_spectral[SX_BACKWARD]) {
        grow(&a->local_bytes, first->bytes);
        grow(&a->local_bytes, last->bytes);
    }
    for (int i = 0; i + 1 < plan->nstages && !a->is_in_spectral[SX_FORWARD]; i++)
        if (!sx_stage_is_exchange(&plan->stage[i]) && !sx_stage_is_exchange(&plan->stage[i + 1]))
            grow(&a->local_bytes, plan->stage[i].to.bytes);
}

/* Find the first and the last stage that transform. Passes at edges only copy, and do not count. */
static void find_ends(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    a->first = -1;
    for (int i = 0; i < plan->nstages; i++) {
        if (sx_stage_is_exchange(&plan->stage[i]) || plan->stage[i].edge[SX_FROM])
            continue;
        a->last = i;
        a->first = a->first < 0 ? i : a->first;
    }
}

/* Allocate memory; if is_area is 1, an area for messages. If bytes is 0, nothing is allocated, and *memory
 * becomes NULL. */
static int alloc(ptrdiff_t bytes, int is_area, void **memory)
{
    *memory = bytes == 0 ? NULL : is_area ? sx_base_alloc_area(bytes) : sx_base_alloc(bytes, 1);
    return bytes > 0 && !*memory ? subx_error_get_code(SUBX_ERR_NO_MEM) : MPI_SUCCESS;
}

/* Count all memory before any of it is allocated. */
static int count_all(subx_fft_plan plan, ptrdiff_t *nblocks)
{
    sx_fused *a = plan->state;
    ptrdiff_t bytes = 0;
    deal_areas(plan);
    choose_local(plan);
    int rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, count_bytes, nblocks);
    const ptrdiff_t parts[] = {a->send_bytes[0], a->send_bytes[1], sx_base_get_area_bytes(a->recv_bytes[0]),
                               sx_base_get_area_bytes(a->recv_bytes[1]), a->local_bytes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !rc; i++)
        rc = sx_base_add(bytes, parts[i], &bytes);
    return sx_plan_check_memory(plan, rc, bytes);
}

static int alloc_private(subx_fft_plan plan, ptrdiff_t nblocks)
{
    sx_fused *a = plan->state;
    int rc = MPI_SUCCESS;
    for (int k = 0; k < 2 && !rc; k++)
        rc = alloc(a->recv_bytes[k], 1, &a->recv[k]);
    if (!rc)
        rc = alloc(a->local_bytes, 0, &a->local);
    for (int k = 0; k < 2; k++)
        a->block[k] = sx_base_alloc(nblocks, sizeof *a->block[k]);
    return rc || (a->block[0] && a->block[1]) ? rc : subx_error_get_code(SUBX_ERR_NO_MEM);
}

/* Allocate both send areas as one piece. Each rank maps the pieces of all ranks of its node, and each mapping
 * takes time. */
static int alloc_shared(subx_fft_plan plan, MPI_Info hints)
{
    sx_fused *a = plan->state;
    a->send_bytes[0] = (a->send_bytes[0] + SX_PAGE - 1) / SX_PAGE * SX_PAGE;
    if (plan->nstages == 1)
        return MPI_SUCCESS;
    int rc = subx_mem_alloc(plan->all, a->send_bytes[0] + a->send_bytes[1], hints, &a->memory);
    if (rc)
        return rc;
    plan->at[SX_AT_WORK] = a->memory;
    plan->at[SX_AT_WORK + 1] = (char *)a->memory + a->send_bytes[0];
    return MPI_SUCCESS;
}

static int set_areas(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    sx_fused *a = plan->state;
    const sx_fused_pipe *e = &a->pipe[i];
    (void)rc, (void)context;
    return subx_pipe_set_work(e->pipe[d], plan->at[SX_AT_WORK + e->send_area[d]], a->recv[e->recv_area[d]]);
}

/* ---- create and free */

/* Allocate the state and its arrays, in one piece of memory. */
static int create_state(subx_fft_plan plan)
{
    const size_t n = (size_t)plan->nstages;
    sx_fused *a = plan->state = sx_base_alloc(1, sizeof *a + n * (sizeof *a->pass + sizeof *a->pipe));
    if (!a)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    a->nstages = plan->nstages;
    a->pass = (void *)(a + 1);
    a->pipe = (void *)(a->pass + n);
    return MPI_SUCCESS;
}

static int create(subx_fft_plan plan, MPI_Info hints)
{
    ptrdiff_t nblocks = 1;
    int rc = sx_base_agree(plan->all, create_state(plan), NULL);
    if (!rc) {
        find_ends(plan);
        rc = sx_fused_create_twiddles(plan);
    }
    if (!rc)
        rc = sx_fused_create_pipes(plan, hints);
    if (!rc)
        rc = count_all(plan, &nblocks);
    if (!rc)
        rc = sx_base_agree(plan->all, alloc_private(plan, nblocks), NULL);
    if (!rc)
        rc = alloc_shared(plan, hints);
    if (rc)
        return rc;
    rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, set_areas, NULL);
    if (!rc)
        rc = sx_fused_create_passes(plan);
    for (int d = SX_FORWARD; d <= SX_ROUND && !rc; d++)
        rc = sx_fused_create_steps(plan, d);
    return sx_base_agree(plan->all, rc, NULL);
}

/* Create the state with engine pairwise, which only sends messages: then send areas need no shared memory. */
static int create_without_sharing(subx_fft_plan plan, MPI_Info hints)
{
    strcpy(plan->engine, "pairwise");
    plan->lost |= SX_LOST_SHARING;
    int rc = sx_base_agree(plan->all, MPI_Info_set(hints, "subx_engine", plan->engine), NULL);
    return rc ? rc : create(plan, hints);
}

/* If the engine is auto, and ranks cannot share memory or there is not enough shared memory, the plan gets
 * engine pairwise with private send areas. If a node has not enough memory of any sort, pairwise could not
 * help: the error remains NO_MEM. */
int sx_fused_create(subx_fft_plan plan, MPI_Info hints)
{
    const sx_choice *c = &plan->choice;
    plan->threads = sx_pass_get_threads(c->hints.threads);
    int rc = create(plan, hints), kind = subx_error_get_kind(rc);
    if (strcmp(c->hints.engine, "auto") != 0 || sx_choice_get_nranks(c) == 1)
        return rc;
    if (kind == SUBX_ERR_UNAVAILABLE) {
        sx_fused_free(plan);
        return create_without_sharing(plan, hints);
    }
    if (!rc)
        strcpy(plan->engine, ((sx_fused *)plan->state)->has_messages ? "node" : "shm");
    return rc;
}

/* Wait for partners that may still read the data that this rank sent last. */
static void wait_for_partners(sx_fused *a)
{
    for (int k = 0; k < 2; k++)
        if (a->busy[k])
            (void)subx_pipe_wait(a->busy[k]);
}

void sx_fused_free(subx_fft_plan plan)
{
    sx_fused *a = plan->state;
    if (!a)
        return;
    for (int d = SX_FORWARD; d <= SX_ROUND; d++)
        sx_base_free(a->step[d]);
    sx_fused_free_passes(a);
    sx_base_free(a->twiddles);
    wait_for_partners(a);
    sx_fused_free_pipes(a);
    (void)subx_mem_free(&a->memory);
    for (int k = 1; k >= 0; k--)
        sx_base_free(a->recv[k]);
    sx_base_free(a->local);
    sx_base_free(a->block[1]);
    sx_base_free(a->block[0]);
    sx_base_free(a);
    plan->state = NULL;
}
