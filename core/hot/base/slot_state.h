/* Context: S.  A slot: all that the library knows of one thread. */
#ifndef SLOT_STATE_H
#define SLOT_STATE_H

#include "base/sys.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct alloc_thread;
struct tick_path;

/* The life of a slot, in this order. */
enum thread_slot_state {
	THREAD_SLOT_FREE = 0,	/* no thread has it */
	THREAD_SLOT_TAKEN,		/* one thread sets it up or clears it */
	THREAD_SLOT_LIVE,		/* its thread runs and may tick */
	/*
	 * its thread has said that it ends; the slot is reclaimed when it is
	 * gone
	 */
	THREAD_SLOT_ENDED,
};

/* The ring of a perf event: a control page, then data pages or none. */
struct perf_ring {
	/* its mapping, or NULL */
	_Atomic(void *) map;
	uint64_t bytes;		/* size of the mapping */
	uint64_t tail;		/* records before this offset have been read */
	unsigned words;		/* size of a record in 8-byte words */
};

/* All that the library knows of one thread. */
struct thread_slot {
	/*
	 * Identity, written by the thread that takes or reclaims the slot,
	 * except where a comment says otherwise.
	 */
	_Atomic unsigned state;	/* enum thread_slot_state */
	int tid;		/* kernel's id of its thread */
	/*
	 * Not 0: the coarse clock may be missing the thread, so functions in
	 * which it sleeps check that.  Its own thread writes it.
	 * THREAD_SLOT_WATCHED is its offset.
	 */
	int watched;
	/* In a free slot: the number + 1 of the next free one. */
	_Atomic unsigned next_free;
	bool native;		/* libc made the thread, so its TLS is valid */
	/* thread pointer of a native thread, as libc set it */
	uintptr_t pointer;
	bool main;		/* it is the first thread of the process */
	/* The fine clock still sends the signal from before a move. */
	_Atomic bool renew;
	/*
	 * The thread uses an alternate stack that cannot hold a tick, so it
	 * gets no clock any more.
	 */
	_Atomic bool stack_small;
	/* counted as a thread that could have no clock */
	bool clockless;
	/* a tick came that the stack did not hold, and was counted as a loss */
	bool stack_tight;
	/* our alternate stack, kept when the slot is freed; NULL: none yet */
	void *altstack;
	/* start routine that pthread_create() was asked to run */
	void *(*start)(void *);
	void *argument;		/* its argument */
	struct {
		/* start routine of thrd_create(), cast */
		void (*fn)(void);
		void *argument;
	} thrd;
	unsigned char asked[4];	/* initial value of signal_mask_own.asked */
	bool held;		/* its maker had the tick's signal blocked */
	/* its lane, in which it counts allocations, or NULL */
	struct alloc_thread *lane;
	/*
	 * The thread's stack is mapped from stack_low to stack_high while the
	 * thread is there.
	 */
	uintptr_t stack_low;
	uintptr_t stack_high;
	/* it is the first thread's stack, which grows downwards */
	bool stack_grows;
	/* size of the stack with its guard; 0: not known */
	size_t stack_bytes;

	/*
	 * Clocks, written by the thread itself, or by a thread that keeps its
	 * ticks out.
	 */
	/* kernel timer id + 1 of the coarse clock; 0: none */
	_Atomic int timer;
	unsigned coarse;	/* enum format_coarse */
	int coarse_errno;	/* errno of a coarse clock that was refused */
	unsigned epoch;		/* mon->epoch to which coarse_ns belongs */
	uint64_t coarse_ns;	/* interval of the coarse clock, ns */
	/*
	 * CPU time, ns, that the next coarse tick stands for if it is on time
	 */
	uint64_t due_ns;
	/*
	 * A tick that comes now was delayed, because we had its signal blocked.
	 */
	bool waited;
	/* CPU time of the thread when its slot was made, ns */
	uint64_t cpu_start;
	unsigned fine;		/* enum format_fine */
	int fine_errno;		/* errno of a fine clock that was refused */
	/*
	 * Descriptor number + 1 of the thread's perf event, which si_fd of its
	 * signals names, and that of the event before.
	 */
	int fine_fd;
	int fine_last;
	struct perf_ring ring;	/* ring of the fine clock */
	/* ring of the kernel=detail event, read at coarse ticks */
	struct perf_ring kernel;
	int kernel_errno;	/* errno of that event if it was refused */
	/* the fine clock is in its first period since it was switched on */
	bool first_period;
	uint64_t period;	/* present period of the fine clock, ns */
	uint64_t random;	/* state of the generator that draws periods */
	/*
	 * deviation of the last period, thousandths; the next one has its
	 * negative
	 */
	int64_t skew;
	uint64_t fine_ns;	/* CPU time counted by the fine clock, ns */
	uint64_t rearm_ns;	/* fine_ns when the clock was last armed */

