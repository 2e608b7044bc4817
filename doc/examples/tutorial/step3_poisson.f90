! step3_poisson.f90 - Poisson's equation, laplace u = f, on a periodic cube of length 2 pi, in one call.
!
! mpifort step3_poisson.f90 $(pkg-config --cflags --libs subx_fortran) -o step3
! mpirun -n 4 ./step3
program step3
  use, intrinsic :: iso_c_binding, only: c_double
  use mpi_f08
  use subx_fft
  implicit none
  real(c_double), parameter :: two_pi = 2 * acos(-1._c_double)
  type(MPI_Info) :: hints
  type(subx_fft_problem) :: problem
  type(subx_fft_plan) :: plan
  type(subx_fft_operation) :: inverse
  real(c_double), allocatable :: u(:,:,:), exact(:,:,:)
  real(c_double) :: error
  integer :: i, j, k, rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Info_create(hints)
  call MPI_Info_set(hints, 'subx_scaling', 'backward') ! forward and then backward gives the same field
  call subx_fft_problem_parse('r2c:10x12x16/operation', problem) ! texts have the axes in C order: the last one is contiguous
  call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, plan)
  call subx_fft_operation_create_laplacian(plan, [two_pi, two_pi, two_pi], -1, inverse)

  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
  call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, exact)
  do concurrent (k = lbound(u, 3):ubound(u, 3), j = lbound(u, 2):ubound(u, 2), i = lbound(u, 1):ubound(u, 1))
    exact(i, j, k) = cos(two_pi * (3 * (i - 1) / 16._c_double + 5 * (j - 1) / 12._c_double + 2 * (k - 1) / 10._c_double))
  end do
  u(:,:,:) = -(3**2 + 5**2 + 2**2) * exact ! f

  call subx_fft_execute_convolution(plan, u, u, inverse) ! f becomes u

  error = maxval(abs(u - exact))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a,es7.1)', 'the largest error is ', error
  if (error > 1e-13) error stop 'the solution is wrong'

  deallocate(u, exact)
  call subx_fft_operation_free(inverse)
  call subx_fft_plan_free(plan)
  call subx_fft_problem_free(problem)
  call MPI_Info_free(hints)
  call MPI_Finalize()
end program
