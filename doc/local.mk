# The examples are users' programs: they see the installed headers only.
doc_examples = \
	%D%/examples/01_reorder_in_flight \
	%D%/examples/02_realign_pencils \
	%D%/examples/03_transform \
	%D%/examples/05_navier_stokes \
	%D%/examples/06_redistribute \
	%D%/examples/07_heat \
	%D%/examples/08_files \
	%D%/examples/09_poisson \
	%D%/examples/10_dealiased \
	%D%/examples/11_convolution \
	%D%/examples/12_inspect_types \
	%D%/examples/13_block_cyclic \
	%D%/examples/14_overlap \
	%D%/examples/15_own_arrays \
	%D%/examples/16_gradient \
	%D%/examples/18_three_fields \
	%D%/examples/tutorial/step1_plan \
	%D%/examples/tutorial/step2_transform \
	%D%/examples/tutorial/step3_poisson \
	%D%/examples/tutorial/step4_file \
	%D%/examples/tutorial/step5_faster
doc_cppflags = -I$(top_srcdir)/include
doc_ldadd = libsubx_fft.la libsubx.la -lm

noinst_PROGRAMS += $(doc_examples) %D%/examples/04_taylor_green

%C%_examples_01_reorder_in_flight_CPPFLAGS = $(doc_cppflags)
%C%_examples_01_reorder_in_flight_LDADD = $(doc_ldadd)
%C%_examples_02_realign_pencils_CPPFLAGS = $(doc_cppflags)
%C%_examples_02_realign_pencils_LDADD = $(doc_ldadd)
%C%_examples_03_transform_CPPFLAGS = $(doc_cppflags)
%C%_examples_03_transform_LDADD = $(doc_ldadd)
%C%_examples_04_taylor_green_CPPFLAGS = $(doc_cppflags)
%C%_examples_04_taylor_green_LDADD = $(doc_ldadd)
%C%_examples_05_navier_stokes_CPPFLAGS = $(doc_cppflags)
%C%_examples_05_navier_stokes_LDADD = $(doc_ldadd)
%C%_examples_06_redistribute_CPPFLAGS = $(doc_cppflags)
%C%_examples_06_redistribute_LDADD = $(doc_ldadd)
%C%_examples_07_heat_CPPFLAGS = $(doc_cppflags)
%C%_examples_07_heat_LDADD = $(doc_ldadd)
%C%_examples_08_files_CPPFLAGS = $(doc_cppflags)
%C%_examples_08_files_LDADD = libsubx_io.la libsubx.la
%C%_examples_09_poisson_CPPFLAGS = $(doc_cppflags)
%C%_examples_09_poisson_LDADD = $(doc_ldadd)
%C%_examples_10_dealiased_CPPFLAGS = $(doc_cppflags)
%C%_examples_10_dealiased_LDADD = $(doc_ldadd)
%C%_examples_11_convolution_CPPFLAGS = $(doc_cppflags)
%C%_examples_11_convolution_LDADD = $(doc_ldadd)
%C%_examples_12_inspect_types_CPPFLAGS = $(doc_cppflags)
%C%_examples_12_inspect_types_LDADD = $(doc_ldadd)
%C%_examples_13_block_cyclic_CPPFLAGS = $(doc_cppflags)
%C%_examples_13_block_cyclic_LDADD = $(doc_ldadd)
%C%_examples_14_overlap_CPPFLAGS = $(doc_cppflags)
%C%_examples_14_overlap_LDADD = $(doc_ldadd)
%C%_examples_15_own_arrays_CPPFLAGS = $(doc_cppflags)
%C%_examples_15_own_arrays_LDADD = $(doc_ldadd)
%C%_examples_16_gradient_CPPFLAGS = $(doc_cppflags)
%C%_examples_16_gradient_LDADD = $(doc_ldadd)
%C%_examples_18_three_fields_CPPFLAGS = $(doc_cppflags)
%C%_examples_18_three_fields_LDADD = $(doc_ldadd)
%C%_examples_tutorial_step1_plan_CPPFLAGS = $(doc_cppflags)
%C%_examples_tutorial_step1_plan_LDADD = $(doc_ldadd)
%C%_examples_tutorial_step2_transform_CPPFLAGS = $(doc_cppflags)
%C%_examples_tutorial_step2_transform_LDADD = $(doc_ldadd)
%C%_examples_tutorial_step3_poisson_CPPFLAGS = $(doc_cppflags)
%C%_examples_tutorial_step3_poisson_LDADD = $(doc_ldadd)
%C%_examples_tutorial_step4_file_CPPFLAGS = $(doc_cppflags)
%C%_examples_tutorial_step4_file_LDADD = libsubx_io.la $(doc_ldadd)
%C%_examples_tutorial_step5_faster_CPPFLAGS = $(doc_cppflags)
%C%_examples_tutorial_step5_faster_LDADD = $(doc_ldadd)

