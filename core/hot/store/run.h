/* Context: S.  The run that a process belongs to. */
#ifndef RUN_H
#define RUN_H

#include "base/state.h"

#define RUN_FIRST_FILE	"mon.out"	/* of its first process */

/*
 * Fills in `lineage`, once for a process and its fork children.  scratch: some
 * room for lines of /proc/PID/maps.
 */
void run_find(char *scratch, size_t room);

bool run_is_first(void);

/*
 * Is it to have the bare name?  A fork child is not, though its ancestors are
 * gone and the run, as far as it is known, begins with it.
 */
bool run_owns_plain_name(void);

#endif
