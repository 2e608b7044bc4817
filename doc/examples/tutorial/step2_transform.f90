! step2_transform.f90 - a wave becomes a peak, and the peak becomes the wave again.
!
! mpifort step2_transform.f90 $(pkg-config --cflags --libs subx_fortran) -o step2
! mpirun -n 4 ./step2
program step2
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  use mpi_f08
  use subx_fft
  implicit none
  real(c_double), parameter :: pi = acos(-1._c_double)
  type(subx_fft_plan) :: plan
  real(c_double), allocatable :: u(:,:,:), again(:,:,:)
  complex(c_double_complex), allocatable :: spectrum(:,:,:)
  integer :: i, j, k

  call MPI_Init()
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [16, 12, 10], MPI_INFO_NULL, plan)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, again)
  call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, spectrum)

  do concurrent (k = lbound(u, 3):ubound(u, 3), j = lbound(u, 2):ubound(u, 2), i = lbound(u, 1):ubound(u, 1))
    u(i, j, k) = cos(2 * pi * (3 * (i - 1) / 16._c_double + 5 * (j - 1) / 12._c_double + 2 * (k - 1) / 10._c_double))
  end do

  call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, spectrum)

  do k = lbound(spectrum, 3), ubound(spectrum, 3)
    do j = lbound(spectrum, 2), ubound(spectrum, 2)
      do i = lbound(spectrum, 1), ubound(spectrum, 1)
        if (abs(spectrum(i, j, k)) > 1e-9) &
          print '(a,f0.1,3(a,i0),a)', 'a peak of ', spectrum(i, j, k)%re, ' at (', i, ', ', j, ', ', k, ')'
      end do
    end do
  end do

  call subx_fft_execute(plan, SUBX_FFT_BACKWARD, spectrum, again)
  if (any(abs(again / (16 * 12 * 10) - u) > 1e-14)) error stop 'the wave is not the same'

  deallocate(u, again, spectrum)
  call subx_fft_plan_free(plan)
  call MPI_Finalize()
end program
