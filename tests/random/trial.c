/* trial.c - make the plans of a problem and execute them; arrays, refusals and results must be as the headers
 * say. */
#include "random/trial.h"
#include "common/verdict.h"
#include "random/definition.h"
#include "random/watch.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    const random_problem *p;
    MPI_Comm comm;
    MPI_Info hints;
    test_field field;
    double largest[2]; /* absolute values of the field and of its spectrum */
    subx_fft_plan plan[RANDOM_PLANS];
    test_part part[2]; /* by side */
    random_outcome outcome;
} trial;

/* The first failure of a problem on a rank tells enough; the others are only counted. */
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

static int is_given(const random_problem *p, const char *key)
{
    return random_problem_get(p, key)[0] != '\0';
}

/* A plan may be refused only for a hint that can be a reason for it. */
static int is_refusal(const random_problem *p, int kind)
{
    const int engine = is_given(p, "subx_engine") || is_given(p, "subx_between");
    const int storage = strcmp(random_problem_get(p, "subx_strategy"), "natural") == 0 &&
                        strcmp(random_problem_get(p, "subx_output"), "transposed") == 0;
    return (kind == SUBX_ERR_HINT && (engine || storage)) ||
           (kind == SUBX_ERR_UNAVAILABLE && (engine || is_given(p, "subx_threads"))) ||
           (kind == SUBX_ERR_NO_MEM && is_given(p, "subx_memory"));
}

/* 1 if all ranks have the value. */
static int is_same(MPI_Comm comm, int value)
{
    int mine[2] = {value, -value}, most[2];
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, comm);
    return most[0] == -most[1];
}

/* Returns 1 if there is a plan on all ranks. Where only some have one it stays, since no call that is
 * collective can free it. */
static int create_plan(trial *t, int which)
{
    const random_problem *p = t->p;
    random_watch_phase("subx_fft_plan_create");
    int rc = subx_fft_plan_create(t->comm, p->kind, p->ndims, p->sizes, t->hints, &t->plan[which]);
    int kind = rc ? subx_error_query(rc) : 0;
    random_watch_phase("agreeing on subx_fft_plan_create");
    const int same = is_same(t->comm, rc ? kind : -1);
    HOLD(same);
    if (rc && !is_refusal(p, kind))
        HOLD_OK(rc);
    if (rc)
        HOLD(t->plan[which] == SUBX_FFT_PLAN_NULL);
    if (which > 0)
        HOLD(kind == t->outcome.kind);
    t->outcome.kind = kind;
    return same && !rc;
}

static void free_plan(trial *t, int which)
{
    random_watch_phase("subx_fft_plan_free");
    HOLD_OK(subx_fft_plan_free(&t->plan[which]));
    HOLD(t->plan[which] == SUBX_FFT_PLAN_NULL);
}

/* ---- local arrays */

/* The block of axis `a` that the header promises: the grid's last dimension is the fastest, and dimension m
 * divides axis m on the physical side, axis m + 1 on the spectral side. */
static void check_axis(trial *t, int side, int a, int g, const int dims[])
{
    const ptrdiff_t n = side == SUBX_FFT_PHYSICAL ? t->field.sizes[a] : t->field.spectral[a];
    const int m = a - side, is_divided = m >= 0 && m < g;
    int coordinate = 0;
    MPI_Comm_rank(t->comm, &coordinate);
    for (int k = g - 1; k > m && is_divided; k--)
        coordinate /= dims[k];
    const ptrdiff_t parts = is_divided ? dims[m] : 1, r = is_divided ? coordinate % parts : 0;
    const ptrdiff_t rest = n % parts, length = n / parts + (r < rest);
    HOLD(t->part[side].shape[a] == length);
    if (length > 0)
        HOLD(t->part[side].start[a] == r * (n / parts) + (r < rest ? r : rest));
}

static void check_side(trial *t, int side, int g, const int dims[])
{
    const test_part *part = &t->part[side];
    const int is_natural =
        side == SUBX_FFT_PHYSICAL || strcmp(random_problem_get(t->p, "subx_output"), "transposed") != 0;
    int seen = 0;
    for (int a = 0; a < part->ndims; a++) {
        check_axis(t, side, a, g, dims);
        HOLD(!is_natural || part->order[a] == part->ndims - 1 - a);
        seen |= 1 << part->order[a];
    }
    HOLD(seen == (1 << part->ndims) - 1);
    const size_t element = part->is_real ? sizeof(double) : sizeof(double complex);
    HOLD(part->bytes > 0 && (size_t)part->bytes >= (size_t)part->count * element);
}

