/* self.h - what a rank sends to itself: one copy where its two types allow that. */
#ifndef SX_EXCH_SELF_H
#define SX_EXCH_SELF_H

#include "exch/exch.h"

typedef struct sx_self {
    const sx_kern *kern; /* NULL if MPI must do it, or if there is nothing to do */
    sx_layout layout;
} sx_self;

void sx_exch_self_set(subx_exch ex, sx_self *self);
int sx_exch_self_copy(subx_exch ex, const sx_self *self);

#endif
