! subx_fft_extra.f90 - the part of the module subx_fft that is written by hand: arrays for plans (arrays.c does the work);
! executions, which check their arrays; and operations by procedures of the caller.
module subx_fft_extra
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS
  use subx_fft_c, only: subx_fft_plan, subx_fft_problem, subx_fft_operation, SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, &
    SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD, c_fft_execute => subx_fft_execute, &
    c_fft_execute_operation => subx_fft_execute_operation, &
    c_fft_execute_convolution => subx_fft_execute_convolution, c_fft_start => subx_fft_start, &
    c_fft_start_operation => subx_fft_start_operation, c_fft_start_convolution => subx_fft_start_convolution, &
    c_fft_plan_get => subx_fft_plan_get, &
    c_fft_plan_get_local => subx_fft_plan_get_local, c_fft_plan_get_frequencies => subx_fft_plan_get_frequencies, &
    c_fft_problem_get => subx_fft_problem_get, c_fft_operation_create_table => subx_fft_operation_create_table
  use subx_support
  implicit none
  private
  public :: subx_fft_execute, subx_fft_execute_operation, subx_fft_execute_convolution, subx_fft_start, &
    subx_fft_start_operation, subx_fft_start_convolution, subx_fft_plan_get_frequencies, &
    subx_fft_plan_allocate, subx_fft_plan_get_array, subx_fft_free, subx_fft_operation_create_function, &
    subx_fft_operation_create_table, subx_fft_operation_free, get_ndims

  ! Allocate a new array of a side of a plan, real or complex, in single or double precision:
  !
  !     real(c_double), allocatable :: u(:,:,:)
  !     call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  !
  ! The type, kind and rank of the array must fit the side of the plan, else the error is SUBX_ERR_ARG. The bounds become global
  ! indices: u(i,j,k) is element i, j, k of the whole array. Dimensions are in storage order: dimension k is axis order(k) of
  ! subx_fft_plan_get_local, which usually is k, but not with transposed output. Several fields need one dimension more, the first
  ! one if they are interleaved, else the last one. SUBX_ERR_UNAVAILABLE if the side is padded, or has strides or several boxes.
  !
  ! With a type(c_ptr), and without a side: allocate memory for an array of either side, which may be padded.
  ! subx_fft_plan_get_array gives the memory a shape, subx_fft_free frees it.
  interface subx_fft_plan_allocate
    subroutine allocate_real32(plan, side, array, ierror) bind(C, name="subx_f_allocate_real32")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      real(c_float), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine allocate_real64(plan, side, array, ierror) bind(C, name="subx_f_allocate_real64")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      real(c_double), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine allocate_complex32(plan, side, array, ierror) bind(C, name="subx_f_allocate_complex32")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      complex(c_float_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine allocate_complex64(plan, side, array, ierror) bind(C, name="subx_f_allocate_complex64")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      complex(c_double_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine allocate_memory(plan, memory, ierror) bind(C, name="subx_f_allocate_memory")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), intent(out) :: memory
      integer(c_int), intent(out), optional :: ierror
    end subroutine
  end interface

  ! Make a pointer to memory that has the shape of an array of a side of a plan:
  !
  !     real(c_double), pointer :: u(:,:,:)
  !     complex(c_double_complex), pointer :: uh(:,:,:)
  !     call subx_fft_plan_allocate(plan, memory)
  !     call subx_fft_plan_get_array(plan, SUBX_FFT_PHYSICAL, memory, u)
  !     call subx_fft_plan_get_array(plan, SUBX_FFT_SPECTRAL, memory, uh)
  !     call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
  ! This example transforms in place. Types and bounds are as for subx_fft_plan_allocate. If the side is padded, the array does
  ! not include the padding, which then is a gap between its columns.
  interface subx_fft_plan_get_array
    subroutine get_real32(plan, side, memory, array, ierror) bind(C, name="subx_f_get_real32")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: memory
      real(c_float), pointer, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine get_real64(plan, side, memory, array, ierror) bind(C, name="subx_f_get_real64")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: memory
      real(c_double), pointer, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine get_complex32(plan, side, memory, array, ierror) bind(C, name="subx_f_get_complex32")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: memory
      complex(c_float_complex), pointer, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierror
    end subroutine
    subroutine get_complex64(plan, side, memory, array, ierror) bind(C, name="subx_f_get_complex64")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      type(c_ptr), value :: memory
      complex(c_double_complex), pointer, intent(inout) :: array(..)
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

  ! Execute a plan.
  subroutine subx_fft_execute(plan, direction, from, to, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), target, intent(in) :: from(..)
    type(*), target, intent(inout) :: to(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: wrong, code

    call check_arrays(plan, direction, from, to, wrong)
    code = c_fft_execute(plan, direction, fitting(from, wrong), fitting(to, wrong))
    if (wrong /= MPI_SUCCESS) call check_arrays(plan, direction, from, to, code) ! C has replaced the text
    call finish(code, ierror)
  end subroutine

  ! Execute a plan with an operation on the spectral data.
  subroutine subx_fft_execute_operation(plan, direction, from, to, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), target, intent(in) :: from(..)
    type(*), target, intent(inout) :: to(..)
    type(subx_fft_operation), intent(in) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: wrong, code

    call check_arrays(plan, direction, from, to, wrong)
    code = c_fft_execute_operation(plan, direction, fitting(from, wrong), fitting(to, wrong), operation)
    if (wrong /= MPI_SUCCESS) call check_arrays(plan, direction, from, to, code) ! C has replaced the text
    call finish(code, ierror)
  end subroutine

  ! Execute a convolution: forward, an operation, backward.
  subroutine subx_fft_execute_convolution(plan, from, to, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(*), target, intent(in) :: from(..)
    type(*), target, intent(inout) :: to(..)
    type(subx_fft_operation), intent(in) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: wrong, code

    call check_ends(plan, from, to, wrong)
    code = c_fft_execute_convolution(plan, fitting(from, wrong), fitting(to, wrong), operation)
    if (wrong /= MPI_SUCCESS) call check_ends(plan, from, to, code) ! C has replaced the text
    call finish(code, ierror)
  end subroutine

  ! Start an execution; subx_fft_wait waits for its end. Until then, from must not be written, and to must be neither read nor
  ! written. The caller's arrays need the attribute asynchronous, or target.
  subroutine subx_fft_start(plan, direction, from, to, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), target, asynchronous, intent(in) :: from(..)
    type(*), target, asynchronous, intent(inout) :: to(..)
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    call check_arrays(plan, direction, from, to, code)
    code = c_fft_start(plan, direction, fitting(from, code), fitting(to, code))
    call finish(code, ierror)
  end subroutine

  ! Start an execution with an operation on the spectral data. The rules for the arrays are those of subx_fft_start.
  subroutine subx_fft_start_operation(plan, direction, from, to, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), target, asynchronous, intent(in) :: from(..)
    type(*), target, asynchronous, intent(inout) :: to(..)
    type(subx_fft_operation), intent(in) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    call check_arrays(plan, direction, from, to, code)
    code = c_fft_start_operation(plan, direction, fitting(from, code), fitting(to, code), operation)
    call finish(code, ierror)
  end subroutine

  ! Start a convolution. The rules for the arrays are those of subx_fft_start.
  subroutine subx_fft_start_convolution(plan, from, to, operation, ierror)
    type(subx_fft_plan), intent(in) :: plan
    type(*), target, asynchronous, intent(in) :: from(..)
    type(*), target, asynchronous, intent(inout) :: to(..)
    type(subx_fft_operation), intent(in) :: operation
    integer, intent(out), optional :: ierror
    integer(c_int) :: code

    call check_ends(plan, from, to, code)
    code = c_fft_start_convolution(plan, fitting(from, code), fitting(to, code), operation)
    call finish(code, ierror)
  end subroutine

  subroutine check_arrays(plan, direction, from, to, code)
    type(subx_fft_plan), intent(in) :: plan
    integer, intent(in) :: direction
    type(*), intent(in) :: from(..), to(..)
    integer(c_int), intent(out) :: code
    integer :: first

    code = MPI_SUCCESS
    if (all(direction /= [SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD])) return ! C refuses the direction
    first = merge(SUBX_FFT_PHYSICAL, SUBX_FFT_SPECTRAL, direction == SUBX_FFT_FORWARD)
    call check_array(plan, first, from, code)
    call check_array(plan, 1 - first, to, code)
  end subroutine

  ! Get the address of an array; null after an error.
  type(c_ptr) function fitting(array, code)
    type(*), target, intent(in) :: array(..)
    integer(c_int), intent(in) :: code
    fitting = c_null_ptr
    if (code == MPI_SUCCESS) fitting = c_loc(array)
  end function

  ! Check both arrays of a convolution.
  subroutine check_ends(plan, from, to, code)
    type(subx_fft_plan), intent(in) :: plan
    type(*), target, intent(in) :: from(..), to(..)
    integer(c_int), intent(out) :: code

    code = MPI_SUCCESS
    call check_array(plan, SUBX_FFT_PHYSICAL, from, code)
    call check_array(plan, SUBX_FFT_PHYSICAL, to, code)
  end subroutine

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
