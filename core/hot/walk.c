/*
 * Context: S.  The callers of the place where a tick found its thread;
 * doc/internals.md, section 18.
 */
#include "walk.h"

#include "expression.h"
#include "frame.h"
#include "modules.h"
#include "rows.h"
#include "str.h"

/* Frames of one walk, kept or not: 30 us of them. */
#define WALK_MOST	4096u

/* What a step tells: a caller was found, none is, or why it was not. */
enum { FOUND = 0, OUTERMOST = -1, PLANTED = -2 };

struct walk {
	struct registers now;
	struct memory memory;
	struct rows rows;
	bool exact;		/* pc is where it is, not behind a call */
	bool broken_in;		/* the same of the caller just found */
	uintptr_t unknown;	/* where no code is known; 0 all was */
};

/* The place that tells: of a call itself, not of what follows. */
static uintptr_t
place(const struct walk *w)
{
	return w->exact ? w->now.pc : w->now.pc - 1;
}

/* What was found of the caller; base: as it was, where it is not said. */
struct caller {
	uintptr_t pc, sp, fp, base;
};

static struct caller
caller(const struct walk *w)
{
	const struct caller c = {w->now.link, 0, w->now.fp, w->now.base};

	return c;
}

static int
go_out(struct walk *w, const struct caller *c)
{
	const uintptr_t pc = frame_bare(c->pc), sp = c->sp;

	if (pc == 0)
		return OUTERMOST;
	if (pc > WALK_ADDRESS)
		return FORMAT_CUT_NOWHERE;
	if (!w->broken_in && (sp < w->now.sp ||
	    (sp == w->now.sp && !w->now.linked)))
		return FORMAT_CUT_ORDER;
	w->now.pc = pc;
	w->now.sp = sp;
	w->now.fp = c->fp;
	w->now.base = c->base;
	w->now.linked = w->broken_in;
	w->now.all = NULL;
	w->exact = w->broken_in;
	return FOUND;
}

static int
unreadable(const struct walk *w)
{
	return w->memory.frozen ? FORMAT_CUT_FROZEN : FORMAT_CUT_MEMORY;
}

static bool
load(struct walk *w, uintptr_t from, uintptr_t offset, uintptr_t *value)
{
	return memory_load(&w->memory, from + offset, value);
}

static int
follow_plain(struct walk *w, uint64_t row)
{
	struct caller c = caller(w);

	if ((row & ROW_LINKED) != 0 && !w->now.linked)
		return FORMAT_CUT_RULE;
	c.sp = ((row & ROW_BY_FP) != 0 ? w->now.fp : w->now.sp) +
	    row_frame(row);
	if (((row & ROW_LINKED) == 0 &&
	    !load(w, c.sp, row_offset(row, ROW_RA_AT), &c.pc)) ||
	    ((row & ROW_FP_SAVED) != 0 &&
	    !load(w, c.sp, row_offset(row, ROW_FP_AT), &c.fp)) ||
	    ((row & ROW_BASE_SAVED) != 0 &&
	    !load(w, c.sp, row_offset(row, ROW_BASE_AT), &c.base)))
		return unreadable(w);
	return go_out(w, &c);
}

static int
follow_aligned(struct walk *w, uint64_t row)
{
	const uintptr_t fp = w->now.fp;
	struct caller c = caller(w);

	if (!load(w, fp, row_offset(row, ROW_RA_AT), &c.sp) ||
	    !load(w, c.sp, (uintptr_t)-8, &c.pc) ||
	    !load(w, fp, row_offset(row, ROW_FP_AT), &c.fp) ||
	    ((row & ROW_BASE_SAVED) != 0 &&
	    !load(w, fp, row_offset(row, ROW_BASE_AT), &c.base)))
		return unreadable(w);
	return go_out(w, &c);
}

