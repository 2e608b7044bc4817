! subx_fft.f90 - transforms of distributed arrays
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
module subx_fft
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_DATATYPE_NULL, MPI_INFO_NULL, MPI_Comm, MPI_Datatype, MPI_Info, &
    MPI_ORDER_C, MPI_ORDER_FORTRAN
  use subx_support
  use subx_fft_c, only: SUBX_FFT_NONE, SUBX_FFT_C2C, SUBX_FFT_R2C, SUBX_FFT_C2R, SUBX_FFT_DCT1, SUBX_FFT_DCT2, &
      SUBX_FFT_DCT3, SUBX_FFT_DCT4, SUBX_FFT_DST1, SUBX_FFT_DST2, SUBX_FFT_DST3, SUBX_FFT_DST4, SUBX_FFT_DHT, &
      SUBX_FFT_R2HC, SUBX_FFT_HC2R, SUBX_FFT_FLOAT, SUBX_FFT_DOUBLE, SUBX_FFT_LONG_DOUBLE, SUBX_FFT_QUAD, &
      SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD, SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, subx_fft_plan, SUBX_FFT_PLAN_NULL, &
      subx_fft_problem, SUBX_FFT_PROBLEM_NULL, subx_fft_operation, SUBX_FFT_OPERATION_NULL, operator(==), &
      operator(/=), c_fft_problem_create => subx_fft_problem_create, &
      c_fft_problem_create_copy => subx_fft_problem_create_copy, c_fft_problem_free => subx_fft_problem_free, &
      c_fft_problem_parse => subx_fft_problem_parse, c_fft_problem_print => subx_fft_problem_print, &
      c_fft_problem_query_equal => subx_fft_problem_query_equal, &
      c_fft_problem_set_precision => subx_fft_problem_set_precision, &
      c_fft_problem_set_batch => subx_fft_problem_set_batch, c_fft_problem_set_modes => subx_fft_problem_set_modes, &
      c_fft_problem_set_points => subx_fft_problem_set_points, &
      c_fft_problem_set_order => subx_fft_problem_set_order, &
      c_fft_problem_set_padded => subx_fft_problem_set_padded, &
      c_fft_problem_set_strides => subx_fft_problem_set_strides, &
      c_fft_problem_set_block => subx_fft_problem_set_block, c_fft_problem_set_boxes => subx_fft_problem_set_boxes, &
      c_fft_problem_set_operation => subx_fft_problem_set_operation, c_fft_problem_get => subx_fft_problem_get, &
      c_fft_problem_get_precision => subx_fft_problem_get_precision, &
      c_fft_problem_get_batch => subx_fft_problem_get_batch, &
      c_fft_problem_get_direction => subx_fft_problem_get_direction, c_fft_plan_create => subx_fft_plan_create, &
      c_fft_plan_create_problem => subx_fft_plan_create_problem, c_fft_plan_get_local => subx_fft_plan_get_local, &
      c_fft_plan_get => subx_fft_plan_get, c_fft_plan_get_info => subx_fft_plan_get_info, &
      c_fft_plan_get_work => subx_fft_plan_get_work, c_fft_plan_print => subx_fft_plan_print, &
      c_fft_test => subx_fft_test, c_fft_wait => subx_fft_wait, c_fft_plan_free => subx_fft_plan_free, &
      c_fft_operation_create_derivative => subx_fft_operation_create_derivative, &
      c_fft_operation_create_laplacian => subx_fft_operation_create_laplacian
  use subx_tune_c, only: SUBX_FFT_STAGE_SERIAL, SUBX_FFT_STAGE_EXCHANGE, SUBX_FFT_STAGE_SCALE, SUBX_FFT_TEXT, &
      SUBX_FFT_JSON, SUBX_FFT_CSV, subx_fft_wisdom, SUBX_FFT_WISDOM_NULL, operator(==), operator(/=), &
      c_fft_query_hint => subx_fft_query_hint, c_fft_free_kept => subx_fft_free_kept, &
      c_fft_query_kept => subx_fft_query_kept, c_fft_plan_set_stream => subx_fft_plan_set_stream, &
      c_fft_plan_get_nstages => subx_fft_plan_get_nstages, c_fft_plan_get_stage => subx_fft_plan_get_stage, &
      c_fft_plan_set_times_zero => subx_fft_plan_set_times_zero, c_fft_query_serial => subx_fft_query_serial, &
      c_fft_plan_explain => subx_fft_plan_explain, c_fft_machine_calibrate => subx_fft_machine_calibrate, &
      c_fft_predict => subx_fft_predict, c_fft_wisdom_create => subx_fft_wisdom_create, &
      c_fft_wisdom_free => subx_fft_wisdom_free, c_fft_wisdom_get_path => subx_fft_wisdom_get_path, &
      c_fft_wisdom_import => subx_fft_wisdom_import, c_fft_wisdom_export => subx_fft_wisdom_export, &
      c_fft_wisdom_forget => subx_fft_wisdom_forget, c_fft_wisdom_print => subx_fft_wisdom_print, &
      c_fft_plan_get_wisdom => subx_fft_plan_get_wisdom, c_fft_plan_set_wisdom => subx_fft_plan_set_wisdom
  use subx
  use subx_fft_extra
  implicit none
  private
  public :: SUBX_FFT_NONE, SUBX_FFT_C2C, SUBX_FFT_R2C, SUBX_FFT_C2R, SUBX_FFT_DCT1, SUBX_FFT_DCT2, SUBX_FFT_DCT3, &
      SUBX_FFT_DCT4, SUBX_FFT_DST1, SUBX_FFT_DST2, SUBX_FFT_DST3, SUBX_FFT_DST4, SUBX_FFT_DHT, SUBX_FFT_R2HC, &
      SUBX_FFT_HC2R, SUBX_FFT_FLOAT, SUBX_FFT_DOUBLE, SUBX_FFT_LONG_DOUBLE, SUBX_FFT_QUAD, SUBX_FFT_FORWARD, &
      SUBX_FFT_BACKWARD, SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, subx_fft_plan, SUBX_FFT_PLAN_NULL, subx_fft_problem, &
      SUBX_FFT_PROBLEM_NULL, subx_fft_operation, SUBX_FFT_OPERATION_NULL, SUBX_FFT_STAGE_SERIAL, &
      SUBX_FFT_STAGE_EXCHANGE, SUBX_FFT_STAGE_SCALE, SUBX_FFT_TEXT, SUBX_FFT_JSON, SUBX_FFT_CSV, subx_fft_wisdom, &
      SUBX_FFT_WISDOM_NULL, subx_fft_execute, subx_fft_execute_operation, subx_fft_execute_convolution, &
      subx_fft_start, subx_fft_start_operation, subx_fft_start_convolution, subx_fft_plan_get_frequencies, &
      subx_fft_plan_allocate, subx_fft_plan_get_array, subx_fft_free, subx_fft_operation_create_function, &
      subx_fft_operation_create_table, subx_fft_operation_free, operator(==), operator(/=), &
      subx_fft_problem_create, subx_fft_problem_create_copy, subx_fft_problem_free, subx_fft_problem_parse, &
      subx_fft_problem_print, subx_fft_problem_query_equal, subx_fft_problem_set_precision, &
      subx_fft_problem_set_batch, subx_fft_problem_set_modes, subx_fft_problem_set_points, &
      subx_fft_problem_set_order, subx_fft_problem_set_padded, subx_fft_problem_set_strides, &
      subx_fft_problem_set_block, subx_fft_problem_set_boxes, subx_fft_problem_set_operation, subx_fft_problem_get, &
      subx_fft_problem_get_precision, subx_fft_problem_get_batch, subx_fft_problem_get_direction, &
      subx_fft_plan_create, subx_fft_plan_create_problem, subx_fft_plan_get_local, subx_fft_plan_get, &
      subx_fft_plan_get_info, subx_fft_plan_get_work, subx_fft_plan_print, subx_fft_test, subx_fft_wait, &
      subx_fft_plan_free, subx_fft_operation_create_derivative, subx_fft_operation_create_laplacian, &
      subx_fft_query_hint, subx_fft_free_kept, subx_fft_query_kept, subx_fft_plan_set_stream, &
      subx_fft_plan_get_nstages, subx_fft_plan_get_stage, subx_fft_plan_set_times_zero, subx_fft_query_serial, &
      subx_fft_plan_explain, subx_fft_machine_calibrate, subx_fft_predict, subx_fft_wisdom_create, &
      subx_fft_wisdom_free, subx_fft_wisdom_get_path, subx_fft_wisdom_import, subx_fft_wisdom_export, &
      subx_fft_wisdom_forget, subx_fft_wisdom_print, subx_fft_plan_get_wisdom, subx_fft_plan_set_wisdom
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

  interface subx_fft_problem_create
    procedure fft_problem_create_64, fft_problem_create_32
  end interface
  interface subx_fft_problem_create_copy
    procedure fft_problem_create_copy
  end interface
  interface subx_fft_problem_free
    procedure fft_problem_free
  end interface
  interface subx_fft_problem_parse
    procedure fft_problem_parse
  end interface
  interface subx_fft_problem_print
    procedure fft_problem_print
  end interface
  interface subx_fft_problem_query_equal
    procedure fft_problem_query_equal
  end interface
  interface subx_fft_problem_set_precision
    procedure fft_problem_set_precision
  end interface
  interface subx_fft_problem_set_batch
    procedure fft_problem_set_batch_64, fft_problem_set_batch_32
  end interface
  interface subx_fft_problem_set_modes
    procedure fft_problem_set_modes_64, fft_problem_set_modes_32
  end interface
  interface subx_fft_problem_set_points
    procedure fft_problem_set_points_64, fft_problem_set_points_32
  end interface
  interface subx_fft_problem_set_order
    procedure fft_problem_set_order
  end interface
  interface subx_fft_problem_set_padded
    procedure fft_problem_set_padded
  end interface
  interface subx_fft_problem_set_strides
    procedure fft_problem_set_strides_64, fft_problem_set_strides_32
  end interface
  interface subx_fft_problem_set_block
    procedure fft_problem_set_block_64, fft_problem_set_block_32
  end interface
  interface subx_fft_problem_set_boxes
    procedure fft_problem_set_boxes_64, fft_problem_set_boxes_32
  end interface
  interface subx_fft_problem_set_operation
    procedure fft_problem_set_operation
  end interface
  interface subx_fft_problem_get
    procedure fft_problem_get_64, fft_problem_get_32
  end interface
  interface subx_fft_problem_get_precision
    procedure fft_problem_get_precision
  end interface
  interface subx_fft_problem_get_batch
    procedure fft_problem_get_batch_64, fft_problem_get_batch_32
  end interface
  interface subx_fft_problem_get_direction
    procedure fft_problem_get_direction
  end interface
  interface subx_fft_plan_create
    procedure fft_plan_create_64_mpi, fft_plan_create_64_f08, fft_plan_create_32_mpi, fft_plan_create_32_f08
  end interface
  interface subx_fft_plan_create_problem
    procedure fft_plan_create_problem_mpi, fft_plan_create_problem_f08
  end interface
  interface subx_fft_plan_get_local
    procedure fft_plan_get_local_64, fft_plan_get_local_32
  end interface
  interface subx_fft_plan_get
    procedure fft_plan_get
  end interface
  interface subx_fft_plan_get_info
    procedure fft_plan_get_info_mpi, fft_plan_get_info_f08
  end interface
  interface subx_fft_plan_get_work
    procedure fft_plan_get_work
  end interface
  interface subx_fft_plan_print
    procedure fft_plan_print
  end interface
  interface subx_fft_test
    procedure fft_test
  end interface
  interface subx_fft_wait
    procedure fft_wait
  end interface
  interface subx_fft_plan_free
    procedure fft_plan_free
  end interface
  interface subx_fft_operation_create_derivative
    procedure fft_operation_create_derivative
  end interface
  interface subx_fft_operation_create_laplacian
    procedure fft_operation_create_laplacian
  end interface
  interface subx_fft_query_hint
    procedure fft_query_hint
  end interface
  interface subx_fft_free_kept
    procedure fft_free_kept_mpi, fft_free_kept_f08
  end interface
  interface subx_fft_query_kept
    procedure fft_query_kept
  end interface
  interface subx_fft_plan_set_stream
    procedure fft_plan_set_stream
  end interface
  interface subx_fft_plan_get_nstages
    procedure fft_plan_get_nstages
  end interface
  interface subx_fft_plan_get_stage
    procedure fft_plan_get_stage
  end interface
  interface subx_fft_plan_set_times_zero
    procedure fft_plan_set_times_zero
  end interface
  interface subx_fft_query_serial
    procedure fft_query_serial
  end interface
  interface subx_fft_plan_explain
    procedure fft_plan_explain
  end interface
  interface subx_fft_machine_calibrate
    procedure fft_machine_calibrate_mpi, fft_machine_calibrate_f08
  end interface
  interface subx_fft_predict
    procedure fft_predict_mpi, fft_predict_f08
  end interface
  interface subx_fft_wisdom_create
    procedure fft_wisdom_create
  end interface
  interface subx_fft_wisdom_free
    procedure fft_wisdom_free
  end interface
  interface subx_fft_wisdom_get_path
    procedure fft_wisdom_get_path
  end interface
  interface subx_fft_wisdom_import
    procedure fft_wisdom_import
  end interface
  interface subx_fft_wisdom_export
    procedure fft_wisdom_export
  end interface
  interface subx_fft_wisdom_forget
    procedure fft_wisdom_forget
  end interface
  interface subx_fft_wisdom_print
    procedure fft_wisdom_print
  end interface
  interface subx_fft_plan_get_wisdom
    procedure fft_plan_get_wisdom
  end interface
  interface subx_fft_plan_set_wisdom
    procedure fft_plan_set_wisdom
  end interface

