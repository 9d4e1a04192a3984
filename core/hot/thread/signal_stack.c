/*
 * Context: S.  Alternate signal stacks: which of the program's stacks stands
 * behind ours, and wrapped actions; see signal_stack.h.  The kernel calls
 * first_handler_entry() and second_handler_entry() in place of the program's
 * handlers, in any thread, also in a frozen process and in a vfork child.
 */
#include "thread/signal_stack.h"

#include "base/mmap_area.h"
#include "base/str.h"
#include "frame.h"
#include "thread/thread_slot.h"
#include "unwind/stack_read.h"

/* Number of program stacks; number 0 says that the program has set none. */
#define PROGRAM_STACKS		32
/*
 * Bytes by which our stack's size differs for two program stacks.  All steps
 * together are less than the smallest signal frame.
 */
#define PROGRAM_STACK_STEP	16

/* A program stack: a stack that the program has set. */
struct program_stack {
	void *base;
	size_t bytes;		/* 0: none */
	unsigned flags;		/* SS_AUTODISARM or 0 */
	bool in_place;		/* set by a handler that runs on our stack */
};

/* Our stack of one thread; the kernel knows `room`. */
struct stack {
	char room[SIGNAL_STACK_BYTES];
	struct program_stack stacks[PROGRAM_STACKS];
	/* number of the program stack that was entered last */
	unsigned last;
	/* the stack of signal_stack_spare() */
	char spare[2048] __attribute__((aligned(16)));
};

typedef void full_handler(int, siginfo_t *, void *);

/* The main thread's stack is static, which saves short processes a mapping. */
static struct stack main_signal_stack STATE_FIRST
    __attribute__((aligned(4096)));

/* A page without access below the stack catches an overflow. */
STATE_START void *
signal_stack_make(bool main)
{
	char *p;

	if (main)
		return &main_signal_stack;
	p = mmap_area_alloc(config.page + sizeof(struct stack));
	if (p == NULL)
		return NULL;
	if (!mmap_area_contains(p, config.page + sizeof(struct stack))) {
		mmap_area_unmap(p, config.page + sizeof(struct stack));
		/* signal_stack_is_ours() would not recognize it */
		return NULL;
	}
	SYS(mprotect, p, config.page, PROT_NONE, 0, 0, 0);
	return p + config.page;
}

/* Returns the number of the program stack that the size of our stack says. */
static unsigned
program_stack_index(const stack_t *now)
{
	return (unsigned)(SIGNAL_STACK_BYTES - now->ss_size) /
	    PROGRAM_STACK_STEP;
}

STATE_START bool
signal_stack_is_ours(const stack_t *now)
{
	return (now->ss_flags & SS_DISABLE) == 0 &&
	    now->ss_size <= SIGNAL_STACK_BYTES && now->ss_size >
	    SIGNAL_STACK_BYTES - PROGRAM_STACKS * PROGRAM_STACK_STEP &&
	    now->ss_size % PROGRAM_STACK_STEP == 0 &&
	    (now->ss_sp == &main_signal_stack || mmap_area_contains(now->ss_sp,
	    sizeof(struct stack)));
}

void *
signal_stack_spare(void *base)
{
	struct stack *s = base;

	return s->spare + sizeof(s->spare);
}

bool
signal_stack_contains(const void *base, uintptr_t sp)
{
	return sp - (uintptr_t)base <= SIGNAL_STACK_BYTES;
}

static struct program_stack
current_program_stack(const stack_t *now)
{
	const struct stack *s = now->ss_sp;
	const unsigned i = program_stack_index(now);

	/*
	 * Number 0 is not stored: hardly any program uses another one, so no
	 * page is written for them.
	 */
	return i == 0 ? (struct program_stack){0} : s->stacks[i];
}

/*
 * Returns whether sp is on the program's stack v.  As in the kernel, a stack
 * that is disarmed at each signal is never known to be in use.
 */
