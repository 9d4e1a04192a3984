# Context: T.  libmon.so: the constructor, the hooks, the export list.
lib_LTLIBRARIES += libmon.la
libmon_la_SOURCES = \
	preload/hook.h \
	preload/hook_alone.c \
	preload/hook_directory.c \
	preload/hook_dl.c \
	preload/hook_exec.c \
	preload/hook_exit.c \
	preload/hook_fatal.c \
	preload/hook_fcntl.c \
	preload/hook_fork.c \
	preload/hook_gmon.c \
	preload/hook_heap.c \
	preload/hook_lock.c \
	preload/hook_mask.c \
	preload/hook_monitor.c \
	preload/hook_rights.c \
	preload/hook_sandbox.c \
	preload/hook_send.c \
	preload/hook_signal.c \
	preload/hook_sleep.c \
	preload/hook_spawn.c \
	preload/hook_stack.c \
	preload/hook_thread.c \
	preload/hook_timer.c \
	preload/hook_wait.c \
	preload/init.c \
	preload/real.c \
	preload/real.h
if ARCH_X86_64
libmon_la_SOURCES += preload/heap_x86_64.S preload/map_x86_64.S \
	preload/sleep_x86_64.S preload/twice_x86_64.S
endif
if ARCH_AARCH64
libmon_la_SOURCES += preload/heap_aarch64.S preload/map_aarch64.S \
	preload/sleep_aarch64.S preload/twice_aarch64.S
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
	preload/twice_x86_64.S preload/twice_aarch64.S
