/* 14_overlap.c - a rank computes the next field while the previous field travels.
 *
 * The program computes several fields, one after the other. Each field is computed in slabs of x, and is
 * needed in slabs of y, with x contiguous. There are two send buffers: while an exchange reads one of them,
 * the rank writes the next field into the other one. After each plane it lets the exchange make progress.
 *
 * mpicc 14_overlap.c $(pkg-config --cflags --libs subx) -o 14_overlap
 * mpirun -n 4 ./14_overlap
 *
 * It runs on any number of ranks; make check takes these ranks: 1 3
 */
#include <stdio.h>
#include <subx.h>

enum { NX = 12, NY = 10, NZ = 6, FIELDS = 4 };

/* CHECK ends the program if a function of the library returns an error code. MPI's own functions do this by
 * themselves. */
#define CHECK(call) check(call, #call)

static void check(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &len);
    fprintf(stderr, "%s: %s\n", call, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The right value of an element of a field. */
static double get_value(int field, ptrdiff_t x, ptrdiff_t y, ptrdiff_t z)
{
    return (double)(field + FIELDS * (x + NX * (y + NY * z)));
}

/* Allocate memory that the ranks of a node share: an exchange reads such memory in place. Other memory would
 * work, too. */
static double *allocate(ptrdiff_t n)
{
    void *memory;

    CHECK(subx_mem_alloc(MPI_COMM_WORLD, n * (ptrdiff_t)sizeof(double), MPI_INFO_NULL, &memory));
    return memory;
}

/* Create the exchange from slabs of x, stored as a[x][y][z], to slabs of y, stored as b[y][z][x]. */
static subx_exch create_exchange(void)
{
    static const ptrdiff_t sizes[3] = {NX, NY, NZ};
    static const int order[3] = {0, 2, 1}; /* innermost first: x, z, y */
    subx_exch exch;

    CHECK(subx_exch_create_realign(MPI_COMM_WORLD, 3, sizes, 1, 0, NULL, order, MPI_DOUBLE, MPI_INFO_NULL,
                                   &exch));
    return exch;
}

/* -------------------------------------------------------------------------- the choices of the library */

static void print_info(const char *what, MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int n, is_set;

    printf("%s:", what);
    MPI_Info_get_nkeys(info, &n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &is_set);
        printf(" %s=%s", key, value);
    }
    printf("\n");
}

static void print_choices(subx_exch exch, const double *memory)
{
    const char *name = "";
    ptrdiff_t sent, received, work;
    MPI_Info info;

    printf("engines:");
    for (int i = 0; name; i++) {
        CHECK(subx_exch_query_engine(i, &name));
        printf(" %s", name ? name : "\n");
    }
    CHECK(subx_exch_get(exch, &name, &sent, &received, &work));
    printf("engine %s sends %td bytes and receives %td in each exchange, with %td bytes of work space\n",
           name, sent, received, work);
    CHECK(subx_exch_get_info(exch, &info));
    print_info("hints in effect", info);
    MPI_Info_free(&info);
    CHECK(subx_mem_get_info(memory, &info));
    print_info("memory", info);
    MPI_Info_free(&info);
}

/* ----------------------------------------------------------------------------------------- the fields */

/* Compute this rank's slab of a field, while an exchange may be in flight. */
static void compute(int field, ptrdiff_t start, ptrdiff_t len, double *a, subx_exch in_flight)
{
    int is_done = in_flight == SUBX_EXCH_NULL;

    for (ptrdiff_t x = start; x < start + len; x++) {
        for (ptrdiff_t y = 0; y < NY; y++)
            for (ptrdiff_t z = 0; z < NZ; z++)
                *a++ = get_value(field, x, y, z);
        if (!is_done) /* messages often make no progress outside MPI */
            CHECK(subx_exch_test(in_flight, &is_done));
    }
}

static int count_wrong(int field, ptrdiff_t start, ptrdiff_t len, const double *b)
{
    int wrong = 0;

    for (ptrdiff_t y = start; y < start + len; y++)
        for (ptrdiff_t z = 0; z < NZ; z++)
            for (ptrdiff_t x = 0; x < NX; x++)
                wrong += *b++ != get_value(field, x, y, z);
    return wrong;
}

int main(int argc, char **argv)
{
    ptrdiff_t start[2], len[2];
    int nranks, rank, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(subx_block_get(NX, nranks, rank, &len[0], &start[0]));
    CHECK(subx_block_get(NY, nranks, rank, &len[1], &start[1]));
    double *a[2] = {allocate(len[0] * NY * NZ), allocate(len[0] * NY * NZ)}, *b = allocate(len[1] * NZ * NX);
    subx_exch exch = create_exchange();
    if (rank == 0)
        print_choices(exch, a[0]);

    compute(0, start[0], len[0], a[0], SUBX_EXCH_NULL);
    for (int field = 0; field < FIELDS; field++) {
        CHECK(subx_exch_start(exch, a[field % 2], b)); /* touch neither array until wait returns */
        if (field + 1 < FIELDS)
            compute(field + 1, start[0], len[0], a[(field + 1) % 2], exch);
        CHECK(subx_exch_wait(exch));
        wrong += count_wrong(field, start[1], len[1], b);
    }

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d fields: %d elements are wrong\n", FIELDS, wrong);
    CHECK(subx_exch_free(&exch));
    void *memory[3] = {a[0], a[1], b};
    for (int i = 0; i < 3; i++)
        CHECK(subx_mem_free(&memory[i]));
    MPI_Finalize();
    return wrong != 0;
}
