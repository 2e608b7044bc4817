/* order.h - pairs of storage orders, for the files of subx-perf-order.
 *
 * A pair of orders has one of two meanings. "storage": the send array is stored in the send order, and the receive
 * array in the receive order; the exchange is created by subx_exch_create_realign. "traversal": both arrays are stored
 * in Fortran order, and the types traverse the arrays in the send order and in the receive order. So the sender's axis
 * send[i] becomes the receiver's axis recv[i]. The tables in Y. Yan, "Improved MPI Collectives for 3D-FFT", are about
 * traversals.
 */
#ifndef SX_PERF_ORDER_H
#define SX_PERF_ORDER_H

#include "common/perf.h"

enum { SX_PERF_ORDER_NDIMS_MIN = 2, SX_PERF_ORDER_NDIMS_MAX = 4 };
enum { SX_PERF_ORDER_AUTO, SX_PERF_ORDER_STORAGE, SX_PERF_ORDER_TRAVERSAL };
enum { SX_PERF_ORDER_ALL, SX_PERF_ORDER_TABLE1A, SX_PERF_ORDER_TABLE1B, SX_PERF_ORDER_LIST };

struct sx_perf_order_settings {
    struct sx_perf_settings common; /* must come first */
    struct sx_perf_shape shape;
    struct sx_perf_names pairs; /* the words of --pairs, if they are a list */
    int dtype, meaning, set;
    /* --axes V,W: axis V is whole before the exchange, axis W after it. V = W if the option is not given. */
    int axis[2];
};

/* A pair of orders. Each lists the axes, innermost axis first. */
struct sx_perf_order_pair {
    int send[SX_PERF_ORDER_NDIMS_MAX], recv[SX_PERF_ORDER_NDIMS_MAX];
};

/* The result of an engine for a pair: seconds, and their ratio to the time of the first reference, which is MPI's plain
 * subarray, or, on a device, a copy. The ratio is
 * negative if the engine does not support the pair, or gave a wrong result. */
struct sx_perf_order_result {
    double median, ratio;
};

struct sx_perf_order_job {
    struct sx_perf_order_settings settings;
    int ndims, v, w, npairs;
    struct sx_perf_order_pair *pairs;
    MPI_Datatype element;
    ptrdiff_t element_bytes, recv_bytes; /* recv_bytes: of this rank */
    double most_bytes;                   /* bytes received by the rank that receives most */
    char *in, *out,
        *host[2]; /* host: arrays of the host, from and to which `in` and `out` are copied; they are `in` and
                                 `out` themselves, unless these are on a device */
    struct sx_perf_order_result *results; /* [pair * number of engines + engine] */
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
};

/* ------------------------------------------------------------------------------- settings.c */

extern const struct sx_perf_program sx_perf_order_program;

/* Copy the settings into the job; stop if they are wrong. Collective. */
void sx_perf_order_settings_import(struct sx_perf_order_job *job);

const char *sx_perf_order_settings_query_dtype(const struct sx_perf_order_settings *settings);
const char *sx_perf_order_settings_query_meaning(const struct sx_perf_order_settings *settings);

/* ---------------------------------------------------------------------------------- pairs.c */

/* Set the job's pairs to the pairs that the settings name. Collective, because it may stop. */
void sx_perf_order_pairs_create(struct sx_perf_order_job *job);

/* ---------------------------------------------------------------------------------- sides.c */

/* Get this rank's block of the array before and after the exchange of a pair. If `pair` is NULL, both are in C
 * order. */
void sx_perf_order_sides_get(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                             struct sx_perf_box *send, struct sx_perf_box *recv);

/* ------------------------------------------------------------------------------- exchange.c */

/* Create the exchange of a pair by an engine; returns the library's error code. Collective. */
int sx_perf_order_exchange_create(const struct sx_perf_order_job *job, const struct sx_perf_order_pair *pair,
                                  const char *engine, subx_exch *ex);

/* ---------------------------------------------------------------------------------- plain.c */

/* The reference: MPI_Alltoallw with MPI's own subarray types, both arrays in C order. */
struct sx_perf_order_plain {
    int nranks, *count[2], *displ;
    MPI_Datatype *type[2];
    const void *in;
    void *out;
};

void sx_perf_order_plain_create(const struct sx_perf_order_job *job, struct sx_perf_order_plain *plain);
int sx_perf_order_plain_execute(void *plain);
void sx_perf_order_plain_free(struct sx_perf_order_plain *plain);

/* Query whether the arrays are on a device. There, MPI's types cannot be measured. */
int sx_perf_order_query_device(const struct sx_perf_order_job *job);

/* -------------------------------------------------------------------------------- measure.c */

/* Create and verify the exchanges of a pair. Time them alternately with the references, and add their rows.
 * Collective. */
void sx_perf_order_measure_execute(struct sx_perf_order_job *job, int which,
                                   struct sx_perf_order_plain *plain);

/* -------------------------------------------------------------------------------- summary.c */

/* Add the notes to the table. */
void sx_perf_order_summary_export(struct sx_perf_order_job *job);

#endif /* SX_PERF_ORDER_H */
