/*
 * Context: S.  The state that changes in a profiled process, in one place, with
 * the variables that hold it.  The types of its parts are in headers of their
 * own.  All of core/hot, core/runtime and preload use it.  The start sets
 * `mon`; what is in it is zero in a fork child until that begins.
 */
#ifndef STATE_H
#define STATE_H

#include "base/config.h"
#include "base/count_state.h"
#include "base/lineage.h"
#include "base/module_state.h"
#include "base/signal_state.h"
#include "base/slot_state.h"
#include "base/store_state.h"
#include "base/sys.h"
#include "base/timeline_state.h"
#include "format.h"
#include "module/link_map_list.h"

#include <stdatomic.h>
#include <sys/time.h>

/*
 * Sections that order the library's zeroed data.  GNU ld sorts .bss by name
 * (lld and mold do not), and -fdata-sections gives each variable a section of
 * its own.  First comes STATE_FIRST, the alternate stack: a handler that
 * overflows it meets pages that are read only (RELRO) and not our state.  Then
 * comes, in one page, what a start touches, ending with the head of the
 * configuration.  Rarely used data follows.  The data that forks wipe comes
 * last, so that the kernel splits the mapping into two parts and not three.
 */
#define STATE_FIRST		__attribute__((section(".bss")))
#define STATE_SECTION(name)	__attribute__((section(".bss.zz." name)))

/*
 * Marks functions that each process runs, fork children included.  They are
 * adjacent in the library, because a child takes a page fault for each 64 KiB
 * of code that it touches.
 */
#define STATE_START	__attribute__((section(".text.startup.mon")))

/*
 * Bytes for tables of wiped_memory.c: the cache of unwind rules (256 KiB), a
 * first lookup table of the call tree (8 KiB) and some remembered paths.
 */
#define STATE_TABLES	((256u + 64u) << 10)

/* Number of the last helper threads whose ids are kept. */
#define PRIVATE_FDS_HELPERS	32

struct live_block_table;
struct alloc_thread;
struct unwind_cache_entry;
struct thread_slot_index;
struct wall_sampler;

/*
 * The state of one profiled process that its fork child must not inherit: the
 * kernel zeroes it there, or process_fork_begin_child().  Any thread may write
 * an atomic field.  A field that is not atomic is written at the start, by the
 * thread that makes the store, or under the try-lock that stands near it.
 */
struct mon {
	/*
	 * this process; 0: nothing has started, or a fork has wiped the state
	 */
	int pid;
	int parent;		/* getppid at the start */
	/* a fork child of the process lineage.image_pid */
	bool forked;
	_Atomic bool running;	/* between the start and the seal */
	/*
	 * no clock may run: the library is only linked, and the program has
	 * asked for no histogram and no gmon.out
	 */
	_Atomic bool clockless;
	/* the profile is sealed, or a thread is about to seal it */
	_Atomic bool ended;
	/* an ancestor's file counts this process as one without a file */
	_Atomic bool counted_fileless;
	/* precreate.c made the file, before anything was counted */
	bool made_ahead;
	_Atomic bool reclaiming;	/* try-lock of thread_slot_reclaim() */
	_Atomic int timers;	/* timers of ours that exist in the kernel */
	/* a seccomp filter is in force: we make no system call any more */
	_Atomic bool frozen;
	/* the program's SIGSEGV action has been read since the last checks */
	_Atomic bool segv_asked;
	/* the program runs an interval timer of CPU time */
	_Atomic bool itimers;
	_Atomic bool process_tier;	/* the process clock runs */
	/*
	 * try-lock of the thread that starts, changes or stops the process
	 * clock
	 */
	_Atomic bool arming;
	_Atomic int small_stacks;	/* number of slots with stack.small */
	/* 1: a late signal of the stopped process clock may be pending */
	_Atomic int stragglers;
	/* CPU time of the process that process clock ticks have counted, ns */
	_Atomic uint64_t process_seen;
	/* threads that are counting in a histogram */
	_Atomic unsigned in_histograms;
	_Atomic unsigned epoch;	/* grows by one when all intervals change */
	_Atomic uint32_t asked;	/* number of the last order that was taken */
	_Atomic bool taking;	/* try-lock of the thread that takes an order */
	/*
	 * start time of the process, in clock ticks of /proc/PID/stat, set when
	 * the file is made; 0: not known
	 */
	uint64_t start_ticks;
	uint64_t cpu_birth_ns;	/* CPU time of the process at the start, ns */
	uint64_t children_birth_ns;	/* children_cpu() at the start, ns */
	/* number of processes that it has made */
	_Atomic unsigned children;

