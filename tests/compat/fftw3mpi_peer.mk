# Programs that were written for FFTW test libsubx_fftw3mpi. A test is skipped if its program or FFTW's sources are missing.
compat_peer_tests = %D%/fftw_f03.sh %D%/fftw_local.sh tests/peer/fftw_bench.sh
TESTS += $(compat_peer_tests)
EXTRA_DIST += $(compat_peer_tests) %D%/fftw_f03.f90 %D%/local/host.c %D%/local/plans.c %D%/local/threads.c \
	tests/peer/fftw_tools.sh tests/peer/fftw_patterns.sh
