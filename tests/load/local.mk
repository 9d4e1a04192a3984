# Workload programs.  tests/e2e runs them; each prints its own expectation.
LOAD_C = \
	tests/load/alone \
	tests/load/altstacks \
	tests/load/bursts \
	tests/load/calls_dl \
	tests/load/commands \
	tests/load/confined \
	tests/load/deny \
	tests/load/dispatch \
	tests/load/early \
	tests/load/eintr \
	tests/load/elapsed \
	tests/load/ends \
	tests/load/forward \
	tests/load/heapdeep \
	tests/load/heapforks \
	tests/load/heapgrowth \
	tests/load/heappairs \
	tests/load/heappaths \
	tests/load/heaps \
	tests/load/heapstacks \
	tests/load/heapstorm \
	tests/load/histogram \
	tests/load/holes \
	tests/load/hostile \
	tests/load/jailed \
	tests/load/kinds \
	tests/load/life \
	tests/load/makes \
	tests/load/live_threads \
	tests/load/many_threads \
	tests/load/mappings \
	tests/load/mixes \
	tests/load/moves \
	tests/load/outermost \
	tests/load/pointers \
	tests/load/retarget \
	tests/load/same \
	tests/load/same_boxed \
	tests/load/sandboxed \
	tests/load/served \
	tests/load/sharers \
	tests/load/shares \
	tests/load/short_threads \
	tests/load/shorts \
	tests/load/sigprof \
	tests/load/sleeps \
	tests/load/small_stack \
	tests/load/storm_process \
	tests/load/stopped \
	tests/load/storm_stack \
	tests/load/storm_threads \
	tests/load/targets \
	tests/load/teller \
	tests/load/ticks \
	tests/load/tls_away \
	tests/load/unreadable_stack
check_PROGRAMS += $(LOAD_C)

tests_load_mixes_SOURCES = tests/load/mixes.c tests/load/load.h \
	tests/load/part.h
tests_load_bursts_SOURCES = tests/load/bursts.c tests/load/load.h \
	tests/load/part.h
tests_load_sleeps_SOURCES = tests/load/sleeps.c tests/load/load.h \
	tests/load/part.h
tests_load_sleeps_LDADD = -lpthread
tests_load_altstacks_SOURCES = tests/load/altstacks.c tests/load/load.h
tests_load_altstacks_LDADD = -lpthread
tests_load_dispatch_SOURCES = tests/load/dispatch.c tests/load/load.h
tests_load_dispatch_LDADD = -lpthread
tests_load_tls_away_SOURCES = tests/load/tls_away.c tests/load/load.h
tests_load_tls_away_LDADD = -lpthread
tests_load_alone_SOURCES = tests/load/alone.c tests/load/load.h
tests_load_calls_dl_SOURCES = tests/load/calls_dl.c tests/load/load.h
tests_load_calls_dl_LDADD = -ldl
tests_load_confined_SOURCES = tests/load/confined.c tests/load/load.h
tests_load_confined_LDADD = -lpthread
tests_load_jailed_SOURCES = tests/load/jailed.c tests/load/load.h
tests_load_sharers_SOURCES = tests/load/sharers.c tests/load/load.h
tests_load_pointers_SOURCES = \
	tests/load/load.h \
	tests/load/pointers.c \
	tests/load/pointers.h \
	tests/load/pointers_others.c \
	tests/load/pointers_signals.c \
	tests/load/pointers_sleeps.c
tests_load_pointers_LDADD = -lpthread -ldl
tests_load_live_threads_SOURCES = tests/load/live_threads.c tests/load/load.h
tests_load_live_threads_LDADD = -lpthread
tests_load_many_threads_SOURCES = tests/load/many_threads.c tests/load/load.h \
	tests/load/part.h
tests_load_many_threads_LDADD = -lpthread
tests_load_deny_SOURCES = tests/load/deny.c tests/load/load.h
tests_load_early_SOURCES = tests/load/early.c tests/load/load.h
tests_load_eintr_SOURCES = \
	tests/load/eintr.c \
	tests/load/eintr.h \
	tests/load/eintr_ipc.c \
	tests/load/eintr_wait.c \
	tests/load/load.h
