/* mem.h - memory that the ranks of a node share. */
#ifndef SX_MEM_H
#define SX_MEM_H

#include "device/device.h"
#include <stdint.h>

/* ---- segments (segment.c) */

/* A segment has a piece of memory for each rank of a communicator. The pieces of a node are in one file,
 * which each rank of the node maps once. A rank writes its own piece, and can only read other pieces. With
 * ranks 0 to 2 on one node, and ranks 3 and 4 on another:
 *
 *                     file of node 0                              file of node 1
 *                     piece of 0    piece of 1    piece of 2      piece of 3    piece of 4
 *    rank 0 maps      read, write   read          read            -             -
 *    rank 1 maps      read          read, write   read            -             -
 *    rank 2 maps      read          read          read, write     -             -
 *    rank 3 maps      -             -             -               read, write   read
 *    rank 4 maps      -             -             -               read          read, write
 *
 * A rank that is alone on its node has private memory. If sharing fails on a node, all ranks of this node
 * have private memory; the ranks of other nodes still share.
 *
 * A segment may also be in the memory of a device. Then each piece is an allocation of its own, which the
 * other ranks of the node import, and only work on a device may read it. */
typedef struct sx_piece {
    int rank;
    char *base; /* the address of the piece in this rank's memory; NULL if this rank cannot read the piece */
    ptrdiff_t bytes;
    int64_t process; /* the number of the rank's process (sx_mem_process) */
} sx_piece;

typedef struct sx_segment {
    int npieces;     /* the number of ranks of this node */
    sx_piece *piece; /* the pieces of this node's ranks, in the order of ranks */
    sx_piece *own;   /* this rank's piece, an entry of `piece` */
    int64_t key;     /* the same on all ranks, and different from the keys of all other segments */
    char *map;       /* where this rank has mapped the file of its node; NULL if the piece is private
                         memory */
    ptrdiff_t map_bytes;
    unsigned lost;           /* the features that this rank lacks: a sum of SX_MEM_LOST_* */
    const sx_device *device; /* the device whose memory has the pieces; NULL for memory of the host */
    void *handle;            /* of the open device */
    void *owner;             /* for lib/comm: who owns the segment */
} sx_segment;

/* Features that a rank lacks. SHARING: there are other ranks on its node, but they do not share memory with
 * it. HUGE: its piece is long enough for huge pages (sx_mem_is_large), but the system gives it none. */
enum { SX_MEM_LOST_SHARING = 1, SX_MEM_LOST_HUGE = 2 };

/* Query whether this rank's piece is long enough for huge pages. */
int sx_mem_is_large(const sx_segment *s);

/* Create a segment with a piece of `bytes` bytes on this rank. node[q] is the number of rank q's node; ranks
 * of one node share memory. Pieces are zeroed, except on devices. All their pages exist from the start, so
 * that no access can fail for lack of memory. `device` is NULL for memory of the host. Collective; rc is this
 * rank's outcome so far, and all ranks return the same kind of error. NO_MEM if the ranks of a node ask for
 * more memory than is free, or if a rank gets neither shared nor private memory. */
int sx_mem_segment_create(MPI_Comm comm, int rc, ptrdiff_t bytes, const int node[], const sx_device *device,
                          sx_segment *s);

/* Get the piece of a rank of this node; NULL for other ranks. Takes logarithmic time. */
const sx_piece *sx_mem_segment_get(const sx_segment *s, int64_t rank);

/* Free this rank's part of a segment. Local; other ranks keep their mappings of this rank's piece. But on a
 * device, first all ranks must have ended their imports by sx_mem_segment_drop, which is local. */
void sx_mem_segment_free(sx_segment *s);
void sx_mem_segment_drop(sx_segment *s);

/* ---- nodes: ranks that share memory (nodes.c). NUMA domains are in fft/machine/domain.c */

/* Where a rank runs. */
typedef struct sx_mem_place {
    int64_t host;  /* sx_mem_host */
    int64_t world; /* its rank in MPI_COMM_WORLD */
    int64_t rank;  /* its rank in the communicator of sx_mem_get_places */
} sx_mem_place;

