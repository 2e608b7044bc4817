/* main.c - the program subx-perf-order: exchanges between pairs of storage orders, by all engines.
 *
 * A pair of orders has one of two meanings. "storage": the send array is stored in the send order, and the
 * receive array in the receive order; the exchange is created by subx_exch_create_realign. "traversal":
 * both arrays are stored in Fortran order, and the types traverse the arrays in the send order and in the
 * receive order. So the sender's axis send[i] becomes the receiver's axis recv[i]. The tables in Y. Yan,
 * "Improved MPI Collectives for 3D-FFT", are about traversals. */
#include "common/perf.h"

#include <stdlib.h>
#include <string.h>

enum { NDIMS_MIN = 2, NDIMS_MAX = 4, NORDERS_MAX = 24 };
enum { ORDER_AUTO, ORDER_STORAGE, ORDER_TRAVERSAL };
enum { ORDER_ALL, ORDER_TABLE1A, ORDER_TABLE1B, ORDER_LIST };

struct settings {
    struct sx_perf_settings common; /* must come first */
    struct sx_perf_shape shape;
    struct sx_perf_names pairs; /* the words of --pairs, if they are a list */
    int dtype, meaning, set;
    /* --axes V,W: axis V is whole before the exchange, axis W after it. V = W if the option is not given. */
    int axis[2];
};

/* A pair of orders. Each lists the axes, innermost axis first. */
struct pair {
    int send[NDIMS_MAX], recv[NDIMS_MAX];
};

/* Over the pairs, the smallest and the largest ratio of an engine's time to that of the first reference,
 * which is MPI's plain subarray, or, on a device, a copy; and on how many pairs it is the fastest engine. */
struct extremes {
    double least, most;
    char at_least[SX_PERF_TEXT_MAX], at_most[SX_PERF_TEXT_MAX];
    int count, wins;
};

struct job {
    struct settings settings;
    int ndims, v, w, npairs;
    struct pair pairs[NORDERS_MAX * NORDERS_MAX];
    MPI_Datatype element;
    struct sx_perf_subject subject;
    const struct pair *pair;                        /* of the current exchange */
    char send[32], recv[32];                        /* its orders */
    ptrdiff_t recv_bytes;                           /* of this rank */
    double most_bytes;                              /* bytes received by the rank that receives most */
    struct extremes extremes[SX_PERF_NNAMES], best; /* by engine; of the best engine of each pair */
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
};

/* Query whether the arrays are on a device. There, MPI's types cannot be measured. */
static int is_on_device(const struct job *job)
{
    return job->settings.common.memory == SX_PERF_DEVICE;
}

/* The reference: MPI_Alltoallw with MPI's own subarray types, both arrays in C order. */
struct plain {
    int nranks, *count[2], *displ;
    MPI_Datatype *type[2];
    const void *in;
    void *out;
};

/* --------------------------------------------------------------------------------------- options */

static const char *const dtypes[] = {"complex128", "complex64", "float64", "float32", NULL};
static const char *const meanings[] = {"auto", "storage", "traversal", NULL};

static int parse_pairs(const char *text, void *target)
{
    static const char *const sets[] = {"all", "table1a", "table1b"};
    struct settings *settings = target;
    settings->set = ORDER_LIST;
    for (int i = ORDER_ALL; i < ORDER_LIST; i++)
        if (strcmp(text, sets[i]) == 0)
            settings->set = i;
    return settings->set == ORDER_LIST ? sx_perf_values_parse_names(text, &settings->pairs) : 0;
}

static int parse_axes(const char *text, void *target)
{
    int *axis = target, used = 0;
    if (sscanf(text, "%2d,%2d%n", &axis[0], &axis[1], &used) != 2 || text[used] || axis[0] < 0 ||
        axis[1] < 0 || axis[0] == axis[1])
        return sx_perf_options_refuse("not two axes such as 0,2");
    return 0;
}

#define AT(member) offsetof(struct settings, member)

