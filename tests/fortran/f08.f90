! f08.f90 - the module subx_fft with mpi_f08: transforms against the sum that defines them, arrays of plans, operations.
! ranks: 1 2 3 4
module f08_procedure
  use, intrinsic :: iso_c_binding
  use subx_fft, only: SUBX_INDEX_KIND
  implicit none

contains

  elemental real(c_double) function weight(i, j, k)
    integer, intent(in) :: i, j, k
    weight = 3 * (i + 10 * j + 100 * k)
  end function

  ! An operation by a procedure, which gets global indices.
  subroutine multiply(context, start, data) bind(C)
    type(c_ptr), value :: context
    integer(SUBX_INDEX_KIND), intent(in) :: start(3)
    complex(c_double_complex), intent(inout) :: data(start(1):, start(2):, start(3):)
    real(c_double), pointer :: factor
    integer :: i, j, k
    call c_f_pointer(context, factor)
    do k = lbound(data, 3), ubound(data, 3)
      do j = lbound(data, 2), ubound(data, 2)
        do i = lbound(data, 1), ubound(data, 1)
          data(i, j, k) = data(i, j, k) * weight(i, j, k) / 3 * factor
        end do
      end do
    end do
  end subroutine
end module

program f08
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use subx_fft
  use f08_procedure
  implicit none
  integer, parameter :: n(3) = [7, 5, 6]
  real(c_double), parameter :: pi = acos(-1d0), tolerance = 1d-12
  integer :: failures = 0, checks = 0, rank, nranks

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  call test_complex("", "")
  if (nranks == 2) call test_complex("subx_grid", "2x1")
  call test_complex("subx_output_order", "transposed")
  call test_real()
  call test_single()
  call test_in_place()
  call test_fields()
  call test_no_data()
  call test_problem()
  call test_operations()
  call test_texts()
  call test_wisdom()
  call test_errors()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print "(i0, a, i0, a)", checks, " checks on rank 0, ", failures, " failures on all ranks"
  call MPI_Finalize()
  if (failures > 0 .or. checks == 0) error stop 1