/* Get where all ranks of comm run, sorted by host, then by rank in MPI_COMM_WORLD. `places` has an entry for
 * each rank. Calls sx_base_set_crowded if more ranks run on this rank's processors than there are.
 * Collective; rc is this rank's outcome so far, and all ranks return the same kind of error. */
int sx_mem_get_places(MPI_Comm comm, int rc, sx_mem_place places[]);

/* Number the nodes from 0, and set node[q] to the number of rank q's node. All ranks get the same array. If
 * node_ranks is not 0, nodes are divided into smaller, pretended nodes: MPI_COMM_WORLD is cut into groups of
 * node_ranks consecutive ranks, and all ranks of a pretended node are in one group. Local. */
void sx_mem_number_nodes(int p, const sx_mem_place places[], int node_ranks, int node[]);

/* ---- processes and hosts (identity.c) */

/* sx_mem_process returns a number that is different for each process. sx_mem_take_serial returns a number
 * greater than 0 that is different for each call in a process. The two numbers together identify an object.
 * sx_mem_host returns a number that is equal for all processes of one system; these processes can map each
 * other's files. sx_mem_get_cpus returns a number that is equal for processes that may run on the same set of
 * processors; *count becomes the number of processors in this set, or 0 if it is unknown. */
int64_t sx_mem_process(void);
int64_t sx_mem_take_serial(void);
int64_t sx_mem_host(void);
int64_t sx_mem_get_cpus(int *count);

/* ---- files in memory (memory_file.c) */

/* Only Linux has these files: FreeBSD has memfd_create, too, but no /proc/PID/fd, through which other
 * processes open the file. On other systems create and open return -1, and map returns NULL. */
#if defined __linux__ && defined HAVE_MEMFD_CREATE && defined HAVE_FALLOCATE
#define SX_MEM_HAS_FILES 1
#else
#define SX_MEM_HAS_FILES 0
#endif

/* Create an empty file for a segment. The file's name consists of `process` and `serial`, which identify the
 * segment. Returns a descriptor; -1 if that fails. */
int sx_mem_file_create(int64_t process, int64_t serial);

/* Open a file that another process of this host has created and still has open. `pid` is the system's number
 * of the other process, and `file` the descriptor of the file there. The other process has passed `process`
 * and `serial` to sx_mem_file_create; here they are compared with the file's name. Returns a descriptor of
 * this process; -1 if that fails. */
int sx_mem_file_open(int pid, int file, int64_t process, int64_t serial);

/* Set the length of a file to `bytes`, forbid to shrink the file, and map it for reading. The `own` bytes at
 * offset `at` become writable, and their pages are allocated. bytes, at and own are multiples of the page
 * size. Returns the mapping; NULL if that fails. */
char *sx_mem_file_map(int file, ptrdiff_t bytes, ptrdiff_t at, ptrdiff_t own);
void sx_mem_file_unmap(char *map, ptrdiff_t bytes);

/* Forbid to lengthen a file, and close it; does nothing for -1. Other processes can then no longer open the
 * file through this process. So all ranks of the node must have mapped it before. Mappings remain valid. */
void sx_mem_file_close(int file);

/* Query whether the system gives huge pages on request: to files in memory if is_shared, else to private
 * memory. */
int sx_mem_has_huge_pages(int is_shared);

/* ---- the segments of subx_mem_alloc in this process (list.c); all functions are thread-safe */

/* find_address: find the segment in which this rank's piece contains an address. find_key: find the segment
 * with a key. NULL if there is none. Both take logarithmic time. */
const sx_segment *sx_mem_find_address(const void *address);
const sx_segment *sx_mem_find_key(int64_t key);

/* reserve: reserve room for one segment, so that `add` cannot fail. Each call of `reserve` is followed by one
 * call of `add` or `cancel`. */
int sx_mem_list_reserve(void);
void sx_mem_list_cancel(void);
void sx_mem_list_add(sx_segment *s);

/* Take a segment from the list: the segment in which this rank's piece begins at an address; NULL if there is
 * none. The caller frees the segment. */
sx_segment *sx_mem_list_take(const void *address);

#endif
