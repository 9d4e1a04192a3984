# Context: O.  The readers of other profilers' files.
if TOOLS
noinst_LTLIBRARIES += libimport.la
endif
libimport_la_SOURCES = \
	core/import/callgrind.c \
	core/import/callgrind_header.c \
	core/import/callgrind_header.h \
	core/import/callgrind_line.h \
	core/import/callgrind_is.c \
	core/import/callgrind_line.c \
	core/import/folded.c \
	core/import/import_format.h \
	core/import/gperftools.c \
	core/import/import.c \
	core/import/import_skip.c \
	core/import/import.h \
	core/import/base/inflate.h \
	core/import/perf_script.c \
	core/import/perf_script_frame.c \
	core/import/perf_script_frame.h \
	core/import/perf_script_head.c \
	core/import/perf_script_head.h \
	core/import/pprof.c \
	core/import/pprof_tables.c \
	core/import/pprof_tables.h \
	core/import/pprof_values.c \
	core/import/pprof_values.h \
	core/import/base/text.c \
	core/import/base/text.h \
	core/import/base/wire.c \
	core/import/base/wire.h
if ZLIB
libimport_la_SOURCES += core/import/base/inflate.c
else
libimport_la_SOURCES += core/import/base/inflate_none.c
endif
EXTRA_DIST += core/import/base/inflate.c core/import/base/inflate_none.c
libimport_la_CPPFLAGS = $(AM_CPPFLAGS) $(IMPORT_I)
