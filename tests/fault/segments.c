/* segments.c - segments of shared memory: which rank reads and writes which piece, how many mappings that
 * takes, and what happens if a rank can open no file or has no memory.
 * ranks: 1 2 3 4 5 */
#include "mem/mem.h"
#include "common/hints.h"
#include "common/plan.h"
#include "common/verdict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A rank has at most three mappings of a segment: of its own piece, of all pieces before it, of all pieces
 * after it. */
enum { RANKS_MAX = 5, MAPPINGS_MAX = 3 };

/* ---- nodes */

static int node[RANKS_MAX];

static int count_node(int q)
{
    int count = 0;
    for (int i = 0; i < test_nranks; i++)
        count += node[i] == node[q];
    return count;
}

/* Pretend that each node has `node_ranks` ranks. */
static void set_nodes(int node_ranks)
{
    for (int q = 0; q < test_nranks; q++)
        node[q] = q / node_ranks;
}

/* ---- the mappings of this process, as the system lists them */

typedef struct mapping {
    unsigned long begin, end, inode;
    char access[5];
} mapping;

static int read_mapping(FILE *maps, mapping *m)
{
    char line[512];
    if (!fgets(line, sizeof line, maps))
        return 0;
    if (sscanf(line, "%lx-%lx %4s %*x %*s %lu", &m->begin, &m->end, m->access, &m->inode) != 4)
        *m = (mapping){0};
    return 1;
}

static mapping find_mapping(const void *address)
{
    mapping m = {0};
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && read_mapping(maps, &m))
        if (m.begin <= (uintptr_t)address && (uintptr_t)address < m.end)
            break;
    if (maps)
        fclose(maps);
    return m;
}

static int count_mappings(unsigned long inode)
{
    int count = 0;
    mapping m;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && read_mapping(maps, &m))
        count += m.inode == inode;
    if (maps)
        fclose(maps);
    return count;
}

/* ---- checks that hold for every segment */

/* Get the byte at an offset of rank q's piece. */
static char get_value(int q, ptrdiff_t at)
{
    return (char)(1 + 31 * q + 7 * (at % 1000));
}

