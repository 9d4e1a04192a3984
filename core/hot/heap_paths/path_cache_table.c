/*
 * Context: S.  Enters, finds and forgets call paths, for path_cache.c, in the
 * alloc_thread's thread; see path_cache_table.h.  A handler may leave any of
 * these functions by a jump, or fork in it.
 */
#include "heap_paths/path_cache_table.h"

#include "base/mmap_area.h"
#include "base/str.h"

_Static_assert(offsetof(struct path_cache_entry, at) < PATH_CACHE_LINE,
    "a line");
_Static_assert(PATH_CACHE_SUMMED * sizeof(uint16_t) < PATH_CACHE_LINES_MIN / 2 *
    PATH_CACHE_LINE, "the longest fits");

/*
 * Entries with the same frames and other stacks, as a function takes more stack
 * or less.
 */
#define SAME_FRAMES_MAX	4u

/* Returns the hash index, which lies behind the lines of the table. */
static uint32_t *
hash_index_of(const struct path_cache *r)
{
	return (uint32_t *)(r->lines + (size_t)r->most * PATH_CACHE_LINE);
}

/* Returns the next random number of splitmix64, made odd. */
static uint64_t
next_odd_random(uint64_t *random)
{
	uint64_t x = *random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) | 1;
}

void
path_cache_table_init(struct path_cache *r, uint64_t random)
{
	r->lines = r->least;
	r->most = PATH_CACHE_LINES_MIN;
	r->used = 1;
	r->paths = 0;
	for (unsigned i = 0; i < PATH_CACHE_SUMMED + 1; i++)
		r->odd[i] = next_odd_random(&random);
}

/*
 * A handler may leave this function: entries that can still be found are valid.
 */
void
path_cache_table_clear(struct path_cache *r)
{
	r->last = 0;
	r->fetched = 0;
	mem_zero(hash_index_of(r), r->most * sizeof(uint32_t));
	atomic_signal_fence(memory_order_seq_cst);
	r->paths = 0;
	r->used = 1;
}

void
path_cache_table_prefetch(struct path_cache *r)
{
	const struct path_cache_entry *last = path_cache_table_at(r, r->last);

	r->fetched = r->last;
	for (unsigned i = 0; i < PATH_CACHE_NEXT; i++)
		mem_prefetch(path_cache_table_at(r, last->next[i]),
		    i < 2 ? 2 * PATH_CACHE_LINE : PATH_CACHE_LINE);
}

uint32_t
path_cache_table_next(struct path_cache *r, const struct alloc_caller *from,
    const struct path_cache_stack *stack)
{
	const struct path_cache_entry *last = path_cache_table_at(r, r->last);

	for (unsigned i = 0; i < PATH_CACHE_NEXT && last->next[i] != 0; i++) {
		const struct path_cache_entry *p = path_cache_table_at(r,
		    last->next[i]);

		if (!path_cache_table_matches(r, p, from, stack))
			continue;
		r->last = last->next[i];
		return p->heap;
	}
	return 0;
}

/*
 * Returns the place in the hash index of the entries with these frames, or a
 * free one.
 */
static uint32_t *
find_index_slot(const struct path_cache *r, uint64_t frames)
{
	uint32_t *index = hash_index_of(r), i = (uint32_t)(frames >> 32);

	while (index[i &= r->most - 1] != 0 &&
	    path_cache_table_at(r, index[i])->frames != frames)
		i++;
	return &index[i];
}

/*
 * Moves to a larger table, without entries.  A handler may leave this function:
 * the table counts as full then, and is cleared next.
 */
static void
grow_path_table(struct path_cache *r, uint32_t most)
{
	unsigned char *lines = mmap_area_alloc(PATH_CACHE_BYTES(most)), *old =
	    r->lines;
	const size_t before = PATH_CACHE_BYTES(r->most);

	if (lines == NULL)
		return;
	sys_madvise(lines, PATH_CACHE_BYTES(most), MADV_WIPEONFORK);
	r->used = UINT32_MAX / 2;
	atomic_signal_fence(memory_order_seq_cst);
	r->lines = lines;
	atomic_signal_fence(memory_order_seq_cst);
	r->most = most;
	atomic_signal_fence(memory_order_seq_cst);
	if (old != r->least)
		mmap_area_unmap(old, before);
}

/*
 * Returns the first of n lines in a row.  A table that is full is first
 * cleared, and made larger if possible.
 */
static uint32_t
allocate_lines(struct path_cache *r, uint32_t n)
{
	if (r->used + n > r->most || r->paths > r->most / 2) {
		r->last = 0;
		if (r->most < PATH_CACHE_LINES_MAX &&
		    !atomic_load(&mon->frozen))
			grow_path_table(r, r->most * 4);
		path_cache_table_clear(r);
	}
	r->used += n;
	r->paths++;
	return r->used - n;
}

