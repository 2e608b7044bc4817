/* space.c - the list of candidates. A candidate is a text of hints that differ from the hints in effect. */
#include "search/search.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int sx_space_reserve(sx_space *s, int n)
{
    const int room = 2 * s->room > s->n + n ? 2 * s->room : s->n + n;
    if (s->n + n <= s->room)
        return MPI_SUCCESS;
    sx_candidate *list = sx_base_alloc(room, sizeof *list);
    if (!list)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    if (s->n)
        memcpy(list, s->list, (size_t)s->n * sizeof *list);
    sx_base_free(s->list);
    s->list = list;
    s->room = room;
    return MPI_SUCCESS;
}

int sx_space_add(sx_space *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->list[i].name, name) == 0)
            return i;
    sx_candidate *c = &s->list[s->n];
    *c = (sx_candidate){.price = INFINITY, .trial.ratio = INFINITY};
    snprintf(c->name, sizeof c->name, "%s", name);
    return s->n++;
}

void sx_space_free(sx_space *s)
{
    sx_base_free(s->list);
    s->list = NULL;
}