static const struct sx_perf_option options[] = {
    {"--shape", "NxNxN", "256x256x256", "lengths of the whole array, 2 to 4 of them",
     sx_perf_values_parse_shape, NULL, AT(shape)},
    {"--dtype", "T", "complex128", "", NULL, dtypes, AT(dtype)},
    {"--pairs", "P", "all", "all; table1a or table1b, Yan's; or a list such as 021:102,012:210", parse_pairs,
     NULL, 0},
    {"--orders", "M", "auto", "what an order means; auto is traversal in Yan's tables", NULL, meanings,
     AT(meaning)},
    {"--axes", "V,W", NULL,
     "the axis that is whole before, and the axis that is whole after (default: first, last)", parse_axes,
     NULL, AT(axis)},
    {"--memory", "M", "private", "the arrays; shared by subx_mem_alloc", NULL, sx_perf_options_device_memory,
     AT(common.memory)},
    {.name = NULL}};

static const char purpose[] =
    "Time the exchange that realigns a distributed array from one axis to another, for pairs of storage orders (the\n"
    "sender's and the receiver's), by every engine.\n";

static const char rest[] =
    "The exchange of each engine is verified element by element. Then all are timed alternately, together with two\n"
    "references. mpi-subarray is MPI_Alltoallw with MPI_Type_create_subarray's own types, both arrays in C order. memcpy\n"
    "copies the bytes that a rank receives, on all ranks at once. A timing begins with a barrier and ends with the slowest\n"
    "rank.\n"
    "\n"
    "With --memory device the arrays are in the memory of a GPU (cuda:device; --hint subx_memory_kind=cuda:managed for\n"
    "managed memory). Then there is only one reference, copy, a copy on the GPU. Without a GPU the exit status is 2.\n"
    "\n"
    "Columns:\n"
    "  mpi, ranks, shape, dtype\n"
    "  send_order, recv_order  axes joined by -, innermost first\n"
    "  engine                  an engine of the library, or a reference\n"
    "  min_s, median_s         seconds, over the rounds\n"
    "  gbps                    bytes that a rank receives per second of the median, 10^9/s\n"
    "  ratio_plain             median / median of mpi-subarray in the same rounds; not with --memory device\n"
    "  ratio_memcpy            median / median of memcpy, or of copy, in the same rounds\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 2 subx-perf-order --memory shared --csv order.csv && subx-perf-plot order.csv\n"
    "  mpirun -n 4 subx-perf-order --pairs table1a --engines shm,alltoallw --repeat 20\n";

static const struct sx_perf_program program = {"subx-perf-order", purpose, rest, "7", "--engines", options};

static void set_meaning(struct settings *s)
{
    int table = s->set == ORDER_TABLE1A || s->set == ORDER_TABLE1B;
    if (table && s->shape.ndims != 3)
        sx_perf_program_exit(MPI_SUCCESS, "--pairs: Yan's tables are for 3 axes, and --shape has %d",
                             s->shape.ndims);
    if (table && s->meaning == ORDER_STORAGE)
        sx_perf_program_exit(MPI_SUCCESS, "--orders storage: the orders of Yan's tables are traversals");
    if (s->meaning == ORDER_AUTO)
        s->meaning = table ? ORDER_TRAVERSAL : ORDER_STORAGE;
}

