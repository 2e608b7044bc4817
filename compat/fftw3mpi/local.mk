# libsubx_fftw3mpi: the interface of FFTW's MPI transforms.
#
# As in io, the sources are compiled once, into a library whose functions the unit tests can call. The installed library has
# the same objects, and exports only FFTW's names. Of libsubx_fft it includes installed headers only; it has its own copy of
# the room base.
if HAVE_FFTW3
noinst_LTLIBRARIES += libsubx_fftw3mpi_core.la
lib_LTLIBRARIES += libsubx_fftw3mpi.la
pkgconfig_DATA += subx_fftw3mpi.pc

libsubx_fftw3mpi_core_la_SOURCES = \
	%D%/fftw3mpi.h %D%/limits.h %D%/precision.h %D%/serial_body.h %D%/stock_body.h %D%/mpi_body.h %D%/double.c \
	%D%/compare_planning.c %D%/stock.c %D%/find.c %D%/late.c %D%/layout.c %D%/plan.c %D%/problem.c \
	%D%/remember.c %D%/report.c %D%/keep.c %D%/compare_running.c %D%/turn.c %D%/wisdom.c
libsubx_fftw3mpi_core_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/compat $(FFTW3_CFLAGS)
if HAVE_FFTW3F
libsubx_fftw3mpi_core_la_SOURCES += %D%/single.c
endif
if HAVE_FFTW3L
libsubx_fftw3mpi_core_la_SOURCES += %D%/long.c
endif
if HAVE_FFTW3_MPI
libsubx_fftw3mpi_core_la_CPPFLAGS += -DSX_HAVE_FFTW3_MPI
endif

libsubx_fftw3mpi_la_SOURCES =
libsubx_fftw3mpi_la_LIBADD = \
	libsubx_fftw3mpi_core.la libsubx_base.la libsubx_fft.la libsubx.la \
	$(FFTW3_LIBS) $(FFTW3F_LIBS) $(FFTW3L_LIBS) -ldl -lm
libsubx_fftw3mpi_la_LDFLAGS = -version-info 0:0:0 -no-undefined $(SUBX_LIBRARY_LDFLAGS)
endif
