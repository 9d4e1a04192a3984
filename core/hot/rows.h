/* Context: S.  How to find the caller at a place of the code, remembered. */
#ifndef ROWS_H
#define ROWS_H

#include "cfi.h"
#include "state.h"

enum row_kind {
	ROW_NONE = 0,		/* nothing is remembered */
	ROW_PLAIN,
	ROW_ALIGNED,		/* frame is what lies at fp + offset: gcc's
				   functions that align their stack */
	ROW_SIGNAL,		/* a signal's handler returns here */
	ROW_OUTERMOST,		/* there is no caller */
	ROW_OTHER,		/* only the tables themselves tell */
};

/* Offsets in bytes, multiples of 8. */
struct row {
	enum row_kind kind;
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
#define ROW_KIND_BITS	3
#define ROW_BY_FP	((uint64_t)1 << 3)
#define ROW_FP_SAVED	((uint64_t)1 << 4)
#define ROW_BASE_SAVED	((uint64_t)1 << 5)
#define ROW_LINKED	((uint64_t)1 << 6)
#define ROW_FRAME_AT	7
#define ROW_FRAME_BITS	20	/* frames of 8 MiB */
#define ROW_FP_AT	27
#define ROW_BASE_AT	39
#define ROW_RA_AT	51
#define ROW_OFFSET_BITS	12	/* 16 KiB: registers are saved near */

static inline enum row_kind
row_kind(uint64_t word)
{
	return (enum row_kind)(word & ((1u << ROW_KIND_BITS) - 1));
}

static inline uintptr_t
row_frame(uint64_t word)
{
	return (word >> ROW_FRAME_AT & ((1u << ROW_FRAME_BITS) - 1)) * 8;
}

/* With its sign. */
static inline uintptr_t
row_offset(uint64_t word, unsigned at)
{
	return (uintptr_t)((int64_t)(word << (64 - ROW_OFFSET_BITS - at)) >>
	    (64 - ROW_OFFSET_BITS)) * 8;
}

struct rows_entry {
	_Atomic uint64_t word, check;
};

#define ROWS_ENTRIES	16384u	/* 256 KiB, of which what is used is there */
#define ROWS_WAYS	2u	/* in one cache line */
#define ROWS_KEY_SHIFT	48	/* addresses have fewer bits */

/* The table for a while: rows of text that goes meanwhile are still found. */
struct rows {
	struct rows_entry *table;	/* NULL: there is none */
	uint64_t generation;	/* in its place of a key */
};

struct rows rows_now(void);

static inline struct rows_entry *
rows_place(const struct rows *r, uint64_t key)
{
	return &r->table[(key * 0x9e3779b97f4a7c15u >> 40) % ROWS_ENTRIES &
	    ~(uint64_t)(ROWS_WAYS - 1)];
}

/* The row of pc; 0, which is ROW_NONE: it is not there. */
static inline uint64_t
rows_find(const struct rows *r, uintptr_t pc)
{
	const uint64_t key = pc ^ r->generation;
	struct rows_entry *at;
	unsigned i;

	if (r->table == NULL)
		return 0;
	at = rows_place(r, key);
	for (i = 0; i < ROWS_WAYS; i++) {
		uint64_t word = atomic_load_explicit(&at[i].word,
		    memory_order_relaxed);

		if ((word ^ atomic_load_explicit(&at[i].check,
		    memory_order_relaxed)) == key && word != 0)
			return word;
	}
	return 0;
}

/* What a table says, in few bits: ROW_OTHER where it does not fit. */
struct row rows_make(const struct cfi_row *from);
uint64_t rows_pack(const struct row *row);
void rows_enter(const struct rows *r, uintptr_t pc, uint64_t word);

#endif
