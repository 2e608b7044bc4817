! navier_stokes.f90 - a pseudo-spectral Navier-Stokes solver, run on the Taylor-Green vortex.
!
! In the periodic box (0,Lx) x (0,Ly) x (0,Lz) the velocity u obeys, in rotational form,
!
!     du/dt = u x (curl u) - grad P + nu laplace u,    div u = 0.
!
! Derivatives are computed on the spectral side, where a derivative is a product with i times the wavenumber k. The cross
! product is computed on the physical side. The pressure P removes the part of the right-hand side along k (Canuto, Hussaini,
! Quarteroni & Zang 1988, chapter 7). Time advances with the classical Runge-Kutta method. There is no dealiasing.
! 05_navier_stokes.c is the same program in C.
!
! mpifort navier_stokes.f90 $(pkg-config --cflags --libs subx_fortran) -o navier_stokes
! mpirun -n 4 ./navier_stokes
!
! It runs on any number of ranks; make check takes these ranks: 1 3
!
! The program compares the kinetic energy at the end with a published number.
module solver
  use mpi_f08
  use subx_fft
  implicit none
  integer, parameter :: dp = kind(1d0), n(3) = 64
  real(dp), parameter :: pi = acos(-1d0), length(3) = [2 * pi, 4 * pi, 4 * pi]
  real(dp), parameter :: nu = 0.000625_dp, dt = 0.01_dp, end_time = 0.1_dp

  ! The kinetic energy at time 0.1 in the test of the spectral solver that comes with mpi4py-fft. There, too, the first axis
  ! has length 2 pi. But here, in contrast to that solver, the first axis is contiguous, and transforms halve it.
  real(dp), parameter :: published_energy = 0.124953117517_dp

  type real_field
    real(dp), allocatable :: at(:,:,:)
  end type
  type complex_field
    complex(dp), allocatable :: at(:,:,:)
  end type
  type wavenumbers
    real(dp), allocatable :: at(:)
  end type

  type(subx_fft_plan) :: plan
  type(real_field) :: u(3), curl(3) ! velocity; its curl, later u x curl
  type(complex_field) :: u_hat(3)   ! the state: Fourier coefficients of the velocity
  type(complex_field) :: total(3), stage(3), rhs(3)
  type(wavenumbers) :: k(3)         ! for each axis, the wavenumbers of this rank's modes

