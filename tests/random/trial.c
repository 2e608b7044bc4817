/* trial.c - create the plans of a problem, and execute them. Arrays, refusals and results must be as the
 * public headers say. */
#include "random/trial.h"
#include "common/verdict.h"
#include "operation/operation.h"
#include "random/bound.h"
#include "random/part.h"
#include "random/refusal.h"
#include "random/storage.h"
#include "random/watch.h"
#include "unit/real.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <subx_lowlevel.h>
#include <subx_tune.h>

typedef struct trial {
    const random_problem *p;
    MPI_Comm comm;
    int rank, position; /* position: the rank's position in the plan's order of ranks */
    MPI_Info hints;
    subx_fft_problem problem;
    random_field field;
    subx_fft_plan plan[RANDOM_PLANS];
    random_part part[RANDOM_PLANS][2]; /* [plan][side] */
    random_bound bound[RANDOM_PLANS];
    random_outcome outcome;
} trial;

/* Count a failure if `holds` is 0. Print only the first failure of a problem on each rank. */
static void hold(trial *t, int holds, int line, const char *what)
{
    if (holds || t->outcome.failures++ == 0)
        test_expect(holds, __FILE__, line, what);
}

static void hold_ok(trial *t, int code, int line, const char *what)
{
    if (code == MPI_SUCCESS || t->outcome.failures++ == 0)
        test_expect_kind(code, 0, __FILE__, line, what);
}

#define HOLD(condition) hold(t, (condition) != 0, __LINE__, #condition)
#define HOLD_OK(call) hold_ok(t, (call), __LINE__, #call)

/* ---- plans, and refusals */

/* Returns 1 if the value is the same on all ranks. */
static int is_same(MPI_Comm comm, int value)
{
    int mine[2] = {value, -value}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm);
    return most[0] == -most[1];
}

/* If the library refuses a plan, the reason must be in the list of refusal.c. For some reasons of the list
 * the library must refuse. */
static void check_refusal(trial *t, int rc, int kind)
{
    t->outcome.refusal = random_refusal_find(t->p, kind);
    const int must = random_refusal_find_certain(t->p);
    if (rc && t->outcome.refusal < 0)
        HOLD_OK(rc);
    if (!rc && must >= 0)
        hold(t, 0, __LINE__, random_refusal_get_text(must));
}

/* Returns 1 if all ranks have got a plan. A plan that only some ranks have got is not freed, because all
 * ranks must call free. */
static int create_plan(trial *t, int which)
{
    random_watch_phase("subx_fft_plan_create_problem");
    int rc = subx_fft_plan_create_problem(t->comm, t->problem, t->hints, &t->plan[which]);
    int kind = rc ? subx_error_get_kind(rc) : 0;
    random_watch_phase("agreeing on subx_fft_plan_create_problem");
    const int same = is_same(t->comm, rc ? kind : -1);
    HOLD(same);
    if (rc)
        HOLD(t->plan[which] == SUBX_FFT_PLAN_NULL);
    if (which > 0)
        HOLD(kind == t->outcome.kind);
    t->outcome.kind = kind;
    check_refusal(t, rc, kind);
    return same && !rc;
}

static void free_plan(trial *t, int which)
{
    random_watch_phase("subx_fft_plan_free");
    HOLD_OK(subx_fft_plan_free(&t->plan[which]));
    HOLD(t->plan[which] == SUBX_FFT_PLAN_NULL);
}

/* Print and explain the plan, which must succeed for every plan. */
static void check_texts(trial *t, subx_fft_plan plan)
{
    size_t needed = 0;
    int nstages = 0, kind;
    MPI_Info info;
    char text[RANDOM_TEXT];
    const char *name;
    HOLD_OK(subx_fft_plan_print(plan, sizeof text, text, &needed));
    HOLD(needed == strlen(text) || needed >= sizeof text);
    HOLD_OK(subx_fft_plan_get_info(plan, &info));
    MPI_Info_free(&info);
    HOLD_OK(subx_fft_plan_get_nstages(plan, SUBX_FFT_BACKWARD, &nstages));
    for (int i = 0; i < nstages; i++)
        HOLD_OK(subx_fft_plan_get_stage(plan, SUBX_FFT_BACKWARD, i, &kind, &name, NULL, NULL));
}

/* Get this rank's position in the plan's order of ranks. With reorder the ranks are sorted by nodes. */
static int get_position(const trial *t)
{
    int node[t->p->nranks], position = 0;
    if (!random_problem_has(t->p, "reorder", "yes") || subx_mem_get_nodes(t->comm, t->hints, node))
        return t->rank;
    for (int q = 0; q < t->p->nranks; q++)
        position += node[q] < node[t->rank] || (node[q] == node[t->rank] && q < t->rank);
    return position;
}

