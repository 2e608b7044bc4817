/* settings.c - the options of subx-perf-order. */
#include "order/order.h"

#include <string.h>

static const struct {
    const char *name;
    ptrdiff_t bytes;
} dtypes[] = {{"complex128", 16}, {"complex64", 8}, {"float64", 8}, {"float32", 4}};

enum { NDTYPES = sizeof dtypes / sizeof *dtypes };

static MPI_Datatype get_type(int dtype)
{
    const MPI_Datatype types[NDTYPES] = {MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_DOUBLE, MPI_FLOAT};
    return types[dtype];
}

static int parse_dtype(const char *text, void *target)
{
    for (int i = 0; i < NDTYPES; i++)
        if (strcmp(text, dtypes[i].name) == 0) {
            *(int *)target = i;
            return 0;
        }
    return sx_perf_options_refuse("neither complex128 nor complex64 nor float64 nor float32");
}

static int parse_meaning(const char *text, void *target)
{
    int meaning = SX_PERF_ORDER_UNSET;
    if (strcmp(text, "storage") == 0)
        meaning = SX_PERF_ORDER_STORAGE;
    else if (strcmp(text, "traversal") == 0)
        meaning = SX_PERF_ORDER_TRAVERSAL;
    else
        return sx_perf_options_refuse("neither storage nor traversal");
    *(int *)target = meaning;
    return 0;
}

static int parse_pairs(const char *text, void *target)
{
    static const char *const sets[] = {"all", "table1a", "table1b"};
    struct sx_perf_order_settings *settings = target;
    settings->set = SX_PERF_ORDER_LIST;
    for (int i = SX_PERF_ORDER_ALL; i < SX_PERF_ORDER_LIST; i++)
        if (strcmp(text, sets[i]) == 0)
            settings->set = i;
    return settings->set == SX_PERF_ORDER_LIST ? sx_perf_values_parse_names(text, &settings->pairs) : 0;
}

static int parse_axes(const char *text, void *target)
{
    int *axis = target, used = 0;
    if (sscanf(text, "%2d,%2d%n", &axis[0], &axis[1], &used) != 2 || text[used] || axis[0] < 0 || axis[1] < 0)
        return sx_perf_options_refuse("not two axes such as 0,2");
    return 0;
}

#define AT(member) offsetof(struct sx_perf_order_settings, member)

static const struct sx_perf_option options[] = {
    {"--shape", "NxNxN", "lengths of the whole array, 2 to 4 of them (default 256x256x256)",
     sx_perf_values_parse_shape, AT(shape)},
    {"--dtype", "T", "complex128 (default), complex64, float64, float32", parse_dtype, AT(dtype)},
    {"--pairs", "P", "all (default); table1a or table1b, Yan's; or a list such as 021:102,012:210",
     parse_pairs, 0},
    {"--orders", "M", "meaning of an order: storage (default) or traversal (default for table1a and table1b)",
     parse_meaning, AT(meaning)},
    {"--engines", "E,..", "engines' names, auto among them, or all (default)", sx_perf_values_parse_engines,
     AT(engines)},
    {"--axes", "V,W",
     "the axis that is whole before, and the axis that is whole after (default: first, last)", parse_axes,
     AT(axis)},
    {NULL, NULL, NULL, NULL, 0}};

static const char purpose[] =
    "Time the exchange that realigns a distributed array from one axis to another, for pairs of storage orders (the\n"
    "sender's and the receiver's), by every engine.\n";

static const char rest[] =
    "The exchange of each engine is verified element by element. Then all are timed alternately, together with two\n"
    "references. mpi-subarray is MPI_Alltoallw with MPI_Type_create_subarray's own types, both arrays in C order. memcpy\n"
    "copies the bytes that a rank receives, on all ranks at once. A timing begins with a barrier and ends with the slowest\n"
    "rank.\n"
    "\n"
    "Columns:\n"
    "  mpi, ranks, shape, dtype\n"
    "  send_order, recv_order  axes joined by -, innermost first\n"
    "  engine                  an engine of the library, or a reference\n"
    "  min_s, median_s         seconds, over the rounds\n"
    "  gbps                    bytes that a rank receives per second of the median, 10^9/s\n"
    "  ratio_plain             median / median of mpi-subarray in the same rounds\n"
    "  ratio_memcpy            median / median of memcpy in the same rounds\n"
    "\n"
    "Examples:\n"
    "  mpirun -n 2 subx-perf-order --memory shared --csv order.csv && subx-perf-plot order.csv\n"
    "  mpirun -n 4 subx-perf-order --pairs table1a --engines shm,alltoallw --repeat 20\n";

const struct sx_perf_program sx_perf_order_program = {"subx-perf-order", purpose, rest, options};

void sx_perf_order_settings_set_defaults(struct sx_perf_order_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->common.repeat = 7;
    settings->axis[0] = -1;
    sx_perf_values_parse_shape("256x256x256", &settings->shape);
    sx_perf_values_parse_engines("all", &settings->engines);
}

const char *sx_perf_order_settings_query_dtype(const struct sx_perf_order_settings *settings)
{
    return dtypes[settings->dtype].name;
}

const char *sx_perf_order_settings_query_meaning(const struct sx_perf_order_settings *settings)
{
    return settings->meaning == SX_PERF_ORDER_STORAGE ? "storage" : "traversal";
}

static void set_meaning(struct sx_perf_order_settings *s)
{
    int table = s->set == SX_PERF_ORDER_TABLE1A || s->set == SX_PERF_ORDER_TABLE1B;
    if (table && s->shape.ndims != 3)
        sx_perf_program_exit(MPI_SUCCESS, "--pairs: Yan's tables are for 3 axes, and --shape has %d",
                             s->shape.ndims);
    if (table && s->meaning == SX_PERF_ORDER_STORAGE)
        sx_perf_program_exit(MPI_SUCCESS, "--orders storage: the orders of Yan's tables are traversals");
    if (s->meaning == SX_PERF_ORDER_UNSET)
        s->meaning = table ? SX_PERF_ORDER_TRAVERSAL : SX_PERF_ORDER_STORAGE;
}

static void set_axes(struct sx_perf_order_job *job)
{
    const struct sx_perf_order_settings *s = &job->settings;
    job->v = s->axis[0] < 0 ? 0 : s->axis[0];
    job->w = s->axis[0] < 0 ? job->ndims - 1 : s->axis[1];
    if (job->v == job->w || job->v >= job->ndims || job->w >= job->ndims)
        sx_perf_program_exit(MPI_SUCCESS, "--axes %d,%d: not two different axes of %d", job->v, job->w,
                             job->ndims);
}

void sx_perf_order_settings_import(struct sx_perf_order_job *job)
{
    struct sx_perf_order_settings *s = &job->settings;
    job->ndims = s->shape.ndims;
    if (job->ndims < SX_PERF_ORDER_NDIMS_MIN || job->ndims > SX_PERF_ORDER_NDIMS_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--shape: %d axes, not 2 to 4", job->ndims);
    set_meaning(s);
    set_axes(job);
    job->element = get_type(s->dtype);
    job->element_bytes = dtypes[s->dtype].bytes;
}
