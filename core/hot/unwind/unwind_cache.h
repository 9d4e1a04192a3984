/* Context: S.  How to find the caller at a place of the code, remembered. */
#ifndef UNWIND_CACHE_H
#define UNWIND_CACHE_H

#include "base/state.h"
#include "unwind/cfi.h"

enum unwind_rule_kind {
	UNWIND_RULE_NONE = 0,		/* nothing is remembered */
	UNWIND_RULE_PLAIN,
	UNWIND_RULE_ALIGNED,		/* frame is what lies at fp + offset: gcc's
				   functions that align their stack */
	UNWIND_RULE_SIGNAL,		/* a signal's handler returns here */
	UNWIND_RULE_OUTERMOST,		/* there is no caller */
	UNWIND_RULE_OTHER,		/* only the tables themselves tell */
};

/* Offsets in bytes, multiples of 8. */
struct unwind_rule {
	enum unwind_rule_kind kind;
	bool by_fp;		/* frame = fp + frame_offset, else sp + */
	bool fp_saved;		/* at frame + fp_offset; ALIGNED: fp + */
	bool base_saved;	/* the same */
	bool linked;		/* the return address is still in a register */
	uint32_t frame_offset;
	int32_t fp_offset, base_offset;
	int32_t ra_offset;	/* from frame; ALIGNED: of frame from fp */
};

/*
 * The same in a word, from its lowest bit on: kind, by_fp, fp_saved,
 * base_saved, linked, and the offsets in units of 8.
 */
#define UNWIND_RULE_KIND_BITS	3
#define UNWIND_RULE_BY_FP	((uint64_t)1 << 3)
#define UNWIND_RULE_FP_SAVED	((uint64_t)1 << 4)
#define UNWIND_RULE_BASE_SAVED	((uint64_t)1 << 5)
#define UNWIND_RULE_LINKED	((uint64_t)1 << 6)
#define UNWIND_RULE_FRAME_AT	7
#define UNWIND_RULE_FRAME_BITS	20	/* frames of 8 MiB */
#define UNWIND_RULE_FP_AT	27
#define UNWIND_RULE_BASE_AT	39
#define UNWIND_RULE_RA_AT	51
#define UNWIND_RULE_OFFSET_BITS	12	/* 16 KiB: registers are saved near */

static inline enum unwind_rule_kind
unwind_rule_kind(uint64_t word)
{
	return (enum unwind_rule_kind)(word & ((1u << UNWIND_RULE_KIND_BITS) -
	    1));
}

static inline uintptr_t
unwind_rule_frame(uint64_t word)
{
	return (word >> UNWIND_RULE_FRAME_AT & ((1u << UNWIND_RULE_FRAME_BITS) -
	    1)) * 8;
}

/* With its sign. */
static inline uintptr_t
unwind_rule_offset(uint64_t word, unsigned at)
{
	return (uintptr_t)((int64_t)(word << (64 - UNWIND_RULE_OFFSET_BITS -
	    at)) >> (64 - UNWIND_RULE_OFFSET_BITS)) * 8;
}

struct unwind_cache_entry {
	_Atomic uint64_t word, check;
};

/* 256 KiB, of which what is used is there */
#define UNWIND_CACHE_ENTRIES	16384u
#define UNWIND_CACHE_WAYS	2u	/* in one cache line */
#define UNWIND_CACHE_KEY_SHIFT	48	/* addresses have fewer bits */

/* The table for a while: rows of text that goes meanwhile are still found. */
struct unwind_cache {
	struct unwind_cache_entry *table;	/* NULL: there is none */
	uint64_t generation;	/* in its place of a key */
};

struct unwind_cache unwind_cache_current(void);

static inline struct unwind_cache_entry *
unwind_cache_bucket(const struct unwind_cache *r, uint64_t key)
{
	return &r->table[(key * 0x9e3779b97f4a7c15u >> 40) %
	    UNWIND_CACHE_ENTRIES & ~(uint64_t)(UNWIND_CACHE_WAYS - 1)];
}

/* The row of pc; 0, which is UNWIND_RULE_NONE: it is not there. */
static inline uint64_t
unwind_cache_find(const struct unwind_cache *r, uintptr_t pc)
{
	const uint64_t key = pc ^ r->generation;
	struct unwind_cache_entry *at;
	unsigned i;

	if (r->table == NULL)
		return 0;
	at = unwind_cache_bucket(r, key);
	for (i = 0; i < UNWIND_CACHE_WAYS; i++) {
		uint64_t word = atomic_load_explicit(&at[i].word,
		    memory_order_relaxed);

		if ((word ^ atomic_load_explicit(&at[i].check,
		    memory_order_relaxed)) == key && word != 0)
			return word;
	}
	return 0;
}

/* What a table says, in few bits: UNWIND_RULE_OTHER where it does not fit. */
struct unwind_rule unwind_cache_make_rule(const struct cfi_row *from);
uint64_t unwind_cache_pack_rule(const struct unwind_rule *row);
void unwind_cache_add(const struct unwind_cache *r, uintptr_t pc,
    uint64_t word);

#endif
