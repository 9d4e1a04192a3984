/*
 * Context: S.  Steps from frame to frame, and notes the words that led there;
 * see path_cache_frame.h.
 */
#include "heap_paths/path_cache_frame.h"

#include "frame.h"
#include "heap_paths/path_cache_table.h"
#include "unwind/stack_walk.h"
#include "unwind/unwind_cache.h"

static inline bool
stack_holds_word(const struct path_cache_stack *s, uintptr_t at)
{
	return at >= s->low && at < s->high && at % 8 == 0;
}

void
path_cache_frame_init(struct path_cache_frame *f,
    const struct alloc_caller *from)
{
	f->pc = from->pc;
	f->sp = from->sp;
	f->fp = from->fp;
}

bool
path_cache_frame_step(struct path_cache_frame *f, uint64_t row,
    const struct path_cache_stack *s, struct path_cache_frame *caller)
{
	uintptr_t frame;

	f->ra_at = f->sp_at = f->fp_at = 0;
	f->row = row;
	if (unwind_rule_kind(row) == UNWIND_RULE_PLAIN &&
	    (row & UNWIND_RULE_LINKED) == 0) {
		frame = ((row & UNWIND_RULE_BY_FP) != 0 ? f->fp : f->sp) +
		    unwind_rule_frame(row);
		f->ra_at = frame + unwind_rule_offset(row, UNWIND_RULE_RA_AT);
		if ((row & UNWIND_RULE_FP_SAVED) != 0)
			f->fp_at = frame + unwind_rule_offset(row,
			    UNWIND_RULE_FP_AT);
	} else if (unwind_rule_kind(row) == UNWIND_RULE_ALIGNED) {
		f->sp_at = f->fp + unwind_rule_offset(row, UNWIND_RULE_RA_AT);
		if (!stack_holds_word(s, f->sp_at))
			return false;
		frame = path_cache_frame_load(f->sp_at);
		f->ra_at = frame - 8;
		f->fp_at = f->fp + unwind_rule_offset(row, UNWIND_RULE_FP_AT);
	} else {
		return false;
	}
	if (frame <= f->sp || !stack_holds_word(s, f->ra_at) ||
	    (f->fp_at != 0 && !stack_holds_word(s, f->fp_at)))
		return false;
	caller->pc = frame_strip_pac(path_cache_frame_load(f->ra_at));
	caller->sp = frame;
	path_cache_frame_set_fp(f, caller);
	return caller->pc != 0 && caller->pc <= STACK_WALK_ADDRESS;
}

static bool
is_by_fp(uint64_t row)
{
	return unwind_rule_kind(row) == UNWIND_RULE_ALIGNED ||
	    (unwind_rule_kind(row) == UNWIND_RULE_PLAIN &&
	    (row & UNWIND_RULE_BY_FP) != 0);
}

uint64_t
path_cache_frame_needs(const struct path_cache_frame *f, uint64_t of_caller)
{
	if (f->fp_at != 0)
		of_caller &= ~(uint64_t)PATH_CACHE_FP;
	return of_caller | (is_by_fp(f->row) ? PATH_CACHE_FP : 0);
}

unsigned
path_cache_frame_of_word(const struct path_cache *r, unsigned n,
    const struct path_cache_word *w)
{
	while (n > 0 && r->frame[n - 1].words > w - r->word)
		n--;
	return n;
}

static uint32_t
note_word(struct path_cache *r, uint32_t n, uintptr_t at)
{
	r->word[n] = (struct path_cache_word){ at, path_cache_frame_load(at) };
	return n + 1;
}

/*
 * Notes the words that lead from f to its caller g, behind those of g.  Returns
 * how many there are with those of g.
 */
static uint32_t
note_frame_words(struct path_cache *r, const struct path_cache_frame *f,
    const struct path_cache_frame *g)
{
	uint32_t n = note_word(r, g->words, f->ra_at);

	if (f->sp_at != 0)
		n = note_word(r, n, f->sp_at);
	if ((g->needs & PATH_CACHE_FP) != 0 && f->fp_at != 0)
		n = note_word(r, n, f->fp_at);
	return n;
}

void
path_cache_frame_append(struct path_cache *r,
    const struct path_cache_frame *fresh)
{
	struct path_cache_frame *f = &r->frame[r->count];

	*f = *fresh;
	f->node = 0;
	f->frames = path_cache_table_hash(r->count == 0 ? 0 : f[-1].frames,
	    f->pc);
	f->words = r->count == 0 ? 0 : note_frame_words(r, f, f - 1);
	r->count++;
}
