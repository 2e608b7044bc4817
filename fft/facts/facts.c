/* facts.c - make a description: give its facts to a printer. */
#include "facts/facts.h"

static void print(sx_facts *f, const sx_fact *x)
{
    static void (*const printers[SX_FACTS_FORMATS])(sx_facts *, const sx_fact *) = {
        [SX_FACTS_TEXT] = sx_facts_print_text,
        [SX_FACTS_JSON] = sx_facts_print_json,
        [SX_FACTS_CSV] = sx_facts_print_csv,
        [SX_FACTS_TITLES] = sx_facts_print_csv,
    };
    f->depth -= x->kind == SX_FACT_OBJECT_END || x->kind == SX_FACT_ARRAY_END;
    printers[f->format](f, x);
    f->depth += x->kind == SX_FACT_OBJECT || x->kind == SX_FACT_ARRAY;
}

/* Print a fact after the one whose text the caller has written. */
static void add(sx_facts *f, const sx_fact *x)
{
    if (f->written.kind)
        print(f, &f->written);
    f->written.kind = 0;
    print(f, x);
}

void sx_facts_add(sx_facts *f, int kind, const char *key)
{
    add(f, &(sx_fact){.kind = kind, .key = key});
}

void sx_facts_add_table(sx_facts *f, const char *key, const sx_column *table)
{
    add(f, &(sx_fact){.kind = SX_FACT_ARRAY, .key = key, .table = table});
}

void sx_facts_add_number(sx_facts *f, const char *key, double number)
{
    add(f, &(sx_fact){.kind = SX_FACT_NUMBER, .key = key, .number = number});
}

void sx_facts_add_flag(sx_facts *f, const char *key, int flag)
{
    add(f, &(sx_fact){.kind = SX_FACT_FLAG, .key = key, .number = flag});
}

void sx_facts_add_text(sx_facts *f, const char *key, const char *text)
{
    add(f, &(sx_fact){.kind = text ? SX_FACT_TEXT : SX_FACT_NULL, .key = key, .text = text});
}

void sx_facts_add_json(sx_facts *f, const char *key, const char *json)
{
    add(f, &(sx_fact){.kind = SX_FACT_JSON, .key = key, .text = json});
}

sx_text *sx_facts_write(sx_facts *f, int kind, const char *key)
{
    if (f->written.kind)
        print(f, &f->written);
    f->buffer[0] = '\0';
    f->text = (sx_text){f->buffer, sizeof f->buffer, 0};
    f->written = (sx_fact){.kind = kind, .key = key, .text = f->buffer};
    return &f->text;
}
