# Context: T.  Start and stop, threads, signal view, exec and fork, seal.
noinst_LTLIBRARIES += libruntime.la
libruntime_la_SOURCES = \
	core/runtime/ahead.c \
	core/runtime/ahead.h \
	core/runtime/altstack.c \
	core/runtime/altstack.h \
	core/runtime/bounds.c \
	core/runtime/bounds.h \
	core/runtime/clock.c \
	core/runtime/clock.h \
	core/runtime/expose.c \
	core/runtime/expose.h \
	core/runtime/harvest.c \
	core/runtime/harvest.h \
	core/runtime/heappatch.c \
	core/runtime/heappatch.h \
	core/runtime/image.c \
	core/runtime/image.h \
	core/runtime/linked.c \
	core/runtime/linked.h \
	core/runtime/monblock.c \
	core/runtime/monblock.h \
	core/runtime/monfile.c \
	core/runtime/monfile.h \
	core/runtime/monitor.c \
	core/runtime/monitor.h \
	core/runtime/note.c \
	core/runtime/note.h \
	core/runtime/options.c \
	core/runtime/options.h \
	core/runtime/ownstack.c \
	core/runtime/ownstack.h \
	core/runtime/pattern.c \
	core/runtime/pattern.h \
	core/runtime/profil.c \
	core/runtime/profil.h \
	core/runtime/sandbox.c \
	core/runtime/sandbox.h \
	core/runtime/seal.c \
	core/runtime/seal.h \
	core/runtime/sharer.c \
	core/runtime/sharer.h \
	core/runtime/sigmask.c \
	core/runtime/sigmask.h \
	core/runtime/sigmove.c \
	core/runtime/sigmove.h \
	core/runtime/sigview.c \
	core/runtime/sigview.h \
	core/runtime/start.c \
	core/runtime/start.h \
	core/runtime/tally.c \
	core/runtime/tally.h \
	core/runtime/thread.c \
	core/runtime/thread.h \
	core/runtime/usermem.c \
	core/runtime/usermem.h \
	core/runtime/whole.c \
	core/runtime/whole.h \
	core/runtime/write_gmon.c \
	core/runtime/write_mon.c \
	core/runtime/write_prof.c \
	core/runtime/writers.c \
	core/runtime/writers.h \
	core/runtime/yield.c \
	core/runtime/yield.h
libruntime_la_CPPFLAGS = $(MON_CPPFLAGS) $(RUNTIME_I)
libruntime_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)
