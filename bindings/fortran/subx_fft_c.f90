! subx_fft_c.f90 - the functions of subx_fft.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_fft_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  use subx_boxes_c
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  integer(c_int), parameter :: SUBX_FFT_NONE = 0
  integer(c_int), parameter :: SUBX_FFT_C2C = 1
  integer(c_int), parameter :: SUBX_FFT_R2C = 2
  integer(c_int), parameter :: SUBX_FFT_C2R = 3
  integer(c_int), parameter :: SUBX_FFT_DCT1 = 4
  integer(c_int), parameter :: SUBX_FFT_DCT2 = 5
  integer(c_int), parameter :: SUBX_FFT_DCT3 = 6
  integer(c_int), parameter :: SUBX_FFT_DCT4 = 7
  integer(c_int), parameter :: SUBX_FFT_DST1 = 8
  integer(c_int), parameter :: SUBX_FFT_DST2 = 9
  integer(c_int), parameter :: SUBX_FFT_DST3 = 10
  integer(c_int), parameter :: SUBX_FFT_DST4 = 11
  integer(c_int), parameter :: SUBX_FFT_DHT = 12
  integer(c_int), parameter :: SUBX_FFT_R2HC = 13
  integer(c_int), parameter :: SUBX_FFT_HC2R = 14
  integer(c_int), parameter :: SUBX_FFT_FLOAT = 1
  integer(c_int), parameter :: SUBX_FFT_DOUBLE = 2
  integer(c_int), parameter :: SUBX_FFT_LONG_DOUBLE = 3
  integer(c_int), parameter :: SUBX_FFT_QUAD = 4
  integer(c_int), parameter :: SUBX_FFT_FORWARD = -1
  integer(c_int), parameter :: SUBX_FFT_BACKWARD = 1
  integer(c_int), parameter :: SUBX_FFT_PHYSICAL = 0
  integer(c_int), parameter :: SUBX_FFT_SPECTRAL = 1
  type, bind(C) :: subx_fft_plan
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_fft_plan), parameter :: SUBX_FFT_PLAN_NULL = subx_fft_plan(c_null_ptr)
  type, bind(C) :: subx_fft_problem
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_fft_problem), parameter :: SUBX_FFT_PROBLEM_NULL = subx_fft_problem(c_null_ptr)
  type, bind(C) :: subx_fft_operation
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_fft_operation), parameter :: SUBX_FFT_OPERATION_NULL = subx_fft_operation(c_null_ptr)
  interface operator(==)
    procedure subx_fft_plan_equals, subx_fft_problem_equals, subx_fft_operation_equals
  end interface
  interface operator(/=)
    procedure subx_fft_plan_differs, subx_fft_problem_differs, subx_fft_operation_differs
  end interface
  interface
    integer(c_int) function subx_fft_problem_create(ndims, kinds, sizes, problem) bind(C, &
        name="subx_fft_problem_create")
      import
      integer(c_int), value :: ndims
      integer(c_int), intent(in) :: kinds(*)
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      type(subx_fft_problem), intent(out) :: problem
    end function
    integer(c_int) function subx_fft_problem_create_copy(problem, copy) bind(C, name="subx_fft_problem_create_copy")
      import
      type(subx_fft_problem), value :: problem
      type(subx_fft_problem), intent(out) :: copy
    end function
    integer(c_int) function subx_fft_problem_free(problem) bind(C, name="subx_fft_problem_free")
      import
      type(subx_fft_problem), intent(inout) :: problem
    end function
    integer(c_int) function subx_fft_problem_parse(text, problem) bind(C, name="subx_fft_problem_parse")
      import
      character(kind=c_char), intent(in) :: text(*)
      type(subx_fft_problem), intent(out) :: problem
    end function
    integer(c_int) function subx_fft_problem_print(problem, len, text, needed) bind(C, name="subx_fft_problem_print")
      import
      type(subx_fft_problem), value :: problem
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_problem_query_equal(a, b, equal) bind(C, name="subx_fft_problem_query_equal")
      import
      type(subx_fft_problem), value :: a
      type(subx_fft_problem), value :: b
      integer(c_int), intent(out) :: equal
    end function
    integer(c_int) function subx_fft_problem_set_precision(problem, precision) bind(C, &
        name="subx_fft_problem_set_precision")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: precision
    end function
    integer(c_int) function subx_fft_problem_set_batch(problem, howmany, interleaved) bind(C, &
        name="subx_fft_problem_set_batch")
      import
      type(subx_fft_problem), value :: problem
      integer(c_ptrdiff_t), value :: howmany
      integer(c_int), value :: interleaved
    end function
    integer(c_int) function subx_fft_problem_set_modes(problem, modes) bind(C, name="subx_fft_problem_set_modes")
      import
      type(subx_fft_problem), value :: problem
      integer(c_ptrdiff_t), intent(in), optional :: modes(*)
    end function
    integer(c_int) function subx_fft_problem_set_points(problem, points) bind(C, name="subx_fft_problem_set_points")
      import
      type(subx_fft_problem), value :: problem
      integer(c_ptrdiff_t), intent(in), optional :: points(*)
    end function
    integer(c_int) function subx_fft_problem_set_order(problem, side, order) bind(C, &
        name="subx_fft_problem_set_order")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: side
      integer(c_int), intent(in), optional :: order(*)
    end function
    integer(c_int) function subx_fft_problem_set_padded(problem, padded) bind(C, name="subx_fft_problem_set_padded")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: padded
    end function
    integer(c_int) function subx_fft_problem_set_strides(problem, side, strides, distance) bind(C, &
        name="subx_fft_problem_set_strides")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: side
      integer(c_ptrdiff_t), intent(in), optional :: strides(*)
      integer(c_ptrdiff_t), value :: distance
    end function
    integer(c_int) function subx_fft_problem_set_block(problem, side, axis, block) bind(C, &
        name="subx_fft_problem_set_block")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: side
      integer(c_int), value :: axis
      integer(c_ptrdiff_t), value :: block
    end function
    integer(c_int) function subx_fft_problem_set_boxes(problem, side, boxes, distance) bind(C, &
        name="subx_fft_problem_set_boxes")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: side
      type(subx_boxes), value :: boxes
      integer(c_ptrdiff_t), value :: distance
    end function
    integer(c_int) function subx_fft_problem_set_operation(problem, has_operation) bind(C, &
        name="subx_fft_problem_set_operation")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), value :: has_operation
    end function
    integer(c_int) function subx_fft_problem_get(problem, ndims, kinds, sizes, modes, points) bind(C, &
        name="subx_fft_problem_get")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), intent(out), optional :: ndims
      integer(c_int), intent(out), optional :: kinds(*)
      integer(c_ptrdiff_t), intent(out), optional :: sizes(*)
      integer(c_ptrdiff_t), intent(out), optional :: modes(*)
      integer(c_ptrdiff_t), intent(out), optional :: points(*)
    end function
    integer(c_int) function subx_fft_problem_get_precision(problem, precision) bind(C, &
        name="subx_fft_problem_get_precision")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), intent(out) :: precision
    end function
    integer(c_int) function subx_fft_problem_get_batch(problem, howmany, interleaved) bind(C, &
        name="subx_fft_problem_get_batch")
      import
      type(subx_fft_problem), value :: problem
      integer(c_ptrdiff_t), intent(out), optional :: howmany
      integer(c_int), intent(out), optional :: interleaved
    end function
    integer(c_int) function subx_fft_problem_get_direction(problem, direction) bind(C, &
        name="subx_fft_problem_get_direction")
      import
      type(subx_fft_problem), value :: problem
      integer(c_int), intent(out) :: direction
    end function
    integer(c_int) function subx_fft_plan_create(comm, kind, ndims, sizes, hints, plan) bind(C, &
        name="subx_fft_plan_create")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: kind
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      type(subx_mpi_info), value :: hints
      type(subx_fft_plan), intent(out) :: plan
    end function
    integer(c_int) function subx_fft_plan_create_problem(comm, problem, hints, plan) bind(C, &
        name="subx_fft_plan_create_problem")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_fft_problem), value :: problem
      type(subx_mpi_info), value :: hints
      type(subx_fft_plan), intent(out) :: plan
    end function
    integer(c_int) function subx_fft_plan_get_local(plan, side, shape, start, order, alloc_bytes) bind(C, &
        name="subx_fft_plan_get_local")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: side
      integer(c_ptrdiff_t), intent(out), optional :: shape(*)
      integer(c_ptrdiff_t), intent(out), optional :: start(*)
      integer(c_int), intent(out), optional :: order(*)
      integer(c_ptrdiff_t), intent(out), optional :: alloc_bytes
    end function
    integer(c_int) function subx_fft_plan_get_frequencies(plan, axis, frequencies) bind(C, &
        name="subx_fft_plan_get_frequencies")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: axis
      integer(c_ptrdiff_t), intent(out) :: frequencies(*)
    end function
    integer(c_int) function subx_fft_plan_get(plan, problem, g, dims) bind(C, name="subx_fft_plan_get")
      import
      type(subx_fft_plan), value :: plan
      type(subx_fft_problem), intent(out), optional :: problem
      integer(c_int), intent(out), optional :: g
      integer(c_int), intent(out), optional :: dims(*)
    end function
    integer(c_int) function subx_fft_plan_get_info(plan, info) bind(C, name="subx_fft_plan_get_info")
      import
      type(subx_fft_plan), value :: plan
      type(subx_mpi_info), intent(out) :: info
    end function
    integer(c_int) function subx_fft_plan_get_work(plan, bytes) bind(C, name="subx_fft_plan_get_work")
      import
      type(subx_fft_plan), value :: plan
      integer(c_ptrdiff_t), intent(out) :: bytes
    end function
    integer(c_int) function subx_fft_plan_print(plan, len, text, needed) bind(C, name="subx_fft_plan_print")
      import
      type(subx_fft_plan), value :: plan
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_execute(plan, direction, from, to) bind(C, name="subx_fft_execute")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from
      type(c_ptr), value :: to
    end function
    integer(c_int) function subx_fft_start(plan, direction, from, to) bind(C, name="subx_fft_start")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from
      type(c_ptr), value :: to
    end function
    integer(c_int) function subx_fft_test(plan, flag) bind(C, name="subx_fft_test")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_fft_wait(plan) bind(C, name="subx_fft_wait")
      import
      type(subx_fft_plan), value :: plan
    end function
    integer(c_int) function subx_fft_plan_free(plan) bind(C, name="subx_fft_plan_free")
      import
      type(subx_fft_plan), intent(inout) :: plan
    end function
    integer(c_int) function subx_fft_operation_create_function(function, context, operation) bind(C, &
        name="subx_fft_operation_create_function")
      import
      type(c_funptr), value :: function
      type(c_ptr), value :: context
      type(subx_fft_operation), intent(out) :: operation
    end function
    integer(c_int) function subx_fft_operation_create_table(plan, factors, is_conjugate, operation) bind(C, &
        name="subx_fft_operation_create_table")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), value :: factors
      integer(c_int), value :: is_conjugate
      type(subx_fft_operation), intent(out) :: operation
    end function
    integer(c_int) function subx_fft_operation_create_derivative(plan, lengths, orders, operation) bind(C, &
        name="subx_fft_operation_create_derivative")
      import
      type(subx_fft_plan), value :: plan
      real(c_double), intent(in), optional :: lengths(*)
      integer(c_int), intent(in) :: orders(*)
      type(subx_fft_operation), intent(out) :: operation
    end function
    integer(c_int) function subx_fft_operation_create_laplacian(plan, lengths, power, operation) bind(C, &
        name="subx_fft_operation_create_laplacian")
      import
      type(subx_fft_plan), value :: plan
      real(c_double), intent(in) :: lengths(*)
      integer(c_int), value :: power
      type(subx_fft_operation), intent(out) :: operation
    end function
    integer(c_int) function subx_fft_operation_free(operation) bind(C, name="subx_fft_operation_free")
      import
      type(subx_fft_operation), intent(inout) :: operation
    end function
    integer(c_int) function subx_fft_execute_operation(plan, direction, from, to, operation) bind(C, &
        name="subx_fft_execute_operation")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(subx_fft_operation), value :: operation
    end function
    integer(c_int) function subx_fft_execute_convolution(plan, from, to, operation) bind(C, &
        name="subx_fft_execute_convolution")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(subx_fft_operation), value :: operation
    end function
    integer(c_int) function subx_fft_start_operation(plan, direction, from, to, operation) bind(C, &
        name="subx_fft_start_operation")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(subx_fft_operation), value :: operation
    end function
    integer(c_int) function subx_fft_start_convolution(plan, from, to, operation) bind(C, &
        name="subx_fft_start_convolution")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), value :: from
      type(c_ptr), value :: to
      type(subx_fft_operation), value :: operation
    end function
  end interface

contains

  logical function subx_fft_plan_equals(a, b)
    type(subx_fft_plan), intent(in) :: a, b
    subx_fft_plan_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_fft_plan_differs(a, b)
    type(subx_fft_plan), intent(in) :: a, b
    subx_fft_plan_differs = .not. subx_fft_plan_equals(a, b)
  end function

  logical function subx_fft_problem_equals(a, b)
    type(subx_fft_problem), intent(in) :: a, b
    subx_fft_problem_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_fft_problem_differs(a, b)
    type(subx_fft_problem), intent(in) :: a, b
    subx_fft_problem_differs = .not. subx_fft_problem_equals(a, b)
  end function

  logical function subx_fft_operation_equals(a, b)
    type(subx_fft_operation), intent(in) :: a, b
    subx_fft_operation_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_fft_operation_differs(a, b)
    type(subx_fft_operation), intent(in) :: a, b
    subx_fft_operation_differs = .not. subx_fft_operation_equals(a, b)
  end function
end module
