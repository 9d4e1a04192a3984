/* Context: S.  Frames, step by step; see recallframe.h. */
#include "recallframe.h"

#include "frame.h"
#include "recallpath.h"
#include "rows.h"
#include "walk.h"

static inline bool
holds(const struct recall_stack *s, uintptr_t at)
{
	return at >= s->low && at < s->high && at % 8 == 0;
}

void
recall_begin(struct recall_frame *f, const struct heap_from *from)
{
	f->pc = from->pc;
	f->sp = from->sp;
	f->fp = from->fp;
}

bool
recall_step(struct recall_frame *f, uint64_t row, const struct recall_stack *s,
    struct recall_frame *caller)
{
	uintptr_t frame;

	f->ra_at = f->sp_at = f->fp_at = 0;
	f->row = row;
	if (row_kind(row) == ROW_PLAIN && (row & ROW_LINKED) == 0) {
		frame = ((row & ROW_BY_FP) != 0 ? f->fp : f->sp) +
		    row_frame(row);
		f->ra_at = frame + row_offset(row, ROW_RA_AT);
		if ((row & ROW_FP_SAVED) != 0)
			f->fp_at = frame + row_offset(row, ROW_FP_AT);
	} else if (row_kind(row) == ROW_ALIGNED) {
		f->sp_at = f->fp + row_offset(row, ROW_RA_AT);
		if (!holds(s, f->sp_at))
			return false;
		frame = recall_load(f->sp_at);
		f->ra_at = frame - 8;
		f->fp_at = f->fp + row_offset(row, ROW_FP_AT);
	} else {
		return false;
	}
	if (frame <= f->sp || !holds(s, f->ra_at) ||
	    (f->fp_at != 0 && !holds(s, f->fp_at)))
		return false;
	caller->pc = frame_bare(recall_load(f->ra_at));
	caller->sp = frame;
	recall_carry(f, caller);
	return caller->pc != 0 && caller->pc <= WALK_ADDRESS;
}

static bool
is_by_fp(uint64_t row)
{
	return row_kind(row) == ROW_ALIGNED || (row_kind(row) == ROW_PLAIN &&
	    (row & ROW_BY_FP) != 0);
}

uint64_t
recall_needs(const struct recall_frame *f, uint64_t of_caller)
{
	if (f->fp_at != 0)
		of_caller &= ~(uint64_t)RECALL_FP;
	return of_caller | (is_by_fp(f->row) ? RECALL_FP : 0);
}

unsigned
recall_frame_of(const struct recall *r, unsigned n, const struct recall_word *w)
{
	while (n > 0 && r->frame[n - 1].words > w - r->word)
		n--;
	return n;
}

static uint32_t
note_word(struct recall *r, uint32_t n, uintptr_t at)
{
	r->word[n] = (struct recall_word){ at, recall_load(at) };
	return n + 1;
}

/* The words that lead from f to its caller g, behind those of g. */
static uint32_t
note_words(struct recall *r, const struct recall_frame *f,
    const struct recall_frame *g)
{
	uint32_t n = note_word(r, g->words, f->ra_at);

	if (f->sp_at != 0)
		n = note_word(r, n, f->sp_at);
	if ((g->needs & RECALL_FP) != 0 && f->fp_at != 0)
		n = note_word(r, n, f->fp_at);
	return n;
}

void
recall_keep(struct recall *r, const struct recall_frame *fresh)
{
	struct recall_frame *f = &r->frame[r->count];

	*f = *fresh;
	f->node = 0;
	f->frames = recallpath_longer(r->count == 0 ? 0 : f[-1].frames, f->pc);
	f->words = r->count == 0 ? 0 : note_words(r, f, f - 1);
	r->count++;
}
