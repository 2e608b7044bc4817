/* team.h - the team of a communicator: its ranks' devices send blocks to each other by a library such as NCCL. There is one team
 * per sx_comm, which is formed once and left when the sx_comm is freed.
 *
 * A block never arrives if its other rank fails: the device would wait for ever. So ranks tell each other by stamps, in both
 * directions, whether they move their blocks of a slice (lib/pipe, only_stamps), and move the blocks of those that do. If a rank
 * fails after its stamp, it breaks the team: it leaves, and sends a notice to all ranks. Ranks that wait for a device also look
 * for notices. A rank that gets one breaks the team, too:
 *
 *     rank 0   stamps ok   move ...waits............ notice: break, error PEER
 *     rank 1   stamps ok   move fails: break, notices to all, error DEVICE
 *     rank 2   stamps ok   move ...waits............ notice: break, error PEER
 *
 * A rank that has broken the team sends one notice to each other rank, and gets one from each. A broken team stays broken. All
 * ranks execute the exchanges of a communicator in the same order, one at a time. */
#ifndef SX_EXCH_TEAM_H
#define SX_EXCH_TEAM_H

#include "exch/exch.h"

typedef struct sx_team {
    sx_comm *comm;
    const sx_device *device;
    void *handle, *state;         /* of the device; of its library, NULL if this rank has left the team */
    sx_device_card card;          /* of this rank's device when it joined */
    int is_broken, nheard;        /* nheard: the number of notices that this rank has got */
    char heard, told;             /* the data of notices */
    MPI_Request notice, *notices; /* the next notice from any rank; the notices that this rank has sent */
    sx_device_block *block;       /* room for two blocks for each rank */
} sx_team;

/* Form the team of ex->comm. If its ranks form no team, *why becomes the reason on all ranks, else NULL. Collective; the outcome
 * is agreed on. After an error, too, the caller frees the team if there is one. */
int sx_exch_team_create(subx_exch ex, const char **why);

/* Query whether this rank can use the team with its current device. Local. */
int sx_exch_team_has_device(const sx_team *t);

/* Move the remote blocks of a slice that this rank has started in a pipe with only_stamps; its own stamps for the slice were right.
 * The work is added to a stream. Returns a kind of error. */
int sx_exch_team_start(sx_team *t, const subx_pipe pipe, int slice, void *stream);

/* Wait for all work of a stream that has moved blocks. Returns a kind of error: PEER if another rank has broken the team. */
int sx_exch_team_wait(sx_team *t, void *stream);

#endif
