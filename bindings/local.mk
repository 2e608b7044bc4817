# The programs that write bindings from the public headers.
EXTRA_DIST += %D%/headers.py %D%/generate.py %D%/write_python.py

# The Python package. pip installs it, make does not.
EXTRA_DIST += \
	%D%/python/subarray_x/__init__.py %D%/python/subarray_x/py.typed \
	%D%/python/subarray_x/_raw.py %D%/python/subarray_x/_arguments.py %D%/python/subarray_x/_error.py \
	%D%/python/subarray_x/_gather.py %D%/python/subarray_x/_library.py %D%/python/subarray_x/_lifetime.py \
	%D%/python/subarray_x/_mpi.py %D%/python/subarray_x/_together.py \
	%D%/python/subarray_x/arrays.py %D%/python/subarray_x/exchange.py %D%/python/subarray_x/fft.py \
	%D%/python/subarray_x/files.py %D%/python/subarray_x/problem.py %D%/python/subarray_x/types.py \
	%D%/python/subarray_x/mpi4py_fft/__init__.py %D%/python/subarray_x/mpi4py_fft/__main__.py \
	%D%/python/subarray_x/mpi4py_fft/distarray.py %D%/python/subarray_x/mpi4py_fft/fftw.py \
	%D%/python/subarray_x/mpi4py_fft/io.py %D%/python/subarray_x/mpi4py_fft/libfft.py \
	%D%/python/subarray_x/mpi4py_fft/mpifft.py %D%/python/subarray_x/mpi4py_fft/pencil.py %D%/python/subarray_x/mpi4py_fft/xdmf.py \
	%D%/python/build_backend.py %D%/python/wheel.sh %D%/python/README pyproject.toml \
	%D%/python/tests/notebook.py %D%/python/tests/all.py %D%/python/tests/check.py %D%/python/tests/test_arrays.py %D%/python/tests/test_docs.py \
	%D%/python/tests/test_dropin.py %D%/python/tests/test_errors.py \
	%D%/python/tests/test_together.py \
	%D%/python/tests/test_fft.py