contains

  ! Create a problem in double precision.
  subroutine fft_problem_create_64(kinds, sizes, problem, ierror)
    integer, intent(in) :: kinds(:)
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    type(subx_fft_problem), intent(out) :: problem
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    nd = common_size([size(kinds), size(sizes)])
    code = c_fft_problem_create(nd, reversed(kinds), reversed(sizes), problem)
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_create_32(kinds, sizes, problem, ierror)
    integer, intent(in) :: kinds(:)
    integer, intent(in) :: sizes(:)
    type(subx_fft_problem), intent(out) :: problem
    integer, intent(out), optional :: ierror
    call fft_problem_create_64(kinds, int(sizes, SUBX_INDEX_KIND), problem, ierror)
  end subroutine

  ! Create a copy of a problem, which the caller frees.
  subroutine fft_problem_create_copy(problem, copy, ierror)
    type(subx_fft_problem), intent(in) :: problem
    type(subx_fft_problem), intent(out) :: copy
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_create_copy(problem, copy)
    call finish(code, ierror)
  end subroutine

  ! Free a problem.
  subroutine fft_problem_free(problem, ierror)
    type(subx_fft_problem), intent(inout) :: problem
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_free(problem)
    call finish(code, ierror)
  end subroutine

  ! Create a problem from its text.
  subroutine fft_problem_parse(text, problem, ierror)
    character(*), intent(in) :: text
    type(subx_fft_problem), intent(out) :: problem
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_parse(c_text(text), problem)
    call finish(code, ierror)
  end subroutine

  ! Print the canonical text of a problem.
  subroutine fft_problem_print(problem, text, ierror)
    type(subx_fft_problem), intent(in) :: problem
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_problem_print(problem, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_problem_print(problem, room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Query whether two problems are equal, also in strides and boxes.
  subroutine fft_problem_query_equal(a, b, equal, ierror)
    type(subx_fft_problem), intent(in) :: a
    type(subx_fft_problem), intent(in) :: b
    logical, intent(out) :: equal
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_equal

    code = c_fft_problem_query_equal(a, b, c_equal)
    if (code == MPI_SUCCESS) equal = c_equal /= 0
    call finish(code, ierror)
  end subroutine

  ! Set the precision, SUBX_FFT_FLOAT .. SUBX_FFT_QUAD.
  subroutine fft_problem_set_precision(problem, precision, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: precision
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_set_precision(problem, precision)
    call finish(code, ierror)
  end subroutine

  ! Set the number of fields that are transformed together.
  subroutine fft_problem_set_batch_64(problem, howmany, interleaved, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer(SUBX_INDEX_KIND), intent(in) :: howmany
    logical, intent(in) :: interleaved
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_set_batch(problem, howmany, flag(interleaved))
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_batch_32(problem, howmany, interleaved, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: howmany
    logical, intent(in) :: interleaved
    integer, intent(out), optional :: ierror
    call fft_problem_set_batch_64(problem, int(howmany, SUBX_INDEX_KIND), interleaved, ierror)
  end subroutine

  ! Set how many modes are kept on the spectral side.
  subroutine fft_problem_set_modes_64(problem, modes, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer(SUBX_INDEX_KIND), intent(in) :: modes(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(problem, nd, code)
    call check_size(modes, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_problem_set_modes(problem, reversed(modes))
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_modes_32(problem, modes, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: modes(:)
    integer, intent(out), optional :: ierror
    call fft_problem_set_modes_64(problem, int(modes, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Set how many points exist on the physical side.
  subroutine fft_problem_set_points_64(problem, points, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer(SUBX_INDEX_KIND), intent(in) :: points(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(problem, nd, code)
    call check_size(points, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_problem_set_points(problem, reversed(points))
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_points_32(problem, points, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: points(:)
    integer, intent(out), optional :: ierror
    call fft_problem_set_points_64(problem, int(points, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Set the storage order of a side.
  subroutine fft_problem_set_order(problem, side, order, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    integer, intent(in), optional :: order(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int), allocatable :: c_order(:)

    call get_ndims(problem, nd, code)
    if (present(order)) call check_size(order, nd, code)
    if (present(order)) allocate(c_order, source=nd - order)
    if (code == MPI_SUCCESS) code = c_fft_problem_set_order(problem, side, c_order)
    call finish(code, ierror)
  end subroutine

  ! Set whether the physical side is padded as for FFTW's transforms in place.
  subroutine fft_problem_set_padded(problem, padded, ierror)
    type(subx_fft_problem), intent(in) :: problem
    logical, intent(in) :: padded
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_set_padded(problem, flag(padded))
    call finish(code, ierror)
  end subroutine

  ! Set the strides of this rank's array on a side.
  subroutine fft_problem_set_strides_64(problem, side, strides, distance, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    integer(SUBX_INDEX_KIND), intent(in) :: strides(:)
    integer(SUBX_INDEX_KIND), intent(in) :: distance
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(problem, nd, code)
    call check_size(strides, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_problem_set_strides(problem, side, reversed(strides), distance)
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_strides_32(problem, side, strides, distance, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    integer, intent(in) :: strides(:)
    integer, intent(in) :: distance
    integer, intent(out), optional :: ierror
    call fft_problem_set_strides_64(problem, side, int(strides, SUBX_INDEX_KIND), int(distance, SUBX_INDEX_KIND), &
        ierror)
  end subroutine

  ! Set the block size of an axis of a side.
  subroutine fft_problem_set_block_64(problem, side, axis, block, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    integer, intent(in) :: axis
    integer(SUBX_INDEX_KIND), intent(in) :: block
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(problem, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_problem_set_block(problem, side, nd - axis, block)
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_block_32(problem, side, axis, block, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    integer, intent(in) :: axis
    integer, intent(in) :: block
    integer, intent(out), optional :: ierror
    call fft_problem_set_block_64(problem, side, axis, int(block, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Set the boxes that this rank has on a side.
  subroutine fft_problem_set_boxes_64(problem, side, boxes, distance, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    type(subx_boxes), intent(in) :: boxes
    integer(SUBX_INDEX_KIND), intent(in) :: distance
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_set_boxes(problem, side, boxes, distance)
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_set_boxes_32(problem, side, boxes, distance, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: side
    type(subx_boxes), intent(in) :: boxes
    integer, intent(in) :: distance
    integer, intent(out), optional :: ierror
    call fft_problem_set_boxes_64(problem, side, boxes, int(distance, SUBX_INDEX_KIND), ierror)
  end subroutine

  ! Set whether the plan must support operations on the spectral data, such as convolutions.
  subroutine fft_problem_set_operation(problem, has_operation, ierror)
    type(subx_fft_problem), intent(in) :: problem
    logical, intent(in) :: has_operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_set_operation(problem, flag(has_operation))
    call finish(code, ierror)
  end subroutine

  ! Get the axes of a problem.
  subroutine fft_problem_get_64(problem, sizes, ndims, kinds, modes, points, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer(SUBX_INDEX_KIND), intent(inout) :: sizes(:)
    integer, intent(out), optional :: ndims
    integer, intent(inout), optional :: kinds(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: modes(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: points(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_int) :: c_kinds(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_sizes(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_modes(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_points(SUBX_NDIMS_MAX)

    code = c_fft_problem_get(problem, nd, c_kinds, c_sizes, c_modes, c_points)
    if (code == MPI_SUCCESS) then
      if (present(ndims)) ndims = nd
      call put(reversed(c_kinds(1:nd)), kinds, code)
      call put(reversed(c_sizes(1:nd)), sizes, code)
      call put(reversed(c_modes(1:nd)), modes, code)
      call put(reversed(c_points(1:nd)), points, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_get_32(problem, sizes, ndims, kinds, modes, points, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(inout) :: sizes(:)
    integer, intent(out), optional :: ndims
    integer, intent(inout), optional :: kinds(:)
    integer, intent(inout), optional :: modes(:)
    integer, intent(inout), optional :: points(:)
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_sizes(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_modes(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_points(:)

    call widen(sizes, wide_sizes)
    call widen(modes, wide_modes)
    call widen(points, wide_points)
    call fft_problem_get_64(problem, wide_sizes, ndims, kinds, wide_modes, wide_points, ierror)
    call narrow(wide_sizes, sizes, ierror)
    call narrow(wide_modes, modes, ierror)
    call narrow(wide_points, points, ierror)
  end subroutine

  ! Get the precision.
  subroutine fft_problem_get_precision(problem, precision, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(out) :: precision
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_get_precision(problem, precision)
    call finish(code, ierror)
  end subroutine

  ! Get the number of fields, and whether they are interleaved.
  subroutine fft_problem_get_batch_64(problem, howmany, interleaved, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer(SUBX_INDEX_KIND), intent(inout) :: howmany
    logical, intent(out), optional :: interleaved
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_interleaved

    code = c_fft_problem_get_batch(problem, howmany, c_interleaved)
    if (code == MPI_SUCCESS) then
      if (present(interleaved)) interleaved = c_interleaved /= 0
    end if
    call finish(code, ierror)
  end subroutine

  subroutine fft_problem_get_batch_32(problem, howmany, interleaved, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(inout) :: howmany
    logical, intent(out), optional :: interleaved
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_howmany

    call widen(howmany, wide_howmany)
    call fft_problem_get_batch_64(problem, wide_howmany, interleaved, ierror)
    call narrow(wide_howmany, howmany, ierror)
  end subroutine

  ! Get the direction that the kinds of a problem name.
  subroutine fft_problem_get_direction(problem, direction, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(out) :: direction
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_problem_get_direction(problem, direction)
    call finish(code, ierror)
  end subroutine

  ! Create a plan.
  subroutine fft_plan_create_64_mpi(comm, kind, sizes, hints, plan, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: kind
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    integer, intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    nd = size(sizes)
    code = c_fft_plan_create(comm_c(comm), kind, nd, reversed(sizes), info_c(hints), plan)
    call finish(code, ierror, comm)
  end subroutine

  subroutine fft_plan_create_64_f08(comm, kind, sizes, hints, plan, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: kind
    integer(SUBX_INDEX_KIND), intent(in) :: sizes(:)
    type(MPI_Info), intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    call fft_plan_create_64_mpi(comm%MPI_VAL, kind, sizes, hints%MPI_VAL, plan, ierror)
  end subroutine

  subroutine fft_plan_create_32_mpi(comm, kind, sizes, hints, plan, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: kind
    integer, intent(in) :: sizes(:)
    integer, intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    call fft_plan_create_64_mpi(comm, kind, int(sizes, SUBX_INDEX_KIND), hints, plan, ierror)
  end subroutine

  subroutine fft_plan_create_32_f08(comm, kind, sizes, hints, plan, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: kind
    integer, intent(in) :: sizes(:)
    type(MPI_Info), intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    call fft_plan_create_64_mpi(comm%MPI_VAL, kind, int(sizes, SUBX_INDEX_KIND), hints%MPI_VAL, plan, ierror)
  end subroutine

  ! Create a plan for a problem.
  subroutine fft_plan_create_problem_mpi(comm, problem, hints, plan, ierror)
    integer, intent(in) :: comm
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_create_problem(comm_c(comm), problem, info_c(hints), plan)
    call finish(code, ierror, comm)
  end subroutine

  subroutine fft_plan_create_problem_f08(comm, problem, hints, plan, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(subx_fft_problem), intent(in) :: problem
    type(MPI_Info), intent(in) :: hints
    type(subx_fft_plan), intent(out) :: plan
    integer, intent(out), optional :: ierror
    call fft_plan_create_problem_mpi(comm%MPI_VAL, problem, hints%MPI_VAL, plan, ierror)
  end subroutine

  ! Get the local array of one side on this rank.
  subroutine fft_plan_get_local_64(plan, side, shape, start, order, alloc_bytes, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: side
    integer(SUBX_INDEX_KIND), intent(inout) :: shape(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: start(:)
    integer, intent(inout), optional :: order(:)
    integer(SUBX_INDEX_KIND), intent(out), optional :: alloc_bytes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    integer(c_ptrdiff_t) :: c_shape(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t) :: c_start(SUBX_NDIMS_MAX)
    integer(c_int) :: c_order(SUBX_NDIMS_MAX)

    call get_ndims(plan, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_plan_get_local(plan, side, c_shape, c_start, c_order, alloc_bytes)
    if (code == MPI_SUCCESS) then
      call put(reversed(c_shape(1:nd)), shape, code)
      call put(reversed(c_start(1:nd)) + 1, start, code)
      call put(nd - c_order(1:nd), order, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine fft_plan_get_local_32(plan, side, shape, start, order, alloc_bytes, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: side
    integer, intent(inout) :: shape(:)
    integer, intent(inout), optional :: start(:)
    integer, intent(inout), optional :: order(:)
    integer(SUBX_INDEX_KIND), intent(out), optional :: alloc_bytes
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide_shape(:)
    integer(SUBX_INDEX_KIND), allocatable :: wide_start(:)

    call widen(shape, wide_shape)
    call widen(start, wide_start)
    call fft_plan_get_local_64(plan, side, wide_shape, wide_start, order, alloc_bytes, ierror)
    call narrow(wide_shape, shape, ierror)
    call narrow(wide_start, start, ierror)
  end subroutine

  ! Get the problem that a plan solves and the grid that it works on.
  subroutine fft_plan_get(plan, g, problem, dims, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(out) :: g
    type(subx_fft_problem), intent(out), optional :: problem
    integer, intent(inout), optional :: dims(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_dims(SUBX_NDIMS_MAX)

    code = c_fft_plan_get(plan, problem, g, c_dims)
    call put(reversed(c_dims(1:g)), dims, code)
    call finish(code, ierror)
  end subroutine

  ! Get the hints of subx_fft_plan_create with the values in effect, also the values that the library chose.
  subroutine fft_plan_get_info_mpi(plan, info, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(out) :: info
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(subx_mpi_info) :: c_info

    c_info = info_c(MPI_INFO_NULL%MPI_VAL)
    code = c_fft_plan_get_info(plan, c_info)
    info = info_f(c_info)
    call finish(code, ierror)
  end subroutine

  subroutine fft_plan_get_info_f08(plan, info, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(MPI_Info), intent(out) :: info
    integer, intent(out), optional :: ierror
    call fft_plan_get_info_mpi(plan, info%MPI_VAL, ierror)
  end subroutine

  ! Get the length of the work space that a plan has allocated on this rank.
  subroutine fft_plan_get_work(plan, bytes, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer(SUBX_INDEX_KIND), intent(out) :: bytes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_get_work(plan, bytes)
    call finish(code, ierror)
  end subroutine

  ! Print a plan for people, in several lines.
  subroutine fft_plan_print(plan, text, ierror)
    type(subx_fft_plan), intent(in) :: plan
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_plan_print(plan, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_plan_print(plan, room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Test whether an execution is complete.
  subroutine fft_test(plan, flag, ierror)
    type(subx_fft_plan), intent(in) :: plan
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    integer(c_int) :: c_flag

    code = c_fft_test(plan, c_flag)
    if (code == MPI_SUCCESS) flag = c_flag /= 0
    call finish(code, ierror)
  end subroutine

  ! Wait for an execution that was started.
  subroutine fft_wait(plan, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wait(plan)
    call finish(code, ierror)
  end subroutine

  ! Free a plan, or keep it (subx_keep in subx_tune.h).
  subroutine fft_plan_free(plan, ierror)
    type(subx_fft_plan), intent(inout) :: plan
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_free(plan)
    call finish(code, ierror)
  end subroutine

  ! Create an operation that differentiates.
  subroutine fft_operation_create_derivative(plan, orders, operation, lengths, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: orders(:)
    type(subx_fft_operation), intent(out) :: operation
    real(c_double), intent(in), optional :: lengths(:)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd
    real(c_double), allocatable :: c_lengths(:)

    call get_ndims(plan, nd, code)
    if (present(lengths)) call check_size(lengths, nd, code)
    call check_size(orders, nd, code)
    if (present(lengths)) allocate(c_lengths, source=reversed(lengths))
    if (code == MPI_SUCCESS) code = c_fft_operation_create_derivative(plan, c_lengths, reversed(orders), operation)
    call finish(code, ierror)
  end subroutine

  ! Create an operation that applies a power of the Laplacian.
  subroutine fft_operation_create_laplacian(plan, lengths, power, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    real(c_double), intent(in) :: lengths(:)
    integer, intent(in) :: power
    type(subx_fft_operation), intent(out) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: code, nd

    call get_ndims(plan, nd, code)
    call check_size(lengths, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_operation_create_laplacian(plan, reversed(lengths), power, operation)
    call finish(code, ierror)
  end subroutine

  ! Query a hint of subx_fft_plan_create.
  subroutine fft_query_hint(i, name, text, ierror)
    integer, intent(in) :: i
    character(:), allocatable, intent(out) :: name
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_name
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_query_hint(i - 1, c_name, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_query_hint(i - 1, c_name, room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    if (code == MPI_SUCCESS) name = text_at(c_name)
    call finish(code, ierror)
  end subroutine

  ! Free the kept plans (hint subx_keep) of all communicators that have the same ranks as comm, in the same order.
  subroutine fft_free_kept_mpi(comm, ierror)
    integer, intent(in) :: comm
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_free_kept(comm_c(comm))
    call finish(code, ierror, comm)
  end subroutine

  subroutine fft_free_kept_f08(comm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror
    call fft_free_kept_mpi(comm%MPI_VAL, ierror)
  end subroutine

  ! Query the bytes of all plans that this rank keeps, as the hint subx_keep counts them.
  subroutine fft_query_kept(bytes, ierror)
    integer(SUBX_INDEX_KIND), intent(out) :: bytes
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_query_kept(bytes)
    call finish(code, ierror)
  end subroutine

  ! Set the stream in which further executions of a plan on device memory are ordered.
  subroutine fft_plan_set_stream(plan, stream, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(c_ptr), intent(in) :: stream
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_set_stream(plan, stream)
    call finish(code, ierror)
  end subroutine

  ! Get the number of stages of a direction.
  subroutine fft_plan_get_nstages(plan, direction, count, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    integer, intent(out) :: count
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_get_nstages(plan, direction, count)
    call finish(code, ierror)
  end subroutine

  ! Get a stage and the time that it took on this rank.
  subroutine fft_plan_get_stage(plan, direction, i, kind, name, last, total, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    integer, intent(in) :: i
    integer, intent(out), optional :: kind
    character(:), allocatable, intent(out), optional :: name
    real(c_double), intent(out), optional :: last
    real(c_double), intent(out), optional :: total
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_name

    code = c_fft_plan_get_stage(plan, direction, i - 1, kind, c_name, last, total)
    if (code == MPI_SUCCESS) then
      if (present(name)) name = text_at(c_name)
    end if
    call finish(code, ierror)
  end subroutine

  ! Set the times of all stages back to 0.
  subroutine fft_plan_set_times_zero(plan, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_set_times_zero(plan)
    call finish(code, ierror)
  end subroutine

  ! Query the names of the serial backends.
  subroutine fft_query_serial(i, name, ierror)
    integer, intent(in) :: i
    character(:), allocatable, intent(out) :: name
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    type(c_ptr) :: c_name

    code = c_fft_query_serial(i - 1, c_name)
    if (code == MPI_SUCCESS) name = text_at(c_name)
    call finish(code, ierror)
  end subroutine

  ! Explain a plan.
  subroutine fft_plan_explain(plan, format, text, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: format
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_plan_explain(plan, format, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_plan_explain(plan, format, room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Measure the parameters of the cost model on the ranks of a communicator, and put them into wisdom.
  subroutine fft_machine_calibrate_mpi(comm, hints, seconds, text, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: hints
    real(c_double), intent(in) :: seconds
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room

    room = 1024
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    code = c_fft_machine_calibrate(comm_c(comm), info_c(hints), seconds, room, buffer)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror, comm)
  end subroutine

  subroutine fft_machine_calibrate_f08(comm, hints, seconds, text, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: hints
    real(c_double), intent(in) :: seconds
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    call fft_machine_calibrate_mpi(comm%MPI_VAL, hints%MPI_VAL, seconds, text, ierror)
  end subroutine

  ! Predict the time of one forward transform on a machine that is only described, by the cost model.
  subroutine fft_predict_mpi(problem, hints, machine, n, nranks, format, text, ierror)
    type(subx_fft_problem), intent(in) :: problem
    integer, intent(in) :: hints
    character(*), intent(in) :: machine
    integer, intent(in) :: n
    integer, intent(in) :: nranks(:)
    integer, intent(in) :: format
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_predict(problem, info_c(hints), c_text(machine), n, nranks, format, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_predict(problem, info_c(hints), c_text(machine), n, nranks, format, room, &
        buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  subroutine fft_predict_f08(problem, hints, machine, n, nranks, format, text, ierror)
    type(subx_fft_problem), intent(in) :: problem
    type(MPI_Info), intent(in) :: hints
    character(*), intent(in) :: machine
    integer, intent(in) :: n
    integer, intent(in) :: nranks(:)
    integer, intent(in) :: format
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    call fft_predict_mpi(problem, hints%MPI_VAL, machine, n, nranks, format, text, ierror)
  end subroutine

  ! Create wisdom without entries.
  subroutine fft_wisdom_create(wisdom, ierror)
    type(subx_fft_wisdom), intent(out) :: wisdom
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wisdom_create(wisdom)
    call finish(code, ierror)
  end subroutine

  ! Free wisdom.
  subroutine fft_wisdom_free(wisdom, ierror)
    type(subx_fft_wisdom), intent(inout) :: wisdom
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wisdom_free(wisdom)
    call finish(code, ierror)
  end subroutine

  ! Get the file that a value of the hint subx_wisdom names.
  subroutine fft_wisdom_get_path(hint, path, ierror)
    character(*), intent(in) :: hint
    character(:), allocatable, intent(out) :: path
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_wisdom_get_path(c_text(hint), 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_wisdom_get_path(c_text(hint), room, buffer, needed)
    path = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Import the entries of a file.
  subroutine fft_wisdom_import(wisdom, hint, ignored, ierror)
    type(subx_fft_wisdom), intent(in) :: wisdom
    character(*), intent(in) :: hint
    integer, intent(out), optional :: ignored
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wisdom_import(wisdom, c_text(hint), ignored)
    call finish(code, ierror)
  end subroutine

  ! Export wisdom to a file.
  subroutine fft_wisdom_export(wisdom, hint, ierror)
    type(subx_fft_wisdom), intent(in) :: wisdom
    character(*), intent(in) :: hint
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wisdom_export(wisdom, c_text(hint))
    call finish(code, ierror)
  end subroutine

  ! Forget the entries whose kind or key contains a text.
  subroutine fft_wisdom_forget(wisdom, text, count, ierror)
    type(subx_fft_wisdom), intent(in) :: wisdom
    character(*), intent(in) :: text
    integer, intent(out), optional :: count
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_wisdom_forget(wisdom, c_text(text), count)
    call finish(code, ierror)
  end subroutine

  ! Print wisdom.
  subroutine fft_wisdom_print(wisdom, text, ierror)
    type(subx_fft_wisdom), intent(in) :: wisdom
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_wisdom_print(wisdom, 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_wisdom_print(wisdom, room, buffer, needed)
    text = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Get an entry that a caller has made about a plan, in the file of the plan's hint subx_wisdom.
  subroutine fft_plan_get_wisdom(plan, kind, what, value, ierror)
    type(subx_fft_plan), intent(in) :: plan
    character(*), intent(in) :: kind
    character(*), intent(in) :: what
    character(:), allocatable, intent(out) :: value
    integer, intent(out), optional :: ierror
    integer(c_int) :: code
    character(:), allocatable :: buffer
    integer(c_size_t) :: room, needed

    code = c_fft_plan_get_wisdom(plan, c_text(kind), c_text(what), 0_c_size_t, needed=needed)
    room = merge(needed, 0_c_size_t, code == MPI_SUCCESS) + 1
    allocate(character(room) :: buffer)
    buffer(1:1) = c_null_char
    if (code == MPI_SUCCESS) code = c_fft_plan_get_wisdom(plan, c_text(kind), c_text(what), room, buffer, needed)
    value = buffer(1:index(buffer, c_null_char) - 1)
    call finish(code, ierror)
  end subroutine

  ! Set an entry about a plan, which replaces the earlier one with the same kind and key.
  subroutine fft_plan_set_wisdom(plan, kind, what, value, ierror)
    type(subx_fft_plan), intent(in) :: plan
    character(*), intent(in) :: kind
    character(*), intent(in) :: what
    character(*), intent(in) :: value
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = c_fft_plan_set_wisdom(plan, c_text(kind), c_text(what), c_text(value))
    call finish(code, ierror)
  end subroutine
end module
