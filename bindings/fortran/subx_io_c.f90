! subx_io_c.f90 - the functions of subx_io.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_io_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  use subx_c
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  interface
    integer(c_int) function subx_file_write(comm, path, ndims, sizes, subsizes, starts, order, elemtype, buf, &
        hints) bind(C, name="subx_file_write")
      import
      type(subx_mpi_comm), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      integer(c_ptrdiff_t), intent(in) :: subsizes(*)
      integer(c_ptrdiff_t), intent(in) :: starts(*)
      integer(c_int), intent(in), optional :: order(*)
      type(subx_mpi_datatype), value :: elemtype
      type(c_ptr), value :: buf
      type(subx_mpi_info), value :: hints
    end function
    integer(c_int) function subx_file_query_writable(comm, path, hints) bind(C, name="subx_file_query_writable")
      import
      type(subx_mpi_comm), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      type(subx_mpi_info), value :: hints
    end function
    integer(c_int) function subx_file_read(comm, path, ndims, sizes, subsizes, starts, order, elemtype, buf, &
        hints) bind(C, name="subx_file_read")
      import
      type(subx_mpi_comm), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      integer(c_ptrdiff_t), intent(in) :: subsizes(*)
      integer(c_ptrdiff_t), intent(in) :: starts(*)
      integer(c_int), intent(in), optional :: order(*)
      type(subx_mpi_datatype), value :: elemtype
      type(c_ptr), value :: buf
      type(subx_mpi_info), value :: hints
    end function
    integer(c_int) function subx_file_get(comm, path, hints, maxdims, ndims, sizes, storage, elemtype) bind(C, &
        name="subx_file_get")
      import
      type(subx_mpi_comm), value :: comm
      character(kind=c_char), intent(in) :: path(*)
      type(subx_mpi_info), value :: hints
      integer(c_int), value :: maxdims
      integer(c_int), intent(out), optional :: ndims
      integer(c_ptrdiff_t), intent(out), optional :: sizes(*)
      integer(c_int), intent(out), optional :: storage
      type(subx_mpi_datatype), intent(out), optional :: elemtype
    end function
    integer(c_int) function subx_file_query_format(i, name) bind(C, name="subx_file_query_format")
      import
      integer(c_int), value :: i
      type(c_ptr), intent(out) :: name
    end function
  end interface
end module
