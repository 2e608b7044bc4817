/* mem.h - memory that the ranks of a node share. */
#ifndef SX_MEM_H
#define SX_MEM_H

#include "base/base.h"
#include <stdint.h>

/* ---- segments (segment.c) */

/* A segment has a piece of memory for each rank of a communicator. The pieces of a node are in one file,
 * which each rank of the node maps once. A rank writes its own piece only, and its mapping of the others
 * is read-only, so that a stray write cannot damage them. With ranks 0 to 2 on one node, and ranks 3 and 4
 * on another:
 *
 *                     file of node 0                              file of node 1
 *                     piece of 0    piece of 1    piece of 2      piece of 3    piece of 4
 *    rank 0 maps      read, write   read          read            -             -
 *    rank 1 maps      read          read, write   read            -             -
 *    rank 2 maps      read          read          read, write     -             -
 *    rank 3 maps      -             -             -               read, write   read
 *    rank 4 maps      -             -             -               read          read, write
 *
 *    base[q]: where rank q's piece begins in this rank's mapping; NULL for "-"
 *
 * A rank that is alone on its node has private memory: its base has one entry that is not NULL. So has
 * every rank of a node on which sharing has failed; other nodes go on sharing. */
typedef struct sx_segment {
    int p, r;         /* ranks, and this one */
    char **base;      /* of each rank's piece, in this rank's mapping; NULL if it cannot be read here */
    ptrdiff_t *bytes; /* of each rank's piece */
    int64_t *process; /* each rank's sx_mem_process */
    int64_t key;      /* the same on all ranks; no other segment has it */
    char *map;        /* the mapping; NULL if the own piece is private memory */
    ptrdiff_t map_bytes;
    unsigned lost; /* SX_MEM_LOST_... of this rank */
} sx_segment;

/* What a rank should have and has not: memory shared with the other ranks of its node; huge pages, for a
 * piece of SX_MEM_LARGE bytes or more. */
enum { SX_MEM_LOST_SHARING = 1, SX_MEM_LOST_HUGE = 2 };

/* sx_base_alloc, too, asks for huge pages from SX_MEM_LARGE bytes on. */
enum { SX_MEM_HUGE_PAGE = 2 << 20, SX_MEM_LARGE = 2 * SX_MEM_HUGE_PAGE };

/* Create a segment with a piece of `bytes` on this rank; ranks with the same number in `node` share.
 * Pieces are zeroed and begin at pages of their own; all their pages exist from the start, so that no
 * access can fail for want of memory. Collective; rc is this rank's outcome so far, and all ranks return
 * the same kind of error. It is NO_MEM only if a rank cannot get private memory either. */
int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, const int node[], sx_segment *s);

/* Local; other ranks keep their mappings. */
void sx_mem_segment_free(sx_segment *s);

/* ---- nodes (nodes.c) */

/* Where a rank runs. */
typedef struct sx_mem_place {
    int64_t host;  /* sx_mem_host */
    int64_t world; /* its rank in MPI_COMM_WORLD */
    int64_t rank;  /* in the communicator */
} sx_mem_place;

/* Get the places of all ranks of comm, sorted by host and then by world rank. Collective; rc is this rank's
 * outcome so far, and all ranks return the same kind of error. */
int sx_mem_get_places(MPI_Comm comm, int rc, sx_mem_place places[]);

/* Number the nodes: node[q] is equal for the ranks q that share memory, and the same on all ranks. If
 * node_ranks is not 0, nodes are also cut between groups of node_ranks ranks of MPI_COMM_WORLD. Local. */
void sx_mem_number_nodes(int p, const sx_mem_place places[], int node_ranks, int node[]);

/* ---- waiting (relax.c) */

/* Call it between two polls of what another rank will change. It yields the processor from time to time,
 * because that rank may need it, and lets MPI progress, because that rank may be waiting in MPI for this
 * one. `round` begins at 0. `cost` is the cost of a poll, from 1 for a load to 100: yield sooner between
 * expensive polls. */
int sx_mem_relax(MPI_Comm comm, int cost, int *round);

/* ---- processes and hosts (host.c) */

/* sx_mem_process is unique for each process. sx_mem_host is equal for processes that can map each other's
 * files. */
int64_t sx_mem_process(void);
int64_t sx_mem_host(void);

/* ---- files in memory (pages.c) */

/* FreeBSD has memfd_create, too, but no /proc/PID/fd by which another process could open the file. On systems
 * without such files create and open return -1, and map returns NULL. */
#if defined __linux__ && defined HAVE_MEMFD_CREATE && defined HAVE_FALLOCATE
#define SX_MEM_HAS_FILES 1
#else
#define SX_MEM_HAS_FILES 0
#endif

/* Create an empty file, named after its process and the number of the segment there. -1 if that fails. */
int sx_mem_file_create(int64_t process, int64_t serial);

/* Open a file of another process of this host, whose number there is `file`, after checking its name. -1
 * if that fails. */
int sx_mem_file_open(int pid, int file, int64_t process, int64_t serial);

/* Set the length of a file, which then cannot shrink, and map it. The `own` bytes at offset `at` become
 * writable, and their pages are made. All three are multiples of the page size. NULL if that fails. */
char *sx_mem_file_map(int file, ptrdiff_t bytes, ptrdiff_t at, ptrdiff_t own);
void sx_mem_file_unmap(char *map, ptrdiff_t bytes);

/* Close a file, which then can not grow any more: call it when all ranks have mapped the file. Mappings
 * stay. */
void sx_mem_file_close(int file);

/* 1 if the system gives huge pages to files in memory, or to private memory, when asked for. */
int sx_mem_has_huge_pages(int is_shared);

/* ---- the segments of subx_mem_alloc in this process (list.c); all functions are thread-safe */

/* Find the segment whose own piece contains an address, or that has a key; NULL if there is none. Takes
 * logarithmic time. */
const sx_segment *sx_mem_find_address(const void *address);
const sx_segment *sx_mem_find_key(int64_t key);

/* Reserve room for one segment, which `add` or `cancel` uses up: adding cannot fail. */
int sx_mem_list_reserve(void);
void sx_mem_list_cancel(void);
void sx_mem_list_add(sx_segment *s);

/* Take the segment whose own piece begins at an address off the list; NULL if there is none. */
sx_segment *sx_mem_list_take(const void *address);

#endif
