! subx_support.f90 - procedures that the modules subx, subx_fft and subx_io share: errors, handles of MPI, lists of axes,
! texts, buffers, and objects' numbers of axes. Users need none of these.
module subx_support
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS, MPI_ORDER_C
  use subx_c, only: subx_grid, SUBX_NDIMS_MAX, SUBX_ERR_NDIMS, SUBX_ERR_TRUNCATE, SUBX_ERR_TOO_LARGE, &
    c_error_get_code => subx_error_get_code, c_grid_get => subx_grid_get
  use subx_boxes_c, only: subx_boxes, c_boxes_get => subx_boxes_get
  use subx_mpi
  implicit none

  ! The kind of lengths and indices that may be too large for a default integer.
  integer, parameter :: SUBX_INDEX_KIND = c_ptrdiff_t

  interface
    ! Call the error handler of comm, or of MPI_COMM_WORLD if comm is absent.
    subroutine subx_f_raise(code, comm) bind(C, name="subx_f_raise")
      import
      integer(c_int), value :: code
      integer(c_int), intent(in), optional :: comm
    end subroutine

    ! Get the address of an array; null if the array has gaps. The function of C then returns an error, unless the rank has no
    ! data.
    type(c_ptr) function address(array) bind(C, name="subx_f_address")
      import
      type(*), target, intent(in) :: array(..)
    end function

    integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
      import
      type(c_ptr), value :: text
    end function
  end interface

  ! Get a list with its last entry first.
  interface reversed
    procedure reversed_int, reversed_index, reversed_real
  end interface

  ! Copy a list into an argument, if the argument is present and code is MPI_SUCCESS. SUBX_ERR_TRUNCATE if the argument is too
  ! short.
  interface put
    procedure put_int, put_index
  end interface

  ! Convert default integers to 64 bits. If the argument is absent, the result stays unallocated: a procedure that gets it takes
  ! it as absent, too.
  interface widen
    procedure widen_list, widen_one
  end interface

  ! Convert the results of a procedure for 64 bits to default integers. SUBX_ERR_TOO_LARGE if one does not fit.
  interface narrow
    procedure narrow_list, narrow_one
  end interface

  ! Get the number of axes of an object, or of dimensions of a grid; 0 after an error. code is an error code of C.
  interface get_ndims
    procedure grid_get_ndims, boxes_get_ndims
  end interface

