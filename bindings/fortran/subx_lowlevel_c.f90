! subx_lowlevel_c.f90 - the functions of subx_lowlevel.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_lowlevel_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  use subx_boxes_c
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  integer(c_int), parameter :: SUBX_ENGINE_LOCAL = 1
  integer(c_int), parameter :: SUBX_ENGINE_BETWEEN = 2
  integer(c_int), parameter :: SUBX_ENGINE_TYPES = 4
  integer(c_int), parameter :: SUBX_ENGINE_WINDOW = 8
  integer(c_int), parameter :: SUBX_ENGINE_RADIX = 16
  integer(c_int), parameter :: SUBX_ENGINE_TRY_PACKED = 32
  integer(c_int), parameter :: SUBX_ENGINE_TRY_ARRAYS = 64
  integer(c_int), parameter :: SUBX_ENGINE_BLOCKS = 128
  type, bind(C) :: subx_copy
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_copy), parameter :: SUBX_COPY_NULL = subx_copy(c_null_ptr)
  type, bind(C) :: subx_pipe
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_pipe), parameter :: SUBX_PIPE_NULL = subx_pipe(c_null_ptr)
  interface operator(==)
    procedure subx_copy_equals, subx_pipe_equals
  end interface
  interface operator(/=)
    procedure subx_copy_differs, subx_pipe_differs
  end interface
  interface
    integer(c_int) function subx_hint_query_unknown(i, len, text, needed) bind(C, name="subx_hint_query_unknown")
      import
      integer(c_int), value :: i
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_boxes_create_copy(boxes, copy) bind(C, name="subx_boxes_create_copy")
      import
      type(subx_boxes), value :: boxes
      type(subx_boxes), intent(out) :: copy
    end function
    integer(c_int) function subx_exch_set_work(ex, work) bind(C, name="subx_exch_set_work")
      import
      type(subx_exch), value :: ex
      type(c_ptr), value :: work
    end function
    integer(c_int) function subx_exch_set_failed(ex) bind(C, name="subx_exch_set_failed")
      import
      type(subx_exch), value :: ex
    end function
    integer(c_int) function subx_exch_set_unordered(ex, is_unordered) bind(C, name="subx_exch_set_unordered")
      import
      type(subx_exch), value :: ex
      integer(c_int), value :: is_unordered
    end function
    integer(c_int) function subx_exch_get_device_work(ex, bytes) bind(C, name="subx_exch_get_device_work")
      import
      type(subx_exch), value :: ex
      integer(c_ptrdiff_t), intent(out) :: bytes
    end function
    integer(c_int) function subx_exch_set_device_work(ex, work) bind(C, name="subx_exch_set_device_work")
      import
      type(subx_exch), value :: ex
      type(c_ptr), value :: work
    end function
    integer(c_int) function subx_exch_set_stream(ex, stream) bind(C, name="subx_exch_set_stream")
      import
      type(subx_exch), value :: ex
      type(c_ptr), value :: stream
    end function
    integer(c_int) function subx_exch_query_traits(engine, traits) bind(C, name="subx_exch_query_traits")
      import
      character(kind=c_char), intent(in) :: engine(*)
      integer(c_int), intent(out) :: traits
    end function
    integer(c_int) function subx_exch_query_warning(engine, warning) bind(C, name="subx_exch_query_warning")
      import
      character(kind=c_char), intent(in) :: engine(*)
      type(c_ptr), intent(out) :: warning
    end function
    integer(c_int) function subx_copy_create(ndims, n, from_stride, to_stride, block_bytes, whole_bytes, &
        copy) bind(C, name="subx_copy_create")
      import
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: n(*)
      integer(c_ptrdiff_t), intent(in) :: from_stride(*)
      integer(c_ptrdiff_t), intent(in) :: to_stride(*)
      integer(c_ptrdiff_t), value :: block_bytes
      integer(c_ptrdiff_t), value :: whole_bytes
      type(subx_copy), intent(out) :: copy
    end function
    integer(c_int) function subx_copy_create_pack(count, type, copy) bind(C, name="subx_copy_create_pack")
      import
      integer(c_int64_t), value :: count
      type(subx_mpi_datatype), value :: type
      type(subx_copy), intent(out) :: copy
    end function
    integer(c_int) function subx_copy_create_unpack(count, type, copy) bind(C, name="subx_copy_create_unpack")
      import
      integer(c_int64_t), value :: count
      type(subx_mpi_datatype), value :: type
      type(subx_copy), intent(out) :: copy
    end function
    integer(c_int) function subx_copy_set_memory(copy, kind, stream) bind(C, name="subx_copy_set_memory")
      import
      type(subx_copy), value :: copy
      character(kind=c_char), intent(in) :: kind(*)
      type(c_ptr), value :: stream
    end function
    integer(c_int) function subx_copy_execute(copy, from, to) bind(C, name="subx_copy_execute")
      import
      type(subx_copy), value :: copy
      type(c_ptr), value :: from
      type(c_ptr), value :: to
    end function
    integer(c_int) function subx_copy_prefetch(copy, from) bind(C, name="subx_copy_prefetch")
      import
      type(subx_copy), value :: copy
      type(c_ptr), value :: from
    end function
    integer(c_int) function subx_copy_query_bypass(bytes, bypass) bind(C, name="subx_copy_query_bypass")
      import
      integer(c_ptrdiff_t), value :: bytes
      integer(c_int), intent(out) :: bypass
    end function
    integer(c_int) function subx_copy_free(copy) bind(C, name="subx_copy_free")
      import
      type(subx_copy), intent(inout) :: copy
    end function
    integer(c_int) function subx_mem_write(mem, from, bytes) bind(C, name="subx_mem_write")
      import
      type(c_ptr), value :: mem
      type(c_ptr), value :: from
      integer(c_ptrdiff_t), value :: bytes
    end function
    integer(c_int) function subx_mem_read(mem, to, bytes) bind(C, name="subx_mem_read")
      import
      type(c_ptr), value :: mem
      type(c_ptr), value :: to
      integer(c_ptrdiff_t), value :: bytes
    end function
    integer(c_int) function subx_mem_get_nodes(comm, hints, node) bind(C, name="subx_mem_get_nodes")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_mpi_info), value :: hints
      integer(c_int), intent(out) :: node(*)
    end function
    integer(c_int) function subx_pipe_create(comm, nslices, send_bytes, recv_bytes, hints, pipe) bind(C, &
        name="subx_pipe_create")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: nslices
      integer(c_ptrdiff_t), intent(in) :: send_bytes(*)
      integer(c_ptrdiff_t), intent(in) :: recv_bytes(*)
      type(subx_mpi_info), value :: hints
      type(subx_pipe), intent(out) :: pipe
    end function
    integer(c_int) function subx_pipe_create_ring(comm, nslices, depth, send_bytes, recv_bytes, hints, &
        pipe) bind(C, name="subx_pipe_create_ring")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: nslices
      integer(c_int), value :: depth
      integer(c_ptrdiff_t), intent(in) :: send_bytes(*)
      integer(c_ptrdiff_t), intent(in) :: recv_bytes(*)
      type(subx_mpi_info), value :: hints
      type(subx_pipe), intent(out) :: pipe
    end function
    integer(c_int) function subx_pipe_query_engine(i, name) bind(C, name="subx_pipe_query_engine")
      import
      integer(c_int), value :: i
      type(c_ptr), intent(out) :: name
    end function
    integer(c_int) function subx_pipe_get(pipe, engine, send_bytes, recv_bytes) bind(C, name="subx_pipe_get")
      import
      type(subx_pipe), value :: pipe
      type(c_ptr), intent(out), optional :: engine
      integer(c_ptrdiff_t), intent(out), optional :: send_bytes
      integer(c_ptrdiff_t), intent(out), optional :: recv_bytes
    end function
    integer(c_int) function subx_pipe_get_place(pipe, slice, q, offset) bind(C, name="subx_pipe_get_place")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
      integer(c_int), value :: q
      integer(c_ptrdiff_t), intent(out) :: offset
    end function
    integer(c_int) function subx_pipe_query_far(pipe, q, flag) bind(C, name="subx_pipe_query_far")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: q
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_pipe_set_work(pipe, send, recv) bind(C, name="subx_pipe_set_work")
      import
      type(subx_pipe), value :: pipe
      type(c_ptr), value :: send
      type(c_ptr), value :: recv
    end function
    integer(c_int) function subx_pipe_wait_room(pipe, slice) bind(C, name="subx_pipe_wait_room")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
    end function
    integer(c_int) function subx_pipe_test_room(pipe, slice, flag) bind(C, name="subx_pipe_test_room")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_pipe_post(pipe, slice) bind(C, name="subx_pipe_post")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
    end function
    integer(c_int) function subx_pipe_start(pipe, slice, block) bind(C, name="subx_pipe_start")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
      type(c_ptr), intent(out) :: block(*)
    end function
    integer(c_int) function subx_pipe_set_failed(pipe) bind(C, name="subx_pipe_set_failed")
      import
      type(subx_pipe), value :: pipe
    end function
    integer(c_int) function subx_pipe_set_unordered(pipe, is_unordered) bind(C, name="subx_pipe_set_unordered")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: is_unordered
    end function
    integer(c_int) function subx_pipe_test(pipe, slice, flag) bind(C, name="subx_pipe_test")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_pipe_complete(pipe) bind(C, name="subx_pipe_complete")
      import
      type(subx_pipe), value :: pipe
    end function
    integer(c_int) function subx_pipe_complete_slice(pipe, slice) bind(C, name="subx_pipe_complete_slice")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), value :: slice
    end function
    integer(c_int) function subx_pipe_wait(pipe) bind(C, name="subx_pipe_wait")
      import
      type(subx_pipe), value :: pipe
    end function
    integer(c_int) function subx_pipe_test_wait(pipe, flag) bind(C, name="subx_pipe_test_wait")
      import
      type(subx_pipe), value :: pipe
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_pipe_relax(comm, round) bind(C, name="subx_pipe_relax")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), intent(inout) :: round
    end function
    integer(c_int) function subx_pipe_free(pipe) bind(C, name="subx_pipe_free")
      import
      type(subx_pipe), intent(inout) :: pipe
    end function
  end interface

contains

  logical function subx_copy_equals(a, b)
    type(subx_copy), intent(in) :: a, b
    subx_copy_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_copy_differs(a, b)
    type(subx_copy), intent(in) :: a, b
    subx_copy_differs = .not. subx_copy_equals(a, b)
  end function

  logical function subx_pipe_equals(a, b)
    type(subx_pipe), intent(in) :: a, b
    subx_pipe_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_pipe_differs(a, b)
    type(subx_pipe), intent(in) :: a, b
    subx_pipe_differs = .not. subx_pipe_equals(a, b)
  end function
end module
