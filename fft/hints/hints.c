/* hints.c - the table of a plan's hints: their values, which of them the caller gives, and how they are
 * printed. */
#include "hints/hints.h"
#include "device/device.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <subx_tune.h>

/* ---- which values are right. fft/decision checks whether they suit the problem and the ranks */

static int is_grid(const char *text)
{
    ptrdiff_t dims[SUBX_NDIMS_MAX];
    int g;
    return strcmp(text, "auto") == 0 || sx_problem_parse_lengths(text, SUBX_NDIMS_MAX, &g, dims);
}

static int is_sequence(const char *text)
{
    return strcmp(text, "auto") == 0 || text[strspn(text, "0123456789,")] == '\0';
}

static int is_ranks(const char *text)
{
    return strcmp(text, "all") == 0 || strcmp(text, "auto") == 0 || sx_base_is_number(text, 1, INT_MAX);
}

/* ---- words after auto. A search on a device tries them */

static const char *const device_carriers[] = {SX_WORD_CARRIERS};
static const char *const device_readers[] = {SX_WORD_READERS};

#define COUNT(list) (sizeof(list) / sizeof *(list))
SX_BASE_ASSERT(COUNT(device_carriers) <= SX_WAY_VALUES + 2);
SX_BASE_ASSERT(COUNT(device_readers) <= SX_WAY_VALUES + 2);

static int get_word(const char *const list[], int i, const char **name)
{
    int n = 0;
    while (list[n] && n < i)
        n++;
    *name = list[n];
    return MPI_SUCCESS;
}

int sx_hints_query_device_carrier(int i, const char **name)
{
    return get_word(device_carriers + 1, i, name);
}

int sx_hints_query_device_reader(int i, const char **name)
{
    return get_word(device_readers + 1, i, name);
}

/* ---- the table */

enum { MOST_WIDTH = 1 << 20 };

static const char *const overlaps[] = {"auto", "none", "send", "receive", "both", NULL};
static const char *const pencils[] = {"auto", "contiguous", "interleaved", NULL};
static const char *const wires[] = {"full", "float", NULL};
static const char *const outputs[] = {"natural", "transposed", NULL};
static const char *const scalings[] = {"none", "forward", "backward", "symmetric", "orthonormal", NULL};
static const char *const inputs[] = {"preserve", "destroy", NULL};
static const char *const efforts[] = {"estimate", "measure", "patient", NULL};
static const char *const rigors[] = {"auto", "estimate", "measure", "patient", "exhaustive", NULL};
static const char *const sides[] = {SX_WORD_SIDES};
static const char *const checks[] = {SX_WORD_CHECKS};
static const char *const answers[] = {"no", "yes", NULL};
static const char *const verbosities[] = {"no", "yes", "progress", NULL};

/* Check when compiling that each value has a word. */
#define HAS_WORDS(list, last) SX_BASE_ASSERT(COUNT(list) == (last) + 2)
HAS_WORDS(overlaps, SX_OVERLAP_BOTH);
HAS_WORDS(pencils, SX_PENCILS_INTERLEAVED);
HAS_WORDS(wires, SX_WIRE_FLOAT);
HAS_WORDS(outputs, SX_OUTPUT_TRANSPOSED);
HAS_WORDS(inputs, SX_INPUT_DESTROY);
HAS_WORDS(verbosities, SX_VERBOSE_PROGRESS);
HAS_WORDS(scalings, SX_SCALE_ORTHONORMAL);
HAS_WORDS(efforts, SX_EFFORT_PATIENT);
HAS_WORDS(rigors, SX_EFFORT_EXHAUSTIVE + 1);

#define SAYS(text) .what = (text)
#define WORD(member, list) .type = SX_HINT_WORD, .offset = offsetof(sx_hints, member), .words = (list)
#define TEXT(member, value, test, words)                                                                     \
    .type = SX_HINT_TEXT, .offset = offsetof(sx_hints, member), .text = (value), .is_right = (test),         \
    .right = (words)
#define NUMBER(kind, member, a, b, c)                                                                        \
    .type = (kind), .offset = offsetof(sx_hints, member), .otherwise = (a), .least = (b), .most = (c)

