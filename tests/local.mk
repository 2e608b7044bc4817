# The tests: C programs and shell scripts. tests/common/launch runs each program on the numbers of ranks that its source
# asks for. Unit tests include private headers and need the Check library; tests in mpi include installed headers and
# subx_lowlevel.h.

# Lists of tests, which the targets of the sanitizers use, and which people can give to make check TESTS=.
unit_tests =
plain_units =
mpi_tests = \
	%D%/mpi/grid %D%/mpi/many %D%/mpi/exch_random %D%/mpi/exch_errors %D%/mpi/realign %D%/mpi/shm \
	%D%/mpi/boxes %D%/mpi/boxes_errors %D%/mpi/halo %D%/mpi/pipe %D%/mpi/pipe_errors %D%/mpi/file %D%/mpi/machine \
	%D%/mpi/fft_c2c %D%/mpi/fft_r2c %D%/mpi/fft_plan \
	%D%/mpi/fft_operation %D%/mpi/fft_derivative \
	%D%/mpi/hint_names %D%/mpi/fft_hints %D%/mpi/fft_threads %D%/mpi/fft_single %D%/mpi/fft_far %D%/mpi/fft_rings %D%/mpi/fft_start %D%/mpi/fft_wire %D%/mpi/fft_lost %D%/mpi/wrong_rank %D%/mpi/fft_keep \
	%D%/mpi/fft_ranks %D%/mpi/fft_ranks_auto %D%/mpi/fft_calibrate %D%/mpi/fft_wisdom %D%/mpi/tune \
	%D%/mpi/fft_problem_errors %D%/mpi/fft_problem_place %D%/mpi/fft_cyclic %D%/mpi/exch_device %D%/mpi/device_carrier %D%/mpi/fft_device %D%/mpi/fft_stream %D%/mpi/fft_device_search %D%/mpi/fft_device_wire %D%/mpi/fft_device_keep
fault_tests = %D%/fault/engine %D%/fault/types %D%/fault/allocations %D%/fault/pieces %D%/fault/segments \
	%D%/fault/calls %D%/fault/file
# Tests that run under the sanitizers: first for addresses and undefined behaviour, then for threads.
sanitize_tests = \
	%D%/mpi/exch_random %D%/mpi/exch_errors %D%/mpi/realign %D%/mpi/boxes %D%/mpi/boxes_errors %D%/mpi/halo \
	%D%/mpi/shm %D%/mpi/pipe %D%/mpi/pipe_errors %D%/mpi/file %D%/mpi/machine %D%/mpi/fft_plan \
	%D%/mpi/fft_operation %D%/mpi/fft_derivative %D%/mpi/fft_rings %D%/mpi/fft_hints \
	%D%/mpi/fft_problem_errors %D%/mpi/fft_problem_place %D%/mpi/fft_cyclic %D%/mpi/fft_single \
	%D%/mpi/fft_ranks %D%/mpi/fft_calibrate %D%/mpi/fft_wisdom %D%/mpi/exch_device %D%/mpi/device_carrier %D%/mpi/fft_device %D%/mpi/fft_stream %D%/mpi/fft_device_search %D%/mpi/fft_device_wire %D%/mpi/fft_device_keep %D%/mpi/fft_start $(fault_tests) $(fftw3mpi_tests)
sanitize_scripts = %D%/compat/pmpi_random.sh %D%/compat/pmpi_threads.sh
thread_scripts = %D%/compat/pmpi_threads.sh
thread_tests = %D%/mpi/fft_threads %D%/thread/plans
random_tests = %D%/random/fft %D%/random/wire
# plain_tests and plain_scripts do the same with any MPI, as the unit tests in plain_units do. mpi_scripts depend on the MPI.
plain_tests = %D%/mpi/fft_ranks_auto
plain_scripts = \
	%D%/api/layers.sh %D%/api/calls.sh %D%/api/names.sh %D%/api/format.sh %D%/api/features.sh %D%/api/grammar.sh %D%/api/abi.sh \
	%D%/golden/help.sh %D%/golden/problem.sh %D%/golden/wisdom.sh %D%/golden/topology.sh %D%/golden/predict.sh %D%/perf/plot.sh \
	%D%/perf/rows.sh %D%/perf/reproduce.sh %D%/perf/scale.sh %D%/api/neighbours.sh
