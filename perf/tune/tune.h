/* tune.h - functions that the files of subx-perf-tune share: they create plans of each effort for one problem, and compare
 * the times of these plans. */
#ifndef SX_PERF_TUNE_H
#define SX_PERF_TUNE_H

#include "common/perf.h"

#include <subx_fft.h>

/* The plans that are compared: one per effort, and WISDOM, a plan of effort measure that is created from wisdom. */
enum {
    SX_PERF_TUNE_ESTIMATE,
    SX_PERF_TUNE_MEASURE,
    SX_PERF_TUNE_PATIENT,
    SX_PERF_TUNE_WISDOM,
    SX_PERF_TUNE_NPLANS
};

enum { SX_PERF_TUNE_FORWARD, SX_PERF_TUNE_BACKWARD, SX_PERF_TUNE_BOTH, SX_PERF_TUNE_NDIRECTIONS };

struct sx_perf_tune_settings {
    struct sx_perf_settings common; /* must come first */
    int direction;
    struct sx_perf_names problems;  /* canonical after sx_perf_tune_settings_import */
    int plans[SX_PERF_TUNE_NPLANS]; /* 1 if the plan is created */
    char wisdom[SX_PERF_TEXT_MAX];  /* a file, or empty */
};

/* Totals over all problems, for one of the plans SX_PERF_TUNE_*. */
struct sx_perf_tune_total {
    int count;
    /* log_ratio: sum of the logarithms of all ratios; worst: the largest ratio. most_seconds: the longest planning,
     * seconds; transforms: the largest `transforms` of a row. */
    double log_ratio, worst, transforms, most_seconds;
    double least_model, most_model; /* predicted / measured seconds */
    const char *worst_problem;
};

struct sx_perf_tune_job {
    struct sx_perf_tune_settings settings;
    struct sx_perf_table table;
    struct sx_perf_progress progress;
    int nwrong;
    struct sx_perf_tune_total total[SX_PERF_TUNE_NPLANS];
};

/* A plan, and the time of its creation on the slowest rank. */
struct sx_perf_tune_plan {
    int which; /* SX_PERF_TUNE_* */
    subx_fft_plan plan;
    double seconds;
    int direction;
    void *array[2]; /* [side]; all plans share the two arrays */
};

/* settings.c */
extern const struct sx_perf_program sx_perf_tune_program;
void sx_perf_tune_settings_import(struct sx_perf_tune_settings *settings);
const char *sx_perf_tune_settings_query_plan(int which);

/* plans.c: create plan `which`, without knowledge from earlier plans of this process. For WISDOM, the function first
 * creates another plan, which writes the file of wisdom, and then creates the plan from this file. Collective. */
void sx_perf_tune_plans_create(const struct sx_perf_tune_settings *settings, const char *problem, int which,
                               struct sx_perf_tune_plan *plan);

/* Print the most important hints of a plan, such as "fused 2x1 shm". */
void sx_perf_tune_plans_print(const struct sx_perf_tune_plan *plan, size_t len, char *text);

/* The action of a case: execute a plan in its direction. If its direction is "both", execute it forward and then
 * backward. */
int sx_perf_tune_plans_execute(void *plan);

/* model.c: get the seconds that the cost model predicts for a forward transform; NAN if it has no price. */
double sx_perf_tune_model_get(const struct sx_perf_tune_plan *plan);

/* check.c: query whether a forward and then a backward transform give the data back, multiplied by a factor. Leaves
 * zeros in the arrays. Collective. */
int sx_perf_tune_check_query(const struct sx_perf_tune_plan *plan);

/* fftw3.c or nofftw3.c: let FFTW forget the wisdom of this process. */
void sx_perf_tune_fftw3_forget(void);

/* measure.c: measure the plans for a problem, and add their rows. Collective. */
void sx_perf_tune_measure_execute(struct sx_perf_tune_job *job, const char *problem);

/* The measurements of a plan. */
struct sx_perf_tune_row {
    const char *problem;
    /* planning: seconds; transforms: how many transforms of the fastest plan take as long as this planning */
    double planning, transforms;
    double min, median, ratio; /* seconds of a transform; ratio: median / the fastest plan's median */
    double predicted;          /* seconds; NAN if unknown */
};

/* summary.c: add a plan to the totals; add the notes about all plans. */
void sx_perf_tune_summary_add(struct sx_perf_tune_job *job, int which, const struct sx_perf_tune_row *row);
void sx_perf_tune_summary_export(struct sx_perf_tune_job *job);

#endif /* SX_PERF_TUNE_H */
