/* kernels.c - the backend kernels: serial transforms by our own kernels (fft/simd). The backends auto and
 * simd use it (auto.c). */
#include "serial/serial.h"
#include "simd/simd.h"
#include <string.h>

/* How the pencils lie on a side: as rows or lines (simd.h), or strided. Strided pencils are copied to rows in
 * the work space and back. */
enum { ROWS, LINES, STRIDED };

/* A sweep: the transforms along one axis of a problem. `pencils` is the loop of the problem along which
 * pencils are side by side. A call of the kernel also goes through the loop `batches`, whose length is 1 if
 * there is no such loop. `loop` has all other loops, which enclose these two. */
typedef struct sweep {
    sx_simd simd;
    sx_serial_dim axis, pencils, batches;
    int nloops;
    sx_serial_dim loop[2 * SUBX_NDIMS_MAX];
    int place, form[2];   /* place: SX_SERIAL_ACROSS and so on; form[side]: ROWS and so on */
    ptrdiff_t element[2]; /* [side]: bytes of an element */
} sweep;

typedef struct state {
    int nsweeps;
    sweep sweep[SUBX_NDIMS_MAX];
    ptrdiff_t bytes;
} state;

/* ---- loops */

static ptrdiff_t get_stride(sx_serial_dim d, int side)
{
    return side == SX_FROM ? d.is : d.os;
}

static int get_form(sx_serial_dim axis, sx_serial_dim pencils, int side)
{
    if (get_stride(axis, side) == 1)
        return LINES;
    return get_stride(pencils, side) == 1 || pencils.n == 1 ? ROWS : STRIDED;
}

/* Join two nested loops into one if one loop can visit the same elements: on each side, the outer stride must
 * be the length of the inner loop times the inner stride. Repeat this as long as there are two such loops. */
static void merge_loops(sx_serial_problem *p)
{
    for (int i = 0; i < p->nloops; i++)
        for (int k = 0; k < p->nloops; k++) {
            sx_serial_dim *inner = &p->loop[i], *outer = &p->loop[k];
            if (i == k || outer->is != inner->n * inner->is || outer->os != inner->n * inner->os)
                continue;
            inner->n *= outer->n;
            p->loop[k] = p->loop[--p->nloops];
            i = -1;
            break;
        }
}

/* Get how suitable a loop is as the loop along which pencils are side by side; a larger value is better. Rows
 * are faster than lines, and strided pencils must be copied. More than SX_GROUP pencils are no advantage. */
static ptrdiff_t get_value(sx_serial_dim axis, sx_serial_dim loop)
{
    static const int speed[] = {[ROWS] = 6, [LINES] = 4, [STRIDED] = 1};
    return (loop.n < SX_GROUP ? loop.n : SX_GROUP) * speed[get_form(axis, loop, SX_FROM)] *
           speed[get_form(axis, loop, SX_TO)];
}

/* Choose the loop along which pencils are side by side; -1 if there is no loop. */
static int find_pencils(const sx_serial_problem *p)
{
    int best = p->nloops > 0 ? 0 : -1;
    for (int i = 1; i < p->nloops; i++)
        if (get_value(p->axis[0], p->loop[i]) > get_value(p->axis[0], p->loop[best]))
            best = i;
    return best;
}

/* Query whether one call of the kernel transforms all pencils of the loop `pencils`. */
static int is_one_call(const sweep *w)
{
    if (w->form[SX_FROM] == STRIDED || w->form[SX_TO] == STRIDED)
        return 0;
    return (w->form[SX_FROM] == ROWS && w->form[SX_TO] == ROWS) || w->pencils.n <= SX_GROUP;
}

/* Take the longest of the enclosing loops as the loop of batches. */
static void set_batches(sweep *w)
{
    int best = 0;
    w->batches = (sx_serial_dim){1, 0, 0};
    if (!w->nloops || !is_one_call(w))
        return;
    for (int i = 1; i < w->nloops; i++)
        if (w->loop[i].n > w->loop[best].n)
            best = i;
    w->batches = w->loop[best];
    w->loop[best] = w->loop[--w->nloops];
}

