/*
 * Context: S.  A slot: all that the library knows of one thread.  The comments
 * say who may write each part; core/hot/thread takes and frees slots.  Part of
 * state.h.
 */
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

/*
 * The ring of a perf event: a control page, then data pages or none.  Only
 * perf_ring.c writes this.
 */
struct perf_ring {
	/* its mapping, or NULL */
	_Atomic(void *) map;
	uint64_t bytes;		/* size of the mapping */
	/* entries before this offset, as data_head counts, have been read */
	uint64_t tail;
	unsigned words;		/* size of an entry in 8-byte words */
};

/* The start of the thread, until its routine runs. */
struct slot_birth {
	/* start routine that pthread_create() was asked to run */
	void *(*routine)(void *);
	void *argument;		/* its argument */
	struct {
		/* start routine of thrd_create(), cast */
		void (*fn)(void);
		void *argument;
	} thrd;
	unsigned char asked[4];	/* initial value of signal_mask_own.program */
	bool signal_blocked;	/* its maker had the tick's signal blocked */
};

/* The stacks of the thread. */
struct slot_stack {
	/* our alternate stack, kept when the slot is freed; NULL: none yet */
	void *alt;
	/*
	 * The thread uses an alternate stack that cannot hold a tick, so it
	 * gets no clock any more.
	 */
	_Atomic bool small;
	/* a tick came that the stack did not hold, and was counted as a loss */
	bool tight;
	/* it is the first thread's stack, which grows downwards */
	bool grows;
	/*
	 * The thread's stack is mapped from `low` to `high` while the thread is
	 * there.
	 */
	uintptr_t low;
	uintptr_t high;
	/* size of the stack with its guard; 0: not known */
	size_t bytes;
};

/*
 * The coarse clock.  The thread itself writes this, or a thread that keeps its
 * ticks out; any thread may take `timer` away.
 */
struct slot_coarse_clock {
	/* kernel timer id + 1; 0: none */
	_Atomic int timer;
	unsigned kind;		/* enum format_coarse */
	int error;		/* errno of a clock that was refused */
	unsigned epoch;		/* mon->epoch to which `interval` belongs */
	uint64_t interval;	/* ns */
	/* CPU time, ns, that the next tick stands for if it is on time */
	uint64_t due;
	/*
	 * A tick that comes now was delayed, because we had its signal blocked:
	 * see thread_slot_restore_mask().
	 */
	bool waited;
};

/*
 * The fine clock.  Times are CPU time of the thread, ns.  The threads
 * that write the coarse clock write this, too.
 */
struct slot_fine_clock {
	unsigned state;		/* enum format_fine */
	int error;		/* errno of a clock that was refused */
	/*
	 * Descriptor number + 1 of the thread's perf event, which si_fd of its
	 * signals names, and that of the event before.
	 */
	int fd;
	int last_fd;
	/* The clock still sends the signal from before a move. */
	_Atomic bool renew;
	/* the clock is in its first period since it was switched on */
	bool first_period;
	unsigned ticks;		/* number of ticks */
	struct perf_ring ring;
	uint64_t period;	/* present period, ns */
	uint64_t random;	/* state of the generator that draws periods */
	/*
	 * how much the present rate exceeds the mean, thousandths; after a
	 * positive one comes its negative, after that a new one is drawn
	 */
	int64_t skew;
	uint64_t ns;		/* counted by the clock */
	uint64_t rearm;		/* `ns` when the clock was last armed */
	/*
	 * cpu.ns - ns when the clock was switched on, and what the fine clock
	 * does not count since: handover.ahead, stops of the machine
	 */
	uint64_t base;
	uint64_t debt;		/* counted too much: later samples lack it */
	/*
	 * cpu.ns when the clock first went on since the intervals changed; 0:
	 * not yet
	 */
	uint64_t from;
	/* `ns` at the start of the budget that is being spent */
	uint64_t spent;
};

/* Kernel time beside the fine clock. */
struct slot_kernel_clock {
	/* ring of the kernel=detail event, read at coarse ticks */
	struct perf_ring ring;
	int error;		/* errno of that event if it was refused */
	/* kernel time counted by the coarse clock beside the fine one, ns */
	uint64_t ns;
};

