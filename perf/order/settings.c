/* settings.c - the options of subx-perf-order. */
#include "order/order.h"

#include <string.h>

static const char *const dtypes[] = {"complex128", "complex64", "float64", "float32", NULL};
static const char *const meanings[] = {"auto", "storage", "traversal", NULL};

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
    if (sscanf(text, "%2d,%2d%n", &axis[0], &axis[1], &used) != 2 || text[used] || axis[0] < 0 ||
        axis[1] < 0 || axis[0] == axis[1])
        return sx_perf_options_refuse("not two axes such as 0,2");
    return 0;
}

#define AT(member) offsetof(struct sx_perf_order_settings, member)

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

const struct sx_perf_program sx_perf_order_program = {"subx-perf-order", purpose, rest, "7",
                                                      "--engines",       options};

const char *sx_perf_order_settings_query_dtype(const struct sx_perf_order_settings *settings)
{
    return dtypes[settings->dtype];
}

const char *sx_perf_order_settings_query_meaning(const struct sx_perf_order_settings *settings)
{
    return meanings[settings->meaning];
}

static void set_meaning(struct sx_perf_order_settings *s)
{
    int table = s->set == SX_PERF_ORDER_TABLE1A || s->set == SX_PERF_ORDER_TABLE1B;
    if (table && s->shape.ndims != 3)
        sx_perf_program_exit(MPI_SUCCESS, "--pairs: Yan's tables are for 3 axes, and --shape has %d",
                             s->shape.ndims);
    if (table && s->meaning == SX_PERF_ORDER_STORAGE)
        sx_perf_program_exit(MPI_SUCCESS, "--orders storage: the orders of Yan's tables are traversals");
    if (s->meaning == SX_PERF_ORDER_AUTO)
        s->meaning = table ? SX_PERF_ORDER_TRAVERSAL : SX_PERF_ORDER_STORAGE;
}

static void set_axes(struct sx_perf_order_job *job)
{
    const struct sx_perf_order_settings *s = &job->settings;
    const int is_given = s->axis[0] != s->axis[1];
    job->v = s->axis[0];
    job->w = is_given ? s->axis[1] : job->ndims - 1;
    if (job->v >= job->ndims || job->w >= job->ndims)
        sx_perf_program_exit(MPI_SUCCESS, "--axes %d,%d: not two of %d axes", job->v, job->w, job->ndims);
}

static void set_element(struct sx_perf_order_job *job)
{
    const MPI_Datatype types[] = {MPI_C_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_DOUBLE, MPI_FLOAT};
    int bytes;
    job->element = types[job->settings.dtype];
    MPI_Type_size(job->element, &bytes);
    job->element_bytes = bytes;
}

void sx_perf_order_settings_import(struct sx_perf_order_job *job)
{
    struct sx_perf_order_settings *s = &job->settings;
    job->ndims = s->shape.ndims;
    if (job->ndims < SX_PERF_ORDER_NDIMS_MIN || job->ndims > SX_PERF_ORDER_NDIMS_MAX)
        sx_perf_program_exit(MPI_SUCCESS, "--shape: %d axes, not 2 to 4", job->ndims);
    set_meaning(s);
    set_axes(job);
    set_element(job);
}
