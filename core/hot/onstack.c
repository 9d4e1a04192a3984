/* Context: S.  Alternate signal stacks: see onstack.h. */
#include "onstack.h"

#include "frame.h"
#include "memory.h"
#include "region.h"
#include "slot.h"
#include "str.h"

#define VIEWS		32	/* view 0: the program has set no stack */
#define VIEW_STEP	16	/* less than any signal's frame in all */

struct view_of_stack {
	void *base;
	size_t bytes;		/* 0 none */
	unsigned flags;		/* SS_AUTODISARM or 0 */
	bool in_place;		/* set by a handler that runs on ours */
};

struct stack {
	char room[ONSTACK_BYTES];
	struct view_of_stack view[VIEWS];
	unsigned last;		/* entered */
	char spare[2048] __attribute__((aligned(16)));
};

typedef void full_handler(int, siginfo_t *, void *);

/* The main thread's stack is static, which saves short processes a mapping. */
static struct stack of_main STATE_FIRST __attribute__((aligned(4096)));

/* A page below the stack catches an overflow. */
STATE_START void *
onstack_make(bool main)
{
	char *p;

	if (main)
		return &of_main;
	p = region_memory(config.page + sizeof(struct stack));
	if (p == NULL)
		return NULL;
	if (!region_holds(p, config.page + sizeof(struct stack))) {
		region_unmap(p, config.page + sizeof(struct stack));
		return NULL;	/* it would not be known again */
	}
	SYS(mprotect, p, config.page, PROT_NONE, 0, 0, 0);
	return p + config.page;
}

static unsigned
view_index(const stack_t *now)
{
	return (unsigned)(ONSTACK_BYTES - now->ss_size) / VIEW_STEP;
}

STATE_START bool
onstack_is_ours(const stack_t *now)
{
	return (now->ss_flags & SS_DISABLE) == 0 &&
	    now->ss_size <= ONSTACK_BYTES &&
	    now->ss_size > ONSTACK_BYTES - VIEWS * VIEW_STEP &&
	    now->ss_size % VIEW_STEP == 0 &&
	    (now->ss_sp == &of_main ||
	    region_holds(now->ss_sp, sizeof(struct stack)));
}

void *
onstack_spare(void *base)
{
	struct stack *s = base;

	return s->spare + sizeof s->spare;
}

bool
onstack_is_on(const void *base, uintptr_t sp)
{
	return sp - (uintptr_t)base <= ONSTACK_BYTES;
}

static struct view_of_stack
view_now(const stack_t *now)
{
	const struct stack *s = now->ss_sp;
	const unsigned i = view_index(now);

	/*
	 * View 0 is not stored: hardly any program has another, and so no page
	 * is written.
	 */
	return i == 0 ? (struct view_of_stack){0} : s->view[i];
}

/*
 * As in the kernel, a stack that is disarmed at each signal is never known to
 * be in use.
 */
static bool
is_on(const struct view_of_stack *v, uintptr_t sp)
{
	return v->flags == 0 && sp > (uintptr_t)v->base &&
	    sp - (uintptr_t)v->base <= v->bytes;
}

void
onstack_show(const stack_t *now, uintptr_t sp, stack_t *shown)
{
	struct view_of_stack v;

	*shown = *now;
	if (!onstack_is_ours(now))
		return;
	v = view_now(now);
	shown->ss_sp = v.base;
	shown->ss_size = v.bytes;
	shown->ss_flags = (int)(v.flags | (v.bytes == 0 ? SS_DISABLE :
	    is_on(&v, sp) || (v.flags == 0 && !v.in_place &&
	    onstack_is_on(now->ss_sp, sp)) ? SS_ONSTACK : 0));
}

/*
 * Enters a view and returns its number.  When all numbers are taken, the oldest
 * entry is replaced, but never the one in use: its number may be in a signal's
 * frame, from which it comes back.
 */
static unsigned
enter_view(struct stack *s, const struct view_of_stack *v, unsigned in_use)
{
	unsigned i;

	for (i = 1; i < VIEWS; i++)
		if (s->view[i].base == v->base && s->view[i].bytes ==
		    v->bytes && s->view[i].flags == v->flags &&
		    s->view[i].in_place == v->in_place)
			return i;
	do
		s->last = s->last % (VIEWS - 1) + 1;
	while (s->last == in_use);
	s->view[s->last] = *v;
	return s->last;
}

stack_t
onstack_for(void *base, const stack_t *set, const stack_t *now, bool in_place)
{
	/*
	 * The kernel disarms our stack in each handler if it is to disarm the
	 * program's.
	 */
	struct view_of_stack v = {.flags = (unsigned)set->ss_flags &
	    SS_AUTODISARM, .in_place = in_place};
	stack_t s = {.ss_sp = base, .ss_size = ONSTACK_BYTES};

	/*
	 * With SS_AUTODISARM a signal could enter our stack at its top, and
	 * overwrite the frames of this handler.
	 */
	if (!in_place)
		s.ss_flags = (int)v.flags;

	if ((set->ss_flags & SS_DISABLE) == 0) {
		v.base = set->ss_sp;
		v.bytes = set->ss_size;
	}
	if (v.bytes != 0 || v.flags != 0)
		s.ss_size -= VIEW_STEP * enter_view(base, &v,
		    onstack_is_ours(now) ? view_index(now) : 0);
	return s;
}

