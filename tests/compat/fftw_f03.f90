! fftw_f03.f90 - FFTW's MPI interface in Fortran 2003: plans of all families against FFTW's serial plans.
module checks
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'fftw3-mpi.f03'
  ! Fortran's axes are C's in reverse order, so Fortran's last axis is distributed. No number of ranks from 2 to 4 divides 13.
  integer(C_INTPTR_T), parameter :: n = 6, m = 10, l = 13, half = n / 2 + 1
  integer :: failures = 0
  ! This rank's part of axis l; and its part of axis m in transforms that exchange the two axes.
  integer(C_INTPTR_T) :: lengthl, startl, lengthm, startm
contains

  subroutine release(forward, backward, memory)
    type(C_PTR), value :: forward, backward
    type(C_PTR), intent(in) :: memory(2)
    call fftw_destroy_plan(forward)
    call fftw_destroy_plan(backward)
    call fftw_free(memory(1))
    call fftw_free(memory(2))
  end subroutine
  ! Collective. The test fails if the largest error on any rank is not small.
  subroutine expect(name, error)
    character(*), intent(in) :: name
    real(C_DOUBLE), intent(in) :: error
    real(C_DOUBLE) :: largest
    integer :: rank, ierr
    call MPI_Allreduce(error, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (largest < 1d-12) return
    failures = failures + 1
    if (rank == 0) print '(a, a, es10.2)', 'FAIL: ', name // ': error ', largest
  end subroutine

  ! Collective. Returns true if this rank has a plan; otherwise the test fails.
  logical function planned(name, plan)
    character(*), intent(in) :: name
    type(C_PTR), intent(in) :: plan
    planned = c_associated(plan)
    if (.not. planned) call expect(name // ' is not planned', 1d0)
  end function

  ! Numbers between -0.5 and 0.5 without a pattern. All ranks get the same numbers.
  pure real(C_DOUBLE) function noise(k)
    integer, intent(in) :: k
    noise = modulo(k * 0.6180339887d0 + modulo(k, 17) * 0.7071067812d0, 1d0) - 0.5d0
  end function

  subroutine fill_complex(whole)
    complex(C_DOUBLE_COMPLEX), intent(out) :: whole(n, m, l)
    integer :: k
    whole = reshape([(cmplx(noise(k), noise(k + 5000), C_DOUBLE_COMPLEX), k = 1, size(whole))], shape(whole))
  end subroutine

  ! The spectrum is transposed: axes l and m are exchanged.
  subroutine check_complex
    character(*), parameter :: name = 'complex, transposed'
    complex(C_DOUBLE_COMPLEX) :: whole(n, m, l), spectrum(n, m, l)
    complex(C_DOUBLE_COMPLEX), pointer :: from(:, :, :), to(:, :, :)
    type(C_PTR) :: serial, forward, backward, memory(2)
    integer(C_INTPTR_T) :: length
    real(C_DOUBLE) :: error
    integer :: k
    call fill_complex(whole)
    serial = fftw_plan_dft_3d(int(l), int(m), int(n), whole, spectrum, FFTW_FORWARD, FFTW_ESTIMATE)
    call fftw_execute_dft(serial, whole, spectrum)
    call fftw_destroy_plan(serial)

    length = fftw_mpi_local_size_3d_transposed(l, m, n, MPI_COMM_WORLD, lengthl, startl, lengthm, startm)
    memory = [(fftw_alloc_complex(int(length, C_SIZE_T)), k = 1, 2)]
    call c_f_pointer(memory(1), from, [n, m, lengthl])
    call c_f_pointer(memory(2), to, [n, l, lengthm])
    forward = fftw_mpi_plan_dft_3d(l, m, n, from, to, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MPI_TRANSPOSED_OUT)
    backward = fftw_mpi_plan_dft_3d(l, m, n, to, to, MPI_COMM_WORLD, FFTW_BACKWARD, &
      ior(FFTW_MPI_TRANSPOSED_IN, FFTW_ESTIMATE))
    if (planned(name, forward) .and. planned(name // ' backward', backward)) then
      from = whole(:, :, startl + 1:startl + lengthl)
      call fftw_mpi_execute_dft(forward, from, to)
      error = maxval([0d0, (maxval(abs(to(:, :, k) - spectrum(:, startm + k, :))), k = 1, int(lengthm))])
      call expect(name, error)
      call fftw_mpi_execute_dft(backward, to, to)
      call c_f_pointer(memory(2), to, [n, m, lengthl])
      call expect(name // ' backward', maxval([0d0, maxval(abs(to / size(whole) - from))]))
    end if
    call release(forward, backward, memory)
  end subroutine

  subroutine check_real
    character(*), parameter :: name = 'real'
    real(C_DOUBLE) :: whole(n, m, l)
    complex(C_DOUBLE_COMPLEX) :: spectrum(half, m, l)
    real(C_DOUBLE), pointer :: from(:, :, :)
    complex(C_DOUBLE_COMPLEX), pointer :: to(:, :, :)
    type(C_PTR) :: serial, forward, backward, memory(2)
    integer(C_INTPTR_T) :: length
    integer :: k
    whole = reshape([(noise(k), k = 1, size(whole))], shape(whole))
    serial = fftw_plan_dft_r2c_3d(int(l), int(m), int(n), whole, spectrum, FFTW_ESTIMATE)
    call fftw_execute_dft_r2c(serial, whole, spectrum)
    call fftw_destroy_plan(serial)

    length = fftw_mpi_local_size_3d_transposed(l, m, half, MPI_COMM_WORLD, lengthl, startl, lengthm, startm)
    memory = [fftw_alloc_real(2 * int(length, C_SIZE_T)), fftw_alloc_complex(int(length, C_SIZE_T))]
    call c_f_pointer(memory(1), from, [2 * half, m, lengthl])
    call c_f_pointer(memory(2), to, [half, m, lengthl])
    forward = fftw_mpi_plan_dft_r2c_3d(l, m, n, from, to, MPI_COMM_WORLD, FFTW_ESTIMATE)
    backward = fftw_mpi_plan_dft_c2r_3d(l, m, n, to, from, MPI_COMM_WORLD, FFTW_ESTIMATE)
    if (planned(name, forward) .and. planned(name // ' backward', backward)) then
      from(:n, :, :) = whole(:, :, startl + 1:startl + lengthl)
      call fftw_mpi_execute_dft_r2c(forward, from, to)
      call expect(name, maxval([0d0, maxval(abs(to - spectrum(:, :, startl + 1:startl + lengthl)))]))
      from = 0
      call fftw_mpi_execute_dft_c2r(backward, to, from)
      call expect(name // ' backward', &
                  maxval([0d0, maxval(abs(from(:n, :, :) / size(whole) - whole(:, :, startl + 1:startl + lengthl)))]))
    end if
    call release(forward, backward, memory)
  end subroutine

  subroutine check_kinds
    real(C_DOUBLE) :: whole(m, l), spectrum(m, l)
    real(C_DOUBLE), pointer :: data(:, :)
    type(C_PTR) :: serial, plan, memory
    integer(C_INTPTR_T) :: length
    integer :: k
    whole = reshape([(noise(k), k = 1, size(whole))], shape(whole))
    serial = fftw_plan_r2r_2d(int(l), int(m), whole, spectrum, FFTW_REDFT10, FFTW_RODFT11, FFTW_ESTIMATE)
    call fftw_execute_r2r(serial, whole, spectrum)
    call fftw_destroy_plan(serial)

    length = fftw_mpi_local_size_2d(l, m, MPI_COMM_WORLD, lengthl, startl)
    memory = fftw_alloc_real(int(length, C_SIZE_T))
    call c_f_pointer(memory, data, [m, lengthl])
    plan = fftw_mpi_plan_r2r_2d(l, m, data, data, MPI_COMM_WORLD, FFTW_REDFT10, FFTW_RODFT11, FFTW_ESTIMATE)
    if (planned('kinds', plan)) then
      data = whole(:, startl + 1:startl + lengthl)
      call fftw_mpi_execute_r2r(plan, data, data)
      call expect('kinds', maxval([0d0, maxval(abs(data - spectrum(:, startl + 1:startl + lengthl)))]))
    end if
    call fftw_destroy_plan(plan)
    call fftw_free(memory)
  end subroutine

  ! Transpose tuples of three reals in place: `from` and `to` are the same memory.
  subroutine check_transpose
    integer(C_INTPTR_T), parameter :: tuple = 3
    real(C_DOUBLE) :: whole(tuple, m, l)
    real(C_DOUBLE), pointer :: from(:, :, :), to(:, :, :)
    type(C_PTR) :: plan, memory
    integer(C_INTPTR_T) :: length
    integer :: k
    whole = reshape([(noise(k), k = 1, size(whole))], shape(whole))
    length = fftw_mpi_local_size_many_transposed(2, [l, m], tuple, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, &
                                                 MPI_COMM_WORLD, lengthl, startl, lengthm, startm)
    memory = fftw_alloc_real(int(length, C_SIZE_T))
    call c_f_pointer(memory, from, [tuple, m, lengthl])
    call c_f_pointer(memory, to, [tuple, l, lengthm])
    plan = fftw_mpi_plan_many_transpose(l, m, tuple, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, &
                                        from, to, MPI_COMM_WORLD, FFTW_ESTIMATE)
    if (planned('transpose', plan)) then
      from = whole(:, :, startl + 1:startl + lengthl)
      call fftw_mpi_execute_r2r(plan, from, to)
      call expect('transpose', &
                  maxval([0d0, (maxval(abs(to(:, :, k) - whole(:, startm + k, :))), k = 1, int(lengthm))]))
    end if
    call fftw_destroy_plan(plan)
    call fftw_free(memory)
  end subroutine

  ! FFTW does not define the order of a scrambled spectrum, so only forward followed by backward can be checked. On one rank
  ! FFTW has no such plan.
  subroutine check_scrambled(n0)
    integer(C_INTPTR_T), intent(in) :: n0
    complex(C_DOUBLE_COMPLEX), pointer :: from(:), to(:)
    type(C_PTR) :: forward, backward, memory(2)
    integer(C_INTPTR_T) :: length, back, lengthi, starti, lengtho, starto
    integer :: k, ranks, ierr
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    if (ranks == 1) return
    length = fftw_mpi_local_size_1d(n0, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MPI_SCRAMBLED_OUT, lengthi, starti, &
                                    lengtho, starto)
    back = fftw_mpi_local_size_1d(n0, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_MPI_SCRAMBLED_IN, lengtho, starto, &
                                  lengthi, starti)
    memory = [(fftw_alloc_complex(int(max(length, back), C_SIZE_T)), k = 1, 2)]
    call c_f_pointer(memory(1), from, [lengthi])
    call c_f_pointer(memory(2), to, [max(lengthi, lengtho)])
    forward = fftw_mpi_plan_dft_1d(n0, from, to, MPI_COMM_WORLD, FFTW_FORWARD, &
                                   ior(FFTW_MPI_SCRAMBLED_OUT, FFTW_ESTIMATE))
    backward = fftw_mpi_plan_dft_1d(n0, to, to, MPI_COMM_WORLD, FFTW_BACKWARD, &
                                    ior(FFTW_MPI_SCRAMBLED_IN, FFTW_ESTIMATE))
    if (planned('scrambled', forward) .and. planned('scrambled backward', backward)) then
      from = [(cmplx(noise(int(starti) + k), noise(k), C_DOUBLE_COMPLEX), k = 1, int(lengthi))]
      call fftw_mpi_execute_dft(forward, from, to)
      call fftw_mpi_execute_dft(backward, to, to)
      call expect('scrambled', maxval([0d0, abs(to(:lengthi) / n0 - from)]))
    end if
    call release(forward, backward, memory)
  end subroutine
end module

program fftw_f03
  use checks
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call fftw_mpi_init()
  call check_complex()
  call check_real()
  call check_kinds()
  call check_transpose()
  call check_scrambled(144_C_INTPTR_T)
  call fftw_mpi_gather_wisdom(MPI_COMM_WORLD)
  call fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD)
  call fftw_mpi_cleanup()
  call MPI_Finalize(ierr)
  if (failures > 0) stop 1
end program
