/* Context: S.  The call path of an allocation, searched for; see recall.h. */
#include "path.h"
#include "recall.h"
#include "recalllook.h"
#include "recallname.h"
#include "recallpath.h"
#include "step.h"
#include "tree.h"

static void
from_call(struct walk_from *to, const struct heap_from *from)
{
	to->pc = from->pc;
	to->sp = from->sp;
	to->called = to->registers = true;
	to->fp = from->fp;
	to->base = from->base;
	to->link = 0;
	to->all = NULL;
	to->stack = NULL;
	to->words = 0;
	to->asleep = false;
}

/*
 * Its node, as a tick is walked: nothing of it is recalled.  r: where nodes are
 * remembered; NULL: nowhere.
 */
static uint32_t
walk_plainly(struct lane *l, struct recall *r, const struct heap_from *from)
{
	uint64_t *walked = l->recall.walked;
	struct slot *s = slot_self;
	struct walk_from begin;
	uint32_t node = l->root;
	unsigned n = 1;

	from_call(&begin, from);
	walked[0] = from->pc;
	if (s != NULL && config.stack != FORMAT_STACK_OFF)
		n += path_callers(s, &begin, walked + 1, config.depth - 1);
	else if (s == NULL)
		walked[n++] = WALK_CUT | FORMAT_CUT_MEMORY;
	while (n > 0 && node != 0)
		node = recall_find(r, node, walked[--n]);
	return node;
}

/*
 * By its place, not by a word of the stack that is 0: nobody compares that, and
 * it may be another when the frame is there again.
 */
static bool
is_outermost(const struct walk *w, int told, const struct recall_frame *f)
{
	return (told == OUTERMOST && row_kind(f->row) == ROW_OUTERMOST) ||
	    ((told == OUTERMOST || told > 0) && walk_is_at_entry(w));
}

/*
 * From the innermost frame to the outermost, each by a row that says which
 * words tell the next.  False: one is found otherwise, or there are too many.
 * What it has on the stack is gone when the path is walked plainly after that.
 */
static bool
walk_rows(struct recall_look *k, const struct heap_from *from)
{
	struct walk_from begin;
	struct walk w;
	int told = FOUND;

	from_call(&begin, from);
	walk_begin(&w, slot_self, &begin);
	k->kept = 0;
	for (k->fresh = 0; told == FOUND && k->fresh < config.depth;) {
		struct recall_frame *f = &k->r->fresh[k->fresh++];
		struct recall_frame caller;

		f->pc = w.now.pc;
		f->sp = w.now.sp;
		f->fp = w.now.fp;
		if (w.exact)
			return false;
		told = step_out(&w);
		if (w.guessed || (!recall_step(f, rows_find(&w.rows, f->pc - 1),
		    &k->stack, &caller) && told == FOUND))
			return false;
	}
	return is_outermost(&w, told, &k->r->fresh[k->fresh - 1]);
}

struct search {
	struct recall_look *k;
	const struct heap_from *from;
	bool found;
};

static void
walk_to_end(void *search)
{
	struct search *s = search;

	s->found = walk_rows(s->k, s->from);
}

/* A fault ends the walk; the plain walk that follows then counts its own. */
static bool
walk_rows_guarded(struct recall_look *k, const struct heap_from *from)
{
	struct search s = {k, from, false};

	return walk_guard(&slot_self->back, walk_to_end, &s) && s.found;
}

#define WAITS	200u		/* with the processor left to others in between */

/*
 * Of a caller, which is code for sure, the map is read at once; of what a walk
 * takes for one, at the rate of modules_find().  Another thread may be at it:
 * its end is waited for, unless that takes too long.
 */
static void
know_caller(uintptr_t pc)
{
	struct module_hit hit;
	unsigned i;

	modules_find(pc - 1, &hit);
	if (hit.known || hit.unrecorded)
		return;
	modules_refresh();
	for (i = 0; i < WAITS && !hit.known && !atomic_load(&mon->frozen) &&
	    atomic_load(&mon->module_busy) != 0; i++) {
		SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		modules_find(pc - 1, &hit);
	}
}

/* Where all code of the call has been met before, only its nodes are new. */
static bool
looks(struct recall_look *k, const struct heap_from *from)
{
	k->rows = rows_now();
	recall_begin(&k->r->fresh[0], from);
	return recall_look(k);
}

uint32_t
recall_search(struct lane *l, const struct heap_from *from)
{
	struct recall_look k;

	know_caller(from->pc);
	recall_is_of_now(&l->recall);
	k.r = &l->recall;
	if (config.stack != FORMAT_STACK_OFF &&
	    recall_stack_of(slot_self, from->sp, &k.stack) &&
	    (looks(&k, from) || walk_rows_guarded(&k, from))) {
		recall_take_on(&k);
		k.r->heap = recall_name_new(l, k.r);
		if (k.r->heap == 0)
			k.r->heap = RECALL_LOST;
		recallpath_learn(k.r);
		return k.r->heap;
	}
	recall_empty(k.r);
	return recall_find_heap(k.r, walk_plainly(l, k.r, from));
}

/* An allocation function may be at what is recalled: it is left alone. */
uint32_t
recall_map(struct lane *l, const struct heap_from *from)
{
	const struct format_node *map;
	uint32_t node;

	know_caller(from->pc);
	node = walk_plainly(l, NULL, from);
	map = node == 0 ? NULL : tree_find(node, FORMAT_MAP, 0, 0);
	return map == NULL ? 0 : tree_index(map);
}
