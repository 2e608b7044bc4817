/* table.c - the only list of carriers, which send blocks to remote partners. A line here adds an engine. */
#include "pipe/pipe.h"

extern const sx_carrier sx_pipe_alltoallv, sx_pipe_pairwise, sx_pipe_kway, sx_pipe_persistent;

const sx_carrier *const sx_pipe_carriers[] = {
    &sx_pipe_alltoallv, &sx_pipe_pairwise, &sx_pipe_kway, &sx_pipe_persistent, NULL,
};
