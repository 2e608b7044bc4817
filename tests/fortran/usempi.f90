! usempi.f90 - modules subx and subx_io, with module mpi: types against MPI's own pack, exchanges, halos, files, errors.
! ranks: 1 2 3 4
module usempi_handler
  use mpi
  implicit none
  integer :: calls = 0, code_of_last = 0

contains

  ! An error handler that counts its calls.
  subroutine note(comm, code)
    integer :: comm, code
    calls = calls + 1
    code_of_last = code
  end subroutine
end module

program usempi
  use, intrinsic :: iso_c_binding
  use mpi
  use usempi_handler
  use subx
  use subx_io
  use subx_c, only: c_block_get => subx_block_get
  use subx_boxes_c, only: c_boxes_add => subx_boxes_add
  implicit none
  integer :: failures = 0, checks = 0, rank, nranks, ierror

  call test_before()
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierror)
  call test_types()
  call test_orders()
  call test_raw()
  call test_grid()
  call test_realign()
  call test_exchange()
  call test_boxes()
  call test_halo()
  call test_memory()
  call test_files()
  call test_errors()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (rank == 0) print "(i0, a, i0, a)", checks, " checks on rank 0, ", failures, " failures on all ranks"
  call MPI_Finalize(ierror)
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

  logical function is_kind(code, kind)
    integer, intent(in) :: code, kind
    is_kind = subx_error_get_kind(code) == kind
  end function

  ! Blocks can be queried before MPI_Init. On 3 ranks, 10 elements are divided into 1-4, 5-7, 8-10.
  subroutine test_before()
    integer :: length, start, owner, major, minor, patch, failed
    integer(SUBX_INDEX_KIND) :: far, at

    call subx_version_get(major, minor, patch)
    call check(major == SUBX_VERSION_MAJOR .and. minor == SUBX_VERSION_MINOR .and. patch == SUBX_VERSION_PATCH, "the version")
    call subx_block_get(10, 3, 1, length, start)
    call check(length == 3 .and. start == 5, "the second block of 10 among 3")
    call subx_block_get_owner(10, 3, 4, owner)
    call check(owner == 0, "the owner of element 4")
    call subx_block_get_owner(10, 3, 5, owner)
    call check(owner == 1, "the owner of element 5")
    call subx_block_get(10_SUBX_INDEX_KIND**12, 3, 1, far, at)
    call check(at == 10_SUBX_INDEX_KIND**12 / 3 + 2, "a start beyond 32 bits")
    call subx_block_get(10, 0, 0, length, start, failed)
    call check(failed /= MPI_SUCCESS, "blocks of no ranks")
  end subroutine

  ! In the default order, our type must pack the same bytes as MPI's own subarray type.
  subroutine test_types()
    integer, parameter :: sizes(3) = [5, 4, 3], subsizes(3) = [3, 2, 3], starts(3) = [2, 3, 1]
    real(c_double) :: a(5, 4, 3), packed(18), by_mpi(18)
    integer(SUBX_INDEX_KIND) :: position, block_bytes
    integer :: ours, theirs, i, at, ndims, found(3), sub(3), first(3), order(3), element, n(3), stride(3), offset
    logical :: is_so
    character(:), allocatable :: text

    a = reshape([(i, i = 1, 60)], [5, 4, 3])
    call subx_type_create_subarray(sizes, subsizes, starts, MPI_DOUBLE_PRECISION, ours)
    call MPI_Type_commit(ours, ierror)
    call MPI_Type_create_subarray(3, sizes, subsizes, starts - 1, MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, theirs, ierror)
    call MPI_Type_commit(theirs, ierror)
    at = 0
    call MPI_Pack(a, 1, theirs, by_mpi, 144, at, MPI_COMM_WORLD, ierror)
    at = 0
    call MPI_Pack(a, 1, ours, packed, 144, at, MPI_COMM_WORLD, ierror)
    call check(all(packed == by_mpi), "MPI packs our type as its own")
    packed = 0
    position = 0
    call subx_type_pack(a, 1_SUBX_INDEX_KIND, theirs, packed, 144_SUBX_INDEX_KIND, position)
    call check(all(packed == by_mpi) .and. position == 144, "we pack MPI's type as MPI does")
    call subx_type_query_match(ours, theirs, is_so, i, element, found(1))
    call check(is_so .and. i == 0, "equal signatures")
    call subx_type_query_fileview(ours, is_so)
    call check(is_so, "a type for a file")
    call subx_type_get_subarray(theirs, ndims, found, sub, first, element, order)
    call check(ndims == 3 .and. all(found == sizes) .and. all(sub == subsizes) .and. all(first == starts) .and. &
      all(order == [1, 2, 3]) .and. element == MPI_DOUBLE_PRECISION, "what made MPI's type")
    call subx_type_get_layout(ours, ndims, n, stride, block_bytes, offset)
    call check(ndims == 2 .and. block_bytes == 24 .and. offset == 8 * (1 + 5 * 2), "the layout")
    call check(all(n(:2) == [2, 3]) .and. all(stride(:2) == [40, 160]), "lengths and strides, innermost first")
    call subx_type_print(ours, text)
    call check(len(text) > 20, "the text of a type")
    call MPI_Type_free(theirs, ierror)
    found = sizes(3:1:-1)
    sub = subsizes(3:1:-1)
    first = starts(3:1:-1) - 1
    call MPI_Type_create_subarray(3, found, sub, first, MPI_ORDER_C, MPI_DOUBLE_PRECISION, theirs, ierror)
    call subx_type_get_subarray(theirs, ndims, found, sub, first, element, order)
    call check(all(found == sizes) .and. all(sub == subsizes) .and. all(first == starts) .and. all(order == [1, 2, 3]), &
      "a type in C's order as the array that Fortran sees")
    call MPI_Type_free(theirs, ierror)
    call MPI_Type_free(ours, ierror)
  end subroutine

  ! In another order, our type has the same elements as MPI's, but another axis varies fastest.
  subroutine test_orders()
    integer, parameter :: orders(3, 3) = reshape([2, 3, 1, 3, 1, 2, 2, 1, 3], [3, 3])
    integer, parameter :: shape(3) = [4, 3, 2]
    integer(SUBX_INDEX_KIND), parameter :: sizes(3) = shape, ones(3) = 1
    integer :: a(4, 3, 2), packed(24), place_of(3), i, o, type, place

    a = reshape([(i, i = 1, 24)], shape)
    do o = 1, 3
      place_of(orders(:, o)) = [1, 2, 3]
      call subx_type_create_subarray(sizes, sizes, ones, MPI_INTEGER, type, orders(:, o))
      call MPI_Type_commit(type, ierror)
      place = 0
      call MPI_Pack(a, 1, type, packed, 96, place, MPI_COMM_WORLD, ierror)
      call check(all(packed == [reshape(a, shape(orders(:, o)), order=place_of)]), "a type in another order")
      call MPI_Type_free(type, ierror)
    end do
    call subx_type_create_subarray(shape, shape, [1, 1, 1], MPI_INTEGER, type, [1, 2, 4], ierror)
    call check(is_kind(ierror, SUBX_ERR_ORDER) .and. type == MPI_DATATYPE_NULL, "a wrong order")
    call subx_type_create_subarray(shape, shape, [1, 1], MPI_INTEGER, type, ierror=ierror)
    call check(is_kind(ierror, SUBX_ERR_NDIMS), "lists of two lengths")
    call subx_type_create_subarray(shape, shape, [0, 1, 1], MPI_INTEGER, type, ierror=ierror)
    call check(is_kind(ierror, SUBX_ERR_SIZE), "a start of 0")
  end subroutine

  ! In the raw layer, indices begin at 0, and the axes have the order of C.
  subroutine test_raw()
    integer(c_ptrdiff_t) :: length, start
    type(subx_boxes) :: boxes
    integer :: first(2), lengths(2), count
    call check(c_block_get(10_c_ptrdiff_t, 3, 1, length, start) == MPI_SUCCESS .and. length == 3 .and. start == 4, "a raw block")
    call subx_boxes_create([7, 9], boxes)
    call check(c_boxes_add(boxes, [2_c_ptrdiff_t, 0_c_ptrdiff_t], [4_c_ptrdiff_t, 5_c_ptrdiff_t]) == MPI_SUCCESS, "a raw box")
    call subx_boxes_get_box(boxes, 1, first, lengths)
    call check(all(first == [1, 3]) .and. all(lengths == [5, 4]), "a raw box in the friendly layer")
    call subx_boxes_get(boxes, lengths, count=count)
    call check(all(lengths == [7, 9]) .and. count == 1, "the array of boxes")
    call subx_boxes_free(boxes)
  end subroutine

  ! The first dimension of the grid varies fastest with the rank.
  subroutine test_grid()
    type(subx_grid) :: grid
    integer :: dims(2), g, found(2), coords(2), comm, size, number

    dims = 0
    call subx_grid_get_dims(nranks, [64, 48, 40], dims)
    call check(product(dims) == nranks, "dimensions of a grid")
    dims = [0, 1]
    call subx_grid_get_dims(nranks, [64, 48, 40], dims)
    call check(dims(1) == nranks, "a dimension that is given")
    dims = merge([2, 2], [1, nranks], nranks == 4)
    call subx_grid_create(MPI_COMM_WORLD, dims, grid)
    call subx_grid_get(grid, g, found, coords)
    call check(g == 2 .and. all(found == dims) .and. rank == coords(1) + dims(1) * coords(2), "the place in the grid")
    call subx_grid_get_comm(grid, 2, comm)
    call MPI_Comm_size(comm, size, ierror)
    call MPI_Comm_rank(comm, number, ierror)
    call check(size == dims(2) .and. number == coords(2), "the ranks along the second dimension")
    call subx_grid_get_comm(grid, 0, comm)
    call MPI_Comm_size(comm, size, ierror)
    call check(size == nranks, "all ranks of the grid")
    call subx_grid_get_comm(grid, 3, comm, ierror)
    call check(is_kind(ierror, SUBX_ERR_ARG), "a third dimension of two")
    call subx_grid_free(grid)
    call check(grid == SUBX_GRID_NULL, "a freed grid")
  end subroutine

  ! The value of element (i,j,k) of a global array in the tests below.
  elemental integer function element(i, j, k)
    integer, intent(in) :: i, j, k
    element = i + 100 * j + 10000 * k
  end function

  ! Axis 1 is whole before the exchange, axis 3 is whole after it, and the order in memory changes.
  subroutine test_realign()
    integer, parameter :: n(3) = [5, 3, 7]
    integer, allocatable :: a(:,:,:), b(:,:,:)
    type(subx_exch) :: ex
    integer :: len3, start3, len1, start1, i, j, k
    character(:), allocatable :: engine
    integer(SUBX_INDEX_KIND) :: bytes
    logical :: flag

    call subx_block_get(n(3), nranks, rank, len3, start3)
    call subx_block_get(n(1), nranks, rank, len1, start1)
    allocate(a(n(1), n(2), start3:start3 + len3 - 1), b(n(3), start1:start1 + len1 - 1, n(2)))
    do concurrent (i = 1:n(1), j = 1:n(2), k = start3:start3 + len3 - 1)
      a(i, j, k) = element(i, j, k)
    end do
    b = 0
    call subx_exch_create_realign(MPI_COMM_WORLD, n, 1, 3, MPI_INTEGER, MPI_INFO_NULL, ex, rorder=[3, 1, 2])
    call subx_exch_get(ex, engine, send_bytes=bytes)
    call check(len(engine) > 0 .and. bytes == 4 * size(a), "what is known of an exchange")
    call subx_exch_execute(ex, a, b)
    do concurrent (i = start1:start1 + len1 - 1, j = 1:n(2), k = 1:n(3))
      b(k, i, j) = b(k, i, j) - element(i, j, k)
    end do
    call check(all(b == 0), "an array that was realigned")
    call subx_exch_start(ex, a, b)
    call subx_exch_test(ex, flag)
    call subx_exch_wait(ex)
    if (size(b) > 0) call check(b(1, start1, 1) == element(start1, 1, 1), "an exchange that was started")
    call subx_exch_wait(ex, ierror)
    call check(is_kind(ierror, SUBX_ERR_ACTIVE), "an exchange that was not started")
    call subx_exch_free(ex)
    call subx_exch_create_realign(MPI_COMM_WORLD, n, 1, 4, MPI_INTEGER, MPI_INFO_NULL, ex, ierror=ierror)
    call check(is_kind(ierror, SUBX_ERR_ARG), "a fourth axis of three")
  end subroutine

  ! An exchange with a type for each rank: rank q gets element q + 1 of each rank r, and stores it as element r + 1, counted
  ! from the end of its array.
  subroutine test_exchange()
    integer :: stype(0:nranks - 1), rtype(0:nranks - 1), a(nranks), b(nranks), q, info
    type(subx_exch) :: ex
    character(64) :: value
    logical :: flag
    do q = 0, nranks - 1
      call subx_type_create_subarray([nranks], [1], [q + 1], MPI_INTEGER, stype(q))
      call subx_type_create_subarray([nranks], [1], [nranks - q], MPI_INTEGER, rtype(q))
    end do
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, "subx_engine", "types", ierror)
    call subx_exch_create(MPI_COMM_WORLD, stype, rtype, info, ex)
    call MPI_Info_free(info, ierror)
    call subx_exch_get_info(ex, info)
    call MPI_Info_get(info, "subx_engine", len(value), value, flag, ierror)
    call check(flag .and. value == "types", "the hints of an exchange")
    call MPI_Info_free(info, ierror)
    do q = 0, nranks - 1
      call MPI_Type_free(stype(q), ierror)
      call MPI_Type_free(rtype(q), ierror)
      a(q + 1) = 10 * rank + q
    end do
    call subx_exch_execute(ex, a, b)
    call check(all(b == [(10 * q + rank, q = nranks - 1, 0, -1)]), "an exchange of types")
    call subx_exch_free(ex)
  end subroutine

  ! Move blocks of columns to blocks of rows, whose order in memory is the opposite. Before the exchange, every second rank
  ! has no data.
  subroutine test_boxes()
    integer, parameter :: n(2) = [6, 5]
    integer, allocatable :: a(:,:), b(:,:)
    type(subx_boxes) :: held, wanted
    type(subx_exch) :: ex
    integer :: holders, lens(2), starts(2), i, j

    holders = (nranks + 1) / 2
    lens(2) = 0
    starts(2) = 1
    if (modulo(rank, 2) == 0) call subx_block_get(n(2), holders, rank / 2, lens(2), starts(2))
    call subx_block_get(n(1), nranks, rank, lens(1), starts(1))
    allocate(a(n(1), starts(2):starts(2) + lens(2) - 1), b(n(2), starts(1):starts(1) + lens(1) - 1))
    do concurrent (i = 1:n(1), j = starts(2):starts(2) + lens(2) - 1)
      a(i, j) = element(i, j, 0)
    end do
    call subx_boxes_create(n, held)
    call subx_boxes_add(held, [1, starts(2)], [n(1), lens(2)])
    call subx_boxes_create(n, wanted)
    call subx_boxes_add_ordered(wanted, [starts(1), 1], [lens(1), n(2)], [2, 1])
    call subx_boxes_check(MPI_COMM_WORLD, held, .true.)
    call subx_exch_create_boxes(MPI_COMM_WORLD, held, wanted, MPI_INTEGER, MPI_INFO_NULL, ex)
    call subx_exch_execute(ex, a, b)
    do concurrent (i = starts(1):starts(1) + lens(1) - 1, j = 1:n(2))
      b(j, i) = b(j, i) - element(i, j, 0)
    end do
    call check(all(b == 0), "boxes that were redistributed")
    call subx_exch_free(ex)
    call subx_boxes_add(held, [1, 1], [2, 2])
    call subx_boxes_check(MPI_COMM_WORLD, held, .true., ierror)
    call check(is_kind(ierror, SUBX_ERR_OVERLAP), "boxes that overlap")
    call subx_boxes_add(held, [1], [2], ierror)
    call check(is_kind(ierror, SUBX_ERR_NDIMS), "a box of one axis for two")
    call subx_boxes_add(held, [6, 1], [2, 1], ierror)
    call check(is_kind(ierror, SUBX_ERR_SIZE), "a box that leaves the array")
    call subx_boxes_free(held)
    call subx_boxes_free(wanted)
  end subroutine

  ! Axis 2 is periodic, with one halo cell below and two above. Axis 1 has no halo.
  subroutine test_halo()
    integer, parameter :: n(2) = [3, 8]
    integer, allocatable :: a(:,:)
    type(subx_halo) :: halo
    integer :: length, start, i, j

    call subx_block_get(n(2), nranks, rank, length, start)
    allocate(a(n(1), start - 1:start + length + 1))
    a = -1
    do concurrent (i = 1:n(1), j = start:start + length - 1)
      a(i, j) = element(i, j, 0)
    end do
    call subx_halo_create(MPI_COMM_WORLD, n, [1, start], [n(1), length], [0, 1], [0, 2], MPI_INTEGER, MPI_INFO_NULL, halo, &
      periodic=[.false., .true.])
    call subx_halo_execute(halo, a)
    do concurrent (i = 1:n(1), j = lbound(a, 2):ubound(a, 2))
      a(i, j) = a(i, j) - element(i, modulo(j - 1, n(2)) + 1, 0)
    end do
    call check(all(a == 0), "ghost cells")
    call subx_halo_free(halo)
  end subroutine

  subroutine test_memory()
    type(c_ptr) :: memory
    real(c_double), pointer :: a(:)
    character(16) :: value
    logical :: flag
    integer :: info
    call subx_mem_alloc(MPI_COMM_WORLD, 80_SUBX_INDEX_KIND, MPI_INFO_NULL, memory)
    call c_f_pointer(memory, a, [10])
    a = 1
    call subx_mem_get_info(memory, info)
    call MPI_Info_get(info, "subx_sharing", len(value), value, flag, ierror)
    call check(flag .and. (value == "yes" .or. value == "alone" .or. value == "no"), "shared memory")
    call MPI_Info_free(info, ierror)
    call subx_mem_free(memory)
    call check(.not. c_associated(memory), "freed memory")
  end subroutine

  ! Write columns, then read rows. The raw file has the elements in the order of a Fortran array.
  subroutine test_files()
    integer, parameter :: n(2) = [5, 6]
    real(c_double), allocatable :: a(:,:), b(:,:)
    real(c_double) :: whole(5, 6)
    integer :: length(2), start(2), found(2), i, j, ndims, storage, type, unit
    character(24) :: process
    character(200) :: room
    integer(SUBX_INDEX_KIND) :: ticks
    character(:), allocatable :: name, path

    call get_environment_variable("TMPDIR", room)
    if (room == "") room = "/tmp"
    call system_clock(ticks)
    write (process, "(i0)") ticks
    name = trim(room)//"/subx-fortran-"//trim(process)
    call share(name)
    do i = 1, 2
      call subx_block_get(n(i), nranks, rank, length(i), start(i))
    end do
    allocate(a(n(1), start(2):start(2) + length(2) - 1), b(n(2), start(1):start(1) + length(1) - 1))
    do concurrent (i = 1:n(1), j = start(2):start(2) + length(2) - 1)
      a(i, j) = element(i, j, 0)
    end do
    path = name//".raw"
    call subx_file_query_writable(MPI_COMM_WORLD, path, MPI_INFO_NULL)
    call subx_file_write(MPI_COMM_WORLD, path, n, [n(1), length(2)], [1, start(2)], MPI_DOUBLE_PRECISION, a, MPI_INFO_NULL)
    if (rank == 0) then
      open (newunit=unit, file=path, access="stream", form="unformatted", status="old")
      read (unit) whole
      close (unit, status="delete")
      do concurrent (i = 1:n(1), j = 1:n(2))
        whole(i, j) = whole(i, j) - element(i, j, 0)
      end do
      call check(all(whole == 0), "a raw file")
    end if
    path = name//".npy"
    call subx_file_write(MPI_COMM_WORLD, path, n, [n(1), length(2)], [1, start(2)], MPI_DOUBLE_PRECISION, a, MPI_INFO_NULL)
    call subx_file_get(MPI_COMM_WORLD, path, MPI_INFO_NULL, found, type, ndims, storage)
    call check(ndims == 2 .and. all(found == n) .and. storage == MPI_ORDER_FORTRAN, "what a file has")
    call subx_file_read(MPI_COMM_WORLD, path, n, [length(1), n(2)], [start(1), 1], MPI_DOUBLE_PRECISION, b, MPI_INFO_NULL, &
      order=[2, 1])
    do concurrent (i = start(1):start(1) + length(1) - 1, j = 1:n(2))
      b(j, i) = b(j, i) - element(i, j, 0)
    end do
    call check(all(b == 0), "a file that was read with other boxes in another order")
    call subx_file_read(MPI_COMM_WORLD, path, [n(2), n(1)], [0, 0], [1, 1], MPI_DOUBLE_PRECISION, b, MPI_INFO_NULL, ierror=ierror)
    call check(is_kind(ierror, SUBX_ERR_FILE_ARRAY), "a file of other sizes")
    call subx_file_write(MPI_COMM_WORLD, path, n, [n(1), length(2)], [1, start(2)], MPI_DOUBLE_PRECISION, a(::2, :), &
      MPI_INFO_NULL, ierror=ierror)
    call check(ierror /= MPI_SUCCESS, "an array with gaps is not written")
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 0) then
      open (newunit=unit, file=path)
      close (unit, status="delete")
    end if
    call subx_file_query_format(1, name)
    call check(len(name) > 0, "the first format")
  end subroutine

  ! Give rank 0's text to all ranks.
  subroutine share(text)
    character(:), allocatable, intent(inout) :: text
    character(256) :: room
    room = text
    call MPI_Bcast(room, 256, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
    text = trim(room)
  end subroutine

  ! Without ierror, an error calls the error handler of the communicator. Calls without a communicator use the handler of
  ! MPI_COMM_WORLD.
  subroutine test_errors()
    integer :: handler, comm, length
    type(subx_exch) :: ex
    type(subx_boxes) :: boxes

    call MPI_Comm_create_errhandler(note, handler, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_errhandler(comm, handler, ierror)
    call subx_exch_create_boxes(comm, SUBX_BOXES_NULL, SUBX_BOXES_NULL, MPI_INTEGER, MPI_INFO_NULL, ex)
    call check(calls == 1 .and. is_kind(code_of_last, SUBX_ERR_ARG), "the handler of a communicator")
    call check(ex == SUBX_EXCH_NULL, "no exchange after an error")
    call subx_exch_create_boxes(comm, SUBX_BOXES_NULL, SUBX_BOXES_NULL, MPI_INTEGER, MPI_INFO_NULL, ex, ierror)
    call check(calls == 1 .and. is_kind(ierror, SUBX_ERR_ARG), "ierror, and no handler")
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierror)
    call subx_boxes_create([-1], boxes)
    call check(calls == 2 .and. is_kind(code_of_last, SUBX_ERR_SIZE), "the handler of MPI_COMM_WORLD")
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    length = -1
    call subx_boxes_create([length], boxes)
    call check(boxes == SUBX_BOXES_NULL, "an error that nobody asks for")
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Errhandler_free(handler, ierror)
  end subroutine
end program
