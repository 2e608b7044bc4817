# libsubx_pmpi: faster derived datatypes under any MPI program. It defines names of MPI on purpose.
lib_LTLIBRARIES += libsubx_pmpi.la
libsubx_pmpi_la_SOURCES = \
	compat/pmpi/functions.h compat/pmpi/limits.h compat/pmpi/pmpi.h \
	compat/pmpi/chain.c compat/pmpi/init.c compat/pmpi/commit.c compat/pmpi/type_records.c compat/pmpi/buffer.c \
	compat/pmpi/pack.c compat/pmpi/report.c \
	compat/pmpi/request.h compat/pmpi/request.c compat/pmpi/complete.c compat/pmpi/persistent.c compat/pmpi/poll.c compat/pmpi/rule.c \
	compat/pmpi/p2p.h compat/pmpi/p2p_body.h compat/pmpi/p2p.c compat/pmpi/parcel.c compat/pmpi/shape.c \
	compat/pmpi/alltoall.h compat/pmpi/alltoall_body.h compat/pmpi/alltoall.c compat/pmpi/alltoall_parts.c \
	compat/pmpi/alltoall_packed.c compat/pmpi/shared.c compat/pmpi/exchange.c compat/pmpi/node.c
libsubx_pmpi_la_LIBADD = libsubx_base.la libsubx.la -ldl
libsubx_pmpi_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined $(SUBX_LIBRARY_LDFLAGS)
libsubx_pmpi_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/compat
