# subx_flags.m4 - compiler and linker flags: the language, warnings, the versions of symbols, threads.
#
# The language is C99. Files get what they need beyond it, such as POSIX, by config.h, which comes before all system headers
# (AC_USE_SYSTEM_EXTENSIONS). With -std=c99 gcc no longer joins a product and a sum to one instruction. The kernels
# of fft/simd need such instructions to be fast, so -ffp-contract=fast is added.

# SUBX_ADD_FLAG(FLAG, VARIABLE): add the flag to the variable if the compiler takes it.
AC_DEFUN([SUBX_ADD_FLAG], [
  AC_MSG_CHECKING([whether $CC takes $1])
  subx_saved=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); $2="$$2 $1"], [AC_MSG_RESULT([no])])
  CFLAGS=$subx_saved
])

AC_DEFUN([SUBX_WARNINGS], [
  SUBX_CFLAGS=
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [warnings are errors, for our own checks])])
  for subx_flag in -std=c99 -ffp-contract=fast -fvisibility=hidden -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
                   -Wstrict-prototypes -Wmissing-prototypes; do
    SUBX_ADD_FLAG([$subx_flag], [SUBX_CFLAGS])
  done
  AS_IF([test "$enable_werror" = yes], [SUBX_CFLAGS="$SUBX_CFLAGS -Werror"])
  AC_SUBST([SUBX_CFLAGS])

  # No debugging information about variables for the kernels of transforms: debuggers can hardly use it there, and it takes a
  # third of the compiler's time.
  SUBX_KERNEL_CFLAGS=
  SUBX_ADD_FLAG([-fno-var-tracking], [SUBX_KERNEL_CFLAGS])
  AC_SUBST([SUBX_KERNEL_CFLAGS])
])

# If the linker takes version maps, each symbol has the version that introduced it. Otherwise hidden symbols are the only
# protection.
AC_DEFUN([SUBX_VERSION_SCRIPT], [
  AC_CACHE_CHECK([whether the linker takes --version-script], [subx_cv_version_script], [
    echo 'SUBX_TEST { global: main; local: *; };' >conftest.map
    subx_saved=$LDFLAGS
    LDFLAGS="$LDFLAGS -Wl,--version-script=conftest.map"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [subx_cv_version_script=yes], [subx_cv_version_script=no])
    LDFLAGS=$subx_saved
    rm -f conftest.map])
  AM_CONDITIONAL([HAVE_VERSION_SCRIPT], [test "$subx_cv_version_script" = yes])
  AC_SUBST([VERSION_SCRIPT], [$subx_cv_version_script])
])

# SUBX_LIBRARY_LDFLAGS of each library: a suffix of its name, and a RUNPATH of its own folder. Its words pass through make
# and the shell, so they are quoted.
AC_DEFUN([SUBX_LIBRARIES], [
  AC_ARG_WITH([library-suffix], [AS_HELP_STRING([--with-library-suffix=NAME],
    [shared libraries are libsubx-NAME.so.6 and so on, so that one folder can have those of several MPIs])])
  AC_ARG_ENABLE([origin], [AS_HELP_STRING([--disable-origin],
    [libraries do not look for each other in the folder where they are, which may have been moved])])
  AC_CACHE_CHECK([whether the linker takes -rpath with ORIGIN], [subx_cv_origin], [
    subx_saved=$LDFLAGS
    LDFLAGS="$LDFLAGS -Wl,-rpath,'\$ORIGIN'"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [subx_cv_origin=yes], [subx_cv_origin=no])
    LDFLAGS=$subx_saved])
  AC_SUBST([SUBX_LIBRARY_LDFLAGS], [])
  AS_CASE([$with_library_suffix], [''|no], [],
    [yes|*[[!0-9a-zA-Z_]]*], [AC_MSG_ERROR([--with-library-suffix is a word of letters and digits])],
    [SUBX_LIBRARY_LDFLAGS="-release $with_library_suffix"])
  AS_IF([test "$enable_origin" != no && test "$subx_cv_origin" = yes],
    [SUBX_LIBRARY_LDFLAGS="$SUBX_LIBRARY_LDFLAGS -Wl,-rpath,'\$\$ORIGIN'"
     # libtool adds the prefix to RUNPATH, before LDFLAGS. Without this change of order, a moved library loads the
     # libraries of the prefix while these exist.
     subx_first='s/\$deplibs \$compiler_flags/$compiler_flags $deplibs/'
     for subx_commands in archive_cmds archive_expsym_cmds archive_cmds_FC archive_expsym_cmds_FC; do
       AS_VAR_COPY([subx_saved], [$subx_commands])
       subx_saved=`AS_ECHO(["$subx_saved"]) | sed "$subx_first"`
       AS_VAR_COPY([$subx_commands], [subx_saved])
     done])
  # The CMake package refuses programs of another pointer size, such as 32 bits.
  AC_COMPUTE_INT([SUBX_SIZEOF_POINTER], [sizeof(void *)])
  AC_SUBST([SUBX_SIZEOF_POINTER])
])

AC_DEFUN([SUBX_THREADS], [AC_SEARCH_LIBS([pthread_once], [pthread])])
