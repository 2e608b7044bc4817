# As in lib, the sources are compiled once for two libraries. Tests link libsubx_fft_core.la, which has all symbols. The
# installed library, libsubx_fft.la, exports only subx_*.
noinst_LTLIBRARIES += libsubx_fft_threads.la libsubx_fft_kernels.la libsubx_fft_core.la
lib_LTLIBRARIES += libsubx_fft.la

# The only file that is compiled for OpenMP.
libsubx_fft_threads_la_SOURCES = %D%/pass/threads.c
libsubx_fft_threads_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)

# The files for which the compiler needs most time: they have flags of their own.
libsubx_fft_kernels_la_SOURCES = %D%/simd/avx512.c %D%/simd/avx2.c %D%/simd/vector128.c
libsubx_fft_kernels_la_CFLAGS = $(AM_CFLAGS) $(SUBX_KERNEL_CFLAGS)

libsubx_fft_core_la_SOURCES = \
	%D%/limits/limits.h \
	%D%/simd/simd.h %D%/simd/prefetch.h %D%/simd/step.h %D%/simd/inside.h %D%/simd/transform.h %D%/simd/vector.h %D%/simd/constants.h \
	%D%/simd/parts_body.h %D%/simd/joined_body.h %D%/simd/butterfly_body.h %D%/simd/memory_body.h \
	%D%/simd/step_body.h %D%/simd/whole_body.h %D%/simd/line_body.h \
	%D%/simd/fold_body.h %D%/simd/short_body.h %D%/simd/short_real_body.h %D%/simd/across_body.h %D%/simd/kernel_body.h \
	%D%/simd/table.c %D%/simd/twiddles.c %D%/simd/radices.c %D%/simd/core.c %D%/simd/bluestein.c \
	%D%/simd/paired.c %D%/simd/cosine.c %D%/simd/hartley.c %D%/simd/first.c %D%/simd/fourth.c %D%/simd/across.c %D%/simd/program.c %D%/simd/kinds.c \
	%D%/simd/create.c %D%/simd/fast.c %D%/simd/execute.c %D%/simd/sweep.c \
	%D%/serial/serial.h %D%/serial/reals.h %D%/serial/table.c %D%/serial/inverse.c %D%/serial/axis.c %D%/serial/modes.c \
	%D%/serial/auto.c %D%/serial/notes.c %D%/serial/kernels.c \
	%D%/serial/naive_body.h %D%/serial/naive.c \
	%D%/pass/pass.h %D%/pass/inside.h %D%/pass/stretches.c %D%/pass/index.c %D%/pass/copies.c \
	%D%/pass/dealias.c %D%/pass/rows.c %D%/pass/fixes.c %D%/pass/floats.c %D%/pass/real_body.h %D%/pass/real.c %D%/pass/forms.c %D%/pass/kernels.c %D%/pass/list.c %D%/pass/regions.c %D%/pass/steps.c \
	%D%/pass/create.c %D%/pass/merge.c %D%/pass/pieces.c %D%/pass/transform.c %D%/pass/ahead.c %D%/pass/execute.c \
	%D%/machine/machine.h %D%/machine/placement.c %D%/machine/network.h %D%/machine/network.c %D%/machine/parameters.c %D%/machine/names.c \
	%D%/machine/binding.h %D%/machine/binding.c %D%/machine/domain.c %D%/machine/warning.c \
	%D%/machine/calibrate.h %D%/machine/calibrate.c %D%/machine/measure.c %D%/machine/rates.c %D%/machine/messages.c %D%/machine/device_rates.c \
	%D%/wisdom/wisdom.h %D%/wisdom/inside.h %D%/wisdom/path.c %D%/wisdom/line.c %D%/wisdom/set.c %D%/wisdom/lock.c \
	%D%/wisdom/file.c %D%/wisdom/find.c %D%/wisdom/put.c %D%/wisdom/wisdom.c \
	%D%/tune/tune.h %D%/tune/compare.c %D%/tune/simplex.c \
	%D%/problem/problem.h %D%/problem/names.c %D%/problem/check.c %D%/problem/boxes.c %D%/problem/create.c \
	%D%/problem/equal.c %D%/problem/set.c %D%/problem/get.c %D%/problem/print.c %D%/problem/parse.c \
	%D%/array/array.h %D%/array/axes.c %D%/array/split_length.c %D%/array/frequency.c %D%/array/box.c %D%/array/edge.c \
	%D%/array/reuse.c \
	%D%/operation/operation.h %D%/operation/create.c %D%/operation/rows.c %D%/operation/real_body.h \
	%D%/operation/real.c %D%/operation/table.c %D%/operation/wavenumbers.c \
	%D%/strategy/strategy.h %D%/strategy/strategies.c %D%/hints/hints.h %D%/hints/hints.c %D%/hints/engines.c \
	%D%/choice/choice.h %D%/choice/choice.c %D%/choice/blocks.c \
	%D%/stages/stages.h %D%/stages/block.c %D%/stages/list.c %D%/stages/local.c %D%/stages/stage.c \
	%D%/model/model.h %D%/model/price.c %D%/model/host_price.c %D%/model/device_price.c %D%/model/grid_prices.c %D%/model/fewer_ranks.c \
	%D%/decision/decision.h %D%/decision/decide.c %D%/decision/grid.c %D%/decision/ranks.c %D%/decision/rank_order.c \
	%D%/plan/plan.h %D%/plan/list.h %D%/plan/plan.c %D%/plan/list.c %D%/plan/walk.c %D%/plan/order.c %D%/plan/execute.c %D%/plan/flight.c %D%/plan/free_memory.c %D%/plan/lost_features.c %D%/plan/effect.c %D%/plan/wire.c \
	%D%/plan/query.c %D%/plan/info.c \
	%D%/keep/keep.h %D%/keep/keep.c \
	%D%/explain/explain.h %D%/explain/explain.c %D%/explain/verbose.c \
	%D%/search/search.h %D%/search/space.c %D%/search/variants.c %D%/search/candidates.c %D%/search/arrays.c %D%/search/measure.c %D%/search/entries.c \
	%D%/search/recall.c %D%/search/remember.c %D%/search/create.c %D%/search/machine.c %D%/search/caller.c \
	%D%/predict/predict.h %D%/predict/machine.c %D%/predict/predict.c %D%/predict/print.c \
	%D%/fused/fused.h %D%/fused/strategy.c %D%/fused/axes.c %D%/fused/create.c %D%/fused/blocks.c %D%/fused/factored_axis.c %D%/fused/pipes.c \
	%D%/fused/slices.c %D%/fused/rings.c %D%/fused/passes.c %D%/fused/tile_size.c %D%/fused/list.c %D%/fused/execute.c \
	%D%/staged/staged.h %D%/staged/strategies.c %D%/staged/create.c %D%/staged/execute.c \
	%D%/offload/offload.h %D%/offload/strategy.c %D%/offload/create.c %D%/offload/wire.c %D%/offload/exchange.c %D%/offload/blocks.c %D%/offload/execute.c %D%/offload/stream.c \
	%D%/offload/wide.c %D%/offload/fold.c %D%/offload/group.c %D%/offload/operate.c %D%/offload/factored_axis.c %D%/offload/transform.c
