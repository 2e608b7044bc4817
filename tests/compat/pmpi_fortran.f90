! pmpi_fortran.f90 - a Fortran program that sends, exchanges and packs strided types. BINDING is 0 for mpif.h, 1 for mpi, 2
! for mpi_f08. Each rank sends a box of its array to the next rank. The program prints nothing if all is right.
program pmpi_fortran
#if BINDING == 0
  implicit none
  include 'mpif.h'
#elif BINDING == 1
  use mpi
  implicit none
#else
  use mpi_f08
  implicit none
#endif
#if BINDING == 2
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
  integer, parameter :: n = 48, m = 31
  double precision :: from(n, n, n), to(n, n, n), packed(m * m * m)
  integer :: rank, ranks, next, last, i, j, k, code, place, wrong
  HANDLE(MPI_Datatype) :: box
  HANDLE(MPI_Datatype), allocatable :: types(:)
  HANDLE(MPI_Request) :: requests(2)
  integer, allocatable :: counts(:), sources(:), displs(:)
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  next = mod(rank + 1, ranks)
  last = mod(rank + ranks - 1, ranks)
  do k = 1, n
    do j = 1, n
      do i = 1, n
        from(i, j, k) = value(rank, i, j, k)
      end do
    end do
  end do
  call MPI_Type_create_subarray(3, [n, n, n], [m, m, m], [2, 3, 5], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, box, code)
  call MPI_Type_commit(box, code)
  wrong = 0

  to = -1
  call MPI_Irecv(to, 1, box, last, 1, MPI_COMM_WORLD, requests(1), code)
  call MPI_Isend(from, 1, box, next, 1, MPI_COMM_WORLD, requests(2), code)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, code)
  call check(last)

  to = -1
  call MPI_Sendrecv(from, 1, box, next, 2, to, 1, box, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  call check(last)

  to = -1
  place = 0
  call MPI_Pack(from, 1, box, packed, 8 * m * m * m, place, MPI_COMM_WORLD, code)
  place = 0
  call MPI_Unpack(packed, 8 * m * m * m, place, to, 1, box, MPI_COMM_WORLD, code)
  call check(rank)

  if (ranks > 1) then
    allocate (types(ranks), counts(ranks), sources(ranks), displs(ranks))
    types = box
    counts = 0
    sources = 0
    displs = 0
    counts(next + 1) = 1
    sources(last + 1) = 1
    to = -1
    call MPI_Alltoallw(from, counts, displs, types, to, sources, displs, types, MPI_COMM_WORLD, code)
    call check(last)
  end if
  call MPI_Type_free(box, code)
  call MPI_Finalize(code)
  if (wrong > 0) stop 1

contains

  pure double precision function value(rank, i, j, k)
    integer, intent(in) :: rank, i, j, k
    value = rank + 1d-2 * i + 1d-4 * j + 1d-6 * k
  end function value

  ! The starts of a subarray count from zero, in Fortran, too.
  subroutine check(source)
    integer, intent(in) :: source
    do k = 1, n
      do j = 1, n
        do i = 1, n
          if (i > 2 .and. i <= 2 + m .and. j > 3 .and. j <= 3 + m .and. k > 5 .and. k <= 5 + m) then
            if (to(i, j, k) /= value(source, i, j, k)) wrong = wrong + 1
          else if (to(i, j, k) /= -1) then
            wrong = wrong + 1
          end if
        end do
      end do
    end do
    if (wrong > 0) print *, 'rank ', rank, ': ', wrong, ' elements are wrong'
  end subroutine check
end program pmpi_fortran