static void import_settings(struct job *job)
{
    const MPI_Datatype types[] = {MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_DOUBLE, MPI_FLOAT};
    struct settings *s = &job->settings;
    int bytes;
    job->ndims = s->shape.ndims;
    if (job->ndims < NDIMS_MIN || job->ndims > NDIMS_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--shape: %d axes, not 2 to 4", job->ndims);
    set_meaning(s);
    job->v = s->axis[0];
    job->w = s->axis[0] != s->axis[1] ? s->axis[1] : job->ndims - 1;
    if (job->v >= job->ndims || job->w >= job->ndims)
        sx_perf_program_exit(MPI_SUCCESS, "--axes %d,%d: not two of %d axes", job->v, job->w, job->ndims);
    job->element = types[s->dtype];
    MPI_Type_size(job->element, &bytes);
    job->subject.element_bytes = bytes;
}

/* ----------------------------------------------------------------------------------------- pairs */

/* Yan's table 1a has the pairs in which the sender's axis 2, along which the array is divided, becomes the
 * receiver's axis 0, whose elements are contiguous. */
static int is_in_table1a(const struct pair *pair)
{
    for (int i = 0; i < 3; i++)
        if (pair->send[i] == 2)
            return pair->recv[i] == 0;
    return 0;
}

static void add_all(struct job *job)
{
    int order[NDIMS_MAX], norders = sx_perf_orders_get(job->ndims, 0, order);
    for (int s = 0; s < norders; s++)
        for (int r = 0; r < norders; r++) {
            struct pair *pair = &job->pairs[job->npairs];
            sx_perf_orders_get(job->ndims, s, pair->send);
            sx_perf_orders_get(job->ndims, r, pair->recv);
            job->npairs += job->settings.set != ORDER_TABLE1A || is_in_table1a(pair);
        }
}

static void add_word(struct job *job, const char *word)
{
    struct pair *pair = &job->pairs[job->npairs++];
    int d = job->ndims;
    if (strlen(word) != 2 * (size_t)d + 1 || word[d] != ':' || !sx_perf_orders_parse(word, d, pair->send) ||
        !sx_perf_orders_parse(word + d + 1, d, pair->recv))
        sx_perf_program_exit(MPI_SUCCESS, "--pairs %.40s: not two orders of %d axes, as 021:102 has of three",
                             word, d);
}

static void create_pairs(struct job *job)
{
    const struct settings *s = &job->settings;
    if (s->set == ORDER_TABLE1B)
        add_word(job, "021:102");
    else if (s->set == ORDER_LIST)
        for (int i = 0; i < s->pairs.n; i++)
            add_word(job, s->pairs.name[i]);
    else
        add_all(job);
}

/* ------------------------------------------------------------------------------------- exchanges */

/* Set the storage orders of both sides. With orders of traversal, both local arrays are stored in Fortran
 * order. The sender's dimension i is the array's axis i. The receiver's dimension recv[i] is the array's
 * axis send[i]. */
static void set_order(const struct job *job, const struct pair *pair, struct sx_perf_box *send,
                      struct sx_perf_box *recv)
{
    for (int i = 0; i < job->ndims && pair; i++) {
        if (job->settings.meaning == ORDER_STORAGE) {
            send->order[i] = pair->send[i];
            recv->order[i] = pair->recv[i];
        } else {
            send->order[i] = i;
            recv->order[pair->recv[i]] = pair->send[i];
        }
    }
}

static void get_sides(const struct job *job, const struct pair *pair, struct sx_perf_box *send,
                      struct sx_perf_box *recv)
{
    sx_perf_pattern_set_box(&job->settings.shape, job->w, send);
    sx_perf_pattern_set_box(&job->settings.shape, job->v, recv);
    set_order(job, pair, send, recv);
}

/* Create the type of the block for or from rank q on one side: a portion of axis `cut`. */
static MPI_Datatype create_type(const struct job *job, const struct sx_perf_box *side, int cut, int q,
                                const int order[])
{
    MPI_Count sizes[NDIMS_MAX], subsizes[NDIMS_MAX], starts[NDIMS_MAX] = {0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int code;
    for (int t = 0; t < job->ndims; t++) {
        int a = side->order[t];
        ptrdiff_t len = side->len[a], start = 0;
        if (a == cut)
            subx_block_get(job->settings.shape.n[a], sx_perf_program_get_nranks(), q, &len, &start);
        sizes[t] = side->len[a];
        subsizes[t] = len;
        starts[t] = start;
    }
    code = subx_type_create_subarray_c(job->ndims, sizes, subsizes, starts, MPI_ORDER_FORTRAN, order,
                                       job->element, &type);
    if (code != MPI_SUCCESS)
        sx_perf_program_abort(code, "no subarray type");
    return type;
}

static int create_by_traversal(const struct job *job, MPI_Info hints, subx_exch *ex)
{
    int code, nranks = sx_perf_program_get_nranks();
    MPI_Datatype *type = sx_perf_memory_create_small(2 * (ptrdiff_t)nranks, sizeof *type);
    const struct sx_perf_box *side = job->subject.side;
    for (int q = 0; q < nranks; q++) {
        type[q] = create_type(job, &side[0], job->v, q, job->pair->send);
        type[nranks + q] = create_type(job, &side[1], job->w, q, job->pair->recv);
    }
    code = subx_exch_create(MPI_COMM_WORLD, type, type + nranks, hints, ex);
    for (int i = 0; i < 2 * nranks; i++)
        MPI_Type_free(&type[i]);
    free(type);
    return code;
}

static int create_exchange(const void *context, MPI_Info hints, subx_exch *ex)
{
    const struct job *job = context;
    if (job->settings.meaning == ORDER_TRAVERSAL)
        return create_by_traversal(job, hints, ex);
    return subx_exch_create_realign(MPI_COMM_WORLD, job->ndims, job->settings.shape.n, job->v, job->w,
                                    job->pair->send, job->pair->recv, job->element, hints, ex);
}

static void create_plain(const struct job *job, struct plain *plain)
{
    struct sx_perf_box side[2];
    *plain = (struct plain){
        .nranks = sx_perf_program_get_nranks(), .in = job->subject.in, .out = job->subject.out};
    get_sides(job, NULL, &side[0], &side[1]);
    plain->displ = sx_perf_memory_create_small(plain->nranks, sizeof *plain->displ);
    for (int i = 0; i < 2; i++) {
        plain->count[i] = sx_perf_memory_create_small(plain->nranks, sizeof *plain->count[i]);
        plain->type[i] = sx_perf_memory_create_small(plain->nranks, sizeof *plain->type[i]);
        sx_perf_types_create(job->ndims, side[i].len, i ? job->w : job->v, job->element, plain->nranks,
                             plain->count[i], plain->type[i]);
    }
}

static int execute_plain(void *plain)
{
    const struct plain *p = plain;
    return MPI_Alltoallw(p->in, p->count[0], p->displ, p->type[0], p->out, p->count[1], p->displ, p->type[1],
                         MPI_COMM_WORLD);
}

static void free_plain(struct plain *plain)
{
    for (int i = 0; i < 2; i++) {
        sx_perf_types_free(plain->nranks, plain->type[i]);
        free(plain->type[i]);
        free(plain->count[i]);
    }
    free(plain->displ);
}

/* ------------------------------------------------------------------------------------- measuring */

static void add_row(struct job *job, const struct sx_perf_candidates *c, int i)
{
    const struct sx_perf_case *k = &c->cases[i];
    char shape[SX_PERF_TEXT_MAX], mark[64];
    sx_perf_values_print_shape(&job->settings.shape, sizeof shape, shape);
    sx_perf_candidates_print_mark(c, i, sizeof mark, mark);
    const struct sx_perf_value values[] = {{sx_perf_machine_query_mpi(), 0},
                                           {NULL, sx_perf_program_get_nranks()},
                                           {shape, 0},
                                           {dtypes[job->settings.dtype], 0},
                                           {job->send, 0},
                                           {job->recv, 0},
                                           {c->name[i], 0},
                                           {NULL, k->min},
                                           {NULL, k->median},
                                           {NULL, job->most_bytes / k->median / 1e9},
                                           {NULL, k->median / c->cases[0].median},
                                           {NULL, k->median / c->cases[is_on_device(job) ? 0 : 1].median}};
    sx_perf_table_add(&job->table, values, mark);
}

static void add_ratio(const struct job *job, struct extremes *x, double ratio)
{
    if (x->count == 0 || ratio < x->least) {
        x->least = ratio;
        snprintf(x->at_least, sizeof x->at_least, "%s", job->subject.what);
    }
    if (x->count++ == 0 || ratio > x->most) {
        x->most = ratio;
        snprintf(x->at_most, sizeof x->at_most, "%s", job->subject.what);
    }
}

static void report(struct job *job, const struct sx_perf_candidates *c)
{
    const int best = sx_perf_candidates_get_best(c);
    for (int i = 0; i < c->n; i++) {
        if (c->engine[i] >= 0)
            add_ratio(job, &job->extremes[c->engine[i]], c->cases[i].median / c->cases[0].median);
        add_row(job, c, i);
    }
    if (best >= 0) {
        add_ratio(job, &job->best, c->cases[best].median / c->cases[0].median);
        job->extremes[c->engine[best]].wins++;
    }
}

static void measure(struct job *job, int which, struct plain *plain)
{
    struct sx_perf_candidates c = {.n = 0};
    struct sx_perf_subject *s = &job->subject;
    struct sx_perf_copy copy;
    sx_perf_time_create_copy(s->settings, s->out, s->in, job->recv_bytes, &copy);
    job->pair = &job->pairs[which];
    sx_perf_orders_print(job->ndims, job->pair->send, sizeof job->send, job->send);
    sx_perf_orders_print(job->ndims, job->pair->recv, sizeof job->recv, job->recv);
    snprintf(s->what, sizeof s->what, "%s to %s", job->send, job->recv);
    get_sides(job, job->pair, &s->side[0], &s->side[1]);
    sx_perf_progress_set(&job->progress, "pair %d of %d, %s", which + 1, job->npairs, s->what);
    /* On a device the only reference is a copy of the received bytes. */
    if (!is_on_device(job))
        sx_perf_candidates_add(&c, "mpi-subarray", execute_plain, plain, 0);
    sx_perf_candidates_add(&c, is_on_device(job) ? "copy" : "memcpy", sx_perf_time_copy, &copy,
                           !is_on_device(job));
    job->nwrong += sx_perf_candidates_add_engines(&c, s);
    sx_perf_time_execute(c.n, c.cases, s->settings->repeat, &job->progress);
    report(job, &c);
    sx_perf_candidates_free(&c);
    subx_copy_free(&copy.on_device);
}

/* --------------------------------------------------------------------------------------- notes */

static void add_note(struct job *job, const struct extremes *x, const char *name)
{
    if (x->count < job->npairs)
        sx_perf_table_add_note(&job->table,
                               "%s: left out on %d of %d pairs, which it cannot serve or got wrong", name,
                               job->npairs - x->count, job->npairs);
    if (x->count)
        sx_perf_table_add_note(&job->table, "%s: %.2f (%s) to %.2f (%s) times %s", name, x->least,
                               x->at_least, x->most, x->at_most, is_on_device(job) ? "copy" : "mpi-subarray");
}

static void add_notes(struct job *job)
{
    const struct sx_perf_names *engines = &job->settings.common.engines;
    for (int e = 0; e < engines->n; e++)
        add_note(job, &job->extremes[e], engines->name[e]);
    for (int e = 0; e < engines->n; e++)
        if (job->extremes[e].wins)
            sx_perf_table_add_note(&job->table, "%s: the fastest engine on %d of %d pairs", engines->name[e],
                                   job->extremes[e].wins, job->npairs);
    add_note(job, &job->best, "the best engine of each pair");
    if (job->nwrong)
        sx_perf_table_add_note(&job->table, "WRONG: %d exchanges", job->nwrong);
}

/* --------------------------------------------------------------------------------------- program */

/* On a device there is no column ratio_plain. */
static struct sx_perf_column columns[] = {{"mpi", 0, SX_PERF_TABLE_TEXT},
                                          {"ranks", 0, 0},
                                          {"shape", 0, SX_PERF_TABLE_TEXT},
                                          {"dtype", 0, SX_PERF_TABLE_TEXT},
                                          {"send_order", 10, SX_PERF_TABLE_TEXT},
                                          {"recv_order", 10, SX_PERF_TABLE_TEXT},
                                          {"engine", 12, SX_PERF_TABLE_TEXT},
                                          {"min_s", 12, 9},
                                          {"median_s", 12, 9},
                                          {"gbps", 8, 3},
                                          {"ratio_plain", 11, 3},
                                          {"ratio_memcpy", 12, 3}};
enum { NCOLUMNS = sizeof columns / sizeof *columns };

static void create_arrays(struct job *job)
{
    const struct sx_perf_settings *settings = &job->settings.common;
    struct sx_perf_subject *s = &job->subject;
    ptrdiff_t send_bytes, most;
    get_sides(job, NULL, &s->side[0], &s->side[1]);
    send_bytes = sx_perf_pattern_get_volume(&s->side[0]) * s->element_bytes;
    job->recv_bytes = sx_perf_pattern_get_volume(&s->side[1]) * s->element_bytes;
    job->most_bytes = (double)job->recv_bytes;
    MPI_Allreduce(MPI_IN_PLACE, &job->most_bytes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* Both arrays have the size of the larger one. memcpy, the reference, copies as many bytes from `in`
     * as an exchange receives. */
    most = send_bytes > job->recv_bytes ? send_bytes : job->recv_bytes;
    s->settings = settings;
    s->in = sx_perf_memory_create(settings, most);
    s->out = sx_perf_memory_create(settings, most);
    s->host = is_on_device(job) ? sx_perf_memory_create_small(most, 1) : NULL;
    s->create = create_exchange;
    s->context = job;
}

static void free_arrays(const struct job *job)
{
    free(job->subject.host);
    sx_perf_memory_free(&job->settings.common, job->subject.in);
    sx_perf_memory_free(&job->settings.common, job->subject.out);
}

static void start_table(struct job *job)
{
    const struct settings *s = &job->settings;
    char shape[SX_PERF_TEXT_MAX];
    sx_perf_values_print_shape(&s->shape, sizeof shape, shape);
    if (is_on_device(job))
        columns[NCOLUMNS - 2] = columns[NCOLUMNS - 1];
    sx_perf_table_create(&s->common, columns, NCOLUMNS - is_on_device(job), &job->table);
    sx_perf_table_set_head(&job->table, "shape", "%s", shape);
    sx_perf_table_set_head(&job->table, "dtype", "%s", dtypes[s->dtype]);
    sx_perf_table_set_head(&job->table, "axes", "%d to %d", job->v, job->w);
    sx_perf_table_set_head(&job->table, "orders", "%s orders, innermost axis first", meanings[s->meaning]);
    sx_perf_table_set_head(&job->table, "bytes_of_a_rank", "%.0f", job->most_bytes);
    sx_perf_table_start(&job->table);
}

static void run(struct job *job)
{
    struct plain plain;
    start_table(job);
    /* Before an engine is timed, its verification executes it once. So also execute the reference once
     * before it is timed. */
    if (!is_on_device(job)) {
        create_plain(job, &plain);
        execute_plain(&plain);
    }
    sx_perf_progress_start(&job->progress, &job->settings.common,
                           (ptrdiff_t)job->npairs * job->settings.common.repeat);
    for (int p = 0; p < job->npairs; p++)
        measure(job, p, &plain);
    sx_perf_progress_finish(&job->progress);
    add_notes(job);
    sx_perf_table_finish(&job->table);
    if (!is_on_device(job))
        free_plain(&plain);
}

int main(int argc, char *argv[])
{
    static struct job job;
    sx_perf_program_start(&program, argc, argv, &job.settings.common, sizeof job.settings);
    import_settings(&job);
    create_pairs(&job);
    create_arrays(&job);
    run(&job);
    free_arrays(&job);
    return sx_perf_program_finish(job.nwrong ? SX_PERF_WRONG : SX_PERF_OK);
}