static void check_plan(trial *t, int which)
{
    int g = 0, dims[RANDOM_NDIMS], product = 1;
    subx_fft_problem problem;
    HOLD_OK(subx_fft_plan_get(t->plan[which], &problem, &g, dims));
    HOLD(g >= 1 && g <= t->p->ndims);
    for (int k = 0; k < g; k++)
        product *= dims[k];
    HOLD(product == t->p->nworking ||
         (random_problem_has(t->p, "subx_ranks", "auto") && product < t->p->nworking));
    int is_equal = 0;
    HOLD_OK(subx_fft_problem_query_equal(problem, t->problem, &is_equal));
    HOLD(is_equal);
    check_texts(t, t->plan[which]);
    t->bound[which] = random_bound_get(t->plan[which], t->comm);
    for (int side = 0; side < 2; side++) {
        const char *wrong =
            random_part_set(t->p, t->plan[which], side, t->rank, t->position, &t->part[which][side]);
        hold(t, !wrong, __LINE__, wrong);
    }
}

/* ---- arrays */

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* An array from malloc or subx_mem_alloc. The library must not change the guard bytes after the array. */
typedef struct array {
    void *memory;
    unsigned char *data;
    size_t bytes;
    int is_shared;
} array;

static array create_array(trial *t, ptrdiff_t bytes, int is_shared, int shift)
{
    array a = {.bytes = (size_t)bytes, .is_shared = is_shared};
    const size_t all = a.bytes + (size_t)shift + GUARD;
    random_watch_phase("subx_mem_alloc");
    if (is_shared)
        HOLD_OK(subx_mem_alloc(t->comm, (ptrdiff_t)all, t->hints, &a.memory));
    else
        a.memory = malloc(all);
    if (!a.memory)
        abort();
    a.data = (unsigned char *)a.memory + shift;
    memset(a.data, 0xff, a.bytes);
    memset(a.data + a.bytes, GUARD_BYTE, GUARD);
    return a;
}

static void free_array(trial *t, array *a)
{
    int changed = 0;
    for (int i = 0; i < GUARD; i++)
        changed += a->data[a->bytes + (size_t)i] != GUARD_BYTE;
    HOLD(changed == 0);
    if (a->is_shared)
        HOLD_OK(subx_mem_free(&a->memory));
    else
        free(a->memory);
}

/* ---- executions */

static long double get_epsilon(const random_problem *p)
{
    const long double epsilon = test_real_epsilon(p->precision);
    return epsilon < LDBL_EPSILON ? LDBL_EPSILON : epsilon;
}

static void check_result(trial *t, const random_run *run, const random_part *part, const void *data)
{
    const random_pair *expected = random_field_get(&t->field, run->action, run->operates);
    const long double factor = random_problem_get_scale(t->p, run->action) * (long double)run->factor;
    const long double largest = fabsl(factor) * t->field.largest[run->action][run->operates];
    const long double tolerance = 32 * get_epsilon(t->p) * (1 + log2l(random_problem_get_volume(t->p)));
    const long double error = random_part_compare(part, t->field.count[part->side], expected, factor, data);
    const long double floats = random_bound_get_error(&t->bound[run->plan], &t->field, run->action,
                                                      run->operates, (long double)run->factor);
    char what[96];
    snprintf(what, sizeof what, "the result has error %Lg, and values up to %Lg", error, largest);
    hold(t, error <= tolerance * largest + floats, __LINE__, what);
}

static void *get_address(const random_run *run, const random_part *part, const random_part *other,
                         const array *a)
{
    const int is_empty = part->count == 0 && (!run->in_place || other->count == 0);
    return run->may_be_null && is_empty ? NULL : a->data;
}

/* A box of the spectral side, for which the library calls the operation. If there are several fields, the
 * last axis of the box is the number of the field. */
typedef struct call {
    const random_problem *p;
    const ptrdiff_t *start, *n, *stride;
    char *data;
} call;

static void operate_on(const call *c, int axis, ptrdiff_t global, ptrdiff_t field, ptrdiff_t place)
{
    const random_problem *p = c->p;
    if (axis < p->ndims + (p->howmany > 1)) {
        const ptrdiff_t n = axis < p->ndims ? random_problem_get_length(p, SUBX_FFT_SPECTRAL, axis) : 1;
        for (ptrdiff_t i = 0; i < c->n[axis]; i++)
            operate_on(c, axis + 1, axis < p->ndims ? global * n + c->start[axis] + i : global,
                       axis < p->ndims ? 0 : c->start[axis] + i, place + i * c->stride[axis]);
        return;
    }
    const int width = random_problem_get_width(p, SUBX_FFT_SPECTRAL);
    const random_pair w = random_operation_get(p, global, field);
    const test_real re = test_real_get(p->precision, c->data, place * width);
    const test_real im = width == 2 ? test_real_get(p->precision, c->data, place * width + 1) : 0;
    test_real_set(p->precision, c->data, place * width, re * w.re - im * w.im);
    if (width == 2)
        test_real_set(p->precision, c->data, place * width + 1, re * w.im + im * w.re);
}

