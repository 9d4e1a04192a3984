/* Context: S.  Loads from a stack that may not be there. */
#ifndef STACK_READ_H
#define STACK_READ_H

#include "base/state.h"

/*
 * The kernel keeps as much clear below the first thread's stack, which grows,
 * of anything but what is put there by its address (mmap_base() of Linux: 128
 * MiB at the least).
 */
#define STACK_READ_GROWTH	((uintptr_t)120 << 20)

/* What one walk may load from.  Pages that it tries are its own knowledge. */
struct stack_read {
	uintptr_t low, high;	/* of the thread's stack: there while it is */
	uintptr_t tried, end;	/* pages that answered */
	uintptr_t code;		/* one of code that did, 0 none */
	const uint64_t *copy;	/* of the stack from `low` on; NULL: itself */
	bool frozen;		/* no page may be tried */
	unsigned asks;		/* how often the kernel was asked */
};

void stack_read_begin(struct stack_read *m, struct thread_slot *s,
    uintptr_t sp);

/* So many words that lay at sp once are all that it may load from now on. */
void stack_read_use_copy(struct stack_read *m, uintptr_t sp,
    const uint64_t *copy, unsigned words);

/* Is the word at `at`, a multiple of 8, there to be read? */
bool stack_read_probe(struct stack_read *m, uintptr_t at);

/* Can this byte be read?  The kernel is asked, or it is said to be not. */
bool stack_read_is_mapped(uintptr_t at);

/* The same of `n` bytes of code, a page at the most, on behalf of a walk. */
bool stack_read_probe_code(struct stack_read *m, uintptr_t at, size_t n);

/* And of an unwind table, where somebody can be asked. */
bool stack_read_probe_table(struct stack_read *m, uintptr_t at);

static inline bool
stack_read_load(struct stack_read *m, uintptr_t at, uintptr_t *value)
{
	if ((at & 7) != 0 ||
	    (!(at >= m->low && at < m->high) && !stack_read_probe(m, at)))
		return false;
	*value = m->copy == NULL ? *(const uintptr_t *)at :
	    m->copy[(at - m->low) / 8];
	return true;
}

#endif
