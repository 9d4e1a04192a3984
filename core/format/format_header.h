/*
 * Context: P.  The header of a profile: the process image, its end, the space
 * of the file, the lists of records, the losses and live control.  libmon.so
 * writes it; tools write the words of live control, and add names to or
 * truncate a file whose process is gone.  Readers begin with header_read().
 * Part of format.h.
 */
#ifndef FORMAT_HEADER_H
#define FORMAT_HEADER_H

#include "format_control.h"
#include "loss.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A profile is a header of one page, then records in units of 16 bytes.  A
 * record is named by its index, file offset / 16; index 0 names none.  All
 * numbers are little-endian.
 *
 * The writer takes space by adding to `used`, fills the record, then publishes
 * it with one release store into a list that is reachable from the header.  A
 * record that was not published is unreachable and hence harmless, whatever its
 * bytes are.  Published records never move and are never freed; their links do
 * not change, only list heads and counters do.
 */
#define FORMAT_MAGIC	"\211mon\r\n\032\n"	/* shows text-mode damage */
#define FORMAT_VERSION	1
#define FORMAT_HEADER	4096
#define FORMAT_UNIT	16
/* Step in which the file gets real space; the first steps are a quarter */
#define FORMAT_STEP	65536
/* Bit of `used`: no more records are added */
#define FORMAT_CLOSED	1u

/* Values of `state` in the header. */
enum format_state {
	FORMAT_INCOMPLETE = 0,	/* header not complete yet: nothing counted */
	FORMAT_LIVE = 1,	/* being written, or its writer ended unseen */
	FORMAT_SEALED = 2,	/* ended in order; end fields are valid */
};

/* Values of `end` in the header: how the process image ended. */
enum format_end {
	FORMAT_END_NONE = 0,	/* not sealed: alive, or ended unseen */
	FORMAT_END_EXIT = 1,	/* exit(3) or return from main */
	FORMAT_END__EXIT = 2,	/* _exit, _Exit, quick_exit */
	FORMAT_END_EXEC = 3,	/* replaced by another program image */
	FORMAT_END_STOP = 4,	/* stopped on request; no writer sets it */
	FORMAT_END_DUMP = 5,	/* not sealed: a copy whose process went on */
};

/* Values of `clock` in the header. */
enum format_clock {
	FORMAT_CLOCK_CPU = 0,
	FORMAT_CLOCK_WALL = 1,
};

/* Kind of a thread's coarse clock; see doc/design/clocks.md. */
enum format_coarse {
	FORMAT_COARSE_NONE = 0,
	FORMAT_COARSE_CPU = 1,	/* thread CPU time, user and kernel */
	FORMAT_COARSE_USER = 2,	/* thread user time only */
	FORMAT_COARSE_PROCESS = 3, /* ITIMER_PROF of the whole process */
};

/* budget_ns of a process that a profiled process started */
#define FORMAT_NO_BUDGET	1u

/* State of a thread's fine clock. */
enum format_fine {
	/* Not tried: not busy enough, or not asked for */
	FORMAT_FINE_NEVER = 0,
	FORMAT_FINE_ON = 1,
	FORMAT_FINE_DONE = 2,	/* budget used up, and seldom switched */
	FORMAT_FINE_REFUSED = 3, /* refused; fine_errno says why */
	FORMAT_FINE_SWITCHING = 4, /* the thread is switched too often */
	FORMAT_FINE_SECCOMP = 5, /* a seccomp filter might kill on the call */
};

/* Bits of `sums` in the header. */
#define FORMAT_SUMS_FINAL	1u	/* each living thread was asked */
/* Some thread could not be asked: the kernel or /proc does not say it */
#define FORMAT_SUMS_REFUSED	2u
#define FORMAT_SUMS_QUOTA	4u	/* the throttle figures are known */

/* How call stacks were found. */
enum format_stack {
	/* Stacks were not walked: a tick is below its thread's root */
	FORMAT_STACK_OFF = 0,
	/* Unwind tables; frame pointers where there are no tables */
	FORMAT_STACK_AUTO = 1,
	FORMAT_STACK_FP = 2,	/* frame pointers */
	FORMAT_STACK_CFI = 3,	/* unwind tables */
};

