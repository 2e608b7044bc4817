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
	%D%/examples/16_gradient
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

# A generator alone proves nothing: the script compares its files with NumPy's.
TESTS += $(doc_examples) %D%/examples/check_taylor_green.sh
EXTRA_DIST += %D%/features %D%/dropins %D%/tuning %D%/upgrading %D%/examples/README %D%/examples/check_taylor_green.sh
EXTRA_DIST += \
	%D%/measured/README %D%/measured/accuracy.csv %D%/measured/order-openmpi.png %D%/measured/order-openmpi.svg \
	%D%/measured/order-mpich.png %D%/measured/order-mpich.svg \
	%D%/measured/fft-openmpi-2.png %D%/measured/fft-openmpi-2.svg \
	%D%/measured/fft-openmpi-4.png %D%/measured/fft-openmpi-4.svg
