/* Context: S.  A thread's signal mask: the real one, the program's view. */
#ifndef SIGNAL_MASK_H
#define SIGNAL_MASK_H

#include "base/state.h"

/*
 * T, the tick's signal, and A, where it moves when the program uses T, are
 * never really blocked.  That the program blocks T is kept in the real mask as
 * SIGNAL_MASK_SHADOW, the last real-time signal: so setjmp, contexts, handlers
 * and new threads carry it along without our seeing them.  What only the
 * program's own use of SHADOW and A would tell is in TLS, and may go stale over
 * a longjmp.
 *
 * After a move T is native, A the tick's, and SHADOW native again.
 */
#define SIGNAL_MASK_SHADOW_SIGNAL	64
#define SIGNAL_MASK_SHADOW	SYS_SIGBIT(SIGNAL_MASK_SHADOW_SIGNAL)

struct signal_mask_program {
	bool shadow;		/* the program blocks SHADOW itself ... */
	bool shadow_only;	/* ... and not T */
	bool other;		/* the program blocks A, after a move T */
	bool settled;		/* this thread knows of the move */
};

/* Of the calling thread; one variable, as each would take 8 bytes. */
struct signal_mask_own {
	struct signal_mask_program asked;
	int child;		/* the vfork child whose real mask is the
				   program's */
};

extern __thread struct signal_mask_own signal_mask_own
    __attribute__((tls_model("initial-exec")));

static inline uint64_t
signal_mask_tick(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&virtual_signals.signal,
	    memory_order_relaxed));
}

/* The one of the pair that is not the tick's now. */
static inline uint64_t
signal_mask_other(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&virtual_signals.other,
	    memory_order_relaxed));
}

/* The mask that the program believes in. */
uint64_t signal_mask_virtual(uint64_t real);

/*
 * The mask that stands for `wanted`; what it holds of SHADOW and A is noted in
 * *asked.
 */
uint64_t signal_mask_real(uint64_t wanted, struct signal_mask_program *asked);

/*
 * The real mask of a thread that had not heard of the move: what was shadowed
 * is really blocked.  Notes it.
 */
uint64_t signal_mask_apply_move(uint64_t real);

#endif
