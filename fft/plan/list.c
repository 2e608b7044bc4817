/* list.c - make and print lists of events. */
#include "plan/plan.h"

void sx_list_add(sx_list *list, sx_event event)
{
    if (list->event)
        list->event[list->n] = event;
    list->n++;
}

int sx_list_create(sx_list *list, void (*fill)(subx_fft_plan plan, int d, sx_list *list), subx_fft_plan plan,
                   int d)
{
    *list = (sx_list){0, NULL};
    fill(plan, d, list);
    list->event = sx_base_alloc(list->n, sizeof *list->event);
    list->n = 0;
    if (!list->event)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    fill(plan, d, list);
    return MPI_SUCCESS;
}

/* ---- texts */

static const char *const words[] = {
    [SX_EVENT_AREA] = "area",         [SX_EVENT_ROOM] = "room",         [SX_EVENT_START] = "start",
    [SX_EVENT_END] = "end",           [SX_EVENT_ARRIVE] = "arrive",     [SX_EVENT_POST] = "post",
    [SX_EVENT_READ] = "read",         [SX_EVENT_COMPLETE] = "complete", [SX_EVENT_PASS] = "pass",
    [SX_EVENT_EXCHANGE] = "exchange", [SX_EVENT_OPERATE] = "operate",   [SX_EVENT_SCALE] = "scale",
    [SX_EVENT_FOLLOW] = "follow",     [SX_EVENT_LEAVE] = "leave"};

static void print_event(const sx_event *e, sx_text *t)
{
    sx_base_print(t, "%s", words[e->what]);
    if (e->what < SX_EVENT_OPERATE)
        sx_base_print(t, " %d", e->stage + 1);
    if (e->slice >= 0)
        sx_base_print(t, ".%d", e->slice + 1);
}

int sx_list_print(const sx_list *list, int first, size_t columns, sx_text *t)
{
    for (int i = first; i < list->n; i++) {
        char word[SX_HINT_LEN] = "";
        sx_text one = {word, sizeof word, 0};
        print_event(&list->event[i], &one);
        if (t->used + one.used + 2 > columns)
            return i;
        sx_base_print(t, "%s%s", i > first ? "; " : "", word);
    }
    return list->n;
}
