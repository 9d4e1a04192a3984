/*
 * Context: P.  The layout of a profile in C; doc/format.md explains it.
 * libmon.so writes it, the decoder (decode.h) reads it, and tools write the
 * control words.
 */
#ifndef FORMAT_H
#define FORMAT_H

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
/* Step in which the file gets real space */
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
	FORMAT_END_STOP = 4,	/* stopped on request */
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

/* How call stacks were found. */
enum format_stack {
	/* Stacks were not walked: a tick is below its thread's root */
	FORMAT_STACK_OFF = 0,
	/* Unwind tables; frame pointers where there are no tables */
	FORMAT_STACK_AUTO = 1,
	FORMAT_STACK_FP = 2,	/* frame pointers */
	FORMAT_STACK_CFI = 3,	/* unwind tables */
};

/*
 * Bytes of a text that lists the watched modules, which are told apart: shell
 * patterns (`*`, `?`) with commas between, ended by NUL.  A pattern matches the
 * file name, or the path if the pattern holds a '/'.  "" watches all modules.
 */
#define FORMAT_WATCH	512

/* The header of a profile, at offset 0. */
struct format_header {
	/* These fields are constant from FORMAT_LIVE on. */
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;	/* FORMAT_HEADER */
	uint32_t machine;	/* e_machine of ELF */
	uint32_t address_bits;	/* 64 */
	uint64_t cap;		/* bytes that the file may ever use */
	uint64_t birth_real;	/* start of the image, ns since 1970 */
	uint64_t birth_mono;	/* start of the image, CLOCK_MONOTONIC, ns */
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
	 * Samples a second as asked for, 0: automatic.  Changes with
	 * interval_ns, as do period_ns, budget_ns and later_ns.
	 */
	uint32_t asked_hz;
	uint64_t tick_ns;	/* coarse interval: the scheduler's tick */
	/* Mean fine period, 0: no fine clock asked for */
	uint64_t period_ns;
	/* CPU time of a thread on the fine clock, 0: no limit */
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
	uint64_t end_real;	/* ns since 1970 */
	uint64_t end_mono;	/* ns, CLOCK_MONOTONIC */
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
	uint8_t pad1[132];

	/* Space.  Each word is alone in its pair of cache lines. */
	/*
	 * Bytes handed out, which is the offset of the next record.  The seal
	 * sets FORMAT_CLOSED in it.
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
	uint32_t lanes;		/* struct format_alloc_thread */
	uint32_t memory;	/* struct format_memory, a single record */
	uint32_t maps;		/* struct format_memory of mappings, single */
	uint8_t pad4[88];

	/*
	 * Cost of the tick handler.  The first 2^cost_shift runs are counted
	 * apart, as they create the file and read the memory map.
	 */
	uint64_t cost_ticks;	/* later runs that were timed */
	uint64_t cost_ns;	/* CPU time of cost_ticks */
	uint64_t ticks;		/* handler runs */
	uint64_t first_ticks;	/* timed runs of the first 2^cost_shift */
	uint64_t first_ns;	/* CPU time of first_ticks */

	/*
	 * CPU time in samples and how evenly it is spread, from which readers
	 * estimate the error of a share.
	 */
	uint64_t sample_ns;	/* CPU time that all samples stand for */
	uint64_t sample_squares; /* sum of the square of each sample, in us */
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
	/* FORMAT_MODE_*: what it counts unless stopped */
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
	uint8_t pad6[1100];
};

/* Bits of `modes`: what a process counts. */
#define FORMAT_MODE_TIME	1u
#define FORMAT_MODE_COVERAGE	2u
#define FORMAT_MODE_MEMORY	4u

/* Bounds of an interval in ns; 0 is automatic. */
#define FORMAT_INTERVAL_LEAST	50000u
#define FORMAT_INTERVAL_MOST	10000000000u

/*
 * Bits of `stopped_ns`.  FORMAT_STOPPED: the process counts nothing.
 * FORMAT_TIMELESS: it counts no time, as the mode for time is off.
 * FORMAT_UNTIMED: either of them.
 */
