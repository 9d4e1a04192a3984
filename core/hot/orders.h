/*
 * Context: S.  What the processes of a profile directory are told to begin as.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include "state.h"

/*
 * What stands in the directory of the new file.  False: nothing, or nothing
 * that is of this user or of root.  While the store is being made.
 */
bool orders_read(struct format_orders *o);

#endif
