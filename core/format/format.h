/* Context: P.  The layout of the profile file; doc/format.md explains it. */
#ifndef FORMAT_H
#define FORMAT_H

#include "loss.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A header of one page, then records in units of 16 bytes.  A record is named
 * by its index, file offset / 16; 0 names none.  Everything is little-endian.
 *
 * The writer takes space by adding to `used`, fills the record, then publishes
 * it with one release store into a list that is reachable from the header.  A
 * record that was not published is unreachable and hence harmless, whatever
 * is in it.  Published records never move and are never freed; their links
 * do not change, only list heads and counters do.
 */
#define FORMAT_MAGIC	"\211mon\r\n\032\n"	/* shows text-mode damage */
#define FORMAT_VERSION	1
#define FORMAT_HEADER	4096
#define FORMAT_UNIT	16
#define FORMAT_STEP	65536		/* space is made real in such steps */
#define FORMAT_CLOSED	1u		/* bit of `used`: nothing is added */

enum format_state {
	FORMAT_INCOMPLETE = 0,	/* header not complete yet: nothing counted */
	FORMAT_LIVE = 1,	/* being written, or its writer ended unseen */
	FORMAT_SEALED = 2,	/* ended in order; end fields are valid */
};

enum format_end {
	FORMAT_END_NONE = 0,	/* not sealed: alive, or ended unseen */
	FORMAT_END_EXIT = 1,	/* exit(3) or return from main */
	FORMAT_END__EXIT = 2,	/* _exit, _Exit, quick_exit */
	FORMAT_END_EXEC = 3,	/* replaced by another program image */
	FORMAT_END_STOP = 4,	/* stopped on request */
	FORMAT_END_DUMP = 5,	/* not sealed: a copy, whose process went on */
};

enum format_clock {
	FORMAT_CLOCK_CPU = 0,
	FORMAT_CLOCK_WALL = 1,
};

/* What a thread's coarse clock is; see doc/internals.md, clocks. */
enum format_coarse {
	FORMAT_COARSE_NONE = 0,
	FORMAT_COARSE_CPU = 1,	/* thread CPU time, user and kernel */
	FORMAT_COARSE_USER = 2,	/* thread user time only */
	FORMAT_COARSE_PROCESS = 3, /* ITIMER_PROF of the whole process */
};

enum format_fine {
	FORMAT_FINE_NEVER = 0,	/* not tried: not busy enough, or not asked */
	FORMAT_FINE_ON = 1,
	FORMAT_FINE_DONE = 2,	/* budget used up, and seldom switched */
	FORMAT_FINE_REFUSED = 3, /* fine_errno says why */
	FORMAT_FINE_SWITCHING = 4, /* the thread is switched too often */
	FORMAT_FINE_SECCOMP = 5, /* a filter might answer the call by a kill */
};

/* How call stacks were found. */
enum format_stack {
	/* none were: a tick is below its thread's root */
	FORMAT_STACK_OFF = 0,
	/* tables; where there are none frame pointers */
	FORMAT_STACK_AUTO = 1,
	FORMAT_STACK_FP = 2,	/* frame pointers */
	FORMAT_STACK_CFI = 3,	/* tables */
};

/*
 * The modules that are told apart: shell patterns (`*`, `?`) with commas
 * between, ended by NUL, of the file name, or of the path where one holds a
 * '/'; "" all.
 */
#define FORMAT_WATCH	512