/* The header of a profile, at offset 0. */
struct format_header {
	/*
	 * Constant from FORMAT_LIVE on, except: `cap` can be lowered; the four
	 * texts are filled a moment later; what follows interval_ns changes.
	 */
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;	/* FORMAT_HEADER */
	uint32_t machine;	/* e_machine of ELF */
	uint32_t address_bits;	/* 64 */
	uint64_t cap;		/* bytes that the file may ever use */
	/* When the file was made, mostly at the first count: ns since 1970 */
	uint64_t birth_real;
	uint64_t birth_mono;	/* then, CLOCK_MONOTONIC, ns */
	int32_t pid;		/* in its own pid namespace */
	int32_t ppid;
	uint32_t uid;
	uint32_t euid;
	uint64_t pid_namespace;	/* inode of the namespace, 0 unknown */
	/*
	 * Field 22 of /proc/PID/stat; with pid and boot_id it identifies the
	 * process for good.
	 */
	uint64_t start_ticks;
	uint8_t boot_id[16];
	/*
	 * Pid of the first process of the run; with run_start it identifies the
	 * run
	 */
	int32_t run_pid;
	/*
	 * 1, or one more than in this process's file that had the name before
	 * exec.
	 */
	uint32_t image;
	uint64_t run_start;	/* start_ticks of run_pid */
	uint32_t exe;		/* text: path of the executable */
	uint32_t cmdline;	/* text: arguments, each ended by NUL */
	uint32_t host;		/* text: node name */
	uint32_t options;	/* text: PROFOPTS as given, 0: none */
	uint32_t clock;		/* enum format_clock */
	/*
	 * Samples a second as asked for, 0: automatic.  Follows interval_ns, as
	 * do period_ns, budget_ns and later_ns.
	 */
	uint32_t asked_hz;
	uint64_t tick_ns;	/* coarse interval: the scheduler's tick */
	/* Mean fine period, 0: no fine clock asked for */
	uint64_t period_ns;
	/*
	 * CPU time of a thread on the fine clock with period_ns; 0: no limit;
	 * FORMAT_NO_BUDGET: none
	 */
	uint64_t budget_ns;
	uint32_t signal;	/* the tick's signal at the start */
	uint32_t cost_shift;	/* the tick handler times one tick in 2^n */
	/* Version of libmon: major << 32 | minor << 16 | patch */
	uint64_t library;
	/*
	 * Mean fine period past the budget, while the thread is switched; 0:
	 * none.
	 */
	uint64_t later_ns;
	uint32_t stack;		/* enum format_stack */
	uint32_t depth;		/* most frames that were kept of a stack */
	uint8_t pad0[320];

	/* State and end of the process image. */
	uint32_t state;		/* enum format_state */
	uint32_t end;		/* enum format_end */
	/* Status if FORMAT_END_EXIT or __EXIT and known, else -1 */
	int32_t exit_status;
	uint32_t pad7;
	uint64_t end_real;	/* ns since 1970; 0: not known */
	uint64_t end_mono;	/* ns, CLOCK_MONOTONIC; 0: not known */
	uint64_t cpu_ns;	/* CPU time of the process by the kernel */
	uint64_t cpu_mono;	/* CLOCK_MONOTONIC time when cpu_ns was read */
	uint64_t user_ns;	/* CPU times by getrusage(2) at the seal */
	uint64_t system_ns;
	/*
	 * cpu_ns when the image started, as exec keeps the process's CPU time
	 */
	uint64_t cpu_birth_ns;
	uint32_t coarse_seen;	/* bits 1 << enum format_coarse, any thread */
	uint32_t fine_seen;	/* bits 1 << enum format_fine, any thread */
	int32_t fine_errno;	/* first refusal of a fine clock */
	int32_t coarse_errno;	/* first refusal of a coarse clock */
	uint32_t kernel_seen;	/* 1: kernel functions were recorded */
	int32_t kernel_errno;	/* why kernel=detail was refused */
	/*
	 * CPU time at cpu_mono of the children that were waited for, and of
	 * their children
	 */
	uint64_t children_ns;
	uint64_t children_birth_ns; /* children_ns when the image started */
	uint32_t children;	/* processes that the image has made */
	int32_t session;	/* getsid(2) when the file was made */
	int32_t end_ppid;	/* parent at the seal; 0: not known */

	/*
	 * Where the time of the threads went: lived_ns is CPU time, waiting
	 * for a processor, and sleep.
	 */
	uint32_t lives;		/* threads of the image so far; 0: not known */
	/* When the image began, CLOCK_MONOTONIC, ns; 0: not known */
	uint64_t begin_mono;
	uint64_t lived_ns;	/* what all threads have lived by cpu_mono */
	/* Waiting for a processor, of the threads that were asked */
	uint64_t delay_ns;
	/* Time without a processor of those that have ended unasked */
	uint64_t unasked_ns;
	/*
	 * How long the CPU quota of the control group had stopped it, all its
	 * processes and processors, when the file was made and at the seal; and
	 * in how many periods
	 */
	uint64_t throttle_birth_ns;
	uint64_t throttle_ns;
	uint32_t throttles_birth;
	uint32_t throttles;
	uint32_t unseen;	/* threads whose birth or end was not seen */
	uint32_t sums;		/* FORMAT_SUMS_* */
	uint32_t living;	/* threads that live at cpu_mono */
	uint8_t pad1[60];