/* CPU time of the thread, ns. */
struct slot_cpu {
	uint64_t start;		/* when its slot was made */
	/* when last read: at each coarse tick, at some fine ticks */
	uint64_t ns;
	/* counted by coarse ticks since the periodic checks */
	uint64_t chores;
};

/* Times at the last coarse tick, ns. */
struct slot_last_coarse {
	uint64_t cpu;		/* cpu.ns */
	uint64_t fine;		/* fine_clock.ns */
	uint64_t process;	/* CPU time of the process */
};

/* Context switches, by which perf_rate.c chooses the rate of the fine clock. */
struct slot_rate {
	/* switches of the thread up to its last coarse tick */
	uint64_t switches;
	/* enum perf_rate: how far the rate is lowered */
	unsigned pace;
	/* number of coarse ticks in a row at which a lower pace was allowed */
	unsigned calm;
	/* mean number of switches in an interval of CPU time, times 256 */
	uint64_t mean_switches;
	/* voluntary switches of the thread up to its last coarse tick */
	uint64_t sleeps;
	uint64_t slept_cpu;	/* cpu.ns when `sleeps` last grew */
	bool slept;		/* `sleeps` grew at the last coarse tick */
};

/* The account between the two clocks where one takes over; ns. */
struct slot_handover {
	/* cpu.ns when the coarse clock began to be the only one */
	uint64_t alone_from;
	/* CPU time that the coarse clock has counted since then */
	uint64_t alone;
	/*
	 * part of `alone` that was counted ahead of the CPU time; the fine
	 * clock skips it
	 */
	uint64_t ahead;
	/*
	 * part of `alone` kept for the unfinished period at the end of the fine
	 * clock
	 */
	uint64_t credit;
};

/* Time that waits to be counted. */
struct slot_pending {
	/* CPU time without a sample, which the next samples carry, ns */
	uint64_t backlog;
	uintptr_t last_pc;	/* place of the last sample */
	/*
	 * place of one of the ticks that are kept while another thread makes
	 * the file or reads the memory map
	 */
	uint64_t pc;
	uint64_t ns;		/* time that these ticks stand for */
	uint64_t ticks;		/* number of these ticks */
};

/* Records of the thread in the file. */
struct slot_records {
	/* generation of the store that the indexes belong to */
	unsigned generation;
	uint32_t thread;	/* index of the thread's record; 0: none */
	uint32_t root;		/* index of the root node of its call tree */
};

/* The tick under way. */
struct slot_tick {
	uintptr_t pc;		/* place where it found the thread */
	/* the thread's registers there, or NULL */
	const ucontext_t *context;
	/* where a walk under way continues after a fault, or NULL */
	void **back;
	/* node of the tick's callers; 0: not looked for yet */
	uint32_t callers;
};

/* log=yes: the thread's present block of logged ticks. */
struct slot_log {
	uint32_t block;		/* its index; 0: none yet */
	uint32_t room;		/* entries that it has room for */
	uint32_t count;		/* entries that are in it */
	uint64_t mono;		/* CLOCK_MONOTONIC of the last entry, ns */
};

/* clock=wall: the account of the time that the thread slept. */
struct slot_wall {
	unsigned epoch;		/* mon->wall_epoch to which it belongs */
	/* node of the place where it slept then; 0: not known */
	uint32_t node;
	/* CLOCK_MONOTONIC, ns, up to which all time is accounted for */
	uint64_t mono;
	uint64_t cpu;		/* CPU time of the thread at `mono`, ns */
	/* time that it had waited for a processor at `mono`, ns */
	uint64_t delay;
};

/* States of a slot_life, in this order. */
enum slot_life_state {
	SLOT_LIFE_NONE = 0,	/* not begun */
	SLOT_LIFE_OPEN,		/* the thread lives */
	/* the thread has ended, and its waiting is not added up yet */
	SLOT_LIFE_ENDING,
	SLOT_LIFE_OVER,		/* all of it is added up */
	/*
	 * Beside one of these: the seal has added it up.  An exec that fails
	 * takes this back, and the thread may have ended meanwhile.
	 */
	SLOT_LIFE_SEALED = 4,
};