tests_load_eintr_LDADD = -lpthread -lrt
tests_load_forward_SOURCES = tests/load/forward.c
tests_load_forward_LDADD = -ldl
tests_load_unreadable_stack_SOURCES = tests/load/unreadable_stack.c tests/load/load.h
tests_load_unreadable_stack_LDADD = -lpthread
tests_load_heappairs_SOURCES = tests/load/heappairs.c tests/load/load.h
tests_load_heappairs_LDADD = -lpthread
tests_load_heapstorm_SOURCES = tests/load/heapstorm.c
tests_load_heapstorm_LDADD = -lpthread
tests_load_heaps_SOURCES = tests/load/heaps.c
tests_load_heaps_LDADD = -lpthread -ldl
tests_load_histogram_SOURCES = tests/load/histogram.c tests/load/load.h \
	tests/load/part.h
tests_load_histogram_LDADD = -lpthread
tests_load_holes_SOURCES = tests/load/holes.c tests/load/load.h
tests_load_holes_LDADD = -lpthread
tests_load_hostile_SOURCES = tests/load/hostile.c tests/load/load.h
tests_load_hostile_LDADD = -lpthread
tests_load_mappings_SOURCES = tests/load/mappings.c tests/load/load.h
tests_load_mappings_LDADD = -lpthread
tests_load_sandboxed_SOURCES = tests/load/sandboxed.c tests/load/load.h
tests_load_sandboxed_LDADD = -lpthread -ldl
tests_load_elapsed_SOURCES = tests/load/elapsed.c tests/load/load.h
tests_load_elapsed_LDADD = -lpthread
tests_load_kinds_SOURCES = tests/load/kinds.c tests/load/load.h
tests_load_kinds_LDADD = -lpthread
tests_load_short_threads_SOURCES = tests/load/short_threads.c tests/load/load.h
tests_load_short_threads_LDADD = -lpthread
tests_load_ends_SOURCES = tests/load/ends.c tests/load/load.h
tests_load_ends_LDADD = -lpthread
tests_load_moves_SOURCES = tests/load/moves.c tests/load/load.h
tests_load_moves_LDADD = -lpthread
tests_load_makes_SOURCES = tests/load/makes.c tests/load/load.h
tests_load_life_SOURCES = tests/load/life.c tests/load/load.h
tests_load_life_LDADD = -lpthread
if TOOLS
check_PROGRAMS += tests/load/kicker
endif
tests_load_kicker_SOURCES = tests/load/kicker.c tests/load/load.h
tests_load_kicker_CPPFLAGS = $(AM_CPPFLAGS) $(CONTROL_I)
tests_load_kicker_LDADD = libcontrol.la libload.la libimport.la libobject.la \
	libformat.la $(TOOLS_LIBS) -lm
tests_load_teller_SOURCES = tests/load/load.h tests/load/teller.c
tests_load_teller_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include \
	-D_GNU_SOURCE=
tests_load_teller_LDADD = libmontell.la -lpthread
tests_load_heapdeep_SOURCES = tests/load/heapdeep.c
tests_load_heapforks_SOURCES = tests/load/bits.h tests/load/heapforks.c \
	tests/load/load.h
tests_load_heappaths_SOURCES = tests/load/bits.h tests/load/heappaths.c \
	tests/load/load.h
tests_load_heapstacks_SOURCES = tests/load/heapstacks.c tests/load/load.h
tests_load_heapstacks_LDADD = -lpthread
tests_load_heapgrowth_SOURCES = tests/load/heapgrowth.c
tests_load_commands_SOURCES = tests/load/commands.c tests/load/load.h \
	tests/load/part.h
tests_load_commands_LDADD = -lpthread
tests_load_retarget_SOURCES = tests/load/load.h tests/load/retarget.c
tests_load_retarget_LDADD = -lpthread
tests_load_same_SOURCES = \
	tests/load/same.c \
	tests/load/same.h \
	tests/load/same_gmon.c \
	tests/load/same_apart.c \
	tests/load/same_process.c \
	tests/load/same_signal.c \
	tests/load/same_state.c \
	tests/load/same_thread.c \
	tests/load/same_wait.c \
	tests/load/load.h
tests_load_same_LDADD = -lpthread -lrt -ldl
tests_load_same_boxed_SOURCES = tests/load/load.h tests/load/same_boxed.c
tests_load_same_boxed_LDADD = -lpthread
tests_load_served_SOURCES = tests/load/load.h tests/load/part.h tests/load/served.c
tests_load_shares_SOURCES = \
	tests/load/load.h \
	tests/load/part.h \
	tests/load/shares.c
