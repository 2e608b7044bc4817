! subx_support.f90 - what the friendly modules share: errors, handles of MPI, lists of axes, texts, buffers. Not for users.
module subx_support
  use, intrinsic :: iso_c_binding
  use mpi_f08, only: MPI_SUCCESS
  use subx_c, only: SUBX_NDIMS_MAX, SUBX_ERR_NDIMS, SUBX_ERR_TRUNCATE, SUBX_ERR_TOO_LARGE
  use subx_lowlevel_c, only: c_error_get_code => subx_error_get_code
  use subx_mpi
  implicit none

  ! The kind of lengths and indices that a default integer may not hold.
  integer, parameter :: SUBX_INDEX_KIND = c_ptrdiff_t

  interface
    ! Call the error handler of a communicator, of MPI_COMM_WORLD if it is absent.
    subroutine subx_f_raise(code, comm) bind(C, name="subx_f_raise")
      import
      integer(c_int), value :: code
      integer(c_int), intent(in), optional :: comm
    end subroutine

    ! The address of an array; null if it has gaps. C refuses a null address on all ranks that it concerns.
    type(c_ptr) function address(array) bind(C, name="subx_f_address")
      import
      type(*), target, intent(in) :: array(..)
    end function

    integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
      import
      type(c_ptr), value :: text
    end function
  end interface

  ! A list with its last entry first.
  interface reversed
    procedure reversed_int, reversed_index, reversed_real
  end interface

  ! Put a list into an argument that has room for it, if the argument is there.
  interface put
    procedure put_int, put_index
  end interface

  ! Default integers for a procedure for 64 bits; nothing if they are absent.
  interface widen
    procedure widen_list, widen_one
  end interface

  ! Put what a procedure for 64 bits has given into default integers.
  interface narrow
    procedure narrow_list, narrow_one
  end interface

contains

  ! ---- errors

  ! What each procedure ends with.
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

  ! The length that all lists have. If they differ it is 0, with which no array can be made.
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

  ! A text for C, which ends with a null character; blanks at its end do not count.
  pure function c_text(text)
    character(*), intent(in) :: text
    character(len_trim(text) + 1) :: c_text
    c_text = trim(text)//c_null_char
  end function

  ! A text of C that belongs to the library; empty if there is none.
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
