/*
 * Context: S.  Walks from frame to frame within a bound of cost, for
 * tick_path.c and path_cache.c, and catches the memory faults of walks for
 * signal_chain.c; see stack_walk.h and doc/design/unwind.md.
 */
#include "unwind/stack_walk.h"

#include "base/loss_count.h"
#include "frame.h"
#include "thread/thread_slot.h"
#include "unwind/unwind_step.h"

/*
 * The cost that a walk may have: a 32nd of the time to the next tick, or `room`
 * frames.  The unit is a frame whose rule is cached, for which 9 to 17 ns were
 * measured.
 */
#define FRAME_NS	16u
#define SHARE		32u
#define LOOK_UP		10u	/* a frame that is not cached: estimated */
/*
 * The most stack that a walk takes: 4 KiB were measured.  The helper's stack
 * has more below a walk.
 */
#define WALK_BYTES	16384u
/* A question to the kernel, whose answer is yes: 0.14 us were measured. */
#define ASK		16u

bool
stack_walk_is_at_entry(const struct stack_walk *w)
{
	/* The loader has aligned the stack, and pushed what it passes on. */
	return w->now.sp + 64 >= config.stack_top &&
	    w->now.sp < config.stack_top + 64;
}

static uint64_t
current_frame_word(const struct stack_walk *w)
{
	return w->now.pc | (w->exact ? STACK_WALK_INTERRUPTED : 0) |
	    (w->guessed ? STACK_WALK_GUESSED : 0);
}

/* The frames found: the innermost ones, and a ring of the outermost ones. */
struct kept {
	uint64_t *frames;
	/* the first `inner` are kept; the others form a ring */
	unsigned room, inner;
	unsigned count;		/* frames found in all */
};

/* Returns where frame i is stored, as long as the ring holds it. */
static inline uint64_t *
kept_at(const struct kept *k, unsigned i)
{
	return &k->frames[i < k->room ? i :
	    k->inner + (i - k->inner) % (k->room - k->inner)];
}

static inline void
keep_frame(struct kept *k, uint64_t frame)
{
	*kept_at(k, k->count++) = frame;
}

static void
reverse_frames(uint64_t *from, unsigned n)
{
	for (unsigned i = 0; i < n / 2; i++) {
		uint64_t other = from[n - 1 - i];

		from[n - 1 - i] = from[i];
		from[i] = other;
	}
}

/*
 * Rotates the ring so that its oldest frame comes first, and replaces that by
 * the mark of the frames that are missing.  Returns the number of frames.
 */
static unsigned
order_kept_frames(struct kept *k)
{
	const unsigned ring = k->room - k->inner;
	uint64_t *outer = k->frames + k->inner;
	unsigned oldest;

	if (k->count <= k->room)
		return k->count;
	oldest = (k->count - k->inner) % ring;
	reverse_frames(outer, oldest);
	reverse_frames(outer + oldest, ring - oldest);
	reverse_frames(outer, ring);
	outer[0] = STACK_WALK_CUT | FORMAT_CUT_DEPTH;
	return k->room;
}

/*
 * Loads a word of the stack, if it lies in the bytes that are known to be
 * there.
 */
static inline bool
peek_stack_word(uintptr_t at, uintptr_t low, uintptr_t bytes, uintptr_t *value)
{
	if (at - low >= bytes || (at & 7) != 0)
		return false;
	*value = *(const uintptr_t *)at;
	return true;
}

/*
 * Walks over frames with a cached plain rule on the thread's own stack, behind
 * a call, as most frames are.  Does as unwind_step_out() does, but in
 * registers.  Stops before any other frame.
 */
