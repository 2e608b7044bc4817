! step4_file.f90 - all ranks write one .npy file; then rank 0 reads it alone.
!
! mpifort step4_file.f90 $(pkg-config --cflags --libs subx_fortran) -o step4
! mpirun -n 4 ./step4
program step4
  use, intrinsic :: iso_c_binding, only: c_double
  use mpi_f08
  use subx_fft
  use subx_io
  implicit none
  type(subx_fft_plan) :: plan
  real(c_double), allocatable :: u(:,:,:)
  real(c_double) :: all(16, 12, 10)
  integer :: i, j, k, rank, n(3), first(3), wrong

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [16, 12, 10], MPI_INFO_NULL, plan)
  call subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, first)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  do concurrent (k = lbound(u, 3):ubound(u, 3), j = lbound(u, 2):ubound(u, 2), i = lbound(u, 1):ubound(u, 1))
    u(i, j, k) = 10000 * i + 100 * j + k
  end do

  call subx_file_write(MPI_COMM_WORLD, 'step4.npy', [16, 12, 10], n, first, MPI_DOUBLE_PRECISION, u, MPI_INFO_NULL)

  wrong = 0
  if (rank == 0) then
    call subx_file_read(MPI_COMM_SELF, 'step4.npy', [16, 12, 10], [16, 12, 10], [1, 1, 1], MPI_DOUBLE_PRECISION, all, &
      MPI_INFO_NULL)
    do k = 1, 10
      do j = 1, 12
        do i = 1, 16
          if (nint(all(i, j, k)) /= 10000 * i + 100 * j + k) wrong = wrong + 1
        end do
      end do
    end do
    print '(i0,a,i0,a)', wrong, ' of ', size(all), ' numbers in the file are wrong'
  end if
  if (wrong > 0) error stop

  deallocate(u)
  call subx_fft_plan_free(plan)
  call MPI_Finalize()
end program
