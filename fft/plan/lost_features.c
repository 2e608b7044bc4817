/* lost_features.c - the features that a plan lacks although they were asked for (subx_lost). */
#include "plan/plan.h"
#include <string.h>

/* The words of subx_lost. To add a word: a row here, a flag in plan.h, and a line in subx_fft.h. */
static const struct {
    int flag;
    const char *word;
} losses[] = {{SX_LOST_SHARING, "sharing"}, {SX_LOST_HUGE, "huge_pages"}, {SX_LOST_THREADS, "threads"}};
enum { LOSSES = sizeof losses / sizeof losses[0] };

/* If the caller asks for an engine that only sends messages, missing shared memory is no loss. */
static int wants_sharing(const sx_choice *c)
{
    return sx_hints_has_trait(c->hints.engine, SUBX_ENGINE_LOCAL);
}

/* Ask subx_mem_get_info which features the shared memory of this rank lacks. */
static int find_lost_memory(subx_fft_plan plan, int *lost)
{
    const void *memory = plan->choice.strategy->get_memory(plan);
    char words[SX_HINT_LEN] = "";
    MPI_Info info;
    int found = 0;
    if (!memory || !wants_sharing(&plan->choice))
        return MPI_SUCCESS;
    int rc = subx_mem_get_info(memory, &info);
    if (rc)
        return rc;
    rc = MPI_Info_get(info, "subx_lost", sizeof words - 1, words, &found);
    for (int i = 0; i < LOSSES && !rc && found; i++)
        *lost |= strstr(words, losses[i].word) ? losses[i].flag : 0;
    MPI_Info_free(&info);
    return rc;
}

/* If one rank lacks a feature, all ranks report it. */
int sx_plan_find_lost(subx_fft_plan plan, int rc)
{
    int lost = plan->lost, flags[LOSSES];
    if (!rc && !plan->is_idle)
        rc = find_lost_memory(plan, &lost);
    if (!plan->is_idle && plan->threads < plan->choice.hints.threads)
        lost |= SX_LOST_THREADS;
    for (int i = 0; i < LOSSES; i++)
        flags[i] = lost & losses[i].flag;
    rc = sx_base_agree_flags(plan->everyone, rc, NULL, LOSSES, flags);
    for (int i = 0; i < LOSSES; i++)
        plan->lost |= flags[i];
    return rc;
}

void sx_plan_print_lost(subx_fft_plan plan, sx_text *t)
{
    const char *space = "";
    for (int i = 0; i < LOSSES; i++) {
        if (!(plan->lost & losses[i].flag))
            continue;
        sx_base_print(t, "%s%s", space, losses[i].word);
        space = " ";
    }
}
