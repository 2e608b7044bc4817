/* strategy.h - a strategy executes the stages of a plan. This header has the properties and the functions of
 * a strategy, and the list of all strategies. */
#ifndef SX_STRATEGY_H
#define SX_STRATEGY_H

#include "base/base.h"
#include <subx_fft.h>

/* Types that rooms above this one define. The functions of a strategy take pointers to them. */
struct sx_box;
struct sx_choice;
struct sx_event;
struct sx_list;
struct sx_stages;

/* Directions. SX_FORWARD and SX_BACKWARD are also indices of arrays that have an entry per direction.
 * SX_ROUND means: forward, then an operation, then backward. */
enum { SX_FORWARD = 0, SX_BACKWARD = 1, SX_ROUND = 2 };

/* Groups of hints (hints/hints.c). SX_HINTS_COMMON has the hints that all strategies read; each other group
 * has hints that only some strategies read. A strategy that reads SX_HINTS_TILES also reads
 * SX_HINTS_PIPES. */
enum { SX_HINTS_COMMON, SX_HINTS_TILES, SX_HINTS_EXCHANGES, SX_HINTS_PIPES };

/* The data that a rank moves in an exchange. */
typedef struct sx_traffic {
    const char *engine;
    int nslices;
    int is_narrow;            /* 1 if the blocks have floats, although the plan's reals are wider */
    ptrdiff_t sent, received; /* bytes; `received` may lack the blocks that are read in partners' memory */
} sx_traffic;

/* The ways of data between the devices of ranks. WAY_CARRIER, WAY_READER: the words device_carrier and
 * device_reader, whose values count from 0, without auto (hints.h). is_used: some exchange has this value.
 * is_barred: some exchange cannot have it. All are 0 or 1. */
enum { SX_WAY_CARRIER, SX_WAY_READER, SX_WAYS, SX_WAY_VALUES = 4 };
typedef struct sx_ways {
    int is_used[SX_WAYS][SX_WAY_VALUES], is_barred[SX_WAYS][SX_WAY_VALUES];
} sx_ways;

/* The effect of the hint subx_wire on a plan: the number of exchanges whose messages carry floats, and for
 * each direction a bound of the error: |error| <= relative * |input| + least, where |..| is the 2-norm. */
typedef struct sx_wire {
    int exchanges;
    double relative[2], least[2];
} sx_wire;

typedef struct sx_strategy {
    const char *name;
    int hints;             /* SX_HINTS_*: the hints that the strategy reads besides the common ones */
    const char *transform; /* name of the stages that transform */
    int reorders;          /* 1 if the axis that an exchange makes whole becomes the innermost axis */
    int has_scale;         /* 1 if scaling is a stage of its own */
    int is_on_device;      /* 1 if the caller's arrays must be in a device's memory */
    int exchanges_edges; /* 1 if exchanges read and write the caller's boxes at edges (fft/array), so that no
                              stage copies these boxes */
    int narrows;         /* 1 if the strategy's messages can have floats instead of the plan's reals */
    int needs_exchanges; /* 1 if without exchanges the strategy does the same as another one */

    /* Get the name of the i-th engine that the strategy can use, not counting "auto"; NULL if there is
     * none. */
    sx_words query_engine;
    int tried; /* SUBX_ENGINE_TRY_*: a short search tries only the strategy's engines with this trait; 0: it
                  tries no engine */

    /* Query whether the strategy can execute a choice. Local. */
    int (*serves)(const struct sx_choice *c);

    /* Add the stages that transform the axes i with axes[i] != 0. Calls sx_stages_add_serial for each
     * stage. */
    void (*add_transforms)(struct sx_stages *s, const struct sx_box *from, const char axes[]);

    /* Change the choice so that its plan needs less work space. Returns 0 if no change saves any. The pointer
     * is NULL if the strategy has no such changes. */
    int (*reduce)(struct sx_choice *c);

    /* Set state, engine and threads of a plan whose stages are set. The hints are a copy for this plan, with
     * subx_work = caller, so that exchanges get their work space from the plan. Collective. The outcome may
     * differ between ranks. `free` is called later, also after an error. */
    int (*create)(subx_fft_plan plan, MPI_Info hints);
    void (*free)(subx_fft_plan plan);

    /* An execution is a walk through a list of events (plan/list.h).
     * list: list the events of a direction. Local; without calls of MPI.
     * start: check plan->run, and begin an execution; if start returns an error, no execution has begun.
     *     May be NULL.
     * is_ready: query whether an event can happen now without waiting. NULL if no event of the list waits.
     * execute: let an event happen. After an error the rank still takes part in all exchanges.
     * progress: let messages make progress; `next` is the next event. May be NULL. */
    void (*list)(subx_fft_plan plan, int d, struct sx_list *list);
    int (*start)(subx_fft_plan plan);
    int (*is_ready)(subx_fft_plan plan, const struct sx_event *e);
    void (*execute)(subx_fft_plan plan, const struct sx_event *e);
    void (*progress)(subx_fft_plan plan, const struct sx_event *next);

    /* Set the stream of the caller, NULL for none. Local. The pointer is NULL if the strategy is not on a
     * device. */
    int (*set_stream)(subx_fft_plan plan, void *stream);

    /* drop_caller: the caller has freed the plan, and the library keeps it: end its work, and forget what
     * belongs to the caller. may_be_given: query whether such a plan can be given to a caller again. Local.
     * NULL: a plan needs nothing of this. */
    void (*drop_caller)(subx_fft_plan plan);
    int (*may_be_given)(subx_fft_plan plan);

    int (*get_traffic)(subx_fft_plan plan, int i, sx_traffic *traffic);
    ptrdiff_t (*get_work)(subx_fft_plan plan);
    const void *(*get_memory)(
        subx_fft_plan plan); /* get the memory of subx_mem_alloc that local partners read; NULL if there
                                is none */
    void (*print_work)(subx_fft_plan plan, sx_text *t);
    /* print_device: print the device, and how data travel. get_ways: set the ways of this rank's data; *w is
     * zero before. Both are NULL if the strategy is not on a device. */
    void (*print_device)(subx_fft_plan plan, sx_text *t);
    void (*get_ways)(subx_fft_plan plan, sx_ways *w);
} sx_strategy;

/* All strategies, in the order of preference; NULL-terminated. */
extern const sx_strategy *const sx_strategy_table[];

/* Find a strategy by its name; NULL if no strategy has this name. "auto" is no strategy. */
const sx_strategy *sx_strategy_find(const char *name);

/* Get the name of the i-th strategy; NULL if there is none. The function has the type sx_words (base.h),
 * because the texts of hints list these names. */
int sx_strategy_query_name(int i, const char **name);

#endif
