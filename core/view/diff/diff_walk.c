/*
 * Context: O.  Chooses the lines of a table of differences, for diff_print()
 * and diff_markdown(); see diff.h.
 */
#include "diff/diff.h"

#include <math.h>

/*
 * Returns whether *o leaves out a line behind `shown` lines; --min does not
 * apply to time asleep.
 */
static bool
is_hidden(const struct diff *d, const struct diff_line *l,
    const struct diff_options *o, size_t shown)
{
	const double most = fmax(d->total.before, d->total.now);
	const double larger = fmax(l->amount.before, l->amount.now);

	return (o->top != 0 && shown >= o->top) ||
	    (!l->sleep && larger * 100 < o->least * most);
}

const struct diff_line *
diff_walk_next(const struct diff *d, const struct diff_options *o,
    struct diff_walk *w)
{
	while (w->next < d->count) {
		const struct diff_line *l = &d->lines[w->next++];

		if (d->exact && l->amount.before == l->amount.now) {
			w->same++;
		} else if (is_hidden(d, l, o, w->shown)) {
			w->hidden++;
		} else {
			w->shown++;
			w->verdicts |= 1u << l->verdict;
			return l;
		}
	}
	return NULL;
}
