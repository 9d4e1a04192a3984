/*
 * Context: S.  What a thread recalls of its last allocation, and how it went on
 * from those before; doc/internals.md, section 22.
 */
#ifndef PATH_CACHE_TYPES_H
#define PATH_CACHE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame of a call, as the walk met it, and where the words of the stack are
 * that led to its caller.  0: there is no such word.
 */
struct path_cache_frame {
	uintptr_t pc, sp, fp;
	uintptr_t ra_at, sp_at, fp_at;
	uint64_t row;		/* of unwind_cache.h, which says so */
	uint64_t needs;		/* PATH_CACHE_FP: by it this or a caller is found;
				   as wide as what copies it, or a processor
				   waits for it */
	/* of it and its callers: struct path_cache_entry */
	uint64_t frames;
	uint32_t node;		/* of the tree: it, below its callers; 0: not
				   known yet */
	uint32_t words;		/* of struct path_cache: up to here those that lead
				   from it to the outermost */
};

#define PATH_CACHE_WORDS	3u	/* of a frame, at the most */

/* What a word of the stack was. */
struct path_cache_word {
	uintptr_t at, value;
};

#define PATH_CACHE_FP	1u

/* What lies below a node, remembered. */
struct path_cache_node {
	uint64_t frame;		/* as stack_walk.h has it, or PATH_CACHE_HEAP */
	uint32_t parent, node;
};

#define PATH_CACHE_HEAP	1u	/* no frame: the node's format_heap */
#define PATH_CACHE_NODES	1024u

/*
 * A call that has been, in its thread: whence, and by which path.  The stack is
 * the same again if the words of it that lead outward are; of those there is
 * one sum, each times an odd number of its place's.
 */
#define PATH_CACHE_NEXT	4u	/* 98 of 100 of cc1's calls */
#define PATH_CACHE_SUMMED	256u	/* words; of more there is no sum */

struct path_cache_entry {
	uint64_t sum;
	uint64_t frames;	/* of their pcs, outermost first */
	uintptr_t sp, pc;
	uint32_t heap;
	uint32_t other;		/* by the same frames from elsewhere, 0 none */
	uint16_t words;
	uint16_t high;		/* of at[], the most */
	uint32_t next[PATH_CACHE_NEXT];	/* what came after it */
	uint16_t needs;		/* PATH_CACHE_FP, PATH_CACHE_NO_SUM */
	uint16_t at[];		/* words up from sp */
};

#define PATH_CACHE_NO_SUM	2u

/*
 * Stands in place of a path's record if the file had no room for it.  Such a
 * path is recalled as others are, so that its calls cost no more than theirs.
 */
#define PATH_CACHE_LOST	UINT32_MAX

/* Paths are in lines of the cache, by number; 0 is none. */
#define PATH_CACHE_LINE	64u
#define PATH_CACHE_LINES_MIN	64u	/* lines: 4 KiB */
#define PATH_CACHE_LINES_MAX	65536u	/* 4 MiB: 32,000 paths */

/* Of so many lines, and as many words to find a path by its frames. */
#define PATH_CACHE_BYTES(lines)	((lines) * (PATH_CACHE_LINE + sizeof(uint32_t)))

struct path_cache {
	unsigned text_generation;
	unsigned count;
	uint32_t heap;		/* of the frames; 0 not known, or none */
	/* path of the last call; 0 not known, or none */
	uint32_t last;
	uint32_t fetched;	/* of that path: what comes next */
	uint32_t turns;
	unsigned char *lines;
	uint32_t most, used;	/* lines */
	uint32_t paths;
	struct path_cache_frame *frame;	/* of a call, outermost first */
	struct path_cache_word *word;	/* as the frames */
	/* innermost first, of the call under way */
	struct path_cache_frame *fresh;
	uint64_t *walked;	/* of one that is too deep */
	uint64_t odd[PATH_CACHE_SUMMED + 1];	/* of words, and of fp */
	struct path_cache_node known[PATH_CACHE_NODES];
	unsigned char least[PATH_CACHE_BYTES(PATH_CACHE_LINES_MIN)]
	    __attribute__((aligned(PATH_CACHE_LINE)));
};

/* What is kept of the last call does not hold any more. */
static inline void
path_cache_forget_last(struct path_cache *r)
{
	r->count = 0;
	r->heap = 0;
	r->last = 0;
}

#endif
