# The drop-ins: shared libraries of their own, which nothing of ours is linked with.
include compat/fftw3mpi/local.mk
include compat/pmpi/local.mk
