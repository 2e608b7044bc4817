! wrong_rank.f90 - the last rank gives a wrong argument in a collective call: no rank may wait for ever. After an execution the
! wrong rank has its own error, and its partners have SUBX_ERR_PEER; after all other calls all ranks have the same kind of error.
! tests/fortran/wrong_rank.sh checks that each collective procedure has a case here.
! ranks: 2 3
program wrong_rank
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use subx_fft
  use subx_io
  implicit none
  character(*), parameter :: path = "wrong_rank_tmp.npy"
  integer :: failures = 0, checks = 0, rank, nranks
  logical :: is_wrong
  character(40) :: name

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  is_wrong = rank == nranks - 1
  call test_grid_and_memory()
  call test_exchange()
  call test_boxes()
  call test_halo()
  call test_plans()
  call test_executions()
  call test_operations()
  call test_calibration()
  call test_files()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print "(i0, a, i0, a)", checks, " checks on rank 0, ", failures, " failures on all ranks"
  call MPI_Finalize()
  if (failures > 0 .or. checks == 0) error stop 1

contains

  ! ---- what is expected

  ! Begin a case; the name is the one of the procedure.
  subroutine begin(procedure)
    character(*), intent(in) :: procedure
    name = procedure
  end subroutine

  subroutine check(code, kind)
    integer, intent(in) :: code, kind
    checks = checks + 1
    if (subx_error_get_kind(code) == kind) return
    failures = failures + 1
    print "(a, i0, 3a, i0, a, i0)", "rank ", rank, ": ", trim(name), ": kind ", subx_error_get_kind(code), ", expected ", kind
  end subroutine

  ! The outcome of an execution, in which the wrong rank has the error of a kind.
  subroutine check_execution(code, kind)
    integer, intent(in) :: code, kind
    call check(code, merge(kind, SUBX_ERR_PEER, is_wrong))
  end subroutine

  subroutine check_right(code)
    integer, intent(in) :: code
    call check(code, SUBX_ERR_NONE)
    if (code /= MPI_SUCCESS) print "(a, i0, 3a)", "rank ", rank, ": after ", trim(name), ": a right call fails"
  end subroutine

  integer function one_if_wrong()
    one_if_wrong = merge(1, 0, is_wrong)
  end function

  ! ---- libsubx

  subroutine test_grid_and_memory()
    type(subx_grid) :: grid
    type(c_ptr) :: memory
    integer :: code
    call begin("subx_grid_create")
    call subx_grid_create(MPI_COMM_WORLD, [nranks + one_if_wrong()], grid, code)
    call check(code, SUBX_ERR_GRID)
    call begin("subx_mem_alloc")
    call subx_mem_alloc(MPI_COMM_WORLD, int(1 - 2 * one_if_wrong(), SUBX_INDEX_KIND), MPI_INFO_NULL, memory, code)
    call check(code, SUBX_ERR_SIZE)
  end subroutine

  subroutine test_exchange()
    type(subx_exch) :: ex
    type(MPI_Datatype) :: types(nranks), wrong(nranks)
    real(c_double), target :: from(2), other(2)
    real(c_double), pointer :: to(:)
    integer :: code, kind
    types = MPI_DOUBLE_PRECISION
    wrong = types
    if (is_wrong) wrong = MPI_REAL
    call begin("subx_exch_create")
    call subx_exch_create(MPI_COMM_WORLD, wrong, types, MPI_INFO_NULL, ex, code)
    call check(code, SUBX_ERR_MISMATCH)
    call begin("subx_exch_create_realign")
    call subx_exch_create_realign(MPI_COMM_WORLD, [4, 6 - 7 * one_if_wrong()], 1, 2, MPI_REAL, MPI_INFO_NULL, ex, ierror=code)
    call check(code, SUBX_ERR_SIZE)
    call subx_exch_create_realign(MPI_COMM_WORLD, [4, 6], 1, 2, MPI_REAL, MPI_INFO_NULL, ex, [1, 2, 3], ierror=code)
    call check(code, SUBX_ERR_NDIMS)

    from = 1
    types = MPI_DATATYPE_NULL
    types(modulo(rank + 1, nranks) + 1) = MPI_DOUBLE_PRECISION
    wrong = MPI_DATATYPE_NULL
    wrong(modulo(rank - 1, nranks) + 1) = MPI_DOUBLE_PRECISION
    call subx_exch_create(MPI_COMM_WORLD, types, wrong, MPI_INFO_NULL, ex)
    to => other
    if (is_wrong) to => from
    ! rank 0 gets the data of the last rank
    kind = merge(SUBX_ERR_ALIAS, merge(SUBX_ERR_PEER, SUBX_ERR_NONE, rank == 0), is_wrong)
    call begin("subx_exch_execute")
    call subx_exch_execute(ex, from, to, code)
    call check(code, kind)
    call begin("subx_exch_start")
    call subx_exch_start(ex, from, to, code)
    call check(code, SUBX_ERR_NONE)
    call begin("subx_exch_wait")
    call subx_exch_wait(ex, code)
    call check(code, kind)
    call subx_exch_execute(ex, from, other, code)
    call check_right(code)
    call subx_exch_free(ex)
  end subroutine

  ! Make boxes with two rows for each rank.
  subroutine make_boxes(first, boxes)
    integer, intent(in) :: first
    type(subx_boxes), intent(out) :: boxes
    call subx_boxes_create([3, 2 * nranks], boxes)
    call subx_boxes_add(boxes, [1, first], [3, 2])
  end subroutine

  subroutine test_boxes()
    type(subx_boxes) :: boxes, null_boxes
    type(subx_exch) :: ex
    integer :: code
    call make_boxes(2 * rank + 1, boxes)
    null_boxes = boxes
    if (is_wrong) null_boxes = SUBX_BOXES_NULL
    call begin("subx_boxes_check")
    call subx_boxes_check(MPI_COMM_WORLD, null_boxes, .true., code)
    call check(code, SUBX_ERR_ARG)
    call begin("subx_exch_create_boxes")
    call subx_exch_create_boxes(MPI_COMM_WORLD, null_boxes, boxes, MPI_REAL, MPI_INFO_NULL, ex, code)
    call check(code, SUBX_ERR_ARG)
    call subx_boxes_free(boxes)
  end subroutine

  subroutine test_halo()
    type(subx_halo) :: halo
    real, target :: u(3, 4), wide(6, 4)
    real, pointer :: a(:,:)
    type(MPI_Info) :: hints
    integer :: code, start(2)
    u = 0
    wide = 0
    a => u
    if (is_wrong) a => wide(::2, :)
    start = [1, 2 * rank + 1]
    call MPI_Info_create(hints)
    call MPI_Info_set(hints, "subx_engine", "types") ! alltoallw does not tell partners
    call begin("subx_halo_create")
    call subx_halo_create(MPI_COMM_WORLD, [3, 2 * nranks], start, [3, 2], [0, 1 - 2 * one_if_wrong()], [0, 1], MPI_REAL, &
      MPI_INFO_NULL, halo, ierror=code)
    call check(code, SUBX_ERR_SIZE)
    call subx_halo_create(MPI_COMM_WORLD, [3, 2 * nranks], start, [3, 2], [0, 1], [0, 1], MPI_REAL, hints, halo, &
      [.true., .true.])
    call MPI_Info_free(hints)
    call begin("subx_halo_execute")
    call subx_halo_execute(halo, a, code)
    call check_execution(code, SUBX_ERR_ARG)
    call begin("subx_halo_start")
    call subx_halo_start(halo, a, code)
    call check(code, SUBX_ERR_NONE)
    call begin("subx_halo_wait")
    call subx_halo_wait(halo, code)
    call check_execution(code, SUBX_ERR_ARG)
    call subx_halo_execute(halo, u, code)
    call check_right(code)
    call subx_halo_free(halo)
  end subroutine

  ! ---- libsubx_fft

  subroutine test_plans()
    type(subx_fft_plan) :: plan
    type(subx_fft_problem) :: problem, given
    integer :: code
    call begin("subx_fft_plan_create")
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C + 99 * one_if_wrong(), [6, 8], MPI_INFO_NULL, plan, code)
    call check(code, SUBX_ERR_ARG)
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, [6, 8 - 9 * one_if_wrong()], MPI_INFO_NULL, plan, code)
    call check(code, SUBX_ERR_SIZE)
    call begin("subx_fft_plan_create_problem")
    call subx_fft_problem_parse("c2c:8x6", problem)
    given = problem
    if (is_wrong) given = SUBX_FFT_PROBLEM_NULL
    call subx_fft_plan_create_problem(MPI_COMM_WORLD, given, MPI_INFO_NULL, plan, code)
    call check(code, SUBX_ERR_ARG)
    call subx_fft_problem_free(problem)
  end subroutine

  subroutine make_plan(strategy, plan, u, uh, operation)
    character(*), intent(in) :: strategy
    type(subx_fft_plan), intent(out) :: plan
    complex(c_double_complex), allocatable, intent(out) :: u(:,:), uh(:,:)
    type(subx_fft_operation), intent(out), optional :: operation
    type(subx_fft_problem) :: problem
    type(MPI_Info) :: hints
    call MPI_Info_create(hints)
    call MPI_Info_set(hints, "subx_tune", "strategy "//strategy)
    call subx_fft_problem_parse(merge("c2c:12x12/operation", "c2c:12x12          ", present(operation)), problem)
    call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, hints, plan)
    call subx_fft_problem_free(problem)
    call MPI_Info_free(hints)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    u = 1
    if (present(operation)) call subx_fft_operation_create_laplacian(plan, [1d0, 1d0], 1, operation)
  end subroutine

  subroutine test_executions()
    character(7), parameter :: strategies(3) = ["fused  ", "stride1", "natural"]
    type(subx_fft_plan) :: plan
    complex(c_double_complex), allocatable, target :: u(:,:), uh(:,:)
    complex(c_double_complex), target :: short(1, 3)
    complex(c_double_complex), pointer :: from(:,:), to(:,:)
    integer :: code, i, d
    integer, parameter :: directions(2) = [SUBX_FFT_FORWARD, SUBX_FFT_BACKWARD]
    do i = 1, size(strategies)
      call make_plan(strategies(i), plan, u, uh)
      from => u
      to => uh
      if (is_wrong) from => short
      if (is_wrong) to => short
      do d = 1, 2
        call begin("subx_fft_execute")
        call subx_fft_execute(plan, directions(d), u, to, code)
        call check_execution(code, SUBX_ERR_TRUNCATE)
        call begin("subx_fft_start")
        call subx_fft_start(plan, directions(d), from, uh, code)
        call check(code, SUBX_ERR_NONE)
        call begin("subx_fft_wait")
        call subx_fft_wait(plan, code)
        call check_execution(code, SUBX_ERR_ARG)
      end do
      call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh, code)
      call check_right(code)
      call subx_fft_plan_free(plan)
    end do
  end subroutine

  subroutine test_operations()
    type(subx_fft_plan) :: plan
    type(subx_fft_operation) :: operation, null_operation
    complex(c_double_complex), allocatable, target :: u(:,:), uh(:,:), other(:,:)
    complex(c_double_complex), target :: short(1, 3)
    complex(c_double_complex), pointer :: from(:,:)
    integer :: code
    call make_plan("fused", plan, u, uh, operation)
    other = u
    from => u
    if (is_wrong) from => short
    null_operation = operation
    if (is_wrong) null_operation = SUBX_FFT_OPERATION_NULL
    call begin("subx_fft_execute_operation")
    call subx_fft_execute_operation(plan, SUBX_FFT_FORWARD, from, uh, operation, code)
    call check_execution(code, SUBX_ERR_TRUNCATE)
    call begin("subx_fft_execute_convolution")
    call subx_fft_execute_convolution(plan, u, other, null_operation, code)
    call check_execution(code, SUBX_ERR_ARG)
    call begin("subx_fft_start_operation")
    call subx_fft_start_operation(plan, SUBX_FFT_FORWARD, from, uh, operation, code)
    call check(code, SUBX_ERR_NONE)
    call subx_fft_wait(plan, code)
    call check_execution(code, SUBX_ERR_ARG)
    call begin("subx_fft_start_convolution")
    call subx_fft_start_convolution(plan, u, other, null_operation, code)
    call check(code, SUBX_ERR_NONE)
    call subx_fft_wait(plan, code)
    call check_execution(code, SUBX_ERR_ARG)
    call subx_fft_execute_convolution(plan, u, other, operation, code)
    call check_right(code)
    call subx_fft_operation_free(operation)
    call subx_fft_plan_free(plan)
  end subroutine

  subroutine test_calibration()
    character(:), allocatable :: text
    integer :: code
    call begin("subx_fft_machine_calibrate")
    call subx_fft_machine_calibrate(MPI_COMM_WORLD, MPI_INFO_NULL, real(1 - 2 * one_if_wrong(), c_double), text, code)
    call check(code, SUBX_ERR_ARG)
  end subroutine

  ! ---- libsubx_io

  subroutine test_files()
    real(c_double), target :: u(2), wide(4)
    real(c_double), pointer :: a(:)
    type(MPI_Datatype) :: element
    integer :: code, sizes(2)
    u = rank
    wide = 0
    a => u
    if (is_wrong) a => wide(::2)
    call begin("subx_file_write")
    call subx_file_write(MPI_COMM_WORLD, path, [2 * nranks], [2], [2 * rank + 1 + 5 * one_if_wrong()], MPI_DOUBLE_PRECISION, u, &
      MPI_INFO_NULL, ierror=code)
    call check(code, SUBX_ERR_SIZE)
    call subx_file_write(MPI_COMM_WORLD, path, [2 * nranks], [2], [2 * rank + 1], MPI_DOUBLE_PRECISION, a, MPI_INFO_NULL, &
      ierror=code)
    call check(code, SUBX_ERR_ARG)
    call subx_file_write(MPI_COMM_WORLD, path, [2 * nranks], [2], [2 * rank + 1], MPI_DOUBLE_PRECISION, u, MPI_INFO_NULL, &
      ierror=code)
    call check_right(code)
    call begin("subx_file_query_writable")
    call subx_file_query_writable(MPI_COMM_WORLD, path//repeat("x", one_if_wrong()), MPI_INFO_NULL, code)
    call check(code, SUBX_ERR_DIFFERS)
    call begin("subx_file_read")
    call subx_file_read(MPI_COMM_WORLD, path, [2 * nranks], [2], [2 * rank + 1], MPI_DOUBLE_PRECISION, a, MPI_INFO_NULL, &
      ierror=code)
    call check(code, SUBX_ERR_ARG)
    call begin("subx_file_get")
    call subx_file_get(MPI_COMM_WORLD, path//repeat("x", one_if_wrong()), MPI_INFO_NULL, sizes, element, ierror=code)
    call check(code, SUBX_ERR_DIFFERS)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) call remove_file()
  end subroutine

  subroutine remove_file()
    integer :: unit
    open(newunit=unit, file=path)
    close(unit, status="delete")
  end subroutine
end program