contains

  subroutine create()
    type(MPI_Info) :: hints
    integer :: c

    call MPI_Info_create(hints)
    call MPI_Info_set(hints, "subx_scaling", "forward") ! u_hat are then Fourier coefficients
    call subx_fft_plan_create(MPI_COMM_WORLD, SUBX_FFT_R2C, n, hints, plan)
    call MPI_Info_free(hints)
    do c = 1, 3
      call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, u(c)%at)
      call subx_fft_plan_allocate(plan, SUBX_FFT_PHYSICAL, curl(c)%at)
      call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, u_hat(c)%at)
      call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, total(c)%at)
      call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, stage(c)%at)
      call subx_fft_plan_allocate(plan, SUBX_FFT_SPECTRAL, rhs(c)%at)
    end do
    call set_wavenumbers()
    call set_initial_velocity()
  end subroutine

  subroutine set_wavenumbers()
    integer, allocatable :: frequencies(:)
    integer :: axis

    do axis = 1, 3
      allocate(frequencies(size(u_hat(1)%at, axis)))
      call subx_fft_plan_get_frequencies(plan, axis, frequencies)
      allocate(k(axis)%at(lbound(u_hat(1)%at, axis):ubound(u_hat(1)%at, axis)))
      k(axis)%at(:) = 2 * pi / length(axis) * frequencies
      deallocate(frequencies)
    end do
  end subroutine

  subroutine set_initial_velocity()
    real(dp) :: x(3)
    integer :: i, j, l, c

    do l = lbound(u(1)%at, 3), ubound(u(1)%at, 3)
      do j = lbound(u(1)%at, 2), ubound(u(1)%at, 2)
        do i = lbound(u(1)%at, 1), ubound(u(1)%at, 1)
          x = length * ([i, j, l] - 1) / n
          u(1)%at(i, j, l) = sin(x(1)) * cos(x(2)) * cos(x(3))
          u(2)%at(i, j, l) = -cos(x(1)) * sin(x(2)) * cos(x(3))
          u(3)%at(i, j, l) = 0
        end do
      end do
    end do
    do c = 1, 3
      call subx_fft_execute(plan, SUBX_FFT_FORWARD, u(c)%at, u_hat(c)%at)
    end do
  end subroutine

  ! The wavenumber of a mode.
  pure function wavenumber(i, j, l)
    integer, intent(in) :: i, j, l
    real(dp) :: wavenumber(3)
    wavenumber = [k(1)%at(i), k(2)%at(j), k(3)%at(l)]
  end function

  ! The curl of v, i k x v, on the physical side; rhs(1) is work space.
  subroutine compute_curl(v)
    type(complex_field), intent(in) :: v(3)
    real(dp) :: w(3)
    integer :: a, b, c, i, j, l

    do c = 1, 3
      a = modulo(c, 3) + 1
      b = modulo(c + 1, 3) + 1
      do l = lbound(rhs(1)%at, 3), ubound(rhs(1)%at, 3)
        do j = lbound(rhs(1)%at, 2), ubound(rhs(1)%at, 2)
          do i = lbound(rhs(1)%at, 1), ubound(rhs(1)%at, 1)
            w = wavenumber(i, j, l)
            rhs(1)%at(i, j, l) = (0, 1) * (w(a) * v(b)%at(i, j, l) - w(b) * v(a)%at(i, j, l))
          end do
        end do
      end do
      call subx_fft_execute(plan, SUBX_FFT_BACKWARD, rhs(1)%at, curl(c)%at)
    end do
  end subroutine

  ! Replace the curl by u x curl.
  subroutine cross_with_velocity()
    real(dp) :: a(3), w(3)
    integer :: i, j, l

    do l = lbound(u(1)%at, 3), ubound(u(1)%at, 3)
      do j = lbound(u(1)%at, 2), ubound(u(1)%at, 2)
        do i = lbound(u(1)%at, 1), ubound(u(1)%at, 1)
          a = [u(1)%at(i, j, l), u(2)%at(i, j, l), u(3)%at(i, j, l)]
          w = [curl(1)%at(i, j, l), curl(2)%at(i, j, l), curl(3)%at(i, j, l)]
          curl(1)%at(i, j, l) = a(2) * w(3) - a(3) * w(2)
          curl(2)%at(i, j, l) = a(3) * w(1) - a(1) * w(3)
          curl(3)%at(i, j, l) = a(1) * w(2) - a(2) * w(1)
        end do
      end do
    end do
  end subroutine

  ! Add the pressure, which removes the part of the right-hand side along k, and the viscous term.
  subroutine add_pressure_and_viscosity(v)
    type(complex_field), intent(in) :: v(3)
    real(dp) :: w(3)
    complex(dp) :: pressure
    integer :: c, i, j, l

    do l = lbound(rhs(1)%at, 3), ubound(rhs(1)%at, 3)
      do j = lbound(rhs(1)%at, 2), ubound(rhs(1)%at, 2)
        do i = lbound(rhs(1)%at, 1), ubound(rhs(1)%at, 1)
          w = wavenumber(i, j, l)
          pressure = sum(w * [(rhs(c)%at(i, j, l), c = 1, 3)]) / max(sum(w**2), tiny(1._dp))
          do c = 1, 3
            rhs(c)%at(i, j, l) = rhs(c)%at(i, j, l) - w(c) * pressure - nu * sum(w**2) * v(c)%at(i, j, l)
          end do
        end do
      end do
    end do
  end subroutine

  ! Compute the time derivative of the velocity v in rhs.
  subroutine compute_rhs(v)
    type(complex_field), intent(in) :: v(3)
    integer :: c

    do c = 1, 3
      call subx_fft_execute(plan, SUBX_FFT_BACKWARD, v(c)%at, u(c)%at)
    end do
    call compute_curl(v)
    call cross_with_velocity()
    do c = 1, 3
      call subx_fft_execute(plan, SUBX_FFT_FORWARD, curl(c)%at, rhs(c)%at)
    end do
    call add_pressure_and_viscosity(v)
  end subroutine

  ! y = x + a * rhs for all three components.
  subroutine add_rhs(x, a, y)
    type(complex_field), intent(in) :: x(3)
    real(dp), intent(in) :: a
    type(complex_field), intent(inout) :: y(3)
    integer :: c
    do c = 1, 3
      y(c)%at(:,:,:) = x(c)%at + a * rhs(c)%at
    end do
  end subroutine

  ! Advance the state by one step of the classical fourth-order Runge-Kutta method (Kutta 1901).
  subroutine advance()
    integer :: c
    call compute_rhs(u_hat)
    call add_rhs(u_hat, dt / 6, total)
    call add_rhs(u_hat, dt / 2, stage)
    call compute_rhs(stage)
    call add_to_total(dt / 3)
    call add_rhs(u_hat, dt / 2, stage)
    call compute_rhs(stage)
    call add_to_total(dt / 3)
    call add_rhs(u_hat, dt, stage)
    call compute_rhs(stage)
    call add_to_total(dt / 6)
    do c = 1, 3
      u_hat(c)%at(:,:,:) = total(c)%at
    end do
  end subroutine

  subroutine add_to_total(a)
    real(dp), intent(in) :: a
    integer :: c
    do c = 1, 3
      total(c)%at(:,:,:) = total(c)%at + a * rhs(c)%at
    end do
  end subroutine

  ! The mean of u.u / 2 over the whole box, on all ranks.
  real(dp) function compute_energy()
    integer :: c
    compute_energy = 0
    do c = 1, 3
      call subx_fft_execute(plan, SUBX_FFT_BACKWARD, u_hat(c)%at, u(c)%at)
      compute_energy = compute_energy + sum(u(c)%at**2) / 2
    end do
    call MPI_Allreduce(MPI_IN_PLACE, compute_energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    compute_energy = compute_energy / product(real(n, dp))
  end function
end module

program navier_stokes
  use solver
  implicit none
  real(dp) :: energy, seconds
  integer :: rank, i
  logical :: agrees

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call create()
  seconds = MPI_Wtime()
  do i = 1, nint(end_time / dt)
    call advance()
  end do
  energy = compute_energy()
  seconds = MPI_Wtime() - seconds
  agrees = abs(energy - published_energy) < 5e-8_dp
  if (rank == 0) then
    print "(a, f4.1, a, f15.12, a, f6.2, a)", "t =", end_time, ": kinetic energy =", energy, " (", seconds, " s)"
    print "(a, f15.12, 2a)", "published:      energy =", published_energy, merge(":     the same", ": NOT the same", agrees), &
      " to 7 places"
  end if
  call subx_fft_plan_free(plan)
  call MPI_Finalize()
  if (.not. agrees) error stop 1
end program