libsubx_fft_core_la_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
libsubx_fft_core_la_LIBADD = fft/facts/libfacts.la libsubx_fft_threads.la libsubx_fft_kernels.la $(HWLOC_LIBS) -lm
if HAVE_FFTW3
libsubx_fft_core_la_SOURCES += %D%/serial/fftw3_body.h %D%/serial/fftw3.c
libsubx_fft_core_la_CPPFLAGS += $(FFTW3_CFLAGS)
libsubx_fft_core_la_LIBADD += $(FFTW3_LIBS) $(FFTW3F_LIBS) $(FFTW3L_LIBS) $(FFTW3Q_LIBS)
else
libsubx_fft_core_la_SOURCES += %D%/serial/nofftw3.c
endif

libsubx_fft_la_SOURCES =
libsubx_fft_la_LIBADD = libsubx_fft_core.la libsubx_device.la libsubx_base.la libsubx.la
libsubx_fft_la_LDFLAGS = -version-info 5:0:1 -no-undefined $(SUBX_LIBRARY_LDFLAGS)
if HAVE_VERSION_SCRIPT
libsubx_fft_la_LDFLAGS += -Wl,--version-script=$(srcdir)/%D%/libsubx_fft.map
endif
EXTRA_libsubx_fft_la_DEPENDENCIES = %D%/libsubx_fft.map
EXTRA_DIST += %D%/libsubx_fft.map

# The device cuda is a library of its own, which libsubx and libsubx_fft load when an exchange or a plan asks for this device. nvcc calls MPI's
# compiler ($(CC)), so that it finds mpi.h; MPI's compiler does not link.
if HAVE_CUDA
cudalibdir = $(libdir)
cudalib_DATA = libsubx_cuda.so
libsubx_cuda.so: %D%/cuda/cuda.cu %D%/cuda/permute.h lib/base/limits.h lib/device/device.h lib/device/kernel_body.h lib/device/kernel_copy_body.h lib/device/kernel_fold_body.h lib/device/kernel_real_body.h config.h
	$(AM_V_GEN)$(NVCC) $(NVCCFLAGS) -std=c++17 -ccbin "$(CC)" -Xcompiler -fPIC,-fvisibility=hidden \
		-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I. $(AM_CPPFLAGS) -c -o libsubx_cuda.o $(srcdir)/%D%/cuda/cuda.cu && \
	$(NVCC) -shared -Xlinker --exclude-libs=ALL -o $@ libsubx_cuda.o -lcufft -ldl
endif
CLEANFILES += libsubx_cuda.so libsubx_cuda.o
EXTRA_DIST += %D%/cuda/cuda.cu %D%/cuda/permute.h

# Descriptions, for the library and for its programs.
noinst_LTLIBRARIES += %D%/facts/libfacts.la
%C%_facts_libfacts_la_SOURCES = %D%/facts/facts.h \
	%D%/facts/facts.c %D%/facts/text.c %D%/facts/json.c %D%/facts/csv.c

# Transforms by their definition, with which programs and tests compare the library. No part of the library.
noinst_LTLIBRARIES += %D%/definition/libdefinition.la
%C%_definition_libdefinition_la_SOURCES = %D%/definition/definition.h \
	%D%/definition/matrix.c %D%/definition/array.c %D%/definition/real.c

include fft/cli/local.mk
include fft/wisdom_cli/local.mk
