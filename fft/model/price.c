/* price.c - the seconds that each stage of a choice is expected to take, by the model of the machine.
 *
 * The stages are those of a plan, seen by the busiest rank. Left out: the overlap of messages with passes, which makes
 * strategy fused cheaper, and rings, whose slices stay in the caches. */
#include "plan/plan.h"
#include <math.h>
#include <string.h>

/* ---- what the busiest rank has: coordinate 0 of each grid dimension has the longest blocks */

static double get_length(const sx_choice *c, const sx_box *b, int axis)
{
    const int k = b->dist[axis];
    ptrdiff_t len = b->n[axis], start;
    if (k >= 0)
        sx_box_get_part(b, axis, c->dims[k], 0, &len, &start);
    return (double)len;
}

static double count_elements(const sx_choice *c, const sx_box *b)
{
    double count = 1;
    for (int i = 0; i < b->ndims; i++)
        count *= get_length(c, b, i);
    return count;
}

static double get_bytes(const sx_choice *c, const sx_box *b)
{
    return count_elements(c, b) * (double)b->element;
}

/* A transform of real data takes half of a complex one; an r2r axis of complex data has two of them. */
static double get_flops(const sx_choice *c, const sx_stage *s)
{
    double elements = count_elements(c, &s->from), flops = 0;
    for (int i = 0; i < s->naxes; i++) {
        const int axis = s->axes[i], kind = c->array.axis[axis].kind;
        const double n = (double)c->array.axis[axis].n, pencils = elements / (double)s->from.n[axis];
        const int nreals = sx_serial_is_r2r(kind) ? s->to.width : axis == c->array.halved ? 1 : 2;
        flops += pencils * nreals / 2 * 5 * n * log2(n);
        elements = pencils * (double)s->to.n[axis];
    }
    return flops;
}

/* ---- stages */

static double get_larger(double a, double b)
{
    return a > b ? a : b;
}

static void price_pass(const sx_choice *c, const sx_stage *s, sx_price *p)
{
    const double from = get_bytes(c, &s->from), to = get_bytes(c, &s->to);
    p->flops = get_flops(c, s);
    p->memory_bytes = from + to;
    p->seconds = sx_machine_price_pass(c->machine, p->flops / c->threads, p->memory_bytes / c->threads,
                                       get_larger(from, to));
}

/* MPI's engines took several times as long as copies of ours where runs are short, and less time where they are long (doc/measured).
 * The factor is a guess between the two. */
enum { DATATYPES = 2 };

static int has_datatypes(const char *engines, int dim)
{
    char engine[SX_HINT_LEN];
    sx_choice_get_word(engines, dim, engine);
    return strcmp(engine, "types") == 0 || strcmp(engine, "alltoallw") == 0;
}

/* A pipe needs no copies, because passes write and read its areas. An exchange between arrays copies a block once if its reader
 * takes it where it lies, and twice if it is packed and unpacked. */
static void price_exchange(const sx_choice *c, const sx_stage *s, sx_price *p)
{
    const double bytes = get_bytes(c, &s->from);
    const int is_direct = sx_choice_is_direct(c->engine, s->dim);
    sx_placement_get_load(c->placement, c->g, c->dims, s->dim, bytes, &p->load);
    p->seconds = sx_machine_price_exchange(c->machine, &p->load, is_direct);
    const double copied = bytes + (is_direct ? p->load.bytes[SX_BETWEEN] : bytes);
    if (c->strategy->hints == SX_HINTS_EXCHANGES)
        p->seconds += sx_machine_price_pass(c->machine, 0, 2 * copied, bytes);
    if (has_datatypes(c->engine, s->dim))
        p->seconds *= DATATYPES;
}

/* A stage that scales reads and writes the array once more. */
static int scales_forward(const sx_choice *c)
{
    return c->scaling == SX_SCALE_FORWARD || c->scaling == SX_SCALE_SYMMETRIC ||
           c->scaling == SX_SCALE_ORTHONORMAL;
}

static void price_scale(const sx_choice *c, const sx_box *b, sx_price *p)
{
    const double bytes = get_bytes(c, b);
    p->memory_bytes = 2 * bytes;
    p->seconds = sx_machine_price_pass(c->machine, 0, p->memory_bytes, bytes);
}

/* ---- a choice */

static int price_stages(subx_fft_plan sketch, sx_price price[])
{
    const sx_choice *c = &sketch->choice;
    const int n = sketch->nstages;
    memset(price, 0, SX_NSTAGES_MAX * sizeof *price);
    for (int i = 0; i < n; i++)
        if (sx_plan_is_exchange(sketch, i))
            price_exchange(c, &sketch->stage[i], &price[i]);
        else
            price_pass(c, &sketch->stage[i], &price[i]);
    if (!c->strategy->has_scale || !scales_forward(c))
        return n;
    price_scale(c, &sketch->stage[n - 1].to, &price[n]);
    return n + 1;
}

double sx_plan_get_price(subx_fft_plan sketch, sx_price price[], int *nstages)
{
    const sx_strategy *strategy = sx_choice_get_strategy(&sketch->choice);
    double sum = 0;
    *nstages = 0;
    if (!strategy || !strategy->serves(&sketch->choice))
        return INFINITY;
    sketch->choice.strategy = strategy;
    memset(sketch->stage, 0, (size_t)sketch->nstages * sizeof *sketch->stage);
    sketch->nstages = 0;
    sx_plan_list_stages(sketch);
    *nstages = price_stages(sketch, price);
    for (int i = 0; i < *nstages; i++)
        sum += price[i].seconds;
    return sum;
}

/* A sketch has room for the stages of any plan, which is much for a stack. */
double sx_choice_get_price(const sx_choice *c, sx_price price[], int *nstages)
{
    subx_fft_plan sketch = sx_base_alloc(1, sizeof *sketch);
    sx_price own[SX_NSTAGES_MAX];
    double sum = INFINITY;
    int n = 0;
    if (sketch) {
        sketch->choice = *c;
        sum = sx_plan_get_price(sketch, price ? price : own, &n);
    }
    if (nstages)
        *nstages = n;
    sx_base_free(sketch);
    return sum;
}
