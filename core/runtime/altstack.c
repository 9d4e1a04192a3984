/*
 * Context: T.  Alternate signal stacks: sets ours with the kernel (onstack.h).
 */
#include "altstack.h"

#include "clock.h"
#include "coarse.h"
#include "control.h"
#include "fine.h"
#include "memory.h"
#include "onstack.h"
#include "sigmask.h"
#include "slot.h"
#include "start.h"
#include "sweep.h"

static void
install(void *base, stack_t *before)
{
	const stack_t s = {.ss_sp = base, .ss_size = ONSTACK_BYTES};

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
	if (now->ss_size >= config.frame + ALTSTACK_NEED)
		return false;
	measure_frame();
	return now->ss_size < config.frame + ALTSTACK_NEED;
}

static void
mark_small(struct slot *s)
{
	if (atomic_exchange(&s->stack_small, true))
		return;
	atomic_fetch_add(&mon->small_stacks, 1);
	control_show_kick();
	loss_count(LOSS_ALTSTACK, 1);
}

/*
 * Handles a stack that a runtime has set by a raw system call.  Its handlers,
 * which raw calls set, too, rely on running there, so ticks run there as well.
 */
static void
leave_foreign(struct slot *s, const stack_t *now)
{
	if (is_small(now))
		mark_small(s);
	/*
	 * The stack may be just large enough for the program's handlers: see
	 * note_stack() in sigview.c.
	 */
	if (now->ss_size < ONSTACK_BYTES &&
	    !atomic_exchange(&view.own_stacks, true))
		control_show_kick();
}

/* A start has none as a rule, which is seen by setting ours: a call less. */
static void
take_at_start(struct slot *s)
{
	stack_t before = {.ss_flags = SS_DISABLE};

	install(s->altstack, &before);
	if ((before.ss_flags & SS_DISABLE) != 0)
		return;
	SYS(sigaltstack, &before, NULL, 0, 0, 0, 0);
	if (!onstack_is_ours(&before))		/* ours: from before a fork */
		leave_foreign(s, &before);
}

