# Context: O.  libmontell: telling processes, for programs.  libc alone: what it is
# made of is compiled once more, as libload.la and libformat.la have more than that.
lib_LTLIBRARIES += libmontell.la
libmontell_la_SOURCES = \
	core/format/arcs.c \
	core/format/base.c \
	core/format/decode.c \
	core/format/fault.c \
	core/format/header.c \
	core/format/heaps.c \
	core/format/link.c \
	core/format/loss.c \
	core/format/moments.c \
	core/format/names.c \
	core/format/pointer.c \
	core/format/points.c \
	core/format/snapshot.c \
	core/format/texts.c \
	core/format/trees.c \
	core/load/alive.c \
	core/load/input.c \
	core/load/keepout.c \
	core/load/load.c \
	core/load/output.c \
	core/load/trim.c \
	$(libcontrol_la_SOURCES) \
	tell/tell.c
libmontell_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= -I$(top_srcdir)/include \
	$(CONTROL_I)
libmontell_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,defs \
	-Wl,--version-script=$(top_srcdir)/tell/libmontell.map
libmontell_la_DEPENDENCIES = tell/libmontell.map
EXTRA_DIST += tell/libmontell.map