#define FORMAT_STOPPED	(1ull << 63)
#define FORMAT_TIMELESS	(1ull << 62)
#define FORMAT_UNTIMED	(FORMAT_STOPPED | FORMAT_TIMELESS)

/*
 * Standing orders for processes to come: the file DIRECTORY/.libmon.EUID of the
 * profile directory, of the processes' own user or of root, replaced as a
 * whole.
 */
#define FORMAT_DEFAULTS_MAGIC	"libmonO1"
#define FORMAT_DEFAULTS_NAME	".libmon."

/* The contents of a file of standing orders. */
struct format_defaults {
	char magic[8];
	uint32_t what;		/* FORMAT_D_*: the fields that are given */
	uint32_t stop;		/* 1: count nothing */
	uint64_t interval_ns;	/* interval between samples, 0: automatic */
	uint64_t given_real;	/* time of the order, ns since 1970 */
	uint32_t modes;		/* FORMAT_MODE_* */
	uint32_t more;		/* FORMAT_MODE_* in addition to its modes */
	uint8_t pad[24];
	char watch[FORMAT_WATCH];
};

/* Bits of `what`. */
#define FORMAT_D_STATE	1u
#define FORMAT_D_RATE	2u
#define FORMAT_D_WATCH	4u
#define FORMAT_D_MODES	8u
#define FORMAT_D_MORE	16u

/* A thread that was counted at least once. */
struct format_thread {
	uint32_t next;
	uint32_t root;		/* node, kind FORMAT_ROOT */
	int32_t tid;		/* 0 in the pool record */
	uint32_t flags;		/* FORMAT_T_* */
	char name[16];		/* NUL-terminated unless 16 long */
	uint64_t start_mono;	/* time when it was first counted */
	uint64_t end_mono;	/* end, CLOCK_MONOTONIC; 0: alive or killed */
	uint64_t cpu_ns;	/* CPU time by the kernel when last read */
	uint64_t cpu_start_ns;	/* cpu_ns when first counted by this image */
	uint64_t period_ns;	/* fine period in use now or last */
	uint64_t fine_ns;	/* CPU time while the fine clock was on */
	uint32_t coarse;	/* enum format_coarse */
	uint32_t fine;		/* enum format_fine */
	int32_t fine_errno;
	int32_t coarse_errno;
	uint64_t ticks;		/* samples of the thread */
	/* Threads in this record: 1, more in the pool */
	uint64_t members;
};

/* Bits of the flags of a thread. */
#define FORMAT_T_MAIN	1u
/* Many threads: those past the first thousands */
#define FORMAT_T_POOL	2u
#define FORMAT_T_RAW	4u	/* not made by pthread_create */

/* Kind of a node of a call tree: what the node stands for. */
enum format_kind {
	FORMAT_ROOT = 0,	/* root of a thread's tree; counts nothing */
	FORMAT_USER = 1,	/* in user mode at this address */
	/* In the kernel, in the call before this address */
	FORMAT_KERNEL = 2,
	/* Wall clock: asleep in the call before this address */
	FORMAT_SLEEP = 3,
	FORMAT_KFUNC = 4,	/* in the kernel at this kernel address */
	FORMAT_FRAME = 5,	/* a caller: address is a return address */
	/* While the program had paused the profile; no address */
	FORMAT_PAUSED = 6,
	/*
	 * The frames below this node are not the whole stack; address is an
	 * enum format_cut
	 */
	FORMAT_CUT = 7,
	/*
	 * A caller that did not call: a signal handler interrupted it, or it
	 * was in the kernel.  The address is that of its next instruction.
	 */
	FORMAT_INTERRUPTED = 8,
	/*
	 * In a module that is not watched; address is 0, or 1 if the thread was
	 * asleep
	 */
	FORMAT_UNWATCHED = 9,
	/*
	 * Blocks that its parent allocated: the record is a format_heap, there
	 * is no address
	 */
	FORMAT_HEAP = 10,
	/* Mappings that its parent made: as FORMAT_HEAP */
	FORMAT_MAP = 11,
};

