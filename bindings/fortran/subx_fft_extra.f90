! subx_fft_extra.f90 - the part of the module subx_fft that is written by hand: memory for plans, checks of arrays (arrays.c
! does the work), and operations by procedures of the caller.
module subx_fft_extra
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS
  use subx_fft_c, only: subx_fft_plan, subx_fft_problem, subx_fft_operation, SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, &
    SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD, c_fft_plan_get => subx_fft_plan_get, &
    c_fft_plan_get_local => subx_fft_plan_get_local, c_fft_plan_get_frequencies => subx_fft_plan_get_frequencies, &
    c_fft_problem_get => subx_fft_problem_get, c_fft_operation_create_table => subx_fft_operation_create_table
  use subx_support
  implicit none
  private
  public :: subx_fft_plan_get_frequencies, subx_fft_plan_allocate, subx_fft_free, subx_fft_operation_create_function, &
    subx_fft_operation_create_table, subx_fft_operation_free, get_ndims, check_arrays, fitting

  ! The module subx_fft adds the procedures that allocate arrays.
  interface subx_fft_plan_allocate
    subroutine allocate_memory(plan, memory, ierror) bind(C, name="subx_f_allocate_memory")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), intent(out) :: memory
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  interface subx_fft_plan_get_frequencies
    procedure get_frequencies_64, get_frequencies_32
  end interface

  interface get_ndims
    procedure problem_get_ndims, plan_get_ndims
  end interface

  interface
    ! If code is MPI_SUCCESS, check an array: SUBX_ERR_TRUNCATE if it is too short for a side of a plan, SUBX_ERR_ARG if it has
    ! gaps that the side does not have.
    subroutine check_array(plan, side, array, code) bind(C, name="subx_f_check_array")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      type(*), intent(in) :: array(..)
      integer(c_int), intent(inout) :: code
    end subroutine
    subroutine c_free(memory) bind(C, name="free")
      import
      type(c_ptr), value :: memory
    end subroutine
    integer(c_int) function c_create_function(plan, function, context, operation) bind(C, name="subx_f_operation_create")
      import
      type(subx_fft_plan), value :: plan
      type(c_funptr), value :: function
      type(c_ptr), value :: context
      type(subx_fft_operation), intent(out) :: operation
    end function
    integer(c_int) function c_operation_free(operation) bind(C, name="subx_f_operation_free")
      import
      type(subx_fft_operation), intent(inout) :: operation
    end function
  end interface

