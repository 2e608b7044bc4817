! subx_c.f90 - the functions of subx.h as they are in C.
!
! Written by bindings/generate.py from the header; changes here are lost. Axes, orders and indices count from 0, and texts
! end with c_null_char. An argument that may be NULL in C is optional, or it is a c_ptr that may be c_null_ptr. Most programs
! use the modules subx, subx_fft and subx_io instead, which have the same functions with Fortran's arrays and texts.
module subx_c
  use, intrinsic :: iso_c_binding
  use subx_mpi, only: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  implicit none
  private :: subx_mpi_comm, subx_mpi_datatype, subx_mpi_info
  integer(c_int), parameter :: SUBX_VERSION_MAJOR = 0
  integer(c_int), parameter :: SUBX_VERSION_MINOR = 8
  integer(c_int), parameter :: SUBX_VERSION_PATCH = 0
  integer(c_int), parameter :: SUBX_NDIMS_MAX = 32
  integer(c_int), parameter :: SUBX_ERR_NONE = 0
  integer(c_int), parameter :: SUBX_ERR_ARG = 1
  integer(c_int), parameter :: SUBX_ERR_NDIMS = 2
  integer(c_int), parameter :: SUBX_ERR_SIZE = 3
  integer(c_int), parameter :: SUBX_ERR_ORDER = 4
  integer(c_int), parameter :: SUBX_ERR_TYPE = 5
  integer(c_int), parameter :: SUBX_ERR_NOT_STRIDED = 6
  integer(c_int), parameter :: SUBX_ERR_NOT_SUBARRAY = 7
  integer(c_int), parameter :: SUBX_ERR_TRUNCATE = 8
  integer(c_int), parameter :: SUBX_ERR_TOO_LARGE = 9
  integer(c_int), parameter :: SUBX_ERR_NO_MEM = 10
  integer(c_int), parameter :: SUBX_ERR_COMM = 11
  integer(c_int), parameter :: SUBX_ERR_GRID = 12
  integer(c_int), parameter :: SUBX_ERR_HINT = 13
  integer(c_int), parameter :: SUBX_ERR_UNAVAILABLE = 14
  integer(c_int), parameter :: SUBX_ERR_DIFFERS = 15
  integer(c_int), parameter :: SUBX_ERR_MISMATCH = 16
  integer(c_int), parameter :: SUBX_ERR_ACTIVE = 17
  integer(c_int), parameter :: SUBX_ERR_ALIAS = 18
  integer(c_int), parameter :: SUBX_ERR_PROBLEM = 19
  integer(c_int), parameter :: SUBX_ERR_SERIAL = 20
  integer(c_int), parameter :: SUBX_ERR_PEER = 21
  integer(c_int), parameter :: SUBX_ERR_GAP = 22
  integer(c_int), parameter :: SUBX_ERR_OVERLAP = 23
  integer(c_int), parameter :: SUBX_ERR_FACTOR = 24
  integer(c_int), parameter :: SUBX_ERR_FILE = 25
  integer(c_int), parameter :: SUBX_ERR_FILE_END = 26
  integer(c_int), parameter :: SUBX_ERR_FILE_ARRAY = 27
  integer(c_int), parameter :: SUBX_ERR_FILE_KIND = 28
  integer(c_int), parameter :: SUBX_ERR_DEVICE = 29
  type, bind(C) :: subx_grid
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_grid), parameter :: SUBX_GRID_NULL = subx_grid(c_null_ptr)
  type, bind(C) :: subx_exch
    type(c_ptr) :: handle = c_null_ptr
  end type
  type(subx_exch), parameter :: SUBX_EXCH_NULL = subx_exch(c_null_ptr)
  interface operator(==)
    procedure subx_grid_equals, subx_exch_equals
  end interface
  interface operator(/=)
    procedure subx_grid_differs, subx_exch_differs
  end interface
  interface
    integer(c_int) function subx_version_get(major, minor, patch) bind(C, name="subx_version_get")
      import
      integer(c_int), intent(out) :: major
      integer(c_int), intent(out) :: minor
      integer(c_int), intent(out) :: patch
    end function
    integer(c_int) function subx_error_get_kind(code) bind(C, name="subx_error_get_kind")
      import
      integer(c_int), value :: code
    end function
    integer(c_int) function subx_error_get_code(kind) bind(C, name="subx_error_get_code")
      import
      integer(c_int), value :: kind
    end function
    integer(c_int) function subx_type_create_subarray(ndims, sizes, subsizes, starts, storage, order, oldtype, &
        newtype) bind(C, name="subx_type_create_subarray")
      import
      integer(c_int), value :: ndims
      integer(c_int), intent(in) :: sizes(*)
      integer(c_int), intent(in) :: subsizes(*)
      integer(c_int), intent(in) :: starts(*)
      integer(c_int), value :: storage
      integer(c_int), intent(in), optional :: order(*)
      type(subx_mpi_datatype), value :: oldtype
      type(subx_mpi_datatype), intent(out) :: newtype
    end function
    integer(c_int) function subx_type_create_subarray_c(ndims, sizes, subsizes, starts, storage, order, oldtype, &
        newtype) bind(C, name="subx_type_create_subarray_c")
      import
      integer(c_int), value :: ndims
      integer(c_int64_t), intent(in) :: sizes(*)
      integer(c_int64_t), intent(in) :: subsizes(*)
      integer(c_int64_t), intent(in) :: starts(*)
      integer(c_int), value :: storage
      integer(c_int), intent(in), optional :: order(*)
      type(subx_mpi_datatype), value :: oldtype
      type(subx_mpi_datatype), intent(out) :: newtype
    end function
    integer(c_int) function subx_type_get_subarray(type, maxdims, ndims, sizes, subsizes, starts, storage, order, &
        oldtype) bind(C, name="subx_type_get_subarray")
      import
      type(subx_mpi_datatype), value :: type
      integer(c_int), value :: maxdims
      integer(c_int), intent(out) :: ndims
      integer(c_int64_t), intent(out), optional :: sizes(*)
      integer(c_int64_t), intent(out), optional :: subsizes(*)
      integer(c_int64_t), intent(out), optional :: starts(*)
      integer(c_int), intent(out), optional :: storage
      integer(c_int), intent(out), optional :: order(*)
      type(subx_mpi_datatype), intent(out), optional :: oldtype
    end function
    integer(c_int) function subx_type_get_layout(type, maxdims, ndims, n, stride, block_bytes, offset) bind(C, &
        name="subx_type_get_layout")
      import
      type(subx_mpi_datatype), value :: type
      integer(c_int), value :: maxdims
      integer(c_int), intent(out) :: ndims
      integer(c_int64_t), intent(out) :: n(*)
      integer(c_intptr_t), intent(out) :: stride(*)
      integer(c_int64_t), intent(out) :: block_bytes
      integer(c_intptr_t), intent(out) :: offset
    end function
    integer(c_int) function subx_type_print(type, len, text, needed) bind(C, name="subx_type_print")
      import
      type(subx_mpi_datatype), value :: type
      integer(c_size_t), value :: len
      character(kind=c_char), intent(inout), optional :: text(*)
      integer(c_size_t), intent(out), optional :: needed
    end function
    integer(c_int) function subx_type_query_match(a, b, match, first, basic_a, basic_b) bind(C, &
        name="subx_type_query_match")
      import
      type(subx_mpi_datatype), value :: a
      type(subx_mpi_datatype), value :: b
      integer(c_int), intent(out) :: match
      integer(c_int64_t), intent(out), optional :: first
      type(subx_mpi_datatype), intent(out) :: basic_a
      type(subx_mpi_datatype), intent(out) :: basic_b
    end function
    integer(c_int) function subx_type_query_fileview(type, ok) bind(C, name="subx_type_query_fileview")
      import
      type(subx_mpi_datatype), value :: type
      integer(c_int), intent(out) :: ok
    end function
    integer(c_int) function subx_type_pack(inbuf, count, type, outbuf, outsize, position) bind(C, &
        name="subx_type_pack")
      import
      type(c_ptr), value :: inbuf
      integer(c_int64_t), value :: count
      type(subx_mpi_datatype), value :: type
      type(c_ptr), value :: outbuf
      integer(c_int64_t), value :: outsize
      integer(c_int64_t), intent(inout) :: position
    end function
    integer(c_int) function subx_type_unpack(inbuf, insize, position, outbuf, count, type) bind(C, &
        name="subx_type_unpack")
      import
      type(c_ptr), value :: inbuf
      integer(c_int64_t), value :: insize
      integer(c_int64_t), intent(inout) :: position
      type(c_ptr), value :: outbuf
      integer(c_int64_t), value :: count
      type(subx_mpi_datatype), value :: type
    end function
    integer(c_int) function subx_block_get(n, p, r, len, start) bind(C, name="subx_block_get")
      import
      integer(c_ptrdiff_t), value :: n
      integer(c_int), value :: p
      integer(c_int), value :: r
      integer(c_ptrdiff_t), intent(out) :: len
      integer(c_ptrdiff_t), intent(out) :: start
    end function
    integer(c_int) function subx_block_get_owner(n, p, i, r) bind(C, name="subx_block_get_owner")
      import
      integer(c_ptrdiff_t), value :: n
      integer(c_int), value :: p
      integer(c_ptrdiff_t), value :: i
      integer(c_int), intent(out) :: r
    end function
    integer(c_int) function subx_grid_get_dims(nranks, g, ndims, sizes, dims) bind(C, name="subx_grid_get_dims")
      import
      integer(c_int), value :: nranks
      integer(c_int), value :: g
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      integer(c_int), intent(inout) :: dims(*)
    end function
    integer(c_int) function subx_grid_create(comm, g, dims, grid) bind(C, name="subx_grid_create")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: g
      integer(c_int), intent(in) :: dims(*)
      type(subx_grid), intent(out) :: grid
    end function
    integer(c_int) function subx_grid_get(grid, maxdims, g, dims, coords) bind(C, name="subx_grid_get")
      import
      type(subx_grid), value :: grid
      integer(c_int), value :: maxdims
      integer(c_int), intent(out) :: g
      integer(c_int), intent(out), optional :: dims(*)
      integer(c_int), intent(out), optional :: coords(*)
    end function
    integer(c_int) function subx_grid_get_comm(grid, dim, comm) bind(C, name="subx_grid_get_comm")
      import
      type(subx_grid), value :: grid
      integer(c_int), value :: dim
      type(subx_mpi_comm), intent(out) :: comm
    end function
    integer(c_int) function subx_grid_free(grid) bind(C, name="subx_grid_free")
      import
      type(subx_grid), intent(inout) :: grid
    end function
    integer(c_int) function subx_mem_alloc(comm, bytes, hints, mem) bind(C, name="subx_mem_alloc")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_ptrdiff_t), value :: bytes
      type(subx_mpi_info), value :: hints
      type(c_ptr), intent(out) :: mem
    end function
    integer(c_int) function subx_mem_free(mem) bind(C, name="subx_mem_free")
      import
      type(c_ptr), intent(inout) :: mem
    end function
    integer(c_int) function subx_mem_get_info(mem, info) bind(C, name="subx_mem_get_info")
      import
      type(c_ptr), value :: mem
      type(subx_mpi_info), intent(out) :: info
    end function
    integer(c_int) function subx_exch_create(comm, stype, rtype, hints, ex) bind(C, name="subx_exch_create")
      import
      type(subx_mpi_comm), value :: comm
      type(subx_mpi_datatype), intent(in) :: stype(*)
      type(subx_mpi_datatype), intent(in) :: rtype(*)
      type(subx_mpi_info), value :: hints
      type(subx_exch), intent(out) :: ex
    end function
    integer(c_int) function subx_exch_create_realign(comm, ndims, sizes, v, w, sorder, rorder, elemtype, hints, &
        ex) bind(C, name="subx_exch_create_realign")
      import
      type(subx_mpi_comm), value :: comm
      integer(c_int), value :: ndims
      integer(c_ptrdiff_t), intent(in) :: sizes(*)
      integer(c_int), value :: v
      integer(c_int), value :: w
      integer(c_int), intent(in), optional :: sorder(*)
      integer(c_int), intent(in), optional :: rorder(*)
      type(subx_mpi_datatype), value :: elemtype
      type(subx_mpi_info), value :: hints
      type(subx_exch), intent(out) :: ex
    end function
    integer(c_int) function subx_exch_execute(ex, sendbuf, recvbuf) bind(C, name="subx_exch_execute")
      import
      type(subx_exch), value :: ex
      type(c_ptr), value :: sendbuf
      type(c_ptr), value :: recvbuf
    end function
    integer(c_int) function subx_exch_start(ex, sendbuf, recvbuf) bind(C, name="subx_exch_start")
      import
      type(subx_exch), value :: ex
      type(c_ptr), value :: sendbuf
      type(c_ptr), value :: recvbuf
    end function
    integer(c_int) function subx_exch_test(ex, flag) bind(C, name="subx_exch_test")
      import
      type(subx_exch), value :: ex
      integer(c_int), intent(out) :: flag
    end function
    integer(c_int) function subx_exch_wait(ex) bind(C, name="subx_exch_wait")
      import
      type(subx_exch), value :: ex
    end function
    integer(c_int) function subx_exch_get(ex, engine, send_bytes, recv_bytes, work_bytes) bind(C, &
        name="subx_exch_get")
      import
      type(subx_exch), value :: ex
      type(c_ptr), intent(out), optional :: engine
      integer(c_ptrdiff_t), intent(out), optional :: send_bytes
      integer(c_ptrdiff_t), intent(out), optional :: recv_bytes
      integer(c_ptrdiff_t), intent(out), optional :: work_bytes
    end function
    integer(c_int) function subx_exch_get_info(ex, info) bind(C, name="subx_exch_get_info")
      import
      type(subx_exch), value :: ex
      type(subx_mpi_info), intent(out) :: info
    end function
    integer(c_int) function subx_exch_query_engine(i, name) bind(C, name="subx_exch_query_engine")
      import
      integer(c_int), value :: i
      type(c_ptr), intent(out) :: name
    end function
    integer(c_int) function subx_exch_free(ex) bind(C, name="subx_exch_free")
      import
      type(subx_exch), intent(inout) :: ex
    end function
  end interface

contains

  logical function subx_grid_equals(a, b)
    type(subx_grid), intent(in) :: a, b
    subx_grid_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_grid_differs(a, b)
    type(subx_grid), intent(in) :: a, b
    subx_grid_differs = .not. subx_grid_equals(a, b)
  end function

  logical function subx_exch_equals(a, b)
    type(subx_exch), intent(in) :: a, b
    subx_exch_equals = transfer(a, 0_c_intptr_t) == transfer(b, 0_c_intptr_t)
  end function

  logical function subx_exch_differs(a, b)
    type(subx_exch), intent(in) :: a, b
    subx_exch_differs = .not. subx_exch_equals(a, b)
  end function
end module
