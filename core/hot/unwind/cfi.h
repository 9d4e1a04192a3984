/*
 * Context: S.  Reads unwind tables (.eh_frame_hdr and .eh_frame) where they are
 * mapped: how to find the caller of a function from one address of its code.
 * unwind_step.c calls it, in a walk, in any thread and any signal handler; the
 * module tables keep struct cfi_tables.  Makes no system call and uses no TLS.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unwind tables of one object. */
struct cfi_tables {
	uintptr_t index;	/* address of .eh_frame_hdr; 0: it has none */
	uintptr_t low, high;	/* bounds of the segment that holds the index */
	uintptr_t entries;	/* address of .eh_frame */
	/* bounds of the segment that holds the entries */
	uintptr_t from, to;
	bool sorted;		/* the index can be searched */
};

/* Bytes at the start of an index that say where the entries are. */
#define CFI_INDEX_HEAD_BYTES	16

/* The most bytes of entries that a search without an index reads. */
#define CFI_UNSORTED_BYTES	(256u << 10)

/* How the caller's value of a register is found. */
enum cfi_rule_kind {
	/* the function has not changed the register */
	CFI_SAME_VALUE = 0,
	/* no value; for the return address: no caller */
	CFI_UNDEFINED,
	/* stored at the frame's address + offset */
	CFI_OFFSET,
	/* the value is the frame's address + offset */
	CFI_VAL_OFFSET,
	/* the value is that of register `reg` + offset */
	CFI_REGISTER,
	CFI_EXPRESSION,	/* stored at the address that the expression gives */
	CFI_VAL_EXPRESSION,	/* the value is that of the expression */
};

/*
 * The rule for one register.  It is small, because several rows of rules lie on
 * a small stack while a table's instructions are executed.
 */
struct cfi_rule {
	uint8_t how;		/* enum cfi_rule_kind */
	uint8_t reg;
	uint16_t bytes;		/* length of the expression */
	union {
		int64_t offset;
		const unsigned char *expression;
	};
};

/*
 * The rules for one address of the code: the frame's address (CFA), the
 * caller's frame pointer, the base register (FRAME_BASE_REGISTER, the one more
 * register that frames are addressed by), and the return address.
 */
struct cfi_row {
	struct cfi_rule frame, fp, base, ra;
	bool signal;		/* the caller was interrupted by a signal */
};

/*
 * Finds the row for pc.  The tables are mapped, or a walk that a memory fault
 * can end is under way (stack_walk_guard()).  Returns 0; or, with *row
 * undefined, -ENOENT if no entry holds pc; -EINVAL if the entry is not
 * understood; -E2BIG if the index cannot be searched, and pc is in none of the
 * entries in the first CFI_UNSORTED_BYTES bytes, but more follow.
 */
int cfi_find(const struct cfi_tables *t, uintptr_t pc, struct cfi_row *row);

#endif
