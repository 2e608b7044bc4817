# The program subx-fft, which uses installed headers and subx_lowlevel.h.
bin_PROGRAMS += subx-fft
subx_fft_SOURCES = \
	%D%/share.c \
	%D%/axes.c \
	%D%/bench.c \
	%D%/box.c \
	%D%/calibrate.c \
	%D%/cli.h \
	%D%/fail.c \
	%D%/file.c \
	%D%/fill.c \
	%D%/gather.c \
	%D%/gauge.c \
	%D%/help.c \
	%D%/hints.c \
	%D%/job.c \
	%D%/main.c \
	%D%/options.c \
	%D%/place.c \
	%D%/predict.c \
	%D%/problem.c \
	%D%/properties.c \
	%D%/report.c \
	%D%/times.c \
	%D%/verify.c
subx_fft_LDADD = fft/definition/libdefinition.la fft/facts/libfacts.la libsubx_fft.la libsubx_io.la libsubx_base.la libsubx.la -lm