/* Why a stack has no outer end. */
enum format_cut {
	FORMAT_CUT_DEPTH = 1,	/* the stack is deeper than was to be kept */
	/* No unwind table or frame pointer for the code */
	FORMAT_CUT_TABLE = 2,
	/* A rule of an unwind table is not understood */
	FORMAT_CUT_RULE = 3,
	/* A place of the stack cannot be read */
	FORMAT_CUT_UNREADABLE = 4,
	/* A return address where no code is known */
	FORMAT_CUT_UNMAPPED = 5,
	FORMAT_CUT_ORDER = 6,	/* a caller's frame lies below its callee's */
	FORMAT_CUT_LATE = 7,	/* the tick came late: the stack was gone */
	FORMAT_CUT_FROZEN = 8,	/* seccomp: memory could not be probed */
	FORMAT_CUT_UNLOAD = 9,	/* a library was being unloaded */
	FORMAT_CUT_COST = 10,	/* going on would have cost too much */
	FORMAT_CUT_NO_MEMORY = 11,	/* no memory to walk the stack */
	FORMAT_CUT_COPY = 12,	/* past the part of the stack that was copied */
	/*
	 * A register of a sleeping thread is needed, which only that thread has
	 */
	FORMAT_CUT_REGISTER = 13,
	FORMAT_CUT_AWAKE = 14,	/* a sleeping thread woke while it was walked */
	FORMAT_CUT_INDEX = 15,	/* a large unwind table without an index */
	FORMAT_CUTS,
};

/* How the address of a node was found. */
enum format_how {
	FORMAT_HOW_PC = 0,	/* it is the program counter */
	/* It is the program counter, in no mapping known by then */
	FORMAT_HOW_UNMAPPED = 1,
	/*
	 * A caller found where a frame pointer may have been: the callee is in
	 * code without tables
	 */
	FORMAT_HOW_GUESSED = 2,
};

/*
 * A node of the calling-context tree.  Its key is {parent, kind, module,
 * address}; two nodes of one key can exist after a race and mean their sum.
 * A node's parent has a lower index.
 */
struct format_node {
	uint32_t parent;
	uint32_t child;		/* newest child */
	uint32_t sibling;	/* next older child of the parent */
	uint32_t module;	/* 0: address is absolute */
	uint64_t address;	/* pc less the module's load bias */
	uint32_t kind;		/* enum format_kind */
	uint32_t how;		/* enum format_how: how it was found */
	uint64_t count;		/* samples */
	/* CPU time or time asleep that they stand for */
	uint64_t ns;
};

/*
 * Totals of the allocations of one call path, and of their ends.  In its node,
 * count and ns are the blocks and bytes that were allocated.  Only the thread
 * that has the lane adds to the fields, except to taken_bytes and taken_blocks,
 * to which other threads add.  Live is what was allocated less freed and taken.
 */
struct format_heap {
	struct format_node node;
	/*
	 * Bytes that were live at the process's peak, if era is that of
	 * format_memory; else the path has not changed since the peak.
	 */
	uint64_t peak_bytes;
	uint64_t era;		/* era of peak_bytes */
	uint64_t freed_bytes;	/* freed by the thread that has the lane */
	uint64_t freed_blocks;
	/* Freed before their thread allocated again */
	uint64_t temporary_blocks;
	uint64_t resized_blocks; /* made by realloc from another block */
	/* Most bytes of this path that were live at once */
	uint64_t high_bytes;
	uint64_t taken_bytes;	/* freed by other threads */
	uint64_t taken_blocks;
	/* Lane that the path belongs to; 0: not in use yet */
	uint32_t lane;
	/*
	 * Blocks that were sampled, if not all were: the other fields count
	 * each of them as all the blocks that it stands for.
	 */
	uint32_t samples;
};

/* Returns whether a node of this kind is a struct format_heap. */
static inline int
format_has_heap(uint32_t kind)
{
	return kind == FORMAT_HEAP || kind == FORMAT_MAP;
}

