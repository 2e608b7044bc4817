/* choice.c - all that the caller decides: the problem, and the hints on how to solve it. */
#include "plan/plan.h"
#include <limits.h>
#include <stdint.h>
#include <string.h>

static const char *const strategies[] = {"auto", "fused", "stride1", "natural", NULL};
static const char *const overlaps[] = {"auto", "none", "send", "receive", "both", NULL};
static const char *const pencils[] = {"auto", "contiguous", "interleaved", NULL};
static const char *const pipes[] = {"auto", "shm", "node", "pairwise", "alltoallv", "kway", "persistent", NULL};
static const char *const outputs[] = {"natural", "transposed", NULL};
static const char *const scalings[] = {"none", "forward", "backward", "symmetric", NULL};
static const char *const efforts[] = {"estimate", "measure", "patient", NULL};
static const char *const permuting[] = {"recv", "send", NULL};

/* ---- the grid */

/* A grid dimension divides the axis of its number on the physical side and the next one on the spectral
 * side. */
static int leaves_nobody_out(const sx_choice *c, const int dims[])
{
    for (int k = 0; k < c->g; k++)
        if (dims[k] > c->spectral[k] || dims[k] > c->spectral[k + 1])
            return 0;
    return 1;
}

/* Slabs need one exchange and pencils two, so that the fewest dimensions that occupy all ranks are taken. */
static int choose_grid(sx_choice *c, int nranks)
{
    int rc = MPI_SUCCESS;
    for (c->g = 1; c->g < c->ndims && !rc; c->g++) {
        memset(c->dims, 0, sizeof c->dims);
        rc = subx_grid_get_dims(nranks, c->g, c->ndims, c->spectral, c->dims);
        if (!rc && (leaves_nobody_out(c, c->dims) || c->g == c->ndims - 1))
            return rc;
    }
    return rc;
}

/* Zeros in it are filled, and what cannot divide the ranks is noticed, by subx_grid_get_dims. */
static int read_grid(sx_choice *c, int nranks, MPI_Info hints)
{
    char text[SX_HINT_LEN];
    ptrdiff_t dims[SUBX_NDIMS_MAX];
    int rc = sx_base_hint(hints, "subx_grid", "auto", text);
    if (rc)
        return rc;
    if (strcmp(text, "auto") == 0)
        return choose_grid(c, nranks);
    if (!sx_plan_parse_lengths(text, SUBX_NDIMS_MAX, &c->g, dims))
        return subx_error_get(SUBX_ERR_HINT);
    if (c->g > c->ndims - 1)
        return subx_error_get(SUBX_ERR_GRID);
    for (int k = 0; k < c->g; k++)
        if (dims[k] > INT_MAX || sx_base_int(dims[k], &c->dims[k]))
            return subx_error_get(SUBX_ERR_GRID);
    return subx_grid_get_dims(nranks, c->g, c->ndims, c->spectral, c->dims);
}

/* ---- the rest */

static int read_serial(sx_choice *c, MPI_Info hints)
{
    char name[SX_HINT_LEN];
    int rc = sx_base_hint(hints, "subx_serial", sx_serial_table[0]->name, name);
    if (rc)
        return rc;
    for (int i = 0; sx_serial_table[i]; i++) {
        if (strcmp(sx_serial_table[i]->name, name) == 0) {
            c->serial = sx_serial_table[i];
            return MPI_SUCCESS;
        }
    }
    /* A backend that this library knows of but was built without is another matter than a word it never
     * heard. */
    return subx_error_get(strcmp(name, "fftw3") == 0 ? SUBX_ERR_UNAVAILABLE : SUBX_ERR_HINT);
}

static const char *const passed[] = {"subx_between", "subx_window", "subx_node_ranks",
                                     "subx_tile",    "subx_radix",  "subx_check"};
enum { NPASSED = sizeof passed / sizeof passed[0] };

static int read_passed(sx_choice *c, MPI_Info hints)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < NPASSED && !rc; i++)
        rc = sx_base_hint(hints, passed[i], "", c->passed[i]);
    return rc;
}

static int is_pipes_engine(const char *name)
{
    for (int i = 0; pipes[i]; i++)
        if (strcmp(name, pipes[i]) == 0)
            return 1;
    return 0;
}

