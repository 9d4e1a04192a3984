/* Context: S.  Paths that have been; see recallpath.h. */
#include "recallpath.h"

#include "region.h"
#include "str.h"

_Static_assert(offsetof(struct recall_path, at) < RECALL_LINE, "a line");
_Static_assert(RECALL_SUMMED * sizeof(uint16_t) < RECALL_LEAST / 2 *
    RECALL_LINE, "the longest fits");

#define OTHERS	4u		/* by the same frames, from where a function has
				   taken more stack, or less */

static uint32_t *
index_of(const struct recall *r)
{
	return (uint32_t *)(r->lines + (size_t)r->most * RECALL_LINE);
}

/* splitmix64 */
static uint64_t
odd(uint64_t *random)
{
	uint64_t x = *random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) | 1;
}

void
recallpath_begin(struct recall *r, uint64_t random)
{
	unsigned i;

	r->lines = r->least;
	r->most = RECALL_LEAST;
	r->used = 1;
	r->paths = 0;
	for (i = 0; i < RECALL_SUMMED + 1; i++)
		r->odd[i] = odd(&random);
}

/* A handler may leave this: what is still found is still there. */
void
recallpath_forget(struct recall *r)
{
	r->last = 0;
	r->fetched = 0;
	mem_zero(index_of(r), r->most * sizeof(uint32_t));
	atomic_signal_fence(memory_order_seq_cst);
	r->paths = 0;
	r->used = 1;
}

void
recallpath_fetch(struct recall *r)
{
	const struct recall_path *last = recallpath_at(r, r->last);
	unsigned i;

	r->fetched = r->last;
	for (i = 0; i < RECALL_NEXT; i++)
		mem_fetch(recallpath_at(r, last->next[i]),
		    i < 2 ? 2 * RECALL_LINE : RECALL_LINE);
}

uint32_t
recallpath_follow(struct recall *r, const struct heap_from *from,
    const struct recall_stack *stack)
{
	const struct recall_path *last = recallpath_at(r, r->last);
	unsigned i;

	for (i = 0; i < RECALL_NEXT && last->next[i] != 0; i++) {
		const struct recall_path *p = recallpath_at(r, last->next[i]);

		if (!recallpath_is(r, p, from, stack))
			continue;
		r->last = last->next[i];
		return p->heap;
	}
	return 0;
}

static uint32_t *
place_of(const struct recall *r, uint64_t frames)
{
	uint32_t *index = index_of(r), i = (uint32_t)(frames >> 32);

	while (index[i &= r->most - 1] != 0 &&
	    recallpath_at(r, index[i])->frames != frames)
		i++;
	return &index[i];
}

/* A handler may leave this: the lines are full then, and are emptied next. */
static void
widen(struct recall *r, uint32_t most)
{
	unsigned char *lines = region_memory(RECALL_BYTES(most)), *old = r->lines;
	const size_t before = RECALL_BYTES(r->most);

	if (lines == NULL)
		return;
	sys_madvise(lines, RECALL_BYTES(most), MADV_WIPEONFORK);
	r->used = UINT32_MAX / 2;
	atomic_signal_fence(memory_order_seq_cst);
	r->lines = lines;
	atomic_signal_fence(memory_order_seq_cst);
	r->most = most;
	atomic_signal_fence(memory_order_seq_cst);
	if (old != r->least)
		region_unmap(old, before);
}

/* Lines in a row, of a table that is wider or empty where it was full. */
static uint32_t
take_lines(struct recall *r, uint32_t n)
{
	if (r->used + n > r->most || r->paths > r->most / 2) {
		r->last = 0;
		if (r->most < RECALL_MOST && !atomic_load(&mon->frozen))
			widen(r, r->most * 4);
		recallpath_forget(r);
	}
	r->used += n;
	r->paths++;
	return r->used - n;
}

/* From the call before: the one that gives way is any of them. */
static void
follow_next(struct recall *r, uint32_t path)
{
	uint32_t *next = recallpath_at(r, r->last)->next;
	unsigned i;

	if (r->last == 0 || r->last == path)
		return;
	for (i = 0; i < RECALL_NEXT; i++)
		if (next[i] == path)
			return;
	for (i = 0; i < RECALL_NEXT && next[i] != 0; i++)
		;
	next[i < RECALL_NEXT ? i : r->turns++ % RECALL_NEXT] = path;
}

