/* check.c - the rules that all members of a problem must obey together. */
#include "problem/problem.h"
#include "serial/serial.h"

/* ---- rules that depend on the kinds */

static int has_kind(const struct subx_fft_problem_s *p, int kind)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == kind)
            return 1;
    return 0;
}

static int get_real_axis(const struct subx_fft_problem_s *p)
{
    for (int a = 0; a < p->ndims; a++)
        if (p->kinds[a] == SUBX_FFT_R2C)
            return a;
    return -1;
}

int sx_problem_get_reals(const struct subx_fft_problem_s *p, int side)
{
    if (get_real_axis(p) >= 0)
        return side == SUBX_FFT_PHYSICAL ? 1 : 2;
    return has_kind(p, SUBX_FFT_C2C) ? 2 : 1;
}

ptrdiff_t sx_problem_get_length(const struct subx_fft_problem_s *p, int side, int axis)
{
    if (side == SUBX_FFT_PHYSICAL)
        return p->points[axis];
    return p->kinds[axis] == SUBX_FFT_R2C ? sx_serial_get_half(p->modes[axis]) : p->modes[axis];
}

/* ---- lengths */

/* Axes of NONE and HC2R must keep all their points and modes. */
static int is_whole(int kind)
{
    return kind == SUBX_FFT_NONE || kind == SUBX_FFT_HC2R;
}

static int check_axis(const struct subx_fft_problem_s *p, int a, sx_text *why)
{
    const int is_dct1 = p->kinds[a] == SUBX_FFT_DCT1;
    ptrdiff_t n = p->sizes[a], least = is_whole(p->kinds[a]) ? n : 1;
    if (n < 1 + is_dct1)
        return SX_REFUSE(SUBX_ERR_SIZE, "axis %d has length %td, %s needs %d at least", a, n,
                         sx_problem_get_kind_name(p->kinds[a]), 1 + is_dct1);
    if (p->modes[a] < least || p->modes[a] > n)
        return SX_REFUSE(SUBX_ERR_SIZE, "axis %d has %td modes, %s of length %td can have %td to %td", a,
                         p->modes[a], sx_problem_get_kind_name(p->kinds[a]), n, least, n);
    if (p->points[a] < least || p->points[a] > n)
        return SX_REFUSE(SUBX_ERR_SIZE, "axis %d has %td points, %s of length %td can have %td to %td", a,
                         p->points[a], sx_problem_get_kind_name(p->kinds[a]), n, least, n);
    return MPI_SUCCESS;
}

static int check_lengths(const struct subx_fft_problem_s *p, sx_text *why)
{
    int rc = MPI_SUCCESS;
    for (int a = 0; a < p->ndims && !rc; a++)
        rc = check_axis(p, a, why);
    if (!rc && p->howmany < 1)
        rc = SX_REFUSE(SUBX_ERR_SIZE, "%td fields, there must be one at least", p->howmany);
    return rc;
}

/* Check that ptrdiff_t can count the bytes of the array. The spectral side with all modes is counted, because
 * no other array of the plan is larger. */
static int check_bytes(const struct subx_fft_problem_s *p, sx_text *why)
{
    ptrdiff_t bytes = sx_serial_get_real_bytes(p->precision) * sx_problem_get_reals(p, SUBX_FFT_SPECTRAL);
    int rc = sx_base_mul(bytes, p->howmany, &bytes);
    for (int a = 0; a < p->ndims && !rc; a++) {
        ptrdiff_t n = p->kinds[a] == SUBX_FFT_R2C ? sx_serial_get_half(p->sizes[a]) : p->sizes[a];
        rc = sx_base_mul(bytes, n, &bytes);
    }
    return rc ? SX_REFUSE(SUBX_ERR_TOO_LARGE, "the array has more than 2^63-1 bytes") : MPI_SUCCESS;
}

/* ---- storage */

static int check_padding(const struct subx_fft_problem_s *p, const sx_problem_storage *s, sx_text *why)
{
    int innermost = s->has_order ? s->order[0] : p->ndims - 1;
    if (s->padded && (p->kinds[innermost] != SUBX_FFT_R2C || s->has_strides || s->boxes.n >= 0))
        return SX_REFUSE(SUBX_ERR_ARG, "only the innermost axis can be padded, and only if it is r2c or c2r");
    return MPI_SUCCESS;
}

/* A side with strides can have no order, because strides imply an order. It can have at most one box, because
 * the strides belong to a single array. The box can have no strides of its own. */
static int check_strides(const struct subx_fft_problem_s *p, const sx_problem_storage *s)
{
    if (!s->has_strides)
        return MPI_SUCCESS;
    if (s->has_order || s->boxes.n > 1 || s->boxes.is_strided)
        return subx_error_get_code(SUBX_ERR_ARG);
    for (int a = 0; a < p->ndims; a++)
        if (s->strides[a] <= 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
    return s->distance >= (p->howmany > 1) ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_SIZE);
}

static int check_blocks(const struct subx_fft_problem_s *p, const sx_problem_storage *s)
{
    for (int a = 0; a < p->ndims; a++) {
        if (s->block[a] < 0)
            return subx_error_get_code(SUBX_ERR_SIZE);
        if (s->block[a] > 0 && s->boxes.n >= 0)
            return subx_error_get_code(SUBX_ERR_ARG);
    }
    return MPI_SUCCESS;
}

/* The boxes must be boxes of an array with the lengths of this side. */
static int check_boxes(const struct subx_fft_problem_s *p, int side)
{
    const sx_problem_boxes *b = &p->storage[side].boxes;
    ptrdiff_t sizes[SUBX_NDIMS_MAX];
    int ndims;
    if (b->n < 0)
        return MPI_SUCCESS;
    int rc = subx_boxes_get(b->list, &ndims, sizes, NULL, NULL, NULL);
    if (!rc && ndims != p->ndims)
        rc = subx_error_get_code(SUBX_ERR_NDIMS);
    for (int a = 0; a < p->ndims && !rc; a++)
        if (sizes[a] != sx_problem_get_length(p, side, a))
            rc = subx_error_get_code(SUBX_ERR_SIZE);
    if (!rc && b->is_strided && p->howmany > 1 && b->distance <= 0)
        rc = subx_error_get_code(SUBX_ERR_SIZE);
    return rc;
}

static int check_storage(const struct subx_fft_problem_s *p, int side, sx_text *why)
{
    const sx_problem_storage *s = &p->storage[side];
    int rc = MPI_SUCCESS;
    if (s->has_order && !sx_base_is_permutation(p->ndims, s->order))
        return SX_REFUSE(SUBX_ERR_ORDER, "the %s order must have each axis from 0 to %d once",
                         side == SUBX_FFT_PHYSICAL ? "physical" : "spectral", p->ndims - 1);
    if (s->has_order && s->boxes.n >= 0)
        return subx_error_get_code(SUBX_ERR_ARG);
    rc = check_padding(p, s, why);
    if (!rc)
        rc = check_strides(p, s);
    if (!rc)
        rc = check_blocks(p, s);
    return rc ? rc : check_boxes(p, side);
}

int sx_problem_check(const struct subx_fft_problem_s *p, sx_text *why)
{
    int rc = check_lengths(p, why);
    if (!rc)
        rc = check_bytes(p, why);
    if (!rc)
        rc = check_storage(p, SUBX_FFT_PHYSICAL, why);
    return rc ? rc : check_storage(p, SUBX_FFT_SPECTRAL, why);
}