/* Out of a signal's handler: the kernel has put all registers there. */
static int
follow_signal(struct walk *w)
{
	const uintptr_t context = frame_context(w->now.sp);
	struct caller c;

	if (!memory_load(&w->memory, context + FRAME_CONTEXT_PC, &c.pc) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_SP, &c.sp) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_FP, &c.fp) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_BASE, &c.base) ||
	    !memory_load(&w->memory, context + FRAME_CONTEXT_LINK,
	    &w->now.link))
		return unreadable(w);
	w->broken_in = true;
	w->now.based = true;
	return go_out(w, &c);
}

/* The value of the caller's register; `same` is what it is here. */
static int
apply(struct walk *w, const struct cfi_rule *rule, uintptr_t frame,
    uintptr_t same, uintptr_t *value)
{
	uintptr_t at;

	switch ((enum cfi_how)rule->how) {
	case CFI_SAME:
		*value = same;
		return FOUND;
	case CFI_UNDEFINED:
		*value = 0;
		return FOUND;
	case CFI_AT:
		return memory_load(&w->memory, frame + (uintptr_t)rule->offset,
		    value) ? FOUND : unreadable(w);
	case CFI_IS:
		*value = frame + (uintptr_t)rule->offset;
		return FOUND;
	case CFI_REGISTER:
		return registers_get(&w->now, rule->reg, value) ? FOUND :
		    FORMAT_CUT_RULE;
	case CFI_AT_EXPRESSION:
		if (!expression_value(rule, &w->now, &w->memory, frame, &at))
			return FORMAT_CUT_RULE;
		return memory_load(&w->memory, at, value) ? FOUND :
		    unreadable(w);
	case CFI_IS_EXPRESSION:
		return expression_value(rule, &w->now, &w->memory, frame,
		    value) ? FOUND : FORMAT_CUT_RULE;
	}
	return FORMAT_CUT_RULE;
}

static int
follow_table(struct walk *w, const struct cfi_row *row)
{
	struct caller c = caller(w);
	uintptr_t frame;
	int ret = FOUND;

	if (row->frame.how == CFI_IS_EXPRESSION)
		ret = expression_value(&row->frame, &w->now, &w->memory, 0,
		    &frame) ? FOUND : FORMAT_CUT_RULE;
	else if (row->frame.how != CFI_REGISTER ||
	    !registers_get(&w->now, row->frame.reg, &frame))
		ret = FORMAT_CUT_RULE;
	if (ret != FOUND)
		return ret;
	if (row->frame.how == CFI_REGISTER)
		frame += (uintptr_t)row->frame.offset;
	if (row->ra.how == CFI_SAME && !w->now.linked)
		return FORMAT_CUT_RULE;
	c.sp = frame;
	ret = apply(w, &row->ra, frame, w->now.link, &c.pc);
	if (ret == FOUND)
		ret = apply(w, &row->fp, frame, w->now.fp, &c.fp);
	/* Hardly any frame needs it. */
	w->now.based &= row->base.how != CFI_UNDEFINED &&
	    apply(w, &row->base, frame, w->now.base, &c.base) == FOUND;
	return ret != FOUND ? ret : go_out(w, &c);
}

/* Is there a caller at pc, which a guess has found?  In code that is known. */
static bool
is_code(struct walk *w, uintptr_t pc)
{
	struct module_text t;

	pc = frame_bare(pc);
	if (pc == 0 || modules_text(pc - 1, &t))
		return true;
	w->unknown = pc - 1;
	return false;
}

