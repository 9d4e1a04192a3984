/*
 * Context: S.  Caches, for addresses of code, the rule by which the caller is
 * found there.  All threads share one table, without a lock.  Walks
 * (stack_walk.c, unwind_step.c) and the path cache use it, in any thread and
 * any signal handler, also in a frozen process.
 */
#ifndef UNWIND_CACHE_H
#define UNWIND_CACHE_H

#include "base/state.h"
#include "unwind/cfi.h"

/* The kinds of rules. */
enum unwind_rule_kind {
	UNWIND_RULE_NONE = 0,		/* the cache has no rule */
	/* the frame's address is fp or sp + frame_offset */
	UNWIND_RULE_PLAIN,
	/*
	 * the frame's address is stored at fp + ra_offset: gcc's functions that
	 * align their stack
	 */
	UNWIND_RULE_ALIGNED,
	/* a signal handler returns to this code */
	UNWIND_RULE_SIGNAL,
	UNWIND_RULE_OUTERMOST,		/* the frame has no caller */
	/* the rule does not fit: read the unwind tables */
	UNWIND_RULE_OTHER,
};

/* A rule.  Offsets are in bytes, multiples of 8. */
struct unwind_rule {
	enum unwind_rule_kind kind;
	/* the frame's address is fp + frame_offset, else sp + frame_offset */
	bool by_fp;
	/*
	 * the caller's fp is at frame + fp_offset; ALIGNED: at fp + fp_offset
	 */
	bool fp_saved;
	bool base_saved;	/* as fp_saved, with base_offset */
	bool linked;		/* the return address is still in a register */
	uint32_t frame_offset;
	int32_t fp_offset, base_offset;
	/*
	 * of the return address, from the frame's address; ALIGNED: of the word
	 * that holds the frame's address, from fp
	 */
	int32_t ra_offset;
};

/*
 * The layout of a rule in one word, from its lowest bit on: kind, by_fp,
 * fp_saved, base_saved, linked, and the offsets in units of 8 bytes.
 */
#define UNWIND_RULE_KIND_BITS	3
#define UNWIND_RULE_BY_FP	((uint64_t)1 << 3)
#define UNWIND_RULE_FP_SAVED	((uint64_t)1 << 4)
#define UNWIND_RULE_BASE_SAVED	((uint64_t)1 << 5)
#define UNWIND_RULE_LINKED	((uint64_t)1 << 6)
#define UNWIND_RULE_FRAME_AT	7
#define UNWIND_RULE_FRAME_BITS	20	/* frames of up to 8 MiB */
#define UNWIND_RULE_FP_AT	27
#define UNWIND_RULE_BASE_AT	39
#define UNWIND_RULE_RA_AT	51
/* +-16 KiB: registers are saved near the frame's address. */
#define UNWIND_RULE_OFFSET_BITS	12

/* Returns the kind of a rule. */
static inline enum unwind_rule_kind
unwind_rule_kind(uint64_t word)
{
	return (enum unwind_rule_kind)(word & ((1u << UNWIND_RULE_KIND_BITS) -
	    1));
}

/* Returns the frame_offset of a rule, in bytes. */
static inline uintptr_t
unwind_rule_frame(uint64_t word)
{
	return (word >> UNWIND_RULE_FRAME_AT & ((1u << UNWIND_RULE_FRAME_BITS) -
	    1)) * 8;
}

/* Returns the offset, with its sign, that begins at bit `at`, in bytes. */
static inline uintptr_t
unwind_rule_offset(uint64_t word, unsigned at)
{
	return (uintptr_t)((int64_t)(word << (64 - UNWIND_RULE_OFFSET_BITS -
	    at)) >> (64 - UNWIND_RULE_OFFSET_BITS)) * 8;
}

/*
 * A rule, and in `check` the same word XOR its key, by which a reader finds
 * that another thread has written meanwhile.
 */
struct unwind_cache_entry {
	_Atomic uint64_t word, check;
};

/* Size of the table: 256 KiB, of which only pages in use take memory. */
#define UNWIND_CACHE_ENTRIES	16384u
/* Entries of a bucket, in one cache line. */
#define UNWIND_CACHE_WAYS	2u
#define UNWIND_CACHE_KEY_SHIFT	48	/* addresses have fewer bits */

/*
 * The table as one walk uses it.  The walk also finds rules of text that is
 * unmapped during the walk.
 */
struct unwind_cache {
	struct unwind_cache_entry *table;	/* NULL: there is none */
	uint64_t generation;	/* generation of the text, where keys hold it */
};

/*
 * Returns the table, which it maps if there is none, and the current
 * generation.  The table is NULL if there is no memory, or behind a seccomp
 * filter if there was none before.
 */
struct unwind_cache unwind_cache_current(void);

/* Returns the first entry of the bucket for a key. */
static inline struct unwind_cache_entry *
unwind_cache_bucket(const struct unwind_cache *r, uint64_t key)
{
	return &r->table[(key * 0x9e3779b97f4a7c15u >> 40) %
	    UNWIND_CACHE_ENTRIES & ~(uint64_t)(UNWIND_CACHE_WAYS - 1)];
}

/* Returns the rule of pc, as a word, or 0, which is UNWIND_RULE_NONE. */
static inline uint64_t
unwind_cache_find(const struct unwind_cache *r, uintptr_t pc)
{
	const uint64_t key = pc ^ r->generation;
	struct unwind_cache_entry *at;

	if (r->table == NULL)
		return 0;
	at = unwind_cache_bucket(r, key);
	for (unsigned i = 0; i < UNWIND_CACHE_WAYS; i++) {
		uint64_t word = atomic_load_explicit(&at[i].word,
		    memory_order_relaxed);

		if ((word ^ atomic_load_explicit(&at[i].check,
		    memory_order_relaxed)) == key && word != 0)
			return word;
	}
	return 0;
}

/*
 * Makes a rule from a row of an unwind table: UNWIND_RULE_OTHER if it does not
 * fit.
 */
struct unwind_rule unwind_cache_make_rule(const struct cfi_row *from);

/* Packs a rule into a word. */
uint64_t unwind_cache_pack_rule(const struct unwind_rule *row);

/*
 * Adds the rule of pc to the table, in the place of another if its bucket is
 * full.
 */
void unwind_cache_add(const struct unwind_cache *r, uintptr_t pc,
    uint64_t word);

#endif