static bool
is_on_program_stack(const struct program_stack *v, uintptr_t sp)
{
	return v->flags == 0 && sp > (uintptr_t)v->base &&
	    sp - (uintptr_t)v->base <= v->bytes;
}

void
signal_stack_show(const stack_t *now, uintptr_t sp, stack_t *shown)
{
	struct program_stack v;

	*shown = *now;
	if (!signal_stack_is_ours(now))
		return;
	v = current_program_stack(now);
	shown->ss_sp = v.base;
	shown->ss_size = v.bytes;
	shown->ss_flags = (int)(v.flags | (v.bytes == 0 ? SS_DISABLE :
	    is_on_program_stack(&v, sp) || (v.flags == 0 && !v.in_place &&
	    signal_stack_contains(now->ss_sp, sp)) ? SS_ONSTACK : 0));
}

/*
 * Enters a program stack in the table and returns its number.  When all numbers
 * are taken, the oldest entry is replaced, but never in_use: that number may be
 * in a signal's frame, from which it comes back.
 */
static unsigned
enter_program_stack(struct stack *s, const struct program_stack *v,
    unsigned in_use)
{
	for (unsigned i = 1; i < PROGRAM_STACKS; i++)
		if (s->stacks[i].base == v->base && s->stacks[i].bytes ==
		    v->bytes && s->stacks[i].flags == v->flags &&
		    s->stacks[i].in_place == v->in_place)
			return i;
	do
		s->last = s->last % (PROGRAM_STACKS - 1) + 1;
	while (s->last == in_use);
	s->stacks[s->last] = *v;
	return s->last;
}

stack_t
signal_stack_translate(void *base, const stack_t *set, const stack_t *now,
    bool in_place)
{
	/*
	 * The kernel disarms our stack in each handler if it would disarm the
	 * program's.
	 */
	struct program_stack v = {.flags = (unsigned)set->ss_flags &
	    SS_AUTODISARM, .in_place = in_place};
	stack_t s = {.ss_sp = base, .ss_size = SIGNAL_STACK_BYTES};

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
		s.ss_size -= PROGRAM_STACK_STEP * enter_program_stack(base, &v,
		    signal_stack_is_ours(now) ? program_stack_index(now) : 0);
	return s;
}

/*
 * The program's handlers of wrapped actions, in two tables.  A new one goes
 * into the table that the kernel's action does not point to, so that the action
 * changes at once.
 */
struct program_action {
	void *handler;
	unsigned long flags;
};
/* The handler that signal_stack_wrap() leaves alone. */
static void *exempt_handler;
static struct program_action program_actions[2][SYS_SIGNALS + 1];
/* signals whose last handler is in the second table */
static _Atomic uint64_t second_action_signals;

/*
 * Does what the kernel does with a signal frame that does not fit: the process
 * ends, or its handler of SIGSEGV runs.
 */
static void
fault_as_kernel(void)
{
	*(volatile char *)~(uintptr_t)0xfff = 0;
}

/*
 * Returns whether the interrupted code runs on the stack that its thread was
 * made with, or on an alternate one.  If the program has set no alternate
 * stack, its handler belongs there.  Other stacks, such as those of Go and of
 * fibers, may be too small for it.
 */
static bool
is_known_thread_stack(const struct stack *s, uintptr_t sp)
{
	const struct thread_slot *self;

	for (unsigned i = 1; i < PROGRAM_STACKS; i++)
		if (sp - (uintptr_t)s->stacks[i].base <= s->stacks[i].bytes)
			return true;
	self = mon != NULL ? thread_slot_current() : NULL;
	return self != NULL && thread_slot_is_valid(self) &&
	    sp < self->stack.high && (sp >= self->stack.low ||
	    (self->stack.grows && self->stack.high - sp < STACK_READ_GROWTH));
}

