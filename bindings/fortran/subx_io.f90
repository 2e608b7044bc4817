! subx_io.f90 - files of distributed arrays
!
! Written by bindings/generate.py from the headers; changes here are lost. The rules, which hold for all procedures:
!
!   - Names and arguments are as in C, but arguments that tell the length of another argument are left out. Optional
!     arguments come last, and the very last one is ierror. If ierror is absent, an error goes to the error handler of the
!     communicator, or of MPI_COMM_WORLD if the call has no communicator: by default the program stops with the error's text.
!   - Arrays are Fortran's: the first axis is contiguous unless an order says otherwise. Transforms of real data halve the
!     first axis. Axes, elements and the entries of lists are counted from 1; ranks, coordinates and offsets from 0.
!   - Texts are the same in all languages: problems, hints and files name the axes as C does, the last one contiguous. The
!     array u(40,48,64) is r2c:64x48x40 in a text, and has the shape (64, 48, 40) in a file. A grid 2x3 divides the last
!     axis among 2 ranks, and the last but one among 3.
!   - Handles of MPI are those of mpi_f08 or of mpi. Lengths and indices are default integers, or integers of kind
!     SUBX_INDEX_KIND; in a call, all of them have the same kind. Numbers of bytes are always of kind SUBX_INDEX_KIND.
!   - Buffers are arrays of any type, kind and rank. They must be contiguous. There is one exception: executions of plans also
!     take the pointers of subx_fft_plan_get_array, which may have gaps.
module subx_io
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_INFO_NULL, MPI_Comm, MPI_Datatype, MPI_Info, &
    MPI_ORDER_C, MPI_ORDER_FORTRAN
  use subx_support
  use subx_io_c, only: c_file_write => subx_file_write, c_file_query_writable => subx_file_query_writable, &
      c_file_read => subx_file_read, c_file_get => subx_file_get, c_file_query_format => subx_file_query_format
  use subx
  implicit none
  private
  public :: operator(==), operator(/=), subx_file_write, subx_file_query_writable, subx_file_read, subx_file_get, &
      subx_file_query_format
  public :: SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR, SUBX_VERSION_PATCH, SUBX_NDIMS_MAX, SUBX_ERR_NONE, &
      SUBX_ERR_ARG, SUBX_ERR_NDIMS, SUBX_ERR_SIZE, SUBX_ERR_ORDER, SUBX_ERR_TYPE, SUBX_ERR_NOT_STRIDED, &
      SUBX_ERR_NOT_SUBARRAY, SUBX_ERR_TRUNCATE, SUBX_ERR_TOO_LARGE, SUBX_ERR_NO_MEM, SUBX_ERR_COMM, SUBX_ERR_GRID, &
      SUBX_ERR_HINT, SUBX_ERR_UNAVAILABLE, SUBX_ERR_DIFFERS, SUBX_ERR_MISMATCH, SUBX_ERR_ACTIVE, SUBX_ERR_ALIAS, &
      SUBX_ERR_PROBLEM, SUBX_ERR_SERIAL, SUBX_ERR_PEER, SUBX_ERR_GAP, SUBX_ERR_OVERLAP, SUBX_ERR_FACTOR, &
      SUBX_ERR_FILE, SUBX_ERR_FILE_END, SUBX_ERR_FILE_ARRAY, SUBX_ERR_FILE_KIND, SUBX_ERR_DEVICE, subx_grid, &
      SUBX_GRID_NULL, subx_exch, SUBX_EXCH_NULL, subx_error_get_kind, subx_error_get_code, subx_version_get, &
      subx_type_create_subarray, subx_type_get_layout, subx_type_print, subx_type_query_match, &
      subx_type_query_fileview, subx_type_pack, subx_type_unpack, subx_block_get, subx_block_get_owner, &
      subx_grid_get_dims, subx_grid_create, subx_grid_get, subx_grid_free, subx_mem_alloc, subx_mem_free, &
      subx_mem_get_info, subx_exch_create, subx_exch_create_realign, subx_exch_execute, subx_exch_start, &
      subx_exch_test, subx_exch_wait, subx_exch_get, subx_exch_get_info, subx_exch_query_engine, subx_exch_free, &
      subx_boxes, SUBX_BOXES_NULL, subx_halo, SUBX_HALO_NULL, subx_boxes_create, subx_boxes_create_type, &
      subx_boxes_add, subx_boxes_add_ordered, subx_boxes_add_strided, subx_boxes_get, subx_boxes_get_box, &
      subx_boxes_free, subx_boxes_check, subx_exch_create_boxes, subx_halo_create, subx_halo_execute, &
      subx_halo_start, subx_halo_test, subx_halo_wait, subx_halo_free, SUBX_INDEX_KIND, subx_type_get_subarray, &
      subx_grid_get_comm

  interface subx_file_write
    procedure file_write_64_mpi, file_write_64_f08, file_write_32_mpi, file_write_32_f08
  end interface
  interface subx_file_query_writable
    procedure file_query_writable_mpi, file_query_writable_f08
  end interface
  interface subx_file_read
    procedure file_read_64_mpi, file_read_64_f08, file_read_32_mpi, file_read_32_f08
  end interface
  interface subx_file_get
    procedure file_get_64_mpi, file_get_64_f08, file_get_32_mpi, file_get_32_f08
  end interface
  interface subx_file_query_format
    procedure file_query_format
  end interface