/*
 * The life of the thread, for the sums of elapsed time.  A thread owns what its
 * exchange of `state` has made its own.
 */
struct slot_life {
	_Atomic unsigned state;	/* enum slot_life_state */
	/* CLOCK_MONOTONIC, ns, of its birth and of its end (0: none yet) */
	uint64_t born, ended;
	/* its CPU time, and its waiting for a processor, at `born`, ns */
	uint64_t cpu, delay;	/* delay: or RUN_DELAY_UNKNOWN */
	bool found;		/* its birth was not seen */
};

/* The lives of all threads of the process.  Any thread writes this. */
struct thread_lives {
	/*
	 * changes of `open` and `balance` that were begun and done: the two
	 * belong together while these are equal
	 */
	_Atomic unsigned begun, done;
	_Atomic unsigned open;	/* threads that live */
	/* sum of the ends of threads less that of the births, ns, mod 2^64 */
	_Atomic uint64_t balance;
	_Atomic unsigned count;	/* threads so far */
	_Atomic unsigned unseen; /* those whose birth or end was not seen */
	/* waiting for a processor of those that have ended, ns */
	_Atomic uint64_t delay;
	/* time without a processor of those that have ended unasked, ns */
	_Atomic uint64_t unasked;
	/* CPU time that those that have ended used within their lives, ns */
	_Atomic uint64_t ran;
	/* these of those that ended while an exec had sealed their lives */
	_Atomic uint64_t late_delay, late_unasked, late_ran;
	_Atomic bool refused;	/* some thread could not be asked */
	_Atomic bool first_asked; /* first_delay is known, or was refused */
	/* how long the first thread had waited when it was first asked, ns */
	uint64_t first_delay;
	uint64_t birth_mono;	/* when the image began */
	/* CPU time of the first thread then, ns: a later image has some */
	uint64_t first_cpu;
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
	 * THREAD_SLOT_SLEEP_CHECK is its offset.
	 */
	int sleep_check;
	/* In a free slot: the number + 1 of the next free one. */
	_Atomic unsigned next_free;
	bool native;		/* libc made the thread, so its TLS is valid */
	bool main;		/* it is the first thread of the process */
	/* counted as a thread that could have no clock */
	bool clockless;
	/* thread pointer of a native thread, as libc set it */
	uintptr_t pointer;
	struct slot_birth birth;
	struct slot_life life;
	struct slot_stack stack;
	/* its allocation thread record, or NULL; see alloc_thread.h */
	struct alloc_thread *alloc;

	/*
	 * Clocks, written by the thread itself, or by a thread that keeps its
	 * ticks out.
	 */
	struct slot_coarse_clock coarse_clock;
	struct slot_fine_clock fine_clock;
	struct slot_kernel_clock kernel_clock;

	/*
	 * Written by whoever holds `busy`: the thread's own tick handler or the
	 * helper of clock=wall, as a rule.
	 */
	/* 1 while a thread writes these fields; taken by exchange */
	_Atomic unsigned busy;
	struct slot_cpu cpu;
	struct slot_last_coarse last_coarse;
	struct slot_rate rate;
	struct slot_handover handover;
	struct slot_pending pending;
	struct slot_records records;
	struct slot_tick tick;
	/* remembered call path, kept when the slot is freed; NULL: none yet */
	struct tick_path *tick_path;
	struct slot_log log;
	struct slot_wall wall;
};

/* Offset of thread_slot.sleep_check, for the stubs in preload/sleep_CPU.S. */
#define THREAD_SLOT_SLEEP_CHECK	8
_Static_assert(offsetof(struct thread_slot, sleep_check) ==
    THREAD_SLOT_SLEEP_CHECK,
    "stubs read it");

/* Slots in a chunk, and the most chunks of a process. */
#define THREAD_SLOT_CHUNK	64
#define THREAD_SLOT_CHUNKS	1024	/* 65,536 threads at once */

#endif
