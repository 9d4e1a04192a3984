# Context: T.  libmon.so: the constructor, the hooks, the export list.
lib_LTLIBRARIES += libmon.la
libmon_la_SOURCES =
libmon_la_CPPFLAGS = $(MON_CPPFLAGS) $(PRELOAD_I)
libmon_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)
libmon_la_LIBADD = libruntime.la libhot.la
libmon_la_LDFLAGS = -module -avoid-version -shared \
	-Wl,--version-script=$(top_srcdir)/preload/libmon.map \
	-Wl,-z,relro,-z,now -Wl,-z,defs
libmon_la_DEPENDENCIES = $(libmon_la_LIBADD) preload/libmon.map
EXTRA_DIST += preload/libmon.map