static void operate(void *context, int ndims, const ptrdiff_t start[], const ptrdiff_t n[],
                    const ptrdiff_t stride[], void *data)
{
    const call c = {context, start, n, stride, data};
    (void)ndims;
    operate_on(&c, 0, 0, 0, 0);
}

static int call_library(trial *t, const random_run *run, const void *from, void *to)
{
    subx_fft_operation operation = SUBX_FFT_OPERATION_NULL;
    const int direction = run->action == RANDOM_FORWARD ? SUBX_FFT_FORWARD : SUBX_FFT_BACKWARD;
    HOLD_OK(subx_fft_operation_create_function(operate, (void *)(size_t)t->p, &operation));
    random_watch_phase("subx_fft_execute");
    int rc = run->action == RANDOM_CONVOLVE
                 ? subx_fft_execute_convolution(t->plan[run->plan], from, to, operation)
             : run->operates ? subx_fft_execute_operation(t->plan[run->plan], direction, from, to, operation)
                             : subx_fft_execute(t->plan[run->plan], direction, from, to);
    (void)subx_fft_operation_free(&operation);
    return rc;
}

/* The bytes in gaps that the caller's strides leave between elements must not change. */
static void check_gaps(trial *t, const random_part *part, const array *to)
{
    if (t->p->side[part->side].has_strides)
        HOLD(random_part_count_touched(part, 0xff, to->data) == 0);
}

/* Returns 1 if the library must refuse the execution: with subx_input_array = destroy, it refuses real data
 * in place unless the problem is padded. */
static int is_refused(const trial *t, const random_run *run)
{
    return run->in_place && !t->p->padded && random_problem_get_halved(t->p) >= 0 &&
           random_problem_has(t->p, "subx_input_array", "destroy");
}

/* Get the bytes before an array. Arrays of quads must be aligned. */
static int get_shift(const trial *t, int shift)
{
    const int real = (int)sx_serial_get_real_bytes(t->p->precision);
    return shift == 2 || (shift == 1 && t->p->precision == SUBX_FFT_QUAD) ? real : shift;
}

static void execute(trial *t, const random_run *run)
{
    if (is_refused(t, run))
        return;
    const random_part *here = &t->part[run->plan][random_action_get_side(run->action, 0)],
                      *there = &t->part[run->plan][random_action_get_side(run->action, 1)];
    const ptrdiff_t room = run->in_place && there->bytes > here->bytes ? there->bytes : here->bytes;
    array from = create_array(t, room, run->is_shared[0], get_shift(t, run->shift[0])), to = from;
    if (!run->in_place)
        to = create_array(t, there->bytes, run->is_shared[1], get_shift(t, run->shift[1]));
    random_part_fill(here, t->field.count[here->side], t->field.data[here->side], (long double)run->factor,
                     from.data);
    void *kept = malloc(from.bytes);
    memcpy(kept, from.data, from.bytes);
    HOLD_OK(call_library(t, run, get_address(run, here, there, &from), get_address(run, there, here, &to)));
    check_result(t, run, there, to.data);
    if (!run->in_place) {
        HOLD(random_problem_has(t->p, "subx_input_array", "destroy") ||
             memcmp(kept, from.data, from.bytes) == 0);
        check_gaps(t, there, &to);
        free_array(t, &to);
    }
    free(kept);
    free_array(t, &from);
}

static void execute_all(trial *t)
{
    random_watch_phase("the definition");
    t->field = random_field_create(t->p, t->comm);
    for (int i = 0; i < t->p->nruns; i++) {
        test_context("problem %llu, execution %d", (unsigned long long)t->p->number, i);
        execute(t, &t->p->run[i]);
    }
    random_field_free(&t->field);
}

/* ---- a whole problem */

random_outcome random_trial_run(const random_problem *p, MPI_Comm comm)
{
    trial t = {.p = p, .comm = comm, .hints = random_hint_create(p), .outcome = {0, -1, 0}};
    int made = 0;
    MPI_Comm_rank(comm, &t.rank);
    test_context("problem %llu", (unsigned long long)p->number);
    hold_ok(&t, random_problem_create(p, t.rank, &t.problem), __LINE__, "random_problem_create");
    while (made < p->nplans && create_plan(&t, made))
        made++;
    if (made == p->nplans) {
        t.position = get_position(&t);
        for (int i = 0; i < made; i++)
            check_plan(&t, i);
        if (is_same(comm, t.outcome.failures > 0) && !t.outcome.failures)
            execute_all(&t);
    }
    while (made > 0)
        free_plan(&t, --made);
    (void)subx_fft_problem_free(&t.problem);
    MPI_Info_free(&t.hints);
    return t.outcome;
}
