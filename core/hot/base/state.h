/* Context: S.  All that changes in a profiled process, in one place. */
#ifndef STATE_H
#define STATE_H

#include "base/config.h"
#include "base/sys.h"
#include "format.h"
#include "module/link_map_list.h"
#include "unwind/cfi.h"

#include <stdatomic.h>
#include <sys/time.h>

/*
 * GNU ld sorts .bss by name (lld and mold do not), and -fdata-sections gives
 * each variable its own: first STATE_FIRST, the alternate stack, so that what
 * runs over it meets pages that are read only (RELRO) and not our state; then,
 * in one page, what a start touches, with the configuration's head as its end;
 * behind it what is cold, and last what forks wipe, so that the kernel parts
 * the mapping in two and not in three.
 */
#define STATE_FIRST		__attribute__((section(".bss")))
#define STATE_SECTION(name)	__attribute__((section(".bss.zz." name)))

/*
 * Marks functions that each process runs, fork children included.  They are
 * adjacent in the library, because a child takes a page fault for each 64 KiB
 * of code that it touches.
 */
#define STATE_START	__attribute__((section(".text.startup.mon")))

/* Zones say who writes; every other party only reads. */

enum thread_slot_state {
	THREAD_SLOT_FREE = 0,
	THREAD_SLOT_TAKEN,		/* being set up by one thread */
	THREAD_SLOT_LIVE,		/* its thread runs and may tick */
	/* its thread ends; reclaimed when gone */
	THREAD_SLOT_ENDED,
};

/* A perf event's buffer: control page, then data pages or none. */
struct perf_ring {
	_Atomic(void *) map;
	uint64_t bytes;
	uint64_t tail;		/* read up to here */
	unsigned words;		/* of a record */
};

struct thread_slot {
	/* Whoever takes or reclaims it. */
	_Atomic unsigned state;
	int tid;
	int watched;		/* not 0: the coarse clock may be missing the
				   thread, so functions in which it sleeps
				   check that; its thread writes it,
				   THREAD_SLOT_WATCHED is its offset */
	_Atomic unsigned next_free;	/* of a free slot: the number + 1 of
					   the next free one */
	bool native;		/* glibc made it: TLS is valid */
	uintptr_t pointer;	/* a native thread's own thread pointer */
	bool main;
	_Atomic bool renew;	/* the fine clock still sends the old signal */
	_Atomic bool stack_small; /* it took one that cannot hold a tick: no
				   clock any more */
	bool clockless;		/* counted as a thread that could have none */
	bool stack_tight;	/* ... and did not hold one that came */
	void *altstack;		/* ours, kept with the slot; NULL none yet */
	void *(*start)(void *);	/* what pthread_create was asked to run */
	void *argument;
	struct {
		void (*fn)(void);	/* thrd_create's, cast */
		void *argument;
	} thrd;
	unsigned char asked[4];	/* signal_mask_own.asked to begin with */
	bool held;		/* its maker had the tick blocked */
	/* where it counts allocations, or NULL */
	struct alloc_thread *lane;
	uintptr_t stack_low;	/* known to be there while the thread is ... */
	uintptr_t stack_high;	/* ... as far as this */
	bool stack_grows;	/* the first thread's: downwards */
	size_t stack_bytes;	/* with its guard; 0 not known */

	/* Its thread, or one that has it stopped: clocks. */
	_Atomic int timer;	/* kernel timer id + 1, 0 none */
	unsigned coarse;	/* enum format_coarse */
	int coarse_errno;
	unsigned epoch;		/* mon->epoch that its interval is of */
	uint64_t coarse_ns;	/* its interval */
	uint64_t due_ns;	/* what its next tick stands for, if in time */
	/* a tick that comes now, as we had blocked it */
	bool waited;
	uint64_t cpu_start;	/* CPU time of the thread when we met it */
	unsigned fine;		/* enum format_fine */
	int fine_errno;
	int fine_fd;		/* number it had + 1: si_fd names it ... */
	int fine_last;		/* ... and that of the one before */
	struct perf_ring ring;	/* of the fine clock */
	/* kernel=detail: read at coarse ticks */
	struct perf_ring kernel;
	int kernel_errno;
	bool first_period;	/* the fine clock has just gone on */
	uint64_t period;	/* ns of the fine clock now */
	uint64_t random;
	int64_t skew;		/* of the last period, to be paired */
	uint64_t fine_ns;	/* CPU time counted by the fine clock */
	uint64_t rearm_ns;	/* fine_ns at the last arming */

