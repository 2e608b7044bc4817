/* problem.c - convert a request of FFTW to a problem of libsubx_fft, and create the plan.
 *
 * The physical side is the input of a forward transform, and the output of a backward transform. A side is a
 * slab if only one axis is divided, the first or the second. Slabs are described by the block length of the
 * divided axis, because the plan then needs no additional exchange. All other sides are described as boxes.
 * If both sides divide the same axis, the spectral side is described as boxes, too. */
#include "fftw3mpi/fftw3mpi.h"
#include <fftw3.h>
#include <limits.h>
#include <string.h>

typedef struct job {
    const sx_fftw_request *q;
    sx_fftw_layout layout; /* FFTW's layout; for r2c and c2r: the layout of the complex data */
    int direction, ndims;
    int kinds[SX_FFTW_NDIMS_MAX];
    ptrdiff_t sizes[SX_FFTW_NDIMS_MAX];
    subx_fft_problem problem;
    MPI_Info hints;
    char key[SX_HINT_LEN]; /* the hints that may differ between plans, as text */
} job;

/* ---- kinds */

static int get_kind(int kind)
{
    static const struct {
        int theirs, ours;
    } table[] = {{FFTW_R2HC, SUBX_FFT_R2HC},    {FFTW_HC2R, SUBX_FFT_HC2R},    {FFTW_DHT, SUBX_FFT_DHT},
                 {FFTW_REDFT00, SUBX_FFT_DCT1}, {FFTW_REDFT10, SUBX_FFT_DCT2}, {FFTW_REDFT01, SUBX_FFT_DCT3},
                 {FFTW_REDFT11, SUBX_FFT_DCT4}, {FFTW_RODFT00, SUBX_FFT_DST1}, {FFTW_RODFT10, SUBX_FFT_DST2},
                 {FFTW_RODFT01, SUBX_FFT_DST3}, {FFTW_RODFT11, SUBX_FFT_DST4}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].theirs == kind)
            return table[i].ours;
    return -1;
}

static int get_axis_kind(const sx_fftw_request *q, int axis)
{
    switch (q->family) {
    case SX_FFTW_DFT:
        return SUBX_FFT_C2C;
    case SX_FFTW_R2C:
    case SX_FFTW_C2R:
        return axis == q->ndims - 1 ? SUBX_FFT_R2C : SUBX_FFT_C2C;
    case SX_FFTW_R2R:
        return get_kind(q->kind[axis]);
    default:
        return SUBX_FFT_NONE;
    }
}

/* Query whether the request is for several transforms of one axis, or for real transforms of one axis on
 * several ranks. The problem then has two axes. The second axis, of length howmany, is not transformed. */
static int is_bundle(const sx_fftw_request *q)
{
    return q->ndims == 1 && (q->howmany > 1 || (q->family == SX_FFTW_R2R && q->nranks > 1));
}

static void set_axes(job *j)
{
    const sx_fftw_request *q = j->q;
    j->ndims = q->ndims;
    for (int i = 0; i < q->ndims; i++) {
        j->kinds[i] = get_axis_kind(q, i);
        j->sizes[i] = q->dim[i].n;
    }
    if (is_bundle(q)) {
        j->ndims = 2;
        j->kinds[1] = SUBX_FFT_NONE;
        j->sizes[1] = q->howmany;
    }
}

/* ---- sides of the problem; each is an end of the request: SX_FROM or SX_TO */

/* Get the end of the request that belongs to a side of the problem. */
static int get_end(const job *j, int side)
{
    return (side == SUBX_FFT_PHYSICAL) == (j->direction == SUBX_FFT_FORWARD) ? SX_FROM : SX_TO;
}

/* Query whether the first two axes are swapped in memory at an end of the request, as the flag TRANSPOSED_IN
 * or TRANSPOSED_OUT says. FFTW's transposition is different: it swaps the axes of its output if
 * TRANSPOSED_OUT is not set. */
static int is_swapped(const sx_fftw_request *q, int end)
{
    const int flag = !!(q->flags & (end == SX_FROM ? SX_FFTW_TRANSPOSED_IN : SX_FFTW_TRANSPOSED_OUT));
    return q->family == SX_FFTW_TRANSPOSE ? (end == SX_TO) != flag : q->ndims > 1 && flag;
}

