/* csv.c - print facts as CSV (RFC 4180). */
#include "facts/facts.h"
#include <math.h>
#include <string.h>

static void print_quoted(const char *text, sx_text *t)
{
    sx_base_print(t, "\"");
    for (; *text; text++)
        sx_base_print(t, *text == '"' ? "\"\"" : "%c", *text);
    sx_base_print(t, "\"");
}

static void print_value(const sx_fact *x, sx_text *t)
{
    if (x->text && strpbrk(x->text, ",\"\r\n"))
        print_quoted(x->text, t);
    else if (x->text)
        sx_base_print(t, "%s", x->text);
    else if (x->kind == SX_FACT_NUMBER && !isnan(x->number))
        sx_base_print_number(t, 9, x->number);
}

void sx_facts_print_csv(sx_facts *f, const sx_fact *x)
{
    const int is_value = x->kind < SX_FACT_SENTENCE;
    if (x->kind == SX_FACT_SENTENCE)
        return;
    if (is_value && f->has_values)
        sx_base_print(f->to, ",");
    if (is_value && f->format == SX_FACTS_TITLES)
        sx_base_print(f->to, "%s", x->key);
    else if (is_value)
        print_value(x, f->to);
    else if (x->kind == SX_FACT_OBJECT_END && f->has_values)
        sx_base_print(f->to, "\n");
    f->has_values = is_value;
}
