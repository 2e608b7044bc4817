/* print.c - describe predictions by facts. */
#include "choice/choice.h"
#include "facts/facts.h"
#include "predict/predict.h"
#include <subx_tune.h>

static void add_prediction(sx_facts *f, const char *name, const sx_prediction *p)
{
    char grid[SX_HINT_LEN];
    sx_choice_print_dims(p->g, p->dims, grid);
    sx_facts_add(f, SX_FACT_OBJECT, NULL);
    sx_facts_add_text(f, "problem", name);
    sx_facts_add_number(f, "ranks", p->nranks);
    sx_facts_add_number(f, "nodes", p->nnodes);
    sx_facts_add_text(f, "grid", grid);
    sx_facts_add_number(f, "time_s", p->seconds);
    sx_facts_add_number(f, "passes_s", p->pass);
    sx_facts_add_number(f, "exchanges_s", p->exchange);
    sx_facts_add_number(f, "limit_s", p->limit);
    sx_facts_add_number(f, "share", p->limit / p->seconds);
    sx_facts_add_text(f, "link", p->link);
    sx_facts_add(f, SX_FACT_OBJECT_END, NULL);
}

void sx_predict_print(const char *name, int n, const sx_prediction list[], int format, sx_text *t)
{
    static const sx_column table[] = {
        {"ranks", "ranks", SX_UNIT_COUNT, 9},        {"nodes", "nodes", SX_UNIT_COUNT, 7},
        {"grid", "grid", SX_UNIT_TEXT, 13},          {"time_s", "time", SX_UNIT_SECONDS, 11},
        {"passes_s", "passes", SX_UNIT_SECONDS, 11}, {"exchanges_s", "exchanges", SX_UNIT_SECONDS, 11},
        {"limit_s", "limit", SX_UNIT_SECONDS, 11},   {"share", "share", SX_UNIT_NUMBER, 6},
        {"link", "slowest link", SX_UNIT_TEXT, 12},  {NULL, NULL, 0, 0}};
    sx_facts f = {.to = t, .format = format}, titles = {.to = t, .format = SX_FACTS_TITLES};
    if (format == SUBX_FFT_CSV)
        add_prediction(&titles, name, &list[0]);
    sx_facts_add(&f, SX_FACT_OBJECT, NULL);
    sx_base_print(sx_facts_write(&f, SX_FACT_SENTENCE, "problem"),
                  "%s, one forward transform by the cost model", name);
    sx_facts_add_table(&f, "predictions", table);
    for (int i = 0; i < n; i++)
        add_prediction(&f, name, &list[i]);
    sx_facts_add(&f, SX_FACT_ARRAY_END, NULL);
    sx_base_print(sx_facts_write(&f, SX_FACT_SENTENCE, "limit"),
                  "the bytes that leave the busiest node, at the bandwidth of its link");
    sx_base_print(sx_facts_write(&f, SX_FACT_SENTENCE, "share"), "limit / time");
    sx_facts_add(&f, SX_FACT_OBJECT_END, NULL);
}
