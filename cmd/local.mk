# Context: O.  One file a command.
if TOOLS
bin_PROGRAMS += prof
endif
prof_SOURCES = \
	cmd/agree.c \
	cmd/agree.h \
	cmd/answer.c \
	cmd/answer.h \
	cmd/complain.c \
	cmd/complain.h \
	cmd/control.c \
	cmd/control.h \
	cmd/each.c \
	cmd/each.h \
	cmd/live.c \
	cmd/live.h \
	cmd/oldlist.c \
	cmd/oldlist.h \
	cmd/oldprof.c \
	cmd/oldprof.h \
	cmd/option.c \
	cmd/option.h \
	cmd/prof.c \
	cmd/settings.c \
	cmd/settings.h \
	cmd/show.c \
	cmd/show.h \
	cmd/standard.c \
	cmd/standard.h \
	cmd/tell.c \
	cmd/tell.h \
	cmd/value.c \
	cmd/value.h
prof_CPPFLAGS = $(AM_CPPFLAGS) $(CMD_I)
prof_LDADD = $(PROF_LIBS) libformat.la $(TOOLS_LIBS) -lm

if PROFFS
bin_PROGRAMS += proffs
endif
proffs_SOURCES = \
	cmd/proffs.c \
	cmd/proffs_serve.c \
	cmd/proffs_serve.h \
	cmd/proffs_tree.c \
	cmd/proffs_tree.h
proffs_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 \
	$(CMD_I) $(DEVICE_I)
proffs_LDADD = libdevice.la $(PROF_LIBS) libformat.la $(TOOLS_LIBS) \
	$(FUSE_LIBS) -lm

if TOOLS
bin_PROGRAMS += tprof tpfmt
endif
tprof_SOURCES = \
	cmd/analyze.c \
	cmd/analyze.h \
	cmd/complain.c \
	cmd/complain.h \
	cmd/standard.c \
	cmd/standard.h \
	cmd/tprof.c \
	cmd/tprof_analyze.c \
	cmd/tprof_commands.h \
	cmd/tprof_count.c \
	cmd/tprof_list.c \
	cmd/monitor.h \
	cmd/monitor_kernel.c \
	cmd/monitor_preload.c \
	cmd/tprof_monitor.c \
	cmd/tprof_options.c \
	cmd/tprof_options.h \
	cmd/tprof_output.c \
	cmd/tprof_output.h \
	cmd/tprof_screen.h \
	cmd/tprof_top.c \
	cmd/tprof_top.h \
	cmd/tprof_topdata.c \
	cmd/tprof_topfile.c \
	cmd/tprof_topkernel.c
if CURSES
tprof_SOURCES += cmd/tprof_screen.c
else
tprof_SOURCES += cmd/no_tprof_screen.c
endif
EXTRA_DIST += cmd/tprof_screen.c cmd/no_tprof_screen.c
tprof_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I) $(SAMPLER_I)
tprof_LDADD = libsampler.la $(PROF_LIBS) libformat.la $(TOOLS_LIBS) \
	$(UNWINDER_LIBS) $(CURSES_LIBS) -lm

tpfmt_SOURCES = \
	cmd/analyze.c \
	cmd/analyze.h \
	cmd/complain.c \
	cmd/complain.h \
	cmd/tpfmt.c \
	cmd/tprof_commands.h
tpfmt_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I)
tpfmt_LDADD = $(PROF_LIBS) libformat.la $(TOOLS_LIBS) -lm
