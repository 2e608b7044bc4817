# The measuring programs, and the program that draws their rows. All use installed headers and subx_lowlevel.h, except
# subx-perf-stride and the limit of subx-perf-fft.
perf_cppflags = -I$(top_srcdir)/include -I$(top_srcdir)/lib/lowlevel -I$(top_srcdir)/perf
perf_ldadd = %D%/common/libperf.la libsubx.la -lm

noinst_LTLIBRARIES += %D%/common/libperf.la
%C%_common_libperf_la_SOURCES = \
	%D%/common/candidates.c \
	%D%/common/machine.c \
	%D%/common/memory.c \
	%D%/common/options.c \
	%D%/common/pattern.c \
	%D%/common/perf.h \
	%D%/common/program.c \
	%D%/common/progress.c \
	%D%/common/table.c \
	%D%/common/time.c \
	%D%/common/types.c \
	%D%/common/values.c
%C%_common_libperf_la_CPPFLAGS = $(perf_cppflags)

bin_PROGRAMS += subx-perf-order
subx_perf_order_SOURCES = %D%/order/main.c
subx_perf_order_CPPFLAGS = $(perf_cppflags)
subx_perf_order_LDADD = $(perf_ldadd)

bin_PROGRAMS += subx-perf-exch
subx_perf_exch_SOURCES = %D%/exch/main.c
subx_perf_exch_CPPFLAGS = $(perf_cppflags)
subx_perf_exch_LDADD = $(perf_ldadd)

# subx-perf-stride measures FFTW only. Its sub-command serial uses fft/serial, whose table of backends is not public, so it is
# linked with the libraries before their symbols are hidden.
if HAVE_FFTW3
bin_PROGRAMS += subx-perf-stride
subx_perf_stride_SOURCES = \
	%D%/serial/check.c \
	%D%/serial/pencils.h \
	%D%/serial/run.c \
	%D%/serial/settings.c \
	%D%/serial/tile.c \
	%D%/stride/main.c
subx_perf_stride_CPPFLAGS = $(perf_cppflags) $(AM_CPPFLAGS) $(FFTW3_CFLAGS)
subx_perf_stride_LDADD = %D%/common/libperf.la libsubx_fft_core.la libsubx_device.la libsubx_base.la libsubx.la $(FFTW3_LIBS) -lm
endif

# subx-perf-fft: whole transforms, compared with FFTW and others. Its limit uses the tiles and the serial backends, like
# subx-perf-stride; see there.
if HAVE_FFTW3
bin_PROGRAMS += subx-perf-fft
subx_perf_fft_SOURCES = \
	%D%/fft/cell.c \
	%D%/fft/dalcin.c \
	%D%/fft/fft.h \
	%D%/fft/fftw.c \
	%D%/fft/fftw_body.h \
	%D%/fft/field.c \
	%D%/fft/limit.c \
	%D%/fft/main.c \
	%D%/fft/measure.c \
	%D%/fft/neighbours.c \
	%D%/fft/peak.c \
	%D%/fft/problem.c \
	%D%/fft/settings.c \
	%D%/fft/subx.c \
	%D%/fft/summary.c \
	%D%/fft/tile.c \
	%D%/serial/pencils.h \
	%D%/serial/tile.c
