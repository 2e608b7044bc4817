/* lost.c - what a plan was to have and has to do without. */
#include "plan/plan.h"
#include <string.h>

/* The words of subx_lost. A further one is a line here, a flag in plan.h, and a line in subx_fft.h. */
static const struct {
    int flag;
    const char *word;
} losses[] = {{SX_LOST_SHARING, "sharing"}, {SX_LOST_THREADS, "threads"}};

/* Messages are no loss where the caller asked for an engine, or pretends that nodes are smaller than they are. */
static int wants_sharing(const sx_choice *c)
{
    return strcmp(c->engine, "auto") == 0 && (!*c->node_ranks || strcmp(c->node_ranks, "0") == 0);
}

/* 1 if this rank gets blocks in an exchange, and all of them by messages. */
static int has_only_messages(subx_fft_plan plan, int i)
{
    sx_traffic t;
    return !plan->choice.strategy->get_traffic(plan, i, &t) && t.received > 0 &&
           strcmp(t.engine, "shm") != 0 && strcmp(t.engine, "node") != 0;
}

/* Find whether there are only messages although ranks of one node take part. */
static int find_unshared(subx_fft_plan plan, int i, int d, int rc, void *context)
{
    MPI_Comm row, node;
    int count = 1, *unshared = context;
    if (d == SX_BACKWARD)
        return rc;
    (void)subx_grid_get_comm(plan->grid, plan->stage[i].dim, &row);
    int failed = MPI_Comm_split_type(row, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (failed)
        return failed;
    (void)MPI_Comm_size(node, &count);
    *unshared |= count > 1 && has_only_messages(plan, i);
    return MPI_Comm_free(&node);
}

/* Ranks look for others on their node only if some rank shares no memory in some exchange. */
int sx_plan_find_lost(subx_fft_plan plan, int rc)
{
    enum { SHARING, THREADS, MESSAGES, NFLAGS };
    int flags[NFLAGS] = {
        [SHARING] = plan->lost & SX_LOST_SHARING, [THREADS] = plan->threads < plan->choice.threads};
    for (int i = 0; i < plan->nstages && !rc && wants_sharing(&plan->choice); i++)
        flags[MESSAGES] |= sx_plan_is_exchange(plan, i) && has_only_messages(plan, i);
    rc = sx_base_agree_flags(plan->all, rc, NULL, NFLAGS, flags);
    if (!rc && flags[MESSAGES] && !flags[SHARING]) {
        rc = sx_plan_for_each(plan, SUBX_FFT_STAGE_EXCHANGE, find_unshared, &flags[SHARING]);
        rc = sx_base_agree_flags(plan->all, rc, NULL, 1, &flags[SHARING]);
    }
    plan->lost = (flags[SHARING] ? SX_LOST_SHARING : 0) | (flags[THREADS] ? SX_LOST_THREADS : 0);
    return rc;
}

void sx_plan_print_lost(subx_fft_plan plan, sx_text *t)
{
    const char *space = "";
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        if (!(plan->lost & losses[i].flag))
            continue;
        sx_base_print(t, "%s%s", space, losses[i].word);
        space = " ";
    }
}