/* No table holds it: generated code, or an assembler's without any. */
static int
follow_pointer(struct walk *w, const struct module_text *t)
{
	const unsigned char *code = (const unsigned char *)w->now.pc;
	const size_t left = t->end - w->now.pc;
	enum frame_place at = FRAME_IN_BODY;
	struct caller c = caller(w);
	uintptr_t frame = w->now.fp;

	if (t->readable && left >= FRAME_SIGNAL_BYTES && frame_is_signal(code))
		return follow_signal(w);
	if (w->exact && t->readable && left >= FRAME_PLACE_BYTES)
		at = frame_place(code);
	/* What begins a thread clears it, says the ABI; Go's does. */
	if (!w->exact && w->now.fp == 0)
		return OUTERMOST;
	w->now.based = false;	/* it may have been saved, who knows where */
	c.sp = w->now.sp;
	if (at == FRAME_AT_EDGE && w->now.linked)
		return is_code(w, c.pc) ? go_out(w, &c) : FORMAT_CUT_TABLE;
	if (at != FRAME_IN_BODY)
		frame = at == FRAME_AT_EDGE ? w->now.sp - 8 : w->now.sp;
	if (frame + 8 < w->now.sp || !load(w, frame, 8, &c.pc) ||
	    (at != FRAME_AT_EDGE && !load(w, frame, 0, &c.fp)) ||
	    !is_code(w, c.pc))
		return FORMAT_CUT_TABLE;
	c.sp = frame + 16;
	return go_out(w, &c);
}

/*
 * makecontext() lets its function return to the first byte of another: nothing
 * called that, and what is before it is of no function.
 */
static bool
is_planted(const struct walk *w, const struct module_text *t)
{
	struct cfi_row row;

	return !w->exact && cfi_find(&t->tables, w->now.pc, &row) == 0 &&
	    !row.signal;
}

/* Not remembered: as the table says, or as can be guessed. */
static int
look_up(struct walk *w)
{
	const uintptr_t at = place(w);
	struct module_text t;
	struct cfi_row from;
	struct row row;
	int ret;

	if (!modules_text(at, &t)) {
		w->unknown = at;
		return FORMAT_CUT_NOWHERE;
	}
	if (config.stack == FORMAT_STACK_FP)
		return follow_pointer(w, &t);
	if (!modules_are_settled())
		return FORMAT_CUT_UNLOAD;
	ret = cfi_find(&t.tables, at, &from);
	if (ret == -ENOENT && is_planted(w, &t))
		return PLANTED;
	if (ret == -ENOENT)
		return config.stack == FORMAT_STACK_CFI ? FORMAT_CUT_TABLE :
		    follow_pointer(w, &t);
	if (ret != 0)
		return FORMAT_CUT_RULE;
	row = rows_make(&from);
	rows_enter(&w->rows, at, rows_pack(&row));
	if (row.kind == ROW_SIGNAL)
		return follow_signal(w);
	return row.kind == ROW_OUTERMOST ? OUTERMOST : follow_table(w, &from);
}

static int
step(struct walk *w)
{
	const uint64_t row = rows_find(&w->rows, place(w));

	w->broken_in = false;
	switch (row_kind(row)) {
	case ROW_PLAIN:
		return follow_plain(w, row);
	case ROW_ALIGNED:
		return follow_aligned(w, row);
	case ROW_SIGNAL:
		return follow_signal(w);
	case ROW_OUTERMOST:
		return OUTERMOST;
	default:
		return look_up(w);
	}
}

/* Where the kernel began the first thread: nothing called that. */
static bool
is_entry(const struct walk *w)
{
	/* The loader has aligned its stack, and pushed what it passes on. */
	return w->now.sp + 64 >= config.stack_top &&
	    w->now.sp < config.stack_top + 64;
}

static uint64_t
frame_of(const struct walk *w)
{
	return w->now.pc | (w->exact ? WALK_BROKEN_IN : 0);
}

struct kept {
	uint64_t *frames;
	unsigned room, inner;	/* the rest is a ring of the outer ones */
	unsigned count;		/* all that there were */
};

/* Where the i-th frame is, while it is. */
static inline uint64_t *
kept_at(const struct kept *k, unsigned i)
{
	return &k->frames[i < k->room ? i :
	    k->inner + (i - k->inner) % (k->room - k->inner)];
}

static inline void
keep(struct kept *k, uint64_t frame)
{
	*kept_at(k, k->count++) = frame;
}

static void
turn(uint64_t *from, unsigned n)
{
	unsigned i;

	for (i = 0; i < n / 2; i++) {
		uint64_t other = from[n - 1 - i];

		from[n - 1 - i] = from[i];
		from[i] = other;
	}
}

