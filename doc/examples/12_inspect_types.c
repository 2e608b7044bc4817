/* 12_inspect_types.c - asks a datatype who made it, where its bytes lie, which types match it, and how it is
 * packed.
 *
 * The sender and the receiver of 01_reorder_in_flight have two types. MPI does not notice if they do not
 * belong together, because the number and the kind of their elements are the same. A program can inspect the
 * types before it sends.
 *
 * mpicc 12_inspect_types.c $(pkg-config --cflags --libs subx) -o 12_inspect_types
 * ./12_inspect_types
 *
 * It sends nothing; make check takes these ranks: 1
 */
#include <stdio.h>
#include <string.h>
#include <subx.h>

enum { NX = 4, NY = 3, NZ = 2 };

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

static int wrong;

static void expect(int condition, const char *what)
{
    if (!condition)
        printf("wrong: %s\n", what);
    wrong += !condition;
}

/* Create the type of a block: all x, y from 1 on, all z. The type traverses the block in a given order
 * (innermost axis first). Lengths of MPI_Count may exceed 2^31. */
static MPI_Datatype create_block(const int order[3], MPI_Datatype element)
{
    const MPI_Count sizes[3] = {NX, NY, NZ}, subsizes[3] = {NX, NY - 1, NZ}, starts[3] = {0, 1, 0};
    MPI_Datatype type;

    CHECK(subx_type_create_subarray_c(3, sizes, subsizes, starts, MPI_ORDER_C, order, element, &type));
    MPI_Type_commit(&type);
    return type;
}

static void print(const char *name, MPI_Datatype type)
{
    char text[512];

    CHECK(subx_type_print(type, sizeof text, text, NULL));
    printf("%s: %s\n", name, text);
}

/* Get the arguments with which a type was created. */
static void check_origin(MPI_Datatype type, const int wanted[3])
{
    MPI_Count sizes[3], subsizes[3], starts[3];
    MPI_Datatype element;
    int ndims, storage, order[3];

    CHECK(subx_type_get_subarray(type, 3, &ndims, sizes, subsizes, starts, &storage, order, &element));
    expect(ndims == 3 && sizes[0] == NX && subsizes[1] == NY - 1 && starts[1] == 1, "lengths and starts");
    expect(storage == MPI_ORDER_C && memcmp(order, wanted, sizeof order) == 0, "storage and order");
    expect(element == MPI_INT, "the element"); /* a derived type would have to be freed */
}

/* Get the loops that visit the bytes of a type: `block` bytes at a time, the innermost loop first. */
static void check_layout(MPI_Datatype type)
{
    MPI_Count n[SUBX_NDIMS_MAX], block;
    MPI_Aint stride[SUBX_NDIMS_MAX], offset;
    int nlevels;

    CHECK(subx_type_get_layout(type, SUBX_NDIMS_MAX, &nlevels, n, stride, &block, &offset));
    printf("%d bytes at a time, from byte %ld on:", (int)block, (long)offset);
    for (int i = 0; i < nlevels; i++)
        printf(" %d times every %ld bytes", (int)n[i], (long)stride[i]);
    printf("\n");
    expect(block == sizeof(int) && offset == NZ * sizeof(int), "the first byte");
}

/* Types with the same sequence of basic types may be sent to each other, whatever their order in memory. */
static void check_matches(MPI_Datatype a, MPI_Datatype b, MPI_Datatype other)
{
    MPI_Count first = -1;
    MPI_Datatype basic_a, basic_b;
    int match, ok;

    CHECK(subx_type_query_match(a, b, &match, NULL, NULL, NULL));
    expect(match, "types of two orders match");
    CHECK(subx_type_query_match(a, other, &match, &first, &basic_a, &basic_b));
    expect(!match && first == 0 && basic_a == MPI_INT && basic_b == MPI_FLOAT, "int and float do not match");

    /* The displacements of a filetype must ascend, so a block in another order is no filetype. */
    CHECK(subx_type_query_fileview(a, &ok));
    expect(!ok, "a block in another order is no filetype");
}

/* Pack in one order, and unpack in another one: x takes the place of z, and so on. Another rank could unpack,
 * too. */
static void check_packing(MPI_Datatype a, MPI_Datatype b)
{
    int from[NX][NY][NZ], packed[NX * NY * NZ], to[NX][NY][NZ];
    MPI_Count position = 0, length;

    memset(to, 0, sizeof to);
    for (int x = 0; x < NX; x++)
        for (int y = 0; y < NY; y++)
            for (int z = 0; z < NZ; z++)
                from[x][y][z] = 100 * x + 10 * y + z;
    CHECK(subx_type_pack(from, 1, a, packed, sizeof packed, &position));
    length = position;
    expect(length == NX * (NY - 1) * NZ * (MPI_Count)sizeof(int), "the packed length");
    expect(packed[0] == 10 && packed[1] == 110, "x is fastest in the packed data");
    position = 0;
    CHECK(subx_type_unpack(packed, length, &position, to, 1, a));
    expect(memcmp(&from[2][1], &to[2][1], 2 * sizeof to[2][1]) == 0, "what is unpacked by the same type");
    position = 0;
    CHECK(subx_type_unpack(packed, length, &position, to, 1, b));
    expect(to[0][1][1] == 110, "what is unpacked by the other type: x goes to z");
}

int main(int argc, char **argv)
{
    static const int x_first[3] = {0, 2, 1}, z_first[3] = {2, 0, 1};

    MPI_Init(&argc, &argv);
    MPI_Datatype a = create_block(x_first, MPI_INT), b = create_block(z_first, MPI_INT),
                 other = create_block(x_first, MPI_FLOAT);

    print("x fastest, then z, then y", a);
    print("z fastest, then x, then y", b);
    check_origin(a, x_first);
    check_layout(a);
    check_matches(a, b, other);
    check_packing(a, b);
    printf("%d answers are wrong\n", wrong);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Type_free(&other);
    MPI_Finalize();
    return wrong != 0;
}
