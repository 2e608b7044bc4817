! p3dfft2_ours.f90 - the counterpart of p3dfft2_theirs.f90, which prints the same numbers.
!
! mpifort p3dfft2_ours.f90 $(pkg-config --cflags --libs subx_fortran) -o p3dfft2_ours
! mpirun -n 4 ./p3dfft2_ours | sort
program p3dfft2_ours
  use mpi_f08
  use subx_fft
  implicit none
  ! [body]
  integer, parameter :: dp = kind(1d0)
  type(subx_fft_plan) :: plan
  type(MPI_Info) :: hints
  real(dp), allocatable :: u(:, :, :)
  complex(dp), allocatable :: uh(:, :, :)
  character(32) :: text
  integer :: ranks, grid(2) = 0, i, j, k

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, grid)
  write (text, '(i0, a, i0)') grid(2), 'x', grid(1) ! the ranks along the last axis come first
  call MPI_Info_create(hints)
  call MPI_Info_set(hints, 'subx_grid', trim(text))
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [10, 12, 15], hints, plan)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)

  do concurrent (k = lbound(u, 3):ubound(u, 3), j = lbound(u, 2):ubound(u, 2), i = lbound(u, 1):ubound(u, 1))
    u(i, j, k) = sin(real((k - 1) * j + (i - 1)**2, dp))
  end do
  call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
  do k = lbound(uh, 3), ubound(uh, 3)
    if (lbound(uh, 1) <= 3 .and. 3 <= ubound(uh, 1) .and. lbound(uh, 2) <= 2 .and. 2 <= ubound(uh, 2)) &
      print '(i2, 2(1x, f0.9))', k, uh(3, 2, k)
  end do

  deallocate (u, uh)
  call subx_fft_plan_free(plan)
  call MPI_Info_free(hints)
  ! [end]
  call MPI_Finalize()
end program
