/* match.c - which types have the same signature (sequence of predefined types), and where two signatures
 * first differ. */
#include "common/traversal.h"
#include "common/unit.h"

/* Compare two types, in both orders of the arguments. Expects the first difference at `first`, and there the
 * predefined types at_a and at_b. */
static void check(MPI_Datatype a, MPI_Datatype b, MPI_Count first, MPI_Datatype at_a, MPI_Datatype at_b)
{
    int match = -1;
    MPI_Count where = -1;
    MPI_Datatype ta = MPI_DATATYPE_NULL, tb = MPI_DATATYPE_NULL;
    ck_assert_ok(subx_type_query_match(a, b, &match, &where, &ta, &tb));
    ck_assert_int_eq(match, 0);
    ck_assert_int_eq(where, first);
    ck_assert(ta == at_a && tb == at_b);
    ck_assert_ok(subx_type_query_match(b, a, &match, &where, &ta, &tb));
    ck_assert_int_eq(match, 0);
    ck_assert_int_eq(where, first);
    ck_assert(ta == at_b && tb == at_a);
}

static void check_equal(MPI_Datatype a, MPI_Datatype b)
{
    int match = -1;
    ck_assert_ok(subx_type_query_match(a, b, &match, NULL, NULL, NULL));
    ck_assert_int_eq(match, 1);
    ck_assert_ok(subx_type_query_match(b, a, &match, NULL, NULL, NULL));
    ck_assert_int_eq(match, 1);
}

TEST(layouts_do_not_matter)
{
    MPI_Datatype a, b, c;
    MPI_Type_contiguous(6, MPI_INT, &a);
    MPI_Type_vector(3, 2, 5, MPI_INT, &b);
    MPI_Type_create_resized(b, -4, 100, &c);
    check_equal(a, b);
    check_equal(a, c);
    check_equal(a, a);
    check_equal(MPI_INT, MPI_INT);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Type_free(&c);
}

TEST(orders_do_not_matter)
{
    test_block b = {3, MPI_ORDER_C, {5, 6, 7}, {2, 3, 4}, {1, 1, 1}, {0, 1, 2}};
    MPI_Datatype t[6];
    for (int k = 0; k < 6; k++) {
        test_permutation(3, k, b.order);
        ck_assert_ok(test_block_type(&b, MPI_DOUBLE, &t[k]));
        check_equal(t[k], t[0]);
    }
    for (int k = 0; k < 6; k++)
        MPI_Type_free(&t[k]);
}

TEST(lengths_matter)
{
    MPI_Datatype five, six, none;
    MPI_Type_contiguous(5, MPI_INT, &five);
    MPI_Type_contiguous(6, MPI_INT, &six);
    MPI_Type_contiguous(0, MPI_INT, &none);
    check(five, six, 5, MPI_DATATYPE_NULL, MPI_INT);
    check(none, MPI_INT, 0, MPI_DATATYPE_NULL, MPI_INT);
    check_equal(none, none);
    MPI_Type_free(&five);
    MPI_Type_free(&six);
    MPI_Type_free(&none);
}

TEST(basic_types_matter_not_their_sizes)
{
    check(MPI_INT, MPI_FLOAT, 0, MPI_INT, MPI_FLOAT);
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_DOUBLE, &two);
    check(two, MPI_C_DOUBLE_COMPLEX, 0, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX);
    MPI_Type_free(&two);
}

static MPI_Datatype create_struct(int n, const int lengths[], MPI_Datatype types[])
{
    MPI_Aint at[8];
    MPI_Datatype t;
    for (int i = 0; i < n; i++)
        at[i] = 100 * (n - i);
    MPI_Type_create_struct(n, lengths, at, types, &t);
    return t;
}

TEST(structs_differ_where_they_differ)
{
    const int la[] = {2, 3, 1}, lb[] = {2, 3}, lc[] = {2, 2, 1, 1};
    MPI_Datatype a = create_struct(3, la, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR});
    MPI_Datatype b = create_struct(2, lb, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE});
    MPI_Datatype c = create_struct(4, lc, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_FLOAT, MPI_CHAR});
    MPI_Datatype d = create_struct(4, lc, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_DOUBLE, MPI_CHAR});
    check(a, b, 5, MPI_CHAR, MPI_DATATYPE_NULL);
    check(a, c, 4, MPI_DOUBLE, MPI_FLOAT);
    check_equal(a, d);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Type_free(&c);
    MPI_Type_free(&d);
}

