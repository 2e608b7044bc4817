# The programs that write bindings from the public headers.
EXTRA_DIST += %D%/headers.py %D%/generate.py %D%/write_python.py %D%/write_fortran.py %D%/write_fortran_raw.py

# What they write. make writes these files into the build folder; a release has them, and needs no Python.
fortran_written = \
	%D%/fortran/subx_c.f90 %D%/fortran/subx_boxes_c.f90 %D%/fortran/subx_fft_c.f90 %D%/fortran/subx_tune_c.f90 \
	%D%/fortran/subx_io_c.f90 %D%/fortran/subx.f90 %D%/fortran/subx_fft.f90 %D%/fortran/subx_io.f90
python_written = %D%/python/subarray_x/_raw.py
$(fortran_written) $(python_written): \
	$(include_HEADERS) %D%/headers.py %D%/generate.py %D%/write_python.py %D%/write_fortran.py %D%/write_fortran_raw.py
	$(AM_V_GEN)$(PYTHON3) -B $(srcdir)/%D%/generate.py $@
MAINTAINERCLEANFILES = $(fortran_written) $(python_written)

# The Python package. pip installs it, make does not.
python_package = \
	%D%/python/subarray_x/__init__.py %D%/python/subarray_x/py.typed \
	%D%/python/subarray_x/_arguments.py %D%/python/subarray_x/_error.py \
	%D%/python/subarray_x/_gather.py %D%/python/subarray_x/_library.py %D%/python/subarray_x/_lifetime.py \
	%D%/python/subarray_x/_mpi.py %D%/python/subarray_x/_together.py \
	%D%/python/subarray_x/arrays.py %D%/python/subarray_x/exchange.py %D%/python/subarray_x/fft.py \
	%D%/python/subarray_x/files.py %D%/python/subarray_x/problem.py %D%/python/subarray_x/types.py \
	%D%/python/subarray_x/mpi4py_fft/__init__.py %D%/python/subarray_x/mpi4py_fft/__main__.py \
	%D%/python/subarray_x/mpi4py_fft/distarray.py %D%/python/subarray_x/mpi4py_fft/fftw.py \
	%D%/python/subarray_x/mpi4py_fft/io.py %D%/python/subarray_x/mpi4py_fft/libfft.py \
	%D%/python/subarray_x/mpi4py_fft/mpifft.py %D%/python/subarray_x/mpi4py_fft/pencil.py %D%/python/subarray_x/mpi4py_fft/xdmf.py
EXTRA_DIST += \
	$(python_package) $(python_written) %D%/python/build_backend.py %D%/python/wheel.sh %D%/python/README pyproject.toml \
	%D%/python/tests/notebook.py %D%/python/tests/all.py %D%/python/tests/check.py %D%/python/tests/test_arrays.py %D%/python/tests/test_docs.py \
	%D%/python/tests/test_dropin.py %D%/python/tests/test_errors.py \
	%D%/python/tests/test_together.py \
	%D%/python/tests/test_fft.py

# The build folder has the whole package, for tests: links to the modules of the sources, beside the module that is written.
all-local: python-links
python-links: $(python_written)
	@for file in $(python_package) $(python_written); do test -e $$file || \
		{ $(MKDIR_P) `dirname $$file` && rm -f $$file && $(LN_S) $(abs_srcdir)/$$file $$file; } || exit 1; done
clean-python:
	@for file in $(python_package) $(python_written); do test ! -h $$file || rm -f $$file; done
.PHONY: python-links clean-python