mpi_scripts = \
	%D%/api/symbols.sh %D%/api/cuda.sh %D%/api/headers.sh %D%/mpi/plain.sh \
	%D%/golden/errors.sh %D%/golden/lists.sh %D%/golden/plan.sh %D%/golden/explain.sh %D%/random/commands.sh \
	%D%/peer/numpy.sh %D%/peer/scipy.sh %D%/peer/files.sh %D%/python/package.sh %D%/net/two_hosts.sh
mpi_scripts += %D%/device/programs.sh %D%/device/dry.sh %D%/api/cplusplus.sh %D%/api/manual.sh %D%/peer/moving.sh
script_tests = $(plain_scripts) $(mpi_scripts)

tests_cppflags = -I$(top_srcdir)/include -I$(top_srcdir)/lib/lowlevel -I$(top_srcdir)/tests
tests_private_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
# All programs here include headers of tests/common.
AM_CPPFLAGS += -I$(top_srcdir)/tests
tests_ldadd = %D%/common/libcommon.la libsubx_fft.la libsubx.la -lm
tests_private_ldadd = %D%/common/libcommon.la libsubx_fft_core.la libsubx_core.la -lm

check_LTLIBRARIES += %D%/common/libcommon.la
%C%_common_libcommon_la_SOURCES = \
	%D%/common/array.h %D%/common/array.c \
	%D%/common/arrays.h %D%/common/arrays.c \
	%D%/common/boxes.h %D%/common/boxes.c \
	%D%/common/engine.h %D%/common/engine.c \
	%D%/common/field.h %D%/common/field.c \
	%D%/common/hints.h %D%/common/hints.c \
	%D%/common/locale.h %D%/common/locale.c \
	%D%/common/main.c %D%/common/maps.h %D%/common/maps.c \
	%D%/common/nested.h %D%/common/nested.c \
	%D%/common/on_device.h %D%/common/on_device.c %D%/common/on_device_fault.c \
	%D%/common/plan.h %D%/common/plan.c \
	%D%/common/random.h %D%/common/random.c \
	%D%/common/traversal.h %D%/common/traversal.c \
	%D%/common/transform.h %D%/common/transform.c \
	%D%/common/verdict.h %D%/common/verdict.c \
	%D%/common/wisdom.h %D%/common/wisdom.c %D%/common/worst.h
%C%_common_libcommon_la_LIBADD = fft/definition/libdefinition.la

# launch preloads this library. Because of -rpath, libtool builds a shared library, which is not installed.
noinst_LTLIBRARIES += %D%/common/libyield.la
%C%_common_libyield_la_SOURCES = %D%/common/yield.c
%C%_common_libyield_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)
%C%_common_libyield_la_LIBADD = -ldl

if HAVE_CHECK
plain_units += \
	%D%/unit/base %D%/unit/kern %D%/unit/problem %D%/unit/simd %D%/unit/serial %D%/unit/notes \
	%D%/unit/pass %D%/unit/tune %D%/unit/machine %D%/unit/wisdom %D%/unit/wisdom_jobs
unit_tests += \
	$(plain_units) %D%/unit/subarray %D%/unit/device %D%/unit/explain %D%/unit/huge_fft %D%/unit/errors %D%/unit/mem %D%/unit/walk
check_LTLIBRARIES += %D%/common/libunit.la
%C%_common_libunit_la_SOURCES = %D%/common/unit.h %D%/common/unit.c %D%/unit/main.c
%C%_common_libunit_la_CPPFLAGS = $(tests_cppflags) $(CHECK_CFLAGS)
endif

