# What is written from the public headers, and what writes it.
EXTRA_DIST += %D%/headers.py %D%/generate.py %D%/write_python.py
EXTRA_DIST += %D%/python/subarray_x/_raw.py