static const sx_hint common[] = {
    {"subx_grid",
     SAYS("Ranks along each dimension of the process grid; the library chooses a dimension that is 0."),
     TEXT(grid, "auto", is_grid, "auto, or numbers of ranks such as 4 or 2x3")},
    {"strategy", SAYS("How axes are transformed and exchanged; fused: in tiles that fit into caches."),
     TEXT(strategy, "auto", NULL, NULL), .query = sx_strategy_query_name, .is_searched = 1},
    {"subx_output_order", SAYS("How the spectral side is stored: in C order, or as the exchanges leave it."),
     WORD(output, outputs)},
    {"subx_scaling",
     SAYS("Where results are divided by N, or by its root; orthonormal: DCTs and DSTs have weights."),
     WORD(scaling, scalings)},
    {"subx_sequence", SAYS("The order in which forward transforms the axes."),
     TEXT(sequence, "auto", is_sequence, "auto, or axes such as 2,0,1")},
    {"subx_input_array", SAYS("Whether backward may overwrite its input."), WORD(input, inputs)},
    {"serial", SAYS("What transforms axes on one rank."), TEXT(serial, "auto", NULL, NULL),
     .query = sx_serial_query_name, .is_searched = 1},
    {"subx_effort",
     SAYS("How the fastest plan is searched for: by the cost model, or by executing more and more "
          "candidates."),
     WORD(effort, efforts), .is_aside = 1},
    {"rigor", SAYS("The effort for transforms on one rank alone."), WORD(rigor, rigors), .is_searched = 1},
    {"subx_engine", SAYS("How data travel between ranks; a list has a word for each dimension of the grid."),
     TEXT(engine, "auto", NULL, NULL), .query = subx_exch_query_engine, .list = "node/kway",
     .is_searched = 1},
    {"between", SAYS("How data travel between nodes."), TEXT(between, "", NULL, NULL),
     .query = sx_hints_query_carrier, .list = "pairwise/kway", .is_searched = 1},
    {SX_WORD_WINDOW, SAYS("Slices in flight at a time; for engine types, messages."),
     TEXT(window, "", NULL, NULL), .is_searched = 1},
    {SX_WORD_NODE_RANKS, SAYS("Ranks that count as a node; 0 for those that share memory."),
     TEXT(node_ranks, "", NULL, NULL)},
    {"subx_threads", SAYS("Threads of each rank."), NUMBER(SX_HINT_THREADS, threads, 1, 1, INT_MAX),
     .is_searched = 1},
    {"subx_memory", SAYS("Bytes of work space that each rank may have; 0 for no limit."),
     NUMBER(SX_HINT_LENGTH, memory, 0, 0, PTRDIFF_MAX)},
    {"subx_ranks", SAYS("Ranks that have data; auto: fewer where that is faster."),
     TEXT(ranks, "all", is_ranks, "all, auto, or a number, at least 1")},
    {"reorder", SAYS("Whether the grid numbers the ranks anew, so that more data stay inside nodes."),
     WORD(reorder, answers)},
    {"subx_wisdom", SAYS("The file of what earlier plans have learnt."),
     TEXT(wisdom, "auto", NULL, "auto, none, or a path"), .is_aside = 1},
    {"subx_time_limit", SAYS("Seconds that the search may take; 0 for no limit."),
     NUMBER(SX_HINT_INT, time_limit, 0, 0, INT_MAX), .is_aside = 1},
    {"subx_memory_kind", SAYS("Where the arrays of executions are: in the host's memory, or in a GPU's."),
     TEXT(memory_kind, SX_DEVICE_SYSTEM, sx_device_is_kind, SX_DEVICE_KINDS), .is_of_program = 1},
    {"device_carrier", SAYS("How data travel between GPUs whose ranks do not read each other's memory."),
     TEXT(device_carrier, "", NULL, NULL), .words = device_carriers, .is_searched = 1},
    {"device_reader", SAYS("What reads the memory of other ranks' GPUs."),
     TEXT(device_reader, "", NULL, NULL), .words = device_readers, .is_searched = 1},
    {"subx_keep", SAYS("Bytes of work space that each rank may keep in freed plans, for equal new ones."),
     NUMBER(SX_HINT_LENGTH, keep, 0, 0, PTRDIFF_MAX), .is_aside = 1},
    {"subx_verbose", SAYS("Whether rank 0 writes the plan to standard error."), WORD(verbose, verbosities),
     .is_aside = 1},
};
static const sx_hint tiles[] = {
    {"overlap",
     SAYS("For fused: which transforms go on while messages travel, those of blocks to be sent or of "
          "received ones."),
     WORD(overlap, overlaps)},
    {SX_WORD_SLICES, SAYS("Slices of an exchange; 0 for a choice."), .type = SX_HINT_INT,
     .offset = offsetof(sx_hints, slices), .is_searched = 1},
    {"progress", SAYS("For fused: how often per slice MPI is called, so that messages progress."),
     NUMBER(SX_HINT_INT, progress, 16, 0, INT_MAX), .is_searched = 1},
    {"width", SAYS("For fused: most pencils side by side in a tile; 0 for a choice."),
     NUMBER(SX_HINT_LENGTH, width, 0, 0, MOST_WIDTH), .is_searched = 1},
    {"pencils", SAYS("For fused: how pencils lie in a tile."), WORD(pencils, pencils)},
    {"cache", SAYS("For fused: most bytes of a tile."),
     NUMBER(SX_HINT_LENGTH, cache_bytes, SX_CACHE_BYTES, 1, PTRDIFF_MAX / 16), .is_searched = 1},
};
static const sx_hint exchanges[] = {
    {"permute", SAYS("For stride1: the side whose memory accesses are strided."), WORD(permuting, sides),
     .is_searched = 1},
    {SX_WORD_RADIX, SAYS("The radix of engine kway."), TEXT(radix, "", NULL, NULL), .is_searched = 1},
    {"check", SAYS("For stride1 and natural: whether exchanges test their engine."),
     TEXT(check, "", NULL, NULL), .words = checks},
};