STATE_START void
altstack_take(struct slot *s)
{
	stack_t now;

	if (s->main) {
		s->altstack = onstack_make(true);
		take_at_start(s);
		return;
	}
	if (SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return;
	if (onstack_is_ours(&now)) {
		s->altstack = now.ss_sp;	/* from before a fork */
		return;
	}
	if ((now.ss_flags & SS_DISABLE) == 0) {
		leave_foreign(s, &now);
		return;
	}
	if (!atomic_load(&mon->frozen))
		altstack_provide(s);
	if (s->altstack != NULL)
		install(s->altstack, NULL);
}

void
altstack_provide(struct slot *s)
{
	if (s->altstack == NULL)
		s->altstack = onstack_make(s->main);
}

/*
 * Leaves the thread without a clock, because there is no memory for a stack of
 * ours.  After this no tick may arrive, not even one that was sent before.
 */
static void
leave_clocks(struct slot *s)
{
	mark_small(s);
	coarse_stop(s);
	fine_stop(s, FORMAT_FINE_NEVER);
	sigmask_drain();
	/*
	 * Another thread may have started the process's timer before it could
	 * see this.
	 */
	if (atomic_load(&mon->process_tier) || atomic_load(&mon->arming))
		clock_leave_process();
}

/*
 * Returns the slot of the calling thread.  In a thread that shares its maker's
 * TLS, the slot in TLS is the maker's.
 */
static struct slot *
slot_of_caller(void)
{
	struct slot *s = slot_self;
	int tid;

	if (s == NULL || !slot_valid(s))
		return NULL;
	tid = atomic_load(&mon->frozen) ? s->tid : sys_gettid();
	if (s->tid == tid)
		return s;
	s = slot_of(tid);
	return s != NULL ? s : sweep_adopt(tid);
}

/*
 * A thread that runs on its alternate stack cannot set another: the kernel
 * answers EPERM, or EFAULT first.
 */
static int
refuse(const stack_t *set)
{
	const uintptr_t at = (uintptr_t)set;

	if (atomic_load(&mon->frozen) || (memory_is_there(at) &&
	    memory_is_there(at + sizeof *set - 1)))
		return -EPERM;
	return -EFAULT;
}

struct setting {
	void *base;
	const stack_t *set, *now;
	altstack_call *call;
	bool in_place;		/* a handler that runs on our stack calls */
	int error;
};

/*
 * Lets the kernel check what the program sets, by setting it; then sets ours
 * again, and the kernel's answer to that says what the program's was.
 */
static void
set_both(void *setting)
{
	struct setting *s = setting;
	stack_t taken, ours;

	if (s->call(s->set, NULL) != 0) {
		s->error = errno;
		return;
	}
	if (SYS(sigaltstack, NULL, &taken, 0, 0, 0, 0) != 0)
		return;
	ours = onstack_for(s->base, &taken, s->now, s->in_place);
	SYS(sigaltstack, &ours, NULL, 0, 0, 0, 0);
}

/*
 * Blocks signals meanwhile, so that no handler runs.  A handler of a program
 * without a stack may run on ours, where the kernel refuses every change: then
 * the calls are made from another stack.
 */
static int
set_and_return(void *base, const stack_t *set, const stack_t *now,
    altstack_call *call)
{
	const sys_sigset all = ~(sys_sigset)0;
	struct setting s = {base, set, now, call, onstack_is_ours(now) &&
	    onstack_is_on(base, (uintptr_t)__builtin_frame_address(0)), 0};
	sys_sigset before;

	slot_shut(&before);
	if (s.in_place) {
		sys_sigprocmask(SIG_BLOCK, &all, NULL);
		arch_call_on(onstack_spare(base), set_both, &s);
	} else {
		set_both(&s);
	}
	slot_unshut(&before);
	return -s.error;
}

/*
 * Sets a stack behind a seccomp filter, where signals cannot be blocked.
 * Passes ours to the kernel, with the program's size if that is too small, so
 * that the kernel refuses it.
 */
static int
set_frozen(void *base, const stack_t *set, const stack_t *now,
    altstack_call *call)
{
	stack_t ours = onstack_for(base, set, now, false);

	if ((set->ss_flags & SS_DISABLE) == 0) {
		ours.ss_flags = (int)((unsigned)set->ss_flags & ~SS_AUTODISARM);
		if (set->ss_size < ARCH_LEAST_STACK)
			ours.ss_size = set->ss_size;
	}
	return call(&ours, NULL) == 0 ? 0 : -errno;
}

static int
change(const stack_t *set, const stack_t *now, const stack_t *shown,
    altstack_call *call)
{
	struct slot *s = start_active() ? slot_of_caller() : NULL;
	void *base = onstack_is_ours(now) ? now->ss_sp : NULL;

	if (s == NULL)
		return call(set, NULL) == 0 ? 0 : -errno;
	if (base != NULL && (shown->ss_flags & SS_ONSTACK) != 0)
		return refuse(set);
	if (base == NULL) {
		if (!atomic_load(&mon->frozen))
			altstack_provide(s);
		base = s->altstack;
	}
	if (base == NULL) {
		if (!atomic_load(&mon->frozen))
			leave_clocks(s);
		return call(set, NULL) == 0 ? 0 : -errno;
	}
	return atomic_load(&mon->frozen) ?
	    set_frozen(base, set, now, call) :
	    set_and_return(base, set, now, call);
}

int
altstack_set(const stack_t *set, stack_t *old, altstack_call *call)
{
	stack_t now, shown;
	int ret = 0;

	if (mon == NULL || SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return call(set, old) == 0 ? 0 : -errno;
	onstack_show(&now, (uintptr_t)__builtin_frame_address(0), &shown);
	if (set != NULL)
		ret = change(set, &now, &shown, call);
	if (ret != 0 || old == NULL)
		return ret;
	/* The kernel tells whether `old` can be written. */
	if (call(NULL, old) != 0)
		return -errno;
	*old = shown;
	return 0;
}
