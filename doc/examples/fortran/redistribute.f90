! redistribute.f90 - moves an array between two distributions, and realigns it from whole columns to whole rows.
!
! At first each rank has a block of whole columns a(:,j) of the array a(nx,ny). Then each rank gets a block of whole rows,
! stored transposed as b(j,i), so that a row is contiguous. The program does this in two ways: by boxes, which can describe
! any distribution, and by subx_exch_create_realign, which is shorter.
!
! mpifort redistribute.f90 $(pkg-config --cflags --libs subx_fortran) -o redistribute
! mpirun -n 4 ./redistribute
!
! It runs on any number of ranks; make check takes these ranks: 1 2 3 4
program redistribute
  use mpi_f08
  use subx
  implicit none
  integer, parameter :: n(2) = [10, 7]
  integer, allocatable :: a(:,:), b(:,:), c(:,:)
  integer :: rank, nranks, rows, first_row, columns, first_column, i, j, wrong
  type(subx_boxes) :: held, wanted
  type(subx_exch) :: exch

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  call subx_block_get(n(1), nranks, rank, rows, first_row)
  call subx_block_get(n(2), nranks, rank, columns, first_column)
  allocate(a(n(1), first_column:first_column + columns - 1))
  allocate(b(n(2), first_row:first_row + rows - 1))
  c = b
  do concurrent (i = 1:n(1), j = lbound(a, 2):ubound(a, 2))
    a(i, j) = 100 * i + j
  end do

  ! By boxes. They can be freed as soon as the exchange exists. It can be executed any number of times, on any arrays.
  call subx_boxes_create(n, held)
  call subx_boxes_add(held, [1, first_column], [n(1), columns])
  call subx_boxes_create(n, wanted)
  call subx_boxes_add_ordered(wanted, [first_row, 1], [rows, n(2)], order=[2, 1])
  call subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_INTEGER, MPI_INFO_NULL, exch)
  call subx_boxes_free(held)
  call subx_boxes_free(wanted)
  call subx_exch_execute(exch, a, b)
  call subx_exch_free(exch)

  ! By realignment: axis 1 is whole before the exchange, axis 2 is whole afterwards.
  call subx_exch_create_realign(MPI_COMM_WORLD, n, 1, 2, MPI_INTEGER, MPI_INFO_NULL, exch, rorder=[2, 1])
  call subx_exch_execute(exch, a, c)
  call subx_exch_free(exch)

  wrong = 0
  do i = first_row, first_row + rows - 1
    do j = 1, n(2)
      if (b(j, i) /= 100 * i + j) wrong = wrong + 1
      if (c(j, i) /= 100 * i + j) wrong = wrong + 1
    end do
  end do
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print "(i0, a, i0, a)", wrong, " of ", 2 * product(n), " elements are wrong"
  call MPI_Finalize()
  if (wrong > 0) error stop 1
end program
