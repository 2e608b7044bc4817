/* predict.c - predict the time of a plan on a described machine: make the choice that the plan has, and price
 * it. */
#include "predict/predict.h"
#include "decision/decision.h"
#include <math.h>
#include <string.h>
#include <subx_tune.h>

/* The largest number of ranks, more than any machine has. The lists of a placement then take 256 MiB. */
enum { RANKS_MAX = 1 << 24 };

/* ---- the choice */

/* Refuse problems with edges: ranks create edges together, and a prediction has no ranks. */
static int check(const sx_choice *c)
{
    const sx_problem_storage *s = c->problem->storage;
    if (s[SUBX_FFT_PHYSICAL].boxes.n >= 0 || s[SUBX_FFT_SPECTRAL].boxes.n >= 0 || c->is_brick)
        return sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, "subx: boxes and bricks cannot be predicted");
    if (c->array.factored && c->nranks_used > 1)
        return sx_base_set_error_text(SUBX_ERR_UNAVAILABLE,
                                      "subx: one axis on several ranks cannot be predicted");
    return MPI_SUCCESS;
}

/* A plan keeps the usual grid unless another one is clearly cheaper. A prediction takes the cheapest grid. */
static int set_grid(sx_choice *c)
{
    sx_grid_price best;
    int count = 0;
    if (!c->is_auto_grid)
        return MPI_SUCCESS;
    int rc = sx_model_list_grids(c, c->nranks_used, 1, &best, &count);
    if (rc || count == 0)
        return rc ? rc
                  : sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, "subx: no grid of these ranks can serve");
    c->g = best.g;
    memcpy(c->dims, best.dims, sizeof c->dims);
    return MPI_SUCCESS;
}

/* The working cores of a node share the bandwidth of its memory. m->memory becomes the bandwidth of one core,
 * because prices divide the work of a pass by the threads of a rank. A description does not have NUMA
 * domains: all memory counts as near. */
static int set_memory(const sx_described *d, const sx_choice *c, int ranks_per_node, sx_machine *m)
{
    const double busy = (double)ranks_per_node * c->hints.threads;
    if (busy > d->cores_per_node)
        return sx_base_set_error_text(SUBX_ERR_HINT,
                                      "subx: subx_threads times ranks_per_node exceeds cores_per_node");
    if (d->memory_per_node > 0)
        m->memory = d->memory_per_node / busy;
    m->cache = fmax(m->cache, m->memory);
    m->across = m->memory;
    return MPI_SUCCESS;
}

/* ---- the price */

static const char *get_link(double leaving, double beyond)
{
    return beyond > leaving ? "group" : leaving > 0 ? "node" : "none";
}

/* A stage whose price has memory_bytes > 0 is a pass; any other stage is an exchange. */
static int set_seconds(const sx_choice *c, sx_prediction *p)
{
    sx_price price[SX_NSTAGES_MAX];
    double leaving = 0, beyond = 0;
    int n;
    p->seconds = sx_model_get_price(c, price, &n);
    if (!isfinite(p->seconds))
        return sx_base_set_error_text(SUBX_ERR_UNAVAILABLE, "subx: no strategy can serve with this grid");
    for (int i = 0; i < n; i++) {
        *(price[i].memory_bytes > 0 ? &p->pass : &p->exchange) += price[i].seconds;
        leaving += price[i].load.leaving;
        beyond += fmax(price[i].load.beyond, price[i].load.leaving);
    }
    p->limit = leaving / c->shared.machine->bandwidth[SX_BETWEEN];
    p->link = get_link(leaving, beyond);
    return MPI_SUCCESS;
}

/* ---- the prediction */

static int choose(const sx_described *d, subx_fft_problem problem, MPI_Info hints, int nranks,
                  int ranks_per_node, sx_choice *c)
{
    int rc = sx_decision_set(c, problem, nranks, hints);
    if (!rc)
        rc = check(c);
    if (!rc)
        rc = set_memory(d, c, ranks_per_node, c->shared.machine);
    return rc ? rc : set_grid(c);
}

int sx_predict_get(const sx_described *d, subx_fft_problem problem, MPI_Info hints, int nranks,
                   sx_prediction *p)
{
    sx_machine machine = d->machine;
    sx_placement placement;
    sx_choice c = {.shared = {.machine = &machine, .placement = &placement}};
    *p = (sx_prediction){.nranks = nranks};
    if (nranks < 1 || nranks > RANKS_MAX)
        return sx_base_set_error_text(SUBX_ERR_ARG, "subx: a number of ranks is not from 1 to 16777216");
    const int per_node = d->network.ranks_per_node < nranks ? d->network.ranks_per_node : nranks;
    p->nnodes = (nranks + per_node - 1) / per_node;
    if (d->network.topology == SX_DRAGONFLY && sx_network_count_groups(&d->network, nranks) > SX_GROUPS_MAX)
        return sx_base_set_error_text(SUBX_ERR_ARG, "subx: a dragonfly has more than 1024 groups");
    int rc = sx_placement_create_regular(p->nnodes, per_node, 1, 0, &placement);
    if (rc)
        return rc;
    placement.network = &d->network;
    rc = choose(d, problem, hints, nranks, per_node, &c);
    if (!rc)
        rc = set_seconds(&c, p);
    p->g = c.g;
    memcpy(p->dims, c.dims, sizeof p->dims);
    sx_placement_free(&placement);
    return rc;
}

/* ---- the public function */

static int predict_all(const sx_described *d, subx_fft_problem problem, MPI_Info hints, int n,
                       const int nranks[], int format, sx_text *t)
{
    char name[SX_PROBLEM_TEXT];
    sx_text at = {name, sizeof name, 0};
    sx_prediction *list = sx_base_alloc(n, sizeof *list);
    int rc = list ? MPI_SUCCESS : subx_error_get_code(SUBX_ERR_NO_MEM);
    for (int i = 0; i < n && !rc; i++)
        rc = sx_predict_get(d, problem, hints, nranks[i], &list[i]);
    if (!rc) {
        sx_problem_print(problem, &at);
        sx_predict_print(name, n, list, format, t);
    }
    sx_base_free(list);
    return rc;
}

int subx_fft_predict(subx_fft_problem problem, MPI_Info hints, const char *machine, int n, const int nranks[],
                     int format, size_t len, char *text, size_t *needed)
{
    sx_text t = {text, len, 0};
    sx_described d;
    if (!problem || !machine || n < 1 || !nranks || (!text && len > 0) || format < SUBX_FFT_TEXT ||
        format > SUBX_FFT_CSV)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_predict_parse(machine, &d);
    if (!rc)
        rc = predict_all(&d, problem, hints, n, nranks, format, &t);
    if (!rc && needed)
        *needed = t.used;
    return rc;
}
