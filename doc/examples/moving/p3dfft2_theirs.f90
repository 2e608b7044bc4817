! p3dfft2_theirs.f90 - a transform with P3DFFT 2.7, for comparison with p3dfft2_ours.f90, which prints the same numbers.
!
! mpifort p3dfft2_theirs.f90 -lp3dfft -lfftw3 -o p3dfft2_theirs
! mpirun -n 4 ./p3dfft2_theirs | sort
program p3dfft2_theirs
  use mpi
  use p3dfft
  implicit none
  ! [body]
  real(p3dfft_type), allocatable :: u(:, :, :)
  complex(p3dfft_type), allocatable :: uh(:, :, :)
  integer :: ranks, grid(2) = 0, first(3), last(3), length(3), i, j, k, ierror

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call MPI_Dims_create(ranks, 2, grid, ierror)
  call p3dfft_setup(grid, 10, 12, 15, MPI_COMM_WORLD, 10, 12, 15, .false.)
  call p3dfft_get_dims(first, last, length, 1)
  allocate (u(first(1):last(1), first(2):last(2), first(3):last(3)))
  do k = first(3), last(3)
    do j = first(2), last(2)
      do i = first(1), last(1)
        u(i, j, k) = sin(real((k - 1) * j + (i - 1)**2, p3dfft_type))
      end do
    end do
  end do

  call p3dfft_get_dims(first, last, length, 2)
  allocate (uh(first(1):last(1), first(2):last(2), first(3):last(3)))
  call p3dfft_ftran_r2c(u, uh, 'fft')
  do k = first(3), last(3)
    if (first(1) <= 3 .and. 3 <= last(1) .and. first(2) <= 2 .and. 2 <= last(2)) print '(i2, 2(1x, f0.9))', k, uh(3, 2, k)
  end do

  deallocate (u, uh)
  call p3dfft_clean()
  ! [end]
  call MPI_Finalize(ierror)
end program
