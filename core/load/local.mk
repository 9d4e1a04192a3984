# Context: O.  Which files, read and checked; files that are written.
if TOOLS
noinst_LTLIBRARIES += libload.la
endif
libload_la_SOURCES = \
	core/load/process_state.c \
	core/load/process_state.h \
	core/load/input_select.c \
	core/load/duplicates.c \
	core/load/duplicates.h \
	core/load/input.c \
	core/load/input.h \
	core/load/load.c \
	core/load/load.h \
	core/load/output.c \
	core/load/output.h \
	core/load/read_file.c \
	core/load/read_file.h \
	core/load/sample_scale.c \
	core/load/sample_scale.h \
	core/load/standard_input.c \
	core/load/standard_input.h \
	core/load/trim.c \
	core/load/trim.h
libload_la_CPPFLAGS = $(AM_CPPFLAGS) $(LOAD_I)
