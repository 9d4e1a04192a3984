# Context: O.  Which files, read and checked; files that are written.
if TOOLS
noinst_LTLIBRARIES += libload.la
endif
libload_la_SOURCES = \
	core/load/alive.c \
	core/load/alive.h \
	core/load/choose.c \
	core/load/copies.c \
	core/load/copies.h \
	core/load/input.c \
	core/load/input.h \
	core/load/keepout.c \
	core/load/keepout.h \
	core/load/load.c \
	core/load/load.h \
	core/load/output.c \
	core/load/output.h \
	core/load/readall.c \
	core/load/readall.h \
	core/load/sample_scale.c \
	core/load/sample_scale.h \
	core/load/trim.c \
	core/load/trim.h
libload_la_CPPFLAGS = $(AM_CPPFLAGS) $(LOAD_I)