static void get_order(const job *j, int end, int order[])
{
    for (int i = 0; i < j->ndims; i++)
        order[i] = j->ndims - 1 - i;
    if (is_swapped(j->q, end)) {
        order[j->ndims - 2] = 0;
        order[j->ndims - 1] = 1;
    }
}

/* Get the axis that FFTW divides at an end of the request, 0 or 1. If no axis is divided, because one rank
 * has all data, get the slowest axis in memory. Returns -1 if several axes are divided, or if the divided
 * axis is neither 0 nor 1. */
static int get_divided(const job *j, int end)
{
    int axis = -1;
    for (int i = 0; i < j->q->ndims; i++)
        if (sx_fftw_count_blocks(&j->layout, end, i) > 1) {
            if (axis >= 0 || i > 1)
                return -1;
            axis = i;
        }
    return axis >= 0 ? axis : is_swapped(j->q, end);
}

static int set_slab(job *j, int side, int axis)
{
    int order[SX_FFTW_NDIMS_MAX];
    get_order(j, get_end(j, side), order);
    int rc = subx_fft_problem_set_order(j->problem, side, order);
    if (!rc)
        rc = subx_fft_problem_set_block(j->problem, side, axis, j->layout.block[get_end(j, side)][axis]);
    return rc;
}

static int set_boxes(job *j, int side)
{
    const int end = get_end(j, side), last = j->ndims - 1;
    ptrdiff_t sizes[SX_FFTW_NDIMS_MAX], len[SX_FFTW_NDIMS_MAX], start[SX_FFTW_NDIMS_MAX];
    int order[SX_FFTW_NDIMS_MAX];
    subx_boxes boxes;
    if (sx_fftw_is_halved(j->q) && side == SUBX_FFT_PHYSICAL) /* FFTW has no plan for this */
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    memcpy(sizes, j->sizes, sizeof sizes);
    if (sx_fftw_is_halved(j->q))
        sizes[last] = sizes[last] / 2 + 1;
    sx_fftw_get_part(&j->layout, end, j->q->rank, len, start);
    if (is_bundle(j->q)) {
        len[last] = j->q->howmany;
        start[last] = 0;
    }
    get_order(j, end, order);
    int rc = subx_boxes_create(j->ndims, sizes, &boxes);
    if (!rc)
        rc = subx_boxes_add_ordered(boxes, start, len, order);
    if (!rc)
        rc = subx_fft_problem_set_boxes(j->problem, side, boxes, 0);
    (void)subx_boxes_free(&boxes);
    return rc;
}

/* ---- hints */

/* Set hints for slabs: a grid of one dimension, and a sequence that ends with the axes `spectral` and
 * `physical`. `physical` is the axis that is divided on the physical side, `spectral` the axis that is
 * divided on the spectral side; each is axis 0 or 1. If both are axis 0, `spectral` becomes 1; if both are
 * axis 1, it becomes 0. */
static int set_sequence(job *j, int physical, int spectral)
{
    char value[SX_HINT_LEN] = "";
    sx_text t = {value, sizeof value, 0};
    if (spectral == physical)
        spectral = !physical;
    for (int i = j->ndims - 1; i >= 0; i--)
        if (i != physical && i != spectral)
            sx_base_print(&t, "%d,", i);
    sx_base_print(&t, "%d,%d", spectral, physical);
    int rc = MPI_Info_set(j->hints, "subx_sequence", value);
    t.used = 0;
    sx_base_print(&t, "%d", j->layout.nranks);
    return rc ? rc : MPI_Info_set(j->hints, "subx_grid", value);
}

/* The time limit is not a part of the key, because finding an existing plan takes no time. */
static int set_limit(job *j)
{
    char seconds[SX_HINT_LEN] = "";
    sx_text t = {seconds, sizeof seconds, 0};
    const double limit = j->q->limit;
    sx_base_print(&t, "%d", limit < 1 ? 1 : limit > INT_MAX ? INT_MAX : (int)limit);
    return MPI_Info_set(j->hints, "subx_time_limit", seconds);
}