void
signal_stack_enter(const struct frame_signal_entry *e, int sig, void *handler)
{
	const stack_t *now = &e->context->uc_stack;
	const uintptr_t sp = arch_sp(e->context);
	struct frame_copy copy;
	struct program_stack v;
	bool here;

	if (!frame_is_signal_entry(e) || !signal_stack_is_ours(now) ||
	    !signal_stack_contains(now->ss_sp, e->cfa))
		return;
	/*
	 * Two signals came together: the first handler has not left our stack
	 * for the program's yet, on which there may be frames of a third.  This
	 * handler runs here.
	 */
	if (signal_stack_contains(now->ss_sp, sp))
		return;
	v = current_program_stack(now);
	if (v.bytes == 0 && !is_known_thread_stack(now->ss_sp, sp))
		return;
	here = v.bytes == 0 || is_on_program_stack(&v, sp);
	copy = frame_copy_below(e, here ? sp - FRAME_RED_ZONE :
	    (uintptr_t)v.base + v.bytes);
	if (v.bytes != 0 && (copy.to <= (uintptr_t)v.base ||
	    copy.to - (uintptr_t)v.base > v.bytes))
		fault_as_kernel();
	mem_copy((void *)copy.to, (void *)copy.from, copy.bytes);
	mem_copy((void *)copy.state_to, (void *)copy.state_from,
	    copy.state_bytes);
	frame_relocate(&copy);
	frame_enter_handler(e, copy.to, sig, handler);
}

/*
 * Enters the program's handler of a wrapped action; which: the table that it is
 * in.  Does not return if the kernel has entered our handler.
 */
static void
enter_program_handler(const struct frame_signal_entry *e, unsigned which,
    int sig)
{
	/* A function of the program may call this with any value of `sig`. */
	void *handler =
	    program_actions[which][(unsigned)sig % (SYS_SIGNALS + 1)].handler;

	signal_stack_enter(e, sig, handler);
	/*
	 * Enters the handler on the kernel's own frame, with no frame of ours
	 * between.
	 */
	if (frame_is_signal_entry(e))
		frame_enter_handler(e, frame_signal_start(e), sig, handler);
	((full_handler *)handler)(sig, e->info, e->context);
}

static void
first_handler_entry(int sig, siginfo_t *si, void *context)
{
	const struct frame_signal_entry e = FRAME_SIGNAL_ENTRY(si, context);

	enter_program_handler(&e, 0, sig);
}

static void
second_handler_entry(int sig, siginfo_t *si, void *context)
{
	const struct frame_signal_entry e = FRAME_SIGNAL_ENTRY(si, context);

	enter_program_handler(&e, 1, sig);
}

void
signal_stack_exempt(void *handler)
{
	exempt_handler = handler;
}

void
signal_stack_wrap(int sig, struct sys_sigaction *act)
{
	const uint64_t bit = SYS_SIGBIT(sig);
	struct program_action *p;
	bool was_second;

	if ((act->flags & SA_ONSTACK) == 0 || sig < 1 || sig > SYS_SIGNALS ||
	    act->handler == (void *)SIG_DFL ||
	    act->handler == (void *)SIG_IGN || act->handler == exempt_handler ||
	    act->handler == (void *)first_handler_entry ||
	    act->handler == (void *)second_handler_entry)
		return;
	was_second = (atomic_fetch_xor(&second_action_signals, bit) & bit) != 0;
	p = &program_actions[!was_second][sig];
	p->handler = act->handler;
	p->flags = act->flags & SA_SIGINFO;
	act->handler = was_second ? (void *)first_handler_entry :
	    (void *)second_handler_entry;
	/* aarch64 passes the context only with it */
	act->flags |= SA_SIGINFO;
}

void
signal_stack_unwrap(int sig, struct sys_sigaction *act)
{
	const struct program_action *p;

	if (sig < 1 || sig > SYS_SIGNALS ||
	    (act->handler != (void *)first_handler_entry &&
	    act->handler != (void *)second_handler_entry))
		return;
	p = &program_actions[act->handler == (void *)second_handler_entry][sig];
	act->handler = p->handler;
	act->flags = (act->flags & ~(unsigned long)SA_SIGINFO) | p->flags;
}
