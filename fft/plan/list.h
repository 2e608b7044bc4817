/* list.h - what an execution does: a list of events, made when the plan is made. Every execution walks it.
 *
 *      area 2; pass 1; post 2.1; post 2.2; start 2.1; pass 3.1; start 2.2; pass 3.2; complete 2; end 2
 *
 * The numbers are those of stages and of slices, from 1 as in explanations.
 *
 * A strategy lists the events of each direction, and can execute each event. walk.c goes through the list. */
#ifndef SX_LIST_H
#define SX_LIST_H

#include "base/base.h"
#include <subx_fft.h>

/* What happens in an event. The events up to SX_EVENT_ARRIVE wait for other ranks. */
enum {
    SX_EVENT_AREA,     /* until the area that a pass will write is free */
    SX_EVENT_ROOM,     /* until a slice of a ring is free */
    SX_EVENT_START,    /* until the blocks of a slice have arrived */
    SX_EVENT_END,      /* until the epoch of a pipe has ended */
    SX_EVENT_ARRIVE,   /* until an exchange has ended */
    SX_EVENT_POST,     /* post a slice */
    SX_EVENT_READ,     /* a slice of a ring has been read */
    SX_EVENT_COMPLETE, /* all slices of a pipe have been read */
    SX_EVENT_PASS,     /* transform, or copy, the indices lo .. hi - 1 along an axis */
    SX_EVENT_EXCHANGE, /* start an exchange */
    SX_EVENT_OPERATE,  /* apply the caller's operation */
    SX_EVENT_SCALE,    /* scale the results */
    SX_EVENT_FOLLOW,   /* begin after the work that is in the caller's stream, and take the input */
    SX_EVENT_LEAVE     /* let the caller's stream wait for the plan's work */
};

/* Memory of an execution: the caller's input and output; the data between two passes without an exchange; two
 * work arrays, or the two areas from which passes send. */
enum { SX_AT_FROM, SX_AT_TO, SX_AT_LOCAL, SX_AT_WORK, SX_AT_N = SX_AT_WORK + 2 };

typedef struct sx_event {
    int what; /* SX_EVENT_* */
    int step; /* an index of the strategy: what is read and written */
    int slice;
    int stage, d; /* the stage of the plan, and its direction: the time counts for them */
    int axis;     /* of a pass: the axis of lo and hi; -1: all indices */
    ptrdiff_t lo, hi;
} sx_event;

typedef struct sx_list {
    int n;
    sx_event *event; /* NULL: events are only counted */
} sx_list;

/* Append an event. */
void sx_list_add(sx_list *list, sx_event event);

/* Let a strategy fill a list: `fill` is called twice, first to count the events. NO_MEM without memory. The
 * caller frees list->event. */
int sx_list_create(sx_list *list, void (*fill)(subx_fft_plan plan, int d, sx_list *list), subx_fft_plan plan,
                   int d);

/* Print events from `first` on, as many as these columns have room for. "pass 1; post 2.1; start 2.1" has a
 * word, the stage, the slice of an exchange. Returns the index of the next event. */
int sx_list_print(const sx_list *list, int first, size_t columns, sx_text *t);

#endif
