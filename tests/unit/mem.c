/* mem.c - memory on one rank: areas, files whose length cannot change, the list of segments, the numbering of
 * nodes. */
#include "mem/mem.h"
#include "common/unit.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SERIAL = 77 };

/* Create a file and fix its length. Returns -1 if the system cannot fix lengths. */
static int create_file(void)
{
    int file = sx_mem_file_create(sx_mem_process(), SERIAL);
    ck_assert_int_eq(file >= 0, SX_MEM_HAS_FILES);
    return file;
}

static int open_file(int file, int64_t serial)
{
    return sx_mem_file_open((int)getpid(), file, sx_mem_process(), serial);
}

TEST(files_keep_their_length)
{
    const ptrdiff_t page = sysconf(_SC_PAGESIZE);
    const int file = create_file();
    if (file < 0)
        return;
    char *map = sx_mem_file_map(file, 3 * page, page, page);
    ck_assert_ptr_nonnull(map);
    const int other = open_file(file, SERIAL);
    ck_assert_int_ge(other, 0);
    ck_assert_int_eq(ftruncate(other, 2 * page), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(other, 3 * page), 0);
    sx_mem_file_close(file);
    ck_assert_int_eq(ftruncate(other, 4 * page), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(close(other), 0);
    for (ptrdiff_t i = 0; i < 3 * page; i++)
        ck_assert_int_eq(map[i], 0);
    map[page] = 1;
    map[2 * page - 1] = 1;
    sx_mem_file_unmap(map, 3 * page);
}

TEST(pages_are_made_in_each_length)
{
    const ptrdiff_t lengths[] = {SX_BASE_LARGE - 4096, SX_BASE_LARGE, 5 * SX_BASE_HUGE_PAGE, 40 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const int file = create_file();
        if (file < 0)
            return;
        char *map = sx_mem_file_map(file, lengths[i], 0, lengths[i]);
        ck_assert_ptr_nonnull(map);
        if (lengths[i] >= SX_BASE_LARGE)
            ck_assert_uint_eq((uintptr_t)map % SX_BASE_HUGE_PAGE, 0);
        for (ptrdiff_t at = 0; at < lengths[i]; at += 4096)
            map[at] = (char)(map[at] + 1);
        ck_assert_int_eq(map[lengths[i] - 4096], 1);
        sx_mem_file_unmap(map, lengths[i]);
        sx_mem_file_close(file);
    }
}

/* Query whether huge pages were asked for at an address: the flags of its mapping have "hg". -1 if the system
 * does not tell. */
static int is_advised(const void *address)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    unsigned long long lo, hi;
    int is_here = 0, found = -1;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%llx-%llx ", &lo, &hi) == 2)
            is_here = lo <= (uintptr_t)address && (uintptr_t)address < hi;
        if (is_here && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, " hg") != NULL;
    }
    if (file)
        fclose(file);
    return found;
}

/* Allocate an area and check it. Huge pages must be asked for over the first `huge` bytes. */
static void check_area(ptrdiff_t bytes, ptrdiff_t huge)
{
    unsigned char *area = sx_base_alloc_area(bytes);
    ck_assert_int_eq(sx_base_get_area_bytes(bytes), huge > bytes ? huge : bytes);
    ptrdiff_t nzeros = 0;
    ck_assert_ptr_nonnull(area);
    for (ptrdiff_t i = 0; i < bytes; i++)
        nzeros += area[i] == 0;
    ck_assert_int_eq(nzeros, bytes);
    memset(area, 0xff, (size_t)bytes);
    if (huge == 0) {
        ck_assert_uint_eq((uintptr_t)area % SX_ALIGNMENT, 0);
    } else if (sx_mem_has_huge_pages(0)) {
        ck_assert_uint_eq((uintptr_t)area % SX_BASE_HUGE_PAGE, 0);
        ck_assert_int_ne(is_advised(area), 0);
        ck_assert_int_ne(is_advised(area + huge - 1), 0);
    }
    sx_base_free(area);
}

TEST(areas_are_on_huge_pages)
{
    const ptrdiff_t page = SX_BASE_HUGE_PAGE, least = SX_BASE_LEAST_HUGE;
    check_area(0, 0);
    check_area(1, 0);
    check_area(least - 1, 0);
    check_area(least, page);
    check_area(page - 1, page);
    check_area(page, page);
    check_area(page + least - 1, page);
    check_area(page + least, 2 * page);
    check_area(5 * page + 1000, 5 * page);
    ck_assert_ptr_null(sx_base_alloc_area(-1));
    sx_base_fail_after(0);
    ck_assert_ptr_null(sx_base_alloc_area(1));
    sx_base_fail_after(-1);
}

