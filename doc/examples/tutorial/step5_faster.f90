! step5_faster.f90 - the library searches the fastest plan by measurement, and explains its choice.
!
! mpifort step5_faster.f90 $(pkg-config --cflags --libs subx_fortran) -o step5
! mpirun -n 4 ./step5
program step5
  use mpi_f08
  use subx_fft
  implicit none
  type(MPI_Info) :: hints
  type(subx_fft_plan) :: plan
  character(:), allocatable :: text
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Info_create(hints)
  call MPI_Info_set(hints, 'subx_effort', 'measure')
  call MPI_Info_set(hints, 'subx_wisdom', 'none') ! else the next run takes the plan from a file
  call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [40, 48, 64], hints, plan)

  call subx_fft_plan_explain(plan, SUBX_FFT_TEXT, text)
  if (rank == 0) print '(a)', text

  call subx_fft_plan_free(plan)
  call MPI_Info_free(hints)
  call MPI_Finalize()
end program
