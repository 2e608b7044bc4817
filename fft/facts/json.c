/* json.c - print facts as JSON (RFC 8259). */
#include "facts/facts.h"
#include <math.h>

/* Get the bytes of the UTF-8 character at s; 0 if the bytes there are no such character. JSON must be UTF-8,
 * but paths may have any bytes. */
static int get_length(const char *s)
{
    const unsigned char a = (unsigned char)s[0], b = a ? (unsigned char)s[1] : 0;
    int n = 0;
    if (a < 0x80)
        return 1;
    if (a >= 0xc2 && a < 0xe0)
        n = 2;
    else if (a >= 0xe0 && a < 0xf0)
        n = (a == 0xe0 && b < 0xa0) || (a == 0xed && b >= 0xa0) ? 0 : 3;
    else if (a >= 0xf0 && a < 0xf5)
        n = (a == 0xf0 && b < 0x90) || (a == 0xf4 && b >= 0x90) ? 0 : 4;
    for (int i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static void print_string(const char *s, sx_text *t)
{
    sx_base_print(t, "\"");
    for (int n; *s; s += n > 0 ? n : 1) {
        n = get_length(s);
        if (n == 0)
            sx_base_print(t, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            sx_base_print(t, "\\%c", *s);
        else if (n == 1 && *s < ' ')
            sx_base_print(t, "\\u%04x", (unsigned)*s);
        else
            sx_base_print(t, "%.*s", n, s);
    }
    sx_base_print(t, "\"");
}

/* JSON has no infinity and no NaN: they are null. */
static void print_value(const sx_fact *x, sx_text *t)
{
    static const char *const brackets[] = {
        [SX_FACT_OBJECT] = "{", [SX_FACT_OBJECT_END] = "}", [SX_FACT_ARRAY] = "[", [SX_FACT_ARRAY_END] = "]"};
    if (x->kind >= SX_FACT_OBJECT)
        sx_base_print(t, "%s", brackets[x->kind]);
    else if (x->kind == SX_FACT_FLAG)
        sx_base_print(t, x->number > 0 ? "true" : "false");
    else if (x->kind == SX_FACT_NUMBER && isfinite(x->number))
        sx_base_print_number(t, 12, x->number);
    else if (x->kind == SX_FACT_TEXT)
        print_string(x->text, t);
    else
        sx_base_print(t, "%s", x->kind == SX_FACT_JSON ? x->text : "null");
}

void sx_facts_print_json(sx_facts *f, const sx_fact *x)
{
    const int ends = x->kind == SX_FACT_OBJECT_END || x->kind == SX_FACT_ARRAY_END;
    if (x->kind == SX_FACT_SENTENCE)
        return;
    if (f->has_values && !ends)
        sx_base_print(f->to, x->key || x->kind != SX_FACT_OBJECT ? ", " : ",\n  ");
    if (x->key)
        sx_base_print(f->to, "\"%s\": ", x->key);
    print_value(x, f->to);
    if (ends && f->depth == 0)
        sx_base_print(f->to, "\n");
    f->has_values = x->kind != SX_FACT_OBJECT && x->kind != SX_FACT_ARRAY;
}