	/* Its handler only. */
	_Atomic unsigned busy;	/* or the helper of clock=wall */
	uint64_t chores_ns;	/* coarse time since the last chores */
	uint64_t cpu_ns;	/* of the thread at its last coarse tick */
	uint64_t coarse_cpu;	/* cpu_ns and fine_ns at the last coarse tick */
	uint64_t coarse_fine;
	uint64_t coarse_process;	/* CPU time of the process there */
	uint64_t fine_base;	/* cpu_ns - fine_ns when that went on */
	unsigned fine_ticks;
	uint64_t debt;		/* ns that the fine clock counted too much */
	uint64_t switches;	/* of the thread at its last coarse tick */
	/* enum perf_rate: how far its rate is lowered */
	unsigned pace;
	unsigned calm;		/* coarse ticks at which a lower pace was
				   allowed */
	uint64_t mean_switches;	/* a coarse tick, times 256 */
	uint64_t sleeps;	/* voluntary switches, at the last coarse
				   tick */
	uint64_t slept_cpu;	/* cpu_ns when `sleeps` last grew */
	bool slept;		/* `sleeps` grew at the last coarse tick */
	uint64_t fine_from;	/* cpu_ns when it first went on ... */
	uint64_t fine_spent;	/* ... since this fine_ns: of its budget */
	uint64_t alone_from;	/* cpu_ns when the coarse clock was alone */
	uint64_t alone_ns;	/* and what it counted since */
	uint64_t ahead;		/* of that, more than had passed */
	/* of that, left for the end of the fine clock */
	uint64_t credit;
	uint64_t kernel_ns;	/* counted by the coarse clock beside that */
	uint64_t backlog;	/* CPU time without a sample, which the next
				   samples carry */
	uintptr_t last_pc;	/* where the last sample was */
	unsigned generation;	/* of the store that the indexes belong to */
	uint32_t thread;	/* record in the file, 0 none */
	uint32_t root;
	uint64_t held_pc;	/* of ticks kept while the file is made */
	uint64_t held_ns;
	uint64_t held_ticks;	/* how many */
	uintptr_t now;		/* where the tick under way found the thread */
	const ucontext_t *context;	/* ... and its registers, or NULL */
	void **back;		/* where a walk under way continues after a
				   fault */
	uint32_t tick_path_node;	/* its callers, 0 not looked for yet */
	struct tick_path *path;	/* kept with the slot; NULL none yet */
	uint32_t moments;	/* log=yes: block in the file, 0 none yet ... */
	uint32_t moment_room;	/* ... for so many ... */
	uint32_t moment_count;	/* ... and how many are in it */
	uint64_t moment_mono;	/* when the last moment was */
	/*
	 * clock=wall: what is accounted for so far; written with `busy` held.
	 */
	unsigned wall_epoch;	/* mon->wall_epoch of this account */
	uint32_t wall_node;	/* where it slept then; 0: not known */
	uint64_t wall_mono;	/* all time until then is accounted for */
	uint64_t wall_cpu;	/* CPU time of the thread at wall_mono */
	uint64_t wall_delay;	/* time it had waited for a processor then */
};

/* preload/sleep_*.S use this offset. */
#define THREAD_SLOT_WATCHED	8
_Static_assert(offsetof(struct thread_slot, watched) == THREAD_SLOT_WATCHED,
    "stubs read it");

#define THREAD_SLOT_CHUNK	64
#define THREAD_SLOT_CHUNKS	1024	/* 65,536 threads at once */

enum store_state {
	STORE_NONE = 0,
	STORE_BUSY,		/* one thread is making it */
	STORE_READY,
	STORE_CLOSED,		/* sealed, or given up for good */
};

struct store {
	_Atomic unsigned state;
	_Atomic unsigned generation;	/* one more for every file made */
	unsigned char *base;
	uint64_t cap;		/* bytes mapped */
	uint64_t device, inode;
	unsigned attempts;	/* failed births */
	int error;		/* errno of the last failed birth */
	_Atomic int refused;	/* -errno of the last refusal of space */
	_Atomic bool barren;	/* the system refused space, or a file, since
				   the last tick: nobody asks before the next
				   one */
	uint64_t retry_mono;	/* no new attempt before this time */
	bool removed;		/* an exec removed it because it was empty */
	bool local;		/* live file elsewhere; path is the live one */
	char *path;		/* where the live file is */
	char *final;		/* where it goes at the seal, when local */
};