/* The ring's oldest first; then it gives way to the sign of what is not there. */
static unsigned
settle(struct kept *k)
{
	const unsigned ring = k->room - k->inner;
	uint64_t *outer = k->frames + k->inner;
	unsigned oldest;

	if (k->count <= k->room)
		return k->count;
	oldest = (k->count - k->inner) % ring;
	turn(outer, oldest);
	turn(outer + oldest, ring - oldest);
	turn(outer, ring);
	outer[0] = WALK_CUT | FORMAT_CUT_DEPTH;
	return k->room;
}

/* A word of the stack that is known to be there. */
static inline bool
peek(uintptr_t at, uintptr_t low, uintptr_t bytes, uintptr_t *value)
{
	if (at - low >= bytes || (at & 7) != 0)
		return false;
	*value = *(const uintptr_t *)at;
	return true;
}

/*
 * Most frames: a row that is remembered, on the thread's own stack, behind a
 * call.  The same as step() does, in registers; it stops before what is not so
 * plain.
 */
static void
hurry(struct walk *w, struct kept *k)
{
	const uintptr_t low = w->memory.low, bytes = w->memory.high - low;
	uintptr_t pc = w->now.pc, sp = w->now.sp, fp = w->now.fp;
	uintptr_t base = w->now.base;

	while (k->count < WALK_MOST) {
		const uint64_t row = rows_find(&w->rows, pc - 1);
		uintptr_t frame, next, caller_fp = fp, caller_base = base;

		if (row_kind(row) != ROW_PLAIN || (row & ROW_LINKED) != 0)
			break;
		frame = ((row & ROW_BY_FP) != 0 ? fp : sp) + row_frame(row);
		if (frame <= sp || !peek(frame + row_offset(row, ROW_RA_AT),
		    low, bytes, &next) ||
		    ((row & ROW_FP_SAVED) != 0 && !peek(frame +
		    row_offset(row, ROW_FP_AT), low, bytes, &caller_fp)) ||
		    ((row & ROW_BASE_SAVED) != 0 && !peek(frame +
		    row_offset(row, ROW_BASE_AT), low, bytes, &caller_base)))
			break;
		next = frame_bare(next);
		if (next == 0 || next > WALK_ADDRESS)
			break;
		pc = next;
		sp = frame;
		fp = caller_fp;
		base = caller_base;
		keep(k, pc);
	}
	w->now.pc = pc;
	w->now.sp = sp;
	w->now.fp = fp;
	w->now.base = base;
}

unsigned
walk(struct slot *s, const ucontext_t *uc, uint64_t *frames, unsigned room,
    uintptr_t *unknown)
{
	struct kept k = {frames, room, room / 2, 0};
	struct walk w;
	int told = FOUND;

	w.now.pc = arch_pc(uc);
	w.now.sp = arch_sp(uc);
	w.now.fp = frame_fp(uc);
	w.now.base = frame_base(uc);
	w.now.based = true;
	w.now.link = frame_link(uc);
	w.now.linked = FRAME_LINKS;
	w.now.all = uc;
	w.exact = true;
	w.unknown = 0;
	memory_begin(&w.memory, s, w.now.sp);
	w.rows = rows_now();
	while (k.count < WALK_MOST) {
		told = step(&w);
		if (told != FOUND)
			break;
		keep(&k, frame_of(&w));
		if (!w.exact)
			hurry(&w, &k);
	}
	if (told == PLANTED && k.count != 0)
		*kept_at(&k, k.count - 1) |= WALK_BROKEN_IN;
	if (told == PLANTED || (told > 0 && is_entry(&w)))
		told = OUTERMOST;
	if (told != OUTERMOST)
		keep(&k, WALK_CUT | (told == FOUND ? FORMAT_CUT_DEPTH :
		    (uint64_t)told));
	*unknown = w.unknown;
	return settle(&k);
}
