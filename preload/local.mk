# Context: T.  libmon.so: the constructor, the hooks, the export list.
lib_LTLIBRARIES += libmon.la
libmon_la_SOURCES = \
	preload/hook.h \
	preload/hook_unshare.c \
	preload/hook_chdir.c \
	preload/hook_dlclose.c \
	preload/hook_exec.c \
	preload/hook_exit.c \
	preload/hook_fatal_signal.c \
	preload/hook_fcntl.c \
	preload/hook_fork.c \
	preload/hook_gmon.c \
	preload/hook_resolve.c \
	preload/hook_mlock.c \
	preload/hook_sigmask.c \
	preload/hook_monitor.c \
	preload/hook_credentials.c \
	preload/hook_syscall.c \
	preload/hook_kill.c \
	preload/hook_sigaction.c \
	preload/hook_sleep.c \
	preload/hook_spawn.c \
	preload/hook_sigaltstack.c \
	preload/hook_thread.c \
	preload/hook_timer.c \
	preload/hook_sigwait.c \
	preload/init.c \
	preload/real.c \
	preload/real.h
if ARCH_X86_64
libmon_la_SOURCES += preload/heap_x86_64.S preload/map_x86_64.S \
	preload/sleep_x86_64.S preload/vfork_x86_64.S
endif
if ARCH_AARCH64
libmon_la_SOURCES += preload/heap_aarch64.S preload/map_aarch64.S \
	preload/sleep_aarch64.S preload/vfork_aarch64.S
endif
libmon_la_CPPFLAGS = $(MON_CPPFLAGS) $(PRELOAD_I)
libmon_la_CFLAGS = $(AM_CFLAGS) $(MON_CFLAGS)
libmon_la_LIBADD = libruntime.la libhot.la
# Less for every process to map and to touch, a page 1.3 us: no start files
# (nothing of ours needs _init or is ever unloaded), code beside read-only data,
# small variables together.  Hooks that call each other mean each other: a
# program's own sigaction() may be what called (the Erlang VM's).
libmon_la_LDFLAGS = -module -avoid-version -shared -XCClinker -nostartfiles \
	-Wl,--version-script=$(top_srcdir)/preload/libmon.map \
	-Wl,-z,relro,-z,now -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,initfirst \
	-Wl,-Bsymbolic-functions $(MON_LDFLAGS)
libmon_la_DEPENDENCIES = $(libmon_la_LIBADD) preload/libmon.map
EXTRA_DIST += preload/libmon.map preload/heap_x86_64.S preload/heap_aarch64.S \
	preload/map_x86_64.S preload/map_aarch64.S \
	preload/sleep_x86_64.S preload/sleep_aarch64.S \
	preload/vfork_x86_64.S preload/vfork_aarch64.S
