# Context: O.  One file a command.
if TOOLS
bin_PROGRAMS += prof
endif
prof_SOURCES = \
	cmd/option_conflicts.c \
	cmd/option_conflicts.h \
	cmd/control_print.c \
	cmd/control_print.h \
	cmd/print_fault.c \
	cmd/print_fault.h \
	cmd/prof_control.c \
	cmd/prof_control.h \
	cmd/per_file.c \
	cmd/per_file.h \
	cmd/live.c \
	cmd/live.h \
	cmd/classic_list.c \
	cmd/classic_list.h \
	cmd/classic_main.c \
	cmd/classic_main.h \
	cmd/option.c \
	cmd/option.h \
	cmd/prof.c \
	cmd/prof_options.c \
	cmd/prof_options.h \
	cmd/report.c \
	cmd/report.h \
	cmd/std_fds.c \
	cmd/std_fds.h \
	cmd/control_parse.c \
	cmd/control_parse.h \
	cmd/option_value.c \
	cmd/option_value.h
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
	cmd/analyze_command.c \
	cmd/analyze_command.h \
	cmd/print_fault.c \
	cmd/print_fault.h \
	cmd/std_fds.c \
	cmd/std_fds.h \
	cmd/tprof.c \
	cmd/tprof_analyze.c \
	cmd/tprof_commands.h \
	cmd/tprof_count.c \
	cmd/tprof_list.c \
	cmd/recording.h \
	cmd/recording_kernel.c \
	cmd/recording_preload.c \
	cmd/tprof_monitor.c \
	cmd/tprof_options.c \
	cmd/tprof_options.h \
	cmd/tprof_output.c \
	cmd/tprof_output.h \
	cmd/tprof_screen.h \
	cmd/tprof_top.c \
	cmd/tprof_top.h \
	cmd/top_data.c \
	cmd/top_profile.c \
	cmd/top_kernel.c
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
	cmd/analyze_command.c \
	cmd/analyze_command.h \
	cmd/print_fault.c \
	cmd/print_fault.h \
	cmd/tpfmt.c \
	cmd/tprof_commands.h
tpfmt_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I)
tpfmt_LDADD = $(PROF_LIBS) libformat.la $(TOOLS_LIBS) -lm
