/*
 * Context: S.  Counts calls by arc (caller and called function), for programs
 * built with -pg or -finstrument-functions; doc/design/calls.md.  The stubs of
 * core/arch call arc_miss(), in any thread and any signal handler; the start
 * and the hooks of monitor(3C) and gmon call the rest.
 */
#ifndef ARC_H
#define ARC_H

#include "base/state.h"

/*
 * Counts a call from the code at `from` to the function at `self`, which the
 * stub did not find in the first two places of the thread's shard.  Only stubs
 * call it, also in a frozen process, and in a vfork child, where it counts a
 * loss.  Returns true if the stub has to look at arc_real again and go on to
 * the function found there; the call is not counted then.
 */
bool arc_miss(uintptr_t self, uintptr_t from);

/*
 * Number of calls before the library is relocated (from resolvers of other
 * objects' symbols), which the stubs count, or before link_map_init(), which
 * arc_miss() counts.
 */
extern uint64_t arc_early;

/*
 * Counts the calls in arc_early as lost.  The start of profiling calls it,
 * once.
 */
void arc_report_early(void);

/*
 * Sets arc_real to the functions behind our stubs.  The first call of a stub
 * calls it, and so does a caller for whom the answer may have changed, as where
 * profiling begins or goes to libc.  Takes no lock and makes no system call.
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