contains

  ! ---- errors

  ! End a procedure: put code into ierror, or, if ierror is absent and code is an error, call the error handler.
  subroutine finish(code, ierror, comm)
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: ierror
    integer, intent(in), optional :: comm

    if (present(ierror)) then
      ierror = code
    else if (code /= MPI_SUCCESS) then
      call subx_f_raise(code, comm)
    end if
  end subroutine

  ! ---- handles of MPI

  elemental type(subx_mpi_comm) function comm_c(comm)
    integer, intent(in) :: comm
    call subx_f_comm_to_c(comm, comm_c)
  end function

  elemental type(subx_mpi_datatype) function datatype_c(datatype)
    integer, intent(in) :: datatype
    call subx_f_datatype_to_c(datatype, datatype_c)
  end function

  elemental type(subx_mpi_info) function info_c(info)
    integer, intent(in) :: info
    call subx_f_info_to_c(info, info_c)
  end function

  integer function comm_f(comm)
    type(subx_mpi_comm), intent(in) :: comm
    comm_f = subx_f_comm_from_c(comm)
  end function

  integer function datatype_f(datatype)
    type(subx_mpi_datatype), intent(in) :: datatype
    datatype_f = subx_f_datatype_from_c(datatype)
  end function

  integer function info_f(info)
    type(subx_mpi_info), intent(in) :: info
    info_f = subx_f_info_from_c(info)
  end function

  ! ---- lists

  pure function reversed_int(list) result(other)
    integer, intent(in) :: list(:)
    integer :: other(size(list))
    other = list(size(list):1:-1)
  end function

  pure function reversed_index(list) result(other)
    integer(SUBX_INDEX_KIND), intent(in) :: list(:)
    integer(SUBX_INDEX_KIND) :: other(size(list))
    other = list(size(list):1:-1)
  end function

  pure function reversed_real(list) result(other)
    real(c_double), intent(in) :: list(:)
    real(c_double) :: other(size(list))
    other = list(size(list):1:-1)
  end function

  ! Get a list per axis, of an array whose storage order is known, in the order of Fortran.
  pure function stored(list, storage) result(other)
    integer(SUBX_INDEX_KIND), intent(in) :: list(:)
    integer(c_int), intent(in) :: storage
    integer(SUBX_INDEX_KIND) :: other(size(list))
    other = list
    if (storage == MPI_ORDER_C) other = reversed(list)
  end function

  subroutine grid_get_ndims(grid, ndims, code)
    type(subx_grid), intent(in) :: grid
    integer(c_int), intent(out) :: ndims, code
    ndims = 0
    code = c_grid_get(grid, SUBX_NDIMS_MAX, ndims)
  end subroutine

  subroutine boxes_get_ndims(boxes, ndims, code)
    type(subx_boxes), intent(in) :: boxes
    integer(c_int), intent(out) :: ndims, code
    ndims = 0
    code = c_boxes_get(boxes, ndims)
  end subroutine

  ! Get a dimension of a grid with g dimensions as C counts it. Dimension 0, all ranks, is -1 in C; a wrong one is g, an error.
  pure integer(c_int) function dimension_c(dim, g)
    integer, intent(in) :: dim, g
    dimension_c = merge(g - dim, g, dim >= 1 .and. dim <= g)
    if (dim == 0) dimension_c = -1
  end function

  ! Get the common length of lists. 0 if the lengths differ: C returns an error for 0 axes.
  pure integer function common_size(sizes)
    integer, intent(in) :: sizes(:)
    common_size = merge(sizes(1), 0, all(sizes == sizes(1)))
  end function

  subroutine check_size(list, n, code)
    type(*), intent(in) :: list(:)
    integer, intent(in) :: n
    integer(c_int), intent(inout) :: code
    if (code == MPI_SUCCESS .and. size(list) /= n) code = c_error_get_code(SUBX_ERR_NDIMS)
  end subroutine

  subroutine put_int(from, to, code)
    integer, intent(in) :: from(:)
    integer, intent(inout), optional :: to(:)
    integer(c_int), intent(inout) :: code

    if (.not. present(to) .or. code /= MPI_SUCCESS) return
    if (size(to) < size(from)) then
      code = c_error_get_code(SUBX_ERR_TRUNCATE)
    else
      to(:size(from)) = from
    end if
  end subroutine

  subroutine put_index(from, to, code)
    integer(SUBX_INDEX_KIND), intent(in) :: from(:)
    integer(SUBX_INDEX_KIND), intent(inout), optional :: to(:)
    integer(c_int), intent(inout) :: code

    if (.not. present(to) .or. code /= MPI_SUCCESS) return
    if (size(to) < size(from)) then
      code = c_error_get_code(SUBX_ERR_TRUNCATE)
    else
      to(:size(from)) = from
    end if
  end subroutine

  subroutine widen_list(from, to)
    integer, intent(in), optional :: from(:)
    integer(SUBX_INDEX_KIND), allocatable, intent(out) :: to(:)
    if (present(from)) allocate(to(size(from)), source=int(from, SUBX_INDEX_KIND))
  end subroutine

  subroutine widen_one(from, to)
    integer, intent(in), optional :: from
    integer(SUBX_INDEX_KIND), allocatable, intent(out) :: to
    if (present(from)) allocate(to, source=int(from, SUBX_INDEX_KIND))
  end subroutine

  subroutine narrow_list(from, to, ierror)
    integer(SUBX_INDEX_KIND), allocatable, intent(in) :: from(:)
    integer, intent(inout), optional :: to(:)
    integer, intent(inout), optional :: ierror

    if (.not. present(to)) return
    if (any(abs(from) > huge(to))) then
      call finish(c_error_get_code(SUBX_ERR_TOO_LARGE), ierror)
    else
      to = int(from)
    end if
  end subroutine

  subroutine narrow_one(from, to, ierror)
    integer(SUBX_INDEX_KIND), allocatable, intent(in) :: from
    integer, intent(inout), optional :: to
    integer, intent(inout), optional :: ierror

    if (.not. present(to)) return
    if (abs(from) > huge(to)) then
      call finish(c_error_get_code(SUBX_ERR_TOO_LARGE), ierror)
    else
      to = int(from)
    end if
  end subroutine

  ! ---- flags and texts

  elemental integer(c_int) function flag(is_so)
    logical, intent(in) :: is_so
    flag = merge(1, 0, is_so)
  end function

  ! Get a text for C: without blanks at its end, and with a null character behind it.
  pure function c_text(text)
    character(*), intent(in) :: text
    character(len_trim(text) + 1) :: c_text
    c_text = trim(text)//c_null_char
  end function

  ! Copy a text of C, which belongs to the library; empty if the address is null.
  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i

    text = ""
    if (.not. c_associated(address)) return
    call c_f_pointer(address, letters, [c_strlen(address)])
    deallocate(text)
    allocate(character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function
end module
