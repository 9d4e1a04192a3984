/*
 * Context: S.  Compares frames, and replaces those that differ; see
 * path_cache_match.h.
 */
#include "heap_paths/path_cache_match.h"

#include <limits.h>

/* Steps out of a frame that is known to lead where it did. */
static void
repeat_known_step(struct path_cache_frame *at,
    const struct path_cache_frame *was, struct path_cache_frame *caller)
{
	const uintptr_t fp = at->fp;

	*at = *was;
	at->fp = fp;
	*caller = was[-1];
	path_cache_frame_set_fp(at, caller);
}

bool
path_cache_match_frames(struct path_cache_match *k)
{
	struct path_cache *r = k->r;
	unsigned n = r->count, broken = UINT_MAX;
	bool same;

	k->kept = 0;
	for (k->fresh = 1; k->fresh < config.depth; k->fresh++) {
		struct path_cache_frame *at = &r->fresh[k->fresh - 1];

		while (n > 0 && r->frame[n - 1].sp < at->sp)
			n--;
		same = n > 0 && path_cache_frame_equal(at, &r->frame[n - 1]);
		if (same && n - 1 < broken) {
			broken = path_cache_frame_changed(r, n - 1);
			if (broken == 0) {
				k->kept = n;
				k->fresh--;
				return n + k->fresh <= config.depth;
			}
		}
		if (same && n - 1 > broken)
			repeat_known_step(at, &r->frame[n - 1], at + 1);
		else if (!path_cache_frame_step(at, unwind_cache_find(&k->rows,
		    at->pc - 1), &k->stack, at + 1))
			return unwind_rule_kind(at->row) ==
			    UNWIND_RULE_OUTERMOST;
	}
	return false;
}

void
path_cache_match_commit(struct path_cache_match *k)
{
	struct path_cache *r = k->r;
	uint64_t by = k->kept == 0 ? 0 : r->frame[k->kept - 1].needs;

	if (k->fresh == 0 && k->kept == r->count)
		return;
	r->heap = 0;
	r->count = k->kept;
	while (k->fresh > 0) {
		struct path_cache_frame *f = &r->fresh[--k->fresh];

		by = f->needs = path_cache_frame_needs(f, by);
		path_cache_frame_append(r, f);
	}
}