contains

  subroutine problem_get_ndims(problem, ndims, code)
    type(subx_fft_problem), intent(in) :: problem
    integer(c_int), intent(out) :: ndims, code
    ndims = 0
    code = c_fft_problem_get(problem, ndims)
  end subroutine

  subroutine plan_get_ndims(plan, ndims, code)
    type(subx_fft_plan), intent(in) :: plan
    integer(c_int), intent(out) :: ndims, code
    type(subx_fft_problem) :: problem
    ndims = 0
    code = c_fft_plan_get(plan, problem)
    if (code == MPI_SUCCESS) code = c_fft_problem_get(problem, ndims)
  end subroutine

  ! ---- arrays

  ! Free memory of subx_fft_plan_allocate.
  subroutine subx_fft_free(memory)
    type(c_ptr), intent(inout) :: memory
    call c_free(memory)
    memory = c_null_ptr
  end subroutine

  ! Get the integer frequencies of this rank's part of an axis on the spectral side. frequencies needs at least one entry per
  ! element of this part.
  subroutine get_frequencies_64(plan, axis, frequencies, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: axis
    integer(SUBX_INDEX_KIND), intent(inout) :: frequencies(:)
    integer, intent(out), optional :: ierror
    integer(c_ptrdiff_t) :: shape(SUBX_NDIMS_MAX)
    integer(c_ptrdiff_t), allocatable :: found(:)
    integer(c_int) :: code, nd

    call get_ndims(plan, nd, code)
    if (code == MPI_SUCCESS) code = c_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape)
    if (code == MPI_SUCCESS) then
      allocate(found(shape(min(max(nd - axis, 0), nd - 1) + 1)))
      code = c_fft_plan_get_frequencies(plan, nd - axis, found)
      call put(found, frequencies, code)
    end if
    call finish(code, ierror)
  end subroutine

  subroutine get_frequencies_32(plan, axis, frequencies, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: axis
    integer, intent(inout) :: frequencies(:)
    integer, intent(out), optional :: ierror
    integer(SUBX_INDEX_KIND), allocatable :: wide(:)

    call widen(frequencies, wide)
    call get_frequencies_64(plan, axis, wide, ierror)
    call narrow(wide, frequencies, ierror)
  end subroutine

  ! ---- executions. If an array of a rank does not fit, the rank executes without arrays, so that no other rank waits for it, and
  ! then returns its error; after a start, subx_fft_wait returns SUBX_ERR_ARG. Its partners get SUBX_ERR_PEER.

  ! Check both arrays of an execution. A convolution has no direction.
  subroutine check_arrays(plan, from, to, code, direction)
    type(subx_fft_plan), intent(in) :: plan
    type(*), intent(in) :: from(..), to(..)
    integer(c_int), intent(out) :: code
    integer, intent(in), optional :: direction
    integer :: first, last

    code = MPI_SUCCESS
    first = SUBX_FFT_PHYSICAL
    last = SUBX_FFT_PHYSICAL
    if (present(direction)) then
      if (all(direction /= [SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD])) return ! C refuses the direction
      first = merge(SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, direction == SUBX_FFT_FORWARD)
      last = 1 - first
    end if
    call check_array(plan, first, from, code)
    call check_array(plan, last, to, code)
  end subroutine

  ! Get the address of an array; null after an error.
  type(c_ptr) function fitting(array, code)
    type(*), target, intent(in) :: array(..)
    integer(c_int), intent(in) :: code
    fitting = c_null_ptr
    if (code == MPI_SUCCESS) fitting = c_loc(array)
  end function

  ! ---- operations

  ! Create an operation that calls a procedure with the spectral data of this rank, box by box. The procedure belongs to a
  ! module; the following is an example. The type and rank of data are those of the plan's spectral arrays:
  !
  !     subroutine multiply(context, start, data) bind(C)
  !       type(c_ptr), value :: context
  !       integer(SUBX_INDEX_KIND), intent(in) :: start(3)
  !       complex(c_double_complex), intent(inout) :: data(start(1):, start(2):, start(3):)
  !
  ! start has the global indices of the first element. data has a dimension per axis, the first axis first; several fields need
  ! one dimension more, as in subx_fft_plan_allocate. data(i,j,k) is element i, j, k of the spectrum. The procedure changes data
  ! in place. It must not call MPI. Several threads may call it at the same time, if subx_threads is more than 1.
  !   plan       [in]   a plan with operations. The operation is for all plans with the same elements and number of fields
  !   function   [in]   c_funloc of the procedure
  !   context    [in]   c_loc of data of the caller, or c_null_ptr: the first argument of the procedure
  !   operation  [out]  the operation; the caller frees it with subx_fft_operation_free
  subroutine subx_fft_operation_create_function(plan, function, context, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(c_funptr), intent(in) :: function
    type(c_ptr), intent(in) :: context
    type(subx_fft_operation), intent(out) :: operation
    integer, intent(out), optional :: ierror
    call finish(c_create_function(plan, function, context, operation), ierror)
  end subroutine

  ! Create an operation that multiplies by a table, element by element. Each execution reads the table: it must be a target, and
  ! exist as long as the operation.
  subroutine subx_fft_operation_create_table(plan, factors, is_conjugate, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(*), target, intent(in) :: factors(..)
    logical, intent(in) :: is_conjugate
    type(subx_fft_operation), intent(out) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    code = MPI_SUCCESS
    call check_array(plan, SUBX_FFT_SPECTRAL, factors, code)
    if (code == MPI_SUCCESS) code = c_fft_operation_create_table(plan, c_loc(factors), flag(is_conjugate), operation)
    call finish(code, ierror)
  end subroutine

  ! Free an operation.
  subroutine subx_fft_operation_free(operation, ierror)
    type(subx_fft_operation), intent(inout) :: operation
    integer, intent(out), optional :: ierror
    call finish(c_operation_free(operation), ierror)
  end subroutine
end module
