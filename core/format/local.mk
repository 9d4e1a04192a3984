# Context: P.  The profile file; tools link it, libmon.so needs its headers.
noinst_LTLIBRARIES += libformat.la
libformat_la_SOURCES = \
	core/format/decode_arcs.c \
	core/format/decode_arcs.h \
	core/format/baseline.c \
	core/format/baseline.h \
	core/format/bins.h \
	core/format/bsdgmon.c \
	core/format/bsdgmon.h \
	core/format/bytes.h \
	core/format/classic.c \
	core/format/classic_range.c \
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
	core/format/decode_heap.c \
	core/format/decode_heap.h \
	core/format/decode_index.c \
	core/format/decode_index.h \
	core/format/loss.c \
	core/format/loss.h \
	core/format/decode_tick_log.c \
	core/format/decode_tick_log.h \
	core/format/monout.c \
	core/format/monout.h \
	core/format/decode_names.c \
	core/format/decode_names.h \
	core/format/pointer.c \
	core/format/pointer.h \
	core/format/decode_heap_points.c \
	core/format/decode_heap_points.h \
	core/format/profout.c \
	core/format/profout.h \
	core/format/profout_put.h \
	core/format/snapshot.c \
	core/format/snapshot.h \
	core/format/decode_text.c \
	core/format/decode_text.h \
	core/format/ticks.h \
	core/format/tprof.c \
	core/format/tprof.h \
	core/format/decode_tree.c
libformat_la_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_I)
