/* program.c - what the steps of all kinds share: memory of a transform, steps of a program, lines. */
#include "simd/transform.h"

void *sx_simd_own(sx_simd s, ptrdiff_t n, size_t size)
{
    void *memory = s->nowned < SX_SIMD_OWNED_MAX ? sx_base_alloc(n, size) : NULL;
    if (memory)
        s->owned[s->nowned++] = memory;
    return memory;
}

void *sx_simd_own_numbers(sx_simd s, ptrdiff_t n)
{
    return sx_simd_own(s, n, (size_t)(2 * s->real_bytes));
}

void sx_simd_put(sx_simd s, void *numbers, ptrdiff_t i, long double re, long double im)
{
    if (s->p.precision == SUBX_FFT_DOUBLE) {
        ((double *)numbers)[2 * i] = (double)re;
        ((double *)numbers)[2 * i + 1] = (double)im;
    } else {
        ((float *)numbers)[2 * i] = (float)re;
        ((float *)numbers)[2 * i + 1] = (float)im;
    }
}

sx_simd_step *sx_simd_program_add(sx_simd_program *g, sx_simd_run *run)
{
    sx_simd_step *step = &g->step[g->nsteps++];
    step->run = run;
    return step;
}

void sx_simd_lines_read(sx_simd s, ptrdiff_t n, const ptrdiff_t to[], sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, s->code->load_lines);
    step->n = n;
    step->to = to;
}

void sx_simd_lines_write(sx_simd s, ptrdiff_t n, const ptrdiff_t from[], double factor, sx_simd_program *g)
{
    sx_simd_step *step = sx_simd_program_add(g, s->code->store_lines[s->p.streams ? 2 : factor != 1]);
    step->n = n;
    step->from = from;
    step->factor = factor;
}

void sx_simd_own_lines_read(sx_simd s, sx_simd_program *g)
{
    sx_simd_lines_read(s, s->p.n, s->own_points, g);
    g->step[g->nsteps - 1].to_base = s->points;
}

void sx_simd_own_lines_write(sx_simd s, sx_simd_program *g)
{
    sx_simd_lines_write(s, s->p.n, s->own_points, 1, g);
    g->step[g->nsteps - 1].from_base = s->points;
}

int sx_simd_own_points_set(sx_simd s)
{
    ptrdiff_t *points = sx_simd_own(s, s->p.n / 2 + 1, sizeof *points);
    if (!points)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (ptrdiff_t i = 0; i <= s->p.n / 2; i++)
        points[i] = i;
    s->own_points = points;
    return MPI_SUCCESS;
}
