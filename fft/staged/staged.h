/* staged.h - the strategies stride1 and natural: serial transforms of whole arrays, and exchanges between
 * them.
 *
 *     from --serial--> work[0] --exchange--> work[1] --serial--> work[1] --exchange--> work[0]
 *     work[0] --serial--> to
 *
 * Two work arrays are enough for any number of exchanges (Dalcin, Mortensen & Keyes 2019, section 3.6).
 * Exchanges send only from work arrays, whose memory the ranks of a node share. */
#ifndef SX_STAGED_H
#define SX_STAGED_H

#include "plan/plan.h"

typedef struct sx_staged_stage {
    int in[2], out[2]; /* [direction]: SX_AT_* */
    subx_exch exch[2];
    void *serial[2]; /* [direction]: state of the backend; NULL if the rank has no data */
} sx_staged_stage;

/* The state of a plan. stage[i] belongs to stage i of the plan; its arrays exch and serial have an entry per
 * direction. */
typedef struct sx_staged {
    void *memory; /* memory of the work arrays and the exchanges. All exchanges use the same part of it:
                     only one of them is in flight at a time */
    char *exch_work;
    ptrdiff_t array_bytes, exch_bytes; /* bytes of one work array; bytes of the part for exchanges */
    void *serial_work;
    ptrdiff_t serial_bytes;
    int blocks; /* 1 if some exchange waits for other ranks already when it is started (SUBX_ENGINE_BLOCKS) */
    sx_staged_stage stage[];
} sx_staged;

int sx_staged_create(subx_fft_plan plan, MPI_Info hints);
void sx_staged_free(subx_fft_plan plan);

/* see sx_strategy (execute.c) */
void sx_staged_list(subx_fft_plan plan, int d, sx_list *list);
int sx_staged_start(subx_fft_plan plan);
int sx_staged_is_ready(subx_fft_plan plan, const sx_event *e);
void sx_staged_execute(subx_fft_plan plan, const sx_event *e);
void sx_staged_progress(subx_fft_plan plan, const sx_event *next);

/* Get the number of work arrays: 1 or 2. */
int sx_staged_get_narrays(subx_fft_plan plan);

#endif
