/* print.c - the text that describes a type for people: one line with the arguments of the type, which is cut
 * if the buffer is too short. */
#include "common/nested.h"
#include "common/traversal.h"
#include "common/unit.h"
#include <string.h>

TEST(a_line_tells_what_made_the_type)
{
    test_block b = {3, MPI_ORDER_FORTRAN, {51, 62, 73}, {12, 23, 34}, {5, 6, 7}, {1, 2, 0}};
    MPI_Datatype t;
    char text[1024];
    size_t needed = 0;
    ck_assert_ok(test_block_type(&b, MPI_DOUBLE, &t));
    ck_assert_ok(subx_type_print(t, sizeof text, text, &needed));
    ck_assert_uint_eq(needed, strlen(text));
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_ptr_nonnull(strstr(text, "51x62x73"));
    ck_assert_ptr_nonnull(strstr(text, "12x23x34"));
    ck_assert_ptr_nonnull(strstr(text, "(1,2,0)"));
    ck_assert_ptr_nonnull(strstr(text, "75072"));   /* 12*23*34 doubles */
    ck_assert_ptr_nonnull(strstr(text, "1846608")); /* 51*62*73 doubles */
    MPI_Type_free(&t);
}

TEST(lines_are_cut)
{
    char whole[512], cut[512];
    size_t needed, again = 0;
    ck_assert_ok(subx_type_print(MPI_DOUBLE, sizeof whole, whole, &needed));
    ck_assert_uint_gt(needed, 4);
    for (size_t room = 1; room <= needed + 1; room++) {
        memset(cut, '#', sizeof cut);
        ck_assert_ok(subx_type_print(MPI_DOUBLE, room, cut, &again));
        ck_assert_uint_eq(again, needed);
        ck_assert_uint_eq(strlen(cut), room - 1);
        ck_assert_mem_eq(cut, whole, room - 1);
        ck_assert_int_eq(cut[room], '#');
    }
    again = 0;
    ck_assert_ok(subx_type_print(MPI_DOUBLE, 0, NULL, &again));
    ck_assert_uint_eq(again, needed);
}

TEST(any_type_can_be_printed)
{
    test_random r = test_random_stream(test_random_seed(), 1);
    for (int k = 0; k < 300; k++) {
        MPI_Datatype t = test_nested_create(&r, 4, 0);
        char text[2048];
        size_t needed = 0;
        ck_assert_ok(subx_type_print(t, sizeof text, text, &needed));
        ck_assert_uint_gt(needed, 0);
        ck_assert_ptr_null(strchr(text, '\n'));
        MPI_Type_free(&t);
    }
}

TEST(bad_arguments)
{
    char text[64] = "untouched";
    size_t needed = 77;
    ck_assert_kind(subx_type_print(MPI_DATATYPE_NULL, sizeof text, text, &needed), SUBX_ERR_TYPE);
    ck_assert_kind(subx_type_print(MPI_INT, 5, NULL, &needed), SUBX_ERR_ARG);
    ck_assert_uint_eq(needed, 77);
    ck_assert_str_eq(text, "untouched");
}