# The example for GPUs, which tests/device/run runs. nvcc calls MPI's compiler, which here compiles C++.
if HAVE_CUDA
check_DATA = %D%/examples/19_navier_stokes
CLEANFILES += %D%/examples/19_navier_stokes
%D%/examples/19_navier_stokes: %D%/examples/19_navier_stokes.cu libsubx_fft.la libsubx.la
	$(AM_V_GEN)$(NVCC) $(NVCCFLAGS) -std=c++17 -ccbin "$(CC)" -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I$(top_srcdir)/include \
		-o $@ $(srcdir)/%D%/examples/19_navier_stokes.cu -L.libs -lsubx_fft -lsubx \
		-Xlinker -rpath -Xlinker '$(abs_builddir)/.libs' -lstdc++ -lm
endif

# 04_taylor_green only writes files. The script compares them with the same field by NumPy.
TESTS += $(doc_examples) %D%/examples/check_taylor_green.sh
EXTRA_DIST += %D%/gpu %D%/features %D%/examples/README %D%/examples/check_taylor_green.sh %D%/examples/17_raii.cpp %D%/examples/19_navier_stokes.cu %D%/examples/slurm/job.sbatch
EXTRA_DIST += %D%/examples/python/navier_stokes.py %D%/examples/python/poisson.py %D%/examples/python/transform.py \
	%D%/examples/python/plans.ipynb
EXTRA_DIST += \
	%D%/measured/README %D%/measured/order-openmpi.png %D%/measured/order-mpich.png %D%/measured/papers

# The manual: Markdown, from which make doc builds HTML and man pages in doc/pages. A distribution has them in doc/built, if pandoc
# was there. make install installs whichever there are. A distribution also has the Markdown of the pages that build.py makes.
EXTRA_DIST += %D%/manual \
	%D%/examples/tutorial/step1_plan.f90 %D%/examples/tutorial/step1_plan.py \
	%D%/examples/tutorial/step2_transform.f90 %D%/examples/tutorial/step2_transform.py \
	%D%/examples/tutorial/step3_poisson.f90 %D%/examples/tutorial/step3_poisson.py \
	%D%/examples/tutorial/step4_file.f90 %D%/examples/tutorial/step4_file.py \
	%D%/examples/tutorial/step5_faster.f90 %D%/examples/tutorial/step5_faster.py \
	%D%/examples/moving/fftw_ours.c %D%/examples/moving/fftw_theirs.c \
	%D%/examples/moving/heffte_ours.c %D%/examples/moving/heffte_theirs.cc \
	%D%/examples/moving/pfft_ours.c %D%/examples/moving/pfft_theirs.c \
	%D%/examples/moving/p3dfft_ours.c %D%/examples/moving/p3dfft_theirs.c \
	%D%/examples/moving/p3dfft2_ours.f90 %D%/examples/moving/p3dfft2_theirs.f90 \
	%D%/examples/moving/2decomp_ours.f90 %D%/examples/moving/2decomp_theirs.f90 \
	%D%/examples/moving/mpi4py_fft_ours.py %D%/examples/moving/mpi4py_fft_theirs.py