struct format_header {
	/* Constant from FORMAT_LIVE on. */
	char magic[8];
	uint32_t version;
	uint32_t header_bytes;	/* FORMAT_HEADER */
	uint32_t machine;	/* e_machine of ELF */
	uint32_t address_bits;	/* 64 */
	uint64_t cap;		/* bytes that may ever be used */
	uint64_t birth_real;	/* ns since 1970 */
	uint64_t birth_mono;	/* ns, CLOCK_MONOTONIC */
	int32_t pid;		/* in its own pid namespace */
	int32_t ppid;
	uint32_t uid;
	uint32_t euid;
	uint64_t pid_namespace;	/* inode of its namespace, 0 unknown */
	uint64_t start_ticks;	/* field 22 of /proc/PID/stat: with pid and
				   boot_id this names the process for good */
	uint8_t boot_id[16];
	int32_t run_pid;	/* with run_start: the first process of
				   the run */
	uint32_t image;		/* 1, or one more than that of this process's
				   file that had the name before (exec) */
	uint64_t run_start;	/* start_ticks of run_pid */
	uint32_t exe;		/* text: path of the executable */
	uint32_t cmdline;	/* text: arguments, each ended by NUL */
	uint32_t host;		/* text: node name */
	uint32_t options;	/* text: PROFOPTS as given, 0 none */
	uint32_t clock;		/* enum format_clock */
	uint32_t asked_hz;	/* 0 = auto; changes with interval_ns, as do
				   period_ns, budget_ns and later_ns */
	uint64_t tick_ns;	/* coarse interval: the scheduler's tick */
	uint64_t period_ns;	/* mean fine period, 0 = no fine clock asked */
	uint64_t budget_ns;	/* CPU time of a thread on the fine clock,
				   0 = for good */
	uint32_t signal;	/* the tick's signal at birth */
	uint32_t cost_shift;	/* the handler times one tick in 2^n */
	uint64_t library;	/* version of libmon:
				   major << 32 | minor << 16 | patch */
	uint64_t later_ns;	/* mean fine period past the budget, while the
				   thread is switched; 0 none */
	uint32_t stack;		/* enum format_stack */
	uint32_t depth;		/* most frames that were kept of a stack */
	uint8_t pad0[320];

	/* Life. */
	uint32_t state;		/* enum format_state */
	uint32_t end;		/* enum format_end */
	int32_t exit_status;	/* of FORMAT_END_EXIT and __EXIT where known,
				   else -1 */
	uint32_t pad7;
	uint64_t end_real;
	uint64_t end_mono;
	uint64_t cpu_ns;	/* CPU time of the process by the kernel ... */
	uint64_t cpu_mono;	/* ... read at this CLOCK_MONOTONIC time */
	uint64_t user_ns;	/* rusage at the seal */
	uint64_t system_ns;
	uint64_t cpu_birth_ns;	/* cpu_ns at the image's start: exec keeps it */
	uint32_t coarse_seen;	/* 1 << enum format_coarse, of any thread */
	uint32_t fine_seen;	/* 1 << enum format_fine, of any thread */
	int32_t fine_errno;	/* first refusal of a fine clock */
	int32_t coarse_errno;	/* first refusal of a coarse clock */
	uint32_t kernel_seen;	/* 1: kernel functions were recorded */
	int32_t kernel_errno;	/* why kernel=detail was refused */
	uint64_t children_ns;	/* CPU time of the children that were waited
				   for, with theirs, at cpu_mono */
	uint64_t children_birth_ns; /* the same at the image's start */
	uint32_t children;	/* processes that the image has made */
	int32_t session;	/* getsid(2) when the file was made */
	int32_t end_ppid;	/* parent at the seal; 0 not known */
	uint8_t pad1[132];

	/* Space: each word alone in its cache line pair. */
	uint64_t used;		/* bytes handed out; offset of the next record;
				   FORMAT_CLOSED is set in it by the seal */
	uint8_t pad2[120];
	uint64_t ready;		/* bytes that are real: a store cannot fault */
	uint8_t pad3[120];

	/* Lists, newest first. */
	uint32_t modules;	/* struct format_module */
	uint32_t threads;	/* struct format_thread */
	uint32_t arcs;		/* struct format_arcs */
	uint32_t names;		/* struct format_names */
	uint64_t names_at;	/* `used` as it was before they were added */
	uint32_t moments;	/* struct format_tick_log */
	uint32_t lanes;		/* struct format_alloc_thread */
	uint32_t memory;	/* struct format_memory, alone */
	uint32_t maps;		/* the same, of mappings */
	uint8_t pad4[88];

	/* What we cost. */
	uint64_t cost_ticks;	/* later handler runs that were timed */
	uint64_t cost_ns;	/* CPU time in them */
	uint64_t ticks;		/* handler runs */
	uint64_t first_ticks;	/* of the first ones those that were timed: */
	uint64_t first_ns;	/* the file is made there, the map is read */

	/* CPU time in samples, and how evenly: to tell how sure a share is. */
	uint64_t sample_ns;	/* that all samples stand for */
	uint64_t sample_squares; /* sum of the square of each, in us */
	uint64_t kernel_ns;	/* of sample_ns, in the kernel */
	uint64_t coarse_ns;	/* of sample_ns, in user mode by the coarse
				   clock */
	uint8_t pad5[56];

	uint64_t loss[LOSS_MAX];

