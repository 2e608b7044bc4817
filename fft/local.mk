# As in lib: compiled once, seen whole by the tests, installed with only subx_fft_* to be seen.
noinst_LTLIBRARIES += libsubx_fft_threads.la libsubx_fft_core.la
lib_LTLIBRARIES += libsubx_fft.la

# The one file with threads.
libsubx_fft_threads_la_SOURCES = %D%/pass/threads.c
libsubx_fft_threads_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)

libsubx_fft_core_la_SOURCES = \
	%D%/serial/serial.h %D%/serial/table.c %D%/serial/naive.c \
	%D%/pass/pass.h %D%/pass/inside.h %D%/pass/cut.c %D%/pass/index.c %D%/pass/copies.c \
	%D%/pass/steps.c %D%/pass/create.c %D%/pass/execute.c \
	%D%/tune/tune.h %D%/tune/choose.c %D%/tune/measure.c \
	%D%/plan/plan.h %D%/plan/problem.c %D%/plan/hints.c %D%/plan/grid.c %D%/plan/box.c %D%/plan/stages.c \
	%D%/plan/strategies.c %D%/plan/plan.c %D%/plan/try.c %D%/plan/lost.c %D%/plan/query.c %D%/plan/print.c \
	%D%/plan/verbose.c \
	%D%/fused/fused.h %D%/fused/strategy.c %D%/fused/axes.c %D%/fused/create.c %D%/fused/pipes.c \
	%D%/fused/slices.c %D%/fused/passes.c %D%/fused/execute.c \
	%D%/staged/staged.h %D%/staged/strategies.c %D%/staged/create.c %D%/staged/execute.c
libsubx_fft_core_la_CPPFLAGS = $(AM_CPPFLAGS)
libsubx_fft_core_la_LIBADD = libsubx_fft_threads.la -lm
if HAVE_FFTW3
libsubx_fft_core_la_SOURCES += %D%/serial/fftw3.c
libsubx_fft_core_la_CPPFLAGS += $(FFTW3_CFLAGS)
libsubx_fft_core_la_LIBADD += $(FFTW3_LIBS)
endif

libsubx_fft_la_SOURCES =
libsubx_fft_la_LIBADD = libsubx_fft_core.la libsubx_base.la libsubx.la
libsubx_fft_la_LDFLAGS = -version-info 1:0:0 -no-undefined

include fft/cli/local.mk
