# Context: O.  The readers of other profilers' files.
if TOOLS
noinst_LTLIBRARIES += libimport.la
endif
libimport_la_SOURCES = \
	core/import/callgrind.c \
	core/import/callgrind.h \
	core/import/callgrind_is.c \
	core/import/callgrind_line.c \
	core/import/folded.c \
	core/import/formats.h \
	core/import/gperftools.c \
	core/import/import.c \
	core/import/import.h \
	core/import/inflate.h \
	core/import/perf.c \
	core/import/perf.h \
	core/import/perf_line.c \
	core/import/pprof.c \
	core/import/pprof_tables.c \
	core/import/pprof_tables.h \
	core/import/text.c \
	core/import/text.h \
	core/import/wire.c \
	core/import/wire.h
if ZLIB
libimport_la_SOURCES += core/import/inflate.c
else
libimport_la_SOURCES += core/import/no_inflate.c
endif
EXTRA_DIST += core/import/inflate.c core/import/no_inflate.c
libimport_la_CPPFLAGS = $(AM_CPPFLAGS) $(IMPORT_I)