static void
walk_plain_frames(struct stack_walk *w, struct kept *k, unsigned most)
{
	const uintptr_t low = w->memory.low, bytes = w->memory.high - low;
	uintptr_t pc = w->now.pc, sp = w->now.sp, fp = w->now.fp;
	uintptr_t base = w->now.base;

	while (k->count < most) {
		const uint64_t rule = unwind_cache_find(&w->rules, pc - 1);
		uintptr_t frame, next, caller_fp = fp, caller_base = base;

		if (unwind_rule_kind(rule) != UNWIND_RULE_PLAIN ||
		    (rule & UNWIND_RULE_LINKED) != 0)
			break;
		frame = ((rule & UNWIND_RULE_BY_FP) != 0 ? fp :
		    sp) + unwind_rule_frame(rule);
		if (frame <= sp ||
		    !peek_stack_word(frame + unwind_rule_offset(rule,
		    UNWIND_RULE_RA_AT), low, bytes, &next) ||
		    ((rule & UNWIND_RULE_FP_SAVED) != 0 &&
		    !peek_stack_word(frame + unwind_rule_offset(rule,
		    UNWIND_RULE_FP_AT), low, bytes, &caller_fp)) ||
		    ((rule & UNWIND_RULE_BASE_SAVED) != 0 &&
		    !peek_stack_word(frame + unwind_rule_offset(rule,
		    UNWIND_RULE_BASE_AT), low, bytes, &caller_base)))
			break;
		next = frame_strip_pac(next);
		if (next == 0 || next > STACK_WALK_ADDRESS)
			break;
		pc = next;
		sp = frame;
		fp = caller_fp;
		base = caller_base;
		keep_frame(k, pc);
	}
	w->now.pc = pc;
	w->now.sp = sp;
	w->now.fp = fp;
	w->now.base = base;
}

/* Returns the number of frames that the walk may still visit. */
static unsigned
frames_still_allowed(const struct stack_walk *w, unsigned limit)
{
	const unsigned spent = w->search_cost * LOOK_UP + w->memory.asks * ASK;

	return spent < limit ? limit - spent : 0;
}

/* Returns the cost that a walk of this thread may have. */
static unsigned
frame_cost_limit(const struct thread_slot *s, unsigned room)
{
	const uint64_t ns = s->fine_clock.period != 0 ? s->fine_clock.period :
	    config.tick_ns;
	const uint64_t frames = ns / (SHARE * FRAME_NS);

	return frames > room ? (unsigned)frames : room;
}

void
stack_walk_start_tick(struct stack_walk_start *from, const ucontext_t *uc)
{
	from->pc = arch_pc(uc);
	from->sp = arch_sp(uc);
	from->called = false;
	from->registers = true;
	from->fp = frame_fp(uc);
	from->base = frame_base_register(uc);
	from->link = frame_link_register(uc);
	from->all = uc;
	from->stack = NULL;
	from->words = 0;
	from->asleep = false;
}

void
stack_walk_begin(struct stack_walk *w, struct thread_slot *s,
    const struct stack_walk_start *from)
{
	w->now.pc = from->pc;
	w->now.sp = from->sp;
	w->now.fp = from->fp;
	w->now.base = from->base;
	w->now.framed = w->now.based = from->registers;
	w->now.link = from->link;
	w->now.linked = FRAME_HAS_LINK_REGISTER && from->registers &&
	    !from->called;
	w->now.all = from->all;
	w->own = !from->asleep && from->stack == NULL;
	w->exact = !from->called;
	w->unknown = 0;
	w->guessed = false;
	w->libc_low = w->libc_high = 0;
	if (s->native || s->main) {
		w->libc_low = s->stack.low;
		w->libc_high = s->stack.high;
	}
	w->sure = w->sure_index = 0;
	w->trampolines = w->trampolines_end = 0;
	w->search_cost = 0;
	w->rules = unwind_cache_current();
	stack_read_begin(&w->memory, s, w->now.sp);
	if (from->stack != NULL)
		stack_read_use_copy(&w->memory, w->now.sp, from->stack,
		    from->words);
}

/* Walks until a step finds no caller, or the cost is used up. */
static int
walk_frames(struct stack_walk *w, struct kept *k, unsigned limit, bool copy)
{
	int result = UNWIND_STEP_FOUND;

	while (k->count < frames_still_allowed(w, limit)) {
		result = unwind_step_out(w);
		if (result != UNWIND_STEP_FOUND)
			break;
		keep_frame(k, current_frame_word(w));
		if (!w->exact && !copy)
			walk_plain_frames(w, k, frames_still_allowed(w, limit));
	}
	return result;
}

/*
 * Catches a fault, because the program may have unmapped a part of the thread's
 * stack or of the tables of its code.  One walk may interrupt another.
 */
