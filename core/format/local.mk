# Context: P.  The profile file; tools link it, libmon.so needs its headers.
noinst_LTLIBRARIES += libformat.la
libformat_la_SOURCES = \
	core/format/decode.h \
	core/format/fault.c \
	core/format/fault.h \
	core/format/format.h \
	core/format/loss.c \
	core/format/loss.h
libformat_la_CPPFLAGS = $(AM_CPPFLAGS) $(FORMAT_I)
