/*
 * Context: S.  Converts between a thread's real signal mask and the mask that
 * the program believes in.  Used by signal_chain.c, by the virtual signal state
 * (core/runtime/signal), and where a new thread takes over its maker's mask.
 * Works on the calling thread's TLS and virtual_signals, and makes no system
 * call.
 */
#ifndef SIGNAL_MASK_H
#define SIGNAL_MASK_H

#include "base/state.h"

/*
 * The tick's signal, and the other signal, to which the tick moves when the
 * program uses that one, are not really blocked where the program blocks them.
 * They are really blocked only in handlers of the program in which no tick may
 * come, or to keep a signal of another sender pending.  If the program blocks
 * the tick's signal, the real mask holds SIGNAL_MASK_SHADOW instead, the last
 * real-time signal: so setjmp, contexts, handlers and new threads carry that
 * along without our seeing them.  The program's own use of the shadow's signal
 * and of the other signal is noted in TLS only, and may be out of date after a
 * longjmp.
 *
 * After a move, the two have changed places: the tick's former signal and the
 * shadow's are the program's, and stand in the real mask as it wants.  Where
 * the program blocks the tick's present signal, that is noted in `other` only.
 */
#define SIGNAL_MASK_SHADOW_SIGNAL	64
#define SIGNAL_MASK_SHADOW	SYS_SIGBIT(SIGNAL_MASK_SHADOW_SIGNAL)

/* The program's wishes that the real mask cannot show. */
struct signal_mask_program {
	bool shadow;		/* the program blocks signal 64 itself */
	/* the program blocks signal 64, and not the tick's */
	bool shadow_only;
	/* the program blocks the other signal; after a move, the tick's */
	bool other;
	bool settled;		/* this thread knows of the move */
};

/*
 * The state of the calling thread.  It is one variable, because each variable
 * would take 8 bytes.
 */
struct signal_mask_own {
	struct signal_mask_program program;
	/* id of the vfork child in which the real mask is the program's */
	int child;
};

extern __thread struct signal_mask_own signal_mask_own
    __attribute__((tls_model("initial-exec")));

/* Returns the bit of the tick's present signal. */
static inline uint64_t
signal_mask_tick(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&virtual_signals.signal,
	    memory_order_relaxed));
}

/*
 * Returns the bit of the other signal: the one that the tick moves to or has
 * moved from.
 */
static inline uint64_t
signal_mask_other(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&virtual_signals.other,
	    memory_order_relaxed));
}

/*
 * Returns the mask that the program believes in, if `real` is the real mask of
 * the calling thread.
 */
uint64_t signal_mask_virtual(uint64_t real);

/*
 * Returns the real mask to set when the program wants `wanted`.  Sets all of
 * *asked: what that says of signal 64 and the other signal, and whether the
 * ticks have moved.  Changes no other state; the caller sets the mask and
 * stores *asked in signal_mask_own.
 */
uint64_t signal_mask_real(uint64_t wanted, struct signal_mask_program *asked);

/*
 * Returns the real mask to set in the calling thread, which has not heard of
 * the move yet and whose real mask is `real`: the signal that it shadowed is
 * now really blocked.  Notes in TLS that the thread has heard of it.
 */
uint64_t signal_mask_apply_move(uint64_t real);

#endif
