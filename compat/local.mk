# The drop-ins: separate shared libraries. No other library or program of ours is linked with them.
include compat/fftw3mpi/local.mk
include compat/pmpi/local.mk
