/*
 * Context: S.  Alternate signal stacks: ours is set with the kernel, and the
 * program's is kept behind it; doc/design/threads.md.
 *
 * Each thread of libc's that we clock has a stack of ours set with the kernel,
 * whatever the program sets with sigaltstack().  A stack that the program has
 * set so is one of the *program stacks* behind ours.  The size of our stack
 * that the kernel knows says which of them holds: so the kernel keeps that,
 * saves it in signal frames and restores it.  Used behind the hooks of
 * sigaltstack and sigaction (core/runtime/signal), by signal_chain.c, and by
 * the hook of fatal signals.
 */
#ifndef SIGNAL_STACK_H
#define SIGNAL_STACK_H

#include "base/state.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM	(1u << 31)	/* linux/signal.h */
#endif

/*
 * The size of a stack of ours, in bytes.  In threads where the program has set
 * no alternate stack, its handlers run on ours, too, so it is as large as the
 * whole stacks of some threads.  Only touched pages take memory.
 */
#define SIGNAL_STACK_BYTES	(256u << 10)

/*
 * Returns an alternate stack for a thread, which is never freed, or NULL if
 * there is no memory where mmap_area.h places mappings.  main: the thread is
 * the main one, whose stack is in .bss.  The thread itself calls it, or the
 * thread that is about to freeze the process; not in a frozen process.
 */
void *signal_stack_make(bool main);

/* Returns whether `now`, an answer of the kernel, is a stack of ours. */
bool signal_stack_is_ours(const stack_t *now);

/*
 * Returns whether the stack pointer sp is on our stack at `base`, its upper end
 * included, as the kernel decides it.
 */
bool signal_stack_contains(const void *base, uintptr_t sp);

/*
 * Returns the end of a stack of 2 KiB behind ours, for a call of the thread
 * whose alternate stack is at `base`.  The kernel does not regard a thread
 * there as on its alternate stack, so the caller must block all signals first.
 */
void *signal_stack_spare(void *base);

/*
 * Writes to *shown the stack that the program has to see when the kernel
 * answers `now` and the stack pointer is sp.  If a handler runs on our stack
 * because the program set no other, that is the program's stack for the
 * program.
 */
void signal_stack_show(const stack_t *now, uintptr_t sp, stack_t *shown);

/*
 * Returns the stack to set with the kernel when the program sets `set`.  base:
 * our stack, in which the program's is noted; now: the kernel's answer before;
 * in_place: a handler that runs on our stack sets it.
 */
stack_t signal_stack_translate(void *base, const stack_t *set,
    const stack_t *now, bool in_place);

/*
 * signal_stack_wrap() replaces the program's handler by ours in an action with
 * SA_ONSTACK that is about to be set for sig, and keeps the program's in a
 * table of the process.  It leaves an action alone that has no handler, or one
 * of ours.  signal_stack_unwrap() restores the program's handler in an action
 * that the kernel has answered, if it was wrapped.  Neither makes a system
 * call; they take no lock, so two calls of sigaction() for one signal at once
 * may mix up their handlers.
 */
void signal_stack_wrap(int sig, struct sys_sigaction *act);
void signal_stack_unwrap(int sig, struct sys_sigaction *act);

/*
 * Lets this handler run on our stack, without our handler before it.  The hook
 * of fatal signals calls it once, for a handler of ours in a program that dies
 * because its own stack is full.
 */
void signal_stack_exempt(void *handler);

/*
 * Continues in handler(sig, si, context) on the stack where the program expects
 * it: the alternate stack that it has set, or else the interrupted stack, as if
 * the kernel had entered the handler there.  The caller is a signal handler of
 * ours; e: how it was entered.  Returns if that was not by the kernel on our
 * stack, if it interrupted another handler on our stack, or if the interrupted
 * stack is not known to be the thread's own.  If the program's stack cannot
 * hold the signal's frame, the thread gets a fault, as without us.
 */
struct frame_signal_entry;
void signal_stack_enter(const struct frame_signal_entry *e, int sig,
    void *handler);

#endif