/*
 * Notes that `path` came after the last call's path.  If all places are taken,
 * any of them gives way.
 */
static void
add_successor(struct path_cache *r, uint32_t path)
{
	uint32_t *next = path_cache_table_at(r, r->last)->next;
	unsigned i;

	if (r->last == 0 || r->last == path)
		return;
	for (i = 0; i < PATH_CACHE_NEXT; i++)
		if (next[i] == path)
			return;
	for (i = 0; i < PATH_CACHE_NEXT && next[i] != 0; i++)
		;
	next[i < PATH_CACHE_NEXT ? i : r->turns++ % PATH_CACHE_NEXT] = path;
}

static const struct path_cache_frame *
innermost_frame(const struct path_cache *r)
{
	return &r->frame[r->count - 1];
}

/*
 * Notes where the frames' words are, as offsets from sp.  Returns false if one
 * is too far out.
 */
static bool
note_word_offsets(struct path_cache_entry *p, const struct path_cache *r,
    uintptr_t sp)
{
	uintptr_t at;

	p->high = 0;
	for (unsigned i = 0; i < p->words; i++) {
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
summed_words(const struct path_cache_frame *f)
{
	return (uint16_t)(f->words <= PATH_CACHE_SUMMED ? f->words : 0);
}

/*
 * Fills an entry with the call as it is now.  No call has sp 0: an entry that
 * is half written, or wiped in the child of a handler's fork, matches no call.
 */
static void
fill_path_entry(struct path_cache_entry *p, const struct path_cache *r)
{
	const struct path_cache_frame *f = innermost_frame(r);
	const uint16_t words = summed_words(f);

	p->sp = 0;
	atomic_signal_fence(memory_order_seq_cst);
	p->pc = f->pc;
	p->heap = r->heap;
	p->words = words;
	p->needs = (uint16_t)f->needs;
	if (words != f->words || !note_word_offsets(p, r, f->sp))
		p->needs |= PATH_CACHE_NO_SUM;
	else
		p->sum = path_cache_table_sum(r, p, f->sp, f->fp);
	atomic_signal_fence(memory_order_seq_cst);
	p->sp = f->sp;
}

static void
set_last_path(struct path_cache *r, uint32_t line)
{
	add_successor(r, line);
	r->last = line;
}

void
path_cache_table_insert(struct path_cache *r)
{
	const struct path_cache_frame *f = innermost_frame(r);
	const uint32_t line = allocate_lines(r, (uint32_t)(offsetof(
	    struct path_cache_entry, at) + summed_words(f) * sizeof(uint16_t) +
	    PATH_CACHE_LINE - 1) / PATH_CACHE_LINE);
	struct path_cache_entry *p = path_cache_table_at(r, line);
	uint32_t *place = find_index_slot(r, f->frames);

	mem_zero(p->next, sizeof(p->next));
	fill_path_entry(p, r);
	p->frames = f->frames;
	p->other = *place;
	atomic_signal_fence(memory_order_seq_cst);
	*place = line;
	set_last_path(r, line);
}

static bool
matches_stack(const struct path_cache *r, const struct path_cache_entry *p,
    const struct path_cache_stack *stack)
{
	const struct path_cache_frame *f = innermost_frame(r);
	const struct alloc_caller from = { .pc = f->pc, .sp = f->sp,
	    .fp = f->fp };

	return (p->needs & PATH_CACHE_NO_SUM) != 0 ? p->sp == f->sp :
	    path_cache_table_matches(r, p, &from, stack);
}

/*
 * Goes along the entries with the same frames, from *line on, until one has
 * this stack.  Returns 0 if it was found, else the number of entries that were
 * compared; *line is the last of them.
 */
static unsigned
skip_other_stacks(const struct path_cache *r,
    const struct path_cache_stack *stack, uint32_t *line)
{
	for (unsigned n = 1;
	    !matches_stack(r, path_cache_table_at(r, *line), stack);
	    n++) {
		const uint32_t other = path_cache_table_at(r, *line)->other;

		if (n == SAME_FRAMES_MAX || other == 0)
			return n;
		*line = other;
	}
	return 0;
}

bool
path_cache_table_find(struct path_cache *r,
    const struct path_cache_stack *stack)
{
	uint32_t line = *find_index_slot(r, innermost_frame(r)->frames);
	struct path_cache_entry *p;
	unsigned n;

	if (line == 0)
		return false;
	r->heap = path_cache_table_at(r, line)->heap;
	n = skip_other_stacks(r, stack, &line);
	p = path_cache_table_at(r, line);
	if (n != 0 && (n < SAME_FRAMES_MAX ||
	    p->words != summed_words(innermost_frame(r)))) {
		path_cache_table_insert(r);
		return true;
	}
	if (n != 0)
		fill_path_entry(p, r);		/* this one gives way */
	set_last_path(r, line);
	return true;
}
