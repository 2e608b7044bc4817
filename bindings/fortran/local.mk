# libsubx_fortran: the Fortran modules, and the C functions that only these modules call. All modules are in one library,
# because most programs that use one of them use another, too. libsubx_fortran is not a part of the C libraries: it is for one
# Fortran compiler, and only Fortran programs need the runtime library of this compiler.
if HAVE_FORTRAN
lib_LTLIBRARIES += libsubx_fortran.la
pkgconfig_DATA += subx_fortran.pc

# Other sources are written by bindings/generate.py: fortran_written.
fortran_by_hand = %D%/subx_support.f90 %D%/subx_fft_extra.f90
fortran_modules = %D%/subx_mpi.mod $(fortran_written:.f90=.mod) $(fortran_by_hand:.f90=.mod)

libsubx_fortran_la_SOURCES = \
	$(fortran_written) $(fortran_by_hand) %D%/fortran.h %D%/handles.c %D%/arrays.c %D%/operation.c
nodist_libsubx_fortran_la_SOURCES = %D%/subx_mpi.f90
libsubx_fortran_la_CPPFLAGS = -I$(top_srcdir)/include
libsubx_fortran_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
libsubx_fortran_la_FCFLAGS = $(FC_MODOUT)%D% $(FC_MODINC)%D%
libsubx_fortran_la_LIBADD = libsubx_fft.la libsubx_io.la libsubx.la
libsubx_fortran_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(SUBX_LIBRARY_LDFLAGS)

# A module is compiled after the modules that it uses. tests/fortran/order.sh finds a missing line.
fortran_object = %D%/libsubx_fortran_la-
$(fortran_object)subx_c.lo: $(fortran_object)subx_mpi.lo
$(fortran_object)subx_boxes_c.lo: $(fortran_object)subx_mpi.lo $(fortran_object)subx_c.lo
$(fortran_object)subx_fft_c.lo: $(fortran_object)subx_mpi.lo $(fortran_object)subx_boxes_c.lo
$(fortran_object)subx_tune_c.lo: $(fortran_object)subx_mpi.lo $(fortran_object)subx_fft_c.lo
$(fortran_object)subx_io_c.lo: $(fortran_object)subx_mpi.lo $(fortran_object)subx_c.lo
$(fortran_object)subx_support.lo: $(fortran_object)subx_mpi.lo $(fortran_object)subx_c.lo $(fortran_object)subx_boxes_c.lo
$(fortran_object)subx.lo: $(fortran_object)subx_c.lo $(fortran_object)subx_boxes_c.lo $(fortran_object)subx_support.lo
$(fortran_object)subx_fft_extra.lo: $(fortran_object)subx_fft_c.lo $(fortran_object)subx_support.lo
$(fortran_object)subx_fft.lo: \
	$(fortran_object)subx_fft_c.lo $(fortran_object)subx_tune_c.lo $(fortran_object)subx_support.lo $(fortran_object)subx.lo \
	$(fortran_object)subx_fft_extra.lo
$(fortran_object)subx_io.lo: $(fortran_object)subx_io_c.lo $(fortran_object)subx_support.lo $(fortran_object)subx.lo

# Compiled modules (.mod) are for one compiler. Their sources are installed beside them, for other compilers.
$(fortran_modules): libsubx_fortran.la ; @:
nodist_fmod_DATA = $(fortran_modules) %D%/subx_mpi.f90
dist_fmod_DATA = $(fortran_written) $(fortran_by_hand)
CLEANFILES += $(fortran_modules)

uninstall-hook:
	-test ! -d "$(DESTDIR)$(fmoddir)" || rmdir "$(DESTDIR)$(fmoddir)"
endif
