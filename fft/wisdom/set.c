/* set.c - sorted entries; each pair of kind and key occurs once. */
#include "wisdom/inside.h"
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const sx_wisdom_entry *x = a, *y = b;
    int kinds = strcmp(x->kind, y->kind);
    return kinds ? kinds : strcmp(x->key, y->key);
}

static int compare_with_order(const void *a, const void *b)
{
    const sx_wisdom_entry *x = a, *y = b;
    int names = compare(a, b);
    return names ? names : (x->order > y->order) - (x->order < y->order);
}

void sx_wisdom_sort(sx_wisdom_set *set)
{
    ptrdiff_t kept = 0;
    if (set->n > 0)
        qsort(set->entry, (size_t)set->n, sizeof *set->entry, compare_with_order);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (kept > 0 && compare(&set->entry[kept - 1], &set->entry[i]) == 0)
            kept--;
        set->entry[kept++] = set->entry[i];
    }
    set->n = kept;
    for (ptrdiff_t i = 0; i < kept; i++)
        set->entry[i].order = i;
}

sx_wisdom_entry *sx_wisdom_find_entry(const sx_wisdom_set *set, const sx_wisdom_entry *like)
{
    if (set->n == 0)
        return NULL;
    return bsearch(like, set->entry, (size_t)set->n, sizeof *set->entry, compare);
}
