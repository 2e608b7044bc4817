# Files by which other build systems, package managers and administrators use the libraries, or build them.

# The files of packaging_written name the folders of the installation. make can change the folders, so make writes the files.
packaging_edit = sed \
	-e 's|@CC[@]|$(CC)|g' \
	-e 's|@FFTW3_LIBS[@]|$(FFTW3_LIBS)|g' \
	-e 's|@FFTW3F_LIBS[@]|$(FFTW3F_LIBS)|g' \
	-e 's|@FFTW3L_LIBS[@]|$(FFTW3L_LIBS)|g' \
	-e 's|@FFTW3Q_LIBS[@]|$(FFTW3Q_LIBS)|g' \
	-e 's|@HDF5_LIBS[@]|$(HDF5_LIBS)|g' \
	-e 's|@HWLOC_LIBS[@]|$(HWLOC_LIBS)|g' \
	-e 's|@LIBS[@]|$(LIBS)|g' \
	-e 's|@OPENMP_CFLAGS[@]|$(OPENMP_CFLAGS)|g' \
	-e 's|@PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|g' \
	-e 's|@SUBX_MPI_NAMES[@]|$(SUBX_MPI_NAMES)|g' \
	-e 's|@SUBX_MPI_VERSION[@]|$(SUBX_MPI_VERSION)|g' \
	-e 's|@SUBX_SIZEOF_POINTER[@]|$(SUBX_SIZEOF_POINTER)|g' \
	-e 's|@bindir[@]|$(bindir)|g' \
	-e 's|@datadir[@]|$(datadir)|g' \
	-e 's|@fmoddir[@]|$(fmoddir)|g' \
	-e 's|@includedir[@]|$(includedir)|g' \
	-e 's|@libdir[@]|$(libdir)|g' \
	-e 's|@mandir[@]|$(mandir)|g' \
	-e 's|@pkgconfigdir[@]|$(pkgconfigdir)|g' \
	-e 's|@prefix[@]|$(prefix)|g'

packaging_written = \
	%D%/cmake/subarray_x-config.cmake \
	%D%/cmake/subarray_x-config-version.cmake \
	%D%/modules/$(PACKAGE_VERSION) \
	%D%/modules/$(PACKAGE_VERSION).lua
packaging_write = $(AM_V_GEN)$(MKDIR_P) $(@D) && $(packaging_edit)
%D%/cmake/subarray_x-config.cmake: %D%/cmake/subarray_x-config.cmake.in Makefile
	$(packaging_write) $(srcdir)/%D%/cmake/subarray_x-config.cmake.in >$@
%D%/cmake/subarray_x-config-version.cmake: %D%/cmake/subarray_x-config-version.cmake.in Makefile
	$(packaging_write) $(srcdir)/%D%/cmake/subarray_x-config-version.cmake.in >$@
%D%/modules/$(PACKAGE_VERSION): %D%/modules/modulefile.in Makefile
	$(packaging_write) $(srcdir)/%D%/modules/modulefile.in >$@
%D%/modules/$(PACKAGE_VERSION).lua: %D%/modules/modulefile.lua.in Makefile
	$(packaging_write) $(srcdir)/%D%/modules/modulefile.lua.in >$@
CLEANFILES += $(packaging_written)

cmakedir = $(libdir)/cmake/subarray_x
cmake_DATA = %D%/cmake/subarray_x-config.cmake %D%/cmake/subarray_x-config-version.cmake
# Lmod takes the file in Lua, Environment Modules the one in Tcl.
modulefilesdir = $(datadir)/modulefiles/subarray_x
modulefiles_DATA = %D%/modules/$(PACKAGE_VERSION) %D%/modules/$(PACKAGE_VERSION).lua

EXTRA_DIST += \
	%D%/README %D%/cmake/subarray_x-config.cmake.in %D%/cmake/subarray_x-config-version.cmake.in \
	%D%/modules/modulefile.in %D%/modules/modulefile.lua.in %D%/container/Containerfile %D%/spack/package.py \
	%D%/debian/changelog %D%/debian/clean %D%/debian/control %D%/debian/copyright %D%/debian/rules %D%/debian/source/format
