/*
 * Context: S.  The watched modules, which a tool wants shown by name, each with
 * its functions; time in all others is counted by thread alone.  live_control.c
 * sets the list; module_table.c marks ranges by it; record.c and modules.c ask
 * whether there is one, in any thread.  Makes no system call.
 */
#ifndef MODULE_FILTER_H
#define MODULE_FILTER_H

#include "base/state.h"

/*
 * Replaces the list.  list: patterns separated by commas, at most FORMAT_WATCH
 * bytes with the NUL at the end; "" selects all modules.  One caller at a time:
 * the thread that takes an order or makes the store.  A tick that is under way
 * may still use the former list; the next one uses the new list.
 */
void module_filter_set(const char *list);

/*
 * Returns the list that was set last, "" at first; in a fork child, the
 * parent's until the child sets its own.
 */
const char *module_filter_list(void);

/* Returns whether a list is set; if not, all modules are shown. */
static inline bool
module_filter_is_on(void)
{
	return module_filter_list()[0] != '\0';
}

/*
 * Returns whether the list selects the module with this path.  n: bytes of the
 * path, which need not end with a NUL.
 */
bool module_filter_matches(const char *path, size_t n);

#endif
