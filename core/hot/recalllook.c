/* Context: S.  A call against the last one; see recalllook.h. */
#include "recalllook.h"

#include <limits.h>

/* One step out that is known to lead where it did. */
static void
step_again(struct recall_frame *at, const struct recall_frame *was,
    struct recall_frame *caller)
{
	const uintptr_t fp = at->fp;

	*at = *was;
	at->fp = fp;
	*caller = was[-1];
	recall_carry(at, caller);
}

bool
recall_look(struct recall_look *k)
{
	struct recall *r = k->r;
	unsigned n = r->count, broken = UINT_MAX;
	bool same;

	k->kept = 0;
	for (k->fresh = 1; k->fresh < config.depth; k->fresh++) {
		struct recall_frame *at = &r->fresh[k->fresh - 1];

		while (n > 0 && r->frame[n - 1].sp < at->sp)
			n--;
		same = n > 0 && recall_is_same(at, &r->frame[n - 1]);
		if (same && n - 1 < broken) {
			broken = recall_broken_at(r, n - 1);
			if (broken == 0) {
				k->kept = n;
				k->fresh--;
				return n + k->fresh <= config.depth;
			}
		}
		if (same && n - 1 > broken)
			step_again(at, &r->frame[n - 1], at + 1);
		else if (!recall_step(at, rows_find(&k->rows, at->pc - 1),
		    &k->stack, at + 1))
			return row_kind(at->row) == ROW_OUTERMOST;
	}
	return false;
}

void
recall_take_on(struct recall_look *k)
{
	struct recall *r = k->r;
	uint64_t by = k->kept == 0 ? 0 : r->frame[k->kept - 1].needs;

	if (k->fresh == 0 && k->kept == r->count)
		return;
	r->heap = 0;
	r->count = k->kept;
	while (k->fresh > 0) {
		struct recall_frame *f = &r->fresh[--k->fresh];

		by = f->needs = recall_needs(f, by);
		recall_keep(r, f);
	}
}
