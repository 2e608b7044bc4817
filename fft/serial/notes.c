/* notes.c - notes: which serial backend was faster for each problem. A plan fills the list when it is
 * created, and wisdom keeps the list for later plans. */
#include "serial/serial.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes for the longest name of a backend, with the final 0; number of hexadecimal digits of a hash. */
enum { NAME_LEN = 16, NDIGITS = 16 };

typedef struct note {
    uint64_t hash;
    char name[NAME_LEN];
} note;

struct sx_serial_notes {
    int is_closed;
    double limit;
    ptrdiff_t n, room;
    note *list;
};

/* ---- hashes */

/* Add the bytes of a number to a hash, in an order that is the same on all processors. */
static uint64_t add_number(uint64_t h, ptrdiff_t number)
{
    for (int shift = 0; shift < 64; shift += 8)
        h = sx_base_add_hash(h, (uint64_t)number >> shift & 0xff);
    return h;
}

static uint64_t add_dims(uint64_t h, int n, const sx_dim dim[])
{
    h = add_number(h, n);
    for (int i = 0; i < n; i++)
        h = add_number(add_number(add_number(h, dim[i].n), dim[i].is), dim[i].os);
    return h;
}

static uint64_t get_hash(const sx_serial_problem *p, int is_in_place)
{
    const int numbers[] = {p->precision, p->kind, p->direction, p->keep_input, p->any_alignment, is_in_place};
    uint64_t h = SX_BASE_NO_HASH;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = add_number(h, numbers[i]);
    return add_dims(add_dims(h, p->naxes, p->axis), p->nloops, p->loop);
}

/* ---- the list */

static note *find(const sx_serial_notes *notes, uint64_t hash)
{
    for (ptrdiff_t i = 0; i < notes->n; i++)
        if (notes->list[i].hash == hash)
            return &notes->list[i];
    return NULL;
}

static int grow(sx_serial_notes *notes)
{
    const ptrdiff_t room = notes->room ? 2 * notes->room : 16;
    note *list = sx_base_alloc(room, sizeof *list);
    if (!list)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    if (notes->n)
        memcpy(list, notes->list, (size_t)notes->n * sizeof *list);
    sx_base_free(notes->list);
    notes->list = list;
    notes->room = room;
    return MPI_SUCCESS;
}

/* Set the note of a problem. It replaces an older note of this problem. */
static int set(sx_serial_notes *notes, uint64_t hash, const char *name, size_t length)
{
    note *x = find(notes, hash);
    if (!x && notes->n == notes->room) {
        int rc = grow(notes);
        if (rc)
            return rc;
    }
    if (!x)
        x = &notes->list[notes->n++];
    *x = (note){.hash = hash};
    memcpy(x->name, name, length);
    return MPI_SUCCESS;
}

const char *sx_serial_notes_get(const sx_serial_problem *p, int is_in_place)
{
    const note *x = p->notes ? find(p->notes, get_hash(p, is_in_place)) : NULL;
    return x ? x->name : NULL;
}

int sx_serial_notes_set(const sx_serial_problem *p, int is_in_place, const char *name)
{
    return p->notes ? set(p->notes, get_hash(p, is_in_place), name, strlen(name)) : MPI_SUCCESS;
}

int sx_serial_notes_are_closed(const sx_serial_notes *notes)
{
    return notes && notes->is_closed;
}

void sx_serial_notes_set_limit(sx_serial_notes *notes, double seconds)
{
    notes->limit = seconds;
}

double sx_serial_notes_get_limit(const sx_serial_notes *notes)
{
    return notes ? notes->limit : 0;
}

/* ---- text */

/* Read one word of a text of notes, and add its note. A word of another form is ignored. */
static int parse_word(const char *word, size_t length, sx_serial_notes *notes)
{
    if (strspn(word, "0123456789abcdef") != NDIGITS || word[NDIGITS] != ':' || length == NDIGITS + 1 ||
        length > NDIGITS + NAME_LEN)
        return MPI_SUCCESS;
    return set(notes, strtoull(word, NULL, 16), word + NDIGITS + 1, length - NDIGITS - 1);
}

int sx_serial_notes_create(const char *text, int is_closed, sx_serial_notes **notes)
{
    int rc = MPI_SUCCESS;
    *notes = sx_base_alloc(1, sizeof **notes);
    if (!*notes)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    (*notes)->is_closed = is_closed;
    for (size_t length = 0; text && *text && !rc; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        rc = parse_word(text, length, *notes);
    }
    if (rc)
        sx_serial_notes_free(notes);
    return rc;
}

void sx_serial_notes_free(sx_serial_notes **notes)
{
    if (*notes)
        sx_base_free((*notes)->list);
    sx_base_free(*notes);
    *notes = NULL;
}

void sx_serial_notes_print(const sx_serial_notes *notes, sx_text *t)
{
    for (ptrdiff_t i = 0; i < notes->n; i++)
        sx_base_print(t, "%s%016" PRIx64 ":%s", i ? " " : "", notes->list[i].hash, notes->list[i].name);
}