TEST(pairs_are_their_parts)
{
    const int one[] = {1, 1};
    MPI_Datatype t = create_struct(2, one, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}), two;
    check_equal(MPI_DOUBLE_INT, t);
    MPI_Type_contiguous(2, MPI_INT, &two);
    check_equal(MPI_2INT, two);
    check(MPI_DOUBLE_INT, MPI_FLOAT_INT, 0, MPI_DOUBLE, MPI_FLOAT);
    MPI_Type_free(&t);
    MPI_Type_free(&two);
}

TEST(twins_are_contiguous)
{
    MPI_Datatype two, three;
    MPI_Aint stride[1], offset;
    MPI_Count n[1], block;
    int nd;
    MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, &two);
    check_equal(MPI_2DOUBLE_PRECISION, two);
    MPI_Type_contiguous(3, MPI_2INT, &three);
    ck_assert_ok(subx_type_get_layout(three, 1, &nd, n, stride, &block, &offset));
    ck_assert_int_eq(nd, 0);
    ck_assert_int_eq(block, 6 * (MPI_Count)sizeof(int));
    MPI_Type_free(&two);
    MPI_Type_free(&three);
}

/* A struct with 2^DEPTH elements: at each level a struct contains the struct of the level below twice. The
 * library must decode each level only once. */
TEST(deep_structs_are_quick)
{
    enum { DEPTH = 14 };
    const int one[] = {1, 1};
    MPI_Datatype t = MPI_INT, flat;
    MPI_Type_contiguous(1 << DEPTH, MPI_INT, &flat);
    for (int depth = 0; depth < DEPTH; depth++) {
        MPI_Datatype outer = create_struct(2, one, (MPI_Datatype[]){t, t});
        if (depth > 0)
            MPI_Type_free(&t);
        t = outer;
    }
    check_equal(t, flat);
    MPI_Type_free(&t);
    MPI_Type_free(&flat);
}

/* The library must compare runs of equal elements, not single elements: to compare 5 * 10^17 elements would
 * take years. */
TEST(long_signatures_are_quick)
{
    MPI_Datatype a, aa, b, bb;
    MPI_Type_contiguous(1000000000, MPI_INT, &a);
    MPI_Type_contiguous(500000000, a, &aa);
    MPI_Type_contiguous(500000000, MPI_INT, &b);
    MPI_Type_contiguous(1000000000, b, &bb);
    check_equal(aa, bb);
    check(aa, a, 1000000000, MPI_INT, MPI_DATATYPE_NULL);
    MPI_Type_free(&a);
    MPI_Type_free(&aa);
    MPI_Type_free(&b);
    MPI_Type_free(&bb);
}

TEST(repeated_structs)
{
    const int one[] = {1, 1, 1, 1};
    MPI_Datatype pair = create_struct(2, one, (MPI_Datatype[]){MPI_INT, MPI_CHAR}), twice, other, thrice;
    MPI_Datatype flat = create_struct(4, one, (MPI_Datatype[]){MPI_INT, MPI_CHAR, MPI_INT, MPI_CHAR});
    MPI_Type_contiguous(2, pair, &twice);
    MPI_Type_contiguous(3, pair, &thrice);
    MPI_Type_create_hvector(2, 1, 4096, pair, &other);
    check_equal(twice, flat);
    check_equal(twice, other);
    check(twice, thrice, 4, MPI_DATATYPE_NULL, MPI_INT);
    MPI_Type_free(&pair);
    MPI_Type_free(&twice);
    MPI_Type_free(&thrice);
    MPI_Type_free(&other);
    MPI_Type_free(&flat);
}

TEST(bad_arguments)
{
    int match = 77;
    ck_assert_kind(subx_type_query_match(MPI_DATATYPE_NULL, MPI_INT, &match, NULL, NULL, NULL),
                   SUBX_ERR_TYPE);
    ck_assert_kind(subx_type_query_match(MPI_INT, MPI_DATATYPE_NULL, &match, NULL, NULL, NULL),
                   SUBX_ERR_TYPE);
    ck_assert_kind(subx_type_query_match(MPI_INT, MPI_INT, NULL, NULL, NULL, NULL), SUBX_ERR_ARG);
    ck_assert_int_eq(match, 77);
}