static const struct recall_frame *
innermost(const struct recall *r)
{
	return &r->frame[r->count - 1];
}

/* Where the words are; false: too far out, or too many. */
static bool
note_places(struct recall_path *p, const struct recall *r, uintptr_t sp)
{
	uintptr_t at;
	unsigned i;

	p->high = 0;
	for (i = 0; i < p->words; i++) {
		at = r->word[i].at - sp;
		if (at % 8 != 0 || at / 8 > UINT16_MAX)
			return false;
		p->at[i] = (uint16_t)(at / 8);
		if (p->at[i] > p->high)
			p->high = p->at[i];
	}
	return true;
}

static uint16_t
summed(const struct recall_frame *f)
{
	return (uint16_t)(f->words <= RECALL_SUMMED ? f->words : 0);
}

/*
 * The call as it is now.  No sp is 0: half written, or wiped in the child of a
 * handler's fork, it is no call's.
 */
static void
describe(struct recall_path *p, const struct recall *r)
{
	const struct recall_frame *f = innermost(r);
	const uint16_t words = summed(f);

	p->sp = 0;
	atomic_signal_fence(memory_order_seq_cst);
	p->pc = f->pc;
	p->heap = r->heap;
	p->words = words;
	p->needs = (uint16_t)f->needs;
	if (words != f->words || !note_places(p, r, f->sp))
		p->needs |= RECALL_NO_SUM;
	else
		p->sum = recallpath_sum(r, p, f->sp, f->fp);
	atomic_signal_fence(memory_order_seq_cst);
	p->sp = f->sp;
}

static void
is_last(struct recall *r, uint32_t line)
{
	follow_next(r, line);
	r->last = line;
}

void
recallpath_learn(struct recall *r)
{
	const struct recall_frame *f = innermost(r);
	const uint32_t line = take_lines(r, (uint32_t)(offsetof(
	    struct recall_path, at) + summed(f) * sizeof(uint16_t) +
	    RECALL_LINE - 1) / RECALL_LINE);
	struct recall_path *p = recallpath_at(r, line);
	uint32_t *place = place_of(r, f->frames);

	mem_zero(p->next, sizeof p->next);
	describe(p, r);
	p->frames = f->frames;
	p->other = *place;
	atomic_signal_fence(memory_order_seq_cst);
	*place = line;
	is_last(r, line);
}

static bool
is_from_here(const struct recall *r, const struct recall_path *p,
    const struct recall_stack *stack)
{
	const struct recall_frame *f = innermost(r);
	const struct heap_from from = { .pc = f->pc, .sp = f->sp,
	    .fp = f->fp };

	return (p->needs & RECALL_NO_SUM) != 0 ? p->sp == f->sp :
	    recallpath_is(r, p, &from, stack);
}

/*
 * 0: *line is; or how many are not, of which it is the last that is looked at.
 */
static unsigned
from_elsewhere(const struct recall *r, const struct recall_stack *stack,
    uint32_t *line)
{
	unsigned n;

	for (n = 1; !is_from_here(r, recallpath_at(r, *line), stack); n++) {
		const uint32_t other = recallpath_at(r, *line)->other;

		if (n == OTHERS || other == 0)
			return n;
		*line = other;
	}
	return 0;
}

bool
recallpath_find(struct recall *r, const struct recall_stack *stack)
{
	uint32_t line = *place_of(r, innermost(r)->frames);
	struct recall_path *p;
	unsigned n;

	if (line == 0)
		return false;
	r->heap = recallpath_at(r, line)->heap;
	n = from_elsewhere(r, stack, &line);
	p = recallpath_at(r, line);
	if (n != 0 && (n < OTHERS || p->words != summed(innermost(r)))) {
		recallpath_learn(r);
		return true;
	}
	if (n != 0)
		describe(p, r);		/* it gives way */
	is_last(r, line);
	return true;
}