/* Growing tables, the newest asked first.  Rebuildable: not the truth. */
#define CCT_TABLES	12
struct cct_table {
	uint32_t mask;
	_Atomic uint32_t filled;
	_Atomic uint32_t slot[];
};

struct module_range {
	uint64_t start, end;
	uint64_t bias;
	uint64_t device, inode, offset;
	uint64_t head;		/* where the object's ELF header is, or 0 */
	struct cfi_tables tables;
	uint32_t record;	/* 0: anonymous, addresses stay absolute */
	bool unrecorded;	/* its object's record found no room */
	bool readable;
	bool watched;		/* by module_filter.h: it is told apart */
};

#define MODULE_MAX	8192
#define LINK_MAP_MOST	2048	/* objects of the loader's list */
struct module_table {
	_Atomic uint32_t sequence;	/* odd while being written */
	uint32_t count;
	struct module_range range[MODULE_MAX];
};

/*
 * The program's picture of the signals that are ours.  Ordinary memory: a fork
 * child goes on with the picture of its parent.
 */
struct virtual_signals {
	_Atomic int signal;	/* T, the tick's signal now */
	_Atomic int other;	/* where T moves to, or moved from */
	_Atomic bool moving;	/* one thread moves, once */
	bool moved;		/* away from the one that was asked for */
	bool installed;		/* our action for T is in force */
	bool bus_installed;
	bool segv_installed;
	int fronted;		/* moved from, our action still before the
				   program's; 0 none */
	struct sys_sigaction front;	/* the program's action for that */
	struct sys_sigaction tick;	/* the program's action for T */
	struct sys_sigaction bus;	/* the program's action for SIGBUS */
	struct sys_sigaction segv;	/* the program's action for SIGSEGV */
	_Atomic(void *) segv_handler;	/* the last handler that libc has set */
	struct sys_sigaction real_tick;	/* ours, as installed */
	/*
	 * Signals whose sa_mask holds T, or SIGNAL_MASK_SHADOW, for the
	 * program.
	 */
	_Atomic uint64_t masked;
	_Atomic uint64_t shadowed;
	_Atomic int exposers;	/* threads between the two of exec_signals.c */
	_Atomic bool on_stack;	/* the program handles signals on alternate
				   stacks ... */
	_Atomic bool own_stacks; /* ... and has its own, that may hold just
				   that: no kick */
	_Atomic bool may_hold;	/* a handler of the program can run while the
				   tick's signal is really blocked */
	_Atomic bool boxed;	/* mon->frozen, as a fork child inherits it */
	_Atomic int vforks;	/* threads in vfork(2): hooks run in children */
	_Atomic bool files_shared;	/* descriptors, with another process */
};

enum arc_shard_state {
	ARC_SHARD_USED = 1,
	ARC_SHARD_LEFT,		/* its thread is about to end */
	ARC_SHARD_REPLACED,		/* a larger one is in its place */
};

/*
 * A thread's arcs: this, then the entries of arc_shard.c. Stubs know the mask.
 */
struct arc_shard {
	uint64_t mask;		/* (entries - 1) * size of one; 0 wiped */
	uint32_t filled;
	unsigned generation;	/* of the store that the arcs are in */
	uint32_t arcs;		/* its block in the file, 0 none */
	uint32_t used;		/* ... and what is taken of that */
	int tid;
	_Atomic unsigned state;
	struct arc_shard *next;
	_Atomic bool busy;	/* a new arc is being made */
	uint64_t unwanted;	/* calls while the program has us pause */
	uint8_t pad[8];
};

#define PRIVATE_FDS_HELPERS	32

struct live_block_table;
struct alloc_thread;
struct tick_path;
struct unwind_cache_entry;
struct thread_slot_index;
struct wall_sampler;

/* What heap_timeline.c keeps of the process beside its format_heap_timeline. */
struct heap_timeline {
	_Atomic bool busy;	/* a thread is at it */
	unsigned generation;	/* of the store that it is in */
	uint32_t record;	/* 0 none */
	unsigned count;		/* points in order[] */
	unsigned spare;		/* ... and in free[], to be taken again */
	_Atomic uint64_t next_mono;	/* when the next point is due */
	_Atomic uint64_t interval_ns;	/* ... behind the last one */
	_Atomic uint64_t high;	/* a peak above this is one at once */
	/* when it may be asked again what is resident */
	uint64_t resident_mono;
	uint16_t order[FORMAT_HEAP_POINTS];	/* by time */
	uint16_t free[FORMAT_HEAP_POINTS];	/* the last is the earliest */
};

