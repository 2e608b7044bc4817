! subx_extra.f90 - the part of the module subx that is written by hand: procedures that depend on the storage order of a type,
! or on the number of dimensions of a grid.
module subx_extra
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_ORDER_C, MPI_Comm, MPI_Datatype
  use subx_c, only: subx_grid, c_type_get_subarray => subx_type_get_subarray, c_grid_get => subx_grid_get, &
    c_grid_get_comm => subx_grid_get_comm
  use subx_boxes_c, only: subx_boxes, c_boxes_get => subx_boxes_get
  use subx_support
  implicit none
  private
  public :: subx_type_get_subarray, subx_grid_get_comm, get_ndims

  interface subx_type_get_subarray
    procedure type_get_subarray_64_mpi, type_get_subarray_64_f08, type_get_subarray_32_mpi, type_get_subarray_32_f08
  end interface

  interface subx_grid_get_comm
    procedure grid_get_comm_mpi, grid_get_comm_f08
  end interface

  ! Get the number of axes of an object; 0 after an error. code is an error code of C.
  interface get_ndims
    procedure boxes_get_ndims
  end interface

contains

  subroutine boxes_get_ndims(boxes, ndims, code)
    type(subx_boxes), intent(in) :: boxes
    integer(c_int), intent(out) :: ndims, code
    ndims = 0
    code = c_boxes_get(boxes, ndims)
  end subroutine

  ! Get the arguments that created a subarray type. Axes are those of the Fortran array: axis 1 is contiguous unless order
  ! says otherwise, even if the type was created with MPI_ORDER_C. Starts and axes count from 1.
  subroutine type_get_subarray_64_mpi(type, ndims, sizes, subsizes, starts, oldtype, order, ierror)
    integer, intent(in) :: type
    integer, intent(out) :: ndims
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: subsizes(:), starts(:)
    integer, intent(out) :: oldtype
    integer, intent(inout), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int64_t), dimension(SUBX_NDIMS_MAX) :: c_sizes, c_subsizes, c_starts
    integer(c_int) :: code, nd, c_storage, c_order(SUBX_NDIMS_MAX)
    type(subx_mpi_datatype) :: c_oldtype

    oldtype = MPI_DATATYPE_NULL%MPI_VAL
    code = c_type_get_subarray(datatype_c(type), SUBX_NDIMS_MAX, nd, c_sizes, c_subsizes, c_starts, c_storage, c_order, &
      c_oldtype)
    if (code == MPI_SUCCESS) then
      ndims = nd
      oldtype = datatype_f(c_oldtype)
      if (c_storage == MPI_ORDER_C) then
        c_sizes(1:nd) = reversed(c_sizes(1:nd))
        c_subsizes(1:nd) = reversed(c_subsizes(1:nd))
        c_starts(1:nd) = reversed(c_starts(1:nd))
        c_order(1:nd) = nd - 1 - c_order(1:nd)
      end if
      call put(c_sizes(1:nd), sizes, code)
      call put(c_subsizes(1:nd), subsizes, code)
      call put(c_starts(1:nd) + 1, starts, code)
      call put(c_order(1:nd) + 1, order, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine type_get_subarray_64_f08(type, ndims, sizes, subsizes, starts, oldtype, order, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out) :: ndims
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: subsizes(:), starts(:)
    type(MPI_Datatype), intent(out) :: oldtype
    integer, intent(inout), optional :: order(:)
    integer, intent(out), optional :: ierror
    call type_get_subarray_64_mpi(type%MPI_VAL, ndims, sizes, subsizes, starts, oldtype%MPI_VAL, order, ierror)
  end subroutine

  subroutine type_get_subarray_32_mpi(type, ndims, sizes, subsizes, starts, oldtype, order, ierror)
    integer, intent(in) :: type
    integer, intent(out) :: ndims
    integer, intent(inout) :: sizes(:)
    integer, intent(inout), optional :: subsizes(:), starts(:)
    integer, intent(out) :: oldtype
    integer, intent(inout), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_sizes(:), wide_subsizes(:), wide_starts(:)

    call widen(sizes, wide_sizes)
    call widen(subsizes, wide_subsizes)
    call widen(starts, wide_starts)
    call type_get_subarray_64_mpi(type, ndims, wide_sizes, wide_subsizes, wide_starts, oldtype, order, ierror)
    call narrow(wide_sizes, sizes, ierror)
    call narrow(wide_subsizes, subsizes, ierror)
    call narrow(wide_starts, starts, ierror)
  end subroutine

  subroutine type_get_subarray_32_f08(type, ndims, sizes, subsizes, starts, oldtype, order, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out) :: ndims
    integer, intent(inout) :: sizes(:)
    integer, intent(inout), optional :: subsizes(:), starts(:)
    type(MPI_Datatype), intent(out) :: oldtype
    integer, intent(inout), optional :: order(:)
    integer, intent(out), optional :: ierror
    call type_get_subarray_32_mpi(type%MPI_VAL, ndims, sizes, subsizes, starts, oldtype%MPI_VAL, order, ierror)
  end subroutine

  ! Get a communicator of a grid with g dimensions. If dim is 1 .. g, it has the ranks whose coordinates equal this rank's, except
  ! coordinate dim; if dim is 0, it has all ranks. The communicator belongs to the grid.
  subroutine grid_get_comm_mpi(grid, dim, comm, ierror)
    type(subx_grid), intent(in) :: grid
    integer, intent(in) :: dim
    integer, intent(out) :: comm
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, g, c_dim
    type(subx_mpi_comm) :: c_comm

    comm = MPI_COMM_NULL%MPI_VAL
    code = c_grid_get(grid, SUBX_NDIMS_MAX, g)
    c_dim = merge(g - dim, g, dim >= 1 .and. dim <= g) ! C counts from 0, so that dimension g is an error
    if (dim == 0) c_dim = -1
    if (code == MPI_SUCCESS) code = c_grid_get_comm(grid, c_dim, c_comm)
    if (code == MPI_SUCCESS) comm = comm_f(c_comm)
    call finish(code, ierror)
  end subroutine

  subroutine grid_get_comm_f08(grid, dim, comm, ierror)
    type(subx_grid), intent(in) :: grid
    integer, intent(in) :: dim
    type(MPI_Comm), intent(out) :: comm
    integer, intent(out), optional :: ierror
    call grid_get_comm_mpi(grid, dim, comm%MPI_VAL, ierror)
  end subroutine
end module