static const sx_hint pipes[] = {
    {"subx_wire",
     SAYS("For fused, and arrays on a GPU: what messages carry: all digits, or reals rounded to float."),
     WORD(wire, wires)},
};

/* A set of hints is a uint64_t, with a bit for each hint. */
SX_BASE_ASSERT(COUNT(common) + COUNT(tiles) + COUNT(exchanges) + COUNT(pipes) <= 64);

/* The whole table, by groups, SX_HINTS_*. The hints of a group are read by the same strategies. */
static const struct {
    const sx_hint *hints;
    int n;
} groups[] = {[SX_HINTS_COMMON] = {common, COUNT(common)},
              [SX_HINTS_TILES] = {tiles, COUNT(tiles)},
              [SX_HINTS_EXCHANGES] = {exchanges, COUNT(exchanges)},
              [SX_HINTS_PIPES] = {pipes, COUNT(pipes)}};
enum { NGROUPS = COUNT(groups) };

const sx_hint *sx_hints_get(int i, int *group)
{
    for (int k = 0; k < NGROUPS; i -= groups[k++].n)
        if (i < groups[k].n) {
            *group = k;
            return &groups[k].hints[i];
        }
    return NULL;
}

/* Find a hint by its name without subx_, and return its bit in sets of hints. If there is no such hint, *hint
 * becomes NULL, and 0 is returned. */