	/*
	 * Space.  Each word is alone in its pair of cache lines.
	 *
	 * `used`: bytes handed out, which is the offset of the next record.
	 * The seal sets FORMAT_CLOSED in it, or a tool that truncates the file.
	 */
	uint64_t used;
	uint8_t pad2[120];
	/* Bytes that have real space: a store to them cannot fault */
	uint64_t ready;
	uint8_t pad3[120];

	/* Heads of lists, newest record first. */
	uint32_t modules;	/* struct format_module */
	uint32_t threads;	/* struct format_thread */
	uint32_t arcs;		/* struct format_arcs */
	uint32_t names;		/* struct format_names */
	uint64_t names_at;	/* `used` before the names were added */
	uint32_t moments;	/* struct format_tick_log */
	uint32_t alloc_threads;	/* struct format_alloc_thread */
	uint32_t memory;	/* struct format_memory, a single record */
	uint32_t maps;		/* struct format_memory of mappings, single */
	uint8_t pad4[88];

	/*
	 * Cost of the tick handler.  The first 2^cost_shift ticks are counted
	 * apart, as they create the file and read the memory map.
	 */
	uint64_t cost_ticks;	/* later ticks that were timed */
	uint64_t cost_ns;	/* CPU time of the handler in cost_ticks */
	uint64_t ticks;		/* ticks: calls of the handler */
	uint64_t first_ticks;	/* timed ones of the first 2^cost_shift ticks */
	uint64_t first_ns;	/* CPU time of the handler in first_ticks */

	/*
	 * CPU time in samples and how evenly it is spread, from which readers
	 * estimate the error of a share.
	 */
	uint64_t sample_ns;	/* CPU time that all samples stand for */
	uint64_t sample_squares; /* sum of the squares of their weights in us */
	uint64_t kernel_ns;	/* part of sample_ns in the kernel */
	/* Part of sample_ns in user mode, by the coarse clock */
	uint64_t coarse_ns;
	uint8_t pad5[56];

	/* Counters of losses, by the numbers of loss.h. */
	uint64_t loss[LOSS_MAX];

	/*
	 * Live control, doc/design/live-control.md: the words that tools
	 * write, one tool at a time (flock), in cache lines that the process
	 * only reads.
	 */
	/* Number of the order; odd while a tool writes it */
	uint32_t asked;
	uint32_t ask_stop;	/* 1: the process is to count nothing */
	uint32_t kicks;		/* signals that were announced to threads */
	uint32_t ask_modes;	/* FORMAT_MODE_* */
	uint64_t ask_interval_ns; /* interval between samples, 0: automatic */
	/* Struct format_baseline; readers subtract it */
	uint32_t base;
	/* How often the process was asked to forget its live blocks */
	uint32_t ask_forget;
	uint8_t pad8[96];

	/* Live control: the words that the process writes. */
	uint32_t answered;	/* value of `asked` in the last order taken */
	int32_t answer;		/* answer to that order: 0 or an errno */
	uint64_t answer_mono;	/* time of the answer, CLOCK_MONOTONIC, ns */
	/*
	 * CPU time while no time was counted; while FORMAT_UNTIMED is set,
	 * cpu_ns less that CPU time.
	 */
	uint64_t stopped_ns;
	/* Signal that the process takes as a kick, 0: none */
	uint32_t kick_signal;
	/* FORMAT_MODE_*: what the process counts unless stopped */
	uint32_t modes;
	uint64_t interval_ns;	/* interval in force */
	uint64_t first_interval_ns; /* interval in force at first */

	/*
	 * Watched modules as a tool asks for them, and those in force; see
	 * FORMAT_WATCH.
	 */
	char ask_watch[FORMAT_WATCH];
	char watch[FORMAT_WATCH];
	/* FORMAT_MODE_* in force at first; 0: not known */
	uint32_t first_modes;
	/*
	 * FORMAT_MODE_* that it cannot be told to count, as its allocator is
	 * its own; 0: none, or not known
	 */
	uint32_t no_modes;
	/* 1: behind a seccomp filter, so that it refuses every change */
	uint32_t frozen;
	uint8_t pad6[1092];
};

_Static_assert(sizeof(struct format_header) == FORMAT_HEADER, "header");
_Static_assert(offsetof(struct format_header, state) == 512, "life");
_Static_assert(offsetof(struct format_header, used) == 768, "space");
_Static_assert(offsetof(struct format_header, modules) == 1024, "lists");
_Static_assert(offsetof(struct format_header, cost_ticks) == 1152, "cost");
_Static_assert(offsetof(struct format_header, loss) == 1280, "losses");
_Static_assert(offsetof(struct format_header, asked) == 1792, "asked");
_Static_assert(offsetof(struct format_header, answered) == 1920, "answered");

#endif
