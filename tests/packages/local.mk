# Use installations and packages as users use them. The scripts run one after the other. A script is skipped if its tools
# are missing. The scripts are not in make check, because they build much.
check-packages: all
	@status=0; cd $(abs_top_builddir) && for script in $(abs_top_srcdir)/tests/packages/*.sh; do \
		echo "== $$script"; \
		CC='$(CC)' MAKE='$(MAKE)' MPIEXEC='$(MPIEXEC)' PKG_CONFIG='$(PKG_CONFIG)' PYTHON3='$(PYTHON3)' \
			top_builddir='$(abs_top_builddir)' prefix='$(prefix)' bindir='$(bindir)' libdir='$(libdir)' datadir='$(datadir)' \
			TEST_YIELD='$(test_yield)' SUBX_WISDOM=none $(SHELL) $$script; \
		case $$? in 0) echo PASS ;; 77) ;; *) status=1 ;; esac; \
	done; exit $$status
.PHONY: check-packages
EXTRA_DIST += \
	%D%/dist.sh %D%/prefix.sh %D%/static.sh %D%/debian.sh %D%/modules.sh %D%/container.sh %D%/spack.sh %D%/slurm.sh \
	%D%/project/CMakeLists.txt %D%/project/build.sh %D%/project/use_subx.c %D%/project/use_fft.c %D%/project/use_io.c \
	%D%/project/use_fftw3mpi.c %D%/project/use_pmpi.c