	struct store store;

	/* lookup tables, the newest last */
	_Atomic(struct cct_table *) tree[CCT_TABLES];
	_Atomic unsigned trees;	/* tables in tree[] */

	_Atomic(struct module_table *) modules;	/* the table that is in force */
	/* try-lock of the thread that reads the memory map */
	_Atomic unsigned module_busy;
	/* the map must be read before the next look-up */
	_Atomic bool module_stale;
	/* generated code was unmapped since the map was read */
	_Atomic bool module_gone;
	/*
	 * An object was unmapped: the next reading of the map compares ELF
	 * headers, too.
	 */
	_Atomic bool module_reread;
	_Atomic bool module_rereading;	/* a thread compares ELF headers now */
	_Atomic unsigned unloading;	/* threads in dlclose(3) */
	/* grows by one when text was unmapped */
	_Atomic unsigned text_generation;
	/* cache of unwind rules */
	_Atomic(struct unwind_cache_entry *) unwind_rules;
	/* whether the kernel tells if a page is mapped: see stack_read.c */
	_Atomic unsigned asking;
	/* CLOCK_MONOTONIC when the map was last read, ns */
	uint64_t module_mono;
	uint64_t module_wait;	/* shortest time to the next reading, ns */
	/* records of objects that are unmapped */
	unsigned modules_unloaded;
	/* the table was made from the loader's list, not from the map */
	bool modules_listed;

	/* chunks in use, first_chunk included */
	_Atomic unsigned chunks;
	/* slots with a lower number were taken at least once */
	_Atomic unsigned fresh;
	/*
	 * Stack of free slots that were taken before: changes of it, and the
	 * number + 1 of its first slot.
	 */
	_Atomic uint64_t free;
	/*
	 * Number of slots in use at which slots of dead threads are looked for;
	 * 0: as many as the first chunk has.
	 */
	_Atomic unsigned reclaim_at;
	_Atomic unsigned in_use;	/* slots that are not free */
	/* Finds slots past the first chunk; NULL: not made yet. */
	_Atomic(struct thread_slot_index *) index;
	/* some slot could not be entered there */
	_Atomic bool index_full;
	_Atomic unsigned live;	/* slots of live threads */
	_Atomic unsigned threads;	/* thread records in the file */
	/* index of the record that all threads past THREAD_MOST share */
	_Atomic uint32_t pool;
	/* a module of CPython has samples: it may run trampolines */
	_Atomic bool python;
	struct thread_lives lives;
	/* CLOCK_MONOTONIC of the last scan for unknown threads, ns */
	_Atomic uint64_t swept_mono;

	_Atomic int fine_errno;	/* errno of the first refusal of a fine clock */
	/* refusals in a row; after some of them no fine clock is asked for */
	_Atomic unsigned fine_refused;
	/* the data page of a ring was refused, so none is asked for */
	_Atomic bool no_pages;