static void set_loops(sweep *w, sx_serial_problem *p)
{
    merge_loops(p);
    const int k = find_pencils(p);
    w->axis = p->axis[0];
    w->pencils = k < 0 ? (sx_serial_dim){1, 1, 1} : p->loop[k];
    for (int i = 0; i < p->nloops; i++)
        if (i != k)
            w->loop[w->nloops++] = p->loop[i];
    for (int side = 0; side < 2; side++) {
        w->form[side] = get_form(w->axis, w->pencils, side);
        w->element[side] = sx_serial_get_width(p->kind, side) * sx_serial_get_real_bytes(p->precision);
    }
    set_batches(w);
}

/* ---- work space: for the kernel; for the addresses of each side; for rows of strided pencils of each
 * side */

typedef struct space {
    void *kernel;
    char **at[2], *rows[2];
} space;

static ptrdiff_t get_naddresses(const sweep *w, int side)
{
    const ptrdiff_t n = sx_simd_get_length(w->simd, side);
    return n > SX_GROUP ? n : SX_GROUP;
}

static ptrdiff_t get_rows_bytes(const sweep *w, int side)
{
    return w->form[side] == STRIDED
               ? sx_base_round_up(SX_GROUP * w->element[side]) * sx_simd_get_length(w->simd, side)
               : 0;
}

/* Set where the parts of the work space begin. Returns the bytes of the work space. */
static ptrdiff_t set_space(const sweep *w, char *work, space *s)
{
    ptrdiff_t bytes = sx_base_round_up(sx_simd_get_bytes(w->simd));
    s->kernel = work;
    for (int side = 0; side < 2; side++) {
        s->at[side] = (char **)(void *)(work + bytes);
        bytes += sx_base_round_up(get_naddresses(w, side) * (ptrdiff_t)sizeof(char *));
        s->rows[side] = work + bytes;
        bytes += get_rows_bytes(w, side);
    }
    return bytes;
}

/* ---- pencils */

/* Copy n strided pencils to rows, or back. */
static void copy_pencils(const sweep *w, int side, ptrdiff_t n, char *array, char *rows)
{
    const ptrdiff_t e = w->element[side], row = sx_base_round_up(SX_GROUP * e);
    const ptrdiff_t axis = get_stride(w->axis, side) * e, next = get_stride(w->pencils, side) * e;
    for (ptrdiff_t j = 0; j < sx_simd_get_length(w->simd, side); j++)
        for (ptrdiff_t i = 0; i < n; i++) {
            char *x = array + j * axis + i * next, *y = rows + j * row + i * e;
            memcpy(side == SX_FROM ? y : x, side == SX_FROM ? x : y, (size_t)e);
        }
}

static void set_addresses(const sweep *w, int side, char *first, const space *s)
{
    const ptrdiff_t e = w->element[side], n = sx_simd_get_length(w->simd, side);
    const ptrdiff_t row =
        w->form[side] == STRIDED ? sx_base_round_up(SX_GROUP * e) : get_stride(w->axis, side) * e;
    if (w->form[side] == LINES)
        for (ptrdiff_t i = 0; i < SX_GROUP; i++)
            s->at[side][i] = first + i * get_stride(w->pencils, side) * e;
    else
        for (ptrdiff_t j = 0; j < n; j++)
            s->at[side][j] = (w->form[side] == STRIDED ? s->rows[side] : first) + j * row;
}

static void transform_group(const sweep *w, ptrdiff_t n, char *in, char *out, const space *s)
{
    char *const array[] = {in, out};
    sx_simd_side side[2];
    for (int k = 0; k < 2; k++) {
        set_addresses(w, k, array[k], s);
        side[k] = (sx_simd_side){.are_lines = w->form[k] == LINES,
                                 .at = s->at[k],
                                 .step = get_stride(w->batches, k) * w->element[k]};
    }
    if (w->form[SX_FROM] == STRIDED)
        copy_pencils(w, SX_FROM, n, in, s->rows[SX_FROM]);
    sx_simd_execute(w->simd, n, w->batches.n, &side[SX_FROM], &side[SX_TO], s->kernel);
    if (w->form[SX_TO] == STRIDED)
        copy_pencils(w, SX_TO, n, out, s->rows[SX_TO]);
}

