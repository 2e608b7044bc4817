! transform.f90 - a transform of real numbers, forward and backward.
!
! The array u(nx,ny,nz) is divided among the ranks. The bounds of each rank's part are global indices: on the rank that has
! it, element i, j, k of the whole array is u(i,j,k). The spectrum has nx/2+1 entries along the first axis.
!
! mpifort transform.f90 $(pkg-config --cflags --libs subx_fortran) -o transform
! mpirun -n 4 ./transform
!
! It runs on any number of ranks; make check takes these ranks: 1 2 3 4
program transform
  use mpi_f08
  use subx_fft
  implicit none
  integer, parameter :: nx = 24, ny = 20, nz = 18, dp = kind(1d0)
  real(dp), parameter :: pi = acos(-1d0)
  type(subx_fft_plan) :: plan
  real(dp), allocatable :: u(:,:,:), back(:,:,:)
  complex(dp), allocatable :: uh(:,:,:)
  real(dp) :: error
  integer :: i, j, k, rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [nx, ny, nz], MPI_INFO_NULL, plan)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, back)
  call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)

  ! A single wave: 2 periods along x, 3 along y.
  do concurrent (i = lbound(u, 1):ubound(u, 1), j = lbound(u, 2):ubound(u, 2), k = lbound(u, 3):ubound(u, 3))
    u(i, j, k) = cos(2 * pi * (2 * (i - 1) / real(nx, dp) + 3 * (j - 1) / real(ny, dp)))
  end do
  call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
  do k = lbound(uh, 3), ubound(uh, 3)
    do j = lbound(uh, 2), ubound(uh, 2)
      do i = lbound(uh, 1), ubound(uh, 1)
        if (abs(uh(i, j, k)) > 1d-6) print "(a, 3i3, a, f8.1)", "wave", i - 1, j - 1, k - 1, ":", abs(uh(i, j, k))
      end do
    end do
  end do
  call subx_fft_execute(plan, SUBX_FFT_BACKWARD, uh, back)

  error = 0
  if (size(u) > 0) error = maxval(abs(back / (nx * ny * nz) - u))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print "(a, es8.1)", "largest error of a round trip:", error
  call subx_fft_plan_free(plan)
  call MPI_Finalize()
  if (error > 1d-13) error stop 1
end program
