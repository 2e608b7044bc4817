! subx.f90 - datatypes, process grids, exchanges, boxes, halos
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
module subx
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_INFO_NULL, MPI_Comm, MPI_Datatype, MPI_Info, &
    MPI_ORDER_C, MPI_ORDER_FORTRAN
  use subx_support
  use subx_c, only: SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR, SUBX_VERSION_PATCH, SUBX_NDIMS_MAX, SUBX_ERR_NONE, &
      SUBX_ERR_ARG, SUBX_ERR_NDIMS, SUBX_ERR_SIZE, SUBX_ERR_ORDER, SUBX_ERR_TYPE, SUBX_ERR_NOT_STRIDED, &
      SUBX_ERR_NOT_SUBARRAY, SUBX_ERR_TRUNCATE, SUBX_ERR_TOO_LARGE, SUBX_ERR_NO_MEM, SUBX_ERR_COMM, SUBX_ERR_GRID, &
      SUBX_ERR_HINT, SUBX_ERR_UNAVAILABLE, SUBX_ERR_DIFFERS, SUBX_ERR_MISMATCH, SUBX_ERR_ACTIVE, SUBX_ERR_ALIAS, &
      SUBX_ERR_PROBLEM, SUBX_ERR_SERIAL, SUBX_ERR_PEER, SUBX_ERR_GAP, SUBX_ERR_OVERLAP, SUBX_ERR_FACTOR, &
      SUBX_ERR_FILE, SUBX_ERR_FILE_END, SUBX_ERR_FILE_ARRAY, SUBX_ERR_FILE_KIND, SUBX_ERR_DEVICE, subx_grid, &
      SUBX_GRID_NULL, subx_exch, SUBX_EXCH_NULL, subx_error_get_kind, subx_error_get_code, operator(==), &
      operator(/=), c_version_get => subx_version_get, c_type_create_subarray_c => subx_type_create_subarray_c, &
      c_type_get_layout => subx_type_get_layout, c_type_print => subx_type_print, &
      c_type_query_match => subx_type_query_match, c_type_query_fileview => subx_type_query_fileview, &
      c_type_pack => subx_type_pack, c_type_unpack => subx_type_unpack, c_block_get => subx_block_get, &
      c_block_get_owner => subx_block_get_owner, c_grid_get_dims => subx_grid_get_dims, &
      c_grid_create => subx_grid_create, c_grid_get => subx_grid_get, c_grid_free => subx_grid_free, &
      c_mem_alloc => subx_mem_alloc, c_mem_free => subx_mem_free, c_mem_get_info => subx_mem_get_info, &
      c_exch_create => subx_exch_create, c_exch_create_realign => subx_exch_create_realign, &
      c_exch_execute => subx_exch_execute, c_exch_start => subx_exch_start, c_exch_test => subx_exch_test, &
      c_exch_wait => subx_exch_wait, c_exch_get => subx_exch_get, c_exch_get_info => subx_exch_get_info, &
      c_exch_query_engine => subx_exch_query_engine, c_exch_free => subx_exch_free
  use subx_boxes_c, only: subx_boxes, SUBX_BOXES_NULL, subx_halo, SUBX_HALO_NULL, operator(==), operator(/=), &
      c_boxes_create => subx_boxes_create, c_boxes_create_type => subx_boxes_create_type, &
      c_boxes_add => subx_boxes_add, c_boxes_add_ordered => subx_boxes_add_ordered, &
      c_boxes_add_strided => subx_boxes_add_strided, c_boxes_get => subx_boxes_get, &
      c_boxes_get_box => subx_boxes_get_box, c_boxes_free => subx_boxes_free, c_boxes_check => subx_boxes_check, &
      c_exch_create_boxes => subx_exch_create_boxes, c_halo_create => subx_halo_create, &
      c_halo_execute => subx_halo_execute, c_halo_start => subx_halo_start, c_halo_test => subx_halo_test, &
      c_halo_wait => subx_halo_wait, c_halo_free => subx_halo_free
  use subx_extra
  implicit none
  private
  public :: SUBX_VERSION_MAJOR, SUBX_VERSION_MINOR, SUBX_VERSION_PATCH, SUBX_NDIMS_MAX, SUBX_ERR_NONE, &
      SUBX_ERR_ARG, SUBX_ERR_NDIMS, SUBX_ERR_SIZE, SUBX_ERR_ORDER, SUBX_ERR_TYPE, SUBX_ERR_NOT_STRIDED, &
      SUBX_ERR_NOT_SUBARRAY, SUBX_ERR_TRUNCATE, SUBX_ERR_TOO_LARGE, SUBX_ERR_NO_MEM, SUBX_ERR_COMM, SUBX_ERR_GRID, &
      SUBX_ERR_HINT, SUBX_ERR_UNAVAILABLE, SUBX_ERR_DIFFERS, SUBX_ERR_MISMATCH, SUBX_ERR_ACTIVE, SUBX_ERR_ALIAS, &
      SUBX_ERR_PROBLEM, SUBX_ERR_SERIAL, SUBX_ERR_PEER, SUBX_ERR_GAP, SUBX_ERR_OVERLAP, SUBX_ERR_FACTOR, &
      SUBX_ERR_FILE, SUBX_ERR_FILE_END, SUBX_ERR_FILE_ARRAY, SUBX_ERR_FILE_KIND, SUBX_ERR_DEVICE, subx_grid, &
      SUBX_GRID_NULL, subx_exch, SUBX_EXCH_NULL, subx_error_get_kind, subx_error_get_code, subx_boxes, &
      SUBX_BOXES_NULL, subx_halo, SUBX_HALO_NULL, SUBX_INDEX_KIND, subx_type_get_subarray, subx_grid_get_comm, &
      operator(==), operator(/=), subx_version_get, subx_type_create_subarray, subx_type_get_layout, &
      subx_type_print, subx_type_query_match, subx_type_query_fileview, subx_type_pack, subx_type_unpack, &
      subx_block_get, subx_block_get_owner, subx_grid_get_dims, subx_grid_create, subx_grid_get, subx_grid_free, &
      subx_mem_alloc, subx_mem_free, subx_mem_get_info, subx_exch_create, subx_exch_create_realign, &
      subx_exch_execute, subx_exch_start, subx_exch_test, subx_exch_wait, subx_exch_get, subx_exch_get_info, &
      subx_exch_query_engine, subx_exch_free, subx_boxes_create, subx_boxes_create_type, subx_boxes_add, &
      subx_boxes_add_ordered, subx_boxes_add_strided, subx_boxes_get, subx_boxes_get_box, subx_boxes_free, &
      subx_boxes_check, subx_exch_create_boxes, subx_halo_create, subx_halo_execute, subx_halo_start, &
      subx_halo_test, subx_halo_wait, subx_halo_free

  interface subx_version_get
    procedure version_get
  end interface
  interface subx_type_create_subarray
    procedure type_create_subarray_64_mpi, type_create_subarray_64_f08, type_create_subarray_32_mpi, &
        type_create_subarray_32_f08
  end interface
  interface subx_type_get_layout
    procedure type_get_layout_64_mpi, type_get_layout_64_f08, type_get_layout_32_mpi, type_get_layout_32_f08
  end interface
  interface subx_type_print
    procedure type_print_mpi, type_print_f08
  end interface
  interface subx_type_query_match
    procedure type_query_match_64_mpi, type_query_match_64_f08, type_query_match_32_mpi, type_query_match_32_f08
  end interface
  interface subx_type_query_fileview
    procedure type_query_fileview_mpi, type_query_fileview_f08
  end interface
  interface subx_type_pack
    procedure type_pack_64_mpi, type_pack_64_f08, type_pack_32_mpi, type_pack_32_f08
  end interface
  interface subx_type_unpack
    procedure type_unpack_64_mpi, type_unpack_64_f08, type_unpack_32_mpi, type_unpack_32_f08
  end interface
  interface subx_block_get
    procedure block_get_64, block_get_32
  end interface
  interface subx_block_get_owner
    procedure block_get_owner_64, block_get_owner_32
  end interface
  interface subx_grid_get_dims
    procedure grid_get_dims_64, grid_get_dims_32
  end interface
  interface subx_grid_create
    procedure grid_create_mpi, grid_create_f08
  end interface
  interface subx_grid_get
    procedure grid_get
  end interface
  interface subx_grid_free
    procedure grid_free
  end interface
  interface subx_mem_alloc
    procedure mem_alloc_mpi, mem_alloc_f08
  end interface
  interface subx_mem_free
    procedure mem_free
  end interface
  interface subx_mem_get_info
    procedure mem_get_info_mpi, mem_get_info_f08
  end interface
  interface subx_exch_create
    procedure exch_create_mpi, exch_create_f08
  end interface
  interface subx_exch_create_realign
    procedure exch_create_realign_64_mpi, exch_create_realign_64_f08, exch_create_realign_32_mpi, &
        exch_create_realign_32_f08
  end interface
  interface subx_exch_execute
    procedure exch_execute
  end interface
  interface subx_exch_start
    procedure exch_start
  end interface
  interface subx_exch_test
    procedure exch_test
  end interface
  interface subx_exch_wait
    procedure exch_wait
  end interface
  interface subx_exch_get
    procedure exch_get
  end interface
  interface subx_exch_get_info
    procedure exch_get_info_mpi, exch_get_info_f08
  end interface
  interface subx_exch_query_engine
    procedure exch_query_engine
  end interface
  interface subx_exch_free
    procedure exch_free
  end interface
  interface subx_boxes_create
    procedure boxes_create_64, boxes_create_32
  end interface
  interface subx_boxes_create_type
    procedure boxes_create_type_64_mpi, boxes_create_type_64_f08, boxes_create_type_32_mpi, boxes_create_type_32_f08
  end interface
  interface subx_boxes_add
    procedure boxes_add_64, boxes_add_32
  end interface
  interface subx_boxes_add_ordered
    procedure boxes_add_ordered_64, boxes_add_ordered_32
  end interface
  interface subx_boxes_add_strided
    procedure boxes_add_strided_64, boxes_add_strided_32
  end interface
  interface subx_boxes_get
    procedure boxes_get_64, boxes_get_32
  end interface
  interface subx_boxes_get_box
    procedure boxes_get_box_64, boxes_get_box_32
  end interface
  interface subx_boxes_free
    procedure boxes_free
  end interface
  interface subx_boxes_check
    procedure boxes_check_mpi, boxes_check_f08
  end interface
  interface subx_exch_create_boxes
    procedure exch_create_boxes_mpi, exch_create_boxes_f08
  end interface
  interface subx_halo_create
    procedure halo_create_64_mpi, halo_create_64_f08, halo_create_32_mpi, halo_create_32_f08
  end interface
  interface subx_halo_execute
    procedure halo_execute
  end interface
  interface subx_halo_start
    procedure halo_start
  end interface
  interface subx_halo_test
    procedure halo_test
  end interface
  interface subx_halo_wait
    procedure halo_wait
  end interface
  interface subx_halo_free
    procedure halo_free
  end interface

