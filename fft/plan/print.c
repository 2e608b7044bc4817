/* print.c - a plan for people. */
#include "plan/plan.h"

static void print_serial(const sx_stage *s, sx_text *t)
{
    int same = 1;
    for (int i = 0; i < s->from.ndims; i++)
        same = same && s->from.order[i] == s->to.order[i];
    sx_base_print(t, ", stored ");
    sx_base_print_order(t, s->from.ndims, s->from.order);
    if (!same) {
        sx_base_print(t, " to ");
        sx_base_print_order(t, s->to.ndims, s->to.order);
    }
}

static int print_pipe(const sx_stage *s, sx_text *t)
{
    const char *engine;
    MPI_Count send;
    int rc = subx_pipe_get(s->pipe[SX_FORWARD], &engine, &send, NULL);
    if (!rc)
        sx_base_print(t, ", engine %s, %d slice%s, %lld bytes from this rank", engine, s->nslices,
                      s->nslices == 1 ? "" : "s", (long long)send);
    return rc;
}

static int print_exchange(const sx_stage *s, sx_text *t)
{
    const char *engine;
    MPI_Count send;
    if (s->pipe[SX_FORWARD])
        return print_pipe(s, t);
    int rc = subx_exch_get(s->exch[SX_FORWARD], &engine, &send, NULL, NULL);
    if (rc)
        return rc;
    sx_base_print(t, ", stored ");
    sx_base_print_order(t, s->from.ndims, s->from.order);
    sx_base_print(t, " to ");
    sx_base_print_order(t, s->to.ndims, s->to.order);
    sx_base_print(t, ", engine %s, %lld bytes from this rank", engine, (long long)send);
    return MPI_SUCCESS;
}

static void print_work(subx_fft_plan plan, sx_text *t)
{
    const sx_areas *a = &plan->areas;
    if (plan->choice.strategy == SX_FUSED)
        sx_base_print(t,
                      "  work space of this rank: %td + %td bytes to send from, %td + %td to receive in, "
                      "%td for an array, %td for tiles\n",
                      a->send_bytes[0], a->send_bytes[1], a->recv_bytes[0], a->recv_bytes[1], a->local_bytes,
                      sx_plan_get_tile_bytes(plan));
    else
        sx_base_print(t, "  work space of this rank: %d x %td bytes for arrays, %td for exchanges\n",
                      plan->work[1] ? 2 : 1, plan->array_bytes, plan->exch_bytes);
}

int subx_fft_plan_print(subx_fft_plan plan, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    int rc = MPI_SUCCESS;
    if (!plan || (!text && len > 0))
        return subx_error_get(SUBX_ERR_ARG);
    sx_choice_print(&plan->choice, &t);
    for (int i = 0; i < plan->nstages && !rc; i++) {
        const sx_stage *s = &plan->stage[i];
        sx_base_print(&t, "  %d. %s", i + 1, s->name);
        if (s->kind == SUBX_FFT_STAGE_SERIAL)
            print_serial(s, &t);
        else
            rc = print_exchange(s, &t);
        sx_base_print(&t, "\n");
    }
    print_work(plan, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
