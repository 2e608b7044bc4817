/* stages.h - the steps of a choice from the physical to the spectral side: serial transforms and exchanges.
 * The plans of all strategies have these stages. A strategy keeps data of its own for stage i in its state,
 * also at index i. */
#ifndef SX_STAGES_H
#define SX_STAGES_H

#include "choice/choice.h"
#include <subx_tune.h>

typedef struct sx_stage {
    int kind; /* SUBX_FFT_STAGE_* */
    char name[96];
    sx_box from, to;                 /* what a forward execution reads and writes */
    int naxes, axes[SUBX_NDIMS_MAX]; /* serial: the axes that a forward execution transforms, in this
                                        order; none if the stage only copies */
    const sx_edge *edge[2]; /* [side]: the edge that a forward execution reads or writes instead of the
                               box; NULL if none */
    int dim;                /* exchange: its grid dimension; -1 for all ranks, from or to an edge */
    int whole_before, divided_before; /* exchange: the axis that is whole, and the axis that is divided,
                                         before a forward exchange; after it they have changed places */
    double last[2], total[2];         /* seconds, by direction */
} sx_stage;

/* The most stages that a list can have. A list begins and ends with a serial stage, or with the exchange of
 * an edge (array.h). Between two exchanges there is at least one serial stage. No axis is transformed by two
 * stages. An edge adds an exchange, and for most strategies a copy. */
enum { SX_NSTAGES_MAX = 2 * SUBX_NDIMS_MAX + 4 };

typedef struct sx_stages {
    const sx_choice *choice;
    const sx_strategy *strategy;
    int n;
    sx_stage stage[];
} sx_stages;

/* Allocate a list with room for the stages of any choice that has the same array. The caller frees it with
 * sx_base_free; NULL if there is no memory. */
sx_stages *sx_stages_alloc(const sx_array *a);

/* List the stages of a choice. Values that differ between ranks are not set: sx_stages_create sets start,
 * len, stride and bytes of the boxes. Returns 0 if no strategy can serve the choice. Local. */
int sx_stages_list(sx_stages *list, const sx_choice *c);

/* Add a serial stage that reads box `from`, and transforms axis i if axes[i] is not 0. Strategies call this
 * function. */
void sx_stages_add_serial(sx_stages *list, const sx_box *from, const char axes[]);

/* Get the box that the last stage writes. */
const sx_box *sx_stages_get_last(const sx_stages *list);

/* Create the stages of a rank, with its blocks. The array has one more entry behind the n stages: stage[n]
 * scales. Local.
 *   coords  [in]   coordinates of the rank in the grid; NULL for a rank that has no data
 *   n       [out]  number of stages
 *   stage   [out]  the stages; the caller frees them with sx_base_free */
int sx_stages_create(const sx_choice *c, const int coords[], int *n, sx_stage **stage);

/* ---- a stage in a direction d, SX_FORWARD or SX_BACKWARD (stage.c) */

/* Query whether a stage transforms an axis. */
int sx_stage_is_transformed(const sx_stage *s, int axis);

/* Get the box that a stage reads (SX_FROM) or writes (SX_TO) in a direction. */
const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side);

/* Get the edge that a stage reads (SX_FROM) or writes (SX_TO) in a direction; NULL if it reads or writes its
 * box. */
const sx_edge *sx_stage_get_edge(const sx_stage *s, int d, int side);

/* Get the bytes of the array that this rank reads (SX_FROM) or writes (SX_TO) in a stage, in a direction. */
ptrdiff_t sx_stage_get_bytes(const sx_stage *s, int d, int side);

/* In direction d, get the axis that an exchange makes whole, or the axis that it divides. */
int sx_stage_get_whole(const sx_stage *e, int d);
int sx_stage_get_divided(const sx_stage *e, int d);

/* ---- blocks of an exchange (block.c) */

/* A slice: part i of n along an axis. */
typedef struct sx_slice {
    int axis, n, i;
} sx_slice;

/* Get the boxes of the edge that this rank has (if `side` is the edge) or its partner has, and their number;
 * NULL and 1 if the exchange has no edge. */
const sx_edge_box *sx_stage_get_edge_boxes(const sx_stage *s, int d, int side, int partner, ptrdiff_t *count);

/* Get the block that this rank sends to a partner (SX_FROM), or receives from it (SX_TO), in an exchange in
 * direction d: of one slice, and for box k of these boxes. Its start counts from this rank's array, or from
 * this rank's box at the edge, which begins at `offset`. A length may be 0. */
void sx_stage_get_block(const sx_choice *c, const sx_stage *s, int d, int side, int partner, ptrdiff_t k,
                        const sx_slice *slice, sx_edge_box *block);

/* Get the problem of the transforms of a serial stage in direction d; all other axes are its loops. In a
 * problem, as in FFTW, the axis that a real transform halves is the last one. In a stage it is the first one,
 * because forward transforms it first. All axes after the first are C2C. reads_caller: the stage reads the
 * caller's array, which it must leave unchanged, unless it transforms complex numbers to reals. */
sx_serial_problem sx_stage_get_problem(const sx_choice *c, const sx_stage *s, int d, int reads_caller);

static inline int sx_stage_is_exchange(const sx_stage *s)
{
    return s->kind == SUBX_FFT_STAGE_EXCHANGE;
}

/* Print the storage orders of the arrays that a stage reads and writes, innermost axis first: "(2,1,0) to
 * (1,2,0)", or one order if they are equal. */
void sx_stage_print_orders(const sx_stage *s, sx_text *t);

#endif