unit_cppflags = $(tests_private_cppflags) $(CHECK_CFLAGS)
# Programs that say nothing else are unit tests.
LDADD = %D%/common/libunit.la $(tests_private_ldadd) $(CHECK_LIBS) $(HWLOC_LIBS)
%C%_unit_base_SOURCES = %D%/unit/base.c %D%/unit/block.c
%C%_unit_base_CPPFLAGS = $(unit_cppflags)
%C%_unit_kern_SOURCES = %D%/unit/kern.c %D%/unit/copy.c
%C%_unit_kern_CPPFLAGS = $(unit_cppflags)
%C%_unit_problem_SOURCES = %D%/unit/problem.c %D%/unit/problem_text.c %D%/unit/problem_help.c %D%/unit/problem_help.h
%C%_unit_problem_CPPFLAGS = $(unit_cppflags)
%C%_unit_simd_CPPFLAGS = $(unit_cppflags)
%C%_unit_serial_SOURCES = %D%/unit/serial.c %D%/unit/real.h
%C%_unit_serial_CPPFLAGS = $(unit_cppflags)
%C%_unit_device_SOURCES = %D%/unit/device.c %D%/unit/copy_device.c %D%/unit/fake_device.h
%C%_unit_device_CPPFLAGS = $(unit_cppflags)
%C%_unit_notes_SOURCES = %D%/unit/notes.c %D%/unit/real.h
%C%_unit_notes_CPPFLAGS = $(unit_cppflags) $(FFTW3_CFLAGS)
%C%_unit_pass_CPPFLAGS = $(unit_cppflags)
%C%_unit_tune_SOURCES = %D%/unit/tune.c %D%/unit/simplex.c
%C%_unit_tune_CPPFLAGS = $(unit_cppflags)
%C%_unit_machine_SOURCES = \
	%D%/unit/machine.c %D%/unit/binding.c %D%/unit/network.c %D%/unit/partners.h %D%/unit/grids.c %D%/unit/predict.c
%C%_unit_machine_CPPFLAGS = $(unit_cppflags) $(HWLOC_CFLAGS)
%C%_unit_wisdom_SOURCES = %D%/unit/wisdom.c %D%/unit/wisdom_damage.c %D%/unit/wisdom_help.c %D%/unit/wisdom_help.h
%C%_unit_wisdom_CPPFLAGS = $(unit_cppflags)
%C%_unit_wisdom_jobs_SOURCES = %D%/unit/wisdom_jobs.c %D%/unit/wisdom_help.c %D%/unit/wisdom_help.h
%C%_unit_wisdom_jobs_CPPFLAGS = $(unit_cppflags)
%C%_unit_subarray_SOURCES = \
	%D%/unit/subarray.c %D%/unit/introspect.c %D%/unit/decode.c %D%/unit/pack.c %D%/unit/match.c %D%/unit/fileview.c \
	%D%/unit/print.c %D%/unit/huge.c
%C%_unit_subarray_CPPFLAGS = $(unit_cppflags)
%C%_unit_explain_CPPFLAGS = $(unit_cppflags)
%C%_unit_huge_fft_CPPFLAGS = $(unit_cppflags)
%C%_unit_errors_SOURCES = %D%/unit/errors.c %D%/unit/quirk.c %D%/unit/dims.c
%C%_unit_errors_CPPFLAGS = $(unit_cppflags)
%C%_unit_mem_CPPFLAGS = $(unit_cppflags)
%C%_unit_walk_CPPFLAGS = $(unit_cppflags)