static void transform_pencils(const sweep *w, char *in, char *out, const space *s)
{
    const ptrdiff_t most = is_one_call(w) ? w->pencils.n : SX_GROUP;
    for (ptrdiff_t i = 0; i < w->pencils.n; i += most) {
        const ptrdiff_t rest = w->pencils.n - i;
        transform_group(w, rest < most ? rest : most, in + i * w->pencils.is * w->element[SX_FROM],
                        out + i * w->pencils.os * w->element[SX_TO], s);
    }
}

static void walk(const sweep *w, int level, char *in, char *out, const space *s)
{
    if (level == w->nloops) {
        transform_pencils(w, in, out, s);
        return;
    }
    const sx_serial_dim *d = &w->loop[level];
    for (ptrdiff_t i = 0; i < d->n; i++)
        walk(w, level + 1, in + i * d->is * w->element[SX_FROM], out + i * d->os * w->element[SX_TO], s);
}

/* ---- the backend */

static int serves(int precision)
{
    return (precision == SUBX_FFT_FLOAT || precision == SUBX_FFT_DOUBLE) && sx_simd_get_name(0);
}

static void execute(const void *opaque, void *in, void *out, void *work)
{
    const state *s = opaque;
    for (int i = 0; i < s->nsweeps; i++) {
        const sweep *w = &s->sweep[i];
        space areas;
        (void)set_space(w, work, &areas);
        walk(w, 0, w->place == SX_SERIAL_ON_OUTPUT ? out : in, w->place == SX_SERIAL_ON_INPUT ? in : out,
             &areas);
    }
}

static ptrdiff_t get_bytes(const void *opaque)
{
    return ((const state *)opaque)->bytes;
}

static void free_state(void *opaque)
{
    state *s = opaque;
    if (!s)
        return;
    for (int i = 0; i < s->nsweeps; i++)
        sx_simd_free(&s->sweep[i].simd);
    sx_base_free(s);
}

static int add_sweep(state *s, const sx_serial_problem *p)
{
    sx_serial_problem one;
    space areas;
    sweep *w = &s->sweep[s->nsweeps];
    w->place = sx_serial_get_axis(p, s->nsweeps++, &one);
    const sx_simd_problem q = {.precision = one.precision,
                               .kind = one.kind,
                               .direction = one.direction,
                               .n = one.axis[0].n,
                               .factor = 1};
    int rc = sx_simd_create(&q, &w->simd);
    if (rc)
        return rc;
    set_loops(w, &one);
    const ptrdiff_t bytes = set_space(w, NULL, &areas);
    s->bytes = bytes > s->bytes ? bytes : s->bytes;
    return MPI_SUCCESS;
}

static int create(const sx_serial_problem *p, int effort, void *in, void *out, void **opaque)
{
    int rc = MPI_SUCCESS;
    (void)effort, (void)in, (void)out;
    state *s = sx_base_alloc(1, sizeof *s);
    if (!s)
        return subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < p->naxes && !rc; i++)
        rc = add_sweep(s, p);
    if (rc)
        free_state(s);
    else
        *opaque = s;
    return rc;
}

/* Kernels are a bad choice for few pencils, because some lanes stay empty, and for strided pencils, because
 * copying such pencils takes as long as transforming them. */
static int suits(const sx_serial_problem *p)
{
    for (int i = 0; i < p->naxes; i++) {
        sx_serial_problem one;
        sweep w = {0};
        (void)sx_serial_get_axis(p, i, &one);
        set_loops(&w, &one);
        if (w.form[SX_FROM] == STRIDED || w.form[SX_TO] == STRIDED || w.pencils.n < SX_GROUP_LEAST ||
            !sx_simd_is_fast(one.precision, one.kind, one.axis[0].n,
                             w.form[SX_FROM] == LINES && w.form[SX_TO] == LINES))
            return 0;
    }
    return 1;
}

const sx_serial sx_serial_kernels = {"kernels", serves, suits, create, get_bytes, execute, free_state};