/*
 * The program's handlers.  A new one goes into the table that the kernel's
 * action does not point to, so that the action changes at once.
 */
struct programs {
	void *handler;
	unsigned long flags;
};
static void *exempt;
static struct programs table[2][SYS_SIGNALS + 1];
static _Atomic uint64_t second;	/* signals whose last is in the second */

/*
 * Does what the kernel does with a frame that does not fit: the process ends,
 * or its handler of SIGSEGV runs.
 */
static void
fault(void)
{
	*(volatile char *)~(uintptr_t)0xfff = 0;
}

/*
 * Returns whether the interrupted code runs on the stack that its thread was
 * made with, or on an alternate one.  If the program has set no alternate
 * stack, its handler belongs there.  Other stacks, as those of Go and of
 * fibres, may be too small for it.
 */
static bool
is_known_stack(const struct stack *s, uintptr_t sp)
{
	const struct slot *self;
	unsigned i;

	for (i = 1; i < VIEWS; i++)
		if (sp - (uintptr_t)s->view[i].base <= s->view[i].bytes)
			return true;
	self = mon != NULL ? slot_here() : NULL;
	return self != NULL && slot_valid(self) &&
	    sp < self->stack_high && (sp >= self->stack_low ||
	    (self->stack_grows && self->stack_high - sp < MEMORY_GROWS));
}

void
onstack_go(const struct frame_entry *e, int sig, void *handler)
{
	const stack_t *now = &e->context->uc_stack;
	const uintptr_t sp = arch_sp(e->context);
	struct frame_copy copy;
	struct view_of_stack v;
	bool here;

	if (!frame_is_entry(e) || !onstack_is_ours(now) ||
	    !onstack_is_on(now->ss_sp, e->cfa))
		return;
	/*
	 * Two came together: the other has not left our stack for the program's
	 * yet, on which there may be frames of a third.  This one runs here.
	 */
	if (onstack_is_on(now->ss_sp, sp))
		return;
	v = view_now(now);
	if (v.bytes == 0 && !is_known_stack(now->ss_sp, sp))
		return;
	here = v.bytes == 0 || is_on(&v, sp);
	copy = frame_copy_below(e, here ? sp - FRAME_RED_ZONE :
	    (uintptr_t)v.base + v.bytes);
	if (v.bytes != 0 && (copy.to <= (uintptr_t)v.base ||
	    copy.to - (uintptr_t)v.base > v.bytes))
		fault();
	mem_copy((void *)copy.to, (void *)copy.from, copy.bytes);
	mem_copy((void *)copy.state_to, (void *)copy.state_from,
	    copy.state_bytes);
	frame_relocate(&copy);
	frame_enter(e, copy.to, sig, handler);
}

static void
enter(const struct frame_entry *e, unsigned which, int sig)
{
	/* Called by a function of the program, `sig` may have any value. */
	void *handler = table[which][(unsigned)sig % (SYS_SIGNALS + 1)].handler;

	onstack_go(e, sig, handler);
	/*
	 * Enters the handler on the kernel's own frame, with no frame of ours
	 * between.
	 */
	if (frame_is_entry(e))
		frame_enter(e, frame_start(e), sig, handler);
	((full_handler *)handler)(sig, e->info, e->context);
}

static void
first_entry(int sig, siginfo_t *si, void *context)
{
	const struct frame_entry e = FRAME_ENTRY(si, context);

	enter(&e, 0, sig);
}

static void
second_entry(int sig, siginfo_t *si, void *context)
{
	const struct frame_entry e = FRAME_ENTRY(si, context);

	enter(&e, 1, sig);
}

void
onstack_exempt(void *handler)
{
	exempt = handler;
}

void
onstack_wrap(int sig, struct sys_sigaction *act)
{
	const uint64_t bit = SYS_SIGBIT(sig);
	struct programs *p;
	bool was_second;

	if ((act->flags & SA_ONSTACK) == 0 || sig < 1 || sig > SYS_SIGNALS ||
	    act->handler == (void *)SIG_DFL ||
	    act->handler == (void *)SIG_IGN || act->handler == exempt ||
	    act->handler == (void *)first_entry ||
	    act->handler == (void *)second_entry)
		return;
	was_second = (atomic_fetch_xor(&second, bit) & bit) != 0;
	p = &table[!was_second][sig];
	p->handler = act->handler;
	p->flags = act->flags & SA_SIGINFO;
	act->handler = was_second ? (void *)first_entry :
	    (void *)second_entry;
	act->flags |= SA_SIGINFO;	/* without it aarch64 does not say
					   where */
}

void
onstack_unwrap(int sig, struct sys_sigaction *act)
{
	const struct programs *p;

	if (sig < 1 || sig > SYS_SIGNALS ||
	    (act->handler != (void *)first_entry &&
	    act->handler != (void *)second_entry))
		return;
	p = &table[act->handler == (void *)second_entry][sig];
	act->handler = p->handler;
	act->flags = (act->flags & ~(unsigned long)SA_SIGINFO) | p->flags;
}
