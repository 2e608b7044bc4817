/* handles.c - convert handles of MPI between Fortran and C; errors of calls without ierror. */
#include "fortran.h"

void subx_f_comm_to_c(const MPI_Fint *from, MPI_Comm *to)
{
    *to = MPI_Comm_f2c(*from);
}

void subx_f_datatype_to_c(const MPI_Fint *from, MPI_Datatype *to)
{
    *to = MPI_Type_f2c(*from);
}

void subx_f_info_to_c(const MPI_Fint *from, MPI_Info *to)
{
    *to = MPI_Info_f2c(*from);
}

MPI_Fint subx_f_comm_from_c(const MPI_Comm *from)
{
    return MPI_Comm_c2f(*from);
}

MPI_Fint subx_f_datatype_from_c(const MPI_Datatype *from)
{
    return MPI_Type_c2f(*from);
}

MPI_Fint subx_f_info_from_c(const MPI_Info *from)
{
    return MPI_Info_c2f(*from);
}

/* Call the error handler of a communicator, as MPI does. If comm is NULL or MPI_COMM_NULL, it is the handler of
 * MPI_COMM_WORLD. Before MPI_Init and after MPI_Finalize, MPI decides what happens: Open MPI and MPICH end the
 * program with a message. */
void subx_f_raise(int code, const MPI_Fint *comm)
{
    MPI_Comm at = comm ? MPI_Comm_f2c(*comm) : MPI_COMM_NULL;
    MPI_Comm_call_errhandler(at == MPI_COMM_NULL ? MPI_COMM_WORLD : at, code);
}
