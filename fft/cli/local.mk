# The program subx-fft, which uses installed headers only.
bin_PROGRAMS += subx-fft
subx_fft_SOURCES = \
	%D%/args.c \
	%D%/bench.c \
	%D%/box.c \
	%D%/cli.h \
	%D%/fail.c \
	%D%/file.c \
	%D%/fill.c \
	%D%/gather.c \
	%D%/gauge.c \
	%D%/header.c \
	%D%/help.c \
	%D%/hints.c \
	%D%/job.c \
	%D%/machine.c \
	%D%/main.c \
	%D%/npy.c \
	%D%/options.c \
	%D%/properties.c \
	%D%/reference.c \
	%D%/report.c \
	%D%/times.c \
	%D%/verify.c \
	%D%/view.c \
	%D%/wave.c
subx_fft_LDADD = libsubx_fft.la libsubx.la -lm