%C%_mpi_grid_LDADD = $(tests_ldadd)
%C%_mpi_many_LDADD = $(tests_ldadd)
%C%_mpi_exch_errors_LDADD = $(tests_ldadd)
%C%_mpi_realign_LDADD = $(tests_ldadd)
%C%_mpi_shm_LDADD = $(tests_ldadd)
%C%_mpi_boxes_LDADD = $(tests_ldadd)
%C%_mpi_boxes_errors_LDADD = $(tests_ldadd)
%C%_mpi_pipe_LDADD = $(tests_ldadd)
%C%_mpi_pipe_errors_LDADD = $(tests_ldadd)
%C%_mpi_fft_c2c_LDADD = $(tests_ldadd)
%C%_mpi_fft_r2c_LDADD = $(tests_ldadd)
%C%_mpi_fft_plan_LDADD = $(tests_ldadd)
%C%_mpi_fft_hints_LDADD = $(tests_ldadd)
%C%_mpi_fft_threads_LDADD = $(tests_ldadd)
%C%_mpi_fft_single_LDADD = $(tests_ldadd)
%C%_mpi_fft_far_LDADD = $(tests_ldadd)
%C%_mpi_fft_rings_LDADD = $(tests_ldadd)
%C%_mpi_fft_start_LDADD = $(tests_ldadd)
%C%_mpi_fft_wire_LDADD = $(tests_ldadd)
%C%_mpi_wrong_rank_LDADD = $(tests_ldadd)
%C%_mpi_fft_calibrate_LDADD = $(tests_ldadd)
%C%_mpi_fft_problem_errors_LDADD = $(tests_ldadd)
%C%_mpi_fft_problem_place_LDADD = $(tests_ldadd)
%C%_mpi_fft_cyclic_LDADD = $(tests_ldadd)
%C%_thread_plans_LDADD = $(tests_ldadd)
# Tests that call private functions, use the fake device, or let allocations fail, are linked with static libraries.
%C%_mpi_pipe_SOURCES = %D%/mpi/pipe.c %D%/mpi/pipe_help.h %D%/mpi/pipe_help.c
%C%_mpi_pipe_errors_SOURCES = %D%/mpi/pipe_errors.c %D%/mpi/pipe_help.h %D%/mpi/pipe_help.c
%C%_mpi_file_SOURCES = %D%/mpi/file.c %D%/mpi/file_errors.c %D%/mpi/file_help.h %D%/mpi/file_help.c
%C%_mpi_file_LDADD = %D%/common/libcommon.la libsubx_io.la libsubx.la -lm
%C%_mpi_hint_names_LDADD = libsubx_io.la $(tests_ldadd)
%C%_mpi_fft_wire_SOURCES = %D%/mpi/fft_wire.c %D%/mpi/wire_range.h
%C%_mpi_machine_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
%C%_mpi_machine_LDADD = $(tests_private_ldadd) $(HWLOC_LIBS)
%C%_mpi_fft_wisdom_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_ranks_SOURCES = %D%/mpi/fft_ranks.c %D%/mpi/communicators.h %D%/mpi/communicators.c
%C%_mpi_fft_ranks_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_ranks_auto_SOURCES = %D%/mpi/fft_ranks_auto.c %D%/mpi/communicators.h %D%/mpi/communicators.c
%C%_mpi_fft_ranks_auto_LDADD = $(tests_private_ldadd)
%C%_mpi_device_carrier_LDADD = $(tests_private_ldadd)
%C%_mpi_exch_device_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_device_SOURCES = %D%/mpi/fft_device.c $(random_sources) %D%/random/refusal.h %D%/random/refusal.c
%C%_mpi_fft_device_search_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_device_keep_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_stream_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_device_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_device_wire_SOURCES = %D%/mpi/fft_device_wire.c %D%/mpi/wire_range.h
%C%_mpi_fft_device_wire_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_keep_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_lost_LDADD = $(tests_private_ldadd)
%C%_mpi_exch_random_LDADD = $(tests_private_ldadd)
%C%_mpi_halo_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_derivative_LDADD = $(tests_private_ldadd)
%C%_mpi_fft_operation_LDADD = $(tests_private_ldadd)
%C%_mpi_tune_LDADD = $(tests_private_ldadd)

random_sources = \
	%D%/random/bound.h %D%/random/bound.c \
	%D%/random/create.c \
	%D%/random/definition.h %D%/random/definition.c \
	%D%/random/hint.c \
	%D%/random/part.h %D%/random/part.c \
	%D%/random/problem.h %D%/random/problem.c \
	%D%/random/storage.h %D%/random/storage.c \
	%D%/random/text.c \
	%D%/random/watch.h %D%/random/watch.c %D%/unit/real.h
%C%_random_fft_SOURCES = %D%/random/fft.c $(random_sources) \
	%D%/random/refusal.h %D%/random/refusal.c \
	%D%/random/trial.h %D%/random/trial.c
%C%_random_fft_CPPFLAGS = $(tests_private_cppflags)
%C%_random_fft_LDADD = $(tests_private_ldadd)
%C%_random_wire_SOURCES = %D%/random/wire.c $(random_sources)
%C%_random_wire_CPPFLAGS = $(tests_private_cppflags)
%C%_random_wire_LDADD = $(tests_private_ldadd)

