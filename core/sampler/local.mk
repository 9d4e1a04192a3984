# Context: O.  Samples of any process: by the kernel, or by our own library.
if TOOLS
noinst_LTLIBRARIES += libsampler.la
endif
libsampler_la_SOURCES = \
	core/sampler/buffer.c \
	core/sampler/buffer.h \
	core/sampler/command.c \
	core/sampler/command.h \
	core/sampler/counter.c \
	core/sampler/counter.h \
	core/sampler/elfhead.c \
	core/sampler/elfhead.h \
	core/sampler/event.c \
	core/sampler/event.h \
	core/sampler/eventname.c \
	core/sampler/inject.c \
	core/sampler/inject.h \
	core/sampler/kernel.h \
	core/sampler/krecord.c \
	core/sampler/krecord.h \
	core/sampler/library.c \
	core/sampler/library.h \
	core/sampler/preload.c \
	core/sampler/preload.h \
	core/sampler/preload_find.c \
	core/sampler/profiles.c \
	core/sampler/profiles.h \
	core/sampler/profiles_find.c \
	core/sampler/profiles_find.h \
	core/sampler/profiles_put.c \
	core/sampler/put.c \
	core/sampler/put.h \
	core/sampler/queue.c \
	core/sampler/queue.h \
	core/sampler/ready.c \
	core/sampler/ready.h \
	core/sampler/recorder.c \
	core/sampler/recorder.h \
	core/sampler/sampler.c \
	core/sampler/sampler.h \
	core/sampler/space.c \
	core/sampler/space.h \
	core/sampler/spacemap.c \
	core/sampler/spaceproc.c \
	core/sampler/spaceproc.h \
	core/sampler/spacethread.c \
	core/sampler/suited.c \
	core/sampler/suited.h \
	core/sampler/unwind.h \
	core/sampler/unwindregs.h
if PFM
libsampler_la_SOURCES += core/sampler/eventpfm.c
else
libsampler_la_SOURCES += core/sampler/no_eventpfm.c
endif
if UNWIND
libsampler_la_SOURCES += core/sampler/unwind.c
else
libsampler_la_SOURCES += core/sampler/no_unwind.c
endif
EXTRA_DIST += core/sampler/unwind.c core/sampler/no_unwind.c \
	core/sampler/eventpfm.c core/sampler/no_eventpfm.c
libsampler_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	-DLIBDIR='"$(libdir)"' $(SAMPLER_I)
