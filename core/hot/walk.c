/*
 * Context: S.  The callers of the place where a tick found its thread;
 * doc/internals.md, section 18.
 */
#include "walk.h"

#include "frame.h"
#include "slot.h"
#include "step.h"

/*
 * What a walk may cost: a 32nd of the time to the next tick, or what is to be
 * kept.  In frames that are remembered: 9 to 17 ns were measured.
 */
#define FRAME_NS	16u
#define SHARE		32u
#define LOOK_UP		10u	/* a frame that is not: estimated */
#define WALK_BYTES	16384u	/* of stack, at most: 4 KiB were measured.  The
				   helper's stack has more below a walk */
#define ASK		100u	/* of the kernel: 1.7 us were measured */

bool
walk_is_at_entry(const struct walk *w)
{
	/* The loader has aligned its stack, and pushed what it passes on. */
	return w->now.sp + 64 >= config.stack_top &&
	    w->now.sp < config.stack_top + 64;
}

static uint64_t
frame_of(const struct walk *w)
{
	return w->now.pc | (w->exact ? WALK_BROKEN_IN : 0) |
	    (w->guessed ? WALK_GUESSED : 0);
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

/*
 * The ring's oldest first; then it gives way to the sign of what is not there.
 */
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
 * call.  The same as step_out() does, in registers; it stops before what is not
 * so plain.
 */
static void
hurry(struct walk *w, struct kept *k, unsigned most)
{
	const uintptr_t low = w->memory.low, bytes = w->memory.high - low;
	uintptr_t pc = w->now.pc, sp = w->now.sp, fp = w->now.fp;
	uintptr_t base = w->now.base;

	while (k->count < most) {
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

/* Frames that it may still come to. */
static unsigned
most_of(const struct walk *w, unsigned limit)
{
	const unsigned spent = w->look_ups * LOOK_UP + w->memory.asks * ASK;

	return spent < limit ? limit - spent : 0;
}

static unsigned
limit_of(const struct slot *s, unsigned room)
{
	const uint64_t ns = s->period != 0 ? s->period : config.tick_ns;
	const uint64_t frames = ns / (SHARE * FRAME_NS);

	return frames > room ? (unsigned)frames : room;
}

void
walk_from_tick(struct walk_from *from, const ucontext_t *uc)
{
	from->pc = arch_pc(uc);
	from->sp = arch_sp(uc);
	from->called = false;
	from->registers = true;
	from->fp = frame_fp(uc);
	from->base = frame_base(uc);
	from->link = frame_link(uc);
	from->all = uc;
	from->stack = NULL;
	from->words = 0;
	from->asleep = false;
}

void
walk_begin(struct walk *w, struct slot *s, const struct walk_from *from)
{
	w->now.pc = from->pc;
	w->now.sp = from->sp;
	w->now.fp = from->fp;
	w->now.base = from->base;
	w->now.framed = w->now.based = from->registers;
	w->now.link = from->link;
	w->now.linked = FRAME_LINKS && from->registers && !from->called;
	w->now.all = from->all;
	w->exact = !from->called;
	w->unknown = 0;
	w->guessed = false;
	w->libc_low = w->libc_high = 0;
	if (s->native || s->main) {
		w->libc_low = s->stack_low;
		w->libc_high = s->stack_high;
	}
	w->sure = w->sure_index = 0;
	w->look_ups = 0;
	w->rows = rows_now();
	memory_begin(&w->memory, s, w->now.sp);
	if (from->stack != NULL)
		memory_then(&w->memory, w->now.sp, from->stack, from->words);
}

static int
follow(struct walk *w, struct kept *k, unsigned limit, bool copy)
{
	int told = FOUND;

	while (k->count < most_of(w, limit)) {
		told = step_out(w);
		if (told != FOUND)
			break;
		keep(k, frame_of(w));
		if (!w->exact && !copy)
			hurry(w, k, most_of(w, limit));
	}
	return told;
}

/*
 * The thread's own stack and the tables of its code are there as far as we
 * know, but the program may have taken a part away.  One walk may interrupt
 * another.
 */
__attribute__((noinline)) bool
walk_guard(void ***place, void (*fn)(void *), void *arg)
{
	void **const outer = *place;
	void *back[WALK_BACK];

	if (__builtin_setjmp(back) != 0) {
		*place = outer;
		return false;
	}
	*place = back;
	atomic_signal_fence(memory_order_seq_cst);
	fn(arg);
	atomic_signal_fence(memory_order_seq_cst);
	*place = outer;
	return true;
}

struct following {
	struct walk *w;
	struct kept *k;
	unsigned limit;
	bool copy;
	int told;
};

static void
follow_to_end(void *following)
{
	struct following *f = following;

	f->told = follow(f->w, f->k, f->limit, f->copy);
}

/*
 * After a fault, *k holds whole frames only, because a frame is stored before
 * it is counted.
 */
static int
follow_guarded(struct slot *s, const struct walk_from *from, struct walk *w,
    struct kept *k, unsigned limit)
{
	struct following f = {w, k, limit, from->stack != NULL,
	    FORMAT_CUT_MEMORY};

	/*
	 * A sleeper may wake and walk during the helper's walk, so s->back is
	 * left to the thread itself.  A copied stack alone does not say who
	 * walks: kernel=detail has copies in the thread's own ticks.
	 */
	if (!walk_guard(from->asleep ? &mon->wall_back : &s->back,
	    follow_to_end, &f)) {
		loss_count(LOSS_FAULT, 1);
		return FORMAT_CUT_MEMORY;
	}
	return f.told;
}

/*
 * Symbols that the linker defines: the first byte of this library, and the end
 * of its code.
 */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _etext[] __attribute__((visibility("hidden")));

/*
 * Returns whether the code at sp may be part of the walk that continues at
 * `back`, which lies above sp on the same stack then.  The helper of clock=wall
 * has no TLS, so that only this tells whether it was interrupted.  In a thread,
 * `back` is that of a dead frame if a handler has left a walk by siglongjmp().
 */
static bool
is_walk_of(void **back, uintptr_t sp)
{
	return (uintptr_t)back > sp && (uintptr_t)back - sp < WALK_BYTES;
}

/*
 * The loads that may fail by themselves, in the section that each of them adds
 * its row to (arch_load).  Both names are the linker's.
 */
extern const struct arch_load_row __start_mon_loads[]
    __attribute__((visibility("hidden"), weak));
extern const struct arch_load_row __stop_mon_loads[]
    __attribute__((visibility("hidden"), weak));

/* Continues behind a load that has failed; its result is 0. */
static bool
leave_load(ucontext_t *uc)
{
	const struct arch_load_row *r;

	for (r = __start_mon_loads; r < __stop_mon_loads; r++)
		if (arch_load_at(&r->load) == arch_pc(uc)) {
			frame_continue(uc, arch_load_at(&r->behind));
			return true;
		}
	return false;
}

bool
walk_leaves(ucontext_t *uc)
{
	const uintptr_t pc = arch_pc(uc);
	const struct slot *s;

	/* Elsewhere the program may have replaced the thread pointer. */
	if (mon == NULL || pc < (uintptr_t)__ehdr_start ||
	    pc >= (uintptr_t)_etext)
		return false;
	if (leave_load(uc))
		return true;
	if (is_walk_of(mon->wall_back, arch_sp(uc))) {
		frame_resume(uc, mon->wall_back);
		return true;
	}
	s = slot_self;
	if (s == NULL || !slot_valid(s) || !is_walk_of(s->back, arch_sp(uc)))
		return false;
	frame_resume(uc, s->back);
	return true;
}

unsigned
walk(struct slot *s, const struct walk_from *from, uint64_t *frames,
    unsigned room, uintptr_t *unknown)
{
	const unsigned limit = limit_of(s, room);
	struct kept k = {frames, room, room / 2, 0};
	struct walk w;
	int told;

	walk_begin(&w, s, from);
	told = follow_guarded(s, from, &w, &k, limit);
	if (told == PLANTED && k.count != 0)
		*kept_at(&k, k.count - 1) |= WALK_BROKEN_IN;
	if (told == PLANTED || (told > 0 && walk_is_at_entry(&w)))
		told = OUTERMOST;
	if (told != OUTERMOST)
		keep(&k, WALK_CUT | (told == FOUND ? FORMAT_CUT_COST :
		    (uint64_t)told));
	*unknown = w.unknown;
	return settle(&k);
}
