/* Context: T.  Alternate signal stacks: ours where the program has none. */
#include "altstack.h"

#include "clock.h"
#include "slot.h"
#include "start.h"

/* Of the calling thread; a fork child knows it again by this. */
static __thread void *own __attribute__((tls_model("initial-exec")));

/* The main thread's; no mapping of its own, for the sake of short processes. */
static char of_main[ALTSTACK_BYTES] __attribute__((aligned(16)));

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
install(void *base)
{
	stack_t s = {0};

	own = base;
	s.ss_sp = base;
	s.ss_size = ALTSTACK_BYTES;
	SYS(sigaltstack, &s, NULL, 0, 0, 0, 0);
}

void
altstack_take(struct slot *s)
{
	stack_t now;

	if (SYS(sigaltstack, NULL, &now, 0, 0, 0, 0) != 0)
		return;
	if (is_ours(&now))
		s->altstack = now.ss_sp;	/* from before a fork */
	if ((now.ss_flags & SS_DISABLE) == 0)
		return;
	if (s->altstack == NULL)
		s->altstack = s->main ? of_main : make();
	if (s->altstack != NULL)
		install(s->altstack);
}

/* Stop this thread's clocks while its stack cannot hold a tick. */
static void
judge_size(struct slot *s, const stack_t *now)
{
	bool small = (now->ss_flags & SS_DISABLE) == 0 &&
	    now->ss_size < config.frame + ALTSTACK_NEED;

	if (small == s->stack_small)
		return;
	s->stack_small = small;
	if (small) {
		clock_stop_coarse(s);
		clock_stop_fine(s, FORMAT_FINE_NEVER);
		loss_count(LOSS_ALTSTACK, 1);
	} else {
		clock_arm_coarse(s);
	}
}

static void
show_none(stack_t *s)
{
	s->ss_sp = NULL;
	s->ss_flags = SS_DISABLE;
	s->ss_size = 0;
}

int
altstack_set(const stack_t *set, stack_t *old,
    int (*call)(const stack_t *, stack_t *))
{
	struct slot *s = slot_self;
	stack_t before;
	bool ours;
	int ret;

	if (!start_active() || s == NULL || !slot_valid(s))
		return call(set, old);
	if (SYS(sigaltstack, NULL, &before, 0, 0, 0, 0) != 0)
		return call(set, old);
	ours = is_ours(&before);
	if (set != NULL && !(ours && (set->ss_flags & SS_DISABLE) != 0)) {
		/* Judged first: a tick may come right behind the call. */
		judge_size(s, set);
		ret = call(set, NULL);
		if (ret != 0) {
			judge_size(s, &before);
			return ret;
		}
		if ((set->ss_flags & SS_DISABLE) != 0)
			altstack_take(s);
	}
	if (old != NULL) {
		*old = before;
		if (ours)
			show_none(old);
	}
	return 0;
}
