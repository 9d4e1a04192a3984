/*
 * Context: S.  Types of the cache of call paths, which is part of struct
 * alloc_thread: the frames of an alloc_thread's last call, the paths that the
 * alloc_thread has met, and the nodes of its call tree;
 * doc/design/path-cache.md.  The files of this room use them, and alloc_count.c
 * and alloc_thread.c.
 */
#ifndef PATH_CACHE_TYPES_H
#define PATH_CACHE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A frame of a call, as the walk met it; and addresses of the words of the
 * stack that lead to its caller's return address, stack pointer and frame
 * pointer.  0: there is no such word.
 */
struct path_cache_frame {
	uintptr_t pc, sp, fp;
	uintptr_t ra_at, sp_at, fp_at;
	uint64_t rule;	/* the unwind rule that says so; unwind_cache.h */
	/*
	 * PATH_CACHE_FP: fp is needed to find this frame's caller or one
	 * further out.  As wide as the copies of this struct load it, or the
	 * processor would wait for the store.
	 */
	uint64_t needs;
	/* number of the frame and its callers, as in struct path_cache_entry */
	uint64_t frames;
	/* node of the frame in the call tree; 0: not known yet */
	uint32_t node;
	/*
	 * so many words of path_cache.word lead from this frame to the
	 * outermost one
	 */
	uint32_t words;
};

#define PATH_CACHE_WORDS	3u	/* words of a frame, at most */

/* A word of the stack: address, and value at the last call. */
struct path_cache_word {
	uintptr_t at, value;
};

/* Flag of `needs`: the frame pointer is needed. */
#define PATH_CACHE_FP	1u

/* A remembered node: that of `frame` below `parent`. */
struct path_cache_node {
	uint64_t frame;		/* as stack_walk.h has it, or PATH_CACHE_HEAP */
	uint32_t parent, node;
};

#define PATH_CACHE_HEAP	1u	/* no frame, but the node's format_heap */
/* Number of nodes that an alloc_thread remembers. */
#define PATH_CACHE_NODES	1024u

#define PATH_CACHE_NEXT	4u	/* enough for 98 of 100 calls of gcc's cc1 */
/* Words in a sum, at most; longer paths have no sum. */
#define PATH_CACHE_SUMMED	256u

/*
 * A path that the thread has allocated by: place of the call, and a sum of
 * words of the stack.  The path is the same again if the words that lead
 * outward are; each word is multiplied by an odd number that belongs to its
 * place, and added.
 */
struct path_cache_entry {
	uint64_t sum;
	uint64_t frames;	/* number made of all pcs, outermost first */
	uintptr_t sp, pc;
	uint32_t heap;
	/* line of the next entry with the same frames; 0: none */
	uint32_t other;
	uint16_t words;	/* number of words in the sum */
	uint16_t high;		/* largest of at[] */
	uint32_t next[PATH_CACHE_NEXT];	/* lines of paths that followed */
	uint16_t needs;		/* PATH_CACHE_FP, PATH_CACHE_NO_SUM */
	uint16_t at[];		/* places of the words, in words above sp */
};

/* Flag of `needs`: the entry has no sum. */
#define PATH_CACHE_NO_SUM	2u

/*
 * Takes the place of a path's format_heap if the file had no room for it.  Such
 * a path is cached as others are, so that its calls cost no more.
 */
#define PATH_CACHE_LOST	UINT32_MAX

/*
 * Entries are in cache lines, and are named by the first one's number; 0 is
 * none.
 */
#define PATH_CACHE_LINE	64u
#define PATH_CACHE_LINES_MIN	64u	/* lines: 4 KiB */
#define PATH_CACHE_LINES_MAX	65536u	/* 4 MiB: 32,000 paths */

/*
 * Size of a table of so many lines, and of as many words, the hash index that
 * finds an entry by its frames.
 */
#define PATH_CACHE_BYTES(lines)	((lines) * (PATH_CACHE_LINE + sizeof(uint32_t)))

/* The cache of an alloc_thread.  The alloc_thread's thread alone uses it. */
struct path_cache {
	/* mon->text_generation when it was filled */
	unsigned text_generation;
	unsigned count;	/* frames in frame[] */
	/* format_heap of the frames in frame[]; 0: not known, or no frames */
	uint32_t heap;
	/* line of the last call's entry; 0: not known, or none */
	uint32_t last;
	uint32_t fetched;	/* entry whose successors were prefetched */
	uint32_t turns;	/* chooses the successor that gives way */
	unsigned char *lines;	/* the table, and the index behind it */
	uint32_t most, used;	/* lines of the table, and those in use */
	uint32_t paths;	/* entries of the table */
	struct path_cache_frame *frame;	/* frames, outermost first */
	/* words of the stack, in the order of frames */
	struct path_cache_word *word;
	/* frames of the call under way, innermost first */
	struct path_cache_frame *fresh;
	uint64_t *walked; /* frames of a call that is walked as a tick is */
	/* factors of the words, and of fp */
	uint64_t odd[PATH_CACHE_SUMMED + 1];
	/* remembered nodes, a hash table */
	struct path_cache_node known[PATH_CACHE_NODES];
	/* the first table */
	unsigned char least[PATH_CACHE_BYTES(PATH_CACHE_LINES_MIN)]
	    __attribute__((aligned(PATH_CACHE_LINE)));
};

/* Forgets the last call, because its frames do not hold any more. */
static inline void
path_cache_forget_last(struct path_cache *r)
{
	r->count = 0;
	r->heap = 0;
	r->last = 0;
}

#endif
