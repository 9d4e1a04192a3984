/*
 * Context: S.  Loads words from a stack that may not be mapped.  Used by walks
 * (stack_walk.c, unwind_*.c, dwarf_expr.c), in any thread and any signal
 * handler, also in a frozen process.  got_patch.c at the start and altstack.c
 * behind the hook of sigaltstack, too, ask whether a page is there.
 */
#ifndef STACK_READ_H
#define STACK_READ_H

#include "base/state.h"

/*
 * Bytes below the top of the first thread's stack, which grows, that hold
 * nothing but this stack and mappings that a program has placed there by their
 * address.  The kernel keeps them clear (mmap_base() of Linux: at least 128
 * MiB).
 */
#define STACK_READ_GROWTH	((uintptr_t)120 << 20)

/*
 * The memory that one walk may load from.  The walk alone uses it, with the
 * pages that it has found readable.
 */
struct stack_read {
	/*
	 * bounds of the thread's own stack, which exists as long as the thread
	 */
	uintptr_t low, high;
	/* pages from `tried` to `end` were found readable */
	uintptr_t tried, end;
	/* a page of code that was found readable, or 0 */
	uintptr_t code;
	/* copy of the stack from `low` on; NULL: the stack itself is read */
	const uint64_t *copy;
	bool frozen;		/* behind seccomp: no page may be probed */
	/* how often the kernel was asked; a no counts more, as it costs more */
	unsigned asks;
};

/*
 * Prepares *m for a walk of the slot's thread, whose stack pointer is sp.  May
 * lower s->stack.low of the first thread, whose stack grows.
 */
void stack_read_begin(struct stack_read *m, struct thread_slot *s,
    uintptr_t sp);

/*
 * Restricts all later loads to a copy of `words` words that lay at sp when the
 * copy was made.
 */
void stack_read_use_copy(struct stack_read *m, uintptr_t sp,
    const uint64_t *copy, unsigned words);

/*
 * Returns whether the word at `at`, a multiple of 8, can be read.  Asks the
 * kernel if the page was not tried yet; behind a seccomp filter, and in a walk
 * of a copy, it cannot ask, and returns false.
 */
bool stack_read_probe(struct stack_read *m, uintptr_t at);

/*
 * Returns whether the byte at `at` can be read.  Asks the kernel; returns false
 * if an emulator does not answer as the kernel does.  Not in a frozen process.
 */
bool stack_read_is_mapped(uintptr_t at);

/*
 * Returns whether n bytes of code at `at`, at most a page, can be read.  Counts
 * the questions to the kernel among those of the walk.  Returns false in a
 * frozen process.
 */
bool stack_read_probe_code(struct stack_read *m, uintptr_t at, size_t n);

/*
 * Returns whether a byte of an unwind table can be read; true if the kernel
 * cannot be asked.
 */
bool stack_read_probe_table(struct stack_read *m, uintptr_t at);

/*
 * Loads the word at `at`.  Returns false if `at` is not a multiple of 8 or the
 * word cannot be read.
 */
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
