/* rates.c - how fast all ranks transform and copy at the same time. */
#include "machine/calibrate.h"
#include "serial/serial.h"
#include <math.h>
#include <stdlib.h>
#include <subx_lowlevel.h>

/* ---- transforms in the caches */

enum { COMPLEX = 2 * sizeof(double) };

typedef struct tile {
    const sx_serial *serial;
    void *state, *data, *work;
} tile;

static int execute_tile(void *context)
{
    const tile *t = context;
    t->serial->execute(t->state, t->data, t->data, t->work);
    return MPI_SUCCESS;
}

/* Pencils lie in the tile as in a pass. The transform is planned without measuring, which would take time
 * while other ranks wait. */
static int create_tile(ptrdiff_t n, ptrdiff_t count, tile *t)
{
    t->serial = sx_serial_find("auto", SUBX_FFT_DOUBLE);
    if (!t->serial)
        return subx_error_get_code(SUBX_ERR_UNAVAILABLE);
    const int is_rows = sx_serial_likes_rows(t->serial, SUBX_FFT_DOUBLE, SUBX_FFT_C2C, n);
    const ptrdiff_t along = is_rows ? count : 1, between = is_rows ? 1 : n;
    const sx_serial_problem p = {.precision = SUBX_FFT_DOUBLE,
                                 .kind = SUBX_FFT_C2C,
                                 .direction = SUBX_FFT_FORWARD,
                                 .naxes = 1,
                                 .axis = {{n, along, along}},
                                 .nloops = 1,
                                 .loop = {{count, between, between}}};
    t->data = sx_base_alloc(n * count, COMPLEX);
    int rc = t->data ? t->serial->create(&p, SX_EFFORT_ESTIMATE, t->data, t->data, &t->state)
                     : subx_error_get_code(SUBX_ERR_NO_MEM);
    if (!rc) {
        t->work = sx_base_alloc(t->serial->get_bytes(t->state), 1);
        rc = t->work ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    }
    return rc;
}

static void free_tile(tile *t)
{
    if (t->state)
        t->serial->free(t->state);
    sx_base_free(t->work);
    sx_base_free(t->data);
}

static int measure_length(const sx_gauge *g, int n, double *flops)
{
    const ptrdiff_t count = SX_MACHINE_TILE_BYTES / (COMPLEX * n);
    tile t = {0};
    double seconds = INFINITY;
    int rc = sx_base_agree(g->all, create_tile(n, count, &t), NULL);
    if (!rc)
        rc = sx_machine_measure(g, 0.05, execute_tile, &t, &seconds);
    free_tile(&t);
    *flops = 5. * n * log2(n) * (double)count / seconds;
    return rc;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Get the median rate of four lengths: powers of two, for which our kernels are best, and 60, which also has
 * other factors. */
static int measure_flops(const sx_gauge *g, double *flops)
{
    static const int lengths[] = {60, 64, 128, 256};
    enum { N = sizeof lengths / sizeof *lengths };
    double rate[N];
    int rc = MPI_SUCCESS;
    for (int i = 0; i < N && !rc; i++)
        rc = measure_length(g, lengths[i], &rate[i]);
    if (rc)
        return rc;
    qsort(rate, N, sizeof *rate, compare);
    *flops = (rate[(N - 1) / 2] + rate[N / 2]) / 2;
    return rc;
}

/* ---- copies */

/* Each copy has twice as many bytes as the previous one. */
enum { NCOPIES = 9 };
SX_BASE_ASSERT(SX_MACHINE_LEAST_COPY << (NCOPIES - 1) == SX_MACHINE_LARGEST);

typedef struct arrays {
    const void *from;
    void *to;
    subx_copy copy;
} arrays;

static int execute_copy(void *context)
{
    const arrays *a = context;
    return subx_copy_execute(a->copy, a->from, a->to);
}

int sx_machine_measure_copy(const sx_gauge *g, double share, ptrdiff_t bytes, const void *from, void *to,
                            double *seconds)
{
    arrays a = {from, to, SUBX_COPY_NULL};
    int rc = sx_base_agree(g->all, subx_copy_create(0, NULL, NULL, NULL, bytes, 0, &a.copy), NULL);
    if (!rc)
        rc = sx_machine_measure(g, share, execute_copy, &a, seconds);
    (void)subx_copy_free(&a.copy);
    return rc;
}

/* The rate within the caches is the rate of the fastest copy, because other programs make copies slower,
 * never faster. An array stays in the caches if its rate is above the geometric mean of the cache rate and
 * the memory rate. cache_bytes is the size of the largest such array, even if a smaller array was slow. */
static void set_rates(const double rate[NCOPIES], sx_machine *m)
{
    m->memory = m->cache = rate[NCOPIES - 1];
    for (int i = 0; i < NCOPIES; i++)
        m->cache = fmax(m->cache, rate[i]);
    m->cache_bytes = (double)sx_machine_get_bytes(SX_MACHINE_LEAST_COPY);
    for (int i = 1; i < NCOPIES - 1; i++)
        if (rate[i] * rate[i] > m->cache * m->memory)
            m->cache_bytes = (double)sx_machine_get_bytes((ptrdiff_t)SX_MACHINE_LEAST_COPY << i);
}

static int measure_copies(const sx_gauge *g, sx_machine *m)
{
    const ptrdiff_t most = sx_machine_get_bytes(SX_MACHINE_LARGEST);
    void *from = sx_base_alloc(most, 1), *to = sx_base_alloc(most, 1);
    double rate[NCOPIES], seconds = INFINITY;
    int rc = from && to ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    rc = sx_base_agree(g->all, rc, NULL);
    for (int i = 0; i < NCOPIES && !rc; i++) {
        const ptrdiff_t bytes = sx_machine_get_bytes((ptrdiff_t)SX_MACHINE_LEAST_COPY << i);
        rc = sx_machine_measure_copy(g, i < NCOPIES - 1 ? 0.025 : 0.1, bytes, from, to, &seconds);
        rate[i] = 2. * (double)bytes / seconds; /* bytes read and bytes written */
    }
    if (!rc)
        set_rates(rate, m);
    sx_base_free(to);
    sx_base_free(from);
    return rc;
}

int sx_machine_measure_rates(const sx_gauge *g, sx_machine *m)
{
    int rc = measure_flops(g, &m->flops);
    return rc ? rc : measure_copies(g, m);
}
