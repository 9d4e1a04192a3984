/* Context: T.  Alternate signal stacks: ours where the program has none. */
#include "altstack.h"

#include "clock.h"
#include "coarse.h"
#include "fine.h"
#include "slot.h"
#include "start.h"
#include "str.h"

#define KERNEL_LEAST	2048u	/* it refuses less: MINSIGSTKSZ */

/* Of the calling thread; a fork child knows it again by this. */
static __thread void *own __attribute__((tls_model("initial-exec")));

/* And shows what its parent had: size 0 none. */
static __thread stack_t feigned __attribute__((tls_model("initial-exec")));

/* The main thread's; no mapping of its own, for the sake of short processes. */
static char of_main[ALTSTACK_BYTES] STATE_FIRST
    __attribute__((aligned(4096)));

/* A page below the stack catches what would run over it. */
static void *
make(void)
{
	char *p = sys_memory(ALTSTACK_BYTES + config.page);

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

	if (!atomic_load(&mon->frozen) && !atomic_exchange(&done, true))
		config.frame = arch_frame(config.frame);
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

static void
set_small(struct slot *s, bool small)
{
	s->stack_small = small;
	atomic_fetch_add(&mon->small_stacks, small ? 1 : -1);
}

/* The program's, from before a fork or before we were loaded: not armed yet. */
static void
judge_given(struct slot *s, const stack_t *now)
{
	if (!is_small(now))
		return;
	set_small(s, true);
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
	judge_given(s, &before);
}

void
altstack_take(struct slot *s)
{
	stack_t now;

	if (s->main && own == NULL) {
		take_at_start(s);
		return;
	}
	if (SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return;
	if (is_ours(&now))
		s->altstack = now.ss_sp;	/* from before a fork */
	if ((now.ss_flags & SS_DISABLE) == 0) {
		judge_given(s, &now);
		return;
	}
	if (s->altstack == NULL)
		s->altstack = s->main ? of_main : make();
	if (s->altstack != NULL)
		install(s->altstack, NULL);
}

/* Stop this thread's clocks while its stack cannot hold a tick. */
static void
judge_size(struct slot *s, const stack_t *now)
{
	bool small = is_small(now);

	if (small == s->stack_small)
		return;
	set_small(s, small);
	if (small) {
		coarse_stop(s);
		fine_stop(s, FORMAT_FINE_NEVER);
	} else {
		clock_start(s);
	}
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
	if (feigned.ss_size == 0) {
		show_none(old);
		return;
	}
	old->ss_sp = feigned.ss_sp;
	old->ss_size = feigned.ss_size;
}

/*
 * Of one thread: behind seccomp nothing can be stopped, and the process's timer
 * ticks on any.
 */
static bool
can_stop_clocks(void)
{
	return !atomic_load(&mon->frozen) && !mon->process_tier;
}

static bool
ticks_come(const struct slot *s)
{
	return atomic_load(&s->timer) != 0 || mon->process_tier;
}

/*
 * A tick on a stack that cannot hold it kills: where they cannot be stopped,
 * ours stays, and only looks like the program's.
 */
static int
set_unstopped(struct slot *s, const stack_t *set, bool ours,
    int (*call)(const stack_t *, stack_t *))
{
	bool feign = is_small(set) && set->ss_size >= KERNEL_LEAST &&
	    s->altstack != NULL && ticks_come(s);
	stack_t stays = {.ss_sp = s->altstack, .ss_flags = set->ss_flags,
	    .ss_size = ALTSTACK_BYTES};
	int ret = 0;

	if (!ours || (set->ss_flags & SS_DISABLE) == 0)
		ret = call(feign ? &stays : set, NULL);
	if (ret != 0)
		return ret;
	mem_zero(&feigned, sizeof feigned);
	if (feign)
		feigned = *set;
	else if ((set->ss_flags & SS_DISABLE) != 0 && s->altstack != NULL)
		install(s->altstack, NULL);
	return 0;
}

static int
set_stack(struct slot *s, const stack_t *set, const stack_t *before,
    int (*call)(const stack_t *, stack_t *))
{
	bool was_small = s->stack_small;
	int ret;

	/* No tick may find the small one: behind the call, or still before. */
	if (is_small(set)) {
		judge_size(s, set);
		if (atomic_load(&mon->process_tier)) {	/* armed meanwhile */
			set_small(s, false);
			return set_unstopped(s, set, is_ours(before), call);
		}
	}
	ret = call(set, NULL);
	if (ret == 0 && (set->ss_flags & SS_DISABLE) != 0)
		altstack_take(s);
	judge_size(s, ret == 0 ? set : before);
	if (s->stack_small && !was_small)
		loss_count(LOSS_ALTSTACK, 1);
	return ret;
}

int
altstack_set(const stack_t *set, stack_t *old,
    int (*call)(const stack_t *, stack_t *))
{
	struct slot *s = slot_self;
	stack_t before, seen;
	bool ours;
	int ret = 0;

	if (!start_active() || s == NULL || !slot_valid(s))
		return call(set, old);
	if (SYS(sigaltstack, NULL, &before, 0, 0, 0, 0) != 0)
		return call(set, old);
	show(&before, &seen);
	ours = is_ours(&before);
	/* What is feigned already, this takes back. */
	if (set != NULL && (!can_stop_clocks() || feigned.ss_size != 0))
		ret = set_unstopped(s, set, ours, call);
	else if (set != NULL && !(ours && (set->ss_flags & SS_DISABLE) != 0))
		ret = set_stack(s, set, &before, call);
	if (ret == 0 && old != NULL)
		*old = seen;
	return ret;
}
