/*
 * Context: S.  Unwind tables, .eh_frame_hdr and .eh_frame, where they are
 * mapped: how the caller of a function is found at one place of its code.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one object. */
struct cfi_tables {
	uintptr_t index;	/* .eh_frame_hdr; 0: it has none */
	uintptr_t low, high;	/* bounds of the segment around it */
	uintptr_t entries;	/* address of .eh_frame */
	uintptr_t from, to;	/* bounds of the segment around the entries */
	bool sorted;		/* the index can be searched */
};

/* The bytes at the start of an index that say where the entries are. */
#define CFI_INDEX_HEAD_BYTES	16

/* The most bytes of entries that a search without an index reads. */
#define CFI_UNSORTED_BYTES	(256u << 10)

/*
 * Fills t->entries and t->sorted from a copy of the index's first bytes, which
 * lies at t->index.  Returns false if it does not understand them.
 */
bool cfi_read_index(struct cfi_tables *t,
    const unsigned char head[CFI_INDEX_HEAD_BYTES]);

enum cfi_rule_kind {
	CFI_SAME_VALUE = 0,		/* the register is not touched */
	CFI_UNDEFINED,		/* of the return address: there is no caller */
	/* stored at the frame's address + offset */
	CFI_OFFSET,
	CFI_VAL_OFFSET,			/* is the frame's address + offset */
	CFI_REGISTER,		/* is that register + offset */
	CFI_EXPRESSION,	/* stored where that says */
	CFI_VAL_EXPRESSION,	/* is what that says */
};

/* Small: a state of the machine is many of them, on a small stack. */
struct cfi_rule {
	uint8_t how;		/* enum cfi_rule_kind */
	uint8_t reg;
	uint16_t bytes;		/* of the expression */
	union {
		int64_t offset;
		const unsigned char *expression;
	};
};

/*
 * The frame's address (CFA); the caller's frame pointer, pc, and the one more
 * register that frames are addressed by.
 */
struct cfi_row {
	struct cfi_rule frame, fp, base, ra;
	bool signal;		/* the caller was interrupted: no call */
};

/*
 * Finds the row for pc.  Returns 0; -ENOENT if no entry holds pc; -EINVAL if
 * the entry is not understood; -E2BIG if there is no index and the entries take
 * more than CFI_UNSORTED_BYTES bytes.
 */
int cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_row *row);

/* Little-endian numbers of 7 bits a byte, as far as `end`. */
uint64_t cfi_uleb(const unsigned char **p, const unsigned char *end);
int64_t cfi_sleb(const unsigned char **p, const unsigned char *end);

#endif
