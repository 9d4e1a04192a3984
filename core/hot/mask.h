/* Context: S.  A thread's signal mask: the real one, the program's view. */
#ifndef MASK_H
#define MASK_H

#include "state.h"

/*
 * T, the tick's signal, and A, where it moves when the program uses T, are
 * never really blocked.  That the program blocks T is kept in the real mask as
 * MASK_SHADOW, the last real-time signal: so setjmp, contexts, handlers and new
 * threads carry it along without our seeing them.  What only the program's own
 * use of SHADOW and A would tell is in TLS, and may go stale over a longjmp.
 *
 * After a move T is native, A the tick's, and SHADOW native again.
 */
#define MASK_SHADOW_SIGNAL	64
#define MASK_SHADOW	SYS_SIGBIT(MASK_SHADOW_SIGNAL)

struct mask_asked {
	bool shadow;		/* the program blocks SHADOW itself ... */
	bool shadow_only;	/* ... and not T */
	bool other;		/* the program blocks A, after a move T */
	bool settled;		/* this thread knows of the move */
};

/* Of the calling thread; one variable, as each would take 8 bytes. */
struct mask_own {
	struct mask_asked asked;
	int child;		/* the vfork child whose real mask is the
				   program's */
};

extern __thread struct mask_own mask_own
    __attribute__((tls_model("initial-exec")));

static inline uint64_t
mask_tick(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&view.signal,
	    memory_order_relaxed));
}

/* The one of the pair that is not the tick's now. */
static inline uint64_t
mask_other(void)
{
	return SYS_SIGBIT(atomic_load_explicit(&view.other,
	    memory_order_relaxed));
}

/* The mask that the program believes in. */
uint64_t mask_seen(uint64_t real);

/*
 * The mask that stands for `wanted`; what it holds of SHADOW and A is noted in
 * *asked.
 */
uint64_t mask_real(uint64_t wanted, struct mask_asked *asked);

/*
 * The real mask of a thread that had not heard of the move: what was shadowed
 * is really blocked.  Notes it.
 */
uint64_t mask_settle(uint64_t real);

#endif
