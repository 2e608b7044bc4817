/* fileview.c - which types may be file views: their displacements never decrease, are never negative, and no
 * byte occurs twice. */
#include "common/traversal.h"
#include "common/unit.h"

/* Checks the answer for `type`, then frees the type. */
static void check(MPI_Datatype type, int expected, const char *what)
{
    int ok = -1;
    ck_assert_ok(subx_type_query_fileview(type, &ok));
    ck_assert_msg(ok == expected, "%s", what);
    MPI_Type_free(&type);
}

static MPI_Datatype create_hvector(int n, int block, MPI_Aint stride)
{
    MPI_Datatype t;
    MPI_Type_create_hvector(n, block, stride, MPI_INT, &t);
    return t;
}

TEST(vectors)
{
    check(create_hvector(1, 7, 0), 1, "contiguous");
    check(create_hvector(3, 2, 8), 1, "blocks that touch");
    check(create_hvector(3, 2, 20), 1, "blocks with gaps");
    check(create_hvector(3, 2, 4), 0, "blocks that overlap");
    check(create_hvector(3, 1, 0), 0, "the same place thrice");
    check(create_hvector(3, 1, 3), 0, "places that overlap by a byte");
    check(create_hvector(3, 1, -8), 0, "backwards");
    check(create_hvector(0, 1, -8), 1, "nothing");
}

static MPI_Datatype create_hindexed(int n, const MPI_Aint at[])
{
    MPI_Datatype t;
    MPI_Type_create_hindexed_block(n, 1, at, MPI_INT, &t);
    return t;
}

TEST(lists_of_places)
{
    check(create_hindexed(3, (MPI_Aint[]){0, 4, 100}), 1, "forwards");
    check(create_hindexed(3, (MPI_Aint[]){0, 100, 4}), 0, "back again");
    check(create_hindexed(3, (MPI_Aint[]){-4, 0, 4}), 0, "before the start");
    check(create_hindexed(3, (MPI_Aint[]){0, 8, 10}), 0, "overlapping");
    check(create_hindexed(1, (MPI_Aint[]){-1}), 0, "one place before the start");
}

TEST(extents_that_overlap)
{
    MPI_Datatype pair, shorter, two;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4, &shorter);
    MPI_Type_contiguous(2, shorter, &two);
    MPI_Type_free(&pair);
    MPI_Type_free(&shorter);
    check(two, 0, "elements closer than they are long");
}

TEST(interleaved_combs_go_backwards)
{
    MPI_Datatype comb, two;
    MPI_Type_create_hvector(3, 1, 20, MPI_INT, &comb);
    MPI_Type_create_hvector(2, 1, 8, comb, &two);
    MPI_Type_free(&comb);
    check(two, 0, "interleaved");
}

TEST(structs)
{
    const int one[] = {1, 2};
    const MPI_Aint forwards[] = {0, 8}, backwards[] = {16, 0};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE}, t;
    MPI_Type_create_struct(2, one, forwards, parts, &t);
    check(t, 1, "members in order");
    MPI_Type_create_struct(2, one, backwards, parts, &t);
    check(t, 0, "members out of order");
}

static MPI_Datatype create_darray(int distribution, MPI_Datatype old)
{
    const int size = 8, dims = 2, argument = MPI_DISTRIBUTE_DFLT_DARG;
    MPI_Datatype t;
    MPI_Type_create_darray(2, 0, 1, &size, &distribution, &argument, &dims, MPI_ORDER_C, old, &t);
    return t;
}

TEST(block_cyclic_arrays)
{
    const int one[] = {1, 1};
    const MPI_Aint apart[] = {0, 28}, inside[] = {0, 8};
    MPI_Datatype parts[] = {create_darray(MPI_DISTRIBUTE_CYCLIC, MPI_INT), MPI_INT}, t, narrow;
    MPI_Type_create_struct(2, one, apart, parts, &t);
    check(t, 1, "behind the last element of a darray");
    MPI_Type_create_struct(2, one, inside, parts, &t);
    check(t, 0, "between the elements of a darray");
    check(parts[0], 1, "a darray");
    MPI_Type_create_resized(MPI_DOUBLE, 0, 4, &narrow);
    check(create_darray(MPI_DISTRIBUTE_BLOCK, narrow), 0, "a darray of overlapping elements");
    MPI_Type_free(&narrow);
}

/* A subarray may be a file view exactly if the offsets of its elements never decrease in the order of the
 * traversal. The test checks this element by element. */
TEST(subarrays_of_any_order)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    int seen[2] = {0, 0};
    for (int k = 0; k < 500; k++) {
        test_block b = test_block_random(&r, 4, 4, 1);
        MPI_Datatype t;
        int forwards = 1;
        for (ptrdiff_t i = 1; i < test_block_count(&b); i++)
            forwards &= test_block_index(&b, i) > test_block_index(&b, i - 1);
        seen[forwards]++;
        ck_assert_ok(test_block_type(&b, MPI_INT, &t));
        check(t, forwards, "a random subarray");
    }
    ck_assert(seen[0] > 50 && seen[1] > 50);
}

TEST(bad_arguments)
{
    int ok = 77;
    ck_assert_kind(subx_type_query_fileview(MPI_DATATYPE_NULL, &ok), SUBX_ERR_TYPE);
    ck_assert_int_ne(subx_type_query_fileview(MPI_INT, NULL), MPI_SUCCESS);
    ck_assert_int_eq(ok, 77);
    ck_assert_ok(subx_type_query_fileview(MPI_DOUBLE, &ok));
    ck_assert_int_eq(ok, 1);
}
