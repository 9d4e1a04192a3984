# Context: P.  The profile file; tools link it, libmon.so needs its headers.
noinst_LTLIBRARIES += libformat.la
libformat_la_SOURCES = \
	core/format/arcs.c \
	core/format/arcs.h \
	core/format/base.c \
	core/format/base.h \
	core/format/bins.h \
	core/format/bsdgmon.c \
	core/format/bsdgmon.h \
	core/format/bytes.h \
	core/format/classic.c \
	core/format/classic.h \
	core/format/decode.c \
	core/format/decode.h \
	core/format/fault.c \
	core/format/fault.h \
	core/format/format.h \
	core/format/gmon.c \
	core/format/gmon.h \
	core/format/gmon_put.h \
	core/format/header.c \
	core/format/header.h \
	core/format/heaps.c \
	core/format/heaps.h \
	core/format/link.c \
	core/format/link.h \
	core/format/loss.c \
	core/format/loss.h \
	core/format/moments.c \
	core/format/moments.h \
	core/format/monout.c \
	core/format/monout.h \
	core/format/names.c \
	core/format/names.h \
	core/format/pointer.c \
	core/format/pointer.h \
	core/format/points.c \
	core/format/points.h \
	core/format/profout.c \
	core/format/profout.h \
	core/format/profout_put.h \
	core/format/snapshot.c \
	core/format/snapshot.h \
	core/format/texts.c \
	core/format/texts.h \
	core/format/ticks.h \
	core/format/tprof.c \
	core/format/tprof.h \
	core/format/trees.c
libformat_la_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_I)
