# Context: O.  libmontell: telling processes, for programs.  It needs libc alone.
# Its sources are compiled once more, because libload.la and libformat.la need
# more than libc.
lib_LTLIBRARIES += libmontell.la
libmontell_la_SOURCES = \
	core/format/decode/decode_arcs.c \
	core/format/decode/decode_block.c \
	core/format/decode/baseline.c \
	core/format/decode/decode.c \
	core/format/fault.c \
	core/format/decode/foreign_magic.c \
	core/format/decode/header.c \
	core/format/decode/decode_heap.c \
	core/format/decode/decode_index.c \
	core/format/loss.c \
	core/format/decode/decode_tick_log.c \
	core/format/decode/decode_names.c \
	core/format/pointer.c \
	core/format/decode/decode_heap_points.c \
	core/format/decode/snapshot.c \
	core/format/decode/decode_text.c \
	core/format/decode/decode_tree.c \
	core/object/base/mount_guard.c \
	core/object/base/regular_file.c \
	core/load/process_state.c \
	core/load/input.c \
	core/load/load.c \
	core/load/output.c \
	core/load/trim.c \
	$(libcontrol_la_SOURCES) \
	tell/mon_tell.c
libmontell_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= -I$(top_srcdir)/include \
	$(CONTROL_I)
libmontell_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,defs \
	-Wl,--version-script=$(top_srcdir)/tell/libmontell.map
libmontell_la_DEPENDENCIES = tell/libmontell.map
EXTRA_DIST += tell/libmontell.map