	/*
	 * Written by the thread's own tick handler or by the helper of
	 * clock=wall, whichever holds `busy`.
	 */
	/* 1 while a thread writes these fields; taken by exchange */
	_Atomic unsigned busy;
	/* time counted by coarse ticks since the periodic checks, ns */
	uint64_t chores_ns;
	/* CPU time of the thread at its last coarse tick, ns */
	uint64_t cpu_ns;
	uint64_t coarse_cpu;	/* cpu_ns and fine_ns at the last coarse tick */
	uint64_t coarse_fine;
	/* CPU time of the process at the last coarse tick, ns */
	uint64_t coarse_process;
	/* cpu_ns - fine_ns when the fine clock was switched on */
	uint64_t fine_base;
	unsigned fine_ticks;	/* number of ticks of the fine clock */
	/* ns that the fine clock has counted too much */
	uint64_t debt;
	/* context switches of the thread up to its last coarse tick */
	uint64_t switches;
	/* enum perf_rate: how far the rate of the fine clock is lowered */
	unsigned pace;
	/* number of coarse ticks in a row at which a lower pace was allowed */
	unsigned calm;
	/* mean number of switches in a coarse tick, times 256 */
	uint64_t mean_switches;
	/* voluntary switches of the thread up to its last coarse tick */
	uint64_t sleeps;
	uint64_t slept_cpu;	/* cpu_ns when `sleeps` last grew */
	bool slept;		/* `sleeps` grew at the last coarse tick */
	/* cpu_ns when the fine clock first went on; 0: not yet */
	uint64_t fine_from;
	/* fine_ns at the start of the budget that is being spent */
	uint64_t fine_spent;
	/* cpu_ns when the coarse clock began to be the only one */
	uint64_t alone_from;
	/* CPU time that the coarse clock has counted since then, ns */
	uint64_t alone_ns;
	/*
	 * part of alone_ns that was counted ahead of the CPU time; the fine
	 * clock skips it, ns
	 */
	uint64_t ahead;
	/*
	 * part of alone_ns kept for the unfinished period at the end of the
	 * fine clock, ns
	 */
	uint64_t credit;
	/* kernel time counted by the coarse clock beside the fine one, ns */
	uint64_t kernel_ns;
	/* CPU time without a sample, which the next samples carry, ns */
	uint64_t backlog;
	uintptr_t last_pc;	/* place of the last sample */
	/* generation of the store that the indexes below belong to */
	unsigned generation;
	uint32_t thread;	/* index of the thread's record; 0: none */
	uint32_t root;		/* index of the root node of its call tree */
	/* place of one of the ticks that are kept while the file is made */
	uint64_t held_pc;
	uint64_t held_ns;	/* time that these ticks stand for, ns */
	uint64_t held_ticks;	/* number of these ticks */
	/* place where the tick under way found the thread */
	uintptr_t now;
	/* the thread's registers there, or NULL */
	const ucontext_t *context;
	/* where a walk under way continues after a fault, or NULL */
	void **back;
	/* node of the tick's callers; 0: not looked for yet */
	uint32_t tick_path_node;
	/* remembered call path, kept when the slot is freed; NULL: none yet */
	struct tick_path *path;
	/* log=yes: index of the thread's present block; 0: none yet */
	uint32_t moments;
	uint32_t moment_room;	/* entries that this block has room for */
	uint32_t moment_count;	/* entries that are in it */
	uint64_t moment_mono;	/* CLOCK_MONOTONIC of the last entry, ns */
	/* clock=wall: the account of the time that the thread slept. */
	/* mon->wall_epoch to which this account belongs */
	unsigned wall_epoch;
	/* node of the place where it slept then; 0: not known */
	uint32_t wall_node;
	/* CLOCK_MONOTONIC, ns, up to which all time is accounted for */
	uint64_t wall_mono;
	uint64_t wall_cpu;	/* CPU time of the thread at wall_mono, ns */
	/* time that it had waited for a processor at wall_mono, ns */
	uint64_t wall_delay;
};

/* Offset of thread_slot.watched, for the stubs in preload/sleep_*.S. */
#define THREAD_SLOT_WATCHED	8
_Static_assert(offsetof(struct thread_slot, watched) == THREAD_SLOT_WATCHED,
    "stubs read it");

/* Slots in a chunk, and the most chunks of a process. */
#define THREAD_SLOT_CHUNK	64
#define THREAD_SLOT_CHUNKS	1024	/* 65,536 threads at once */

#endif