/* Between nodes pipes know fewer engines than exchanges do. */
static int is_pipes_between(const char *name)
{
    return !*name || (is_pipes_engine(name) && strcmp(name, "shm") != 0 && strcmp(name, "node") != 0);
}

static int is_exchanges_engine(const char *name)
{
    const char *known = "auto";
    for (int i = 0; known; i++) {
        if (strcmp(name, known) == 0)
            return 1;
        if (subx_exch_query_engine(i, &known))
            return 0;
    }
    return 0;
}

/* Exchanges and pipes read this hint themselves, but a plan may have none, and a wrong word is wrong in
 * any plan. By itself the strategy is one that the engine serves; if any does, it may be measured. */
static int read_engine(sx_choice *c, MPI_Info hints)
{
    int rc = sx_base_hint(hints, "subx_engine", "auto", c->engine);
    int fuses = is_pipes_engine(c->engine) && is_pipes_between(c->passed[0]),
        exchanges = is_exchanges_engine(c->engine);
    if (!rc && !(c->strategy == SX_FUSED ? fuses : c->strategy == SX_AUTO ? fuses || exchanges : exchanges))
        rc = subx_error_get(SUBX_ERR_HINT);
    int may_measure = fuses && strcmp(c->engine, "auto") == 0 && c->effort != SX_EFFORT_ESTIMATE;
    if (c->strategy == SX_AUTO && !may_measure)
        c->strategy = fuses ? SX_FUSED : SX_STRIDE1;
    return rc;
}

static int read_words(sx_choice *c, MPI_Info hints)
{
    int rc = sx_base_hint_word(hints, "subx_strategy", strategies, &c->strategy);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_output", outputs, &c->output);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_scaling", scalings, &c->scaling);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_effort", efforts, &c->effort);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_permute", permuting, &c->permuting);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_overlap", overlaps, &c->overlap);
    if (!rc)
        rc = sx_base_hint_word(hints, "subx_pencils", pencils, &c->pencils);
    if (!rc && c->strategy == SX_NATURAL && c->output == SX_OUTPUT_TRANSPOSED)
        rc = subx_error_get(SUBX_ERR_HINT);
    return rc;
}

/* More would be messages of a few bytes. */
enum { MOST_SLICES = 1024 };

/* How passes are cut. A tile of 1.25 MiB is about a second-level cache. */
static int read_numbers(sx_choice *c, MPI_Info hints)
{
    int rc = sx_base_hint_threads(hints, &c->threads);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_slices", 0, 0, MOST_SLICES, &c->slices);
    if (!rc)
        rc = sx_base_hint_int(hints, "subx_progress", 16, 0, INT_MAX, &c->progress);
    if (!rc)
        rc = sx_base_hint_number(hints, "subx_memory", 0, 0, PTRDIFF_MAX, &c->memory);
    if (!rc)
        rc = sx_base_hint_number(hints, "subx_width", 0, 0, 1 << 20, &c->width);
    return rc ? rc : sx_base_hint_number(hints, "subx_cache", 5 << 18, 1, PTRDIFF_MAX / 16, &c->cache_bytes);
}

int sx_choice_set(sx_choice *c, int kind, int ndims, const ptrdiff_t sizes[], int nranks, MPI_Info hints)
{
    int rc = sx_plan_check_problem(kind, ndims, sizes);
    if (rc)
        return rc;
    c->kind = kind;
    c->ndims = ndims;
    for (int i = 0; i < ndims; i++)
        c->sizes[i] = c->spectral[i] = sizes[i];
    if (kind != SUBX_FFT_C2C)
        c->spectral[ndims - 1] = sx_serial_get_half(sizes[ndims - 1]);
    rc = read_words(c, hints);
    if (!rc)
        rc = read_serial(c, hints);
    if (!rc)
        rc = read_passed(c, hints);
    if (!rc)
        rc = read_engine(c, hints);
    if (!rc)
        rc = read_numbers(c, hints);
    return rc ? rc : read_grid(c, nranks, hints);
}

int sx_choice_get_nranks(const sx_choice *c)
{
    int nranks = 1;
    for (int k = 0; k < c->g; k++)
        nranks *= c->dims[k];
    return nranks;
}

double sx_choice_get_share(const sx_choice *c)
{
    double bytes = 2 * sizeof(double);
    for (int a = 0; a < c->ndims; a++)
        bytes *= (double)c->spectral[a];
    return bytes / sx_choice_get_nranks(c);
}

