/*
 * Context: S.  Where a thread counts its allocations; doc/internals.md, section
 * 22.
 */
#ifndef ALLOC_THREAD_H
#define ALLOC_THREAD_H

#include "heap_live/live_blocks.h"
#include "heap_live/live_bytes.h"
#include "heap_paths/path_cache_types.h"

#include <limits.h>
#include <stdint.h>

/* A call of an allocation function, as its caller left the registers. */
struct alloc_caller {
	uintptr_t pc, sp, fp, base;	/* pc: behind the call */
};

enum alloc_thread_state {
	ALLOC_THREAD_USED = 1,
	ALLOC_THREAD_ENDING,		/* its thread is about to end */
};

struct alloc_thread {
	/* Its thread; the first four are known to core/arch/CPU/heap.S. */
	/* stack pointer of the call under way, 0 none */
	uintptr_t inside;
	uint64_t until;		/* bytes to the next block that is counted,
				   where not all are */
	uintptr_t last;		/* what it allocated last, while it asked for
				   nothing else; odd: it is not counted yet */
	struct live_block_table *blocks;	/* of the file ... */
	unsigned char *base;	/* ... that is there, and all indexes are of */
	unsigned generation;	/* ... of the store */
	uint32_t asked;		/* the last order that it knows of */
	uint32_t forgot_by;	/* mon->forgot_by when it heeded one last */
	struct format_memory *memory;	/* of the process, in it */
	struct live_bytes_counter *stake;
	struct live_blocks_user user;
	/* bytes taken off its stake, and not from a path */
	uint64_t ending;
	uint32_t record, root;	/* format_alloc_thread, its tree */
	unsigned homeless;	/* the generation whose file had no room for
				   these */
	uint64_t random;
	/* calls to the next look at heap_timeline.h ... */
	uint32_t quiet;
	uint32_t quiet_for;	/* ... and from the last one */
	uint64_t looked_mono;
	struct path_cache recall;
	uintptr_t mapping;	/* `inside` of a call that maps, 0 none */
	uint64_t kept;		/* bytes at base, while it forks amid a call */

	/* All. */
	int tid;
	_Atomic unsigned state;
	struct alloc_thread *next;
};

/* No generation is that */
#define ALLOC_THREAD_OF_PARENT	LIVE_BYTES_NO_STORE

/* The calling thread's, NULL: none yet.  A fork child's is wiped. */
extern __thread struct alloc_thread *alloc_thread_self
    __attribute__((tls_model("initial-exec")));

/* ... made, or taken over.  NULL: no memory.  Signals are blocked. */
struct alloc_thread *alloc_thread_acquire(void);

/* The end of a stack of its own. */
void *alloc_thread_stack(struct alloc_thread *l);
bool alloc_thread_is_on_stack(const struct alloc_thread *l, uintptr_t sp);

/*
 * Is it of the file that there is? Else alloc_thread_attach() makes it so, or
 * not.
 */
static inline bool
alloc_thread_is_current(const struct alloc_thread *l)
{
	return l->base != NULL && l->generation ==
	    atomic_load_explicit(&mon->store.generation,
	    memory_order_relaxed);
}
bool alloc_thread_attach(struct alloc_thread *l);

/*
 * Brings the lane up to date with the last order that the process has taken,
 * and with the table of blocks that is in force since.  The lane's thread must
 * not be in the middle of a call.
 */
void alloc_thread_sync(struct alloc_thread *l);

/*
 * Moves all lanes from one table of blocks to another.  The stubs of a sample
 * need this, because they look up the table before any call is counted.  A lane
 * in the middle of a call keeps its table, so that the block which the call
 * gives out is forgotten with the rest.  Such lanes, and those made meanwhile,
 * change at their next call.
 */
void alloc_thread_switch_table(struct live_block_table *from,
    struct live_block_table *to);

/*
 * Returns whether a thread is still in the middle of a call that began before
 * order number `forgot_by` had the process forget its blocks.
 */
bool alloc_thread_any_stale(uint32_t forgot_by);

/* A record of that file. */
static inline void *
alloc_thread_record(const struct alloc_thread *l, uint32_t index)
{
	return l->base + (uint64_t)index * FORMAT_UNIT;
}

/*
 * Around a fork: where a signal's handler makes it amid a call, the child will
 * go on with that, and finds the lane, but zeros behind it.
 */
void alloc_thread_fork_prepare(void);
void alloc_thread_fork_parent(void);
void alloc_thread_fork_child(void);

/* In `last`: a block that is in the table, perhaps, and not in the sums. */
#define ALLOC_THREAD_UNCOUNTED	((uintptr_t)1)

/* The call under way will not go on: what it held is nobody's. */
void alloc_thread_recover(struct alloc_thread *l);

/* The calling thread ends; another goes on with its lane once it is gone. */
void alloc_thread_exit(void);

/* ... and is gone, without a word. */
void alloc_thread_died(struct alloc_thread *l, int tid);

#endif
