/*
 * Context: S.  Compares the call under way with the last one, frame by frame.
 */
#ifndef PATH_CACHE_MATCH_H
#define PATH_CACHE_MATCH_H

#include "heap_paths/path_cache_frame.h"
#include "unwind/unwind_cache.h"

/* A comparison.  The caller fills r, rows, stack and r->fresh[0]. */
struct path_cache_match {
	struct path_cache *r;
	struct unwind_cache rows;
	struct path_cache_stack stack;
	unsigned kept;		/* result: outer frames that are the same */
	unsigned fresh;		/* result: inner frames that are not */
};

/*
 * Steps outward from the innermost frame, r->fresh[0], until it meets a frame
 * from which on all is as it was at the last call, or the outermost one.
 * Returns false if the call takes a search, or is deeper than depth=.
 */
bool path_cache_match_frames(struct path_cache_match *k);

/*
 * Makes the frames of the call that was compared those of the last call.  No
 * path is known for them yet.
 */
void path_cache_match_commit(struct path_cache_match *k);

#endif