	/*
	 * Live control: doc/internals.md, section 19.  Asked by tools, one at
	 * a time (flock), in cache lines that the process only reads ...
	 */
	uint32_t asked;		/* number of what is asked; odd while it is
				   being written */
	uint32_t ask_stop;	/* 1: count nothing */
	uint32_t kicks;		/* signals that were announced to threads */
	uint32_t ask_modes;	/* FORMAT_MODE_* */
	uint64_t ask_interval_ns; /* between observations, 0 = auto */
	/* struct format_baseline: readers take it off */
	uint32_t base;
	uint32_t ask_forget;	/* how often it was to forget its blocks */
	uint8_t pad8[96];

	/* ... and answered by the process. */
	uint32_t answered;	/* the last of `asked` that it took */
	int32_t answer;		/* to that: 0, or an errno */
	uint64_t answer_mono;	/* when */
	uint64_t stopped_ns;	/* CPU time while no time was counted; while
				   FORMAT_UNTIMED, cpu_ns less this */
	uint32_t kick_signal;	/* that it takes as a kick, 0 none */
	uint32_t modes;		/* FORMAT_MODE_*: what it counts, if it does */
	uint64_t interval_ns;	/* that holds ... */
	uint64_t first_interval_ns; /* ... and that held at first */

	/* Asked by tools, as above; and what holds.  See FORMAT_WATCH. */
	char ask_watch[FORMAT_WATCH];
	char watch[FORMAT_WATCH];
	uint32_t first_modes;	/* FORMAT_MODE_* that held at first; 0 not
				   known */
	uint8_t pad6[1100];
};

#define FORMAT_MODE_TIME	1u
#define FORMAT_MODE_COVERAGE	2u
#define FORMAT_MODE_MEMORY	4u

/* What an interval can be, ns; or 0, automatic. */
#define FORMAT_INTERVAL_LEAST	50000u
#define FORMAT_INTERVAL_MOST	10000000000u

/* Bits of `stopped_ns`: it counts nothing; no time, as it has no such mode. */
#define FORMAT_STOPPED	(1ull << 63)
#define FORMAT_TIMELESS	(1ull << 62)
#define FORMAT_UNTIMED	(FORMAT_STOPPED | FORMAT_TIMELESS)

/*
 * What processes to come are told by a file of their profile directory, of
 * their own user's or root's: DIRECTORY/.libmon.EUID, replaced as a whole.
 */
#define FORMAT_DEFAULTS_MAGIC	"libmonO1"
#define FORMAT_DEFAULTS_NAME	".libmon."

struct format_defaults {
	char magic[8];
	uint32_t what;		/* FORMAT_O_*: of what there is one */
	uint32_t stop;		/* 1: count nothing */
	uint64_t interval_ns;	/* between observations, 0 = auto */
	uint64_t given_real;	/* when, ns since 1970 */
	uint32_t modes;		/* FORMAT_MODE_* */
	uint32_t more;		/* the same, beside what it counts */
	uint8_t pad[24];
	char watch[FORMAT_WATCH];
};

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
	uint64_t start_mono;	/* when first counted */
	uint64_t end_mono;	/* 0 = still there, or killed */
	uint64_t cpu_ns;	/* from the kernel, last time it was read */
	uint64_t cpu_start_ns;	/* cpu_ns when first counted by this image */
	uint64_t period_ns;	/* fine period now or last */
	uint64_t fine_ns;	/* CPU time that the fine clock was on */
	uint32_t coarse;	/* enum format_coarse */
	uint32_t fine;		/* enum format_fine */
	int32_t fine_errno;
	int32_t coarse_errno;
	uint64_t ticks;		/* observations of it */
	uint64_t members;	/* threads in this record: 1, the pool more */
};

#define FORMAT_T_MAIN	1u
#define FORMAT_T_POOL	2u	/* many: those past the first some thousands */
#define FORMAT_T_RAW	4u	/* not made by pthread_create */

enum format_kind {
	FORMAT_ROOT = 0,	/* of a thread; counts nothing itself */
	FORMAT_USER = 1,	/* in user mode at this address */
	FORMAT_KERNEL = 2,	/* in the kernel: in the call before it */
	FORMAT_SLEEP = 3,	/* wall clock: asleep in the call before it */
	FORMAT_KFUNC = 4,	/* in the kernel at this kernel address */
	FORMAT_FRAME = 5,	/* a caller: address is a return address */
	FORMAT_PAUSED = 6,	/* while the program had the profile paused;
				   no address */
	FORMAT_CUT = 7,		/* what is below it is not the whole stack;
				   address is an enum format_cut */
	FORMAT_INTERRUPTED = 8,	/* a caller that did not call: a signal's
				   handler ran; address is that of the next
				   instruction */
	FORMAT_UNWATCHED = 9,	/* in a module that is not watched; address is
				   0, or 1 of a thread asleep */
	FORMAT_HEAP = 10,	/* blocks that its parent asked for: the record
				   is a format_heap, there is no address */
	FORMAT_MAP = 11,	/* the same of mappings */
};

