# libsubx_io: arrays in files. As in lib, the sources are compiled once, into a library whose functions the unit tests can
# call. The installed library has the same objects, and exports only subx_file_*. Of libsubx it includes installed headers
# only; it has its own copy of the room base.
noinst_LTLIBRARIES += libsubx_io_core.la
lib_LTLIBRARIES += libsubx_io.la

libsubx_io_core_la_SOURCES = \
	%D%/io.h %D%/replace.c %D%/box.c %D%/disk.c %D%/elem.c %D%/file.c %D%/move.c %D%/npy.c %D%/raw.c %D%/fail.c %D%/table.c %D%/view.c
libsubx_io_core_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
libsubx_io_core_la_LIBADD =
if HAVE_HDF5
libsubx_io_core_la_SOURCES += %D%/hdf5.c
libsubx_io_core_la_CPPFLAGS += $(HDF5_CFLAGS)
libsubx_io_core_la_LIBADD += $(HDF5_LIBS)
endif

libsubx_io_la_SOURCES =
libsubx_io_la_LIBADD = libsubx_io_core.la libsubx_base.la libsubx.la
libsubx_io_la_LDFLAGS = -version-info 1:0:1 -no-undefined $(SUBX_LIBRARY_LDFLAGS)
if HAVE_VERSION_SCRIPT
libsubx_io_la_LDFLAGS += -Wl,--version-script=$(srcdir)/%D%/libsubx_io.map
endif
EXTRA_libsubx_io_la_DEPENDENCIES = %D%/libsubx_io.map
EXTRA_DIST += %D%/libsubx_io.map
