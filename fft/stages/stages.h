/* stages.h - the steps that lead from the physical to the spectral side of a choice: serial transforms and exchanges. Every
 * strategy has these; what only one of them needs per stage is in its own state, by the index of the stage. */
#ifndef SX_STAGES_H
#define SX_STAGES_H

#include "choice/choice.h"

typedef struct sx_stage {
    int kind; /* SUBX_FFT_STAGE_* */
    char name[96];
    sx_box from, to;                 /* as forward sees them */
    int naxes, axes[SUBX_NDIMS_MAX]; /* serial: the transformed axes in forward's order; none to copy */
    const sx_edge *edge[2]; /* what forward reads and writes where that is an edge; NULL for `from`, `to` */
    int dim;                /* exchange: over which grid dimension; -1 for all ranks, from or to an edge */
    int whole, divided;     /* exchange: the axes that are whole and divided before it, as forward sees it */
    double last[2], total[2]; /* seconds, by direction */
} sx_stage;

/* A list begins and ends with a serial stage. Between two exchanges there is at least one. Each axis is transformed by one stage at
 * most. An edge has two stages. */
enum { SX_NSTAGES_MAX = 2 * SUBX_NDIMS_MAX + 4 };

typedef struct sx_stages {
    const sx_choice *choice;
    const sx_strategy *strategy;
    int n;
    sx_stage stage[];
} sx_stages;

/* Allocate a list with room for the stages of any choice that has the same array. Freed by sx_base_free; NULL without memory. */
sx_stages *sx_stages_alloc(const sx_array *a);

/* List the stages, with boxes that lack each rank's own block. Returns 0 if no strategy can serve the choice. Local. */
int sx_stages_list(sx_stages *list, const sx_choice *c);

/* Add a serial stage that transforms the axes whose entry in `axes` is not 0. For strategies. */
void sx_stages_add_serial(sx_stages *list, const sx_box *from, const char axes[]);

/* Get the box that the last stage writes. */
const sx_box *sx_stages_get_last(const sx_stages *list);

/* Create the stages of a rank, with its blocks, and behind them one that scales, which does not count. Local.
 *   coords  [in]   of the rank in the grid; NULL for a rank that has no data
 *   n       [out]  how many there are
 *   stage   [out]  freed by the caller */
int sx_stages_create(const sx_choice *c, const int coords[], int *n, sx_stage **stage);

/* ---- a stage as a direction sees it (stage.c) */

/* Get what an array has on a side in a direction. */
const sx_box *sx_stage_get_box(const sx_stage *s, int d, int side);

/* Get the edge that it is on a side in a direction, NULL if it is a box. */
const sx_edge *sx_stage_get_edge(const sx_stage *s, int d, int side);

/* Get the bytes that this rank has on a side in a direction. */
ptrdiff_t sx_stage_get_bytes(const sx_stage *s, int d, int side);

/* Get the axis that an exchange makes whole in a direction, and the one that it divides. */
int sx_stage_get_whole(const sx_stage *e, int d);
int sx_stage_get_divided(const sx_stage *e, int d);

static inline int sx_stage_is_exchange(const sx_stage *s)
{
    return s->kind == SUBX_FFT_STAGE_EXCHANGE;
}

/* Print in which orders its arrays are stored, innermost axis first: "(2,1,0) to (1,2,0)", or one order. */
void sx_stage_print_orders(const sx_stage *s, sx_text *t);

#endif
