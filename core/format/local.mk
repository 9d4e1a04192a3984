# Context: P.  The profile file; tools link it, libmon.so needs its headers.
noinst_LTLIBRARIES += libformat.la
libformat_la_SOURCES = \
	core/format/arcs.c \
	core/format/arcs.h \
	core/format/bins.h \
	core/format/decode.c \
	core/format/decode.h \
	core/format/fault.c \
	core/format/fault.h \
	core/format/format.h \
	core/format/header.c \
	core/format/header.h \
	core/format/link.c \
	core/format/link.h \
	core/format/loss.c \
	core/format/loss.h \
	core/format/pointer.c \
	core/format/pointer.h \
	core/format/snapshot.c \
	core/format/snapshot.h
libformat_la_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_I)
