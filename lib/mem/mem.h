/* mem.h - memory that the ranks of a node share. */
#ifndef SX_MEM_H
#define SX_MEM_H

#include "base/base.h"
#include <stdint.h>

/* ---- segments (segment.c) */

/* A segment has a piece of memory for each rank of a communicator. The pieces of a node are in one file, which each
 * rank of the node maps once. A rank writes only its own piece. It maps the other pieces read-only, so that a stray
 * write cannot damage them. With ranks 0 to 2 on one node, and ranks 3 and 4 on another:
 *
 *                     file of node 0                              file of node 1
 *                     piece of 0    piece of 1    piece of 2      piece of 3    piece of 4
 *    rank 0 maps      read, write   read          read            -             -
 *    rank 1 maps      read          read, write   read            -             -
 *    rank 2 maps      read          read          read, write     -             -
 *    rank 3 maps      -             -             -               read, write   read
 *    rank 4 maps      -             -             -               read          read, write
 *
 * A rank that is alone on its node has private memory, and knows no other piece. If sharing fails on a node, all its
 * ranks have private memory; other nodes still share. */
typedef struct sx_piece {
    int rank;
    char *base; /* its address in this rank's memory; NULL if this rank cannot read it */
    ptrdiff_t bytes;
    int64_t process; /* sx_mem_process */
} sx_piece;

typedef struct sx_segment {
    int npieces;     /* the number of ranks of this node */
    sx_piece *piece; /* of the ranks of this node alone, in the order of ranks */
    sx_piece *own;   /* this rank's piece, among them */
    int64_t key;     /* the same on all ranks, and different from the keys of all other segments */
    char *map;       /* where this rank has mapped the file of its node; NULL if the piece is private
                         memory */
    ptrdiff_t map_bytes;
    unsigned lost; /* SX_MEM_LOST_... of this rank */
} sx_segment;

/* Features that a rank lacks. SHARING: memory that the ranks of its node share, although there are other ranks. HUGE:
 * huge pages, although its piece has SX_MEM_LARGE bytes or more. */
enum { SX_MEM_LOST_SHARING = 1, SX_MEM_LOST_HUGE = 2 };

/* From SX_MEM_LARGE bytes on, pieces get huge pages where the system has them. sx_base_alloc has the same limit. */
enum { SX_MEM_HUGE_PAGE = 2 << 20, SX_MEM_LARGE = 2 * SX_MEM_HUGE_PAGE };

/* Create a segment with a piece of `bytes` bytes on this rank. Ranks with the same number in `node` share. Pieces are
 * zeroed. All their pages exist from the start, so that no access can fail for lack of memory. Collective; rc is this
 * rank's outcome so far, and all ranks return the same kind of error: NO_MEM if the ranks of a node ask for more memory
 * than is free, or if a rank gets neither shared nor private memory. */
int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, const int node[], sx_segment *s);

/* Get the piece of a rank of this node; NULL for other ranks. Takes logarithmic time. */
const sx_piece *sx_mem_segment_get(const sx_segment *s, int64_t rank);

/* Free this rank's part of a segment. Local; other ranks keep their mappings of this rank's piece. */
void sx_mem_segment_free(sx_segment *s);

/* ---- nodes: ranks that share memory (nodes.c). NUMA domains are in fft/machine/domain.c */

/* Where a rank runs. */
typedef struct sx_mem_place {
    int64_t host;  /* sx_mem_host */
    int64_t world; /* its rank in MPI_COMM_WORLD */
    int64_t rank;  /* its rank in the communicator of sx_mem_get_places */
} sx_mem_place;

/* Get the places of all ranks of comm, sorted by host, then by rank in MPI_COMM_WORLD. `places` has an entry for each
 * rank. Collective; rc is this rank's outcome so far, and all ranks return the same kind of error. */
int sx_mem_get_places(MPI_Comm comm, int rc, sx_mem_place places[]);

/* Number the nodes from 0: node[q] is equal for all ranks q of a node; all ranks get the same array. If node_ranks is
 * not 0, nodes are divided further: MPI_COMM_WORLD is divided into groups of node_ranks consecutive ranks, and a node
 * has ranks of one group only. Local. */
void sx_mem_number_nodes(int p, const sx_mem_place places[], int node_ranks, int node[]);

/* ---- processes and hosts (host.c) */

/* sx_mem_process is different for each process; sx_mem_take_serial is different for each call in a process, and greater
 * than 0. Both together identify an object. sx_mem_host is equal for processes of one system, which can map each other's
 * files. */
int64_t sx_mem_process(void);
int64_t sx_mem_take_serial(void);
int64_t sx_mem_host(void);

/* ---- files in memory (pages.c) */

/* FreeBSD has memfd_create, too, but no /proc/PID/fd through which another process could open the file. On systems
 * without such files, create and open return -1, and map returns NULL. */
#if defined __linux__ && defined HAVE_MEMFD_CREATE && defined HAVE_FALLOCATE
#define SX_MEM_HAS_FILES 1
#else
#define SX_MEM_HAS_FILES 0
#endif

/* Create an empty file, whose name consists of the process and the serial number of the segment in this process.
 * Returns a descriptor; -1 if that fails. */
int sx_mem_file_create(int64_t process, int64_t serial);

/* Open a file that another process of this host has created and still has open: `pid` is the system's number of that
 * process, `file` its descriptor of the file. `process` and `serial` are those of sx_mem_file_create; the file's name must
 * consist of them. Returns a descriptor of this process; -1 if that fails. */
int sx_mem_file_open(int pid, int file, int64_t process, int64_t serial);

/* Set the length of a file, so that it cannot shrink afterwards, and map the file for reading. The `own` bytes at
 * offset `at` become writable, and their pages are allocated. bytes, at and own are multiples of the page size. Returns
 * the mapping; NULL if that fails. */
char *sx_mem_file_map(int file, ptrdiff_t bytes, ptrdiff_t at, ptrdiff_t own);
void sx_mem_file_unmap(char *map, ptrdiff_t bytes);

/* Close a file; nothing is done for -1. Afterwards the file cannot grow any more, and other processes cannot open it
 * through this one: so all ranks of the node must have mapped it before. Mappings remain valid. */
void sx_mem_file_close(int file);

/* Query whether the system gives huge pages on request: to files in memory if is_shared, else to private memory. */
int sx_mem_has_huge_pages(int is_shared);

/* ---- the segments of subx_mem_alloc in this process (list.c); all functions are thread-safe */

/* Find the segment in which this rank's piece contains an address, or the segment with a key; NULL if there is none.
 * Takes logarithmic time. */
const sx_segment *sx_mem_find_address(const void *address);
const sx_segment *sx_mem_find_key(int64_t key);

/* Reserve room for one segment, so that adding the segment cannot fail. Each reservation is used by `add`, or given
 * back by `cancel`. */
int sx_mem_list_reserve(void);
void sx_mem_list_cancel(void);
void sx_mem_list_add(sx_segment *s);

/* Remove from the list the segment in which this rank's piece begins at an address, and return the segment, which the
 * caller frees; NULL if there is none. */
sx_segment *sx_mem_list_take(const void *address);

#endif
