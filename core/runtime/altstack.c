/* Context: T.  Alternate signal stacks: ours where the program has none. */
#include "altstack.h"

#include "control.h"
#include "clock.h"
#include "coarse.h"
#include "fine.h"
#include "region.h"
#include "sigmask.h"
#include "slot.h"
#include "start.h"
#include "sweep.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM	(1u << 31)	/* linux/signal.h */
#endif

/* Of the calling thread; a fork child knows it again by this. */
static __thread void *own __attribute__((tls_model("initial-exec")));

/* And shows what its parent had; may get back, from a handler, a small one. */
static __thread struct {
	void *base;
	size_t bytes;		/* 0 none is feigned */
	bool was_small;
} shown __attribute__((tls_model("initial-exec")));

/* The main thread's; no mapping of its own, for the sake of short processes. */
static char of_main[ALTSTACK_BYTES] STATE_FIRST
    __attribute__((aligned(4096)));

/* A page below the stack catches what would run over it. */
static void *
make(void)
{
	char *p = region_memory(ALTSTACK_BYTES + config.page);

	if (p == NULL)
		return NULL;
	SYS(mprotect, p, config.page, PROT_NONE, 0, 0, 0);
	return p + config.page;
}

static bool
is_ours(const stack_t *s)
{
	return (s->ss_flags & SS_DISABLE) == 0 && own != NULL &&
	    s->ss_sp == own;
}

static void
install(void *base, stack_t *before)
{
	stack_t s = {0};

	own = base;
	s.ss_sp = base;
	s.ss_size = ALTSTACK_BYTES;
	SYS(sigaltstack, &s, before, 0, 0, 0, 0);
}

/* Asked where it matters only, so that a start need not. */
static void
measure_frame(void)
{
	static atomic_bool done;

	if (atomic_load(&mon->frozen) || atomic_load(&done))
		return;
	config.frame = arch_frame(config.frame);
	atomic_store(&done, true);
}

static bool
is_small(const stack_t *now)
{
	if ((now->ss_flags & SS_DISABLE) != 0 ||
	    now->ss_size >= config.frame + ALTSTACK_NEED)
		return false;
	measure_frame();
	return now->ss_size < config.frame + ALTSTACK_NEED;
}

/*
 * For good, as it may be there again without a call: a handler that sets one is
 * given back, at its return, what it found.
 */
static void
mark_small(struct slot *s)
{
	shown.was_small = true;
	if (atomic_exchange(&s->stack_small, true))
		return;
	atomic_fetch_add(&mon->small_stacks, 1);
	control_show_kick();
	loss_count(LOSS_ALTSTACK, 1);
}

/* A start has none as a rule, which is seen by setting ours: a call less. */
static void
take_at_start(struct slot *s)
{
	stack_t before = {.ss_flags = SS_DISABLE};

	s->altstack = of_main;
	install(of_main, &before);
	if ((before.ss_flags & SS_DISABLE) != 0)
		return;
	SYS(sigaltstack, &before, NULL, 0, 0, 0, 0);
	if (is_small(&before))
		mark_small(s);
}

