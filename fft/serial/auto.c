/* auto.c - the backends auto and simd: each transform is made by one of the others. auto takes the best one, by their own
 * judgement or by measuring; simd takes our kernels wherever they can serve. */
#include "serial/serial.h"
#include "simd/simd.h"
#include <math.h>

typedef struct state {
    const sx_serial *maker;
    void *made;
} state;

/* The preferred ones first. */
static const sx_serial *const makers[] = {&sx_serial_kernels,
#ifdef HAVE_FFTW3
                                          &sx_serial_fftw3,
#endif
                                          &sx_serial_naive, NULL};

static int serves(int precision)
{
    int i = 0;
    while (makers[i] && !makers[i]->serves(precision))
        i++;
    return makers[i] != NULL;
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

/* The time of an execution: the least of a few, each of several; INFINITY if there is no memory. */
static double measure(const state *s, void *in, void *out)
{
    enum { ROUNDS = 8, TIMES = 3 };
    double best = INFINITY;
    void *work = sx_base_alloc(get_bytes(s), 1);
    for (int i = 0; i < ROUNDS && work; i++) {
        const double began = MPI_Wtime();
        for (int k = 0; k < TIMES; k++)
            execute(s, in, out, work);
        best = fmin(best, MPI_Wtime() - began);
    }
    sx_base_free(work);
    return best;
}

/* Make a transform by the first one that can serve, from the i-th on; those that do not suit only if `any` is 1. */
static int make(int i, int any, const sx_serial_problem *p, int effort, void *in, void *out, state *s)
{
    int rc = subx_error_get(SUBX_ERR_UNAVAILABLE);
    for (; makers[i] && rc; i++) {
        if (!makers[i]->serves(p->precision) || (!any && !makers[i]->suits(p)))
            continue;
        s->maker = makers[i];
        rc = s->maker->create(p, effort, in, out, &s->made);
    }
    return rc;
}

/* Replace our kernel by the next one if that is clearly faster. */
static int compare(const sx_serial_problem *p, int effort, void *in, void *out, state *s)
{
    const double clearly = 0.95;
    state other = {NULL, NULL};
    if (s->maker != &sx_serial_kernels || makers[1] == &sx_serial_naive)
        return MPI_SUCCESS;
    int rc = make(1, 0, p, effort, in, out, &other);
    if (!rc && measure(&other, in, out) < clearly * measure(s, in, out)) {
        const state slower = *s;
        *s = other;
        other = slower;
    }
    if (other.made)
        other.maker->free(other.made);
    return rc;
}

static int create(int any, const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get(SUBX_ERR_NO_MEM);
    int rc = make(0, any, p, effort, in, out, s);
    if (!rc && !any && effort != SX_EFFORT_ESTIMATE)
        rc = compare(p, effort, in, out, s);
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