contains

  ! Write a distributed array to a file.
  subroutine file_write_64_mpi(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    integer, intent(in) :: elemtype
    type(*), target, intent(in) :: buf(..)
    integer, intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_order(:)

    nd = common_size([size(sizes), size(subsizes), size(starts)])
    if (present(order)) nd = common_size([nd, size(order)])
    if (present(order)) allocate(c_order, source=nd - order)
    code = c_file_write(comm_c(comm), c_text(path), nd, reversed(sizes), reversed(subsizes), reversed(starts) - 1, &
        c_order, datatype_c(elemtype), address(buf), info_c(hints))
    call finish(code, ierror, comm)
  end subroutine

  subroutine file_write_64_f08(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(*), target, intent(in) :: buf(..)
    type(MPI_Info), intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_write_64_mpi(comm%MPI_VAL, path, sizes, subsizes, starts, elemtype%MPI_VAL, buf, hints%MPI_VAL, &
        order, ierror)
  end subroutine

  subroutine file_write_32_mpi(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    integer, intent(in) :: elemtype
    type(*), target, intent(in) :: buf(..)
    integer, intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_write_64_mpi(comm, path, int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), int(starts, &
        SUBX_INDEX_KIND), elemtype, buf, hints, order, ierror)
  end subroutine

  subroutine file_write_32_f08(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(*), target, intent(in) :: buf(..)
    type(MPI_Info), intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_write_64_mpi(comm%MPI_VAL, path, int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), &
        int(starts, SUBX_INDEX_KIND), elemtype%MPI_VAL, buf, hints%MPI_VAL, order, ierror)
  end subroutine

  ! Query whether subx_file_write could write a file, for instance before a long computation of the array.
  subroutine file_query_writable_mpi(comm, path, hints, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: hints
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_file_query_writable(comm_c(comm), c_text(path), info_c(hints))
    call finish(code, ierror, comm)
  end subroutine

  subroutine file_query_writable_f08(comm, path, hints, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    type(MPI_Info), intent(in) :: hints
    integer, intent(out), optional :: ierror
    call file_query_writable_mpi(comm%MPI_VAL, path, hints%MPI_VAL, ierror)
  end subroutine

  ! Read a distributed array from a file.
  subroutine file_read_64_mpi(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    integer, intent(in) :: elemtype
    type(*), target, intent(inout) :: buf(..)
    integer, intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_order(:)

    nd = common_size([size(sizes), size(subsizes), size(starts)])
    if (present(order)) nd = common_size([nd, size(order)])
    if (present(order)) allocate(c_order, source=nd - order)
    code = c_file_read(comm_c(comm), c_text(path), nd, reversed(sizes), reversed(subsizes), reversed(starts) - 1, &
        c_order, datatype_c(elemtype), address(buf), info_c(hints))
    call finish(code, ierror, comm)
  end subroutine

  subroutine file_read_64_f08(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(*), target, intent(inout) :: buf(..)
    type(MPI_Info), intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_read_64_mpi(comm%MPI_VAL, path, sizes, subsizes, starts, elemtype%MPI_VAL, buf, hints%MPI_VAL, order, &
        ierror)
  end subroutine

  subroutine file_read_32_mpi(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    integer, intent(in) :: elemtype
    type(*), target, intent(inout) :: buf(..)
    integer, intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_read_64_mpi(comm, path, int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), int(starts, &
        SUBX_INDEX_KIND), elemtype, buf, hints, order, ierror)
  end subroutine

  subroutine file_read_32_f08(comm, path, sizes, subsizes, starts, elemtype, buf, hints, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(*), target, intent(inout) :: buf(..)
    type(MPI_Info), intent(in) :: hints
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call file_read_64_mpi(comm%MPI_VAL, path, int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), &
        int(starts, SUBX_INDEX_KIND), elemtype%MPI_VAL, buf, hints%MPI_VAL, order, ierror)
  end subroutine

  ! Get the sizes, the storage and the element type of the array in a file.
  subroutine file_get_64_mpi(comm, path, hints, sizes, elemtype, ndims, storage, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: hints
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    integer, intent(out) :: elemtype
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: storage
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_ptrdiff_t) :: c_sizes(SUBX_NDIMS_MAX)
    integer(c_int) :: c_storage
    type(subx_mpi_datatype) :: c_elemtype

    c_elemtype = datatype_c(MPI_DATATYPE_NULL%MPI_VAL)
    code = c_file_get(comm_c(comm), c_text(path), info_c(hints), SUBX_NDIMS_MAX, nd, c_sizes, c_storage, c_elemtype)
    elemtype = datatype_f(c_elemtype)
    if (code == MPI_SUCCESS) then
      if (present(ndims)) ndims = nd
      call put(reversed(c_sizes(1:nd)), sizes, code)
      if (present(storage)) storage = merge(MPI_ORDER_FORTRAN, MPI_ORDER_C, c_storage == MPI_ORDER_C)
    end if
    call finish(code, ierror, comm)
  end subroutine

  subroutine file_get_64_f08(comm, path, hints, sizes, elemtype, ndims, storage, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    type(MPI_Info), intent(in) :: hints
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    type(MPI_Datatype), intent(out) :: elemtype
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: storage
    integer, intent(out), optional :: ierror
    call file_get_64_mpi(comm%MPI_VAL, path, hints%MPI_VAL, sizes, elemtype%MPI_VAL, ndims, storage, ierror)
  end subroutine

  subroutine file_get_32_mpi(comm, path, hints, sizes, elemtype, ndims, storage, ierror)
    integer, intent(in) :: comm
    character(*), intent(in) :: path
    integer, intent(in) :: hints
    integer, intent(inout) :: sizes(:)
    integer, intent(out) :: elemtype
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: storage
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_sizes(:)

    call widen(sizes, wide_sizes)
    call file_get_64_mpi(comm, path, hints, wide_sizes, elemtype, ndims, storage, ierror)
    call narrow(wide_sizes, sizes, ierror)
  end subroutine

  subroutine file_get_32_f08(comm, path, hints, sizes, elemtype, ndims, storage, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(in) :: path
    type(MPI_Info), intent(in) :: hints
    integer, intent(inout) :: sizes(:)
    type(MPI_Datatype), intent(out) :: elemtype
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: storage
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_sizes(:)

    call widen(sizes, wide_sizes)
    call file_get_64_mpi(comm%MPI_VAL, path, hints%MPI_VAL, wide_sizes, elemtype%MPI_VAL, ndims, storage, ierror)
    call narrow(wide_sizes, sizes, ierror)
  end subroutine

  ! Query the names of the formats that the library was built with.
  subroutine file_query_format(i, name, ierror)
    integer, intent(in) :: i
    character(:), allocatable, intent(out) :: name
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_name

    code = c_file_query_format(i - 1, c_name)
    if (code == MPI_SUCCESS) name = text_at(c_name)
    call finish(code, ierror)
  end subroutine
end module