/* Size classes: 0, 1, 2 to 3, 4 to 7, and so on */
#define FORMAT_SIZES	50u

/* An allocation lane, which one thread at a time counts its allocations in. */
struct format_alloc_thread {
	uint32_t next;
	uint32_t root;		/* node, kind FORMAT_ROOT */
	uint32_t pad[2];
	uint64_t unknown_frees;	/* frees of blocks from before, or not seen */
	/*
	 * Blocks whose address was given out again although no free of them was
	 * seen
	 */
	uint64_t missed_ends;
	/* Blocks allocated, by the number of binary digits of their size */
	uint64_t sizes[FORMAT_SIZES];
};

/* The heap of the whole process. */
struct format_memory {
	uint64_t era;		/* grows by one with each new peak */
	uint64_t peak_bytes;	/* most bytes that were live at once */
	uint64_t since_mono;	/* when counting began */
	/*
	 * Mean bytes from one sampled block to the next; 0: all blocks were
	 * counted.
	 */
	uint64_t period;
	uint32_t growth;	/* struct format_heap_timeline; 0: none */
	uint32_t pad[3];
};

/* The heap at one time.  A field of 0 is empty, or is just being written. */
struct format_heap_point {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC; in no order */
	uint64_t live_bytes;	/* live bytes of blocks, or mapped bytes */
	uint64_t resident_bytes; /* of the process; 0: not read */
};

/* The heap over time, in at most FORMAT_HEAP_POINTS points. */
struct format_heap_timeline {
	uint64_t interval_ns;	/* least time between two points, as of now */
	uint32_t room;		/* points that there is space for */
	/*
	 * FORMAT_MAP: blocks are not counted, and points are of mappings; 0:
	 * points are of blocks.
	 */
	uint32_t kind;
	struct format_heap_point point[];
};

#define FORMAT_HEAP_POINTS	512u

/* An object whose code is or was mapped. */
struct format_module {
	uint32_t next;
	uint32_t path;		/* text */
	/* Bounds of its executable mappings in memory */
	uint64_t start;
	uint64_t end;
	/* Load bias: address in memory less address in its ELF headers */
	uint64_t bias;
	uint64_t device;
	uint64_t inode;
	uint64_t load_mono;	/* time when it was first seen */
	/* Time when it was seen gone; 0: there to the end */
	uint64_t unload_mono;
	uint32_t flags;		/* FORMAT_M_* */
	uint32_t build_id_bytes; /* 0: it has none, or it could not be read */
	uint8_t build_id[32];
	uint64_t pad;
};

/* Bits of the flags of a module. */
#define FORMAT_M_MAIN	1u	/* the executable */
#define FORMAT_M_VDSO	2u
#define FORMAT_M_DELETED 4u	/* its file was deleted when first seen */
#define FORMAT_M_KERNEL	8u
/* Load bias not known: `bias` is start less file offset */
#define FORMAT_M_NO_ELF	16u
#define FORMAT_M_OURS	32u	/* libmon.so */

/*
 * Calls from one place to one function.  An arc exists once `self` is not 0:
 * `self` is stored last and stands first, because a copy is made in that order.
 * Two arcs of one key mean their sum.
 */
struct format_arc {
	uint64_t self;		/* an address in the called function */
	uint64_t from;		/* return address of the call */
	uint64_t count;
	uint32_t self_module;	/* 0: the address is absolute */
	uint32_t from_module;
};

/*
 * A block of arcs.  The padding before the first arc keeps threads in separate
 * cache lines.
 */
struct format_arcs {
	uint32_t next;
	uint32_t room;		/* arcs that there is space for */
	uint8_t pad[56];
	struct format_arc arc[];
};

/*
 * The time of a sample, kept with log=yes.  It exists once `mono` is not 0,
 * which is stored last.
 */
struct format_logged_tick {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC */
	uint32_t node;
	/* Time that it stands for; a longer time takes several */
	uint32_t ns;
};

