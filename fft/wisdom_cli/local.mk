# The program subx-wisdom, which uses installed headers and subx_lowlevel.h.
bin_PROGRAMS += subx-wisdom
subx_wisdom_SOURCES = %D%/wisdom_cli.h %D%/command.c %D%/help.c %D%/main.c
subx_wisdom_LDADD = libsubx_fft.la libsubx.la
