/*
 * Context: S.  Where a thread counts its allocations; doc/internals.md, section
 * 22.
 */
#ifndef LANE_H
#define LANE_H

#include "blocks.h"
#include "recalled.h"
#include "stake.h"

#include <limits.h>
#include <stdint.h>

/* A call of an allocation function, as its caller left the registers. */
struct heap_from {
	uintptr_t pc, sp, fp, base;	/* pc: behind the call */
};

enum lane_state {
	LANE_USED = 1,
	LANE_LEFT,		/* its thread is about to end */
};

struct lane {
	/* Its thread; the first four are known to core/arch/CPU/heap.S. */
	uintptr_t inside;	/* stack pointer of the call under way, 0 none */
	uint64_t until;		/* bytes to the next block that is counted,
				   where not all are */
	uintptr_t last;		/* what it allocated last, while it asked for
				   nothing else; odd: it is not counted yet */
	struct blocks *blocks;	/* of the file ... */
	unsigned char *base;	/* ... that is there, and all indexes are of */
	unsigned generation;	/* ... of the store */
	uint32_t asked;		/* the last order that it knows of */
	uint32_t forgot_by;	/* mon->forgot_by when it heeded one last */
	struct format_memory *memory;	/* of the process, in it */
	struct stake *stake;
	struct blocks_user user;
	uint64_t ending;	/* bytes taken off its stake, and not from a path */
	uint32_t record, root;	/* format_lane, its tree */
	unsigned homeless;	/* the generation whose file had no room for
				   these */
	uint64_t random;
	uint32_t quiet;		/* calls to the next look at growth.h ... */
	uint32_t quiet_for;	/* ... and from the last one */
	uint64_t looked_mono;
	struct recall recall;
	uintptr_t mapping;	/* `inside` of a call that maps, 0 none */
	uint64_t kept;		/* bytes at base, while it forks amid a call */

	/* All. */
	int tid;
	_Atomic unsigned state;
	struct lane *next;
};

#define LANE_OF_PARENT	STAKE_OF_NONE	/* no generation is that */

/* The calling thread's, NULL: none yet.  A fork child's is wiped. */
extern __thread struct lane *thread_lane
    __attribute__((tls_model("initial-exec")));

/* ... made, or taken over.  NULL: no memory.  Signals are blocked. */
struct lane *lane_take(void);

/* The end of a stack of its own. */
void *lane_stack(struct lane *l);
bool lane_is_on_stack(const struct lane *l, uintptr_t sp);

/* Is it of the file that there is?  Else lane_follow() makes it so, or not. */
static inline bool
lane_is_current(const struct lane *l)
{
	return l->base != NULL && l->generation ==
	    atomic_load_explicit(&mon->store.generation,
	    memory_order_relaxed);
}
bool lane_follow(struct lane *l);

/*
 * Brings the lane up to date with the last order that the process has taken,
 * and with the table of blocks that is in force since.  The lane's thread must
 * not be in the middle of a call.
 */
void lane_heed(struct lane *l);

/*
 * Moves all lanes from one table of blocks to another.  The stubs of a sample
 * need this, because they look up the table before any call is counted.  A lane
 * in the middle of a call keeps its table, so that the block which the call
 * gives out is forgotten with the rest.  Such lanes, and those made meanwhile,
 * change at their next call.
 */
void lane_lead(struct blocks *from, struct blocks *to);

/*
 * Returns whether a thread is still in the middle of a call that began before
 * order number `forgot_by` had the process forget its blocks.
 */
bool lane_is_behind(uint32_t forgot_by);

/* A record of that file. */
static inline void *
lane_at(const struct lane *l, uint32_t index)
{
	return l->base + (uint64_t)index * FORMAT_UNIT;
}

/*
 * Around a fork: where a signal's handler makes it amid a call, the child will
 * go on with that, and finds the lane, but zeros behind it.
 */
void lane_fork_begins(void);
void lane_fork_ends(void);
void lane_fork_child(void);

/* In `last`: a block that is in the table, perhaps, and not in the sums. */
#define LANE_NOT_COUNTED	((uintptr_t)1)

/* The call under way will not go on: what it held is nobody's. */
void lane_give_up(struct lane *l);

/* The calling thread ends; another goes on with its lane once it is gone. */
void lane_leave(void);

/* ... and is gone, without a word. */
void lane_left(struct lane *l, int tid);

#endif