STATE_START void
altstack_take(struct slot *s)
{
	stack_t now;

	if (shown.was_small)
		mark_small(s);
	if (s->main && own == NULL) {
		take_at_start(s);
		return;
	}
	if (SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return;
	if (is_ours(&now))
		s->altstack = now.ss_sp;	/* from before a fork */
	else if (s->altstack == NULL && s->main)
		s->altstack = of_main;
	if ((now.ss_flags & SS_DISABLE) == 0) {
		if (is_small(&now))
			mark_small(s);
		return;
	}
	if (s->altstack == NULL && !atomic_load(&mon->frozen))
		s->altstack = make();
	if (s->altstack != NULL)
		install(s->altstack, NULL);
}

void
altstack_provide(struct slot *s)
{
	if (s->altstack == NULL)
		s->altstack = s->main ? of_main : make();
}

static void
show_none(stack_t *s)
{
	s->ss_sp = NULL;
	s->ss_flags = SS_DISABLE;
	s->ss_size = 0;
}

/* As the program knows it: ours is none, or stands for what is feigned. */
static void
show(const stack_t *real, stack_t *old)
{
	*old = *real;
	if (!is_ours(real))
		return;
	if (shown.bytes == 0) {
		show_none(old);
		return;
	}
	old->ss_sp = shown.base;
	old->ss_size = shown.bytes;
}

/* Of those that the kernel takes, one that cannot hold a tick. */
static bool
asks_for_small(const stack_t *set, const stack_t *before)
{
	return (before->ss_flags & SS_ONSTACK) == 0 &&
	    set->ss_size >= ARCH_LEAST_STACK &&
	    ((unsigned)set->ss_flags & ~(SS_ONSTACK | SS_AUTODISARM)) == 0 &&
	    is_small(set);
}

/* Does the process's timer tick on this thread, or may it in a moment? */
static bool
process_ticks(void)
{
	return atomic_load(&mon->process_tier) || atomic_load(&mon->arming);
}

/* Ours stays, or comes, and only looks like the program's. */
static int
feign(struct slot *s, const stack_t *set,
    int (*call)(const stack_t *, stack_t *))
{
	stack_t stays = {.ss_sp = s->altstack, .ss_flags = set->ss_flags,
	    .ss_size = ALTSTACK_BYTES};
	int ret = call(&stays, NULL);

	if (ret != 0)
		return ret;
	own = s->altstack;
	shown.base = set->ss_sp;
	shown.bytes = set->ss_size;
	return 0;
}

/* One of its own, not as large as ours are: see note_stack() in sigview.c. */
static void
note_own(const stack_t *set)
{
	if (set->ss_size >= ALTSTACK_BYTES ||
	    atomic_exchange(&view.own_stacks, true))
		return;
	control_show_kick();
}

static int
set_really(struct slot *s, const stack_t *set, bool ours,
    int (*call)(const stack_t *, stack_t *))
{
	bool off = (set->ss_flags & SS_DISABLE) != 0;
	int ret;

	if (!off)
		note_own(set);
	ret = ours && off ? 0 : call(set, NULL);
	if (ret != 0)
		return ret;
	shown.bytes = 0;
	if (off && !ours)
		altstack_take(s);
	return 0;
}

/*
 * The thread goes without a clock from here on.  No tick may come any more when
 * the call is made, nor one that was sent already: it would kill.  T is
 * blocked.
 */
static void
leave_clocks(struct slot *s)
{
	mark_small(s);
	coarse_stop(s);
	fine_stop(s, FORMAT_FINE_NEVER);
	sigmask_drain();
}

static int
set_small(struct slot *s, const stack_t *set, bool ours,
    int (*call)(const stack_t *, stack_t *))
{
	sys_sigset ticks = mask_tick() | sigmask_front(), before;
	int ret;

	sys_sigprocmask(SIG_BLOCK, &ticks, &before);
	leave_clocks(s);
	/* The process's timer may have been started until we said so. */
	if (process_ticks() && s->altstack == NULL)
		clock_leave_process();
	ret = process_ticks() && s->altstack != NULL ? feign(s, set, call) :
	    set_really(s, set, ours, call);
	sys_sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static int
set_stack(struct slot *s, const stack_t *set, const stack_t *before,
    int (*call)(const stack_t *, stack_t *))
{
	bool ours = is_ours(before), frozen = atomic_load(&mon->frozen);

	if (asks_for_small(set, before)) {
		if ((frozen || process_ticks()) && s->altstack != NULL)
			return feign(s, set, call);
		if (!frozen)
			return set_small(s, set, ours, call);
	}
	return set_really(s, set, ours, call);
}

/*
 * A thread of a raw clone that shares its maker's TLS, where our words are the
 * maker's.  A sweep gives it a clock, or this does, to take it away again.
 */
static int
set_of_sharer(int tid, const stack_t *set, stack_t *old, const stack_t *before,
    int (*call)(const stack_t *, stack_t *))
{
	sys_sigset ticks = mask_tick() | sigmask_front(), mask;
	struct slot *s;
	int ret;

	if (set == NULL || !asks_for_small(set, before) ||
	    atomic_load(&mon->frozen))
		return call(set, old);
	sys_sigprocmask(SIG_BLOCK, &ticks, &mask);
	s = slot_of(tid);
	if (s == NULL)
		s = sweep_adopt(tid);
	if (s != NULL)
		leave_clocks(s);
	if (process_ticks())
		clock_leave_process();
	ret = call(set, old);
	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
	return ret;
}

int
altstack_set(const stack_t *set, stack_t *old,
    int (*call)(const stack_t *, stack_t *))
{
	struct slot *s = slot_self;
	stack_t before, seen;
	int ret = 0, tid;

	if (!start_active() || s == NULL || !slot_valid(s))
		return call(set, old);
	if (SYS(sigaltstack, NULL, &before, 0, 0, 0, 0) != 0)
		return call(set, old);
	tid = atomic_load(&mon->frozen) ? s->tid : sys_gettid();
	if (tid != s->tid)
		return set_of_sharer(tid, set, old, &before, call);
	show(&before, &seen);
	if (set != NULL)
		ret = set_stack(s, set, &before, call);
	if (ret == 0 && old != NULL)
		*old = seen;
	return ret;
}