struct mon {
	/* runtime, once. */
	int pid;		/* 0: nothing started (or wiped by fork) */
	int parent;		/* getppid at the start */
	bool forked;		/* a fork child of lineage.image's process */
	_Atomic bool running;	/* what comes is counted */
	_Atomic bool clockless;	/* only linked, and no histogram: no clocks */
	_Atomic bool ended;	/* sealed, or about to be */
	_Atomic bool told_none;	/* an ancestor's file says that this process
				   has no file */
	bool made_ahead;	/* the file was made before anything was
				   counted */
	_Atomic bool reclaiming;	/* try-lock of thread_slot_reclaim */
	_Atomic int timers;	/* of ours, in the kernel */
	_Atomic bool frozen;	/* seccomp: no system call any more */
	_Atomic bool segv_asked;	/* the program's action was read */
	_Atomic bool itimers;	/* the program runs one of CPU time */
	_Atomic bool process_tier;	/* its timer runs */
	_Atomic bool arming;	/* one thread decides whether it shall */
	_Atomic int small_stacks;	/* slots with stack_small */
	_Atomic int stragglers;	/* of that timer, perhaps still pending */
	_Atomic uint64_t process_seen;	/* CPU time charged in that tier */
	_Atomic unsigned in_histograms;	/* ticks that are in one */
	_Atomic unsigned epoch;	/* one more when all intervals change */
	_Atomic uint32_t asked;	/* the last of the header's that was taken */
	_Atomic bool taking;	/* try-lock of who takes one */
	uint64_t start_ticks;
	uint64_t cpu_birth_ns;
	uint64_t children_birth_ns;	/* children_cpu() at the start */
	_Atomic unsigned children;	/* processes that it has made */

	struct store store;

	_Atomic(struct cct_table *) tree[CCT_TABLES];
	_Atomic unsigned trees;

	_Atomic(struct module_table *) modules;	/* the one in force */
	_Atomic unsigned module_busy;	/* try-lock of the one who refreshes */
	/* read the map before the next look-up */
	_Atomic bool module_stale;
	_Atomic bool module_gone;	/* generated code was unmapped since the
					   map was read */
	_Atomic bool module_reread;	/* text went away: compare headers,
					   too */
	_Atomic bool module_rereading;	/* a thread compares headers now */
	_Atomic unsigned unloading;	/* threads in dlclose(3) */
	/* one more when text went away */
	_Atomic unsigned text_generation;
	_Atomic(struct unwind_cache_entry *) rows;
	_Atomic unsigned asking;	/* can the kernel be asked of a page? */
	uint64_t module_mono;	/* last refresh */
	uint64_t module_wait;	/* ns to the next one */
	unsigned modules_unloaded;	/* records of objects that are gone */
	bool modules_listed;	/* the map is the loader's list */

	_Atomic unsigned chunks;	/* in use, first_chunk included */
	_Atomic unsigned fresh;	/* slots below it were taken at least once */
	_Atomic uint64_t free;	/* stack of free slots that were taken before */
	_Atomic unsigned reclaim_at;	/* number of slots in use at which to
					   look for dead ones; 0: as many as
					   the first chunk has */
	_Atomic unsigned in_use;	/* slots that are not free */
	_Atomic(struct thread_slot_index *) index;	/* finds slots past the first
						   chunk; NULL: not made yet */
	_Atomic bool index_full;	/* one slot could not be entered */
	_Atomic unsigned live;	/* slots of live threads */
	_Atomic unsigned threads;	/* records made */
	_Atomic uint32_t pool;	/* the record of threads past THREAD_MOST */
	_Atomic uint64_t swept_mono;

	_Atomic int fine_errno;	/* first refusal for the whole process */
	_Atomic unsigned fine_refused;	/* in a row: give up after some */
	_Atomic bool no_pages;	/* the data page was refused: none is asked */

	_Atomic(struct alloc_thread *) lanes;
	_Atomic(struct live_bytes_page *) stakes;
	_Atomic(struct live_block_table *) blocks;
	_Atomic(struct map_count_state *) mapped;
	/* format_memory of blocks, 0 none yet */
	_Atomic uint32_t memory;
	_Atomic uint32_t maps;	/* the same of mappings */
	_Atomic uint32_t peaking;	/* a lock: who looks for a new peak */
	_Atomic bool peaks_anew;	/* what is live then is one */
	uint32_t forgot;	/* the header's ask_forget, as last taken */
	_Atomic uint32_t forgot_by;	/* number of the order that asked so */
	uint64_t forgot_mono;	/* CLOCK_MONOTONIC when it was taken */
	_Atomic int64_t forgotten;	/* bytes that were live then and are
					   still in stakes */
	_Atomic uint64_t forgot_era;	/* the first era since */
	struct live_block_table *blocks_before;	/* the table before: threads may
					   still be using it */

