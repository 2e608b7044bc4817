/* kinds.c - list the steps that transform a group of pencils, for each kind of transform. Each kind is built
 * around a complex one. */
#include "simd/transform.h"

/* ---- complex */

/* Append a whole transform (whole_body.h), if there is one for the length. Returns 0 if there is none. `to`
 * is SX_SIMD_ROWS, or _STREAM. Whole transforms cannot write past the caches, but the steps of a longer
 * transform can: so for _STREAM a whole transform is used only where it replaces a single step. */
static int add_whole(sx_simd s, int to, sx_simd_program *g)
{
    const sx_simd_core *c = &s->core;
    const int is_single = c->nsteps == 1, is_scaled = s->p.factor != 1 || to == SX_SIMD_STREAM;
    const ptrdiff_t n = is_single && c->step[0].prime ? 0 : s->p.n;
    if (!s->number || n > SX_SIMD_WHOLE_MAX || !s->code->whole[n][is_scaled] ||
        (to == SX_SIMD_STREAM && !is_single))
        return 0;
    sx_simd_step *step = sx_simd_program_add(g, NULL);
    if (is_single)
        *step = c->step[0];
    step->run = s->code->whole[n][is_scaled];
    step->factor = s->p.factor;
    g->order[SX_TO] = s->reversed;
    return 1;
}

static void add_complex(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines && to_lines && sx_simd_across_add(s, g))
        return;
    const int to_rows = s->p.streams ? SX_SIMD_STREAM : SX_SIMD_ROWS;
    if (!from_lines && !to_lines && add_whole(s, to_rows, g))
        return;
    if (from_lines)
        sx_simd_lines_read(s, 2 * s->p.n, s->input, g);
    sx_simd_transform_add(s, from_lines ? SX_SIMD_BUFFER : SX_SIMD_ROWS, to_lines ? SX_SIMD_BUFFER : to_rows,
                          g);
    if (to_lines)
        sx_simd_lines_write(s, 2 * s->p.n, s->output, s->number ? s->p.factor : 1, g);
}

static int is_identity(ptrdiff_t n, const ptrdiff_t number[])
{
    ptrdiff_t i = 0;
    while (i < n && number[i] == i)
        i++;
    return i == n;
}

/* Set the order in which whole transforms store results: a backward transform is a forward one that stores
 * its results in reverse. */
static int set_reversed(sx_simd s)
{
    const ptrdiff_t n = s->p.n;
    if (s->p.direction != SUBX_FFT_BACKWARD || n > SX_SIMD_PRIME_MAX)
        return MPI_SUCCESS;
    ptrdiff_t *reversed = sx_simd_own(s, n, sizeof *reversed);
    if (!reversed)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < n; i++)
        reversed[i] = i ? n - i : 0;
    s->reversed = reversed;
    return MPI_SUCCESS;
}

static int set_complex(sx_simd s)
{
    for (int l = 0; l < s->code->lanes && s->number; l++)
        s->pencil[l] = s->code->order[l] / 2;
    if (s->number && !is_identity(s->p.n, s->number))
        s->order[SX_TO] = s->number;
    const int rc = set_reversed(s);
    return rc ? rc : sx_simd_across_set(s);
}

/* ---- real, of even length: a complex transform of pairs, of half the length */

static void add_split(sx_simd s, int to, sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, NULL);
    *step = s->half;
    step->run = s->code->split[to];
    step->from = step->to = s->output;
}

static void add_merge(sx_simd s, int from, sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, NULL);
    *step = s->half;
    step->run = s->code->merge[from];
    step->from = step->to = s->input;
}

static void add_r2c_even(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines && to_lines && sx_simd_across_add(s, g))
        return;
    if (from_lines)
        sx_simd_lines_read(s, s->p.n, s->input, g);
    sx_simd_transform_add(s, from_lines ? SX_SIMD_BUFFER : SX_SIMD_PAIRS, SX_SIMD_BUFFER, g);
    add_split(s, to_lines ? SX_SIMD_BUFFER : SX_SIMD_ORDERED, g);
    if (to_lines)
        sx_simd_lines_write(s, s->p.n + 2, s->output, 1, g);
}

