! 2decomp_plan.f90 - plans of 2DECOMP&FFT for 2decomp.c, in Fortran, as this library is. It has one division of the axes among
! the ranks at a time, and any number of engines (transforms) on it.
module sx_perf_2decomp
   use, intrinsic :: iso_c_binding
   use decomp_2d
   use decomp_2d_constants
   use decomp_2d_fft
   implicit none
   private

   integer, parameter :: nengines = 3
   type(decomp_2d_fft_engine), save, target :: engines(nengines)

contains

   ! sizes: x, y, z; grid: rows, columns.
   subroutine start(sizes, grid, is_real) bind(C, name="sx_perf_2decomp_start")
      integer(c_int), intent(in) :: sizes(3), grid(2)
      integer(c_int), value :: is_real
      integer :: rows, columns
      rows = grid(1)
      columns = grid(2)
      decomp_log = D2D_LOG_QUIET
      call decomp_2d_init(sizes(1), sizes(2), sizes(3), rows, columns, complex_pool=is_real == 0)
   end subroutine start

   subroutine finish() bind(C, name="sx_perf_2decomp_finish")
      call decomp_2d_finalize
   end subroutine finish

   ! Create an engine from x to z, or from z to x. Returns the lengths and the first indices (from 0) of both sides.
   subroutine create(number, sizes, is_real, from_z, overwrites, physical, spectral) &
      bind(C, name="sx_perf_2decomp_create")
      integer(c_int), value :: number, is_real, from_z, overwrites
      integer(c_int), intent(in) :: sizes(3)
      integer(c_int), intent(out) :: physical(3, 2), spectral(3, 2)
      type(decomp_info), pointer :: info
      type(decomp_2d_fft_engine), pointer :: engine
      engine => engines(number + 1)
      call engine%init(merge(PHYSICAL_IN_Z, PHYSICAL_IN_X, from_z /= 0), sizes(1), sizes(2), sizes(3), &
                       opt_inplace=overwrites /= 0)
      call engine%use_it(opt_force=.true.)
      info => decomp_2d_fft_get_sp()
      if (is_real == 0) info => decomp_2d_fft_get_ph()
      call tell(decomp_2d_fft_get_ph(), from_z == 0, physical)
      call tell(info, from_z /= 0, spectral)
   end subroutine create

   subroutine tell(info, along_x, box)
      type(decomp_info), intent(in) :: info
      logical, intent(in) :: along_x
      integer(c_int), intent(out) :: box(3, 2)
      if (along_x) then
         box(:, 1) = info%xsz
         box(:, 2) = info%xst - 1
      else
         box(:, 1) = info%zsz
         box(:, 2) = info%zst - 1
      end if
   end subroutine tell

   subroutine forward(number, is_real, physical, spectral, in, out) bind(C, name="sx_perf_2decomp_forward")
      integer(c_int), value :: number, is_real
      integer(c_int), intent(in) :: physical(3, 2), spectral(3, 2)
      type(c_ptr), value :: in, out
      complex(c_double_complex), pointer, contiguous :: complex_in(:, :, :), complex_out(:, :, :)
      real(c_double), pointer, contiguous :: real_in(:, :, :)
      call c_f_pointer(out, complex_out, spectral(:, 1))
      if (is_real /= 0) then
         call c_f_pointer(in, real_in, physical(:, 1))
         call engines(number + 1)%fft(real_in, complex_out)
      else
         call c_f_pointer(in, complex_in, physical(:, 1))
         call engines(number + 1)%fft(complex_in, complex_out, DECOMP_2D_FFT_FORWARD)
      end if
   end subroutine forward

   subroutine backward(number, is_real, physical, spectral, in, out) bind(C, name="sx_perf_2decomp_backward")
      integer(c_int), value :: number, is_real
      integer(c_int), intent(in) :: physical(3, 2), spectral(3, 2)
      type(c_ptr), value :: in, out
      complex(c_double_complex), pointer, contiguous :: complex_in(:, :, :), complex_out(:, :, :)
      real(c_double), pointer, contiguous :: real_out(:, :, :)
      call c_f_pointer(in, complex_in, spectral(:, 1))
      if (is_real /= 0) then
         call c_f_pointer(out, real_out, physical(:, 1))
         call engines(number + 1)%fft(complex_in, real_out)
      else
         call c_f_pointer(out, complex_out, physical(:, 1))
         call engines(number + 1)%fft(complex_in, complex_out, DECOMP_2D_FFT_BACKWARD)
      end if
   end subroutine backward

   subroutine destroy(number) bind(C, name="sx_perf_2decomp_free")
      integer(c_int), value :: number
      call engines(number + 1)%fin()
   end subroutine destroy

end module sx_perf_2decomp
