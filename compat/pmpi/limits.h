/* limits.h - the constants of the interposer that measurements have set, each with what it decides. */
#ifndef SX_PMPI_LIMITS_H
#define SX_PMPI_LIMITS_H

/* Packed bytes from which on our kernels are as fast as MPI's loops, for any type. */
enum { SX_PMPI_LEAST_PACKED = 256 };
/* MPICH sends shorter contiguous messages at once: they have no gap. */
enum { SX_PMPI_LEAST_GAP = 12288 };
/* Buffers that are kept for later calls: their bytes, their number. */
#define SX_PMPI_KEPT_BYTES ((ptrdiff_t)1 << 30)
enum { SX_PMPI_KEPT_BUFFERS = 32 };
/* The counts of a type whose copies a record keeps: programs use few. */
enum { SX_PMPI_MOST_COPIES = 16 };
/* The shared way of an all-to-all: wanted from so many bytes of a rank on; the exchange is created in the
 * first call from LONG on, and else later, as creating it takes longer than a short call. */
enum { SX_PMPI_SHARED_BYTES = 32 << 10, SX_PMPI_LONG_BYTES = 4 << 20 };
/* The part of the other way's time below which the shared way is kept at once. */
#define SX_PMPI_MUCH 0.4
/* The most calls until the next agreement, if no slot is live. */
enum { SX_PMPI_MOST_SKIPPED = 255 };
/* The work space of a rank for slices, which stays in the caches; a slice at least (else ranks of a processor
 * wait for each other too often); slices in flight; the most slices. */
enum { SX_PMPI_WORK_BYTES = 2 << 20, SX_PMPI_LEAST_SLICE = 16 << 10 };
enum { SX_PMPI_WINDOW = 4, SX_PMPI_MOST_SLICES = 65536 };

#endif