/* ---- what they are, as text */

static void print_grid(const sx_choice *c, sx_text *t)
{
    for (int k = 0; k < c->g; k++)
        sx_base_print(t, "%s%d", k ? "x" : "", c->dims[k]);
}

static const char *get_strategy(const sx_choice *c)
{
    return strategies[c->strategy];
}

static void print_or_auto(const char *what, ptrdiff_t number, sx_text *t)
{
    if (number)
        sx_base_print(t, "%s %td", what, number);
    else
        sx_base_print(t, "%s auto", what);
}

static void print_passes(const sx_choice *c, sx_text *t)
{
    sx_base_print(t, "  pipes by %s, overlap %s", c->engine, overlaps[c->overlap]);
    print_or_auto(", slices", c->slices, t);
    sx_base_print(t, ", progress %d\n  tiles", c->progress);
    print_or_auto(" of width", c->width, t);
    sx_base_print(t, ", pencils %s, up to %td bytes, %d thread%s\n", pencils[c->pencils], c->cache_bytes,
                  c->threads, c->threads == 1 ? "" : "s");
}

static void print_exchanges(const sx_choice *c, sx_text *t)
{
    sx_base_print(t, "  exchanges by %s, %s side permutes\n", c->engine, permuting[c->permuting]);
}

static void print_problem(const sx_choice *c, sx_text *t)
{
    char problem[SUBX_NDIMS_MAX * 21 + 5];
    if (subx_fft_problem_print(c->kind, c->ndims, c->sizes, sizeof problem, problem, NULL))
        return;
    sx_base_print(t, "%s on grid ", problem);
    print_grid(c, t);
    sx_base_print(t, "\n  strategy %s, output %s, scaling %s\n  serial transforms by %s, effort %s\n",
                  get_strategy(c), outputs[c->output], scalings[c->scaling], c->serial->name,
                  efforts[c->effort]);
    if (c->memory)
        sx_base_print(t, "  at most %td bytes of work space a rank\n", c->memory);
}

void sx_choice_print(const sx_choice *c, sx_text *t)
{
    print_problem(c, t);
    if (c->strategy == SX_FUSED)
        print_passes(c, t);
    else
        print_exchanges(c, t);
}

/* Also what this strategy does not use: another one may be tried. */
void sx_choice_print_key(const sx_choice *c, sx_text *t)
{
    print_problem(c, t);
    print_passes(c, t);
    print_exchanges(c, t);
    for (int i = 0; i < NPASSED; i++)
        sx_base_print(t, " %s", c->passed[i]);
}

static void print_number(ptrdiff_t number, char text[24])
{
    sx_text t = {text, 24, 0};
    sx_base_print(&t, "%td", number);
}

int sx_choice_export(const sx_choice *c, const char *engine, MPI_Info info)
{
    char grid[SUBX_NDIMS_MAX * 12], slices[24], progress[24], width[24], cache[24], threads[24], memory[24];
    sx_text t = {grid, sizeof grid, 0};
    const char *const hints[][2] = {{"subx_grid", grid},
                                    {"subx_strategy", get_strategy(c)},
                                    {"subx_output", outputs[c->output]},
                                    {"subx_scaling", scalings[c->scaling]},
                                    {"subx_serial", c->serial->name},
                                    {"subx_effort", efforts[c->effort]},
                                    {"subx_engine", engine},
                                    {"subx_permute", permuting[c->permuting]},
                                    {"subx_overlap", overlaps[c->overlap]},
                                    {"subx_slices", slices},
                                    {"subx_progress", progress},
                                    {"subx_width", width},
                                    {"subx_pencils", pencils[c->pencils]},
                                    {"subx_cache", cache},
                                    {"subx_threads", threads},
                                    {"subx_memory", memory}};
    int rc = MPI_SUCCESS;
    print_number(c->slices, slices);
    print_number(c->progress, progress);
    print_number(c->width, width);
    print_number(c->cache_bytes, cache);
    print_number(c->threads, threads);
    print_number(c->memory, memory);
    print_grid(c, &t);
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && !rc; i++)
        rc = MPI_Info_set(info, hints[i][0], hints[i][1]);
    for (int i = 0; i < NPASSED && !rc; i++)
        if (*c->passed[i])
            rc = MPI_Info_set(info, passed[i], c->passed[i]);
    return rc;
}