manual_pages = %D%/pages
doc:
	@test -n "$(PANDOC)" || { echo "make doc needs pandoc, which configure did not find" >&2; exit 1; }
	PANDOC='$(PANDOC)' $(PYTHON3) -B $(srcdir)/doc/manual/build.py $(manual_pages)
	@test -z "$(MANDOC)" || $(MANDOC) -Tlint $(manual_pages)/man/man?/*

dist-manual:
	test -z "$(PANDOC)" || $(MAKE) manual_pages='$(manual_pages)' doc
	$(PYTHON3) -B $(srcdir)/doc/manual/build.py --pages $(distdir)/doc/manual || test -d $(distdir)/doc/manual/reference
	rm -rf $(distdir)/doc/manual/__pycache__

# Where built pages are: the folder of the build, or that of the sources.
find_manual = for built in $(manual_pages) $(srcdir)/doc/built none; do test ! -d $$built/html || break; done; \
	test $$built = none
install-data-local: install-manual
install-manual:
	@$(find_manual) || { (cd $$built/man && find . -type f) | sed 's,^\./,,' | while read -r page; do \
		$(MKDIR_P) "$(DESTDIR)$(mandir)/$${page%/*}" && $(INSTALL_DATA) $$built/man/$$page "$(DESTDIR)$(mandir)/$$page" || exit 1; done && \
	(cd $$built/html && find . -type f) | sed 's,^\./,,' | while read -r page; do case $$page in */*) sub=/$${page%/*} ;; *) sub= ;; esac; \
		$(MKDIR_P) "$(DESTDIR)$(htmldir)$$sub" && $(INSTALL_DATA) $$built/html/$$page "$(DESTDIR)$(htmldir)/$$page" || exit 1; done; }

uninstall-local: uninstall-manual
uninstall-manual:
	@$(find_manual) || { (cd $$built/man && find . -type f) | while read -r page; do rm -f "$(DESTDIR)$(mandir)/$$page"; done; \
		(cd $$built/html && find . -type f) | while read -r page; do rm -f "$(DESTDIR)$(htmldir)/$$page"; done; }

clean-local: clean-manual clean-python
clean-manual:
	rm -rf %D%/pages

# Write again those pages that repeat the help of programs.
manual-record: $(bin_PROGRAMS)
	top_builddir='$(abs_top_builddir)' $(SHELL) $(srcdir)/tests/api/manual.sh --record
.PHONY: doc dist-manual install-manual uninstall-manual clean-manual manual-record

# In Fortran, compiled after the modules are.
EXTRA_DIST += %D%/examples/fortran/transform.f90 %D%/examples/fortran/redistribute.f90 %D%/examples/fortran/navier_stokes.f90
if HAVE_FORTRAN
fortran_examples = %D%/examples/fortran/transform %D%/examples/fortran/redistribute %D%/examples/fortran/navier_stokes
noinst_PROGRAMS += $(fortran_examples)
TESTS += $(fortran_examples)
fortran_example_fcflags = $(FC_MODINC)bindings/fortran $(FC_MODOUT)%D%/examples/fortran
fortran_example_ldadd = libsubx_fortran.la libsubx_fft.la libsubx_io.la libsubx.la
%C%_examples_fortran_transform_SOURCES = %D%/examples/fortran/transform.f90
%C%_examples_fortran_transform_FCFLAGS = $(fortran_example_fcflags)
%C%_examples_fortran_transform_LDFLAGS =
%C%_examples_fortran_transform_LDADD = $(fortran_example_ldadd)
%C%_examples_fortran_redistribute_SOURCES = %D%/examples/fortran/redistribute.f90
%C%_examples_fortran_redistribute_FCFLAGS = $(fortran_example_fcflags)
%C%_examples_fortran_redistribute_LDFLAGS =
%C%_examples_fortran_redistribute_LDADD = $(fortran_example_ldadd)
%C%_examples_fortran_navier_stokes_SOURCES = %D%/examples/fortran/navier_stokes.f90
%C%_examples_fortran_navier_stokes_FCFLAGS = $(fortran_example_fcflags)
%C%_examples_fortran_navier_stokes_LDFLAGS =
%C%_examples_fortran_navier_stokes_LDADD = $(fortran_example_ldadd)
%D%/examples/fortran/transform-transform.$(OBJEXT) %D%/examples/fortran/redistribute-redistribute.$(OBJEXT) \
%D%/examples/fortran/navier_stokes-navier_stokes.$(OBJEXT): libsubx_fortran.la
CLEANFILES += %D%/examples/fortran/solver.mod
endif
