/*
 * Context: S.  What a thread recalls of its last allocation, and how it went on
 * from those before; doc/internals.md, section 22.
 */
#ifndef RECALLED_H
#define RECALLED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame of the last call, as the walk met it, and where the words of the stack
 * are that led to its caller.  0: there is no such word.
 */
struct recall_frame {
	uintptr_t pc, sp, fp, base;
	uintptr_t ra_at, sp_at, fp_at, base_at;
	uint64_t row;		/* of rows.h, which says so */
	uint64_t needs;		/* RECALL_FP, RECALL_BASE: by which it or a
				   caller is found; as wide as what copies it,
				   or a processor waits for it */
	uint32_t node;		/* of the tree: it, below its callers */
	uint32_t words;		/* of struct recall: up to here those that lead
				   from it to the outermost */
};

#define RECALL_WORDS	4u	/* of a frame, at the most */

/* What a word of the stack was. */
struct recall_word {
	uintptr_t at, value;
};

#define RECALL_FP	1u
#define RECALL_BASE	2u

/* What lies below a node, remembered. */
struct recall_known {
	uint64_t frame;		/* as walk.h has it, or RECALL_HEAP */
	uint32_t parent, node;
};

#define RECALL_HEAP	1u	/* no frame: the node's format_heap */
#define RECALL_KNOWN	1024u

/*
 * How it went on: from one path to another, of which so many outer frames were
 * kept, and those below are new.
 */
#define RECALL_HOPS	5u	/* 19 of 20 times there are no more */

struct recall_next {
	uint32_t from, heap;	/* 0: nothing is known */
	uint32_t kept, hops;
	uint64_t pc[RECALL_HOPS], row[RECALL_HOPS];	/* innermost first */
	uint32_t node[RECALL_HOPS];
} __attribute__((aligned(64)));

#define RECALL_NEXT_LEAST	16u
#define RECALL_NEXT_MOST	16384u	/* 2 MiB: those of gcc */

struct recall {
	unsigned text_generation;
	unsigned count;
	uint32_t heap;		/* of the innermost; 0 not known, or none */
	uint32_t next_mask;	/* number of the last */
	uint32_t fetched;	/* of that path: what comes next */
	struct recall_next *next;
	uint32_t clashes;	/* since it is as large as it is */
	struct recall_frame *frame;	/* outermost first */
	struct recall_word *word;	/* as the frames */
	struct recall_frame *fresh;	/* innermost first, of the call under way */
	uint64_t *walked;	/* of one that is too deep */
	struct recall_known known[RECALL_KNOWN];
	struct recall_next next_least[RECALL_NEXT_LEAST];
};

/* What is kept of the last call does not hold any more. */
static inline void
recall_empty(struct recall *r)
{
	r->count = 0;
	r->heap = 0;
}

#endif