static void add_c2r_even(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines && to_lines && sx_simd_across_add(s, g))
        return;
    if (from_lines)
        sx_simd_lines_read(s, s->p.n + 2, s->input, g);
    add_merge(s, from_lines ? SX_SIMD_BUFFER : SX_SIMD_ORDERED, g);
    sx_simd_transform_add(s, SX_SIMD_BUFFER, to_lines ? SX_SIMD_BUFFER : SX_SIMD_PAIRS, g);
    if (to_lines)
        sx_simd_lines_write(s, s->p.n, s->output, 1, g);
}

/* Set the rows to which the last step of the complex transform stores pairs: result k goes to rows 2 k and 2
 * k + 1. */
static int set_pairs(sx_simd s)
{
    ptrdiff_t *order = sx_simd_own(s, s->p.n, sizeof *order);
    if (!order)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i < s->p.n; i++)
        order[i] = s->number ? 2 * s->number[i / 2] + i % 2 : i;
    s->order[SX_TO] = order;
    return MPI_SUCCESS;
}

static int set_r2c_even(sx_simd s)
{
    int rc = sx_simd_halves_set(s, s->p.n, s->p.factor, 1);
    return rc ? rc : sx_simd_across_set(s);
}

static int set_c2r_even(sx_simd s)
{
    int rc = sx_simd_halves_set(s, s->p.n, s->p.factor, 0);
    if (!rc)
        rc = sx_simd_across_set(s);
    return rc ? rc : set_pairs(s);
}

/* ---- real, of odd length: a complex transform with imaginary parts of 0 */

static sx_simd_step *add_copy(sx_simd_run *run, ptrdiff_t n, double factor, sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, run);
    step->n = n;
    step->factor = factor;
    return step;
}

static void add_r2c_odd(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines)
        sx_simd_own_lines_read(s, g);
    add_copy(s->code->multiply_in[SX_SIMD_REALS], s->p.n, 1, g)->to = s->input;
    sx_simd_transform_add(s, SX_SIMD_BUFFER, SX_SIMD_BUFFER, g);
    if (to_lines)
        sx_simd_lines_write(s, s->p.n + 1, s->output, s->p.factor, g);
    else
        add_copy(s->code->multiply_out[SX_SIMD_ORDERED], s->p.n / 2 + 1, s->p.factor, g)->from = s->output;
}

static void add_c2r_odd(sx_simd s, int from_lines, int to_lines, sx_simd_program *g)
{
    if (from_lines)
        sx_simd_lines_read(s, s->p.n + 1, s->input, g);
    sx_simd_step *mirror =
        add_copy(s->code->mirror[from_lines ? SX_SIMD_BUFFER : SX_SIMD_ORDERED], s->p.n, s->p.factor, g);
    mirror->from = mirror->to = s->input;
    sx_simd_transform_add(s, SX_SIMD_BUFFER, SX_SIMD_BUFFER, g);
    add_copy(s->code->multiply_out[SX_SIMD_REALS], s->p.n, 1, g)->from = s->output;
    if (to_lines)
        sx_simd_own_lines_write(s, g);
}

static int set_odd(sx_simd s)
{
    s->goes_through[s->p.kind == SUBX_FFT_R2C ? SX_FROM : SX_TO] = 1;
    return sx_simd_own_points_set(s);
}

/* ---- kinds */

/* How the steps of a kind are made; get_length gets the length of the complex transform. */
typedef struct recipe {
    int (*set)(sx_simd s);
    void (*add)(sx_simd s, int from_lines, int to_lines, sx_simd_program *g);
    ptrdiff_t (*get_length)(const sx_simd_problem *p);
} recipe;

static ptrdiff_t get_whole(const sx_simd_problem *p)
{
    return p->n;
}

static ptrdiff_t get_half(const sx_simd_problem *p)
{
    return p->n % 2 == 0 ? p->n / 2 : p->n;
}

