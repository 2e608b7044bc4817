/* limits.h - the constants of libsubx that measurements have set, each with what it decides. Facts of a
 * format, of a protocol or of arithmetic are not here. Those of libsubx_fft: fft/limits/limits.h. */
#ifndef SX_BASE_LIMITS_H
#define SX_BASE_LIMITS_H

/* ---- what all processors of the last ten years have; bytes if not said otherwise */

/* A cache line: non-temporal stores write whole lines, prefetches ask for one. */
enum { SX_LINE = 64 };
/* A page of memory: processors prefetch within it, not beyond. */
enum { SX_PAGE = 4096 };
/* Lines at this distance share one set of a first-level cache, which has at least so many ways. */
enum { SX_SET_BYTES = 4096, SX_SET_WAYS = 8 };
/* Sizes of caches if the system tells none: those of the smallest server; LEVEL3 is a thread's share. */
enum { SX_LEVEL2_BYTES = 256 << 10, SX_LEVEL3_BYTES = 2 << 20 };
/* On servers, a thread's share of the third level in second levels, if the system tells only those. */
enum { SX_LEVEL3_RATIO = 3 };

/* ---- memory (lib/base, lib/mem) */

/* A huge page; memory and shared files are on huge pages from LARGE on: a transposing copy on small pages has
 * a TLB miss at every step. Areas, which are read and written alternately, are from LEAST_HUGE on. */
enum { SX_BASE_HUGE_PAGE = 2 << 20, SX_BASE_LARGE = 2 * SX_BASE_HUGE_PAGE, SX_BASE_LEAST_HUGE = 128 << 10 };
/* From how many bytes on the free memory is asked for before memory is allocated, and before it is shared. */
enum { SX_BASE_CHECKED = 64 << 20, SX_MEM_CHECKED = 1 << 20 };
/* Bytes per call of fallocate: the call ends between two signals of a profiler, which undo its work. */
enum { SX_MEM_STEP = 16 << 20 };

/* ---- waiting (lib/base/relax.c) */

/* The costs of a look at a counter, and of asking MPI. */
enum { SX_RELAX_LOOK = 1, SX_RELAX_ASK = 20 };
/* The cost after which a rank lets MPI progress, and yields the processor: soon if ranks are crowded. */
enum { SX_RELAX_PROGRESS = 5000, SX_RELAX_YIELD_SOON = 100, SX_RELAX_YIELD_LATE = 20000 };
/* Up to so many threads start on every system: its limits are not asked. */
enum { SX_BASE_FEW_THREADS = 16 };

/* ---- copies (lib/kern, lib/copy) */

/* Copies up to this size stay in any caches: hwloc, which takes milliseconds, is not asked. */
enum { SX_KERN_LEAST_KEEP = 1 << 20 };
/* The least piece of a copy that is worth waking a thread. */
enum { SX_KERN_PIECE_BYTES = 64 << 10 };
/* Layouts with fewer bytes and fewer elements are copied by loops: finding a plane takes as long. */
enum { SX_PLANE_LITTLE_BYTES = 4096, SX_PLANE_FEW_ELEMENTS = 256 };
/* The largest element that patches move: a longer block fills whole lines by itself. */
enum { SX_PLANE_BLOCK = 256 };
/* The chain that is read is lengthened to a few lines, which hardware prefetchers can follow. */
enum { SX_PLANE_READ_BYTES = 512 };
/* Copies up to this size need no staging buffer, even if their columns collide. */
enum { SX_PLANE_FIRST_LEVEL = 64 << 10 };
/* Bytes of a patch per row that is read, and per column that is written; bytes that a task handles before the
 * next task (about what a core has in flight). 256^3 and 192 x 200 x 210 elements of 4, 8 and 16 bytes: the
 * fastest of all factors of two, or a few per cent slower. Rows of one or two lines take twice as long;
 * alternating tasks are a fifth faster than whole buffers. */
