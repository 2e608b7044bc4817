/* block.c - balanced blocks equal the blocks that result from dealing elements to ranks in turn. */
#include "common/random.h"
#include "common/unit.h"
#include <stdint.h>

enum { N_MAX = 40, P_MAX = 13 };

/* Deal n elements to p ranks, one element at a time. This gives the length of each block. Each block starts
 * where the block before it ends. */
static void deal(int n, int p, ptrdiff_t len[], ptrdiff_t start[])
{
    for (int r = 0; r < p; r++)
        len[r] = 0;
    for (int i = 0; i < n; i++)
        len[i % p]++;
    start[0] = 0;
    for (int r = 1; r < p; r++)
        start[r] = start[r - 1] + len[r - 1];
}

TEST(blocks_are_dealt)
{
    for (int n = 0; n <= N_MAX; n++)
        for (int p = 1; p <= P_MAX; p++) {
            ptrdiff_t len[P_MAX], start[P_MAX];
            deal(n, p, len, start);
            for (int r = 0; r < p; r++) {
                ptrdiff_t l = -1, s = -1;
                ck_assert_ok(subx_block_get(n, p, r, &l, &s));
                ck_assert_int_eq(l, len[r]);
                ck_assert_int_eq(s, start[r]);
            }
            for (int i = 0; i < n; i++) {
                int r = -1;
                ck_assert_ok(subx_block_get_owner(n, p, i, &r));
                ck_assert(r >= 0 && r < p);
                ck_assert(start[r] <= i && i < start[r] + len[r]);
            }
        }
}

TEST(huge_numbers_do_not_overflow)
{
    const int parts[] = {1, 2, 7, 65536, INT32_MAX};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        int p = parts[k], r = -1;
        ptrdiff_t n = PTRDIFF_MAX, len, start;
        ck_assert_ok(subx_block_get(n, p, p - 1, &len, &start));
        ck_assert_int_eq(len, n / p);
        ck_assert_int_eq(start, n - len);
        ck_assert_ok(subx_block_get_owner(n, p, n - 1, &r));
        ck_assert_int_eq(r, p - 1);
        ck_assert_ok(subx_block_get_owner(n, p, start - (p > 1), &r));
        ck_assert_int_eq(r, p > 1 ? p - 2 : 0);
    }
}

TEST(bad_arguments_leave_the_outputs)
{
    const struct {
        ptrdiff_t n;
        int p, r;
    } bad[] = {{-1, 1, 0}, {5, 0, 0}, {5, -2, 0}, {5, 3, -1}, {5, 3, 3}};
    ptrdiff_t len = 123, start = 456;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        ck_assert_int_ne(subx_block_get(bad[k].n, bad[k].p, bad[k].r, &len, &start), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get(5, 3, 0, NULL, &start), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get(5, 3, 0, &len, NULL), MPI_SUCCESS);
    ck_assert_int_eq(len, 123);
    ck_assert_int_eq(start, 456);
}

TEST(bad_elements_have_no_owner)
{
    int r = 77;
    ck_assert_int_ne(subx_block_get_owner(5, 3, -1, &r), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get_owner(5, 3, 5, &r), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get_owner(0, 3, 0, &r), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get_owner(5, 0, 0, &r), MPI_SUCCESS);
    ck_assert_int_ne(subx_block_get_owner(5, 3, 0, NULL), MPI_SUCCESS);
    ck_assert_int_eq(r, 77);
}

TEST(version_is_the_headers)
{
    int major = -1, minor = -1, patch = -1;
    ck_assert_ok(subx_version_get(&major, &minor, &patch));
    ck_assert_int_eq(major, SUBX_VERSION_MAJOR);
    ck_assert_int_eq(minor, SUBX_VERSION_MINOR);
    ck_assert_int_eq(patch, SUBX_VERSION_PATCH);
    ck_assert_int_ne(subx_version_get(NULL, &minor, &patch), MPI_SUCCESS);
}
