/* rule.c - decide for which messages packing by our kernels is faster than MPI.
 *
 * The rules come from measurements of MPI_Send and MPI_Recv between two ranks of a node, with messages of 256
 * bytes to 1 MiB. The types were vectors with blocks of 8 to 4096 bytes, transpositions, and boxes of
 * three-dimensional arrays. The sender, the receiver, or both had such a type; in the table both had it. The
 * numbers of the table are our time / MPI's time (each the least of many). A row is for a length of blocks,
 * in bytes; a column is for a length of messages:
 *
 *                                     1 KiB     4 KiB     8 KiB    16 KiB    64 KiB   256 KiB     1 MiB
 *   Open MPI 4.1.4  8, vector           0.6       0.6       0.4       0.3       0.4       0.4       0.5
 *                   8, transposition    0.5       0.5       0.3       0.2       0.2       0.3       0.1
 *                  16, vector           0.6       0.7       0.4       0.4       0.4       0.6       0.7
 *                  64, vector           1.0       0.7       0.6       0.5       1.0       1.4       1.8
 *                 256, vector           1.2       1.0       0.9       0.8       1.1       1.6       2.0
 *   MPICH 4.0.2     8, vector           0.6       0.7       0.9       0.1       0.1       0.1       0.1
 *                   8, transposition    0.6       0.6       0.8       0.7       0.3       0.1       0.1
 *                  64, vector           0.6       0.7       0.8       0.5       0.5       0.6       0.6
 *                 256, vector           0.6       0.6       0.7       0.8       0.7       1.1       1.1
 *                1024, vector                     0.6                 1.1       0.9       1.4       1.5
 *
 * Longer messages gain less: MPI packs one piece while the receiver unpacks another, but we pack the whole
 * message before the first byte is sent. With Open MPI all packed messages had the gap of shape.c; with
 * MPICH, only messages of at least 12 KiB had it. Without the gap, the same messages took twice as long; with
 * Open MPI only if it uses its system call. */
#include "pmpi/pmpi.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A rule: messages of `least` .. `most` bytes are packed if their blocks have at most `block` bytes. */
typedef struct rule {
    ptrdiff_t block, least, most;
} rule;

enum { KIB = 1024 };

static const rule rules[] = {
#ifdef OPEN_MPI
    {16, 512, PTRDIFF_MAX},
    {64, 8 * KIB, 128 * KIB},
#else
    {1024, 256, 8 * KIB},
    {64, 12 * KIB, PTRDIFF_MAX},
    {256, 12 * KIB, 128 * KIB},
#endif
};

/* SUBX_PMPI_RULE: "all" packs all possible messages, for tests; "none" packs no message. */
static int is_all, is_none;

static __attribute__((constructor)) void start(void)
{
    const char *value = getenv("SUBX_PMPI_RULE");
    is_all = value && strcmp(value, "all") == 0;
    is_none = value && strcmp(value, "none") == 0;
}

int sx_pmpi_record_suits(const sx_record *record, MPI_Count count)
{
    ptrdiff_t bytes = sx_pmpi_record_bytes(record, count);
    if (bytes < 0 || is_none || is_all)
        return bytes >= 0 && is_all;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        if (record->block_bytes <= r->block && bytes >= r->least && bytes <= r->most)
            return 1;
    }
    return 0;
}
