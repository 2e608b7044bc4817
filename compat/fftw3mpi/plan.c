/* plan.c - check the arguments of plans; create, execute and destroy plans: ours, or FFTW's own plans. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- arguments that FFTW refuses */

static int is_valid(const sx_fftw_request *q, int ndims)
{
    return q->howmany >= 0 && ndims >= (sx_fftw_is_halved(q) ? 2 : 1) && ndims <= SX_FFTW_NDIMS_MAX;
}

static int has_valid_dims(const sx_fftw_request *q)
{
    for (int i = 0; i < q->ndims; i++)
        if (q->dim[i].n < 1 || q->dim[i].ib < 0 || q->dim[i].ob < 0)
            return 0;
    return 1;
}

/* Query whether FFTW has a plan with these flags. Only several axes can be transposed, and of real transforms
 * only the complex side. Only a complex single axis can be scrambled, on one side, if it is distributed as
 * two factors. */
static int has_valid_flags(const sx_fftw_request *q)
{
    const unsigned flags = q->flags & SX_FFTW_MPI_FLAGS, in = SX_FFTW_TRANSPOSED_IN,
                   out = SX_FFTW_TRANSPOSED_OUT;
    if (q->ndims > 1)
        return !(flags & ~(q->family == SX_FFTW_R2C ? out : q->family == SX_FFTW_C2R ? in : in | out));
    return !flags ||
           (q->family == SX_FFTW_DFT && (flags == SX_FFTW_SCRAMBLED_IN || flags == SX_FFTW_SCRAMBLED_OUT) &&
            sx_fftw_is_factored(q->dim[0].n, q->nranks, q->howmany, q->sign, flags));
}

/* Query whether FFTW has a plan for this distribution: there must not be more blocks than ranks. */
static int has_room(const sx_fftw_request *q)
{
    sx_fftw_layout l;
    sx_fftw_set_request_layout(&l, q);
    return sx_fftw_count_all(&l, SX_FROM) <= q->nranks && sx_fftw_count_all(&l, SX_TO) <= q->nranks;
}

/* ---- plans of ours */

/* Create our plan; there is none if howmany is 0. During the creation, FFTW's serial planner is set to one
 * thread, because our plan has threads of its own. */
static int create_plan(const sx_fftw_request *q, int rc, sx_fftw_plan *made)
{
    const sx_fftw_state *state = q->precision->state;
    if (q->howmany == 0)
        return sx_base_agree(q->comm, rc, NULL);
    if (state->threads > 1)
        q->precision->set_threads(1);
    rc = sx_fftw_create(q, rc, &made->plan, &made->direction);
    if (!rc && (rc = sx_fftw_turn_create(q->comm, made->plan, &made->turn)))
        sx_fftw_share_free(&made->plan);
    if (state->threads > 1)
        q->precision->set_threads(state->threads);
    if (q->limit >= 0)
        q->precision->set_limit(state->limit);
    return rc;
}

/* Create a handle with a plan of ours. Collective; NULL on all ranks or on no rank. */
static sx_fftw_plan *create(const sx_fftw_request *q, sx_fftw_times *times)
{
    const double start = MPI_Wtime();
    sx_fftw_plan none, *made = sx_fftw_alloc_plan(q);
    const int rc =
        create_plan(q, made ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM), made ? made : &none);
    times->planning[0] = MPI_Wtime() - start;
    if (!rc) {
        q->precision->state->nplans++;
        return made;
    }
    sx_base_free(made);
    return NULL;
}

/* ---- our plan or FFTW's own (stock) */

static void *pass_on(const sx_fftw_request *q, const char *why, sx_fftw_times *times)
{
    sx_fftw_plan *stock = sx_fftw_create_stock(q, times);
    sx_fftw_line *line = sx_fftw_count_plan(q, stock ? why : "no plan", times);
    if (stock)
        stock->line = line;
    return stock;
}

/* Query whether FFTW's plan can be compared with ours. A scrambled axis has another order in FFTW than in our
 * library, so all plans of a program must come from one of them. */
static int is_comparable(const sx_fftw_request *q)
{
    return q->howmany > 0 && q->limit < 0 && !(q->flags & (SX_FFTW_SCRAMBLED_IN | SX_FFTW_SCRAMBLED_OUT));
}

/* Take the faster one of our plan and FFTW's own plan, and free the other one. If an earlier comparison is
 * remembered, nothing is compared; if ours was faster, FFTW need not even plan. */
static sx_fftw_plan *take_faster(const sx_fftw_request *q, sx_fftw_plan *ours, sx_fftw_times *times,
                                 const char **fate)
{
    int winner = sx_fftw_recall(q, ours, times->execution);
    const int is_known = winner != SX_FFTW_UNKNOWN, is_late = winner == SX_FFTW_OURS && sx_fftw_late_add(q);
    sx_fftw_plan *stock = is_late ? NULL : sx_fftw_create_stock(q, times);
    if (stock && !is_known) {
        winner = sx_fftw_is_slower(q, ours, stock, times->execution) ? SX_FFTW_STOCK : SX_FFTW_OURS;
        sx_fftw_remember(q, ours, winner, times->execution);
    }
    if (stock && winner == SX_FFTW_STOCK) {
        *fate =
            is_known ? "passed on: FFTW was faster in an earlier comparison" : "passed on: FFTW is faster";
        sx_fftw_free(ours);
        return stock;
    }
    *fate = is_late ? "taken over: faster in an earlier comparison" : "taken over";
    if (stock)
        sx_fftw_free_stock(stock);
    return ours;
}