	/* list of all allocation thread records */
	_Atomic(struct alloc_thread *) alloc_threads;
	/* pages of live-byte counters */
	_Atomic(struct live_bytes_page *) live_pages;
	/* table of live blocks */
	_Atomic(struct live_block_table *) blocks;
	/* state of the counting of mappings */
	_Atomic(struct map_count_state *) mapped;
	/* index of the format_memory of blocks; 0: none yet */
	_Atomic uint32_t memory;
	/* index of the format_memory of mappings; 0: none yet */
	_Atomic uint32_t maps;
	/* robust lock of the thread that looks for a new peak */
	_Atomic uint32_t peaking;
	/* the next look makes what is live then the peak */
	_Atomic bool peaks_anew;
	uint32_t forgot;	/* the header's ask_forget, as last obeyed */
	/* number of the order that last had the blocks forgotten */
	_Atomic uint32_t forgot_by;
	/* CLOCK_MONOTONIC when that order was obeyed, ns */
	uint64_t forgot_mono;
	/* Bytes of forgotten blocks that are still in live_pages. */
	_Atomic int64_t forgotten;
	_Atomic uint64_t forgot_era;	/* the first era after that order */
	/*
	 * The table before the present one, which threads may still be using;
	 * NULL: none.
	 */
	struct live_block_table *blocks_before;

	/* list of all shards */
	_Atomic(struct arc_shard *) shards;
	/* times that shards were searched because text was unmapped */
	_Atomic unsigned unloads;

	/* helper threads that private_fds.c has made so far */
	_Atomic unsigned asides;
	/* their ids, of the last PRIVATE_FDS_HELPERS */
	_Atomic int aside_tid[PRIVATE_FDS_HELPERS];
	/* helpers that are being made, and are not in aside_tid yet */
	_Atomic int asides_coming;
	_Atomic int wall_tid;	/* id of the helper of clock=wall; 0: none */
	/* state of the helper, below its stack */
	_Atomic(struct wall_sampler *) wall;
	/* times that counting of sleep was resumed */
	_Atomic unsigned wall_epoch;
	/*
	 * Where the helper's walk under way continues after a fault, on its
	 * stack.
	 */
	void **wall_back;
	/*
	 * 1 + exit status of the last thread that ended after the first one; 0:
	 * none.
	 */
	_Atomic int wall_status;

	/* losses counted while there is no file */
	_Atomic uint64_t early[LOSS_MAX];

	/* a start touches only what lies above, and the first slot */
	struct thread_slot first_chunk[THREAD_SLOT_CHUNK];
	_Atomic(struct thread_slot *) more_chunks[THREAD_SLOT_CHUNKS - 1];

	struct heap_timeline growing;	/* state of heap_timeline.c */
	char store_path[PATH_MAX], store_final[PATH_MAX];

	/*
	 * Buffers.  birth_scratch is for the thread that makes the store and,
	 * from its second PATH_MAX bytes on, for the seal; the others are for
	 * the thread that reads the map.
	 */
	char birth_scratch[4 * PATH_MAX];
	char module_scratch[4 * PATH_MAX];
	char module_name[4 * PATH_MAX];
	/*
	 * ELF headers and the notes after them, which one call reads as a rule
	 */
	unsigned char module_bytes[1024];
	/* memory of wiped_memory.c, and how many bytes of it are taken */
	unsigned char tables[STATE_TABLES] __attribute__((aligned(64)));
	_Atomic uint32_t tables_used;
	/* the loader's list, as last read */
	struct link_map_list_object loaded[LINK_MAP_MOST];
	unsigned loaded_count;
	/* the table in force and the next one */
	struct module_table table[2];
};

/*
 * The state of this process; mon is NULL until profiling begins, and stays so
 * in a process that is not profiled.  The other two are the calling thread's
 * slot and shard, or NULL.  In a fork child both may point to zeros.
 */
extern struct mon *mon;
extern __thread struct thread_slot *thread_slot_self
    __attribute__((tls_model("initial-exec")));
extern __thread struct arc_shard *arc_shard_self
    __attribute__((tls_model("initial-exec")));

/* Returns chunk i of the slots; 0 is the first. */
static inline struct thread_slot *
thread_slot_chunk(unsigned i)
{
	return i == 0 ? mon->first_chunk :
	    atomic_load_explicit(&mon->more_chunks[i - 1],
	    memory_order_relaxed);
}

#endif