TEST(other_files_are_not_opened)
{
    const int file = create_file(), standard = dup(0);
    ck_assert_int_eq(open_file(standard, SERIAL), -1);
    ck_assert_int_eq(open_file(-1, SERIAL), -1);
    ck_assert_int_eq(open_file(file, SERIAL + 1), -1);
    ck_assert_ptr_null(sx_mem_file_map(-1, 4096, 0, 4096));
    if (file >= 0)
        ck_assert_ptr_null(sx_mem_file_map(file, PTRDIFF_MAX / 4096 * 4096, 0, 4096));
    close(standard);
    sx_mem_file_close(file);
}

/* Segments of 10 bytes at addresses 16 bytes apart, as subx_mem_alloc could create them. Their keys do not
 * increase with the addresses. */
enum { SEGMENTS = 2000, PITCH = 16, LENGTH = 10 };
static char room[SEGMENTS * PITCH];
static sx_piece piece[SEGMENTS];
static sx_segment segment[SEGMENTS];

/* A permutation of the numbers below SEGMENTS. */
static int shuffle(int i)
{
    return (int)((i * 1201L + 7) % SEGMENTS);
}

static void expect_found(int i, int is_there)
{
    const sx_segment *s = is_there ? &segment[i] : NULL;
    ck_assert_ptr_eq(sx_mem_find_address(piece[i].base), s);
    ck_assert_ptr_eq(sx_mem_find_address(piece[i].base + LENGTH - 1), s);
    ck_assert_ptr_null(sx_mem_find_address(piece[i].base + LENGTH));
    ck_assert_ptr_eq(sx_mem_find_key(segment[i].key), s);
    ck_assert_ptr_null(sx_mem_find_key(segment[i].key + 1));
}

TEST(the_list_finds_what_is_on_it)
{
    for (int k = 0; k < SEGMENTS; k++) {
        const int i = shuffle(k);
        piece[i] = (sx_piece){.base = room + i * PITCH, .bytes = LENGTH};
        segment[i] = (sx_segment){1, &piece[i], &piece[i], .key = 10L * shuffle(i)};
        ck_assert_ok(sx_mem_list_reserve());
        expect_found(i, 0);
        sx_mem_list_add(&segment[i]);
        expect_found(i, 1);
    }
    for (int k = 0; k < SEGMENTS; k++) {
        const int i = shuffle(shuffle(k));
        ck_assert_ptr_null(sx_mem_list_take(piece[i].base + 1));
        ck_assert_ptr_eq(sx_mem_list_take(piece[i].base), &segment[i]);
        ck_assert_ptr_null(sx_mem_list_take(piece[i].base));
        expect_found(i, 0);
        for (int later = k + 1; later < SEGMENTS; later += 97)
            expect_found(shuffle(shuffle(later)), 1);
    }
}

TEST(the_list_notices_that_memory_is_out)
{
    void *mem = NULL;
    long n = 0;
    for (int rc = SUBX_ERR_NO_MEM; rc; n++) {
        sx_base_fail_after(n);
        rc = subx_mem_alloc(MPI_COMM_SELF, 100, MPI_INFO_NULL, &mem);
        sx_base_fail_after(-1);
        if (rc)
            ck_assert_kind(rc, SUBX_ERR_NO_MEM);
        ck_assert_int_eq(mem != NULL, rc == MPI_SUCCESS);
        ck_assert_int_lt(n, 100);
    }
    ck_assert_int_gt(n, 10);
    ck_assert_ptr_nonnull(sx_mem_find_address(mem));
    ck_assert_ok(subx_mem_free(&mem));
}

/* One host has ranks 0 1 4 of MPI_COMM_WORLD, another host has ranks 2 3. The communicator has the ranks in
 * another order than MPI_COMM_WORLD. */
TEST(nodes_are_numbered)
{
    const sx_mem_place places[] = {{5, 0, 3}, {5, 1, 0}, {5, 4, 1}, {9, 2, 4}, {9, 3, 2}};
    const struct {
        int node_ranks, node[5];
    } expected[] = {{0, {0, 0, 1, 0, 1}}, {1, {1, 2, 4, 0, 3}}, {2, {0, 1, 2, 0, 2}}, {3, {0, 1, 3, 0, 2}}};
    for (int k = 0; k < 4; k++) {
        int node[5];
        sx_mem_number_nodes(5, places, expected[k].node_ranks, node);
        for (int q = 0; q < 5; q++)
            ck_assert_int_eq(node[q], expected[k].node[q]);
    }
}
