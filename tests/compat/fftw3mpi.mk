# Tests of libsubx_fftw3mpi.
fftw3mpi_tests =
if HAVE_FFTW3
fftw3mpi_tests += %D%/fftw_device %D%/fftw_fault %D%/fftw_layout %D%/fftw_plans %D%/fftw_random %D%/fftw_remember %D%/fftw_threads
endif
program_tests += $(fftw3mpi_tests)

# Our library comes before FFTW's, as in a program that is linked with both.
fftw3mpi_cppflags = $(tests_cppflags) $(FFTW3_CFLAGS)
fftw3mpi_ldadd = tests/common/libcommon.la libsubx_fftw3mpi.la libsubx.la $(FFTW3_LIBS) $(FFTW3F_LIBS) $(FFTW3L_LIBS) -lm
if HAVE_FFTW3_MPI
fftw3mpi_cppflags += -DSX_HAVE_FFTW3_MPI
endif
%C%_fftw_device_SOURCES = %D%/fftw_device.c %D%/fftw.h
%C%_fftw_device_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_device_LDADD = $(fftw3mpi_ldadd) -ldl
# This program has the objects of the library, whose allocations it lets fail.
%C%_fftw_fault_SOURCES = %D%/fftw_fault.c %D%/fftw.h tests/fault/intercept.c tests/fault/intercept.h
%C%_fftw_fault_CPPFLAGS = $(tests_private_cppflags) $(FFTW3_CFLAGS)
%C%_fftw_fault_LDADD = tests/common/libcommon.la libsubx_fftw3mpi_core.la libsubx_base.la libsubx_fft.la libsubx.la \
	$(FFTW3_LIBS) $(FFTW3F_LIBS) $(FFTW3L_LIBS) -ldl -lm
%C%_fftw_fault_LDFLAGS = $(AM_LDFLAGS) -export-dynamic
%C%_fftw_layout_SOURCES = %D%/fftw_layout.c %D%/fftw.h
%C%_fftw_layout_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_layout_LDADD = $(fftw3mpi_ldadd) -ldl
%C%_fftw_plans_SOURCES = %D%/fftw_plans.c %D%/fftw.h
%C%_fftw_plans_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_plans_LDADD = $(fftw3mpi_ldadd)
%C%_fftw_random_SOURCES = %D%/fftw_random.c %D%/fftw_random.h %D%/fftw_random_body.h %D%/fftw.h
%C%_fftw_random_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_random_LDADD = $(fftw3mpi_ldadd) -ldl
%C%_fftw_remember_SOURCES = %D%/fftw_remember.c %D%/fftw.h
%C%_fftw_remember_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_remember_LDADD = $(fftw3mpi_ldadd)
%C%_fftw_threads_SOURCES = %D%/fftw_threads.c %D%/fftw.h
%C%_fftw_threads_CPPFLAGS = $(fftw3mpi_cppflags)
%C%_fftw_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_fftw_threads_LDFLAGS = $(AM_LDFLAGS) -pthread
%C%_fftw_threads_LDADD = $(fftw3mpi_ldadd)
