! subx_tune_c.f90 - the functions of subx_tune.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_tune_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  use subx_fft_c
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  integer(c_int), parameter :: SUBX_FFT_STAGE_SERIAL = 1
  integer(c_int), parameter :: SUBX_FFT_STAGE_EXCHANGE = 2
  integer(c_int), parameter :: SUBX_FFT_STAGE_SCALE = 3
  integer(c_int), parameter :: SUBX_FFT_TEXT = 0
  integer(c_int), parameter :: SUBX_FFT_JSON = 1
  integer(c_int), parameter :: SUBX_FFT_CSV = 2
  type, bind(C) :: subx_fft_wisdom
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_fft_wisdom), parameter :: SUBX_FFT_WISDOM_NULL = subx_fft_wisdom(c_null_ptr)
  interface operator(==)
    procedure subx_fft_wisdom_equals
  end interface
  interface operator(/=)
    procedure subx_fft_wisdom_differs
  end interface
  interface
    integer(c_int) function subx_fft_query_hint(i, name, len, text, needed) bind(C, name="subx_fft_query_hint")
      import
      integer(c_int), value :: i
      type(c_ptr), intent(out) :: name
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_free_kept(comm) bind(C, name="subx_fft_free_kept")
      import
      type(subx_mpi_comm), value :: comm
    end function
    integer(c_int) function subx_fft_query_kept(bytes) bind(C, name="subx_fft_query_kept")
      import
      integer(c_ptrdiff_t), intent(out) :: bytes
    end function
    integer(c_int) function subx_fft_plan_set_stream(plan, stream) bind(C, name="subx_fft_plan_set_stream")
      import
      type(subx_fft_plan), value :: plan
      type(c_ptr), value :: stream
    end function
    integer(c_int) function subx_fft_plan_get_nstages(plan, direction, count) bind(C, &
        name="subx_fft_plan_get_nstages")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      integer(c_int), intent(out) :: count
    end function
    integer(c_int) function subx_fft_plan_get_stage(plan, direction, i, kind, name, last, total) bind(C, &
        name="subx_fft_plan_get_stage")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: direction
      integer(c_int), value :: i
      integer(c_int), intent(out), optional :: kind
      type(c_ptr), intent(out), optional :: name
      real(c_double), intent(out), optional :: last
      real(c_double), intent(out), optional :: total
    end function
    integer(c_int) function subx_fft_plan_set_times_zero(plan) bind(C, name="subx_fft_plan_set_times_zero")
      import
      type(subx_fft_plan), value :: plan
    end function
    integer(c_int) function subx_fft_query_serial(i, name) bind(C, name="subx_fft_query_serial")
      import
      integer(c_int), value :: i
      type(c_ptr), intent(out) :: name
    end function
    integer(c_int) function subx_fft_plan_explain(plan, format, len, text, needed) bind(C, &
        name="subx_fft_plan_explain")
      import
      type(subx_fft_plan), value :: plan
      integer(c_int), value :: format
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_machine_calibrate(comm, hints, seconds, len, text) bind(C, &
        name="subx_fft_machine_calibrate")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_mpi_info), value :: hints
      real(c_double), value :: seconds
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
    end function
    integer(c_int) function subx_fft_predict(problem, hints, machine, n, nranks, format, len, text, needed) bind(C, &
        name="subx_fft_predict")
      import
      type(subx_fft_problem), value :: problem
      type(subx_mpi_info), value :: hints
      character(kind=c_char), intent(in) :: machine(*)
      integer(c_int), value :: n
      integer(c_int), intent(in) :: nranks(*)
      integer(c_int), value :: format
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_wisdom_create(wisdom) bind(C, name="subx_fft_wisdom_create")
      import
      type(subx_fft_wisdom), intent(out) :: wisdom
    end function
    integer(c_int) function subx_fft_wisdom_free(wisdom) bind(C, name="subx_fft_wisdom_free")
      import
      type(subx_fft_wisdom), intent(inout) :: wisdom
    end function
    integer(c_int) function subx_fft_wisdom_get_path(hint, len, path, needed) bind(C, name="subx_fft_wisdom_get_path")
      import
      character(kind=c_char), intent(in) :: hint(*)
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: path(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_wisdom_import(wisdom, hint, ignored) bind(C, name="subx_fft_wisdom_import")
      import
      type(subx_fft_wisdom), value :: wisdom
      character(kind=c_char), intent(in) :: hint(*)
      integer(c_int), intent(out), optional :: ignored
    end function
    integer(c_int) function subx_fft_wisdom_export(wisdom, hint) bind(C, name="subx_fft_wisdom_export")
      import
      type(subx_fft_wisdom), value :: wisdom
      character(kind=c_char), intent(in) :: hint(*)
    end function
    integer(c_int) function subx_fft_wisdom_forget(wisdom, text, count) bind(C, name="subx_fft_wisdom_forget")
      import
      type(subx_fft_wisdom), value :: wisdom
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), intent(out), optional :: count
    end function
    integer(c_int) function subx_fft_wisdom_print(wisdom, len, text, needed) bind(C, name="subx_fft_wisdom_print")
      import
      type(subx_fft_wisdom), value :: wisdom
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_plan_get_wisdom(plan, kind, what, len, value, needed) bind(C, &
        name="subx_fft_plan_get_wisdom")
      import
      type(subx_fft_plan), value :: plan
      character(kind=c_char), intent(in) :: kind(*)
      character(kind=c_char), intent(in) :: what(*)
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: value(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_fft_plan_set_wisdom(plan, kind, what, value) bind(C, name="subx_fft_plan_set_wisdom")
      import
      type(subx_fft_plan), value :: plan
      character(kind=c_char), intent(in) :: kind(*)
      character(kind=c_char), intent(in) :: what(*)
      character(kind=c_char), intent(in) :: value(*)
    end function
  end interface

contains

  logical function subx_fft_wisdom_equals(a, b)
    type(subx_fft_wisdom), intent(in) :: a, b
    subx_fft_wisdom_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_fft_wisdom_differs(a, b)
    type(subx_fft_wisdom), intent(in) :: a, b
    subx_fft_wisdom_differs = .not. subx_fft_wisdom_equals(a, b)
  end function
end module