	_Atomic(struct arc_shard *) shards;
	_Atomic unsigned unloads;	/* of text: shards were searched */

	/* threads of private_fds.c so far ... */
	_Atomic unsigned asides;
	/* ... and the last of them */
	_Atomic int aside_tid[PRIVATE_FDS_HELPERS];
	_Atomic int wall_tid;	/* the helper of clock=wall, 0 none */
	_Atomic(struct wall_sampler *) wall;	/* its words, below its stack */
	_Atomic unsigned wall_epoch;	/* counts how often counting was
					   resumed */
	void **wall_back;	/* where the helper's walk under way continues
				   after a fault, on its stack */
	_Atomic int wall_status;	/* 1 + status of the last thread that
					   ended after the first; 0: none */

	_Atomic uint64_t early[LOSS_MAX];	/* before there is a file */

	/* What a start touches lies above, in one page or two. */
	struct thread_slot first_chunk[THREAD_SLOT_CHUNK];
	_Atomic(struct thread_slot *) more_chunks[THREAD_SLOT_CHUNKS - 1];

	struct heap_timeline growing;
	char store_path[PATH_MAX], store_final[PATH_MAX];

	/* One user each: who makes the store, who refreshes modules. */
	char birth_scratch[4 * PATH_MAX];
	char module_scratch[4 * PATH_MAX];
	char module_name[4 * PATH_MAX];
	unsigned char module_bytes[1024]; /* headers and the notes after
					     them, which one call reads as a
					     rule */
	struct link_map_list_object loaded[LINK_MAP_MOST];
	unsigned loaded_count;
	struct module_table table[2];
};

/* Ordinary memory: a fork child knows its run.  pid 0: not found yet. */
struct lineage {
	int pid;
	uint64_t start;
	int image;		/* the process that this image began in */
	struct format_header *ancestor;	/* header of an ancestor's file,
					   still mapped; see ancestor.h.  Its
					   own file's does not count */
	bool behind;		/* a call (precreate.h) may have put the directory
				   out of reach */
	char *maps;		/* the memory map, kept by proc_maps_save() */
	size_t maps_bytes;
	/* LINEAGE_*: who wants nothing counted */
	_Atomic unsigned paused;
	_Atomic uint64_t interval;	/* ns of CPU time, 0 auto: of hz=, or what
				   a tool asked for since */
	/* which list of module_filter.h holds */
	_Atomic unsigned watch_turn;
	char watch[2][FORMAT_WATCH];
};

#define LINEAGE_PAUSED	1u	/* the program: moncontrol(0) */
#define LINEAGE_STOPPED	2u	/* a tool, or start=off */
#define LINEAGE_NO_TIME	4u	/* it has no such mode, and ... */
#define LINEAGE_NO_HEAP	8u	/* ... wants this alone not counted */
#define LINEAGE_UNTIMED	(LINEAGE_STOPPED | LINEAGE_NO_TIME)
#define LINEAGE_UNHEAPED \
	(LINEAGE_PAUSED | LINEAGE_STOPPED | LINEAGE_NO_HEAP)

extern struct mon *mon;		/* NULL where nothing is profiled */
extern struct lineage lineage;
extern char lineage_directory[PATH_MAX];	/* of its start; "" ours */
extern struct virtual_signals virtual_signals;
extern __thread struct thread_slot *thread_slot_self
    __attribute__((tls_model("initial-exec")));
extern __thread struct arc_shard *arc_shard_self
    __attribute__((tls_model("initial-exec")));

static inline bool
lineage_is_paused(unsigned who)
{
	return (atomic_load_explicit(&lineage.paused, memory_order_relaxed) &
	    who) != 0;
}

static inline void
lineage_set_paused(unsigned who, bool paused)
{
	if (paused)
		atomic_fetch_or(&lineage.paused, who);
	else
		atomic_fetch_and(&lineage.paused, ~who);
}

static inline struct thread_slot *
thread_slot_chunk(unsigned i)
{
	return i == 0 ? mon->first_chunk :
	    atomic_load_explicit(&mon->more_chunks[i - 1],
	    memory_order_relaxed);
}

/* Losses: in the file when there is one, kept for it when not. */
void loss_count(enum loss which, uint64_t n);

#endif
