/*
 * Context: P.  The threads of a profile and the nodes of their call trees:
 * libmon.so writes them (hot/count/cct.c), decode_tree() visits them.  Part of
 * format.h.
 */
#ifndef FORMAT_TREE_H
#define FORMAT_TREE_H

#include <stdint.h>

/* A thread that was counted at least once. */
struct format_thread {
	uint32_t next;
	uint32_t root;		/* node, kind FORMAT_ROOT; 0: none */
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
	/* Threads in this record: 1, more in the pool, 0 in a spare pool */
	uint64_t members;
};

/* Bits of the flags of a thread. */
#define FORMAT_T_MAIN	1u
/* Many threads: those past the first 8192 share one record, the pool */
#define FORMAT_T_POOL	2u
#define FORMAT_T_RAW	4u	/* not made by pthread_create */

/* Kind of a node of a call tree: what the node stands for. */
enum format_kind {
	/* Root of a thread's or an alloc_thread's tree; counts nothing */
	FORMAT_ROOT = 0,
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
	FORMAT_CUT_COST = 10,	/* more frames would have cost too much time */
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
	uint64_t count;		/* samples; blocks in a format_heap */
	/* CPU time or time asleep of the samples; bytes in a format_heap */
	uint64_t ns;
};

_Static_assert(sizeof(struct format_thread) == 112, "thread");
_Static_assert(sizeof(struct format_node) == 48, "node");

#endif
