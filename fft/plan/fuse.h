/* fuse.h - what the making of pipes, of passes and of their areas have in common. */
#ifndef SX_FUSE_H
#define SX_FUSE_H

#include "plan/plan.h"

enum { SX_ELEMENT = 2 * sizeof(double) }; /* bytes, of what travels */

/* ---- pipes (pipes.c) */

/* Create all pipes, in as many slices as overlap asks for and messages are worth. Collective. */
int sx_pipes_create(subx_fft_plan plan, MPI_Comm all, MPI_Info hints);
void sx_pipes_free(subx_fft_plan plan);

/* Get the region of a slice that this rank sends to a rank (SX_FROM), or gets from it (SX_TO): a block in C
 * order, number slice * ranks + peer. */
int sx_pipes_get_block(subx_fft_plan plan, const sx_stage *e, int d, int side, int slice, int peer,
                       sx_region *region);

/* ---- passes (passes.c) */

/* Create all passes, for which pipes must be there. Local. */
int sx_passes_create(subx_fft_plan plan);
void sx_passes_free(subx_fft_plan plan);

/* ---- stages */

/* The stage before or after another, as seen in a direction; NULL for none. */
const sx_stage *sx_fuse_get_neighbour(subx_fft_plan plan, int i, int d, int side);

/* 1 if an axis is among those that a stage transforms. */
int sx_fuse_is_transformed(const sx_stage *s, int axis);

#endif
