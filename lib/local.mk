# All sources are compiled once, into libsubx_core.la. Unit tests link libsubx_core.la, and so can call every function.
# The installed libsubx.la has the same objects, but exports only subx_*. Each of the other libraries contains its own
# copy of the folder base without error.c and query.c. This is possible because the folder is small and only tests change its state
# (overrides.c).
noinst_LTLIBRARIES += libsubx_base.la libsubx_device.la libsubx_threads.la libsubx_core.la
lib_LTLIBRARIES += libsubx.la

libsubx_base_la_SOURCES = %D%/lowlevel/subx_lowlevel.h \
	%D%/base/base.h %D%/base/limits.h %D%/base/mem.c %D%/base/overrides.c %D%/base/arith.c %D%/base/box.c %D%/base/hash.c %D%/base/text.c %D%/base/number.c %D%/base/limit.c %D%/base/place.c \
	%D%/base/hint.c %D%/base/names.c %D%/base/words.c %D%/base/tune.c %D%/base/agree.c %D%/base/relax.c %D%/base/crowded.c %D%/base/beside.c

# libsubx and libsubx_fft have a copy of the folder device each, as of the folder base.
libsubx_device_la_SOURCES = \
	%D%/device/device.h %D%/device/kernel_body.h %D%/device/kernel_copy_body.h %D%/device/kernel_fold_body.h %D%/device/kernel_real_body.h %D%/device/nest.c %D%/device/find.c %D%/device/text.c %D%/device/messages.c \
	%D%/device/fake.h %D%/device/fake.c %D%/device/fake_memory.c %D%/device/fake_stream.c %D%/device/fake_transform.c

# Only threads.c is compiled with OpenMP.
libsubx_threads_la_SOURCES = %D%/kern/threads.c
libsubx_threads_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)

libsubx_core_la_SOURCES = \
	%D%/base/error.c %D%/base/query.c \
	%D%/block/block.c \
	%D%/layout/layout.h %D%/layout/layout.c \
	%D%/kern/kern.h %D%/kern/loop.h %D%/kern/plane.h %D%/kern/staging.h %D%/kern/stream.h %D%/kern/transpose.h \
	%D%/kern/table.c %D%/kern/scalar.c %D%/kern/cache_sizes.c %D%/kern/plane.c %D%/kern/copy_patches.c %D%/kern/staging.c %D%/kern/blocked.c \
	%D%/kern/rows.c %D%/kern/stream.c %D%/kern/transpose_avx2.c %D%/kern/transpose_avx512.c %D%/kern/transpose_neon.c \
	%D%/copy/copy.h %D%/copy/copy.c %D%/copy/nest.c %D%/copy/on_device.c \
	%D%/type/type.h %D%/type/attribute.c %D%/type/contents.c %D%/type/create.c %D%/type/fileview.c \
	%D%/type/get.c %D%/type/subarray_levels.c %D%/type/hvectors.c %D%/type/pack.c %D%/type/print.c \
	%D%/type/signature.c %D%/type/layout.c %D%/type/decode.c \
	%D%/mem/mem.h %D%/mem/identity.c %D%/mem/list.c %D%/mem/nodes.c %D%/mem/memory_file.c %D%/mem/segment.c \
	%D%/comm/comm.h %D%/comm/comm.c %D%/comm/node_numbers.c %D%/comm/counters.c %D%/comm/distance.c %D%/comm/address.c %D%/comm/alloc.c \
	%D%/grid/dims.c %D%/grid/grid.c \
	%D%/message/message.h %D%/message/message.c \
	%D%/pipe/pipe.h %D%/pipe/hints.c %D%/pipe/create.c %D%/pipe/pipe.c %D%/pipe/signals.c %D%/pipe/areas.c \
	%D%/pipe/epoch.c %D%/pipe/collective.h %D%/pipe/collective.c \
	%D%/pipe/carrier/table.c %D%/pipe/carrier/pairwise.c %D%/pipe/carrier/alltoallv.c %D%/pipe/carrier/kway.c \
	%D%/pipe/carrier/persistent.c \
	%D%/exch/exch.h %D%/exch/side.c %D%/exch/doubles.c %D%/exch/create.c %D%/exch/engine.c %D%/exch/exch.c %D%/exch/realign.c %D%/exch/trial.c \
	%D%/exch/quirk.c %D%/exch/engine/table.c %D%/exch/piped.h %D%/exch/engine/piped.c \
	%D%/exch/engine/piped_execute.c %D%/exch/engine/types.c %D%/exch/engine/alltoallw.c \
	%D%/exch/on_device.h %D%/exch/engine/device.c %D%/exch/engine/device_visible.c \
	%D%/exch/engine/device_execute.c %D%/exch/engine/device_carriers.c %D%/exch/engine/device_messages.c \
	%D%/exch/engine/device_trial.c %D%/exch/engine/device_ways.c %D%/exch/engine/device_stream.c \
	%D%/exch/engine/layouts.c \
	%D%/boxes/boxes.h %D%/boxes/own.c %D%/boxes/datatype.c %D%/boxes/set.c %D%/boxes/check.c %D%/boxes/pieces.c %D%/boxes/create.c \
	%D%/halo/halo.c
libsubx_core_la_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS)
libsubx_core_la_LIBADD = libsubx_device.la libsubx_base.la libsubx_threads.la $(HWLOC_LIBS) -lm

libsubx_la_SOURCES =
libsubx_la_LIBADD = libsubx_core.la
libsubx_la_LDFLAGS = $(AM_LDFLAGS) -version-info 6:0:0 -no-undefined $(SUBX_LIBRARY_LDFLAGS)
if HAVE_VERSION_SCRIPT
libsubx_la_LDFLAGS += -Wl,--version-script=$(srcdir)/%D%/libsubx.map
endif
EXTRA_libsubx_la_DEPENDENCIES = %D%/libsubx.map
EXTRA_DIST += %D%/libsubx.map
