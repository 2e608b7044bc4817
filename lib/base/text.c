/* text.c - appends text to a caller's buffer that may be too short. */
#include "base/base.h"
#include <stdarg.h>
#include <stdio.h>

void sx_base_print(sx_text *t, const char *format, ...)
{
    va_list args;
    size_t left = t->used < t->room ? t->room - t->used : 0;
    va_start(args, format);
    int n = vsnprintf(left ? t->at + t->used : NULL, left, format, args);
    va_end(args);
    if (n > 0)
        t->used += (size_t)n;
}

void sx_base_print_sizes(sx_text *t, int n, const ptrdiff_t sizes[])
{
    for (int i = 0; i < n; i++)
        sx_base_print(t, "%s%td", i ? "x" : "", sizes[i]);
}

void sx_base_print_order(sx_text *t, int n, const int order[])
{
    sx_base_print(t, "(");
    for (int i = 0; i < n; i++)
        sx_base_print(t, "%s%d", i ? "," : "", order[i]);
    sx_base_print(t, ")");
}