/* Take the faster plan. FFTW's own plan is created and compared now only if the request asks for more than
 * FFTW_ESTIMATE, and only if there is no time limit. With FFTW_ESTIMATE the plans are compared when the
 * program executes them. */
static void *choose(const sx_fftw_request *q, sx_fftw_plan *ours, sx_fftw_times *times)
{
    const int is_estimated = (q->flags & FFTW_ESTIMATE) != 0, is_open = is_comparable(q);
    const char *fate = "taken over";
    sx_fftw_plan *taken = is_open && !is_estimated ? take_faster(q, ours, times, &fate) : ours;
    taken->line = sx_fftw_count_plan(q, fate, times);
    if (is_open && is_estimated)
        taken->trial = sx_fftw_trial_create(q);
    return taken;
}

/* Query whether an array is in a GPU's memory, which neither FFTW nor this library may touch. Managed memory
 * may be touched. */
static int is_on_device(const void *array)
{
    return sx_base_find_place(array) == SX_PLACE_DEVICE;
}

/* Query whether the share of a rank is larger than the memory of its host, so that there is no such array.
 * For many of these requests FFTW's planner ends the program. */
static int is_immense(const sx_fftw_request *q, int nranks)
{
    const double bytes = sx_fftw_count_points(q) * (double)q->howmany * (double)q->precision->real / nranks;
    return bytes > (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* Find out what all ranks must know. *why becomes why there is no plan, or NULL. The time limit of our
 * planner becomes the shortest limit that a rank has given to fftw_set_timelimit. The least limit of
 * libsubx_fft is a second. If the limit is shorter, the plan is estimated and nothing is timed, as in FFTW if
 * it has no time. Collective. Returns 0 on all ranks after an error of MPI on some rank: then there is no
 * plan of ours. */
static int agree(sx_fftw_request *q, const char **why)
{
    static const char *const reasons[] = {"no plan: an array is in a GPU's memory",
                                          "no plan: the arrays are larger than the memory", NULL};
    const double limit = q->precision->state->limit;
    int rank = 0, nranks = 0;
    const int is_known = !MPI_Comm_rank(q->comm, &rank) && !MPI_Comm_size(q->comm, &nranks);
    const int reason = is_on_device(q->in) || is_on_device(q->out) ? 0
                       : is_known && is_immense(q, nranks)         ? 1
                                                                   : 2;
    double least[] = {limit < 0 ? HUGE_VAL : limit, reason, is_known, sx_fftw_is_world(q->comm), -nranks};
    const int failed = MPI_Allreduce(MPI_IN_PLACE, least, 5, MPI_DOUBLE, MPI_MIN, q->comm);
    q->rank = rank;
    q->nranks = (int)-least[4];
    q->is_world = !failed && least[3] > 0;
    q->limit = isinf(least[0]) ? FFTW_NO_TIMELIMIT : least[0];
    if (least[0] < 1)
        q->flags |= FFTW_ESTIMATE;
    *why = reasons[(int)least[1]];
    return !failed && least[2] > 0;
}

static void *plan(sx_fftw_request *q)
{
    sx_fftw_times times = {{0, 0}, {0, 0}};
    const char *why;
    if (!has_valid_dims(q))
        return NULL;
    const int can_create = agree(q, &why);
    if (q->nranks < 1 || !has_valid_flags(q) || !has_room(q))
        return NULL;
    if (why) {
        (void)sx_fftw_count_plan(q, why, &times);
        return NULL;
    }
    if (q->flags & FFTW_WISDOM_ONLY) {
        sx_fftw_late_plan(q->precision, q->is_world);
        return pass_on(q, "passed on: from wisdom only", &times);
    }
    sx_fftw_plan *ours = can_create ? create(q, &times) : NULL;
    return ours ? choose(q, ours, &times) : pass_on(q, "passed on: no plan of ours", &times);
}

void *sx_fftw_plan_guru(sx_fftw_request *q, int ndims, const sx_fftw_dim dim[], const int kind[])
{
    if (!is_valid(q, ndims))
        return NULL;
    q->ndims = ndims;
    memcpy(q->dim, dim, (size_t)ndims * sizeof *dim);
    if (kind)
        memcpy(q->kind, kind, (size_t)ndims * sizeof *kind);
    return plan(q);
}

/* block_in: the length of the blocks along the divided axis of the input. block_out: the same for the output.
 * The divided axis of a side is the second axis if the side is transposed, else the first axis. */
void *sx_fftw_plan_many(sx_fftw_request *q, int ndims, const ptrdiff_t n[], ptrdiff_t block_in,
                        ptrdiff_t block_out, const int kind[])
{
    sx_fftw_dim dim[SX_FFTW_NDIMS_MAX];
    if (!is_valid(q, ndims))
        return NULL;
    for (int i = 0; i < ndims; i++)
        dim[i] = (sx_fftw_dim){n[i], n[i], n[i]};
    dim[ndims > 1 && q->flags & SX_FFTW_TRANSPOSED_IN].ib = block_in;
    dim[ndims > 1 && q->flags & SX_FFTW_TRANSPOSED_OUT].ob = block_out;
    return sx_fftw_plan_guru(q, ndims, dim, kind);
}

/* ---- use */

static int check_arrays(const void *in, const void *out)
{
    if (!is_on_device(in) && !is_on_device(out))
        return MPI_SUCCESS;
    return sx_base_set_error_text(
        SUBX_ERR_UNAVAILABLE,
        "subx_fftw3mpi: an array is in a GPU's memory, which FFTW's plans cannot reach");
}

/* Execute a plan. FFTW's functions return no error, so an error goes to the error handler of MPI_COMM_WORLD;
 * otherwise nobody would notice wrong data. */
static void execute(const sx_fftw_plan *p, void *in, void *out)
{
    int rc = check_arrays(in, out);
    if (!rc && p->turn)
        rc = sx_fftw_turn_take(p->turn);
    if (!rc && p->plan) {
        rc = subx_fft_execute(p->plan, p->direction, in, out);
        if (p->turn)
            sx_fftw_turn_give(p->turn);
    }
    if (!rc && p->stock)
        p->precision->execute(p->stock, in, out);
    if (rc)
        (void)MPI_Comm_call_errhandler(MPI_COMM_WORLD, rc);
}

static void count_execution(sx_fftw_line *line, double seconds)
{
    __atomic_add_fetch(&line->executions, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&line->nanoseconds, (long)(1e9 * seconds), __ATOMIC_RELAXED);
}

/* From now on, FFTW's own plan executes. Our plan is freed. Collective. */
static void replace(sx_fftw_plan *p, sx_fftw_plan *stock)
{
    sx_fftw_share_free(&p->plan);
    p->precision->state->nplans--;
    p->stock = stock->stock;
    sx_base_free(stock);
}

/* Execute a plan that is on trial: ours or FFTW's. When the trial ends, the faster one stays. */
static void try_execute(sx_fftw_plan *p, void *in, void *out)
{
    sx_fftw_plan *stock;
    const int result = sx_fftw_trial_next(p->trial, &stock);
    const double start = MPI_Wtime();
    execute(stock ? stock : p, in, out);
    const double seconds = MPI_Wtime() - start;
    if (p->line)
        count_execution(p->line, seconds);
    if (result == SX_FFTW_UNKNOWN) {
        sx_fftw_trial_add(p->trial, stock != NULL, seconds);
        return;
    }
    if (result == SX_FFTW_STOCK)
        replace(p, stock);
    sx_fftw_trial_report(p->trial, result, &p->line);
    sx_fftw_trial_free(p->trial, 0);
    p->trial = NULL;
}

void sx_fftw_execute(const void *plan, void *in, void *out)
{
    const sx_fftw_plan *p = plan;
    if (p->trial) {
        try_execute((sx_fftw_plan *)plan, in, out);
        return;
    }
    const double start = p->line ? MPI_Wtime() : 0;
    execute(p, in, out);
    if (p->line)
        count_execution(p->line, MPI_Wtime() - start);
}

void sx_fftw_execute_own(const void *plan)
{
    const sx_fftw_plan *p = plan;
    sx_fftw_execute(p, p->in, p->out);
}

void *sx_fftw_copy(void *plan)
{
    ((sx_fftw_plan *)plan)->references++;
    return plan;
}

/* Programs also destroy plans after MPI_Finalize. Then only the handle is freed, because the plan needs
 * MPI. */
void sx_fftw_free(void *plan)
{
    sx_fftw_plan *p = plan;
    int is_late = 0;
    if (--p->references > 0)
        return;
    if (MPI_Finalized(&is_late) != MPI_SUCCESS)
        is_late = 1;
    sx_fftw_trial_free(p->trial, is_late);
    sx_fftw_turn_free(p->turn, is_late);
    if (!p->stock)
        p->precision->state->nplans--;
    if (p->stock && !is_late)
        p->precision->destroy(p->stock);
    else if (!is_late)
        sx_fftw_share_free(&p->plan);
    p->mark = NULL;
    sx_base_free(p);
}

void sx_fftw_print(const void *plan, sx_text *t)
{
    const sx_fftw_plan *p = plan;
    subx_fft_problem problem;
    char text[SX_HINT_LEN] = "nothing";
    if (p->plan && !subx_fft_plan_get(p->plan, &problem, NULL, NULL))
        (void)subx_fft_problem_print(problem, sizeof text, text, NULL);
    sx_base_print(t, "(subx-%s %s)", p->direction == SUBX_FFT_BACKWARD ? "backward" : "forward", text);
}
