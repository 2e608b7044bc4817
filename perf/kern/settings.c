/* settings.c - the options of subx-perf-kern. */
#include "kern/kern.h"

#include <string.h>

ptrdiff_t sx_perf_kern_settings_get_bytes(int i)
{
    return (ptrdiff_t)4 << i;
}

static const char *const sizes[SX_PERF_KERN_NSIZES + 1] = {"4", "8", "16", "32"};

#define AT(member) offsetof(struct sx_perf_kern_settings, member)

static const struct sx_perf_option options[] = {
    {"--shapes", "S,..", "256x256x256,4096x1024x4,4096x4x1024,4x4096x1024,64x64x64x64,512x4x512x16",
     "arrays, such as 256x256x256,64x64x64x64 (default: see below)", sx_perf_values_parse_shapes, NULL,
     AT(shapes)},
    {"--orders", "O,..", NULL,
     "orders such as 012,0123, innermost first; each is for shapes of its length (default: all)",
     sx_perf_values_parse_names, NULL, AT(orders)},
    {"--bytes", "B,..", "all", "of an element", NULL, sizes, AT(bytes)},
    {.name = NULL}};

static const char purpose[] =
    "Time copies that read an array in C order and write it in another order of its axes, on one process or several.\n";

static const char rest[] =
    "Libraries:\n"
    "  subx    subx_type_pack of a type of the whole array, which subx_type_create_subarray makes with the order\n"
    "  fftw3   a rank-0 guru plan of FFTW with FFTW_MEASURE, for elements of 8, 16 and 32 bytes\n"
    "  memcpy  the reference: as many bytes\n"
    "subx-perf-kern-numpy adds rows of NumPy's copies.\n"
    "\n"
    "Each copy is verified element by element, and left out if it is wrong on any rank. Then all are timed alternately. A\n"
    "timing lasts until all ranks are done. A copy that takes less than 100 microseconds is executed several times per\n"
    "timing. The default shapes are cubes and slivers: 256x256x256,4096x1024x4,4096x4x1024,4x4096x1024,64x64x64x64,\n"
    "512x4x512x16.\n"
    "\n"
    "Columns:\n"
    "  shape\n"
    "  order            axes of the result joined by -, innermost first\n"
    "  bytes            bytes per element\n"
    "  library          as above\n"
    "  min_s, median_s  seconds per execution, over the rounds\n"
    "  gbps             bytes of the array per second of the median, 10^9/s\n"
    "  ratio_memcpy     median / median of memcpy in the same rounds\n"
    "\n"
    "Example:\n"
    "  subx-perf-kern --shapes 256x256x256 --bytes 16 --csv kern.csv && subx-perf-plot kern.csv\n";

const struct sx_perf_program sx_perf_kern_program = {"subx-perf-kern", purpose, rest, "5", NULL, options};

static int is_order_of(const char *text, int ndims, int order[])
{
    return strlen(text) == (size_t)ndims && sx_perf_orders_parse(text, ndims, order);
}

int sx_perf_kern_settings_query_order(const struct sx_perf_kern_settings *settings, int ndims,
                                      const int order[])
{
    int wanted[SX_PERF_KERN_NDIMS_MAX];
    for (int i = 0; i < settings->orders.n; i++)
        if (is_order_of(settings->orders.name[i], ndims, wanted) &&
            memcmp(order, wanted, (size_t)ndims * sizeof *order) == 0)
            return 1;
    return settings->orders.n == 0;
}

static void check_order(const char *text)
{
    int order[SX_PERF_KERN_NDIMS_MAX], ndims = (int)strlen(text);
    if (ndims > SX_PERF_KERN_NDIMS_MAX || !is_order_of(text, ndims, order))
        sx_perf_program_exit(MPI_SUCCESS, "--orders %.40s: not the axes of an array such as 021", text);
}

void sx_perf_kern_settings_import(const struct sx_perf_kern_settings *settings)
{
    for (int i = 0; i < settings->shapes.n; i++)
        if (settings->shapes.shape[i].ndims > SX_PERF_KERN_NDIMS_MAX)
            sx_perf_program_exit(MPI_SUCCESS, "--shapes: more than %d axes", SX_PERF_KERN_NDIMS_MAX);
    for (int i = 0; i < settings->orders.n; i++)
        check_order(settings->orders.name[i]);
}
