/* predict.h - the expected time of a problem on a machine that is described in a text, without the ranks of
 * this machine. */
#ifndef SX_PREDICT_H
#define SX_PREDICT_H

#include "machine/network.h"
#include "model/model.h"

/* A described machine. */
typedef struct sx_described {
    sx_machine machine; /* its member `memory` is used only if memory_per_node is 0 */
    sx_network network;
    double memory_per_node; /* bytes/s of a node; 0 if the description has only the bandwidth of one rank,
                               machine.memory */
    int cores_per_node;
} sx_described;

/* Parse a description (machine.c): lines `name = value`; # begins a comment. Returns SUBX_ERR_HINT, with the
 * reason as the text of the error, if a line is wrong or a value is missing. */
int sx_predict_parse(const char *text, sx_described *d);

/* The prediction for a number of ranks. All seconds are for one forward transform. */
typedef struct sx_prediction {
    int nranks, nnodes, g, dims[SUBX_NDIMS_MAX];
    double seconds, pass, exchange;
    double limit;     /* seconds that the busiest node's link needs for the bytes that leave the node */
    const char *link; /* which links are slowest: "node", "group"; "none" if no bytes leave a node */
} sx_prediction;

/* Predict the time on one number of ranks (predict.c). */
int sx_predict_get(const sx_described *d, subx_fft_problem problem, MPI_Info hints, int nranks,
                   sx_prediction *p);

/* Print predictions in a format (print.c), SUBX_FFT_TEXT, .._JSON or .._CSV. `name` is the problem's text. */
void sx_predict_print(const char *name, int n, const sx_prediction list[], int format, sx_text *t);

#endif
