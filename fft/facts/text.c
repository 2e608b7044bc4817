/* text.c - print facts for people: sentences as paragraphs with labels, arrays as tables. */
#include "facts/facts.h"
#include <math.h>
#include <string.h>

/* ---- numbers with three digits */

static int get_decimals(double x)
{
    if (x >= 99.95)
        return 0;
    if (x >= 9.995)
        return 1;
    return x >= 0.9995 ? 2 : 3;
}

void sx_facts_print_seconds(double seconds, sx_text *t)
{
    if (isfinite(seconds))
        sx_base_print(t, "%.*f ms", get_decimals(1e3 * seconds), 1e3 * seconds);
    else
        sx_base_print(t, "-");
}

void sx_facts_print_bytes(double bytes, sx_text *t)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int k = 0;
    for (; bytes >= 1023.5 && k < 4; k++)
        bytes /= 1024;
    if (isfinite(bytes))
        sx_base_print(t, "%.*f %s", k ? get_decimals(bytes) : 0, bytes, units[k]);
    else
        sx_base_print(t, "-");
}

/* ---- paragraphs */

static void print_paragraph(const char *label, const char *text, sx_text *t)
{
    text += strspn(text, " ");
    sx_base_print(t, "%-8s %.*s\n", label, sx_base_fit((ptrdiff_t)strcspn(text, "\n")), text);
}

/* ---- tables */

static void print_number(int unit, double number, sx_text *t)
{
    if (unit == SX_UNIT_SECONDS)
        sx_facts_print_seconds(number, t);
    else if (unit == SX_UNIT_BYTES)
        sx_facts_print_bytes(number, t);
    else if (isfinite(number))
        sx_base_print(t, unit == SX_UNIT_COUNT ? "%.0f" : "%.3g", number);
    else
        sx_base_print(t, "-");
}

/* Print a member into the cells of its columns. */
static void set_cells(sx_facts *f, const sx_fact *x)
{
    const sx_column *c = f->table;
    for (int k = 0; c[k].title && x->key; k++) {
        sx_text t = {f->cell[k], SX_CELL, 0};
        if (c[k].unit == SX_UNIT_ROW || strcmp(c[k].key, x->key) != 0)
            continue;
        if (x->text)
            sx_base_print(&t, "%s", x->text);
        else if (x->kind == SX_FACT_NUMBER)
            print_number(c[k].unit, x->number, &t);
    }
    f->is_chosen |= x->kind == SX_FACT_FLAG && strcmp(x->key, "chosen") == 0 && x->number > 0;
}

/* Print the line of the cells. */
static void print_line(sx_facts *f)
{
    const sx_column *c = f->table;
    for (int k = 0; c[k].title; k++) {
        if (c[k].unit != SX_UNIT_ROW && strlen(f->cell[k]) > (size_t)c[k].width)
            memcpy(f->cell[k] + c[k].width - 2, "..", 3);
        if (c[k].unit <= SX_UNIT_TEXT && !c[k + 1].title)
            sx_base_print(f->to, "  %s", f->cell[k]);
        else
            sx_base_print(f->to, c[k].unit <= SX_UNIT_TEXT ? "  %-*s" : "  %*s", c[k].width, f->cell[k]);
    }
    sx_base_print(f->to, "\n");
}

static void print_titles(sx_facts *f)
{
    for (int k = 0; f->table[k].title; k++)
        strcpy(f->cell[k], f->table[k].title);
    print_line(f);
}

static void end_row(sx_facts *f)
{
    f->row++;
    if (f->table[0].unit == SX_UNIT_ROW)
        sx_base_print(&(sx_text){f->cell[0], SX_CELL, 0}, "%c%*d", f->is_chosen ? '*' : ' ',
                      f->table[0].width - 1, f->row);
    print_line(f);
}

static void begin_row(sx_facts *f)
{
    if (f->row == 0)
        print_titles(f);
    memset(f->cell, 0, sizeof f->cell);
    f->is_chosen = 0;
}

void sx_facts_print_text(sx_facts *f, const sx_fact *x)
{
    const int depth = f->depth - f->table_depth;
    if (!f->table && x->table) {
        f->table = x->table;
        f->table_depth = f->depth;
        f->row = 0;
    } else if (!f->table && x->kind == SX_FACT_SENTENCE) {
        print_paragraph(x->key, x->text, f->to);
    } else if (!f->table) {
        return;
    } else if (depth == 0) {
        f->table = NULL;
    } else if (depth == 1 && x->kind == SX_FACT_OBJECT) {
        begin_row(f);
    } else if (depth == 1 && x->kind == SX_FACT_OBJECT_END) {
        end_row(f);
    } else {
        set_cells(f, x);
    }
}