static uint64_t get_bit(const char *name, const sx_hint **hint)
{
    int group;
    for (int i = 0; (*hint = sx_hints_get(i, &group)); i++)
        if (strcmp(sx_base_hint_get_name((*hint)->key), name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

const char *sx_hints_get_effort(int effort)
{
    return efforts[effort];
}

/* The rigor "auto" means "estimate" with every effort, because FFTW's measurements take longer than a hundred
 * executions of a plan. A search tries higher rigors with its best candidates only. */
int sx_hints_get_rigor(const sx_hints *h)
{
    return h->rigor > 0 ? h->rigor - 1 : SX_EFFORT_ESTIMATE;
}

/* ---- for users */

static void print_values(const sx_hint *one, sx_text *t)
{
    sx_base_print(t, "%s Values: ", one->what);
    sx_base_hint_print_right(one, t);
    if (one->type != SX_HINT_TEXT || *one->text) {
        sx_base_print(t, "; default ");
        sx_base_hint_print_default(one, t);
    }
}

static int is_tune(const sx_hint *one)
{
    return sx_base_is_tune(sx_base_hint_get_name(one->key));
}

static const char *print_tune(sx_text *t)
{
    const sx_hint *one;
    int group;
    sx_base_print(
        t,
        "Words for experts with their values, such as \"overlap both, slices 8\"; releases may change them.");
    for (int i = 0; (one = sx_hints_get(i, &group)); i++)
        if (is_tune(one)) {
            sx_base_print(t, "\n%s: ", one->key);
            print_values(one, t);
        }
    return "subx_tune";
}

/* Print the i-th hint with a key of its own; subx_tune is the last one. Returns its key; NULL if there is
 * none. */
static const char *print_hint(int i, sx_text *t)
{
    const sx_hint *one;
    int group;
    for (int k = 0; (one = sx_hints_get(k, &group)); k++)
        if (!is_tune(one) && i-- == 0) {
            print_values(one, t);
            return one->key;
        }
    return i == 0 ? print_tune(t) : NULL;
}

int subx_fft_query_hint(int i, const char **name, size_t len, char *text, size_t *needed)
{
    if (i < 0 || !name || (!text && len > 0))
        return subx_error_get_code(SUBX_ERR_ARG);
    sx_text t = {text, len, 0};
    if (len > 0)
        *text = '\0';
    *name = print_hint(i, &t);
    if (needed)
        *needed = t.used;
    return MPI_SUCCESS;
}

/* ---- reading */

int sx_hints_parse(sx_hints *h, MPI_Info info)
{
    const sx_hint *one;
    int rc = MPI_SUCCESS, group;
    for (int k = 0; k < NGROUPS && !rc; k++)
        rc = sx_base_hints_parse(groups[k].hints, groups[k].n, info, h);
    for (int i = 0; (one = sx_hints_get(i, &group)) && !rc; i++)
        if (h->ignored >> i & 1 && sx_base_hint_get_source(one, info) == SX_SAID_VARIABLE)
            sx_base_hint_set_default(one, h);
    return rc;
}

int sx_hints_ignore(sx_hints *h, const char *name, MPI_Info info)
{
    const sx_hint *one;
    const uint64_t bit = get_bit(name, &one);
    if (sx_base_hint_get_source(one, info) != SX_SAID_VARIABLE)
        return 0;
    sx_base_hint_set_default(one, h);
    h->ignored |= bit;
    h->said &= ~bit;
    h->given &= ~bit;
    return 1;
}

int sx_hints_copy(MPI_Info info, MPI_Info *copy)
{
    *copy = MPI_INFO_NULL;
    return info == MPI_INFO_NULL ? MPI_Info_create(copy) : MPI_Info_dup(info, copy);
}

int sx_hints_set(MPI_Info info, const char *name, const char *value)
{
    const sx_hint *one;
    (void)get_bit(name, &one);
    return one ? sx_base_hint_set(info, one->key, value) : subx_error_get_code(SUBX_ERR_HINT);
}

int sx_hints_trust(const sx_hints *h, MPI_Info info)
{
    return *h->check ? MPI_SUCCESS : sx_base_hint_set(info, "check", "no");
}

/* ---- the hints that the caller gives */

/* Query whether the value of a hint leaves the decision to the library. This is so if the value is "auto", or
 * a default that means the same; only subx_ranks has another default, and its "auto" asks for a decision. */
static int is_open(const sx_hint *one, const sx_hints *h)
{
    const char *text = (const char *)h + one->offset;
    const int is_default = sx_base_hint_is_default(one, h);
    if (one->type == SX_HINT_TEXT)
        return strcmp(text, "auto") == 0 && (is_default || *one->text == '\0');
    return is_default &&
           (one->type == SX_HINT_WORD ? strcmp(one->words[0], "auto") == 0 : one->otherwise == 0);
}

void sx_hints_find_given(sx_hints *h, MPI_Info info)
{
    const sx_hint *one;
    int group;
    for (int i = 0; (one = sx_hints_get(i, &group)); i++) {
        const uint64_t bit = UINT64_C(1) << i;
        const int source = sx_base_hint_get_source(one, info);
        if (source == SX_SAID_IN_VAIN)
            h->ignored |= bit;
        else if (source != SX_SAID_NOWHERE)
            h->said |= bit;
        if (h->said & bit && !is_open(one, h))
            h->given |= bit;
    }
}

int sx_hints_is_given(const sx_hints *h, const char *name)
{
    const sx_hint *one;
    return (h->given & get_bit(name, &one)) != 0;
}

int sx_hints_may_vary(const sx_hints *h, const char *name, const char *value)
{
    char now[SX_HINT_LEN] = "", then[SX_HINT_LEN];
    sx_text n = {now, sizeof now, 0}, t = {then, sizeof then, 0};
    const sx_hint *one;
    const uint64_t bit = get_bit(name, &one);
    if (!one)
        return 0;
    sx_base_hints_print(one, 1, h, &n);
    sx_base_print(&t, "%s %s", name, value);
    if (strcmp(now, then) == 0)
        return 1;
    if (!one->is_searched)
        return 0;
    return one->type == SX_HINT_THREADS ? sx_base_is_number(value, 1, h->threads) : !(h->given & bit);
}

int sx_hints_set_request(sx_hints *h)
{
    sx_text t = {h->request, sizeof h->request, 0};
    const sx_hint *one;
    int group;
    for (int i = 0; (one = sx_hints_get(i, &group)); i++)
        if (h->given >> i & 1 && !one->is_aside) {
            sx_base_print(&t, t.used ? ", " : "");
            sx_base_hints_print(one, 1, h, &t);
        }
    if (t.used < t.room)
        return MPI_SUCCESS;
    return sx_base_set_error_text(SUBX_ERR_HINT, "subx: the values of the hints are too long together");
}

/* ---- as text, and as an MPI_Info */

int sx_hints_is_read(int group, int read)
{
    return read == SX_HINTS_COMMON || read == group || (group == SX_HINTS_TILES && read == SX_HINTS_PIPES);
}

void sx_hints_print(const sx_hints *h, int group, sx_text *t)
{
    sx_base_print(t, "  ");
    sx_base_hints_print(groups[group].hints, groups[group].n, h, t);
    sx_base_print(t, "\n");
}

int sx_hints_export(const sx_hints *h, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < NGROUPS && !rc; i++)
        rc = sx_base_hints_export(groups[i].hints, groups[i].n, h, info);
    return rc;
}