__attribute__((noinline)) bool
stack_walk_guard(void ***place, void (*fn)(void *), void *arg)
{
	void **const outer = *place;
	void *back[STACK_WALK_JMPBUF_WORDS];

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
	struct stack_walk *w;
	struct kept *k;
	unsigned limit;
	bool copy;
	int result;
};

static void
walk_frames_to_end(void *following)
{
	struct following *f = following;

	f->result = walk_frames(f->w, f->k, f->limit, f->copy);
}

/*
 * After a fault, *k holds whole frames only, because a frame is stored before
 * it is counted.
 */
static int
walk_frames_guarded(struct thread_slot *s, const struct stack_walk_start *from,
    struct stack_walk *w, struct kept *k, unsigned limit)
{
	struct following f = {w, k, limit, from->stack != NULL,
	    FORMAT_CUT_UNREADABLE};

	/*
	 * A sleeper may wake and walk during the helper's walk, so s->tick.back
	 * is left to the thread itself.  A copied stack alone does not say
	 * which thread walks: with kernel=detail, the thread's own ticks have
	 * copies, too.
	 */
	if (!stack_walk_guard(from->asleep ? &mon->wall_back : &s->tick.back,
	    walk_frames_to_end, &f)) {
		loss_count(LOSS_FAULT, 1);
		return FORMAT_CUT_UNREADABLE;
	}
	return f.result;
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
 * `back` is of a dead frame if a handler has left a walk by siglongjmp().
 */
static bool
is_walk_at(void **back, uintptr_t sp)
{
	return (uintptr_t)back > sp && (uintptr_t)back - sp < WALK_BYTES;
}

/*
 * The loads that may fault, in the section to which each of them adds a rule
 * (arch_load_or_zero).  The linker defines both names.
 */
extern const struct arch_load_fixup __start_mon_loads[]
    __attribute__((visibility("hidden"), weak));
extern const struct arch_load_fixup __stop_mon_loads[]
    __attribute__((visibility("hidden"), weak));

/*
 * If the fault is one of those loads, continues behind it, with 0 as its
 * result.
 */
static bool
skip_failed_load(ucontext_t *uc)
{
	for (const struct arch_load_fixup *r = __start_mon_loads;
	    r < __stop_mon_loads; r++)
		if (arch_load_fixup_address(&r->load) == arch_pc(uc)) {
			frame_return_to_pc(uc,
			    arch_load_fixup_address(&r->behind));
			return true;
		}
	return false;
}

bool
stack_walk_catch_fault(ucontext_t *uc)
{
	const uintptr_t pc = arch_pc(uc);
	const struct thread_slot *s;

	/*
	 * In code of another object the program may have replaced the thread
	 * pointer.
	 */
	if (mon == NULL || pc < (uintptr_t)__ehdr_start ||
	    pc >= (uintptr_t)_etext)
		return false;
	if (skip_failed_load(uc))
		return true;
	if (is_walk_at(mon->wall_back, arch_sp(uc))) {
		frame_return_to_setjmp(uc, mon->wall_back);
		return true;
	}
	s = thread_slot_self;
	if (s == NULL || !thread_slot_is_valid(s) || !is_walk_at(s->tick.back,
	    arch_sp(uc)))
		return false;
	frame_return_to_setjmp(uc, s->tick.back);
	return true;
}

unsigned
stack_walk(struct thread_slot *s, const struct stack_walk_start *from,
    uint64_t *frames, unsigned room, uintptr_t *unknown)
{
	const unsigned limit = frame_cost_limit(s, room);
	struct kept k = {frames, room, room / 2, 0};
	struct stack_walk w;
	int result;

	stack_walk_begin(&w, s, from);
	result = walk_frames_guarded(s, from, &w, &k, limit);
	if (result == UNWIND_STEP_PLANTED && k.count != 0)
		*kept_at(&k, k.count - 1) |= STACK_WALK_INTERRUPTED;
	if (result == UNWIND_STEP_PLANTED || (result > 0 &&
	    stack_walk_is_at_entry(&w)))
		result = UNWIND_STEP_OUTERMOST;
	if (result != UNWIND_STEP_OUTERMOST)
		keep_frame(&k, STACK_WALK_CUT | (result == UNWIND_STEP_FOUND ?
		    FORMAT_CUT_COST : (uint64_t)result));
	*unknown = w.unknown;
	return order_kept_frames(&k);
}
