/* Context: S.  A call against the last one, frame by frame. */
#ifndef PATH_CACHE_MATCH_H
#define PATH_CACHE_MATCH_H

#include "heap_paths/path_cache_frame.h"
#include "unwind/unwind_cache.h"

struct path_cache_match {
	struct path_cache *r;
	struct unwind_cache rows;
	struct path_cache_stack stack;
	unsigned kept;		/* outer frames that hold still */
	unsigned fresh;		/* inner ones that do not */
};

/*
 * Outward from the innermost frame, fresh[0], until one is met from which all
 * is as it was, or the outermost.  False: it takes a search, or is deeper than
 * depth=.
 */
bool path_cache_match_frames(struct path_cache_match *k);

/* The call that was looked at is the last now, of no path yet. */
void path_cache_match_commit(struct path_cache_match *k);

#endif
