/* device_nccl.c - the device carrier `nccl`: the areas are on the devices, and a library of the device's vendor (NCCL, or RCCL)
 * moves the packed blocks, as work of a stream. The pipe brings stamps only. The ranks first agree that all have the library, and
 * a device of their own; then they form a team (team.h), and try it with a pattern. */
#include "exch/on_device.h"
#include "exch/team.h"

static int serves(const subx_exch ex, sx_text *why)
{
    if (!sx_pipe_query_stamps(&ex->hints))
        sx_base_print(why, "the hints name another carrier than pairwise");
    else if (!ex->device->teams)
        sx_base_print(why, "the device has no such library");
    else
        return ex->device->teams->find(why) == SUBX_ERR_NONE;
    return 0;
}

/* Form a team and try it. If this fails, there is no team. */
static int form(subx_exch ex, sx_device_trials *known)
{
    const char *why = NULL;
    int fails = 0, rc = sx_exch_team_create(ex, &why);
    if (subx_error_get_kind(rc) == SUBX_ERR_DEVICE || subx_error_get_kind(rc) == SUBX_ERR_PEER) {
        rc = MPI_SUCCESS;
        why = "a call of the library has failed";
    }
    if (!rc && !why)
        rc = sx_exch_device_test(ex, ex->comm->team, &fails);
    if (fails)
        why = "a trial has failed, or wrong data have arrived";
    if ((rc || why) && ex->comm->team)
        ex->comm->free_team(ex->comm);
    if (rc)
        return rc;
    known->team = why ? SX_TRIAL_FAILED : SX_TRIAL_PASSED;
    known->team_why = why;
    return MPI_SUCCESS;
}

/* Check the team that an earlier exchange has formed. */
static int check(subx_exch ex, const char **why)
{
    const sx_team *t = ex->comm->team;
    int fails = t->device != ex->device || !sx_exch_team_has_device(t);
    const int rc = sx_base_agree_flags(ex->comm->comm, MPI_SUCCESS, NULL, 1, &fails);
    if (fails)
        *why = "the library has failed before, or a rank has another GPU now";
    return rc;
}

static int test(subx_exch ex, int *fails)
{
    sx_device_trials *known = sx_exch_device_get_trials(ex);
    const char *why = NULL;
    int rc = MPI_SUCCESS;
    if (ex->comm->team)
        rc = check(ex, &why);
    else if (!known->team)
        rc = form(ex, known);
    if (!rc && !ex->comm->team)
        why = known->team_why;
    *fails = why != NULL;
    if (*fails)
        sx_exch_device_remember(ex, "nccl", 1, why);
    return rc;
}

const sx_device_carrier sx_exch_nccl = {.name = "nccl",
                                        .value = SX_CARRIER_NCCL,
                                        .is_on_device = 1,
                                        .has_team = 1,
                                        .is_on_request = 1,
                                        .serves = serves,
                                        .test = test};