enum { SX_PATCH_READ_BYTES = 1024, SX_PATCH_RUN_BYTES = 4096, SX_PATCH_PIECE_BYTES = 2048 };
/* The largest patch with fewer rows or columns than a microtile: it stays in the first-level cache. */
enum { SX_PATCH_SHORT_BYTES = 8192 };
/* Rows that are moved at a time: MORE for elements below SMALL bytes, for half a line per column. */
enum { SX_PATCH_FEW_ROWS = 4, SX_PATCH_MORE_ROWS = 8, SX_PATCH_SMALL = 16 };
/* Shorter columns that follow each other without gaps are written as one run. */
enum { SX_PATCH_COALESCE_BYTES = 512 };
/* The most bytes, rows and columns of a patch in a staging buffer (two fit into a second level of 1 MiB); the
 * rows of the next patch that are prefetched; the copies that can have a staging at the same time. */
enum { SX_STAGING_BYTES = 256 << 10, SX_STAGING_ROWS = 1024, SX_STAGING_COLS = 512, SX_STAGING_AHEAD = 16 };
enum { SX_STAGING_COUNT = 64 };
/* Long rows: bytes between two prefetches, and how far ahead they are, at least and at most. Rows of 1 KiB to
 * 4 MiB: the fastest of factors of two. */
enum { SX_ROWS_PIECE_BYTES = 256, SX_ROWS_AHEAD_BYTES = 4096, SX_ROWS_FARTHEST_BYTES = 16384 };
/* The plain loop prefetches rows of at least SHORTEST bytes, so far ahead: 0.7 of the time, from memory. */
enum { SX_SCALAR_SHORTEST = 256, SX_SCALAR_AHEAD_BYTES = 8192 };
/* Copies of a device by its own rows: at most so many calls, each with rows of at least so many bytes. */
enum { SX_COPY_MOST_CALLS = 64, SX_COPY_LEAST_BYTES = 64 };

/* ---- kernels of devices (lib/device) */

/* An axis shorter than this is not worth a tile. */
enum { SX_TILE_LEAST = 8 };
/* Words of a field that are read before the words of the next interleaved field; at least, if it must divide.
 * The other fields are then still in a cache. */
enum { SX_DEVICE_RUN = 1024, SX_DEVICE_LEAST_RUN = 32 };

/* ---- ranks of a node (lib/comm/distance.c) */

/* Ranks are far if writing a line that the other has read takes longer, seconds: 1.8 and 8.3 ns on EPYC
 * 9005. */
#define SX_COMM_FAR 4e-9
/* The lines and the rounds of this measurement, and its seconds at most. */
enum { SX_COMM_LINES = 128, SX_COMM_ROUNDS = 10 };
#define SX_COMM_LONGEST 0.02

/* ---- exchanges (lib/exch) */

/* From this run on MPI's own engines are faster than a packing one: 0.6 to 0.8 of alltoallv's time, 2 ranks
 * of a node, Open MPI 4.1.4 and MPICH 4.0.2. */
enum { SX_EXCH_LONG_RUN = 16 << 10 };
/* Bytes of a slice that a carrier sends, and the most slices. Blocks of 8 MiB took 0.75 of the time of whole
 * blocks (2 ranks of a node): a slice stays in the second-level cache. */
enum { SX_EXCH_SLICE_BYTES = 256 << 10, SX_EXCH_MOST_SLICES = 1024 };
/* The same between devices: a slice must take much longer than the latencies of its copies and messages. */
enum { SX_EXCH_DEVICE_SLICE_BYTES = 4 << 20, SX_EXCH_DEVICE_MOST_SLICES = 16 };
/* Runs of this length are copied nearly as fast as longer ones: a step of a block has so many bytes. */
enum { SX_EXCH_RUN_BYTES = 256 };
/* A block with more chunks would need too many kernels of a device. */
enum { SX_EXCH_MOST_CHUNKS = 256 };
/* An engine is not checked at creation if this would allocate more bytes on a rank. */
enum { SX_EXCH_CHECK_BYTES = 64 << 20 };

#endif
