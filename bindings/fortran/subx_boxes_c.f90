! subx_boxes_c.f90 - the functions of subx_boxes.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_boxes_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  use subx_c
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  type, bind(C) :: subx_boxes
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_boxes), parameter :: SUBX_BOXES_NULL = subx_boxes(c_null_ptr)
  type, bind(C) :: subx_halo
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_halo), parameter :: SUBX_HALO_NULL = subx_halo(c_null_ptr)
  interface operator(==)
    procedure subx_boxes_equals, subx_halo_equals
  end interface
  interface operator(/=)
    procedure subx_boxes_differs, subx_halo_differs
  end interface
  interface
    integer(c_int) function subx_boxes_create(ndims, sizes, boxes) bind(C, name="subx_boxes_create")
      import
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      type(subx_boxes), intent(out) :: boxes
    end function
    integer(c_int) function subx_boxes_create_type(type, ndims, sizes, elemtype, boxes) bind(C, &
        name="subx_boxes_create_type")
      import
      type(subx_mpi_datatype), value :: type
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      type(subx_mpi_datatype), value :: elemtype
      type(subx_boxes), intent(out) :: boxes
    end function
    integer(c_int) function subx_boxes_add(boxes, start, len) bind(C, name="subx_boxes_add")
      import
      type(subx_boxes), value :: boxes
      integer(c_ptrdiff_t), intent(in) :: start(*)
      integer(c_ptrdiff_t), intent(in) :: len(*)
    end function
    integer(c_int) function subx_boxes_add_ordered(boxes, start, len, order) bind(C, name="subx_boxes_add_ordered")
      import
      type(subx_boxes), value :: boxes
      integer(c_ptrdiff_t), intent(in) :: start(*)
      integer(c_ptrdiff_t), intent(in) :: len(*)
      integer(c_int), intent(in), optional :: order(*)
    end function
    integer(c_int) function subx_boxes_add_strided(boxes, start, len, offset, stride) bind(C, &
        name="subx_boxes_add_strided")
      import
      type(subx_boxes), value :: boxes
      integer(c_ptrdiff_t), intent(in) :: start(*)
      integer(c_ptrdiff_t), intent(in) :: len(*)
      integer(c_ptrdiff_t), value :: offset
      integer(c_ptrdiff_t), intent(in) :: stride(*)
    end function
    integer(c_int) function subx_boxes_get(boxes, ndims, sizes, count, is_strided, elements) bind(C, &
        name="subx_boxes_get")
      import
      type(subx_boxes), value :: boxes
      integer(c_int), intent(out), optional :: ndims
      integer(c_ptrdiff_t), intent(out), optional :: sizes(*)
      integer(c_int), intent(out), optional :: count
      integer(c_int), intent(out), optional :: is_strided
      integer(c_ptrdiff_t), intent(out), optional :: elements
    end function
    integer(c_int) function subx_boxes_get_box(boxes, i, start, len, offset, stride) bind(C, &
        name="subx_boxes_get_box")
      import
      type(subx_boxes), value :: boxes
      integer(c_int), value :: i
      integer(c_ptrdiff_t), intent(out), optional :: start(*)
      integer(c_ptrdiff_t), intent(out), optional :: len(*)
      integer(c_ptrdiff_t), intent(out), optional :: offset
      integer(c_ptrdiff_t), intent(out), optional :: stride(*)
    end function
    integer(c_int) function subx_boxes_free(boxes) bind(C, name="subx_boxes_free")
      import
      type(subx_boxes), intent(inout) :: boxes
    end function
    integer(c_int) function subx_boxes_check(comm, boxes, must_cover) bind(C, name="subx_boxes_check")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_boxes), value :: boxes
      integer(c_int), value :: must_cover
    end function
    integer(c_int) function subx_exch_create_boxes(comm, send, recv, elemtype, hints, ex) bind(C, &
        name="subx_exch_create_boxes")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_boxes), value :: send
      type(subx_boxes), value :: recv
      type(subx_mpi_datatype), value :: elemtype
      type(subx_mpi_info), value :: hints
      type(subx_exch), intent(out) :: ex
    end function
    integer(c_int) function subx_halo_create(comm, ndims, sizes, start, len, below, above, periodic, order, &
        elemtype, hints, halo) bind(C, name="subx_halo_create")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      integer(c_ptrdiff_t), intent(in) :: start(*)
      integer(c_ptrdiff_t), intent(in) :: len(*)
      integer(c_ptrdiff_t), intent(in) :: below(*)
      integer(c_ptrdiff_t), intent(in) :: above(*)
      integer(c_int), intent(in), optional :: periodic(*)
      integer(c_int), intent(in), optional :: order(*)
      type(subx_mpi_datatype), value :: elemtype
      type(subx_mpi_info), value :: hints
      type(subx_halo), intent(out) :: halo
    end function
    integer(c_int) function subx_halo_execute(halo, array) bind(C, name="subx_halo_execute")
      import
      type(subx_halo), value :: halo
      type(c_ptr), value :: array
    end function
    integer(c_int) function subx_halo_start(halo, array) bind(C, name="subx_halo_start")
      import
      type(subx_halo), value :: halo
      type(c_ptr), value :: array
    end function
    integer(c_int) function subx_halo_test(halo, flag) bind(C, name="subx_halo_test")
      import
      type(subx_halo), value :: halo
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_halo_wait(halo) bind(C, name="subx_halo_wait")
      import
      type(subx_halo), value :: halo
    end function
    integer(c_int) function subx_halo_free(halo) bind(C, name="subx_halo_free")
      import
      type(subx_halo), intent(inout) :: halo
    end function
  end interface

contains

  logical function subx_boxes_equals(a, b)
    type(subx_boxes), intent(in) :: a, b
    subx_boxes_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_boxes_differs(a, b)
    type(subx_boxes), intent(in) :: a, b
    subx_boxes_differs = .not. subx_boxes_equals(a, b)
  end function

  logical function subx_halo_equals(a, b)
    type(subx_halo), intent(in) :: a, b
    subx_halo_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_halo_differs(a, b)
    type(subx_halo), intent(in) :: a, b
    subx_halo_differs = .not. subx_halo_equals(a, b)
  end function
end module