static void check_values(const sx_segment *s)
{
    ptrdiff_t dirty = 0, wrong = 0;
    for (ptrdiff_t i = 0; i < s->own->bytes; i++) {
        dirty += s->own->base[i] != 0;
        s->own->base[i] = get_value(test_rank, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int q = 0; q < test_nranks; q++) {
        const sx_piece *piece = sx_mem_segment_get(s, q);
        for (ptrdiff_t i = 0; piece && piece->base && i < piece->bytes; i++)
            wrong += piece->base[i] != get_value(q, i);
    }
    EXPECT_EQUAL(dirty, 0);
    EXPECT_EQUAL(wrong, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_mappings(const sx_segment *s)
{
    mapping own = find_mapping(s->own->base);
    EXPECT(count_mappings(own.inode) <= MAPPINGS_MAX);
    for (int i = 0; i < s->npieces; i++) {
        mapping m = find_mapping(s->piece[i].base);
        EXPECT_EQUAL(m.inode, own.inode);
        EXPECT(strcmp(m.access, s->piece[i].rank == test_rank ? "rw-s" : "r--s") == 0);
    }
}

/* Check a segment. `shares`: this rank can read the pieces of the other ranks of its node. */
static void check_segment(const sx_segment *s, int shares)
{
    const int lost = !shares && count_node(test_rank) > 1 ? SX_MEM_LOST_SHARING : 0;
    EXPECT_EQUAL(s->map != NULL, shares);
    EXPECT_EQUAL(s->lost & SX_MEM_LOST_SHARING, lost);
    EXPECT_EQUAL(s->npieces, count_node(test_rank));
    for (int q = -1; q <= test_nranks; q++) {
        const sx_piece *piece = sx_mem_segment_get(s, q);
        EXPECT_EQUAL(piece != NULL, q >= 0 && q < test_nranks && node[q] == node[test_rank]);
        EXPECT_EQUAL(piece && piece->base, piece && (q == test_rank || shares));
        EXPECT_EQUAL(piece ? piece->rank : q, q);
    }
    EXPECT_EQUAL((uintptr_t)s->own->base % (sx_mem_is_large(s) ? SX_BASE_HUGE_PAGE : SX_ALIGNMENT), 0);
    EXPECT_SAME(s->key);
    check_values(s);
    if (shares)
        check_mappings(s);
}

/* ---- the checks */

/* Check a segment whose pieces have no bytes (kind 0), some bytes (1), a few pages (2), about
 * SX_BASE_LEAST_HUGE bytes (3), or some huge pages (4). */
static void check_sharing(int node_ranks, int kind)
{
    const ptrdiff_t lengths[] = {0, 100 * test_rank, 9000 + test_rank,
                                 SX_BASE_LEAST_HUGE + test_rank - test_nranks / 2,
                                 SX_BASE_LARGE + 5000 * (test_rank - test_nranks / 2)};
    sx_segment s;
    test_context("nodes of %d ranks, pieces of kind %d", node_ranks, kind);
    set_nodes(node_ranks);
    if (!EXPECT_OK(sx_mem_segment_create(MPI_COMM_WORLD, MPI_SUCCESS, lengths[kind], node, NULL, &s)))
        return;
    check_segment(&s, SX_MEM_HAS_FILES && count_node(test_rank) > 1);
    if (s.map)
        EXPECT(count_mappings(find_mapping(s.map).inode) <= MAPPINGS_MAX);
    sx_mem_segment_free(&s);
}

/* A segment must still work after a rank has freed another segment. */
CHECK(check_two)
{
    sx_segment s[2];
    test_context("two segments");
    set_nodes(test_nranks);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(sx_mem_segment_create(MPI_COMM_WORLD, MPI_SUCCESS, 5000, node, NULL, &s[i]));
    EXPECT(s[0].key != s[1].key);
    if (test_rank == 0)
        sx_mem_segment_free(&s[0]);
    check_segment(&s[1], SX_MEM_HAS_FILES && test_nranks > 1);
    for (int i = test_rank == 0; i < 2; i++)
        sx_mem_segment_free(&s[i]);
}

/* open_all_files makes this process open files until it can open no more. These are the files. */
enum { FILES_MAX = 256 };
static int files[FILES_MAX], nfiles;
static struct rlimit usual;

static void open_all_files(void)
{
    getrlimit(RLIMIT_NOFILE, &usual);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){FILES_MAX, usual.rlim_max});
    while (nfiles < FILES_MAX && (files[nfiles] = dup(0)) >= 0)
        nfiles++;
}

static void close_all_files(void)
{
    while (nfiles > 0)
        close(files[--nfiles]);
    setrlimit(RLIMIT_NOFILE, &usual);
}

/* One rank can open no files. The ranks of its node get private memory; the ranks of other nodes share
 * memory. */
static void check_full_node(int victim, int node_ranks)
{
    sx_segment s;
    test_context("nodes of %d ranks, rank %d opens no file", node_ranks, victim);
    set_nodes(node_ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    if (test_rank == victim)
        open_all_files();
    int rc = sx_mem_segment_create(MPI_COMM_WORLD, MPI_SUCCESS, 5000, node, NULL, &s);
    if (test_rank == victim)
        close_all_files();
    if (!EXPECT_OK(rc))
        return;
    check_segment(&s, SX_MEM_HAS_FILES && count_node(test_rank) > 1 && node[test_rank] != node[victim]);
    sx_mem_segment_free(&s);
}

/* One rank asks for more memory than there can be. Then each of its allocations fails in turn. */
static void check_no_memory(int victim)
{
    const ptrdiff_t lengths[] = {(ptrdiff_t)1 << 60, PTRDIFF_MAX};
    sx_segment s;
    set_nodes(2);
    for (int i = 0; i < 2; i++) {
        test_context("rank %d asks for %td bytes", victim, lengths[i]);
        EXPECT_KIND(sx_mem_segment_create(MPI_COMM_WORLD, MPI_SUCCESS, test_rank == victim ? lengths[i] : 100,
                                          node, NULL, &s),
                    SUBX_ERR_NO_MEM);
        EXPECT(!s.piece && !s.map);
    }
    for (int n = 0, kind = SUBX_ERR_NO_MEM; kind && EXPECT(n < 20); n++) {
        test_context("rank %d fails at allocation %d", victim, n);
        sx_base_fail_after(test_rank == victim ? n : -1);
        kind = subx_error_get_kind(sx_mem_segment_create(MPI_COMM_WORLD, MPI_SUCCESS, 100, node, NULL, &s));
        sx_base_fail_after(-1);
        EXPECT(kind == SUBX_ERR_NO_MEM || kind == SUBX_ERR_NONE);
        EXPECT_SAME(kind);
        EXPECT_EQUAL(s.piece != NULL, kind == SUBX_ERR_NONE);
        sx_mem_segment_free(&s);
    }
}

static void expect_value(void *mem, const char *key, const char *value)
{
    MPI_Info info;
    EXPECT_OK(subx_mem_get_info(mem, &info));
    test_info_expect(info, key, value);
}

/* Check the information on memory that is just long enough for huge pages, and on memory that is not. */
static void check_info(const char *node_ranks, int is_alone, int is_large)
{
    const int shares = !is_alone && SX_MEM_HAS_FILES;
    const ptrdiff_t bytes = (shares ? SX_BASE_LARGE : SX_BASE_LEAST_HUGE) - !is_large;
    void *mem = NULL;
    MPI_Info hints, info;
    test_context("info, nodes of %s, %td bytes", node_ranks, bytes);
    hints = test_hints("node_ranks=%s", node_ranks);
    EXPECT_OK(subx_mem_alloc(MPI_COMM_WORLD, bytes, hints, &mem));
    MPI_Info_free(&hints);
    const int has_huge = sx_mem_has_huge_pages(shares),
              losses = 2 * (!shares && !is_alone) + (is_large && !has_huge);
    const char *const lost[] = {"", "huge_pages", "sharing", "sharing huge_pages"};
    void *const last = (char *)mem + bytes - 1;
    expect_value(last, "subx_sharing", shares ? "yes" : is_alone ? "alone" : "no");
    expect_value(last, "subx_huge_pages", is_large && has_huge ? "yes" : "no");
    expect_value(last, "subx_lost", lost[losses]);
    EXPECT_KIND(subx_mem_get_info(mem, NULL), SUBX_ERR_ARG);
    EXPECT_KIND(subx_mem_get_info(&mem, &info), SUBX_ERR_ARG);
    EXPECT(info == MPI_INFO_NULL);
    EXPECT_OK(subx_mem_free(&mem));
}

CHECK(check_all_nodes)
{
    for (int kind = 0; kind < 5; kind++)
        for (int node_ranks = 1; node_ranks <= test_nranks; node_ranks++)
            check_sharing(node_ranks, kind);
    for (int node_ranks = 1; node_ranks <= test_nranks; node_ranks++)
        for (int victim = 0; victim < test_nranks; victim++)
            check_full_node(victim, node_ranks);
    for (int victim = 0; victim < test_nranks; victim++)
        check_no_memory(victim);
    for (int is_large = 0; is_large < 2; is_large++) {
        check_info("1", 1, is_large);
        check_info("0", test_nranks == 1, is_large);
    }
}
