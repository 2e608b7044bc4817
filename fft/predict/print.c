/* print.c - predictions as a table for people, as CSV, and as JSON. */
#include "predict/predict.h"
#include "choice/choice.h"
#include <stdio.h>
#include <subx_tune.h>

static double get_share(const sx_prediction *p)
{
    return p->limit / p->seconds;
}

/* ---- for people */

static void print_seconds(double seconds, sx_text *t)
{
    char number[32];
    sx_text at = {number, sizeof number, 0};
    sx_base_print_number(&at, 4, seconds);
    sx_base_print(t, "  %11s", number);
}

static void print_table(const char *name, int n, const sx_prediction list[], sx_text *t)
{
    char grid[SX_HINT_LEN];
    sx_base_print(t, "%s, one forward transform by the cost model, seconds\n", name);
    sx_base_print(t, "%9s  %7s  %13s  %11s  %11s  %11s  %11s  %6s  %s\n", "ranks", "nodes", "grid", "time",
                  "passes", "exchanges", "limit", "share", "slowest link");
    for (int i = 0; i < n; i++) {
        const sx_prediction *p = &list[i];
        sx_choice_print_dims(p->g, p->dims, grid);
        sx_base_print(t, "%9d  %7d  %13s", p->nranks, p->nnodes, grid);
        print_seconds(p->seconds, t);
        print_seconds(p->pass, t);
        print_seconds(p->exchange, t);
        print_seconds(p->limit, t);
        sx_base_print(t, "  %4.0f %%  %s\n", 100 * get_share(p), p->link);
    }
    sx_base_print(
        t,
        "limit: the bytes that leave the busiest node, at the bandwidth of its link; share: limit / time\n");
}

/* ---- for programs */

/* The columns of CSV, and the keys of JSON. print_value prints the first, the fourth and the last one as
 * text, the others as numbers. */
enum { NCOLUMNS = 10 };
static const char *const columns[NCOLUMNS] = {"problem",  "ranks",       "nodes",   "grid",  "time_s",
                                              "passes_s", "exchanges_s", "limit_s", "share", "link"};

/* Print value i of a prediction, with `quote` around texts. CSV needs quotes around a problem, which may
 * contain commas. */
static void print_value(const char *name, const sx_prediction *p, int i, const char *quote, sx_text *t)
{
    char grid[SX_HINT_LEN];
    const double number[NCOLUMNS] = {0,           p->nranks, p->nnodes,    0, p->seconds, p->pass,
                                     p->exchange, p->limit,  get_share(p), 0};
    sx_choice_print_dims(p->g, p->dims, grid);
    const char *text = i == 0 ? name : i == 3 ? grid : i == NCOLUMNS - 1 ? p->link : NULL;
    if (text)
        sx_base_print(t, "%s%s%s", quote, text, quote);
    else
        sx_base_print_number(t, i < 3 ? 9 : 6, number[i]);
}

static void print_csv(const char *name, int n, const sx_prediction list[], sx_text *t)
{
    for (int i = 0; i < NCOLUMNS; i++)
        sx_base_print(t, "%s%s", i ? "," : "", columns[i]);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < NCOLUMNS; i++) {
            sx_base_print(t, i ? "," : "\n");
            print_value(name, &list[k], i, i == 0 ? "\"" : "", t);
        }
    sx_base_print(t, "\n");
}

static void print_json(const char *name, int n, const sx_prediction list[], sx_text *t)
{
    sx_base_print(t, "{\"predictions\": [");
    for (int k = 0; k < n; k++) {
        sx_base_print(t, k ? ",\n  {" : "\n  {");
        for (int i = 0; i < NCOLUMNS; i++) {
            sx_base_print(t, "%s\"%s\": ", i ? ", " : "", columns[i]);
            print_value(name, &list[k], i, "\"", t);
        }
        sx_base_print(t, "}");
    }
    sx_base_print(t, "\n]}\n");
}

void sx_predict_print(const char *name, int n, const sx_prediction list[], int format, sx_text *t)
{
    if (format == SUBX_FFT_CSV)
        print_csv(name, n, list, t);
    else if (format == SUBX_FFT_JSON)
        print_json(name, n, list, t);
    else
        print_table(name, n, list, t);
}
