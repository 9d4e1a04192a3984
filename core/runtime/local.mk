# Context: T.  Start and stop, threads, signal view, exec and fork, seal.
noinst_LTLIBRARIES += libruntime.la
libruntime_la_SOURCES =
libruntime_la_CPPFLAGS = $(MON_CPPFLAGS) $(RUNTIME_I)
libruntime_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)
