/* device_messages.c - the device carrier `messages`: MPI sends from areas on the device and receives into
 * such areas. MPI is asked first whether it takes such addresses, because one that does not might crash. Then
 * it is tried with a pattern. */
#include "exch/on_device.h"

static int serves(const subx_exch ex, sx_text *why)
{
    if (!sx_pipe_query_stamps(&ex->hints)) {
        sx_base_print(why, "the hints name another carrier than pairwise");
        return 0;
    }
    return sx_device_query_messages(ex->device, why);
}

static int test(subx_exch ex, int *fails)
{
    sx_device_trials *known = sx_exch_device_get_trials(ex);
    *fails = known->messages == SX_TRIAL_FAILED;
    if (known->messages)
        return MPI_SUCCESS;
    const int rc = sx_exch_device_test(ex, fails);
    if (!rc)
        known->messages = *fails ? SX_TRIAL_FAILED : SX_TRIAL_PASSED;
    return rc;
}

const sx_device_carrier sx_exch_messages = {
    .name = "messages", .value = SX_CARRIER_MESSAGES, .is_on_device = 1, .serves = serves, .test = test};