subx_perf_fft_CPPFLAGS = $(perf_cppflags) $(AM_CPPFLAGS) $(FFTW3_CFLAGS)
# Each adapter is a library of its own, because the libraries that are compared have headers of equal names. Adapters in
# C++ and Fortran need no libtool.
noinst_LIBRARIES =
fft_adapters =
neighbour_libs =
subx_perf_fft_CPPFLAGS += $(NEIGHBOURS_CPPFLAGS)
if HAVE_HEFFTE
noinst_LIBRARIES += %D%/fft/libheffte_adapter.a
%C%_fft_libheffte_adapter_a_SOURCES = %D%/fft/heffte.c %D%/fft/heffte.h %D%/fft/heffte_plan.cc
%C%_fft_libheffte_adapter_a_CPPFLAGS = $(perf_cppflags) $(HEFFTE_CPPFLAGS)
fft_adapters += %D%/fft/libheffte_adapter.a
neighbour_libs += $(HEFFTE_LIBS)
endif
if HAVE_DECOMP2D
noinst_LIBRARIES += %D%/fft/lib2decomp_adapter.a
%C%_fft_lib2decomp_adapter_a_SOURCES = %D%/fft/2decomp.c %D%/fft/2decomp_plan.f90
%C%_fft_lib2decomp_adapter_a_CPPFLAGS = $(perf_cppflags) $(DECOMP2D_CPPFLAGS)
%C%_fft_lib2decomp_adapter_a_FCFLAGS = $(DECOMP2D_CPPFLAGS) $(AM_FCFLAGS)
fft_adapters += %D%/fft/lib2decomp_adapter.a
neighbour_libs += $(DECOMP2D_LIBS)
endif
if HAVE_PFFT
noinst_LIBRARIES += %D%/fft/libpfft_adapter.a
%C%_fft_libpfft_adapter_a_SOURCES = %D%/fft/pfft.c
%C%_fft_libpfft_adapter_a_CPPFLAGS = $(perf_cppflags) $(PFFT_CPPFLAGS)
fft_adapters += %D%/fft/libpfft_adapter.a
neighbour_libs += $(PFFT_LIBS)
endif
if HAVE_P3DFFT3
noinst_LIBRARIES += %D%/fft/libp3dfft_adapter.a
%C%_fft_libp3dfft_adapter_a_SOURCES = %D%/fft/p3dfft3.c
%C%_fft_libp3dfft_adapter_a_CPPFLAGS = $(perf_cppflags) $(P3DFFT3_CPPFLAGS)
fft_adapters += %D%/fft/libp3dfft_adapter.a
neighbour_libs += $(P3DFFT3_LIBS)
endif
if HAVE_ACCFFT
noinst_LIBRARIES += %D%/fft/libaccfft_adapter.a
%C%_fft_libaccfft_adapter_a_SOURCES = %D%/fft/accfft.c %D%/fft/accfft.h %D%/fft/accfft_plan.cc
%C%_fft_libaccfft_adapter_a_CPPFLAGS = $(perf_cppflags) $(ACCFFT_CPPFLAGS)
fft_adapters += %D%/fft/libaccfft_adapter.a
neighbour_libs += $(ACCFFT_LIBS)
endif
# cuFFT is in a library that subx-perf-fft loads, because the program must start without CUDA.
if HAVE_CUDA
subx_perf_fft_SOURCES += %D%/fft/cufft.c %D%/fft/cufft.h
subx_perf_fft_CPPFLAGS += -DSX_PERF_FFT_CUFFT
cudalib_DATA += libsubx_perf_cufft.so
libsubx_perf_cufft.so: %D%/fft/cufft_plan.cu %D%/fft/cufft.h
	$(AM_V_GEN)$(NVCC) $(NVCCFLAGS) -std=c++17 -Xcompiler -fPIC,-fvisibility=hidden -I$(top_srcdir)/perf \
		-shared -Xlinker --exclude-libs=ALL -o $@ $(srcdir)/%D%/fft/cufft_plan.cu -lcufft
CLEANFILES += libsubx_perf_cufft.so
endif
if HAVE_FFTW3_MPI
subx_perf_fft_SOURCES += %D%/fft/mpi.c %D%/fft/mpi_body.h
subx_perf_fft_CPPFLAGS += -DSX_PERF_FFT_MPI
neighbour_libs += $(FFTW3F_MPI_LIBS) $(FFTW3_MPI_LIBS)
endif
subx_perf_fft_LDADD = $(fft_adapters) %D%/common/libperf.la libsubx_fft_core.la libsubx_device.la libsubx_base.la libsubx.la \
	$(neighbour_libs) $(FFTW3F_LIBS) $(FFTW3_LIBS) -lm
endif

dist_bin_SCRIPTS = %D%/fft/subx-perf-fft-mpi4py %D%/plot/subx-perf-plot
EXTRA_DIST += %D%/README %D%/fft/cufft_plan.cu

# Descriptions of machines for subx-fft --predict; published times, and the script that compares predictions with them.
EXTRA_DIST += %D%/predict/jean-zay %D%/predict/stampede %D%/predict/published.csv %D%/predict/published.sh

EXTRA_DIST += %D%/simulate/exchange.c %D%/simulate/simulate

# The figures of papers, scaled down: report runs the programs, and makes pages and pictures.
EXTRA_DIST += \
	%D%/reproduce/report %D%/reproduce/cells.py %D%/reproduce/figures.py %D%/reproduce/page.py \
	%D%/reproduce/accfft.py %D%/reproduce/cineca.py %D%/reproduce/dalcin.py %D%/reproduce/song.py %D%/reproduce/yan.py %D%/reproduce/papers/accfft-2.csv %D%/reproduce/papers/accfft-3.csv \
	%D%/reproduce/papers/cineca-1.csv %D%/reproduce/papers/cineca-3.csv %D%/reproduce/papers/cineca-5.csv \
	%D%/reproduce/papers/yan-1a.csv %D%/reproduce/papers/yan-1b.csv %D%/reproduce/papers/yan-flags.csv

# Jobs for SLURM.
EXTRA_DIST += %D%/slurm/programs.sbatch %D%/slurm/reproduce.sbatch

# scale pretends to be one rank of many, and measures the bytes and seconds that objects take.
if HAVE_MALLINFO2
noinst_PROGRAMS += %D%/scale/scale
%C%_scale_scale_SOURCES = %D%/scale/main.c
%C%_scale_scale_CPPFLAGS = $(perf_cppflags)
# The libraries must find the program's functions of MPI.
%C%_scale_scale_CFLAGS = $(AM_CFLAGS) -fvisibility=default
%C%_scale_scale_LDADD = libsubx_fft.la libsubx.la
endif
EXTRA_DIST += %D%/scale/table.sh
