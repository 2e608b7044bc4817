/* number.c - print and parse real numbers in texts that programs read, such as files and keys: alike in all
 * locales. Jobs, and ranks of a job, may have different locales. Some locales print a decimal comma, but a
 * comma is a separator in our texts. */
#include "base/base.h"
#include <locale.h>
#include <stdlib.h>

typedef struct change {
    locale_t made, before;
} change;

/* Set the C locale for this thread alone, until `undo`. If newlocale fails, uselocale changes nothing. */
static change use_c(void)
{
    change c = {.made = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    c.before = uselocale(c.made);
    return c;
}

static void undo(change c)
{
    uselocale(c.before);
    if (c.made)
        freelocale(c.made);
}

void sx_base_print_number(sx_text *t, int digits, double x)
{
    const change c = use_c();
    sx_base_print(t, "%.*g", digits, x);
    undo(c);
}

const char *sx_base_parse_number(const char *text, double *x)
{
    char *end;
    const change c = use_c();
    *x = strtod(text, &end);
    undo(c);
    return end;
}
