/* late.c - requests for which FFTW has not planned, because our plan is known to be faster. A program may
 * nevertheless need what FFTW would have learnt: when it gathers or broadcasts FFTW's wisdom, or asks for a
 * plan from wisdom only. Then FFTW plans, on arrays of ours, because those of the program have data by now.
 *
 * These calls are collective, but the program may have freed the communicator of a request. Therefore the
 * list only has requests whose ranks are those of MPI_COMM_WORLD. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <string.h>

typedef struct late {
    struct late *next;
    sx_fftw_request request;
    int threads; /* of the serial planner */
} late;

static late *list; /* all ranks have the same requests in the same order */

int sx_fftw_is_world(MPI_Comm comm)
{
    int result = MPI_UNEQUAL;
    return !MPI_Comm_compare(comm, MPI_COMM_WORLD, &result) &&
           (result == MPI_IDENT || result == MPI_CONGRUENT);
}

static int is_same(const late *l, const sx_fftw_request *q)
{
    const sx_fftw_request *r = &l->request;
    const size_t n = (size_t)q->ndims;
    return r->precision == q->precision && l->threads == q->precision->state->threads &&
           r->family == q->family && r->ndims == q->ndims && r->howmany == q->howmany &&
           (r->in == r->out) == (q->in == q->out) && r->sign == q->sign && r->flags == q->flags &&
           memcmp(r->dim, q->dim, n * sizeof *q->dim) == 0 &&
           memcmp(r->kind, q->kind, n * sizeof *q->kind) == 0;
}

int sx_fftw_late_add(const sx_fftw_request *q)
{
    if (!q->is_world)
        return 0;
    for (const late *l = list; l; l = l->next)
        if (is_same(l, q))
            return 1;
    late *made = sx_base_alloc(1, sizeof *made);
    int can = made != NULL;
    if (MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) || !can) {
        sx_base_free(made);
        return 0;
    }
    *made = (late){list, *q, q->precision->state->threads};
    made->request.comm = MPI_COMM_WORLD;
    list = made;
    return 1;
}

/* Get the bytes of each array of a request. */
static size_t get_bytes(const sx_fftw_request *q)
{
    const int is_complex = sx_fftw_is_halved(q) || q->family == SX_FFTW_DFT;
    sx_fftw_layout l;
    sx_fftw_set_request_layout(&l, q);
    const ptrdiff_t elements = sx_fftw_get_alloc(&l, q->howmany, q->rank, q->sign, q->flags);
    return (size_t)(elements + 1) * q->precision->real * (is_complex ? 2 : 1);
}

/* The planner has as many threads as it had at the request, and no limit of time. */
static void create_and_free(const late *l, sx_fftw_request *q)
{
    const sx_fftw_state *state = q->precision->state;
    sx_fftw_times times = {{0, 0}, {0, 0}};
    if (l->threads != state->threads)
        q->precision->set_threads(l->threads > 1 ? l->threads : 1);
    q->precision->set_limit(FFTW_NO_TIMELIMIT);
    sx_fftw_plan *stock = sx_fftw_create_stock(q, &times);
    if (stock)
        sx_fftw_free_stock(stock);
    q->precision->set_limit(state->limit);
    if (l->threads != state->threads)
        q->precision->set_threads(state->threads > 1 ? state->threads : 1);
}

/* Without memory on some rank, FFTW does not plan. */
static void plan(const late *l)
{
    sx_fftw_request q = l->request;
    const size_t bytes = get_bytes(&q);
    const int is_in_place = q.in == q.out;
    q.in = fftw_malloc(bytes);
    q.out = is_in_place ? q.in : fftw_malloc(bytes);
    int can = q.in && q.out;
    if (!MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, q.comm) && can)
        create_and_free(l, &q);
    if (!is_in_place)
        fftw_free(q.out);
    fftw_free(q.in);
}

/* Handle the requests of a precision, the oldest one first, and remove them. */
static void remove_all(const sx_fftw_precision *p, void (*handle)(const late *))
{
    for (;;) {
        late **last = NULL;
        for (late **at = &list; *at; at = &(*at)->next)
            last = (*at)->request.precision == p ? at : last;
        if (!last)
            return;
        late *l = *last;
        *last = l->next;
        if (handle)
            handle(l);
        sx_base_free(l);
    }
}

void sx_fftw_late_plan(const sx_fftw_precision *p, int is_world)
{
    if (is_world)
        remove_all(p, plan);
}

void sx_fftw_late_forget(const sx_fftw_precision *p)
{
    remove_all(p, NULL);
}