contains

  subroutine check(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    checks = checks + 1
    if (is_right) return
    failures = failures + 1
    print "(a, i0, 2a)", "rank ", rank, ": ", what
  end subroutine

  ! Check the kind of an error; the text of the error must have these words.
  subroutine check_error(code, kind, words)
    integer, intent(in) :: code, kind
    character(*), intent(in) :: words
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: length
    call MPI_Error_string(code, text, length)
    call check(subx_error_get_kind(code) == kind .and. index(text, words) > 0, words//" is not in "//trim(text))
  end subroutine

  ! A field without symmetries. All indices begin at 1; c is the number of the component.
  elemental complex(c_double_complex) function field(i, j, k, c)
    integer, intent(in) :: i, j, k, c
    field = cmplx(sin(1.1d0 * i * i + 0.7d0 * j + 0.3d0 * k * j + c), cos(0.9d0 * i + 1.3d0 * j * k - 2 * c), c_double_complex)
  end function

  ! Element (i,j,k) of the transform of the field, or of the field's real part, by the definition.
  complex(c_double_complex) function transformed(i, j, k, c, is_real)
    integer, intent(in) :: i, j, k, c
    logical, intent(in) :: is_real
    complex(c_double_complex) :: u
    integer :: x, y, z
    real(c_double) :: turns
    transformed = 0
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          u = field(x, y, z, c)
          if (is_real) u = real(u)
          turns = real((i - 1) * (x - 1), c_double) / n(1) + real((j - 1) * (y - 1), c_double) / n(2) &
            + real((k - 1) * (z - 1), c_double) / n(3)
          transformed = transformed + u * exp(cmplx(0d0, -2 * pi * turns, c_double_complex))
        end do
      end do
    end do
  end function

  ! Set a field of component c, or its real part. Its bounds begin at `start`.
  subroutine fill(start, u, c)
    integer, intent(in) :: start(3), c
    complex(c_double_complex), intent(out) :: u(start(1):, start(2):, start(3):)
    integer :: i, j, k
    do concurrent (i = lbound(u, 1):ubound(u, 1), j = lbound(u, 2):ubound(u, 2), k = lbound(u, 3):ubound(u, 3))
      u(i, j, k) = field(i, j, k, c)
    end do
  end subroutine

  subroutine fill_real(start, u)
    integer, intent(in) :: start(3)
    real(c_double), intent(out) :: u(start(1):, start(2):, start(3):)
    complex(c_double_complex) :: whole(size(u, 1), size(u, 2), size(u, 3))
    call fill(start, whole, 0)
    u = real(whole)
  end subroutine

  ! Check a spectrum, whose bounds begin at `start`. Its dimension m is axis order(m).
  subroutine check_spectrum(what, start, uh, c, is_real, order, error)
    character(*), intent(in) :: what
    integer, intent(in) :: start(3), c
    complex(c_double_complex), intent(in) :: uh(start(1):, start(2):, start(3):)
    logical, intent(in) :: is_real
    integer, intent(in), optional :: order(3)
    real(c_double), intent(in), optional :: error
    real(c_double) :: allowed
    integer :: axes(3), at(3), i, j, k
    axes = [1, 2, 3]
    allowed = 210 * tolerance
    if (present(order)) axes = order
    if (present(error)) allowed = error
    do k = lbound(uh, 3), ubound(uh, 3)
      do j = lbound(uh, 2), ubound(uh, 2)
        do i = lbound(uh, 1), ubound(uh, 1)
          at(axes) = [i, j, k]
          call check(abs(uh(i, j, k) - transformed(at(1), at(2), at(3), c, is_real)) < allowed, what)
        end do
      end do
    end do
  end subroutine

  type(MPI_Info) function hints(key, value)
    character(*), intent(in) :: key, value
    call MPI_Info_create(hints)
    call MPI_Info_set(hints, key, value)
  end function

  ! A plan without hints, or with one. With transposed output, dimension m of the spectral array is axis order(m).
  subroutine test_complex(key, value)
    character(*), intent(in) :: key, value
    complex(c_double_complex), allocatable :: u(:,:,:), uh(:,:,:), back(:,:,:)
    type(subx_fft_plan) :: plan
    type(MPI_Info) :: info
    integer :: shape(3), start(3), order(3)
    logical :: is_complete

    info = MPI_INFO_NULL
    if (key /= "") info = hints(key, value)
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, n, info, plan)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, back)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    call subx_fft_plan_get_local(plan, SUBX_FFT_PHYSICAL, shape, start, order)
    call check(all(shape == ubound(u) - lbound(u) + 1), "the shape of u")
    call check(all(start == lbound(u) .or. shape == 0), "the bounds of u")
    call check(all(order == [1, 2, 3]), "the order of u")
    call check(shape(1) == n(1), "axis 1 is whole on the physical side")
    if (value == "2x1") call check(shape(3) == n(3) / 2 .and. shape(2) == n(2), "a grid 2x1 divides the last axis")
    call subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, order=order)
    call check(all(shape(order) == ubound(uh) - lbound(uh) + 1), "the shape of uh")
    call fill(lbound(u), u, 0)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    call check_spectrum("c2c, "//value, lbound(uh), uh, 0, .false., order)
    call subx_fft_execute(plan, SUBX_FFT_BACKWARD, uh, back)
    call check(all(abs(back - 210 * u) < 210 * tolerance), "c2c backward")
    back = 0
    call subx_fft_start(plan, SUBX_FFT_BACKWARD, uh, back)
    call subx_fft_test(plan, is_complete)
    call subx_fft_wait(plan)
    call check(all(abs(back - 210 * u) < 210 * tolerance), "c2c backward, started")
    call subx_fft_plan_free(plan)
    call check(plan == SUBX_FFT_PLAN_NULL, "a freed plan")
    if (key /= "") call MPI_Info_free(info)
  end subroutine

  ! A real transform halves the first axis. Here lengths are integers of 64 bits.
  subroutine test_real()
    real(c_double), allocatable :: u(:,:,:)
    complex(c_double_complex), allocatable :: uh(:,:,:)
    integer(SUBX_INDEX_KIND) :: shape(3), start(3), bytes
    integer :: frequencies(max(n(1), n(2), n(3))), i, j
    type(subx_fft_plan) :: plan

    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, int(n, SUBX_INDEX_KIND), MPI_INFO_NULL, plan)
    call subx_fft_plan_get_local(plan, SUBX_FFT_SPECTRAL, shape, start, alloc_bytes=bytes)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    call check(bytes == 16 * size(uh) .or. size(uh) == 0, "bytes of the spectrum")
    call fill_real(lbound(u), u)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    call check_spectrum("r2c", lbound(uh), uh, 0, .true.)
    if (size(uh) > 0) call check(ubound(uh, 1) <= n(1) / 2 + 1, "the first axis is halved")
    call subx_fft_plan_get_frequencies(plan, 2, frequencies)
    do j = 1, int(shape(2))
      i = int(start(2)) + j - 2
      call check(frequencies(j) == merge(i, i - n(2), i <= n(2) / 2), "frequencies of axis 2")
    end do
    call subx_fft_plan_free(plan)
  end subroutine

  subroutine test_single()
    complex(c_float_complex), allocatable :: u(:,:,:), uh(:,:,:)
    complex(c_double_complex), allocatable :: whole(:,:,:)
    type(subx_fft_problem) :: problem
    type(subx_fft_plan) :: plan

    call subx_fft_problem_create([SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_C2C], n, problem)
    call subx_fft_problem_set_precision(problem, SUBX_FFT_FLOAT)
    call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, MPI_INFO_NULL, plan)
    call subx_fft_problem_free(problem)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    allocate(whole(size(u, 1), size(u, 2), size(u, 3)))
    call fill(lbound(u), whole, 0)
    u = cmplx(whole, kind=c_float_complex)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    whole = uh
    call check_spectrum("c2c in single precision", lbound(uh), whole, 0, .false., error=1d-4)
    call subx_fft_plan_free(plan)
  end subroutine

  ! In place and padded: two pointers point to the same memory. The real array has a gap after each u(:,j,k).
  subroutine test_in_place()
    real(c_double), pointer :: u(:,:,:)
    complex(c_double_complex), pointer :: uh(:,:,:)
    real(c_double), allocatable :: whole(:,:,:)
    type(c_ptr) :: memory
    type(subx_fft_problem) :: problem
    type(subx_fft_plan) :: plan
    integer :: ierror

    call subx_fft_problem_create([SUBX_FFT_R2C, SUBX_FFT_C2C, SUBX_FFT_C2C], n, problem)
    call subx_fft_problem_set_padded(problem, .true.)
    call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, MPI_INFO_NULL, plan)
    call subx_fft_problem_free(problem)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, whole, ierror)
    if (ierror /= MPI_SUCCESS) &
      call check(subx_error_get_kind(ierror) == SUBX_ERR_UNAVAILABLE, "a padded side is not allocatable")
    call subx_fft_plan_allocate(plan, memory)
    call subx_fft_plan_get_array(plan, SUBX_FFT_PHYSICAL, memory, u)
    call subx_fft_plan_get_array(plan, SUBX_FFT_SPECTRAL, memory, uh)
    if (size(u) > 1 .and. size(u, 2) > 1) call check(.not. is_contiguous(u), "a padded array has gaps")
    call fill_real(lbound(u), u)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    call check_spectrum("in place", lbound(uh), uh, 0, .true.)
    call subx_fft_plan_free(plan)
    call subx_fft_free(memory)
    call check(.not. c_associated(memory), "freed memory")
  end subroutine

  ! Two fields: first stored one after the other, then interleaved.
  subroutine test_fields()
    complex(c_double_complex), allocatable :: u(:,:,:,:), uh(:,:,:,:)
    type(subx_fft_problem) :: problem
    type(subx_fft_plan) :: plan
    logical :: interleaved, found
    integer :: at(4), c, howmany, pass

    do pass = 1, 2
      interleaved = pass == 2
      call subx_fft_problem_create([SUBX_FFT_C2C, SUBX_FFT_C2C, SUBX_FFT_C2C], n, problem)
      call subx_fft_problem_set_batch(problem, 2, interleaved)
      call subx_fft_problem_get_batch(problem, howmany, found)
      call check(howmany == 2 .and. (found .eqv. interleaved), "the number of fields")
      call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, MPI_INFO_NULL, plan)
      call subx_fft_problem_free(problem)
      call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
      call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
      at = lbound(u)
      do c = 1, 2
        if (interleaved) call fill(at(2:4), u(c, :, :, :), c)
        if (.not. interleaved) call fill(at(1:3), u(:, :, :, c), c)
      end do
      call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
      at = lbound(uh)
      do c = 1, 2
        if (interleaved) call check_spectrum("interleaved fields", at(2:4), uh(c, :, :, :), c, .false.)
        if (.not. interleaved) call check_spectrum("fields", at(1:3), uh(:, :, :, c), c, .false.)
      end do
      call subx_fft_plan_free(plan)
    end do
  end subroutine

  ! An array of two columns: on 3 and 4 ranks some ranks have no data. Then a transform of one axis on several ranks.
  subroutine test_no_data()
    complex(c_double_complex), allocatable :: u(:,:), uh(:,:), line(:), spectrum(:)
    type(subx_fft_plan) :: plan
    integer :: i

    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, [5, 2], MPI_INFO_NULL, plan)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    u = 1
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    if (size(uh) > 0) then
      if (lbound(uh, 1) == 1 .and. lbound(uh, 2) == 1) then
        call check(abs(uh(1, 1) - 10) < tolerance, "the mean of 5 x 2")
        uh(1, 1) = 0
      end if
      call check(all(abs(uh) < tolerance), "nothing but the mean")
    end if
    call subx_fft_plan_free(plan)

    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_C2C, [24], MPI_INFO_NULL, plan)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, line)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, spectrum)
    line = [(exp(cmplx(0d0, 2 * pi * 5 * (i - 1) / 24, c_double_complex)), i = lbound(line, 1), ubound(line, 1))]
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, line, spectrum)
    do i = lbound(spectrum, 1), ubound(spectrum, 1)
      call check(abs(spectrum(i) - merge(24, 0, i == 6)) < 24 * tolerance, "a single wave of one axis")
    end do
    call subx_fft_plan_free(plan)
  end subroutine

  ! Getters must return what setters have set. In the text the axes have the order of C.
  subroutine test_problem()
    type(subx_fft_problem) :: problem, other
    character(:), allocatable :: text
    integer :: sizes(3), ndims, kinds(3), modes(3), points(3), ierror, room(2)
    logical :: equal

    call subx_fft_problem_create([SUBX_FFT_R2C, SUBX_FFT_NONE, SUBX_FFT_DCT2], [40, 48, 64], problem)
    call subx_fft_problem_print(problem, text)
    call check(text == "dct2,-,r2c:64x48x40", "the text is "//text)
    call subx_fft_problem_parse("dct2,-,r2c:64x48x40  ", other)
    call subx_fft_problem_query_equal(problem, other, equal)
    call check(equal, "a problem is equal to its text")
    call subx_fft_problem_set_modes(problem, [20, 48, 60])
    call subx_fft_problem_get(problem, ndims=ndims, kinds=kinds, sizes=sizes, modes=modes, points=points)
    call check(ndims == 3 .and. all(kinds == [SUBX_FFT_R2C, SUBX_FFT_NONE, SUBX_FFT_DCT2]), "kinds")
    call check(all(sizes == [40, 48, 64]) .and. all(modes == [20, 48, 60]) .and. all(points == sizes), "lengths")
    call subx_fft_problem_query_equal(problem, other, equal)
    call check(.not. equal, "other modes")
    call subx_fft_problem_set_modes(problem, [20, 48], ierror)
    call check(subx_error_get_kind(ierror) == SUBX_ERR_NDIMS, "two lengths of three")
    call subx_fft_problem_get(problem, room, ierror=ierror)
    call check(subx_error_get_kind(ierror) == SUBX_ERR_TRUNCATE, "room for two lengths of three")
    call subx_fft_problem_set_order(problem, SUBX_FFT_SPECTRAL, [3, 1, 2])
    call subx_fft_problem_print(problem, text)
    call check(index(text, "/spectral-order=0,2,1") > 0, "the order in the text is "//text)
    call subx_fft_problem_free(problem)
    call subx_fft_problem_free(other)
  end subroutine

  ! The derivative along the first axis, by the library and by a procedure; a convolution with a table.
  subroutine test_operations()
    real(c_double), allocatable :: u(:,:,:), du(:,:,:)
    complex(c_double_complex), allocatable, target :: uh(:,:,:), by_procedure(:,:,:)
    type(subx_fft_problem) :: problem
    type(subx_fft_plan) :: plan
    type(subx_fft_operation) :: operation
    type(MPI_Info) :: info
    type(c_funptr) :: procedure
    real(c_double), target :: factor
    integer :: i

    call subx_fft_problem_create([SUBX_FFT_R2C, SUBX_FFT_C2C, SUBX_FFT_C2C], n, problem)
    call subx_fft_problem_set_operation(problem, .true.)
    info = hints("subx_scaling", "forward")
    call subx_fft_plan_create_problem(MPI_COMM_WORLD, problem, info, plan)
    call MPI_Info_free(info)
    call subx_fft_problem_free(problem)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, du)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, by_procedure)
    do i = lbound(u, 1), ubound(u, 1)
      u(i, :, :) = sin(2 * pi * 2 * (i - 1) / n(1))
    end do
    call subx_fft_operation_create_derivative(plan, [1, 0, 0], operation, [1d0, 2d0, 3d0])
    call subx_fft_execute_convolution(plan, u, du, operation)
    u = -u
    call subx_fft_start_convolution(plan, u, u, operation)
    call subx_fft_wait(plan)
    call check(all(abs(u + du) < 1d-11), "a convolution that was started, in place")
    call subx_fft_start_operation(plan, SUBX_FFT_FORWARD, du, uh, operation)
    call subx_fft_wait(plan)
    call subx_fft_execute_operation(plan, SUBX_FFT_FORWARD, du, by_procedure, operation)
    call check(all(abs(uh - by_procedure) < tolerance), "an operation that was started")
    call subx_fft_operation_free(operation)
    do i = lbound(du, 1), ubound(du, 1)
      call check(all(abs(du(i, :, :) - 4 * pi * cos(2 * pi * 2 * (i - 1) / n(1))) < 1d-11), "the derivative")
    end do

    factor = 3
    procedure = c_funloc(multiply)
    call subx_fft_operation_create_function(plan, procedure, c_loc(factor), operation)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh)
    call subx_fft_execute_operation(plan, SUBX_FFT_FORWARD, u, by_procedure, operation)
    call subx_fft_operation_free(operation)
    call check(operation == SUBX_FFT_OPERATION_NULL, "a freed operation")
    call check(all(abs(by_procedure - expected(uh, lbound(uh))) < tolerance), "an operation by a procedure")

    call subx_fft_operation_create_table(plan, by_procedure, .false., operation)
    by_procedure = 2
    call subx_fft_execute_convolution(plan, u, du, operation)
    call check(all(abs(du - 2 * u) < tolerance), "a convolution with a table")
    call subx_fft_operation_free(operation)
    call subx_fft_plan_free(plan)
  end subroutine

  function expected(uh, start)
    integer, intent(in) :: start(3)
    complex(c_double_complex), intent(in) :: uh(start(1):, start(2):, start(3):)
    complex(c_double_complex) :: expected(size(uh, 1), size(uh, 2), size(uh, 3))
    integer :: i, j, k
    do concurrent (i = 1:size(uh, 1), j = 1:size(uh, 2), k = 1:size(uh, 3))
      expected(i, j, k) = weight(start(1) + i - 1, start(2) + j - 1, start(3) + k - 1) &
        * uh(start(1) + i - 1, start(2) + j - 1, start(3) + k - 1)
    end do
  end function

  subroutine test_texts()
    type(subx_fft_plan) :: plan
    type(subx_fft_problem) :: problem
    type(MPI_Info) :: info, found
    character(:), allocatable :: text, name
    character(255) :: value
    integer :: g, dims(3), stages, kind
    logical :: is_there
    real(c_double) :: last, total

    info = hints("subx_tune", "strategy stride1")
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [16, 8, 12], info, plan)
    call MPI_Info_free(info)
    call subx_fft_plan_print(plan, text)
    call check(index(text, "r2c:12x8x16") > 0, "the text of a plan")
    call subx_fft_plan_explain(plan, SUBX_FFT_JSON, text)
    call check(index(text, """strategy"": ""stride1""") > 0, "the explanation of a plan")
    call subx_fft_plan_get(plan, g, problem, dims)
    call subx_fft_problem_print(problem, text)
    call check(text == "r2c:12x8x16" .and. product(dims(:g)) == nranks, "the problem and the grid of a plan")
    call subx_fft_plan_get_info(plan, found)
    call MPI_Info_get(found, "subx_tune", len(value), value, is_there)
    call check(is_there .and. index(value, "strategy stride1") > 0, "a hint in effect: "//value)
    call MPI_Info_free(found)
    call subx_fft_plan_get_nstages(plan, SUBX_FFT_FORWARD, stages)
    call subx_fft_plan_get_stage(plan, SUBX_FFT_FORWARD, stages, kind, name, last, total)
    call check(stages > 0 .and. len(name) > 0 .and. last == 0, "the last stage")
    call subx_fft_plan_set_times_zero(plan)
    call subx_fft_query_serial(1, name)
    call check(len(name) > 0, "the first serial backend")
    call subx_fft_query_serial(100, name)
    call check(len(name) == 0, "there are no 100 serial backends")
    call subx_fft_query_hint(1, name, text)
    call check(name(1:5) == "subx_" .and. len(text) > 10, "the first hint")
    call subx_fft_plan_free(plan)
  end subroutine

  ! Wisdom in memory; a file of wisdom that does not exist; calibration, whose text must be equally long on all ranks.
  subroutine test_wisdom()
    type(subx_fft_wisdom) :: wisdom
    type(MPI_Info) :: info
    character(:), allocatable :: text
    integer :: ierror, count, length, shortest
    call subx_fft_wisdom_create(wisdom)
    call subx_fft_wisdom_print(wisdom, text)
    call check(text == "", "no wisdom")
    call subx_fft_wisdom_get_path("/tmp/some wisdom", text)
    call check(text == "/tmp/some wisdom", "the path of wisdom")
    call subx_fft_wisdom_import(wisdom, "/nowhere/wisdom", ierror=ierror)
    call check(subx_error_get_kind(ierror) == SUBX_ERR_FILE, "a file that is not there")
    call subx_fft_wisdom_forget(wisdom, "", count)
    call check(count == 0, "nothing is forgotten")
    call subx_fft_wisdom_free(wisdom)
    call check(wisdom == SUBX_FFT_WISDOM_NULL, "freed wisdom")
    info = hints("subx_wisdom", "none")
    call subx_fft_machine_calibrate(MPI_COMM_WORLD, info, 0.01d0, text)
    call MPI_Info_free(info)
    length = len(text)
    call MPI_Allreduce(length, shortest, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD)
    call check(index(text, "flops ") == 1 .and. length == shortest, "the parameters of the machine")
  end subroutine

  ! Errors are returned in ierror. The text of the error for a wrong hint contains the value. Arrays of another type, rank
  ! or length are refused.
  subroutine test_errors()
    type(subx_fft_plan) :: plan
    real(c_double), allocatable :: u(:,:,:), flat(:)
    complex(c_double_complex), allocatable :: uh(:,:,:)
    complex(c_float_complex), allocatable :: single(:,:,:)
    type(MPI_Info) :: info
    integer :: ierror

    info = hints("subx_tune", "strategy brisk")
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, n, info, plan, ierror)
    call check_error(ierror, SUBX_ERR_HINT, "brisk")
    call check(plan == SUBX_FFT_PLAN_NULL .and. .not. plan /= SUBX_FFT_PLAN_NULL, "a null plan is equal to itself")
    call MPI_Info_free(info)
    info = hints("subx_grid", "7x9")
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, n, info, plan, ierror)
    call check_error(ierror, SUBX_ERR_GRID, 'hint subx_grid is "7x9"; it must have at most 2 dimensions (or 3: bricks)')
    call MPI_Info_free(info)
    call subx_fft_plan_create(MPI_COMM_WORLD, 99, n, MPI_INFO_NULL, plan, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "axis 0 has kind 99, kinds are 0 (SUBX_FFT_NONE) to 14")
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, [integer ::], MPI_INFO_NULL, plan, ierror)
    call check_error(ierror, SUBX_ERR_NDIMS, "")
    call subx_fft_plan_create(MPI_COMM_NULL, SUBX_FFT_R2C, n, MPI_INFO_NULL, plan, ierror)
    call check_error(ierror, SUBX_ERR_COMM, "")

    call subx_fft_plan_create(MPI_COMM_SELF, SUBX_FFT_R2C, n, MPI_INFO_NULL, plan)
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, uh, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "complex(8) of rank 3, the physical side needs real(8) of rank 3")
    call check(.not. allocated(uh), "an array of another type is not allocated")
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, single, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "complex(4) of rank 3, the spectral side needs complex(8)")
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, flat, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "real(8) of rank 1, the physical side needs real(8) of rank 3")
    call subx_fft_plan_allocate(plan, 5, flat, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "the side is 5, it must be 0")
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u)
    call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, uh)
    u = 0
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u(:, :, 2:), uh, ierror)
    call check_error(ierror, SUBX_ERR_TRUNCATE, "the array of the physical side has")
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, u, ierror)
    call check_error(ierror, SUBX_ERR_TRUNCATE, "the array of the spectral side has")
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u(1, 1, 1), uh(1, 1, 1), ierror)
    call check(ierror == MPI_SUCCESS, "arrays by their first elements")
    deallocate(u)
    allocate(u(2 * n(1), n(2), n(3)), source=0d0)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u(::2, :, :), uh, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "the array of the physical side has gaps")
    call subx_fft_execute(plan, 7, u, uh, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "the direction is 7, it must be -1 (SUBX_FFT_FORWARD) or 1")
    call subx_fft_plan_free(plan)
    call subx_fft_execute(plan, SUBX_FFT_FORWARD, u, uh, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "")
    call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u, ierror)
    call check_error(ierror, SUBX_ERR_ARG, "")
  end subroutine
end program