static const recipe *get_recipe(const sx_simd_problem *p)
{
    static const recipe complex = {set_complex, add_complex, get_whole},
                        odd[2] = {{set_odd, add_r2c_odd, get_half}, {set_odd, add_c2r_odd, get_half}},
                        even[2] = {{set_r2c_even, add_r2c_even, get_half},
                                   {set_c2r_even, add_c2r_even, get_half}},
                        cosine = {sx_simd_cosine_set, sx_simd_paired_add, get_half},
                        hartley = {sx_simd_hartley_set, sx_simd_paired_add, get_half},
                        first = {sx_simd_first_set, sx_simd_first_add, sx_simd_first_get_length},
                        fourth = {sx_simd_fourth_set, sx_simd_fourth_add, get_half};
    switch (p->kind) {
    case SUBX_FFT_C2C:
        return &complex;
    case SUBX_FFT_R2C:
    case SUBX_FFT_C2R:
        return p->n % 2 ? &odd[p->kind == SUBX_FFT_C2R] : &even[p->kind == SUBX_FFT_C2R];
    case SUBX_FFT_DCT1:
    case SUBX_FFT_DST1:
        return &first;
    case SUBX_FFT_DCT2:
    case SUBX_FFT_DCT3:
    case SUBX_FFT_DST2:
    case SUBX_FFT_DST3:
        return &cosine;
    case SUBX_FFT_DCT4:
    case SUBX_FFT_DST4:
        return &fourth;
    case SUBX_FFT_DHT:
    case SUBX_FFT_R2HC:
    case SUBX_FFT_HC2R:
        return &hartley;
    default:
        return NULL;
    }
}

static int is_backward(const sx_simd_problem *p)
{
    const int kind = p->kind;
    return kind == SUBX_FFT_C2C ? p->direction == SUBX_FFT_BACKWARD
                                : kind == SUBX_FFT_C2R || kind == SUBX_FFT_DCT3 || kind == SUBX_FFT_DST3 ||
                                      kind == SUBX_FFT_HC2R;
}

/* For each side, set the length of a pencil, the width of an element, and the number of rows. */
static void set_sides(sx_simd s)
{
    const int kind = s->p.kind;
    s->length[SX_FROM] = kind == SUBX_FFT_C2R ? s->p.n / 2 + 1 : s->p.n;
    s->length[SX_TO] = kind == SUBX_FFT_R2C ? s->p.n / 2 + 1 : s->p.n;
    s->width[SX_FROM] = kind == SUBX_FFT_C2C || kind == SUBX_FFT_C2R ? 2 : 1;
    s->width[SX_TO] = kind == SUBX_FFT_C2C || kind == SUBX_FFT_R2C ? 2 : 1;
    s->nrows[SX_FROM] = s->length[SX_FROM];
    s->nrows[SX_TO] = s->length[SX_TO];
}

/* Query whether the length is served. A DCT-I has at least two elements. */
static int has_length(const sx_simd_problem *p)
{
    return p->n >= (p->kind == SUBX_FFT_DCT1 ? 2 : 1) && p->n <= SX_SIMD_LENGTH_MAX;
}

static void add_program(sx_simd s, const recipe *how, int from_lines, int to_lines, sx_simd_program *g)
{
    g->npencils = s->code->lanes;
    for (int side = 0; side < 2; side++)
        g->order[side] = s->order[side];
    how->add(s, from_lines, to_lines, g);
}

static void add_programs(sx_simd s, const recipe *how)
{
    for (int k = 0; k < 4; k++)
        add_program(s, how, k / 2, k % 2, &s->program[k / 2][k % 2]);
    s->divided.is_divided = 1;
    add_program(s, how, 1, 1, &s->divided);
}

int sx_simd_kinds_set(sx_simd s)
{
    const recipe *how = get_recipe(&s->p);
    if (!how || !has_length(&s->p))
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    set_sides(s);
    for (int l = 0; l < s->code->lanes; l++)
        s->pencil[l] = l;
    int rc = sx_simd_transform_set(s, how->get_length(&s->p), is_backward(&s->p));
    /* Behind the points, the rows in the work space must begin at a multiple of SX_ALIGNMENT. */
    s->points = (s->points + 1) / 2 * 2;
    if (!rc)
        rc = how->set(s);
    sx_simd_parts_set(s);
    if (!rc)
        add_programs(s, how);
    return rc;
}
