# Context: O.  Samples of any process: by the kernel, or by our own library.
if TOOLS
noinst_LTLIBRARIES += libsampler.la
endif
libsampler_la_SOURCES = \
	core/sampler/ring/perf_buffer.c \
	core/sampler/ring/perf_buffer.h \
	core/sampler/command.c \
	core/sampler/command.h \
	core/sampler/event/counter.c \
	core/sampler/event/counter.h \
	core/sampler/libmon/elf_interp.c \
	core/sampler/libmon/elf_interp.h \
	core/sampler/event/event.c \
	core/sampler/event/event.h \
	core/sampler/event/event_name.c \
	core/sampler/libmon/preload_env.c \
	core/sampler/libmon/preload_env.h \
	core/sampler/event/perf_open.h \
	core/sampler/ring/perf_record.c \
	core/sampler/ring/perf_record.h \
	core/sampler/process/code_file.c \
	core/sampler/process/code_file.h \
	core/sampler/libmon/backend_preload.c \
	core/sampler/libmon/backend_preload.h \
	core/sampler/libmon/libmon_find.c \
	core/sampler/libmon/profiles_modules.c \
	core/sampler/libmon/profiles_modules.h \
	core/sampler/libmon/profiles.c \
	core/sampler/libmon/profiles.h \
	core/sampler/libmon/profiles_find.c \
	core/sampler/libmon/profiles_find.h \
	core/sampler/libmon/profiles_write.c \
	core/sampler/tprof_writer.c \
	core/sampler/tprof_writer.h \
	core/sampler/ring/queue.c \
	core/sampler/ring/queue.h \
	core/sampler/event_order.c \
	core/sampler/event_order.h \
	core/sampler/recorder.c \
	core/sampler/recorder.h \
	core/sampler/sampler.c \
	core/sampler/sampler.h \
	core/sampler/sampler_open.c \
	core/sampler/process/address_space.c \
	core/sampler/process/address_space.h \
	core/sampler/process/address_space_map.c \
	core/sampler/process/address_space_proc.c \
	core/sampler/process/address_space_proc.h \
	core/sampler/process/address_space_tids.c \
	core/sampler/process/attached.c \
	core/sampler/process/attached.h \
	core/sampler/libmon/preload_check.c \
	core/sampler/libmon/preload_check.h \
	core/sampler/process/perf_unwind.h \
	core/sampler/process/perf_unwind_state.h \
	core/sampler/process/perf_unwind_regs.h
if PFM
libsampler_la_SOURCES += core/sampler/event/event_pfm.c
else
libsampler_la_SOURCES += core/sampler/event/event_pfm_none.c
endif
if UNWIND
libsampler_la_SOURCES += core/sampler/process/perf_unwind.c \
	core/sampler/process/perf_unwind_state.c
else
libsampler_la_SOURCES += core/sampler/process/perf_unwind_none.c
endif
EXTRA_DIST += core/sampler/process/perf_unwind.c core/sampler/process/perf_unwind_none.c \
	core/sampler/process/perf_unwind_state.c \
	core/sampler/event/event_pfm.c core/sampler/event/event_pfm_none.c
libsampler_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	-DLIBDIR='"$(libdir)"' $(SAMPLER_I)