/* Why a stack has no outer end. */
enum format_cut {
	FORMAT_CUT_DEPTH = 1,	/* deeper than was to be kept */
	FORMAT_CUT_TABLE = 2,	/* no table, or frame pointer, for the code */
	FORMAT_CUT_RULE = 3,	/* a rule in a table that is not understood */
	/* a place of the stack cannot be read */
	FORMAT_CUT_UNREADABLE = 4,
	/* a return address where no code is known */
	FORMAT_CUT_UNMAPPED = 5,
	FORMAT_CUT_ORDER = 6,	/* a caller's frame below that of whom it
				   called */
	FORMAT_CUT_LATE = 7,	/* the tick came later: it was gone */
	FORMAT_CUT_FROZEN = 8,	/* seccomp: memory could not be tried */
	FORMAT_CUT_UNLOAD = 9,	/* a library was just being unloaded */
	FORMAT_CUT_COST = 10,	/* to go on would have cost too much */
	FORMAT_CUT_NO_MEMORY = 11,	/* no memory to look for it */
	FORMAT_CUT_COPY = 12,	/* behind what was copied of the stack */
	FORMAT_CUT_REGISTER = 13, /* of a sleeper, who has one that is needed */
	FORMAT_CUT_AWAKE = 14,	/* a sleeper woke while it was looked at */
	FORMAT_CUT_INDEX = 15,	/* an unwind table too large without an index */
	FORMAT_CUTS,
};

enum format_how {
	FORMAT_HOW_PC = 0,	/* the program counter itself */
	/* the same, in no mapping known by then */
	FORMAT_HOW_UNMAPPED = 1,
	FORMAT_HOW_GUESSED = 2,	/* a caller, where a frame pointer may have
				   been: its callee is in code without tables */
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
	uint64_t address;	/* pc, less the module's bias */
	uint32_t kind;		/* enum format_kind */
	uint32_t how;		/* enum format_how: how it was found */
	uint64_t count;		/* observations */
	uint64_t ns;		/* time that they stand for */
};

/*
 * What one call path allocated, and what became of it: its node, of which count
 * and ns are blocks and bytes that were given out.  One thread at a time adds
 * to all but the last two.  Live is what was given out, less freed and taken.
 */
struct format_heap {
	struct format_node node;
	uint64_t peak_bytes;	/* live when most was live of the process, if
				   era is that of format_memory; else it has
				   not changed since */
	uint64_t era;
	uint64_t freed_bytes;	/* by the same thread */
	uint64_t freed_blocks;
	/* freed before their thread asked for more */
	uint64_t temporary_blocks;
	uint64_t resized_blocks; /* given out by realloc for another */
	uint64_t high_bytes;	/* most that was live of this path */
	uint64_t taken_bytes;	/* freed by other threads */
	uint64_t taken_blocks;
	uint32_t lane;		/* whose thread it is; 0 not used yet */
	uint32_t samples;	/* blocks that were looked at, where not all
				   were: each is in all other fields as those
				   that it stands for */
};

static inline int
format_has_heap(uint32_t kind)
{
	return kind == FORMAT_HEAP || kind == FORMAT_MAP;
}

#define FORMAT_SIZES	50u	/* 0, 1, 2 to 3, 4 to 7, and so on */

/* Of one thread at a time: where its allocations are counted. */
struct format_alloc_thread {
	uint32_t next;
	uint32_t root;		/* node, kind FORMAT_ROOT */
	uint32_t pad[2];
	uint64_t unknown_frees;	/* of blocks from before, or not seen */
	uint64_t missed_ends;	/* blocks whose address was given out again
				   though nobody saw them freed */
	uint64_t sizes[FORMAT_SIZES];	/* blocks given out that have so many
				   binary digits in their bytes */
};

/* Of the process. */
struct format_memory {
	uint64_t era;		/* one more with each new peak */
	uint64_t peak_bytes;	/* most that was live at once */
	uint64_t since_mono;	/* when counting began */
	uint64_t period;	/* of a sample: mean bytes from one block that
				   was looked at to the next; 0 all were */
	uint32_t growth;	/* struct format_heap_timeline; 0 none */
	uint32_t pad[3];
};

