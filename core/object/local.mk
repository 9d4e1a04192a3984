# Context: O.  ELF through elfutils, JIT maps, demangling.
if TOOLS
noinst_LTLIBRARIES += libobject.la
endif
libobject_la_SOURCES =
libobject_la_CPPFLAGS = $(AM_CPPFLAGS) $(OBJECT_I)