# The allocator that fails on demand is inside the libraries, so these tests are linked with static libraries.
%C%_fault_engine_LDADD = $(tests_private_ldadd)
%C%_fault_types_LDADD = $(tests_private_ldadd)
%C%_fault_allocations_SOURCES = %D%/fault/allocations.c %D%/fault/problems.h %D%/fault/problems.c
%C%_fault_allocations_LDADD = $(tests_private_ldadd)
%C%_fault_pieces_SOURCES = %D%/fault/pieces.c %D%/fault/problems.h %D%/fault/problems.c %D%/mpi/pipe_help.h %D%/mpi/pipe_help.c
%C%_fault_pieces_LDADD = $(tests_private_ldadd)
%C%_fault_segments_LDADD = $(tests_private_ldadd)
%C%_fault_calls_SOURCES = %D%/fault/calls.c %D%/fault/intercept.h %D%/fault/intercept.c %D%/fault/problems.h \
	%D%/fault/problems.c
%C%_fault_calls_LDADD = $(tests_private_ldadd) -ldl

%C%_fault_file_LDADD = %D%/common/libcommon.la libsubx_io_core.la libsubx_core.la

# Programs that know the fake device: the same sources, linked with the file that creates it.
device_programs = %D%/device/subx_fft %D%/device/subx_perf_order
%C%_device_subx_perf_order_SOURCES = %D%/device/start.c $(subx_perf_order_SOURCES)
%C%_device_subx_perf_order_CPPFLAGS = $(perf_cppflags) $(AM_CPPFLAGS)
%C%_device_subx_perf_order_LDADD = perf/common/libperf.la libsubx_core.la -lm
%C%_device_subx_fft_SOURCES = %D%/device/start.c $(subx_fft_SOURCES)
%C%_device_subx_fft_CPPFLAGS = $(tests_private_cppflags)
%C%_device_subx_fft_LDADD = fft/definition/libdefinition.la libsubx_io_core.la libsubx_fft_core.la libsubx_core.la -lm

if HAVE_FFTW3
device_programs += %D%/device/subx_perf_fft
endif
%C%_device_subx_perf_fft_SOURCES = %D%/device/start.c $(subx_perf_fft_SOURCES)
%C%_device_subx_perf_fft_CPPFLAGS = $(subx_perf_fft_CPPFLAGS)
%C%_device_subx_perf_fft_LDADD = $(fft_adapters) perf/common/libperf.la libsubx_fft_core.la libsubx_core.la $(neighbour_libs) \
	$(FFTW3_LIBS) -lm

program_tests = $(unit_tests) $(mpi_tests) $(random_tests) $(fault_tests) %D%/thread/plans
# files.sh runs recode, topology.sh runs topology.
check_PROGRAMS += $(program_tests) $(device_programs) %D%/peer/recode %D%/golden/topology %D%/golden/lists
%C%_peer_recode_CPPFLAGS = -I$(top_srcdir)/include
%C%_peer_recode_LDADD = libsubx_io.la libsubx.la
%C%_golden_topology_CPPFLAGS = $(tests_private_cppflags)
%C%_golden_topology_LDADD = $(tests_private_ldadd)

TESTS += $(program_tests) $(script_tests)
EXTRA_DIST += \
	$(script_tests) %D%/common/launch %D%/common/shell.sh %D%/golden/fused.txt %D%/golden/stride1.txt %D%/golden/natural.txt \
	%D%/golden/lists.txt %D%/golden/topology.txt %D%/random/commands.awk \
	%D%/api/abi/interface \
	%D%/peer/checker.py %D%/peer/compare.py %D%/peer/kinds.py %D%/peer/files.py %D%/peer/ranks.py %D%/net/hosts %D%/net/slurm %D%/packages/python.sh %D%/device/run

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/common/launch
test_yield = $(abs_top_builddir)/tests/common/.libs/libyield.so
AM_TESTS_ENVIRONMENT = \
	CC='$(CC)' FC='$(FC)' NM='$(NM)' MPIEXEC='$(MPIEXEC)' PYTHON3='$(PYTHON3)' CK_FORK=no SUBX_WISDOM=none; \
	SUBX_FFT='$(abs_top_builddir)/subx-fft' top_builddir='$(abs_top_builddir)'; \
	TEST_YIELD='$(test_yield)'; \
	export CC FC NM MPIEXEC PYTHON3 CK_FORK SUBX_WISDOM SUBX_FFT top_builddir TEST_YIELD;

include tests/compat/fftw3mpi.mk
include tests/compat/pmpi.mk
include tests/compat/fftw3mpi_peer.mk
include tests/packages/local.mk
include tests/fortran/local.mk
