! mpi_f08.f90 - a small module mpi_f08, for compilers that the MPI was not built with. It is made from mpif.h and from MPI's
! procedures for mpif.h, and has only what our Fortran modules, their test f08.f90 and their examples use.
module mpif
  implicit none
  include "mpif.h"
end module

module mpi_f08
  use, intrinsic :: iso_c_binding
  use mpif, only: MPI_SUCCESS, MPI_MAX_ERROR_STRING, MPI_ORDER_C, MPI_ORDER_FORTRAN, MPI_IN_PLACE, MPI_Wtime, &
    world => MPI_COMM_WORLD, self => MPI_COMM_SELF, no_comm => MPI_COMM_NULL, no_datatype => MPI_DATATYPE_NULL, no_info => MPI_INFO_NULL, &
    int => MPI_INTEGER, double => MPI_DOUBLE_PRECISION, add => MPI_SUM, largest => MPI_MAX, least => MPI_MIN
  implicit none
  private :: world, self, no_comm, no_datatype, no_info, int, double, add, largest, least

  type, bind(C) :: MPI_Comm
    integer(c_int) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Datatype
    integer(c_int) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Info
    integer(c_int) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Op
    integer(c_int) :: MPI_VAL
  end type
  type(MPI_Comm), parameter :: MPI_COMM_WORLD = MPI_Comm(world), MPI_COMM_SELF = MPI_Comm(self), MPI_COMM_NULL = MPI_Comm(no_comm)
  type(MPI_Datatype), parameter :: MPI_DATATYPE_NULL = MPI_Datatype(no_datatype), MPI_INTEGER = MPI_Datatype(int), &
    MPI_DOUBLE_PRECISION = MPI_Datatype(double)
  type(MPI_Info), parameter :: MPI_INFO_NULL = MPI_Info(no_info)
  type(MPI_Op), parameter :: MPI_SUM = MPI_Op(add), MPI_MAX = MPI_Op(largest), MPI_MIN = MPI_Op(least)

  interface
    subroutine f_init(ierror) bind(C, name="mpi_init_")
      import
      integer(c_int) :: ierror
    end subroutine
    subroutine f_finalize(ierror) bind(C, name="mpi_finalize_")
      import
      integer(c_int) :: ierror
    end subroutine
    subroutine f_comm_rank(comm, rank, ierror) bind(C, name="mpi_comm_rank_")
      import
      integer(c_int) :: comm, rank, ierror
    end subroutine
    subroutine f_comm_size(comm, size, ierror) bind(C, name="mpi_comm_size_")
      import
      integer(c_int) :: comm, size, ierror
    end subroutine
    subroutine f_allreduce(from, to, count, type, op, comm, ierror) bind(C, name="mpi_allreduce_")
      import
      type(*) :: from, to
      integer(c_int) :: count, type, op, comm, ierror
    end subroutine
    subroutine f_info_create(info, ierror) bind(C, name="mpi_info_create_")
      import
      integer(c_int) :: info, ierror
    end subroutine
    subroutine f_info_free(info, ierror) bind(C, name="mpi_info_free_")
      import
      integer(c_int) :: info, ierror
    end subroutine
    ! The compiler passes the lengths of texts last, by value.
    subroutine f_info_set(info, key, value, ierror, key_length, value_length) bind(C, name="mpi_info_set_")
      import
      integer(c_int) :: info, ierror
      character(kind=c_char) :: key(*), value(*)
      integer(c_size_t), value :: key_length, value_length
    end subroutine
    subroutine f_info_get(info, key, length, value, flag, ierror, key_length, value_length) bind(C, name="mpi_info_get_")
      import
      integer(c_int) :: info, length, flag, ierror
      character(kind=c_char) :: key(*), value(*)
      integer(c_size_t), value :: key_length, value_length
    end subroutine
    subroutine f_error_string(code, text, length, ierror, text_length) bind(C, name="mpi_error_string_")
      import
      integer(c_int) :: code, length, ierror
      character(kind=c_char) :: text(*)
      integer(c_size_t), value :: text_length
    end subroutine
  end interface

contains

  subroutine MPI_Init()
    integer(c_int) :: ierror
    call f_init(ierror)
  end subroutine

  subroutine MPI_Finalize()
    integer(c_int) :: ierror
    call f_finalize(ierror)
  end subroutine

  subroutine MPI_Comm_rank(comm, rank)
    type(MPI_Comm), intent(in) :: comm
    integer(c_int), intent(out) :: rank
    integer(c_int) :: handle, ierror
    handle = comm%MPI_VAL
    call f_comm_rank(handle, rank, ierror)
  end subroutine

  subroutine MPI_Comm_size(comm, size)
    type(MPI_Comm), intent(in) :: comm
    integer(c_int), intent(out) :: size
    integer(c_int) :: handle, ierror
    handle = comm%MPI_VAL
    call f_comm_size(handle, size, ierror)
  end subroutine

  subroutine MPI_Allreduce(from, to, count, type, op, comm)
    type(*) :: from, to
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: type
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer(c_int) :: n, handles(3), ierror
    n = count
    handles = [type%MPI_VAL, op%MPI_VAL, comm%MPI_VAL]
    call f_allreduce(from, to, n, handles(1), handles(2), handles(3), ierror)
  end subroutine

  subroutine MPI_Info_create(info)
    type(MPI_Info), intent(out) :: info
    integer(c_int) :: ierror
    call f_info_create(info%MPI_VAL, ierror)
  end subroutine

  subroutine MPI_Info_free(info)
    type(MPI_Info), intent(inout) :: info
    integer(c_int) :: ierror
    call f_info_free(info%MPI_VAL, ierror)
  end subroutine

  subroutine MPI_Info_set(info, key, value)
    type(MPI_Info), intent(in) :: info
    character(*), intent(in) :: key, value
    integer(c_int) :: handle, ierror
    handle = info%MPI_VAL
    call f_info_set(handle, key, value, ierror, len(key, c_size_t), len(value, c_size_t))
  end subroutine

  subroutine MPI_Info_get(info, key, length, value, flag)
    type(MPI_Info), intent(in) :: info
    character(*), intent(in) :: key
    integer, intent(in) :: length
    character(*), intent(out) :: value
    logical, intent(out) :: flag
    integer(c_int) :: handle, n, found, ierror
    handle = info%MPI_VAL
    n = length
    call f_info_get(handle, key, n, value, found, ierror, len(key, c_size_t), len(value, c_size_t))
    flag = found /= 0
  end subroutine

  subroutine MPI_Error_string(code, text, length)
    integer, intent(in) :: code
    character(*), intent(out) :: text
    integer, intent(out) :: length
    integer(c_int) :: number, ierror
    number = code
    call f_error_string(number, text, length, ierror, len(text, c_size_t))
  end subroutine
end module
