! 2decomp_theirs.f90 - a transform with 2DECOMP&FFT, for comparison with 2decomp_ours.f90, which prints the same numbers.
!
! mpifort 2decomp_theirs.f90 -ldecomp2d -lfftw3 -o 2decomp_theirs
! mpirun -n 4 ./2decomp_theirs | sort
program decomp2d_theirs
  use mpi
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_fft
  implicit none
  ! [body]
  real(mytype), allocatable :: u(:, :, :)
  complex(mytype), allocatable :: uh(:, :, :)
  integer :: ranks, grid(2) = 0, first(3), last(3), length(3), i, j, k, ierror

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call MPI_Dims_create(ranks, 2, grid, ierror)
  decomp_log = D2D_LOG_QUIET
  call decomp_2d_init(10, 12, 15, grid(1), grid(2))
  call decomp_2d_fft_init(PHYSICAL_IN_X)
  call alloc_x(u, opt_global=.true.)
  call decomp_2d_fft_get_size(first, last, length)
  allocate (uh(first(1):last(1), first(2):last(2), first(3):last(3)))

  do concurrent (k = xstart(3):xend(3), j = xstart(2):xend(2), i = xstart(1):xend(1))
    u(i, j, k) = sin(real((k - 1) * j + (i - 1)**2, mytype))
  end do
  call decomp_2d_fft_3d(u, uh)
  do k = first(3), last(3)
    if (first(1) <= 3 .and. 3 <= last(1) .and. first(2) <= 2 .and. 2 <= last(2)) print '(i2, 2(1x, f0.9))', k, uh(3, 2, k)
  end do

  deallocate (u, uh)
  call decomp_2d_fft_finalize()
  call decomp_2d_finalize()
  ! [end]
  call MPI_Finalize(ierror)
end program
