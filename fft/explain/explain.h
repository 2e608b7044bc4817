/* explain.h - an explanation of a plan: its facts, which are collected once, and are then printed as text or
 * as JSON. */
#ifndef SX_EXPLAIN_H
#define SX_EXPLAIN_H

#include "plan/plan.h"
#include <math.h>

/* Numbers that are not known are NAN. */
typedef struct sx_explained_stage {
    const sx_stage *stage;
    const char *engine; /* of an exchange; else NULL */
    int nslices;
    /* Bytes that a rank sends by the model: [SX_INSIDE], inside its node; [SX_BETWEEN], to other nodes. */
    double bytes[2];
    double sent;            /* bytes that this rank sends */
    double memory;          /* bytes that the busiest rank reads and writes in a pass, by the model */
    double predicted, last; /* seconds of the stage forward: by the model; in this rank's last execution */
} sx_explained_stage;

typedef struct sx_explanation {
    subx_fft_plan plan;
    sx_choice choice; /* the choice as it took effect */
    char problem[SX_PROBLEM_TEXT];
    char layout[64]; /* how ranks are placed on nodes; empty if not known */
    char lost[SX_HINT_LEN], unused[SX_HINT_LEN];
    char wire[256];    /* says how large the error is if messages carry floats; else empty */
    int is_calibrated; /* 1 if the parameters of the machine differ from the default ones */
    ptrdiff_t work;    /* bytes of this rank's work space */
    int nstages;       /* number of stages of forward, including the stage that scales */
    sx_explained_stage stage[SX_NSTAGES_MAX + 1];
    double predicted, last; /* sums of the stages' seconds */
} sx_explanation;

/* Get a candidate's seconds by the model, its measured seconds, and its ratio (the candidate's time / the
 * reference's time, fft/tune); NAN if not known. */
static inline double sx_explain_get_predicted(const sx_candidate *c)
{
    return c->price > 0 ? c->price : NAN;
}

static inline int sx_explain_is_measured(const sx_candidate *c)
{
    return c->trial.outcome == SX_TUNE_MEASURED || c->trial.outcome == SX_TUNE_STOPPED;
}

static inline double sx_explain_get_measured(const sx_candidate *c)
{
    return sx_explain_is_measured(c) ? c->trial.seconds : NAN;
}

static inline double sx_explain_get_ratio(const sx_candidate *c)
{
    return sx_explain_is_measured(c) ? c->trial.ratio : NAN;
}

/* Print an explanation for people (text.c); print it as one JSON object (json.c). */
void sx_explain_print_text(const sx_explanation *e, sx_text *t);
int sx_explain_print_json(const sx_explanation *e, sx_text *t);

#endif