/* Set the hints that decide about the values of results, and where the results are. If these hints were not
 * set, environment variables could set them; but the user means such variables for other plans. */
static int set_fixed_hints(MPI_Info hints)
{
    static const char *const fixed[][2] = {
        {"subx_scaling", "none"}, {"subx_output_order", "natural"}, {"subx_ranks", "all"}, {"reorder", "no"}};
    int rc = MPI_SUCCESS;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && !rc; i++)
        rc = sx_base_hint_set(hints, fixed[i][0], fixed[i][1]);
    return rc;
}

/* Create the hints. r2c and c2r plans may destroy their input unless FFTW_PRESERVE_INPUT is set. The hint
 * subx_input_array has an effect on the backward direction only. But it is also set for r2c, because r2c and
 * c2r requests can share a plan only if their hints are equal. */
static int set_hints(job *j)
{
    const sx_fftw_request *q = j->q;
    const char *effort = q->flags & FFTW_ESTIMATE                      ? "estimate"
                         : q->flags & (FFTW_PATIENT | FFTW_EXHAUSTIVE) ? "patient"
                                                                       : "measure";
    const int keeps = q->flags & FFTW_PRESERVE_INPUT || !sx_fftw_is_halved(q);
    char threads[SX_HINT_LEN] = "";
    sx_text t = {threads, sizeof threads, 0}, key = {j->key, sizeof j->key, 0};
    int level = MPI_THREAD_SINGLE, rc = MPI_Query_thread(&level);
    sx_base_print(
        &t, "%d",
        level >= MPI_THREAD_FUNNELED && q->precision->state->threads > 1 ? q->precision->state->threads : 1);
    sx_base_print(&key, "%s %s %d", effort, threads, keeps);
    if (!rc)
        rc = MPI_Info_create(&j->hints);
    if (!rc)
        rc = set_fixed_hints(j->hints);
    if (!rc)
        rc = MPI_Info_set(j->hints, "subx_effort", effort);
    if (!rc)
        rc = MPI_Info_set(j->hints, "subx_input_array", keeps ? "preserve" : "destroy");
    if (!rc && strcmp(threads, "1") != 0)
        rc = MPI_Info_set(j->hints, "subx_threads", threads);
    return rc || q->limit < 0 || q->flags & FFTW_ESTIMATE ? rc : set_limit(j);
}

/* ---- a job */

static int set_sides(job *j)
{
    const int physical = get_divided(j, get_end(j, SUBX_FFT_PHYSICAL));
    const int spectral = get_divided(j, get_end(j, SUBX_FFT_SPECTRAL));
    const int is_slab = j->q->ndims > 1 && physical >= 0 && j->q->family != SX_FFTW_TRANSPOSE;
    int rc = is_slab ? set_sequence(j, physical, spectral >= 0 ? spectral : physical) : MPI_SUCCESS;
    if (!rc)
        rc = is_slab ? set_slab(j, SUBX_FFT_PHYSICAL, physical) : set_boxes(j, SUBX_FFT_PHYSICAL);
    if (!rc)
        rc = is_slab && spectral >= 0 && spectral != physical ? set_slab(j, SUBX_FFT_SPECTRAL, spectral)
                                                              : set_boxes(j, SUBX_FFT_SPECTRAL);
    return !rc && sx_fftw_is_halved(j->q) ? subx_fft_problem_set_padded(j->problem, 1) : rc;
}

/* Create the problem and the hints. Local. */
static int prepare(job *j)
{
    const sx_fftw_request *q = j->q;
    int rc = subx_fft_problem_create(j->ndims, j->kinds, j->sizes, &j->problem);
    if (!rc)
        rc = subx_fft_problem_set_precision(j->problem, q->precision->number);
    if (!rc && q->howmany > 1 && !is_bundle(q))
        rc = subx_fft_problem_set_batch(j->problem, q->howmany, 1);
    return rc ? rc : set_hints(j);
}

