/* alltoall.c - MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw and their nonblocking and persistent forms: choose
 * how a call is executed. */
#include "pmpi/alltoall.h"
#include "pmpi/request.h"

/* Query whether the call is passed to MPI at once: in place, on an inter-communicator, from inside this
 * library, or with wrong arguments, which MPI reports. For a correct call, all ranks get the same answer. */
static int is_for_mpi(const sx_pmpi_call *call)
{
    int inter = 1;
    if (sx_pmpi_depth || call->comm == MPI_COMM_NULL || call->side[SX_FROM].buf == MPI_IN_PLACE)
        return 1;
    for (int side = 0; side < 2; side++) {
        const sx_args *args = &call->side[side];
        if (call->form != SX_ALLTOALL && !(args->counts && args->displs))
            return 1;
        if (call->form == SX_ALLTOALLW && !args->types)
            return 1;
    }
    return PMPI_Comm_test_inter(call->comm, &inter) || inter;
}

/* Query whether all parts of a side are in memory of the host. */
static int is_here(const sx_pmpi_call *call, int side, const sx_part part[])
{
    for (int q = 0; q < call->p; q++)
        if (part[q].bytes > 0 &&
            !sx_pmpi_is_here(part[q].first, sx_pmpi_part_address(&call->side[side], &part[q])))
            return 0;
    return 1;
}

/* Returns 0 if the data cannot be packed or shared. */
static int get_parts(const sx_pmpi_call *call, sx_part *part[2])
{
    part[SX_FROM] = sx_pmpi_buffer_get(2 * (ptrdiff_t)call->p * (ptrdiff_t)sizeof(sx_part));
    if (!part[SX_FROM])
        return 0;
    part[SX_TO] = part[SX_FROM] + call->p;
    for (int side = 0; side < 2; side++)
        if (!sx_pmpi_parts_get(call, side, part[side]) || !is_here(call, side, part[side]))
            return 0;
    return 1;
}

static ptrdiff_t count_bytes(const sx_pmpi_call *call, const sx_part *part)
{
    ptrdiff_t bytes = 0;
    for (int q = 0; q < call->p; q++)
        bytes += part[q].bytes;
    return bytes;
}

/* Execute a call without asking the other ranks: pack its data, or pass the call to MPI unchanged. */
static int execute_alone(const sx_pmpi_call *call, sx_part *const part[2], int has_record)
{
    int rc;
    if (has_record && part && sx_pmpi_packed_execute(call, part, &rc)) {
        sx_pmpi_report_taken(call->name, count_bytes(call, part[SX_FROM]));
        return rc;
    }
    if (has_record)
        sx_pmpi_report_passed(call->name);
    return call->real(call);
}

/* The names of shared calls in reports. */
static const char *const shared_name[SX_FORMS] = {"MPI_Alltoall, shared", "MPI_Alltoallv, shared",
                                                  "MPI_Alltoallw, shared"};

static int execute_shared(const sx_pmpi_call *call, sx_part *const part[2], subx_exch exch)
{
    sx_pmpi_depth++;
    int rc = subx_exch_execute(exch, call->side[SX_FROM].buf, (void *)call->side[SX_TO].buf);
    sx_pmpi_depth--;
    sx_pmpi_report_taken(shared_name[call->form], count_bytes(call, part[SX_FROM]));
    if (rc)
        PMPI_Comm_call_errhandler(call->comm, rc);
    return rc;
}

/* Agree with the other ranks of the team in which way a call is executed, and execute it. Calls with the same
 * arguments are timed until the ranks know which way is faster. */
static int execute_together(sx_team *team, const sx_pmpi_call *call, sx_part *const part[2], int has_record)
{
    const sx_pmpi_choice choice = sx_pmpi_team_agree(team, call, part);
    const double begin = choice.seconds ? PMPI_Wtime() : 0;
    int rc = choice.exch ? execute_shared(call, part, choice.exch) : execute_alone(call, part, has_record);
    if (choice.seconds) {
        const double seconds = PMPI_Wtime() - begin;
        *choice.seconds = *choice.seconds > 0 && *choice.seconds < seconds ? *choice.seconds : seconds;
    }
    return rc;
}

static int choose(const sx_pmpi_call *given)
{
    sx_pmpi_call call = *given;
    if (is_for_mpi(given) || PMPI_Comm_size(call.comm, &call.p) || PMPI_Comm_rank(call.comm, &call.r))
        return given->real(given);
    sx_team *team = call.mode == SX_BLOCKING ? sx_pmpi_team_get(call.comm, call.p) : NULL;
    const int is_due = team && sx_pmpi_team_is_due(team, call.form),
              has_record = sx_pmpi_parts_have_record(&call);
    if (!is_due && !has_record)
        return call.real(&call);
    sx_part *part[2];
    sx_part *const *parts = get_parts(&call, part) ? part : NULL;
    int rc =
        is_due ? execute_together(team, &call, parts, has_record) : execute_alone(&call, parts, has_record);
    sx_pmpi_buffer_put(part[SX_FROM]);
    return rc;
}

static int execute(const sx_pmpi_call *call)
{
    int rc = choose(call);
    sx_pmpi_request_poll();
    return rc;
}

#define T int
#define D int
#define IS_LARGE 0
#define NAME(f) f
#define PMPI(f) PMPI_##f
#include "pmpi/alltoall_body.h"
#undef PMPI
#undef NAME
#undef IS_LARGE
#undef D
#undef T

#ifdef HAVE_MPI_TYPE_GET_CONTENTS_C
#define T MPI_Count
#define D MPI_Aint
#define IS_LARGE 1
#define NAME(f) f##_c
#define PMPI(f) PMPI_##f##_c
#include "pmpi/alltoall_body.h"
#endif
