# Context: T.  libmon.so: the constructor, the hooks, the export list.
lib_LTLIBRARIES += libmon.la
libmon_la_SOURCES = \
	preload/hook.h \
	preload/process/hook_unshare.c \
	preload/process/hook_chdir.c \
	preload/memory/hook_dlclose.c \
	preload/process/hook_exec.c \
	preload/process/hook_exit.c \
	preload/signal/hook_fatal_signal.c \
	preload/signal/hook_fcntl.c \
	preload/process/hook_fork.c \
	preload/hook_gmon.c \
	preload/memory/hook_resolve.c \
	preload/memory/hook_mlock.c \
	preload/signal/hook_sigmask.c \
	preload/hook_monitor.c \
	preload/process/hook_credentials.c \
	preload/process/hook_syscall.c \
	preload/signal/hook_kill.c \
	preload/signal/hook_sigaction.c \
	preload/hook_sleep.c \
	preload/process/hook_spawn.c \
	preload/signal/hook_sigaltstack.c \
	preload/process/hook_thread.c \
	preload/signal/hook_timer.c \
	preload/signal/hook_sigwait.c \
	preload/init.c \
	preload/real.c \
	preload/real.h
if ARCH_X86_64
libmon_la_SOURCES += preload/memory/stubs_x86_64.S \
	preload/sleep_x86_64.S preload/process/vfork_x86_64.S
endif
if ARCH_AARCH64
libmon_la_SOURCES += preload/memory/stubs_aarch64.S \
	preload/sleep_aarch64.S preload/process/vfork_aarch64.S
endif
libmon_la_CPPFLAGS = $(MON_CPPFLAGS) $(PRELOAD_I)
libmon_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)
libmon_la_LIBADD = libruntime.la libhot.la
# These options save pages that every process maps and touches, 1.3 us each: no
# start files (no code of libmon needs _init, and libmon is never unloaded), code
# beside read-only data, small variables together.  Hooks that call each other
# are bound to each other: a program may define sigaction() itself and call the
# hook from there (the Erlang VM does).
libmon_la_LDFLAGS = -module -avoid-version -shared -XCClinker -nostartfiles \
	-Wl,--version-script=$(top_srcdir)/preload/libmon.map \
	-Wl,-z,relro,-z,now -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,initfirst \
	-Wl,-Bsymbolic-functions $(MON_LDFLAGS)
libmon_la_DEPENDENCIES = $(libmon_la_LIBADD) preload/libmon.map
EXTRA_DIST += preload/libmon.map preload/memory/stubs_x86_64.S \
	preload/memory/stubs_aarch64.S \
	preload/sleep_x86_64.S preload/sleep_aarch64.S \
	preload/process/vfork_x86_64.S preload/process/vfork_aarch64.S
