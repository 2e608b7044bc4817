/* print.c - the canonical text of a problem. */
#include "problem/problem.h"
#include <string.h>

static const char *const sides[] = {[SUBX_FFT_PHYSICAL] = "physical", [SUBX_FFT_SPECTRAL] = "spectral"};

void sx_problem_expand_kind(int kind, int ndims, int kinds[])
{
    int is_real = kind == SUBX_FFT_R2C || kind == SUBX_FFT_C2R;
    for (int a = 0; a < ndims; a++)
        kinds[a] = is_real && a < ndims - 1 ? SUBX_FFT_C2C : kind;
}

static void print_kinds(const struct subx_fft_problem_s *p, sx_text *t)
{
    int kinds[SX_PROBLEM_NDIMS_MAX] = {0}, first = p->ndims - 1;
    sx_problem_expand_kind(p->kinds[first], p->ndims, kinds);
    if (memcmp(kinds, p->kinds, (size_t)p->ndims * sizeof *kinds) != 0)
        first = 0;
    for (int a = first; a < p->ndims; a++) {
        int is_c2r = p->is_backward && p->kinds[a] == SUBX_FFT_R2C;
        sx_base_print(t, "%s%s", a > first ? "," : "",
                      sx_problem_get_kind_name(is_c2r ? SUBX_FFT_C2R : p->kinds[a]));
    }
}

static void print_lengths(const struct subx_fft_problem_s *p, sx_text *t)
{
    const size_t bytes = (size_t)p->ndims * sizeof p->sizes[0];
    int has_points = memcmp(p->points, p->sizes, bytes) != 0;
    if (has_points || memcmp(p->modes, p->sizes, bytes) != 0) {
        sx_base_print_sizes(t, p->ndims, p->modes);
        sx_base_print(t, ">");
    }
    sx_base_print_sizes(t, p->ndims, p->sizes);
    if (has_points) {
        sx_base_print(t, ">");
        sx_base_print_sizes(t, p->ndims, p->points);
    }
}

static void print_order(const struct subx_fft_problem_s *p, int side, sx_text *t)
{
    const sx_problem_storage *s = &p->storage[side];
    for (int i = 0; i < p->ndims && s->has_order; i++)
        if (i == 0)
            sx_base_print(t, "/%s-order=%d", sides[side], s->order[i]);
        else
            sx_base_print(t, ",%d", s->order[i]);
}

static void print_block(const struct subx_fft_problem_s *p, int side, sx_text *t)
{
    const sx_problem_storage *s = &p->storage[side];
    for (int a = 0; a < p->ndims; a++)
        if (s->block[a]) {
            sx_base_print(t, "/%s-block=", sides[side]);
            sx_base_print_sizes(t, p->ndims, s->block);
            return;
        }
}

static void print_marker(const struct subx_fft_problem_s *p, int side, sx_text *t)
{
    if (p->storage[side].has_strides)
        sx_base_print(t, "/%s-strides", sides[side]);
    if (p->storage[side].boxes.n >= 0)
        sx_base_print(t, "/%s-boxes", sides[side]);
}

static void print_options(const struct subx_fft_problem_s *p, sx_text *t)
{
    if (p->storage[SUBX_FFT_PHYSICAL].padded)
        sx_base_print(t, "/padded");
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        print_order(p, side, t);
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        print_block(p, side, t);
    if (p->has_operation)
        sx_base_print(t, "/operation");
    for (int side = SUBX_FFT_PHYSICAL; side <= SUBX_FFT_SPECTRAL; side++)
        print_marker(p, side, t);
}

void sx_problem_print(const struct subx_fft_problem_s *p, sx_text *t)
{
    if (p->howmany > 1 && !p->interleaved)
        sx_base_print(t, "%td*", p->howmany);
    print_kinds(p, t);
    if (p->precision != SUBX_FFT_DOUBLE)
        sx_base_print(t, ".%s", sx_problem_get_precision_name(p->precision));
    sx_base_print(t, ":");
    print_lengths(p, t);
    if (p->interleaved)
        sx_base_print(t, "*%td", p->howmany);
    print_options(p, t);
}

int subx_fft_problem_print(subx_fft_problem problem, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    if (!problem || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_problem_print(problem, &t);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}
