/* Context: S.  Calls counted by arc; doc/internals.md, section 14. */
#ifndef ARC_H
#define ARC_H

#include "base/state.h"

/*
 * From stubs: counts a call that the first two entries do not know.  True: look
 * again for the function behind the stub, there is one now.
 */
bool arc_miss(uintptr_t self, uintptr_t from);

/*
 * Calls before we are relocated (by resolvers of other objects' symbols) or
 * before the constructor: stubs count them here, which needs neither.
 */
extern uint64_t arc_early;

/* In the constructor: what was counted there is lost, by number. */
void arc_report_early(void);

/*
 * Look for what stands behind the stubs.  At the first call, and again when
 * that may have changed.
 */
void arc_resolve_real(void);

/*
 * Stubs go on to what stands behind them, not NULL, and count nothing: libc's
 * own where nothing is profiled, or another tracer's.
 */
struct arc_real {
	void *mcount, *fentry, *enter, *leave;
};
extern struct arc_real arc_real;

#endif
