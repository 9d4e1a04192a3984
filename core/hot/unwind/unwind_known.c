/*
 * Context: S.  Finds callers of code that is known by its bytes, for
 * unwind_step.c, in a walk; see unwind_known.h.
 *
 * The rules are not cached: other code may be written over generated code
 * without a notice, so that each walk compares the bytes.  A walk keeps the
 * mapping of trampolines, of which a stack of Python has one a function.
 */
#include "unwind/unwind_known.h"

#include "arch.h"
#include "known_code.h"
#include "unwind/unwind_guess.h"

/*
 * Returns how many bytes above sp the return address lies if the code is
 * CPython's trampoline; -1 if it is not.
 */
static int
trampoline_slot_at(struct stack_walk *w, const struct module_text *t)
{
	const unsigned first = w->exact ? 0 : KNOWN_CODE_TRAMPOLINE_CALLED;
	const unsigned last = w->exact ? KNOWN_CODE_TRAMPOLINE_BYTES - 1 :
	    first;

	for (unsigned i = first; i <= last; i++) {
		const uintptr_t start = w->now.pc - i;
		const int slot = known_code_trampoline_slot(i);

		if (slot >= 0 && unwind_guess_can_read(w, t, start,
		    KNOWN_CODE_TRAMPOLINE_BYTES) && known_code_is_trampoline(
		    (const unsigned char *)start))
			return slot;
	}
	return -1;
}

/* Steps out of the trampoline, which changes no register but sp. */
static int
step_from_trampoline(struct stack_walk *w, unsigned slot)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);

	c.sp = w->now.sp + slot + 8;
	if (!unwind_state_load(w, w->now.sp, slot, &c.pc))
		return unwind_state_load_error(w);
	return unwind_state_move(w, &c);
}

/* Returns whether the walk is at the return address of Go's call of C. */
static bool
is_go_switch(struct stack_walk *w, const struct module_text *t)
{
	return !w->exact && unwind_guess_can_read(w, t, w->now.pc,
	    KNOWN_CODE_GO_BYTES) && known_code_is_go_switch(
	    (const unsigned char *)w->now.pc);
}

/* Steps to the stack of the goroutine that called C. */
static int
step_to_goroutine(struct stack_walk *w)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);
	uintptr_t g, top, depth;

	if (!unwind_state_load(w, w->now.sp, KNOWN_CODE_GO_G, &g) ||
	    !unwind_state_load(w, w->now.sp, KNOWN_CODE_GO_DEPTH, &depth) ||
	    !unwind_state_load(w, g, KNOWN_CODE_GO_TOP, &top) ||
	    !unwind_state_load(w, top, 0 - depth, &c.pc))
		return unwind_state_load_error(w);
	c.sp = top - depth + 8;
	w->switched = true;
	return unwind_state_move(w, &c);
}

/*
 * Returns whether the walk is at the return address of Go's call of its own
 * runtime, and fills *go.
 */
static bool
is_go_system(struct stack_walk *w, const struct module_text *t,
    struct known_code_go_system *go)
{
	return !w->exact && unwind_guess_can_read(w, t, w->now.pc,
	    KNOWN_CODE_GO_SYSTEM_BYTES) && known_code_is_go_system(
	    (const unsigned char *)w->now.pc, go);
}

/*
 * Steps to the stack of the goroutine that called Go's runtime.  The struct g
 * in the thread's local storage need not be the one that is there when the call
 * returns, but all of a thread have the same struct m.
 */
static int
step_from_go_system(struct stack_walk *w,
    const struct known_code_go_system *go)
{
	struct unwind_state_caller c = unwind_state_init_caller(w);
	uintptr_t g, m, own, sp;

	/* Only the thread itself has its thread pointer. */
	if (!w->own || !config.pointer_direct)
		return FORMAT_CUT_REGISTER;
	if (!unwind_state_load(w, arch_thread_pointer(true),
	    (uintptr_t)(intptr_t)go->tls, &own) ||
	    !unwind_state_load(w, own, (uintptr_t)(intptr_t)go->g_to_m, &m) ||
	    !unwind_state_load(w, m, (uintptr_t)(intptr_t)go->m_to_g, &g) ||
	    !unwind_state_load(w, g, (uintptr_t)(intptr_t)go->sp, &sp) ||
	    (go->fp != 0 && !unwind_state_load(w, g,
	    (uintptr_t)(intptr_t)go->fp, &c.fp)) ||
	    !unwind_state_load(w, sp, 0, &c.pc))
		return unwind_state_load_error(w);
	c.sp = sp + 8;
	w->switched = true;
	return unwind_state_move(w, &c);
}

bool
unwind_known_caller(struct stack_walk *w, const struct module_text *t,
    int *result)
{
	/*
	 * To ask for a page of generated code costs as much as ten steps by
	 * frame pointers, so that deep stacks of other compilers would be cut.
	 */
	const int slot = t->object || !atomic_load(&mon->python) ? -1 :
	    trampoline_slot_at(w, t);
	struct known_code_go_system go;

	if (slot >= 0) {
		w->trampolines = t->start;
		w->trampolines_end = t->end;
		*result = step_from_trampoline(w, (unsigned)slot);
		return true;
	}
	if (!t->object)
		return false;
	if (is_go_switch(w, t))
		*result = step_to_goroutine(w);
	else if (is_go_system(w, t, &go))
		*result = step_from_go_system(w, &go);
	else
		return false;
	return true;
}

bool
unwind_known_trampoline(struct stack_walk *w, int *result)
{
	const struct module_text t = {
		.start = w->trampolines, .end = w->trampolines_end,
		.readable = true,
	};
	int slot;

	if (w->exact || w->now.pc < t.start || w->now.pc >= t.end)
		return false;
	slot = trampoline_slot_at(w, &t);
	if (slot < 0)
		return false;
	*result = step_from_trampoline(w, (unsigned)slot);
	return true;
}
