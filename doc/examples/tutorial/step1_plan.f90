! step1_plan.f90 - a plan divides an array between the ranks, and tells each rank its part.
!
! mpifort step1_plan.f90 $(pkg-config --cflags --libs subx_fortran) -o step1
! mpirun -n 4 ./step1
program step1
  use mpi_f08
  use subx_fft
  implicit none
  type(subx_fft_plan) :: plan
  integer :: rank, n(3), first(3)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [16, 12, 10], MPI_INFO_NULL, plan)

  call subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, n, first)
  print '(a,i0,3(a,i0),3(a,i0),a)', 'rank ', rank, ': ', n(1), ' x ', n(2), ' x ', n(3), &
    ' points, the first is (', first(1), ', ', first(2), ', ', first(3), ')'
  call subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, n, first)
  print '(a,i0,3(a,i0),3(a,i0),a)', 'rank ', rank, ': ', n(1), ' x ', n(2), ' x ', n(3), &
    ' modes, the first is (', first(1), ', ', first(2), ', ', first(3), ')'

  call subx_fft_plan_free(plan)
  call MPI_Finalize()
end program
