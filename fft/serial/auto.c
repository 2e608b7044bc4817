/* auto.c - the backends auto and simd, which leave each transform to another backend, its maker. auto takes
 * the best maker, by the makers' own judgement or by measurements. simd takes our kernels (kernels.c), or the
 * next maker if they cannot make the transform. */
#include "serial/serial.h"
#include "simd/simd.h"
#include <math.h>
#include <string.h>

typedef struct state {
    const sx_serial *maker;
    void *made;
} state;

int sx_serial_is_maker(const sx_serial *serial)
{
    return serial != &sx_serial_auto && serial != &sx_serial_simd;
}

/* Get the i-th maker in the order of preference: our kernels, then the makers of the table. NULL if there is
 * none. */
static const sx_serial *get_maker(int i)
{
    const sx_serial *const *next = sx_serial_table;
    if (i == 0)
        return &sx_serial_kernels;
    for (; *next; next++)
        if (sx_serial_is_maker(*next) && --i == 0)
            break;
    return *next;
}

/* auto and simd serve the precisions that naive serves: all that the compiler has. */
static int serves(int precision)
{
    return sx_serial_naive.serves(precision);
}

static int suits(const sx_serial_problem *p)
{
    (void)p;
    return 1;
}

static ptrdiff_t get_bytes(const void *opaque)
{
    const state *s = opaque;
    return s->maker->get_bytes(s->made);
}

static void execute(const void *opaque, void *in, void *out, void *work)
{
    const state *s = opaque;
    s->maker->execute(s->made, in, out, work);
}

static void free_state(void *opaque)
{
    state *s = opaque;
    if (s && s->made)
        s->maker->free(s->made);
    sx_base_free(s);
}

/* ---- choosing */

/* Get the least time of some measurements, each of a few executions; INFINITY if there is no memory. */
static double measure(const state *s, void *in, void *out)
{
    double best = INFINITY;
    void *work = sx_base_alloc(get_bytes(s), 1);
    for (int i = 0; i < SX_AUTO_ROUNDS && work; i++) {
        const double began = MPI_Wtime();
        for (int k = 0; k < SX_AUTO_TIMES; k++)
            execute(s, in, out, work);
        best = fmin(best, MPI_Wtime() - began);
    }
    sx_base_free(work);
    return best;
}

/* Query whether the i-th maker is the last one with this precision, apart from naive. */
static int is_last(int i, int precision)
{
    const sx_serial *next;
    do
        next = get_maker(++i);
    while (next && !next->serves(precision));
    return !next || next == &sx_serial_naive;
}

/* Make a transform by the first maker that can, beginning with the i-th one. A maker whose `suits` returns 0
 * is taken only if `any` is 1, or if it is the last one with this precision, apart from naive. */
static int make(int i, int any, const sx_serial_problem *p, int effort, void *in, void *out, state *s)
{
    int rc = subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    for (const sx_serial *maker; rc && (maker = get_maker(i)); i++) {
        if (!maker->serves(p->precision) || (!any && !maker->suits(p) && !is_last(i, p->precision)))
            continue;
        s->maker = maker;
        rc = maker->create(p, effort, in, out, &s->made);
    }
    return rc;
}

/* Measure our kernel and the next maker. If the next maker is clearly faster, it replaces the kernel. Write a
 * note of the maker that is kept. */
static int compare(const sx_serial_problem *p, int effort, void *in, void *out, state *s)
{
    state other = {NULL, NULL};
    if (s->maker != &sx_serial_kernels || is_last(0, p->precision))
        return MPI_SUCCESS;
    int rc = make(1, 0, p, effort, in, out, &other);
    if (rc)
        return rc;
    if (measure(&other, in, out) < SX_AUTO_CLEARLY * measure(s, in, out)) {
        const state slower = *s;
        *s = other;
        other = slower;
    }
    other.maker->free(other.made);
    return sx_serial_notes_set(p, in == out, s->maker->name);
}

/* Get the index of the maker that is noted for the problem; -1 if none is noted. */
static int find_noted(const sx_serial_problem *p, int is_in_place)
{
    const char *name = sx_serial_notes_get(p, is_in_place);
    int i = 0;
    while (name && get_maker(i) && strcmp(get_maker(i)->name, name) != 0)
        i++;
    return name && get_maker(i) ? i : -1;
}

/* Make a transform by the maker that is noted for it, else by the best one. Effort estimate does not use
 * notes, because notes come from measurements. */
static int choose(const sx_serial_problem *p, int effort, void *in, void *out, state *s)
{
    const int noted = effort == SX_EFFORT_ESTIMATE ? -1 : find_noted(p, in == out);
    if (noted >= 0)
        return make(noted, 1, p, effort, in, out, s);
    int rc = make(0, 0, p, effort, in, out, s);
    if (!rc && effort != SX_EFFORT_ESTIMATE && !sx_serial_notes_are_closed(p->notes))
        rc = compare(p, effort, in, out, s);
    return rc;
}

static int create(int any, const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    int rc = any ? make(0, 1, p, effort, in, out, s) : choose(p, effort, in, out, s);
    if (rc)
        free_state(s);
    else
        *opaque = s;
    return rc;
}

static int create_auto(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    return create(0, p, effort, in, out, opaque);
}

static int create_simd(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    return create(1, p, effort, in, out, opaque);
}

int sx_serial_likes_rows(const sx_serial *serial, int precision, int kind, ptrdiff_t n)
{
    if ((serial != &sx_serial_auto && serial != &sx_serial_simd) || !sx_serial_kernels.serves(precision))
        return 0;
    return serial == &sx_serial_simd || sx_simd_is_fast(precision, kind, n, 0);
}

const sx_serial sx_serial_auto = {"auto", serves, suits, create_auto, get_bytes, execute, free_state};
const sx_serial sx_serial_simd = {"simd", serves, suits, create_simd, get_bytes, execute, free_state};
