/* tile.h - packed tiles of parts, as what a flow carries. A tile is some outermost steps of a strided
 * part, or all of a part. */
#ifndef SX_EXCH_TILE_H
#define SX_EXCH_TILE_H

#include "exch/flow.h"

/* Make a flow of packed tiles, a part being one. TOO_LARGE if a part can be packed by MPI_Pack only, which
 * counts in int. Local. */
int sx_exch_tiles_create(subx_exch ex);

/* Open windows of at most so many slots, each with a buffer in the work space, once the tiles are known.
 * Local. */
int sx_exch_tiles_complete(subx_exch ex, int window);

/* Get the bytes of the least tile that a part can be cut into, and of the least that is copied by runs of some
 * length: a tile of one step along an axis that is contiguous in memory would touch each line for one element.
 * Both 0 for nothing. */
ptrdiff_t sx_exch_tile_get_least(const sx_side *side, int q);
ptrdiff_t sx_exch_tile_get_good(const sx_side *side, int q, int way);

#endif
