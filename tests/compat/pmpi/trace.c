/* trace.c - lists of observations: add one, and find the first difference between two lists. */
#include "compat/pmpi/trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *list, size_t size, size_t needed, size_t *room)
{
    if (needed <= *room)
        return list;
    *room = 2 * needed + 64;
    list = realloc(list, *room * size);
    if (!list)
        abort();
    return list;
}

void trace_free(trace *t)
{
    free(t->notes);
    free(t->bytes);
    *t = (trace){0};
}

void trace_bytes(trace *t, const char *what, int where, const void *bytes, size_t n)
{
    t->notes = grow(t->notes, sizeof *t->notes, t->nnotes + 1, &t->notes_room);
    t->bytes = grow(t->bytes, 1, t->nbytes + n, &t->bytes_room);
    t->notes[t->nnotes++] = (note){what, where, n, t->nbytes};
    if (n > 0)
        memcpy(t->bytes + t->nbytes, bytes, n);
    t->nbytes += n;
}

void trace_int(trace *t, const char *what, int where, long long value)
{
    trace_bytes(t, what, where, &value, sizeof value);
}

void trace_code(trace *t, const char *what, int where, int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    trace_int(t, what, where, class);
}

/* Does not note whether the message was cancelled, because MPICH 4.0 does not set this for probed
 * messages. */
void trace_status(trace *t, int where, const MPI_Status *status, MPI_Datatype type)
{
    int count = -2;
    MPI_Count elements = -2;
    MPI_Get_count(status, type, &count);
    MPI_Get_elements_x(status, type, &elements);
    trace_int(t, "source", where, status->MPI_SOURCE);
    trace_int(t, "tag", where, status->MPI_TAG);
    trace_int(t, "MPI_Get_count", where, count);
    trace_int(t, "MPI_Get_elements_x", where, elements);
}

/* Describe the observations that differ. An observation of 8 bytes is a number, any other is memory. */
static void describe(const trace *a, const trace *b, size_t i, char *text, size_t room)
{
    const note *n = &a->notes[i];
    const unsigned char *x = a->bytes + n->offset, *y = b->bytes + n->offset;
    long long u, v;
    size_t at = 0;
    if (n->bytes == sizeof u) {
        memcpy(&u, x, sizeof u);
        memcpy(&v, y, sizeof v);
        snprintf(text, room, "%s of %d: %lld, by MPI %lld", n->what, n->where, u, v);
        return;
    }
    while (x[at] == y[at])
        at++;
    snprintf(text, room, "%s of %d: byte %zu of %zu is %d, by MPI %d", n->what, n->where, at, n->bytes, x[at],
             y[at]);
}

int trace_equal(const trace *a, const trace *b, char *text, size_t room)
{
    for (size_t i = 0; i < a->nnotes && i < b->nnotes; i++) {
        const note *p = &a->notes[i], *q = &b->notes[i];
        if (p->bytes != q->bytes || p->where != q->where || p->what != q->what) {
            snprintf(text, room, "%s of %d instead of %s of %d", p->what, p->where, q->what, q->where);
            return 0;
        }
        if (p->bytes > 0 && memcmp(a->bytes + p->offset, b->bytes + q->offset, p->bytes) != 0) {
            describe(a, b, i, text, room);
            return 0;
        }
    }
    snprintf(text, room, "%zu observations, by MPI %zu", a->nnotes, b->nnotes);
    return a->nnotes == b->nnotes;
}

int trace_contains(const trace *a, const trace *b)
{
    size_t i = 0;
    for (size_t k = 0; k < b->nnotes; k++, i++) {
        const note *q = &b->notes[k];
        while (i < a->nnotes && (a->notes[i].what != q->what || a->notes[i].where != q->where))
            i++;
        if (i == a->nnotes || a->notes[i].bytes != q->bytes ||
            memcmp(a->bytes + a->notes[i].offset, b->bytes + q->offset, q->bytes) != 0)
            return 0;
    }
    return 1;
}
