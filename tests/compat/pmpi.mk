# Tests of libsubx_pmpi, which is preloaded. -no-install makes libtool build real programs instead of scripts.
pmpi_programs = %D%/pmpi_cases %D%/pmpi_device %D%/pmpi_random %D%/pmpi_survive %D%/pmpi_threads
pmpi_scripts = %D%/pmpi_cases.sh %D%/pmpi_device.sh %D%/pmpi_random.sh %D%/pmpi_survive.sh %D%/pmpi_threads.sh %D%/pmpi_fortran.sh

%C%_pmpi_random_SOURCES = \
	%D%/pmpi_random.c \
	%D%/pmpi/alltoall.c \
	%D%/pmpi/calls.h %D%/pmpi/calls.c \
	%D%/pmpi/complete.c \
	%D%/pmpi/errors.c \
	%D%/pmpi/many.c \
	%D%/pmpi/pack.c \
	%D%/pmpi/piece.h %D%/pmpi/piece.c \
	%D%/pmpi/point.c \
	%D%/pmpi/scene.h %D%/pmpi/scene.c \
	%D%/pmpi/trace.h %D%/pmpi/trace.c \
	%D%/pmpi/types.h %D%/pmpi/types.c \
	tests/random/watch.h tests/random/watch.c
%C%_pmpi_random_CPPFLAGS = $(tests_private_cppflags) -I$(top_srcdir)
%C%_pmpi_random_LDFLAGS = $(AM_LDFLAGS) -no-install
%C%_pmpi_random_LDADD = $(tests_ldadd) -ldl

# This program defines listen(), which replaces the C library's and must be exported.
%C%_pmpi_cases_CPPFLAGS = $(tests_cppflags)
%C%_pmpi_cases_CFLAGS = $(AM_CFLAGS) -fvisibility=default
%C%_pmpi_cases_LDFLAGS = $(AM_LDFLAGS) -export-dynamic -no-install
%C%_pmpi_cases_LDADD = $(tests_ldadd)

%C%_pmpi_survive_SOURCES = %D%/pmpi_survive.c %D%/pmpi/columns.h
%C%_pmpi_survive_CPPFLAGS = $(tests_cppflags)
%C%_pmpi_survive_LDFLAGS = $(AM_LDFLAGS) -no-install
%C%_pmpi_survive_LDADD = $(tests_ldadd)

# Because of -rpath, libtool builds a shared library, which is not installed.
noinst_LTLIBRARIES += %D%/pmpi/libprofiler.la
%C%_pmpi_libprofiler_la_SOURCES = %D%/pmpi/profiler.c
%C%_pmpi_libprofiler_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default -Wno-missing-prototypes
%C%_pmpi_libprofiler_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)

# A library with the name of CUDA's driver, and one that lets MPI reach the memory of the first (tests/compat/cuda).
noinst_LTLIBRARIES += %D%/cuda/libcuda.la %D%/cuda/libaware.la
%C%_cuda_libcuda_la_SOURCES = %D%/cuda/libcuda.c
%C%_cuda_libcuda_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
%C%_cuda_libcuda_la_LDFLAGS = -version-info 1:0:0 -rpath $(abs_builddir)
%C%_cuda_libaware_la_SOURCES = %D%/cuda/aware.c
%C%_cuda_libaware_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/compat
%C%_cuda_libaware_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
%C%_cuda_libaware_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)
%C%_cuda_libaware_la_LIBADD = -ldl

%C%_pmpi_device_SOURCES = %D%/pmpi_device.c %D%/pmpi/columns.h
%C%_pmpi_device_CPPFLAGS = $(tests_cppflags)
%C%_pmpi_device_LDFLAGS = $(AM_LDFLAGS) -no-install
%C%_pmpi_device_LDADD = $(tests_ldadd) -ldl

%C%_pmpi_threads_CPPFLAGS = $(tests_cppflags)
%C%_pmpi_threads_CFLAGS = $(AM_CFLAGS) -pthread
%C%_pmpi_threads_LDFLAGS = $(AM_LDFLAGS) -pthread -no-install
%C%_pmpi_threads_LDADD = $(tests_ldadd)

check_PROGRAMS += $(pmpi_programs)
TESTS += $(pmpi_scripts)
EXTRA_DIST += $(pmpi_scripts) %D%/pmpi/preload %D%/pmpi_fortran.f90 \
	tests/peer/mpich_suite.sh tests/peer/mpi4py_fft.sh
