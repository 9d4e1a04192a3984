/*
 * Context: S.  Allocation thread records (struct alloc_thread, short:
 * alloc_thread).  One thread at a time counts its allocations and mappings in
 * each; when that thread is gone, another thread takes the record over.  Used
 * by the rest of this room, the live blocks and the path cache, in the thread
 * that counts; at forks (process_fork.c) and at ends of threads (thread.c,
 * thread_slot.c); doc/design/heap.md.
 */
#ifndef ALLOC_THREAD_H
#define ALLOC_THREAD_H

#include "heap_live/live_blocks.h"
#include "heap_live/live_bytes.h"
#include "heap_paths/path_cache_types.h"

#include <limits.h>
#include <stdint.h>

/*
 * Registers of the caller of an allocation function, as they are after the
 * call.  `base` is the register FRAME_BASE_REGISTER.
 */
struct alloc_caller {
	uintptr_t pc, sp, fp, base;	/* pc: return address */
};

/* States of an alloc_thread; 0: wiped by a fork. */
enum alloc_thread_state {
	/* a thread counts in it */
	ALLOC_THREAD_USED = 1,
	ALLOC_THREAD_ENDING,	/* its thread is about to end, or is gone */
};

/*
 * An alloc_thread.  Its thread alone writes it, except where a comment says
 * otherwise.
 */
struct alloc_thread {
	/*
	 * core/arch/CPU/heap.S knows the places of `until`, `last` and
	 * `blocks`.
	 */
	/* stack pointer of the call under way; 0: none */
	uintptr_t inside;
	/* bytes to the next block that is counted, where not all blocks are */
	uint64_t until;
	/*
	 * address of the block that the thread allocated last, 0 if it has
	 * asked for another since; odd: the block is not counted yet
	 */
	uintptr_t last;
	/*
	 * live blocks of the current file; alloc_thread_list_switch() may
	 * change it from another thread
	 */
	struct live_block_table *blocks;
	/* mapping of the file that all indexes here refer to */
	unsigned char *base;
	unsigned generation;	/* generation of the store that `base` is of */
	/* number of the last order that the alloc_thread knows of */
	uint32_t asked;
	uint32_t forgot_by; /* mon->forgot_by at the last alloc_thread_sync() */
	struct format_memory *memory;	/* the process's record in that file */
	/* live-byte counter of the alloc_thread */
	struct live_bytes_counter *live_counter;
	/* identifies the alloc_thread to the table of live blocks */
	struct live_blocks_user user;
	/*
	 * bytes that were taken off the alloc_thread's live-byte counter, and
	 * not yet off a path
	 */
	uint64_t ending;
	/*
	 * indexes of the alloc_thread's format_alloc_thread and of the root of
	 * its call tree
	 */
	uint32_t record, root;
	/*
	 * generation of the store whose file had no room for the alloc_thread's
	 * records
	 */
	unsigned homeless;
	/* state of random numbers */
	uint64_t random;
	/* calls left to the next heap_timeline_check() */
	uint32_t quiet;
	uint32_t quiet_for;	/* calls from the last check to the next */
	/* CLOCK_MONOTONIC at the last check, ns */
	uint64_t looked_mono;
	/* the call paths that the alloc_thread has met */
	struct path_cache path_cache;
	/* value of `inside` that a call which maps has set; 0: none */
	uintptr_t mapping;
	/*
	 * size of the mapping at `base`, bytes, while the thread forks amid a
	 * call; else 0
	 */
	uint64_t kept;

	/* Other threads read or change these, too. */
	/* thread that owns the alloc_thread, or did last */
	int tid;
	/* enum alloc_thread_state */
	_Atomic unsigned state;
	/* list of all alloc_threads, mon->alloc_threads */
	struct alloc_thread *next;
};

/*
 * `generation` of an alloc_thread that a fork child keeps for a call of its
 * parent; no store has this generation.
 */
#define ALLOC_THREAD_OF_PARENT	LIVE_BYTES_NO_STORE

/*
 * The calling thread's alloc_thread; NULL: none yet.  In a fork child it points
 * to an alloc_thread that the fork has wiped, or is NULL if the child continues
 * a call of its parent.
 */
extern __thread struct alloc_thread *alloc_thread_self
    __attribute__((tls_model("initial-exec")));

/*
 * Finds an alloc_thread for the calling thread: its own, one whose thread is
 * gone, or a new one; sets alloc_thread_self.  Returns NULL if there is no
 * memory, and in a vfork child of a thread without a slot.  Only alloc_slow.c
 * calls it, with signals blocked, not in a frozen process.
 */
struct alloc_thread *alloc_thread_acquire(void);

/*
 * alloc_thread_stack() returns the upper end of the alloc_thread's own stack;
 * alloc_thread_is_on_stack() returns whether sp lies on that stack.
 */
void *alloc_thread_stack(struct alloc_thread *l);
bool alloc_thread_is_on_stack(const struct alloc_thread *l, uintptr_t sp);

/*
 * alloc_thread_is_current() returns whether the alloc_thread has its records in
 * the current file.  alloc_thread_attach() makes these records; only
 * alloc_slow.c calls it, on the alloc_thread's stack with signals blocked.  It
 * returns false if the file cannot be opened or has no room, or if there is no
 * memory for a table of blocks.
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
 * Brings the alloc_thread up to date with the last order that the process has
 * taken, and with the table of blocks that is in force since.  Its own thread
 * calls it, before a call begins (`inside` is 0), once the alloc_thread is
 * current.
 */
void alloc_thread_sync(struct alloc_thread *l);

/*
 * Returns the address of record `index` of the file that the alloc_thread is
 * attached to.
 */
static inline void *
alloc_thread_record(const struct alloc_thread *l, uint32_t index)
{
	return l->base + (uint64_t)index * FORMAT_UNIT;
}

/*
 * Keeps the alloc_thread over a fork that a signal handler makes amid a call of
 * its thread, because the child may return from the handler and continue the
 * call.  The child finds the alloc_thread as it was, and zeros in place of the
 * file, of the table of blocks and of the tables in the state.  The thread that
 * forks calls alloc_thread_fork_prepare() before fork(), then
 * alloc_thread_fork_parent() in the parent and alloc_thread_fork_child() in the
 * child.
 */
void alloc_thread_fork_prepare(void);
void alloc_thread_fork_parent(void);
void alloc_thread_fork_child(void);

/*
 * Flag in `last`: the block may be in the table of live blocks, and is not in
 * the sums yet.
 */
#define ALLOC_THREAD_UNCOUNTED	((uintptr_t)1)

/*
 * Gives up the call under way, which will not continue: releases its locks,
 * undoes what is half done, and counts LOSS_HEAP_LEFT.  The alloc_thread's
 * thread does so at its next call, or the thread that takes the alloc_thread
 * over, once the owner is gone.
 */
void alloc_thread_recover(struct alloc_thread *l);

/*
 * Marks the calling thread's alloc_thread as free for another thread, which may
 * take it over once the kernel says that this thread is gone.  The thread is
 * about to end, and thread_end() calls it; destructors go on to count in it.
 */
void alloc_thread_exit(void);

/*
 * Marks alloc_thread l in the same way if thread `tid`, which is gone and did
 * not call alloc_thread_exit(), owns it.  l may be NULL.  The thread that
 * reclaims slots calls it.
 */
void alloc_thread_died(struct alloc_thread *l, int tid);

#endif