contains

  ! Get the version of the linked library.
  subroutine version_get(major, minor, patch, ierror)
    integer, intent(out) :: major
    integer, intent(out) :: minor
    integer, intent(out) :: patch
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_version_get(major, minor, patch)
    call finish(code, ierror)
  end subroutine

  ! Create the datatype of a subarray that is traversed in any order of its axes.
  subroutine type_create_subarray_64_mpi(sizes, subsizes, starts, oldtype, newtype, order, ierror)
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    integer, intent(in) :: oldtype
    integer, intent(out) :: newtype
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_order(:)
    type(subx_mpi_datatype) :: c_newtype

    nd = common_size([size(sizes), size(subsizes), size(starts)])
    if (present(order)) nd = common_size([nd, size(order)])
    if (present(order)) allocate(c_order, source=order - 1)
    c_newtype = datatype_c(MPI_DATATYPE_NULL%MPI_VAL)
    code = c_type_create_subarray_c(nd, sizes, subsizes, starts - 1, MPI_ORDER_FORTRAN, c_order, &
        datatype_c(oldtype), c_newtype)
    newtype = datatype_f(c_newtype)
    call finish(code, ierror)
  end subroutine

  subroutine type_create_subarray_64_f08(sizes, subsizes, starts, oldtype, newtype, order, ierror)
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: subsizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: oldtype
    type(MPI_Datatype), intent(out) :: newtype
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call type_create_subarray_64_mpi(sizes, subsizes, starts, oldtype%MPI_VAL, newtype%MPI_VAL, order, ierror)
  end subroutine

  subroutine type_create_subarray_32_mpi(sizes, subsizes, starts, oldtype, newtype, order, ierror)
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    integer, intent(in) :: oldtype
    integer, intent(out) :: newtype
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call type_create_subarray_64_mpi(int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), int(starts, &
        SUBX_INDEX_KIND), oldtype, newtype, order, ierror)
  end subroutine

  subroutine type_create_subarray_32_f08(sizes, subsizes, starts, oldtype, newtype, order, ierror)
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: subsizes(:)
    integer, intent(in) :: starts(:)
    type(MPI_Datatype), intent(in) :: oldtype
    type(MPI_Datatype), intent(out) :: newtype
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call type_create_subarray_64_mpi(int(sizes, SUBX_INDEX_KIND), int(subsizes, SUBX_INDEX_KIND), int(starts, &
        SUBX_INDEX_KIND), oldtype%MPI_VAL, newtype%MPI_VAL, order, ierror)
  end subroutine

  ! Get the strided block that a type describes.
  subroutine type_get_layout_64_mpi(type, ndims, n, stride, block_bytes, offset, ierror)
    integer, intent(in) :: type
    integer, intent(out) :: ndims
    integer(SUBX_INDEX_KIND), intent(inout) :: n(:)
    integer(SUBX_INDEX_KIND), intent(inout) :: stride(:)
    integer(SUBX_INDEX_KIND), intent(out) :: block_bytes
    integer(SUBX_INDEX_KIND), intent(inout) :: offset
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int64_t) :: c_n(SUBX_NDIMS_MAX)
    integer(c_intptr_t) :: c_stride(SUBX_NDIMS_MAX)

    code = c_type_get_layout(datatype_c(type), SUBX_NDIMS_MAX, nd, c_n, c_stride, block_bytes, offset)
    if (code == MPI_SUCCESS) then
      ndims = nd
      call put(c_n(1:nd), n, code)
      call put(c_stride(1:nd), stride, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine type_get_layout_64_f08(type, ndims, n, stride, block_bytes, offset, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out) :: ndims
    integer(SUBX_INDEX_KIND), intent(inout) :: n(:)
    integer(SUBX_INDEX_KIND), intent(inout) :: stride(:)
    integer(SUBX_INDEX_KIND), intent(out) :: block_bytes
    integer(SUBX_INDEX_KIND), intent(inout) :: offset
    integer, intent(out), optional :: ierror
    call type_get_layout_64_mpi(type%MPI_VAL, ndims, n, stride, block_bytes, offset, ierror)
  end subroutine

  subroutine type_get_layout_32_mpi(type, ndims, n, stride, block_bytes, offset, ierror)
    integer, intent(in) :: type
    integer, intent(out) :: ndims
    integer, intent(inout) :: n(:)
    integer, intent(inout) :: stride(:)
    integer(SUBX_INDEX_KIND), intent(out) :: block_bytes
    integer, intent(inout) :: offset
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_n(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_stride(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_offset

    call widen(n, wide_n)
    call widen(stride, wide_stride)
    call widen(offset, wide_offset)
    call type_get_layout_64_mpi(type, ndims, wide_n, wide_stride, block_bytes, wide_offset, ierror)
    call narrow(wide_n, n, ierror)
    call narrow(wide_stride, stride, ierror)
    call narrow(wide_offset, offset, ierror)
  end subroutine

  subroutine type_get_layout_32_f08(type, ndims, n, stride, block_bytes, offset, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out) :: ndims
    integer, intent(inout) :: n(:)
    integer, intent(inout) :: stride(:)
    integer(SUBX_INDEX_KIND), intent(out) :: block_bytes
    integer, intent(inout) :: offset
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_n(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_stride(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_offset

    call widen(n, wide_n)
    call widen(stride, wide_stride)
    call widen(offset, wide_offset)
    call type_get_layout_64_mpi(type%MPI_VAL, ndims, wide_n, wide_stride, block_bytes, wide_offset, ierror)
    call narrow(wide_n, n, ierror)
    call narrow(wide_stride, stride, ierror)
    call narrow(wide_offset, offset, ierror)
  end subroutine

  ! Print a description of a type in one line.
  subroutine type_print_mpi(type, text, ierror)
    integer, intent(in) :: type
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_type_print(datatype_c(type), 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_type_print(datatype_c(type), room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  subroutine type_print_f08(type, text, ierror)
    type(MPI_Datatype), intent(in) :: type
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    call type_print_mpi(type%MPI_VAL, text, ierror)
  end subroutine

  ! Query whether two types, each taken once, have the same signature.
  subroutine type_query_match_64_mpi(a, b, match, first, basic_a, basic_b, ierror)
    integer, intent(in) :: a
    integer, intent(in) :: b
    logical, intent(out) :: match
    integer(SUBX_INDEX_KIND), intent(inout) :: first
    integer, intent(out) :: basic_a
    integer, intent(out) :: basic_b
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_match
    integer(c_int64_t) :: c_first
    type(subx_mpi_datatype) :: c_basic_a
    type(subx_mpi_datatype) :: c_basic_b

    c_first = -1
    c_basic_a = datatype_c(MPI_DATATYPE_NULL%MPI_VAL)
    c_basic_b = datatype_c(MPI_DATATYPE_NULL%MPI_VAL)
    code = c_type_query_match(datatype_c(a), datatype_c(b), c_match, c_first, c_basic_a, c_basic_b)
    basic_a = datatype_f(c_basic_a)
    basic_b = datatype_f(c_basic_b)
    if (code == MPI_SUCCESS) then
      match = c_match /= 0
      first = c_first + 1
    end if
    call finish(code, ierror)
  end subroutine

  subroutine type_query_match_64_f08(a, b, match, first, basic_a, basic_b, ierror)
    type(MPI_Datatype), intent(in) :: a
    type(MPI_Datatype), intent(in) :: b
    logical, intent(out) :: match
    integer(SUBX_INDEX_KIND), intent(inout) :: first
    type(MPI_Datatype), intent(out) :: basic_a
    type(MPI_Datatype), intent(out) :: basic_b
    integer, intent(out), optional :: ierror
    call type_query_match_64_mpi(a%MPI_VAL, b%MPI_VAL, match, first, basic_a%MPI_VAL, basic_b%MPI_VAL, ierror)
  end subroutine

  subroutine type_query_match_32_mpi(a, b, match, first, basic_a, basic_b, ierror)
    integer, intent(in) :: a
    integer, intent(in) :: b
    logical, intent(out) :: match
    integer, intent(inout) :: first
    integer, intent(out) :: basic_a
    integer, intent(out) :: basic_b
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_first

    call widen(first, wide_first)
    call type_query_match_64_mpi(a, b, match, wide_first, basic_a, basic_b, ierror)
    call narrow(wide_first, first, ierror)
  end subroutine

  subroutine type_query_match_32_f08(a, b, match, first, basic_a, basic_b, ierror)
    type(MPI_Datatype), intent(in) :: a
    type(MPI_Datatype), intent(in) :: b
    logical, intent(out) :: match
    integer, intent(inout) :: first
    type(MPI_Datatype), intent(out) :: basic_a
    type(MPI_Datatype), intent(out) :: basic_b
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_first

    call widen(first, wide_first)
    call type_query_match_64_mpi(a%MPI_VAL, b%MPI_VAL, match, wide_first, basic_a%MPI_VAL, basic_b%MPI_VAL, ierror)
    call narrow(wide_first, first, ierror)
  end subroutine

  ! Query whether a type may be the filetype of a file view.
  subroutine type_query_fileview_mpi(type, ok, ierror)
    integer, intent(in) :: type
    logical, intent(out) :: ok
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_ok

    code = c_type_query_fileview(datatype_c(type), c_ok)
    if (code == MPI_SUCCESS) ok = c_ok /= 0
    call finish(code, ierror)
  end subroutine

  subroutine type_query_fileview_f08(type, ok, ierror)
    type(MPI_Datatype), intent(in) :: type
    logical, intent(out) :: ok
    integer, intent(out), optional :: ierror
    call type_query_fileview_mpi(type%MPI_VAL, ok, ierror)
  end subroutine

  ! Pack `count` elements of a type.
  subroutine type_pack_64_mpi(inbuf, count, type, outbuf, outsize, position, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: count
    integer, intent(in) :: type
    type(*), target, intent(inout) :: outbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: outsize
    integer(SUBX_INDEX_KIND), intent(inout) :: position
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_type_pack(address(inbuf), count, datatype_c(type), address(outbuf), outsize, position)
    call finish(code, ierror)
  end subroutine

  subroutine type_pack_64_f08(inbuf, count, type, outbuf, outsize, position, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: count
    type(MPI_Datatype), intent(in) :: type
    type(*), target, intent(inout) :: outbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: outsize
    integer(SUBX_INDEX_KIND), intent(inout) :: position
    integer, intent(out), optional :: ierror
    call type_pack_64_mpi(inbuf, count, type%MPI_VAL, outbuf, outsize, position, ierror)
  end subroutine

  subroutine type_pack_32_mpi(inbuf, count, type, outbuf, outsize, position, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer, intent(in) :: count
    integer, intent(in) :: type
    type(*), target, intent(inout) :: outbuf(..)
    integer, intent(in) :: outsize
    integer, intent(inout) :: position
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_position

    call widen(position, wide_position)
    call type_pack_64_mpi(inbuf, int(count, SUBX_INDEX_KIND), type, outbuf, int(outsize, SUBX_INDEX_KIND), &
        wide_position, ierror)
    call narrow(wide_position, position, ierror)
  end subroutine

  subroutine type_pack_32_f08(inbuf, count, type, outbuf, outsize, position, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: type
    type(*), target, intent(inout) :: outbuf(..)
    integer, intent(in) :: outsize
    integer, intent(inout) :: position
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_position

    call widen(position, wide_position)
    call type_pack_64_mpi(inbuf, int(count, SUBX_INDEX_KIND), type%MPI_VAL, outbuf, int(outsize, SUBX_INDEX_KIND), &
        wide_position, ierror)
    call narrow(wide_position, position, ierror)
  end subroutine

  ! Unpack `count` elements of a type from packed bytes.
  subroutine type_unpack_64_mpi(inbuf, insize, position, outbuf, count, type, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: insize
    integer(SUBX_INDEX_KIND), intent(inout) :: position
    type(*), target, intent(inout) :: outbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: count
    integer, intent(in) :: type
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_type_unpack(address(inbuf), insize, position, address(outbuf), count, datatype_c(type))
    call finish(code, ierror)
  end subroutine

  subroutine type_unpack_64_f08(inbuf, insize, position, outbuf, count, type, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: insize
    integer(SUBX_INDEX_KIND), intent(inout) :: position
    type(*), target, intent(inout) :: outbuf(..)
    integer(SUBX_INDEX_KIND), intent(in) :: count
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out), optional :: ierror
    call type_unpack_64_mpi(inbuf, insize, position, outbuf, count, type%MPI_VAL, ierror)
  end subroutine

  subroutine type_unpack_32_mpi(inbuf, insize, position, outbuf, count, type, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer, intent(in) :: insize
    integer, intent(inout) :: position
    type(*), target, intent(inout) :: outbuf(..)
    integer, intent(in) :: count
    integer, intent(in) :: type
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_position

    call widen(position, wide_position)
    call type_unpack_64_mpi(inbuf, int(insize, SUBX_INDEX_KIND), wide_position, outbuf, int(count, &
        SUBX_INDEX_KIND), type, ierror)
    call narrow(wide_position, position, ierror)
  end subroutine

  subroutine type_unpack_32_f08(inbuf, insize, position, outbuf, count, type, ierror)
    type(*), target, intent(in) :: inbuf(..)
    integer, intent(in) :: insize
    integer, intent(inout) :: position
    type(*), target, intent(inout) :: outbuf(..)
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: type
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_position

    call widen(position, wide_position)
    call type_unpack_64_mpi(inbuf, int(insize, SUBX_INDEX_KIND), wide_position, outbuf, int(count, &
        SUBX_INDEX_KIND), type%MPI_VAL, ierror)
    call narrow(wide_position, position, ierror)
  end subroutine

  ! Get part r of n elements that are divided into p contiguous parts of nearly equal length.
  subroutine block_get_64(n, p, r, len, start, ierror)
    integer(SUBX_INDEX_KIND), intent(in) :: n
    integer, intent(in) :: p
    integer, intent(in) :: r
    integer(SUBX_INDEX_KIND), intent(inout) :: len
    integer(SUBX_INDEX_KIND), intent(inout) :: start
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_ptrdiff_t) :: c_start

    c_start = -1
    code = c_block_get(n, p, r, len, c_start)
    if (code == MPI_SUCCESS) start = c_start + 1
    call finish(code, ierror)
  end subroutine

  subroutine block_get_32(n, p, r, len, start, ierror)
    integer, intent(in) :: n
    integer, intent(in) :: p
    integer, intent(in) :: r
    integer, intent(inout) :: len
    integer, intent(inout) :: start
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_len
    integer(SUBX_INDEX_KIND), allocatable :: wide_start

    call widen(len, wide_len)
    call widen(start, wide_start)
    call block_get_64(int(n, SUBX_INDEX_KIND), p, r, wide_len, wide_start, ierror)
    call narrow(wide_len, len, ierror)
    call narrow(wide_start, start, ierror)
  end subroutine

  ! Get the part that contains element i.
  subroutine block_get_owner_64(n, p, i, r, ierror)
    integer(SUBX_INDEX_KIND), intent(in) :: n
    integer, intent(in) :: p
    integer(SUBX_INDEX_KIND), intent(in) :: i
    integer, intent(out) :: r
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_block_get_owner(n, p, i - 1, r)
    call finish(code, ierror)
  end subroutine

  subroutine block_get_owner_32(n, p, i, r, ierror)
    integer, intent(in) :: n
    integer, intent(in) :: p
    integer, intent(in) :: i
    integer, intent(out) :: r
    integer, intent(out), optional :: ierror
    call block_get_owner_64(int(n, SUBX_INDEX_KIND), p, int(i, SUBX_INDEX_KIND), r, ierror)
  end subroutine

  ! Get the dimensions of a good process grid for an array.
  subroutine grid_get_dims_64(nranks, sizes, dims, ierror)
    integer, intent(in) :: nranks
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer, intent(inout) :: dims(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int) :: c_dims(size(dims))

    nd = size(sizes)
    c_dims = reversed(dims)
    code = c_grid_get_dims(nranks, size(dims), nd, reversed(sizes), c_dims)
    call put(reversed(c_dims), dims, code)
    call finish(code, ierror)
  end subroutine

  subroutine grid_get_dims_32(nranks, sizes, dims, ierror)
    integer, intent(in) :: nranks
    integer, intent(in) :: sizes(:)
    integer, intent(inout) :: dims(:)
    integer, intent(out), optional :: ierror
    call grid_get_dims_64(nranks, int(sizes, SUBX_INDEX_KIND), dims, ierror)
  end subroutine

  ! Create a process grid.
  subroutine grid_create_mpi(comm, dims, grid, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: dims(:)
    type(subx_grid), intent(out) :: grid
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_grid_create(comm_c(comm), size(dims), reversed(dims), grid)
    call finish(code, ierror, comm)
  end subroutine

  subroutine grid_create_f08(comm, dims, grid, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: dims(:)
    type(subx_grid), intent(out) :: grid
    integer, intent(out), optional :: ierror
    call grid_create_mpi(comm%MPI_VAL, dims, grid, ierror)
  end subroutine

  ! Get a grid's dimensions and the coordinates of this rank.
  subroutine grid_get(grid, g, dims, coords, ierror)
    type(subx_grid), intent(in) :: grid
    integer, intent(out) :: g
    integer, intent(inout), optional :: dims(:)
    integer, intent(inout), optional :: coords(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_dims(SUBX_NDIMS_MAX)
    integer(c_int) :: c_coords(SUBX_NDIMS_MAX)

    code = c_grid_get(grid, SUBX_NDIMS_MAX, g, c_dims, c_coords)
    if (code == MPI_SUCCESS) then
      call put(reversed(c_dims(1:g)), dims, code)
      call put(reversed(c_coords(1:g)), coords, code)
    end if
    call finish(code, ierror)
  end subroutine

  ! Free a grid and its communicators.
  subroutine grid_free(grid, ierror)
    type(subx_grid), intent(inout) :: grid
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_grid_free(grid)
    call finish(code, ierror)
  end subroutine

  ! Allocate memory that the ranks of a node can read directly.
  subroutine mem_alloc_mpi(comm, bytes, hints, mem, ierror)
    integer, intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: bytes
    integer, intent(in) :: hints
    type(c_ptr), intent(out) :: mem
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_mem_alloc(comm_c(comm), bytes, info_c(hints), mem)
    call finish(code, ierror, comm)
  end subroutine

  subroutine mem_alloc_f08(comm, bytes, hints, mem, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: bytes
    type(MPI_Info), intent(in) :: hints
    type(c_ptr), intent(out) :: mem
    integer, intent(out), optional :: ierror
    call mem_alloc_mpi(comm%MPI_VAL, bytes, hints%MPI_VAL, mem, ierror)
  end subroutine

  ! Free this rank's piece of memory of subx_mem_alloc.
  subroutine mem_free(mem, ierror)
    type(c_ptr), intent(inout) :: mem
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_mem_free(mem)
    call finish(code, ierror)
  end subroutine

  ! Get how this rank's memory is shared, as an MPI_Info.
  subroutine mem_get_info_mpi(mem, info, ierror)
    type(c_ptr), intent(in) :: mem
    integer, intent(out) :: info
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(subx_mpi_info) :: c_info

    c_info = info_c(MPI_INFO_NULL%MPI_VAL)
    code = c_mem_get_info(mem, c_info)
    info = info_f(c_info)
    call finish(code, ierror)
  end subroutine

  subroutine mem_get_info_f08(mem, info, ierror)
    type(c_ptr), intent(in) :: mem
    type(MPI_Info), intent(out) :: info
    integer, intent(out), optional :: ierror
    call mem_get_info_mpi(mem, info%MPI_VAL, ierror)
  end subroutine

  ! Create an exchange.
  subroutine exch_create_mpi(comm, stype, rtype, hints, ex, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: stype(:)
    integer, intent(in) :: rtype(:)
    integer, intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_create(comm_c(comm), datatype_c(stype), datatype_c(rtype), info_c(hints), ex)
    call finish(code, ierror, comm)
  end subroutine

  subroutine exch_create_f08(comm, stype, rtype, hints, ex, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Datatype), intent(in) :: stype(:)
    type(MPI_Datatype), intent(in) :: rtype(:)
    type(MPI_Info), intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(out), optional :: ierror
    call exch_create_mpi(comm%MPI_VAL, stype%MPI_VAL, rtype%MPI_VAL, hints%MPI_VAL, ex, ierror)
  end subroutine

  ! Create the exchange that realigns a distributed array from axis v to axis w.
  subroutine exch_create_realign_64_mpi(comm, sizes, v, w, elemtype, hints, ex, sorder, rorder, ierror)
    integer, intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer, intent(in) :: v
    integer, intent(in) :: w
    integer, intent(in) :: elemtype
    integer, intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(in), optional :: sorder(:)
    integer, intent(in), optional :: rorder(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_sorder(:)
    integer(c_int), allocatable :: c_rorder(:)

    nd = size(sizes)
    if (present(sorder)) nd = common_size([nd, size(sorder)])
    if (present(rorder)) nd = common_size([nd, size(rorder)])
    if (present(sorder)) allocate(c_sorder, source=nd - sorder)
    if (present(rorder)) allocate(c_rorder, source=nd - rorder)
    code = c_exch_create_realign(comm_c(comm), nd, reversed(sizes), nd - v, nd - w, c_sorder, c_rorder, &
        datatype_c(elemtype), info_c(hints), ex)
    call finish(code, ierror, comm)
  end subroutine

  subroutine exch_create_realign_64_f08(comm, sizes, v, w, elemtype, hints, ex, sorder, rorder, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer, intent(in) :: v
    integer, intent(in) :: w
    type(MPI_Datatype), intent(in) :: elemtype
    type(MPI_Info), intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(in), optional :: sorder(:)
    integer, intent(in), optional :: rorder(:)
    integer, intent(out), optional :: ierror
    call exch_create_realign_64_mpi(comm%MPI_VAL, sizes, v, w, elemtype%MPI_VAL, hints%MPI_VAL, ex, sorder, rorder, &
        ierror)
  end subroutine

  subroutine exch_create_realign_32_mpi(comm, sizes, v, w, elemtype, hints, ex, sorder, rorder, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: v
    integer, intent(in) :: w
    integer, intent(in) :: elemtype
    integer, intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(in), optional :: sorder(:)
    integer, intent(in), optional :: rorder(:)
    integer, intent(out), optional :: ierror
    call exch_create_realign_64_mpi(comm, int(sizes, SUBX_INDEX_KIND), v, w, elemtype, hints, ex, sorder, rorder, &
        ierror)
  end subroutine

  subroutine exch_create_realign_32_f08(comm, sizes, v, w, elemtype, hints, ex, sorder, rorder, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: v
    integer, intent(in) :: w
    type(MPI_Datatype), intent(in) :: elemtype
    type(MPI_Info), intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(in), optional :: sorder(:)
    integer, intent(in), optional :: rorder(:)
    integer, intent(out), optional :: ierror
    call exch_create_realign_64_mpi(comm%MPI_VAL, int(sizes, SUBX_INDEX_KIND), v, w, elemtype%MPI_VAL, &
        hints%MPI_VAL, ex, sorder, rorder, ierror)
  end subroutine

  ! Execute an exchange.
  subroutine exch_execute(ex, sendbuf, recvbuf, ierror)
    type(subx_exch), intent(in) :: ex
    type(*), target, intent(in) :: sendbuf(..)
    type(*), target, intent(inout) :: recvbuf(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_execute(ex, address(sendbuf), address(recvbuf))
    call finish(code, ierror)
  end subroutine

  ! Start an exchange.
  subroutine exch_start(ex, sendbuf, recvbuf, ierror)
    type(subx_exch), intent(in) :: ex
    type(*), target, intent(in) :: sendbuf(..)
    type(*), target, intent(inout) :: recvbuf(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_start(ex, address(sendbuf), address(recvbuf))
    call finish(code, ierror)
  end subroutine

  ! Test whether a started exchange is complete, and let it make progress, without waiting for other ranks.
  subroutine exch_test(ex, flag, ierror)
    type(subx_exch), intent(in) :: ex
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_flag

    code = c_exch_test(ex, c_flag)
    if (code == MPI_SUCCESS) flag = c_flag /= 0
    call finish(code, ierror)
  end subroutine

  ! Wait for a started exchange to complete.
  subroutine exch_wait(ex, ierror)
    type(subx_exch), intent(in) :: ex
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_wait(ex)
    call finish(code, ierror)
  end subroutine

  ! Get the engine and the sizes of an exchange.
  subroutine exch_get(ex, engine, send_bytes, recv_bytes, work_bytes, ierror)
    type(subx_exch), intent(in) :: ex
    character(:), allocatable, intent(out), optional :: engine
    integer(SUBX_INDEX_KIND), intent(out), optional :: send_bytes
    integer(SUBX_INDEX_KIND), intent(out), optional :: recv_bytes
    integer(SUBX_INDEX_KIND), intent(out), optional :: work_bytes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_engine

    code = c_exch_get(ex, c_engine, send_bytes, recv_bytes, work_bytes)
    if (code == MPI_SUCCESS) then
      if (present(engine)) engine = text_at(c_engine)
    end if
    call finish(code, ierror)
  end subroutine

  ! Get the hints in effect for an exchange.
  subroutine exch_get_info_mpi(ex, info, ierror)
    type(subx_exch), intent(in) :: ex
    integer, intent(out) :: info
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(subx_mpi_info) :: c_info

    c_info = info_c(MPI_INFO_NULL%MPI_VAL)
    code = c_exch_get_info(ex, c_info)
    info = info_f(c_info)
    call finish(code, ierror)
  end subroutine

  subroutine exch_get_info_f08(ex, info, ierror)
    type(subx_exch), intent(in) :: ex
    type(MPI_Info), intent(out) :: info
    integer, intent(out), optional :: ierror
    call exch_get_info_mpi(ex, info%MPI_VAL, ierror)
  end subroutine

  ! Query the names of the engines.
  subroutine exch_query_engine(i, name, ierror)
    integer, intent(in) :: i
    character(:), allocatable, intent(out) :: name
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_name

    code = c_exch_query_engine(i - 1, c_name)
    if (code == MPI_SUCCESS) name = text_at(c_name)
    call finish(code, ierror)
  end subroutine

  ! Free an exchange.
  subroutine exch_free(ex, ierror)
    type(subx_exch), intent(inout) :: ex
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_free(ex)
    call finish(code, ierror)
  end subroutine

  ! Create an empty list of boxes.
  subroutine boxes_create_64(sizes, boxes, ierror)
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    nd = size(sizes)
    code = c_boxes_create(nd, reversed(sizes), boxes)
    call finish(code, ierror)
  end subroutine

  subroutine boxes_create_32(sizes, boxes, ierror)
    integer, intent(in) :: sizes(:)
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    call boxes_create_64(int(sizes, SUBX_INDEX_KIND), boxes, ierror)
  end subroutine

  ! Create the boxes that a filetype describes.
  subroutine boxes_create_type_64_mpi(type, sizes, elemtype, boxes, ierror)
    integer, intent(in) :: type
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer, intent(in) :: elemtype
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    nd = size(sizes)
    code = c_boxes_create_type(datatype_c(type), nd, reversed(sizes), datatype_c(elemtype), boxes)
    call finish(code, ierror)
  end subroutine

  subroutine boxes_create_type_64_f08(type, sizes, elemtype, boxes, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    call boxes_create_type_64_mpi(type%MPI_VAL, sizes, elemtype%MPI_VAL, boxes, ierror)
  end subroutine

  subroutine boxes_create_type_32_mpi(type, sizes, elemtype, boxes, ierror)
    integer, intent(in) :: type
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: elemtype
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    call boxes_create_type_64_mpi(type, int(sizes, SUBX_INDEX_KIND), elemtype, boxes, ierror)
  end subroutine

  subroutine boxes_create_type_32_f08(type, sizes, elemtype, boxes, ierror)
    type(MPI_Datatype), intent(in) :: type
    integer, intent(in) :: sizes(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(subx_boxes), intent(out) :: boxes
    integer, intent(out), optional :: ierror
    call boxes_create_type_64_mpi(type%MPI_VAL, int(sizes, SUBX_INDEX_KIND), elemtype%MPI_VAL, boxes, ierror)
  end subroutine

  ! Add a box in the order of Fortran, behind all boxes that were added before.
  subroutine boxes_add_64(boxes, start, len, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer(SUBX_INDEX_KIND), intent(in) :: start(:)
    integer(SUBX_INDEX_KIND), intent(in) :: len(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(boxes, nd, code)
    call check_size(start, nd, code)
    call check_size(len, nd, code)
    if (code == MPI_SUCCESS) code = c_boxes_add(boxes, reversed(start) - 1, reversed(len))
    call finish(code, ierror)
  end subroutine

  subroutine boxes_add_32(boxes, start, len, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: start(:)
    integer, intent(in) :: len(:)
    integer, intent(out), optional :: ierror
    call boxes_add_64(boxes, int(start, SUBX_INDEX_KIND), int(len, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Add a box in any order of its axes, behind all boxes that were added before.
  subroutine boxes_add_ordered_64(boxes, start, len, order, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer(SUBX_INDEX_KIND), intent(in) :: start(:)
    integer(SUBX_INDEX_KIND), intent(in) :: len(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_order(:)

    call get_ndims(boxes, nd, code)
    call check_size(start, nd, code)
    call check_size(len, nd, code)
    if (present(order)) call check_size(order, nd, code)
    if (present(order)) allocate(c_order, source=nd - order)
    if (code == MPI_SUCCESS) code = c_boxes_add_ordered(boxes, reversed(start) - 1, reversed(len), c_order)
    call finish(code, ierror)
  end subroutine

  subroutine boxes_add_ordered_32(boxes, start, len, order, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: start(:)
    integer, intent(in) :: len(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call boxes_add_ordered_64(boxes, int(start, SUBX_INDEX_KIND), int(len, SUBX_INDEX_KIND), order, ierror)
  end subroutine

  ! Add a box at any place in memory, with any strides.
  subroutine boxes_add_strided_64(boxes, start, len, offset, stride, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer(SUBX_INDEX_KIND), intent(in) :: start(:)
    integer(SUBX_INDEX_KIND), intent(in) :: len(:)
    integer(SUBX_INDEX_KIND), intent(in) :: offset
    integer(SUBX_INDEX_KIND), intent(in) :: stride(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(boxes, nd, code)
    call check_size(start, nd, code)
    call check_size(len, nd, code)
    call check_size(stride, nd, code)
    if (code == MPI_SUCCESS) code = c_boxes_add_strided(boxes, reversed(start) - 1, reversed(len), offset, &
        reversed(stride))
    call finish(code, ierror)
  end subroutine

  subroutine boxes_add_strided_32(boxes, start, len, offset, stride, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: start(:)
    integer, intent(in) :: len(:)
    integer, intent(in) :: offset
    integer, intent(in) :: stride(:)
    integer, intent(out), optional :: ierror
    call boxes_add_strided_64(boxes, int(start, SUBX_INDEX_KIND), int(len, SUBX_INDEX_KIND), int(offset, &
        SUBX_INDEX_KIND), int(stride, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Get the lengths of the global array, the number of boxes, and how much memory the boxes take.
  subroutine boxes_get_64(boxes, sizes, ndims, count, is_strided, elements, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: count
    logical, intent(out), optional :: is_strided
    integer(SUBX_INDEX_KIND), intent(inout), optional :: elements
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_ptrdiff_t) :: c_sizes(SUBX_NDIMS_MAX)
    integer(c_int) :: c_is_strided

    code = c_boxes_get(boxes, nd, c_sizes, count, c_is_strided, elements)
    if (code == MPI_SUCCESS) then
      if (present(ndims)) ndims = nd
      call put(reversed(c_sizes(1:nd)), sizes, code)
      if (present(is_strided)) is_strided = c_is_strided /= 0
    end if
    call finish(code, ierror)
  end subroutine

  subroutine boxes_get_32(boxes, sizes, ndims, count, is_strided, elements, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(inout) :: sizes(:)
    integer, intent(out), optional :: ndims
    integer, intent(out), optional :: count
    logical, intent(out), optional :: is_strided
    integer, intent(inout), optional :: elements
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_sizes(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_elements

    call widen(sizes, wide_sizes)
    call widen(elements, wide_elements)
    call boxes_get_64(boxes, wide_sizes, ndims, count, is_strided, wide_elements, ierror)
    call narrow(wide_sizes, sizes, ierror)
    call narrow(wide_elements, elements, ierror)
  end subroutine

  ! Get a box.
  subroutine boxes_get_box_64(boxes, i, start, len, offset, stride, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: i
    integer(SUBX_INDEX_KIND), intent(inout) :: start(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: len(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: offset
    integer(SUBX_INDEX_KIND), intent(inout), optional :: stride(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_ptrdiff_t) :: c_start(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_len(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_stride(SUBX_NDIMS_MAX)

    call get_ndims(boxes, nd, code)
    if (code == MPI_SUCCESS) code = c_boxes_get_box(boxes, i - 1, c_start, c_len, offset, c_stride)
    if (code == MPI_SUCCESS) then
      call put(reversed(c_start(1:nd)) + 1, start, code)
      call put(reversed(c_len(1:nd)), len, code)
      call put(reversed(c_stride(1:nd)), stride, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine boxes_get_box_32(boxes, i, start, len, offset, stride, ierror)
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: i
    integer, intent(inout) :: start(:)
    integer, intent(inout), optional :: len(:)
    integer, intent(inout), optional :: offset
    integer, intent(inout), optional :: stride(:)
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_start(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_len(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_offset
    integer(SUBX_INDEX_KIND), allocatable :: wide_stride(:)

    call widen(start, wide_start)
    call widen(len, wide_len)
    call widen(offset, wide_offset)
    call widen(stride, wide_stride)
    call boxes_get_box_64(boxes, i, wide_start, wide_len, wide_offset, wide_stride, ierror)
    call narrow(wide_start, start, ierror)
    call narrow(wide_len, len, ierror)
    call narrow(wide_offset, offset, ierror)
    call narrow(wide_stride, stride, ierror)
  end subroutine

  ! Free boxes.
  subroutine boxes_free(boxes, ierror)
    type(subx_boxes), intent(inout) :: boxes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_boxes_free(boxes)
    call finish(code, ierror)
  end subroutine

  ! Check that no element of an array is in two boxes of one rank, or in boxes of two ranks.
  subroutine boxes_check_mpi(comm, boxes, must_cover, ierror)
    integer, intent(in) :: comm
    type(subx_boxes), intent(in) :: boxes
    logical, intent(in) :: must_cover
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_boxes_check(comm_c(comm), boxes, flag(must_cover))
    call finish(code, ierror, comm)
  end subroutine

  subroutine boxes_check_f08(comm, boxes, must_cover, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(subx_boxes), intent(in) :: boxes
    logical, intent(in) :: must_cover
    integer, intent(out), optional :: ierror
    call boxes_check_mpi(comm%MPI_VAL, boxes, must_cover, ierror)
  end subroutine

  ! Create the exchange between any two distributions of a global array.
  subroutine exch_create_boxes_mpi(comm, send, recv, elemtype, hints, ex, ierror)
    integer, intent(in) :: comm
    type(subx_boxes), intent(in) :: send
    type(subx_boxes), intent(in) :: recv
    integer, intent(in) :: elemtype
    integer, intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_exch_create_boxes(comm_c(comm), send, recv, datatype_c(elemtype), info_c(hints), ex)
    call finish(code, ierror, comm)
  end subroutine

  subroutine exch_create_boxes_f08(comm, send, recv, elemtype, hints, ex, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(subx_boxes), intent(in) :: send
    type(subx_boxes), intent(in) :: recv
    type(MPI_Datatype), intent(in) :: elemtype
    type(MPI_Info), intent(in) :: hints
    type(subx_exch), intent(out) :: ex
    integer, intent(out), optional :: ierror
    call exch_create_boxes_mpi(comm%MPI_VAL, send, recv, elemtype%MPI_VAL, hints%MPI_VAL, ex, ierror)
  end subroutine

  ! Create a halo exchange.
  subroutine halo_create_64_mpi(comm, sizes, start, len, below, above, elemtype, hints, halo, periodic, order, ierror)
    integer, intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: start(:)
    integer(SUBX_INDEX_KIND), intent(in) :: len(:)
    integer(SUBX_INDEX_KIND), intent(in) :: below(:)
    integer(SUBX_INDEX_KIND), intent(in) :: above(:)
    integer, intent(in) :: elemtype
    integer, intent(in) :: hints
    type(subx_halo), intent(out) :: halo
    logical, intent(in), optional :: periodic(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_periodic(:)
    integer(c_int), allocatable :: c_order(:)

    nd = common_size([size(sizes), size(start), size(len), size(below), size(above)])
    if (present(periodic)) nd = common_size([nd, size(periodic)])
    if (present(order)) nd = common_size([nd, size(order)])
    if (present(periodic)) allocate(c_periodic, source=reversed(flag(periodic)))
    if (present(order)) allocate(c_order, source=nd - order)
    code = c_halo_create(comm_c(comm), nd, reversed(sizes), reversed(start) - 1, reversed(len), reversed(below), &
        reversed(above), c_periodic, c_order, datatype_c(elemtype), info_c(hints), halo)
    call finish(code, ierror, comm)
  end subroutine

  subroutine halo_create_64_f08(comm, sizes, start, len, below, above, elemtype, hints, halo, periodic, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer(SUBX_INDEX_KIND), intent(in) :: start(:)
    integer(SUBX_INDEX_KIND), intent(in) :: len(:)
    integer(SUBX_INDEX_KIND), intent(in) :: below(:)
    integer(SUBX_INDEX_KIND), intent(in) :: above(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(MPI_Info), intent(in) :: hints
    type(subx_halo), intent(out) :: halo
    logical, intent(in), optional :: periodic(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call halo_create_64_mpi(comm%MPI_VAL, sizes, start, len, below, above, elemtype%MPI_VAL, hints%MPI_VAL, halo, &
        periodic, order, ierror)
  end subroutine

  subroutine halo_create_32_mpi(comm, sizes, start, len, below, above, elemtype, hints, halo, periodic, order, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: start(:)
    integer, intent(in) :: len(:)
    integer, intent(in) :: below(:)
    integer, intent(in) :: above(:)
    integer, intent(in) :: elemtype
    integer, intent(in) :: hints
    type(subx_halo), intent(out) :: halo
    logical, intent(in), optional :: periodic(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call halo_create_64_mpi(comm, int(sizes, SUBX_INDEX_KIND), int(start, SUBX_INDEX_KIND), int(len, &
        SUBX_INDEX_KIND), int(below, SUBX_INDEX_KIND), int(above, SUBX_INDEX_KIND), elemtype, hints, halo, &
        periodic, order, ierror)
  end subroutine

  subroutine halo_create_32_f08(comm, sizes, start, len, below, above, elemtype, hints, halo, periodic, order, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: start(:)
    integer, intent(in) :: len(:)
    integer, intent(in) :: below(:)
    integer, intent(in) :: above(:)
    type(MPI_Datatype), intent(in) :: elemtype
    type(MPI_Info), intent(in) :: hints
    type(subx_halo), intent(out) :: halo
    logical, intent(in), optional :: periodic(:)
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    call halo_create_64_mpi(comm%MPI_VAL, int(sizes, SUBX_INDEX_KIND), int(start, SUBX_INDEX_KIND), int(len, &
        SUBX_INDEX_KIND), int(below, SUBX_INDEX_KIND), int(above, SUBX_INDEX_KIND), elemtype%MPI_VAL, &
        hints%MPI_VAL, halo, periodic, order, ierror)
  end subroutine

  ! Execute a halo exchange.
  subroutine halo_execute(halo, array, ierror)
    type(subx_halo), intent(in) :: halo
    type(*), target, intent(inout) :: array(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_halo_execute(halo, address(array))
    call finish(code, ierror)
  end subroutine

  ! Start a halo exchange.
  subroutine halo_start(halo, array, ierror)
    type(subx_halo), intent(in) :: halo
    type(*), target, intent(inout) :: array(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_halo_start(halo, address(array))
    call finish(code, ierror)
  end subroutine

  ! Test whether a started halo exchange is complete, as subx_exch_test does.
  subroutine halo_test(halo, flag, ierror)
    type(subx_halo), intent(in) :: halo
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_flag

    code = c_halo_test(halo, c_flag)
    if (code == MPI_SUCCESS) flag = c_flag /= 0
    call finish(code, ierror)
  end subroutine

  ! Wait for a started halo exchange to complete.
  subroutine halo_wait(halo, ierror)
    type(subx_halo), intent(in) :: halo
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_halo_wait(halo)
    call finish(code, ierror)
  end subroutine

  ! Free a halo exchange.
  subroutine halo_free(halo, ierror)
    type(subx_halo), intent(inout) :: halo
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_halo_free(halo)
    call finish(code, ierror)
  end subroutine
end module
