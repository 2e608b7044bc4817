# Tests of the Fortran modules. One program uses module mpi, the other one uses mpi_f08.
fortran_scripts = %D%/raw.sh %D%/order.sh %D%/wrong_rank.sh
EXTRA_DIST += $(fortran_scripts)
if HAVE_FORTRAN
fortran_tests = %D%/f08 %D%/usempi %D%/wrong_rank
fortran_fcflags = $(FC_MODINC)bindings/fortran
fortran_ldadd = libsubx_fortran.la libsubx_fft.la libsubx_io.la libsubx.la

check_PROGRAMS += $(fortran_tests)
%C%_f08_SOURCES = %D%/f08.f90
%C%_f08_FCFLAGS = $(fortran_fcflags) $(FC_MODOUT)%D%
%C%_f08_LDFLAGS =
%C%_f08_LDADD = $(fortran_ldadd)
%C%_usempi_SOURCES = %D%/usempi.f90
%C%_usempi_FCFLAGS = $(fortran_fcflags) $(FC_MODOUT)%D%
%C%_usempi_LDFLAGS =
%C%_usempi_LDADD = $(fortran_ldadd)
%C%_wrong_rank_SOURCES = %D%/wrong_rank.f90
%C%_wrong_rank_FCFLAGS = $(fortran_fcflags) $(FC_MODOUT)%D%
%C%_wrong_rank_LDFLAGS =
%C%_wrong_rank_LDADD = $(fortran_ldadd)
%D%/f08-f08.$(OBJEXT) %D%/usempi-usempi.$(OBJEXT) %D%/wrong_rank-wrong_rank.$(OBJEXT): libsubx_fortran.la

TESTS += $(fortran_tests) $(fortran_scripts)
CLEANFILES += %D%/f08_procedure.mod %D%/usempi_handler.mod
endif