tests_load_shares_LDADD = -lpthread -ldl
tests_load_outermost_SOURCES = tests/load/outermost.c tests/load/load.h
tests_load_shorts_SOURCES = tests/load/shorts.c tests/load/load.h
tests_load_sigprof_SOURCES = \
	tests/load/load.h \
	tests/load/sigprof.c \
	tests/load/sigprof.h \
	tests/load/sigprof_state.c
tests_load_sigprof_LDADD = -lpthread -lrt
tests_load_small_stack_SOURCES = tests/load/load.h tests/load/small_stack.c
tests_load_small_stack_LDADD = -lpthread -lrt
tests_load_storm_process_SOURCES = tests/load/load.h tests/load/storm_process.c
tests_load_storm_process_LDADD = -lpthread
tests_load_stopped_SOURCES = tests/load/load.h tests/load/stopped.c
tests_load_stopped_LDADD = -lpthread
tests_load_storm_stack_SOURCES = tests/load/load.h tests/load/storm_stack.c
tests_load_storm_stack_LDADD = -lpthread -ldl
tests_load_storm_threads_SOURCES = tests/load/load.h tests/load/storm_threads.c
tests_load_storm_threads_LDADD = -lpthread
tests_load_targets_SOURCES = tests/load/load.h tests/load/targets.c
tests_load_targets_CPPFLAGS = $(AM_CPPFLAGS) $(ENTRY_I)
tests_load_targets_LDADD = libentry.la
tests_load_ticks_SOURCES = tests/load/load.h tests/load/ticks.c

# Compiled by tests/e2e where it needs them: other languages and odd flags.
EXTRA_DIST += \
	tests/load/Hot.java \
	tests/load/arcs.c \
	tests/load/arcs.cc \
	tests/load/store.cc \
	tests/load/arcs.h \
	tests/load/arcs_lib.c \
	tests/load/audit.c \
	tests/load/calls.c \
	tests/load/calls_lib.c \
	tests/load/calls_many.S \
	tests/load/calls_many.c \
	tests/load/calls_odd.c \
	tests/load/calls_odd_lib.c \
	tests/load/cgo.go \
	tests/load/comings.c \
	tests/load/counts.c \
	tests/load/early_lib.c \
	tests/load/resolves.c \
	tests/load/resolves_lib.c \
	tests/load/ranges.c \
	tests/load/heaplog_lib.c \
	tests/load/heapsafe_lib.c \
	tests/load/foreign.c \
	tests/load/garbage.go \
	tests/load/gmon_ends.c \
	tests/load/hot.js \
	tests/load/hot.rs \
	tests/load/late_lib.c \
	tests/load/lines.c \
	tests/load/calls_miss.c \
	tests/load/marks.c \
	tests/load/foreign_tid.c \
	tests/load/monitor.c \
	tests/load/pauses.c \
	tests/load/phases.c \
	tests/load/jumps.cc \
	tests/load/planted.cc \
	tests/load/sleeps.cc \
	tests/load/large.py \
	tests/load/own_faults.c \
	tests/load/packed.c \
	tests/load/spaces.c \
	tests/load/part_lib.c \
	tests/load/paths.c \
	tests/load/handover.c \
	tests/load/objects.c \
	tests/load/stacks.c \
	tests/load/cancelled.c \
	tests/load/cancelled_anywhere.c \
	tests/load/trampolines.c \
	tests/load/jumps_down.c \
	tests/load/storm_throw.cc \
	tests/load/swap.c \
	tests/load/tight.c \
	tests/load/vm_init.c \
	tests/load/wild.c

# These are made of the library's parts.
check_PROGRAMS += tests/load/walks
if LIBUNWIND
check_LTLIBRARIES += libversus.la
endif
libversus_la_SOURCES = \
	tests/load/versus.c \
	tests/unit/target.c \
	tests/unit/target.h
libversus_la_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
# A path to install to makes it a shared object; nothing is installed.
libversus_la_LDFLAGS = -module -avoid-version -rpath $(abs_builddir)
libversus_la_LIBADD = libruntime.la libhot.la $(UNWIND_LIBS) -lpthread
tests_load_walks_SOURCES = \
	tests/load/walks.c \
	tests/unit/target.c \
	tests/unit/target.h
tests_load_walks_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_load_walks_CFLAGS = $(AM_CFLAGS) -fomit-frame-pointer
tests_load_walks_LDADD = libruntime.la libhot.la libformat.la -ldl -lpthread
