# Context: O.  Samples of any process: by the kernel, or by our own library.
if TOOLS
noinst_LTLIBRARIES += libsampler.la
endif
libsampler_la_SOURCES = \
	core/sampler/perf_buffer.c \
	core/sampler/perf_buffer.h \
	core/sampler/command.c \
	core/sampler/command.h \
	core/sampler/counter.c \
	core/sampler/counter.h \
	core/sampler/elf_interp.c \
	core/sampler/elf_interp.h \
	core/sampler/event.c \
	core/sampler/event.h \
	core/sampler/event_name.c \
	core/sampler/preload_env.c \
	core/sampler/preload_env.h \
	core/sampler/perf_open.h \
	core/sampler/perf_record.c \
	core/sampler/perf_record.h \
	core/sampler/code_file.c \
	core/sampler/code_file.h \
	core/sampler/backend_preload.c \
	core/sampler/backend_preload.h \
	core/sampler/libmon_find.c \
	core/sampler/profiles.c \
	core/sampler/profiles.h \
	core/sampler/profiles_find.c \
	core/sampler/profiles_find.h \
	core/sampler/profiles_write.c \
	core/sampler/tprof_writer.c \
	core/sampler/tprof_writer.h \
	core/sampler/queue.c \
	core/sampler/queue.h \
	core/sampler/event_order.c \
	core/sampler/event_order.h \
	core/sampler/recorder.c \
	core/sampler/recorder.h \
	core/sampler/sampler.c \
	core/sampler/sampler.h \
	core/sampler/address_space.c \
	core/sampler/address_space.h \
	core/sampler/address_space_map.c \
	core/sampler/address_space_proc.c \
	core/sampler/address_space_proc.h \
	core/sampler/address_space_tids.c \
	core/sampler/preload_check.c \
	core/sampler/preload_check.h \
	core/sampler/perf_unwind.h \
	core/sampler/perf_unwind_regs.h
if PFM
libsampler_la_SOURCES += core/sampler/event_pfm.c
else
libsampler_la_SOURCES += core/sampler/event_pfm_none.c
endif
if UNWIND
libsampler_la_SOURCES += core/sampler/perf_unwind.c
else
libsampler_la_SOURCES += core/sampler/perf_unwind_none.c
endif
EXTRA_DIST += core/sampler/perf_unwind.c core/sampler/perf_unwind_none.c \
	core/sampler/event_pfm.c core/sampler/event_pfm_none.c
libsampler_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	-DLIBDIR='"$(libdir)"' $(SAMPLER_I)