/* Query whether the request has a single axis, and the first rank has all data, on both sides. */
static int is_alone(const job *j)
{
    return j->layout.ndims == 1 && sx_fftw_count_all(&j->layout, SX_FROM) == 1 &&
           sx_fftw_count_all(&j->layout, SX_TO) == 1;
}

/* Create the plan of a single axis whose data is all on the first rank: a plan for this rank alone.
 * Collective. */
static int create_alone(job *j, int rc, subx_fft_plan *plan)
{
    if (!rc && j->q->rank == 0)
        rc = subx_fft_plan_create_problem(MPI_COMM_SELF, j->problem, j->hints, plan);
    rc = sx_base_agree(j->q->comm, rc, NULL);
    if (rc)
        (void)subx_fft_plan_free(plan);
    return rc;
}

/* Query whether every rank gets as much scrambled data from the plan as FFTW's callers expect. Collective. */
static int is_as_long(const job *j, subx_fft_plan plan)
{
    ptrdiff_t shape[SX_FFTW_NDIMS_MAX], len[SX_FFTW_NDIMS_MAX], start[SX_FFTW_NDIMS_MAX];
    sx_fftw_get_part(&j->layout, get_end(j, SUBX_FFT_SPECTRAL), j->q->rank, len, start);
    int rc = subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, NULL, NULL, NULL);
    if (!rc && shape[0] != len[0])
        rc = subx_error_get_code(SUBX_ERR_SIZE);
    return !sx_base_agree(j->q->comm, rc, NULL);
}

/* Query whether the request allows scrambled data on the spectral side. FFTW does not define the order of
 * scrambled data, so we use our transposed output, which saves an exchange. */
static int is_scrambled(const job *j)
{
    const int end = get_end(j, SUBX_FFT_SPECTRAL);
    return j->q->ndims == 1 && !is_bundle(j->q) &&
           j->q->flags & (end == SX_FROM ? SX_FFTW_SCRAMBLED_IN : SX_FFTW_SCRAMBLED_OUT);
}

/* Create a plan whose spectral side is scrambled. If a rank would have more or less data than FFTW's callers
 * expect, *plan is SUBX_FFT_PLAN_NULL, without an error. */
static int create_scrambled(job *j, int rc, subx_fft_plan *plan)
{
    if (!rc)
        rc = MPI_Info_set(j->hints, "subx_output_order", "transposed");
    if (!rc)
        rc = set_boxes(j, SUBX_FFT_PHYSICAL);
    rc = subx_fft_plan_create_problem(j->q->comm, rc ? SUBX_FFT_PROBLEM_NULL : j->problem, j->hints, plan);
    return rc || is_as_long(j, *plan) ? rc : subx_fft_plan_free(plan);
}

static int create(job *j, int rc, subx_fft_plan *plan)
{
    if (!rc)
        rc = set_sides(j);
    if (is_alone(j))
        return create_alone(j, rc, plan);
    return sx_fftw_share_create(j->q, rc, j->problem, j->hints, j->key, plan);
}

/* An error of one rank is carried to the next agreement of all ranks. Until then this rank takes the same
 * steps as the others, without a problem and hints. */
int sx_fftw_create(const sx_fftw_request *q, int rc, subx_fft_plan *plan, int *direction)
{
    job j = {.q = q, .direction = SUBX_FFT_FORWARD, .problem = SUBX_FFT_PROBLEM_NULL, .hints = MPI_INFO_NULL};
    if (q->family == SX_FFTW_C2R || (q->family == SX_FFTW_DFT && q->sign == SUBX_FFT_BACKWARD))
        j.direction = SUBX_FFT_BACKWARD;
    set_axes(&j);
    sx_fftw_set_request_layout(&j.layout, q);
    if (!rc)
        rc = prepare(&j);
    *plan = SUBX_FFT_PLAN_NULL;
    if (is_scrambled(&j))
        rc = create_scrambled(&j, rc, plan);
    if (*plan == SUBX_FFT_PLAN_NULL)
        rc = create(&j, rc, plan);
    *direction = j.direction;
    if (j.hints != MPI_INFO_NULL)
        MPI_Info_free(&j.hints);
    (void)subx_fft_problem_free(&j.problem);
    return rc;
}
