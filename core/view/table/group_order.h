/* Context: O.  Compares and sorts the lines of a table, for group_make(). */
#ifndef GROUP_ORDER_H
#define GROUP_ORDER_H

#include "table/group.h"

/*
 * Compares two struct group_line by all keys that a table can be grouped by,
 * for qsort(3).
 */
int group_order_compare_keys(const void *left, const void *right);

/*
 * Sorts lines as a user has asked, equal ones by time and name; time asleep
 * follows CPU time.  `sort` by inclusive or interval time needs these in the
 * lines.
 */
void group_order_sort(struct group_line *lines, size_t count, struct model *m,
    enum group_sort sort);

#endif
