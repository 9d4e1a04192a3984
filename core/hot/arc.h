/* Context: S.  Calls counted by arc; doc/internals.md, section 14. */
#ifndef ARC_H
#define ARC_H

#include "state.h"

/*
 * From stubs: counts a call that the first two entries do not know.  True: look
 * again for the function behind the stub, there is one now.
 */
bool arc_miss(uintptr_t self, uintptr_t from);

/* T code that fills these at the first call of a stub in this process. */
extern void (*arc_begin)(void);

/*
 * Stubs go on to what stands behind them, not NULL, and count nothing: libc's
 * own where nothing is profiled, or another tracer's.
 */
struct arc_real {
	void *mcount, *fentry, *enter, *leave;
};
extern struct arc_real arc_real;

#endif
