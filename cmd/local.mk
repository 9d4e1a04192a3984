# Context: O.  The commands.
if TOOLS
bin_PROGRAMS += prof
endif
prof_SOURCES = \
	cmd/prof/option_conflicts.c \
	cmd/prof/option_conflicts.h \
	cmd/control/control_print.c \
	cmd/control/control_print.h \
	cmd/common/print_fault.c \
	cmd/common/print_fault.h \
	cmd/control/prof_control.c \
	cmd/control/prof_control.h \
	cmd/prof/per_file.c \
	cmd/prof/per_file.h \
	cmd/prof/live.c \
	cmd/prof/live.h \
	cmd/classic/classic_list.c \
	cmd/classic/classic_list.h \
	cmd/classic/classic_main.c \
	cmd/classic/classic_main.h \
	cmd/common/option.c \
	cmd/common/option.h \
	cmd/prof/prof.c \
	cmd/prof/prof_model.c \
	cmd/prof/prof_model.h \
	cmd/prof/prof_options.c \
	cmd/prof/prof_diff.c \
	cmd/prof/prof_diff.h \
	cmd/prof/prof_input.c \
	cmd/prof/prof_input.h \
	cmd/prof/prof_options.h \
	cmd/prof/prof_report.c \
	cmd/prof/prof_report.h \
	cmd/prof/prof_state.c \
	cmd/prof/prof_state.h \
	cmd/prof/prof_words.c \
	cmd/prof/prof_words.h \
	cmd/record/prof_record.c \
	cmd/record/prof_record.h \
	cmd/record/record_check.c \
	cmd/record/record_check.h \
	cmd/record/record_kernel.c \
	cmd/record/record_kernel.h \
	cmd/record/record_names.c \
	cmd/record/record_names.h \
	cmd/record/record_options.c \
	cmd/record/record_options.h \
	cmd/record/record_output.c \
	cmd/record/record_output.h \
	cmd/record/record_summary.c \
	cmd/record/record_summary.h \
	cmd/tprof/recording.c \
	cmd/tprof/recording.h \
	cmd/tprof/recording_attached.c \
	cmd/tprof/recording_attached.h \
	cmd/tprof/recording_kernel.c \
	cmd/tprof/tprof_commands.h \
	cmd/tprof/tprof_options.c \
	cmd/tprof/tprof_options.h \
	cmd/tprof/tprof_output.c \
	cmd/tprof/tprof_output.h \
	cmd/prof/report.c \
	cmd/prof/report.h \
	cmd/prof/report_keep.c \
	cmd/prof/report_keep.h \
	cmd/prof/report_missing.c \
	cmd/prof/report_missing.h \
	cmd/doctor/doctor.c \
	cmd/doctor/doctor.h \
	cmd/doctor/doctor_print.c \
	cmd/doctor/doctor_print.h \
	cmd/doctor/doctor_record.c \
	cmd/doctor/doctor_system.c \
	cmd/scan/scan.c \
	cmd/scan/scan.h \
	cmd/scan/scan_file.c \
	cmd/scan/scan_file.h \
	cmd/scan/scan_print.c \
	cmd/scan/scan_print.h \
	cmd/common/std_fds.c \
	cmd/common/std_fds.h \
	cmd/control/control_parse.c \
	cmd/control/control_parse.h \
	cmd/common/option_value.c \
	cmd/common/option_value.h
prof_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I) $(SAMPLER_I) \
	$(ENTRY_I) \
	-DPROF_SWITCHED_OFF='"$(MON_OFF)"' -DPROF_DEBUGINFOD=$(MON_DEBUGINFOD) \
	-DPROF_FUSE=$(MON_FUSE)
prof_LDADD = libsampler.la $(PROF_LIBS) libformat.la libentry.la $(TOOLS_LIBS) \
	$(UNWINDER_LIBS) -lm

if PROFFS
bin_PROGRAMS += proffs
endif
proffs_SOURCES = \
	cmd/proffs/proffs.c \
	cmd/proffs/proffs_serve.c \
	cmd/proffs/proffs_serve.h \
	cmd/proffs/proffs_tree.c \
	cmd/proffs/proffs_tree.h
proffs_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 \
	$(CMD_I) $(DEVICE_I)
proffs_LDADD = libdevice.la $(PROF_LIBS) libformat.la $(TOOLS_LIBS) \
	$(FUSE_LIBS) -lm

if TOOLS
bin_PROGRAMS += tprof tpfmt
endif
tprof_SOURCES = \
	cmd/common/analyze_command.c \
	cmd/common/analyze_command.h \
	cmd/common/option.c \
	cmd/common/option.h \
	cmd/common/print_fault.c \
	cmd/common/print_fault.h \
	cmd/common/std_fds.c \
	cmd/common/std_fds.h \
	cmd/tprof/tprof.c \
	cmd/tprof/tprof_analyze.c \
	cmd/tprof/tprof_commands.h \
	cmd/tprof/tprof_count.c \
	cmd/tprof/tprof_list.c \
	cmd/tprof/recording.c \
	cmd/tprof/recording.h \
	cmd/tprof/recording_attached.c \
	cmd/tprof/recording_attached.h \
	cmd/tprof/recording_kernel.c \
	cmd/tprof/recording_preload.c \
	cmd/tprof/tprof_monitor.c \
	cmd/tprof/tprof_options.c \
	cmd/tprof/tprof_options.h \
	cmd/tprof/tprof_output.c \
	cmd/tprof/tprof_output.h \
	cmd/top/tprof_screen.h \
	cmd/top/tprof_top.c \
	cmd/top/tprof_top.h \
	cmd/top/top_signals.c \
	cmd/top/top_signals.h \
	cmd/top/top_data.c \
	cmd/top/top_profile.c \
	cmd/top/top_kernel.c
if CURSES
tprof_SOURCES += cmd/top/tprof_screen.c
else
tprof_SOURCES += cmd/top/tprof_screen_none.c
endif
EXTRA_DIST += cmd/top/tprof_screen.c cmd/top/tprof_screen_none.c
tprof_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I) $(SAMPLER_I)
tprof_LDADD = libsampler.la $(PROF_LIBS) libformat.la $(TOOLS_LIBS) \
	$(UNWINDER_LIBS) $(CURSES_LIBS) -lm

tpfmt_SOURCES = \
	cmd/common/analyze_command.c \
	cmd/common/analyze_command.h \
	cmd/common/option.c \
	cmd/common/option.h \
	cmd/common/print_fault.c \
	cmd/common/print_fault.h \
	cmd/tprof/tpfmt.c \
	cmd/tprof/tprof_commands.h
tpfmt_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= $(CMD_I)
tpfmt_LDADD = $(PROF_LIBS) libformat.la $(TOOLS_LIBS) -lm
