/*
 * Context: S.  Counts calls by arc (caller and called function), for programs
 * built with -pg or -finstrument-functions; doc/design/calls.md.
 */
#ifndef ARC_H
#define ARC_H

#include "base/state.h"

/*
 * Counts a call from the code at `from` to the function at `self`, which the
 * stub did not find in the first two places of the thread's shard.  Only stubs
 * call it.  Returns true if the stub has to look at arc_real again and go on to
 * the function found there; the call is not counted then.
 */
bool arc_miss(uintptr_t self, uintptr_t from);

/*
 * Number of calls before the library is relocated (from resolvers of other
 * objects' symbols) or before its constructor has run.  The stubs count there,
 * because that needs neither.
 */
extern uint64_t arc_early;

/* Counts the calls in arc_early as lost.  The constructor calls it. */
void arc_report_early(void);

/*
 * Finds the functions in arc_real.  It is called at the first call of a stub,
 * and again when the answer may have changed.
 */
void arc_resolve_real(void);

/*
 * The functions behind our stubs, which another object defines: libc's where
 * nothing is profiled, or another tracer's.  A stub whose function is not NULL
 * jumps to it and counts nothing.
 */
struct arc_real {
	void *mcount, *fentry, *enter, *leave;
};

/* The functions that the stubs use. */
extern struct arc_real arc_real;

#endif
