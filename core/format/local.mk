# Context: P.  The profile file; tools link it, libmon.so needs its headers.
noinst_LTLIBRARIES += libformat.la
libformat_la_SOURCES = \
	core/format/decode/decode_arcs.c \
	core/format/decode/decode_arcs.h \
	core/format/decode/baseline.c \
	core/format/decode/baseline.h \
	core/format/classic/bins.h \
	core/format/classic/bsdgmon.c \
	core/format/classic/bsdgmon.h \
	core/format/bytes.h \
	core/format/classic/classic.c \
	core/format/classic/classic_range.c \
	core/format/classic/classic.h \
	core/format/decode/decode.c \
	core/format/decode/decode.h \
	core/format/fault.c \
	core/format/fault.h \
	core/format/format.h \
	core/format/classic/gmon.c \
	core/format/classic/gmon.h \
	core/format/classic/gmon_put.h \
	core/format/decode/header.c \
	core/format/decode/header.h \
	core/format/decode/decode_heap.c \
	core/format/decode/decode_heap.h \
	core/format/decode/decode_index.c \
	core/format/decode/decode_index.h \
	core/format/loss.c \
	core/format/loss.h \
	core/format/decode/decode_tick_log.c \
	core/format/decode/decode_tick_log.h \
	core/format/classic/monout.c \
	core/format/classic/monout.h \
	core/format/decode/decode_names.c \
	core/format/decode/decode_names.h \
	core/format/pointer.c \
	core/format/pointer.h \
	core/format/decode/decode_heap_points.c \
	core/format/decode/decode_heap_points.h \
	core/format/classic/profout.c \
	core/format/classic/profout.h \
	core/format/classic/profout_put.h \
	core/format/decode/snapshot.c \
	core/format/decode/snapshot.h \
	core/format/decode/decode_text.c \
	core/format/decode/decode_text.h \
	core/format/ticks.h \
	core/format/classic/tprof.c \
	core/format/classic/tprof.h \
	core/format/decode/decode_tree.c
libformat_la_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_I)