/* One of many moments; 0 of it: nothing, or it is just being written. */
struct format_heap_point {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC; in no order */
	uint64_t live_bytes;	/* or mapped */
	uint64_t resident_bytes; /* of the process; 0: not looked */
};

struct format_heap_timeline {
	uint64_t interval_ns;	/* from one to the next, at least, by now */
	uint32_t room;
	uint32_t kind;		/* FORMAT_MAP: blocks are not counted, and points
				   are of mappings; 0 of blocks */
	struct format_heap_point point[];
};

#define FORMAT_HEAP_POINTS	512u

struct format_module {
	uint32_t next;
	uint32_t path;		/* text */
	uint64_t start;		/* run-time bounds of its executable mappings */
	uint64_t end;
	uint64_t bias;		/* run-time address - address in its headers */
	uint64_t device;
	uint64_t inode;
	uint64_t load_mono;	/* when first seen */
	uint64_t unload_mono;	/* when seen gone; 0 = there to the end */
	uint32_t flags;		/* FORMAT_M_* */
	uint32_t build_id_bytes; /* 0 = it has none, or it could not be read */
	uint8_t build_id[32];
	uint64_t pad;
};

#define FORMAT_M_MAIN	1u	/* the executable */
#define FORMAT_M_VDSO	2u
#define FORMAT_M_DELETED 4u	/* the file was gone when first seen */
#define FORMAT_M_KERNEL	8u
#define FORMAT_M_NO_ELF	16u	/* bias not known: start - file offset */
#define FORMAT_M_OURS	32u	/* libmon.so */

/*
 * Calls from one place to one function.  It exists once `self` is not 0, which
 * is stored last and stands first, as a copy is made in that order.  Two arcs
 * of one key mean their sum.
 */
struct format_arc {
	uint64_t self;		/* an address in the function that is called */
	uint64_t from;		/* return address of the call */
	uint64_t count;
	uint32_t self_module;	/* 0: the address is absolute */
	uint32_t from_module;
};

/* A block of them.  The room before the first keeps threads apart. */
struct format_arcs {
	uint32_t next;
	uint32_t room;		/* arcs that there is space for */
	uint8_t pad[56];
	struct format_arc arc[];
};

/*
 * When a tick was counted, where that was asked for (log=yes).  It exists once
 * `mono` is not 0, which is stored last.
 */
struct format_logged_tick {
	uint64_t mono;		/* ns, CLOCK_MONOTONIC */
	uint32_t node;
	/* that it stands for; of more it takes several */
	uint32_t ns;
};

/* A block of them, of one thread, in order. */
struct format_tick_log {
	uint32_t next;
	uint32_t thread;	/* struct format_thread */
	uint32_t room;		/* moments that there is space for */
	uint32_t pad;
	struct format_logged_tick moment[];
};

/*
 * What was counted when a tool made the process begin anew: readers take it
 * off, as counters only go up.  The newest holds all since the birth.
 */
struct format_baseline {
	uint64_t mono;		/* when; moments up to it are left out */
	uint64_t cpu_ns;	/* of the process then: it began there */
	uint64_t stopped_ns;	/* CPU time while it was stopped, until then */
	uint32_t words;
	uint32_t era[2];	/* low halves of those of memory and maps: a
				   peak of that one was before */
	uint32_t pad;
	struct format_baseline_word {
		uint64_t at;	/* offset of 8 bytes in the file */
		uint64_t less;	/* to be taken off them, modulo 2^64 */
	} word[];
};

/*
 * Names of places, for who cannot look them up any more: put there by prof
 * --embed, never while the process runs.  Its places follow, then their scopes.
 */
struct format_names {
	uint32_t next;
	uint32_t module;	/* 0: addresses are absolute */
	uint32_t places;
	uint32_t scopes;
};

struct format_place {
	uint64_t address;	/* looked up: of a caller that of its call */
	uint64_t start;		/* of its function */
	uint32_t name;		/* text, as in the symbol table; 0 none */
	uint32_t first;		/* of the scopes of the block ... */
	uint32_t scopes;	/* ... and how many: the innermost first */
	uint32_t pad;
};

/* A function at a place, and the line where it is. */
struct format_scope {
	uint32_t function;	/* text; 0 = that of the place, the last one */
	uint32_t file;		/* text; 0 not known */
	uint32_t line;		/* 0 not known */
	uint32_t pad;
};

/* Text: the bytes follow, not ended by NUL unless the bytes hold one. */
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
