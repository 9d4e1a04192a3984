# Context: P.  Entries of functions of binaries that nobody rebuilt.
noinst_LTLIBRARIES += libentry.la
libentry_la_SOURCES = \
	core/entry/code_image.c \
	core/entry/code_image.h \
	core/entry/code_reader.c \
	core/entry/code_reader.h \
	core/entry/displaced_code.c \
	core/entry/displaced_code.h \
	core/entry/entry_depth.c \
	core/entry/entry_depth.h \
	core/entry/entry_flags.c \
	core/entry/entry_flags.h \
	core/entry/entry_place.c \
	core/entry/entry_place.h \
	core/entry/entry_stub.c \
	core/entry/entry_stub.h \
	core/entry/jump_table.c \
	core/entry/jump_table.h \
	core/entry/jump_targets.c \
	core/entry/jump_targets.h \
	core/entry/landing_pads.c \
	core/entry/landing_pads.h \
	core/entry/part_reach.c \
	core/entry/part_reach.h \
	core/entry/trap_mirror.c \
	core/entry/trap_mirror.h \
	core/entry/unwind_functions.c \
	core/entry/unwind_functions.h
libentry_la_CPPFLAGS = $(AM_CPPFLAGS) $(ENTRY_I)
libentry_la_LIBADD = libinstruction.la