static void check_plan(trial *t, subx_fft_plan plan)
{
    int kind, ndims, g = 0, dims[TEST_DFT_NDIMS], product = 1, nranks;
    ptrdiff_t sizes[TEST_DFT_NDIMS];
    MPI_Comm_size(t->comm, &nranks);
    HOLD_OK(subx_fft_plan_get(plan, &kind, &ndims, sizes, &g, dims));
    for (int k = 0; k < g; k++)
        product *= dims[k];
    HOLD(kind == t->p->kind && ndims == t->p->ndims && g >= 1 && g < ndims);
    HOLD(product == nranks);
    for (int side = 0; side < 2; side++) {
        t->part[side] = test_part_get(&t->field, plan, side);
        check_side(t, side, g, dims);
    }
}

/* ---- arrays */

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* Memory of a kind, with bytes after the array that must stay. */
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
        HOLD_OK(subx_mem_alloc(t->comm, (MPI_Count)all, t->hints, &a.memory));
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

static double get_scale(const trial *t, int direction)
{
    const double n = (double)t->field.count, inverse = direction == SUBX_FFT_BACKWARD ? n : 1;
    const char *scaling = random_problem_get(t->p, "subx_scaling");
    if (strcmp(scaling, "symmetric") == 0)
        return inverse / sqrt(n);
    if (strcmp(scaling, direction == SUBX_FFT_FORWARD ? "forward" : "backward") == 0)
        return inverse / n;
    return inverse;
}

static void check_result(trial *t, const random_run *run, int side, const void *data)
{
    const double scale = get_scale(t, run->direction) * run->factor;
    const double tolerance = 16 * DBL_EPSILON * (1 + log2((double)t->field.count));
    const double largest = fabs(scale) * t->largest[side];
    const double error = test_part_compare(&t->field, &t->part[side], side, scale, data);
    char what[96];
    snprintf(what, sizeof what, "the result has error %g, and values up to %g", error, largest);
    hold(t, error <= tolerance * largest, __LINE__, what);
}

static void *get_address(const trial *t, const random_run *run, int side, const array *a)
{
    const int is_empty = t->part[side].count == 0 && (!run->in_place || t->part[!side].count == 0);
    return run->may_be_null && is_empty ? NULL : a->data;
}

static void execute(trial *t, const random_run *run)
{
    const int here = run->direction == SUBX_FFT_FORWARD ? SUBX_FFT_PHYSICAL : SUBX_FFT_SPECTRAL,
              there = !here;
    const ptrdiff_t bytes[2] = {t->part[0].bytes, t->part[1].bytes};
    const ptrdiff_t room = run->in_place && bytes[there] > bytes[here] ? bytes[there] : bytes[here];
    array from = create_array(t, room, run->is_shared[0], run->shift[0]), to = from;
    if (!run->in_place)
        to = create_array(t, bytes[there], run->is_shared[1], run->shift[1]);
    test_part_fill(&t->field, &t->part[here], here, run->factor, from.data);
    void *kept = malloc(from.bytes);
    memcpy(kept, from.data, from.bytes);
    random_watch_phase("subx_fft_execute");
    const int executed = subx_fft_execute(t->plan[run->plan], run->direction,
                                          get_address(t, run, here, &from), get_address(t, run, there, &to));
    HOLD_OK(executed);
    check_result(t, run, there, to.data);
    if (!run->in_place) {
        HOLD(memcmp(kept, from.data, from.bytes) == 0);
        free_array(t, &to);
    }
    free(kept);
    free_array(t, &from);
}

static void execute_all(trial *t)
{
    for (int i = 0; i < t->p->nruns; i++) {
        test_context("problem %llu, execution %d", (unsigned long long)t->p->number, i);
        execute(t, &t->p->run[i]);
    }
}

/* ---- the whole */

static void set_field(trial *t)
{
    random_watch_phase("the definition");
    t->field = random_definition_create(t->p, t->comm);
    for (ptrdiff_t i = 0; i < t->field.count; i++)
        t->largest[SUBX_FFT_PHYSICAL] = fmax(t->largest[SUBX_FFT_PHYSICAL], cabs(t->field.u[i]));
    for (ptrdiff_t i = 0; i < t->field.spectral_count; i++)
        t->largest[SUBX_FFT_SPECTRAL] = fmax(t->largest[SUBX_FFT_SPECTRAL], cabs(t->field.spectrum[i]));
}

random_outcome random_trial_run(const random_problem *p, MPI_Comm comm)
{
    trial t = {.p = p, .comm = comm, .hints = random_problem_hints(p)};
    int made = 0;
    test_context("problem %llu", (unsigned long long)p->number);
    while (made < p->nplans && create_plan(&t, made))
        made++;
    if (made == p->nplans) {
        set_field(&t);
        for (int i = 0; i < made; i++)
            check_plan(&t, t.plan[i]);
        execute_all(&t);
        test_field_free(&t.field);
    }
    while (made > 0)
        free_plan(&t, --made);
    MPI_Info_free(&t.hints);
    return t.outcome;
}