/* A block of logged ticks of one thread, in order. */
struct format_tick_log {
	uint32_t next;
	uint32_t thread;	/* struct format_thread */
	uint32_t room;		/* ticks that there is space for */
	uint32_t pad;
	struct format_logged_tick moment[];
};

/*
 * The values of counters when a tool made the process begin anew.  Readers
 * subtract them, as counters only go up.  The newest baseline holds all counts
 * since the start.
 */
struct format_baseline {
	/* When it was made; ticks logged up to then are left out */
	uint64_t mono;
	uint64_t cpu_ns;	/* CPU time of the process when it was made */
	/* CPU time until then while the process was stopped */
	uint64_t stopped_ns;
	uint32_t words;
	/*
	 * Low halves of the eras of memory and maps then: if the era is still
	 * the same, the peak was before.
	 */
	uint32_t era[2];
	uint32_t pad;
	struct format_baseline_word {
		uint64_t at;	/* offset of 8 bytes in the file */
		uint64_t less;	/* to be subtracted from them, modulo 2^64 */
	} word[];
};

/*
 * Names of places, for readers that cannot look them up any more.  prof --embed
 * adds them, never while the process runs.  The places follow, then their
 * scopes.
 */
struct format_names {
	uint32_t next;
	uint32_t module;	/* 0: addresses are absolute */
	uint32_t places;
	uint32_t scopes;
};

/* A place that has names. */
struct format_place {
	/* Address to look up: of a caller, that of its call */
	uint64_t address;
	uint64_t start;		/* start of its function */
	uint32_t name;		/* text, as in the symbol table; 0: none */
	uint32_t first;		/* number in the block of its first scope */
	uint32_t scopes;	/* number of scopes, the innermost first */
	uint32_t pad;
};

/* A function at a place, and its line there. */
struct format_scope {
	uint32_t function;	/* text; 0 (last scope only): the place's own */
	uint32_t file;		/* text; 0: not known */
	uint32_t line;		/* 0: not known */
	uint32_t pad;
};

/*
 * A text.  The bytes follow; they are not ended by NUL unless the bytes include
 * one.
 */
struct format_text {
	uint32_t bytes;
	char text[];
};

_Static_assert(sizeof(struct format_header) == FORMAT_HEADER, "header");
_Static_assert(sizeof(struct format_defaults) == 576, "orders");
_Static_assert(offsetof(struct format_header, state) == 512, "life");
_Static_assert(offsetof(struct format_header, used) == 768, "space");
_Static_assert(offsetof(struct format_header, modules) == 1024, "lists");
_Static_assert(offsetof(struct format_header, cost_ticks) == 1152, "cost");
_Static_assert(offsetof(struct format_header, loss) == 1280, "losses");
_Static_assert(offsetof(struct format_header, asked) == 1792, "asked");
_Static_assert(offsetof(struct format_header, answered) == 1920, "answered");
_Static_assert(sizeof(struct format_thread) == 112, "thread");
_Static_assert(sizeof(struct format_node) == 48, "node");
_Static_assert(sizeof(struct format_heap) == 128, "heap");
_Static_assert(offsetof(struct format_heap, peak_bytes) % 16 == 0, "a pair");
_Static_assert(sizeof(struct format_alloc_thread) == 432, "lane");
_Static_assert(sizeof(struct format_memory) == 48, "memory");
_Static_assert(sizeof(struct format_heap_point) == 24, "point");
_Static_assert(sizeof(struct format_heap_timeline) == 16, "growth");
_Static_assert(sizeof(struct format_module) == 112, "module");
_Static_assert(sizeof(struct format_arc) == 32, "arc");
_Static_assert(sizeof(struct format_arcs) == 64, "arcs");
_Static_assert(sizeof(struct format_logged_tick) == 16, "moment");
_Static_assert(sizeof(struct format_tick_log) == 16, "moments");
_Static_assert(sizeof(struct format_baseline) == 40, "base");
_Static_assert(sizeof(struct format_names) == 16, "names");
_Static_assert(sizeof(struct format_place) == 32, "place");
_Static_assert(sizeof(struct format_scope) == 16, "scope");

#endif
