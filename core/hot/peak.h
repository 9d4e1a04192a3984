/*
 * Context: S.  The moment when most of the heap was live, and what was live then
 * of each path; doc/internals.md, section 22.
 */
#ifndef PEAK_H
#define PEAK_H

#include "lane.h"

/*
 * Bytes of a path are given out.  Before it is counted there.  So, by the way,
 * with a new peak what the path has then is in it.
 */
void peak_more(struct lane *l, struct format_heap *h, uint64_t bytes);

/* ... or freed by the lane's thread, whose lane's path it was before that. */
void peak_less(struct lane *l, struct format_heap *h, uint64_t bytes);

/* The lane's thread was at it, and has left it for good. */
void peak_left(struct lane *l);

#endif
