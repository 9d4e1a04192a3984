/* Context: O.  See altstack_target.h. */
#include "altstack_target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct thread_slot *self;

void
altstack_target_start(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	target_init();
	self = target_slot();
	self->main = false;
	cr_assert_eq(sigaltstack(&none, NULL), 0);
}

void
altstack_target_end(void)
{
	cpu_timer_stop(self);
	target_fini();
}

stack_t
altstack_target_real(void)
{
	stack_t s;

	cr_assert_eq(sigaltstack(NULL, &s), 0);
	return s;
}

stack_t
altstack_target_seen(void)
{
	stack_t s;

	memset(&s, 0xff, sizeof s);
	cr_assert_eq(altstack_set(NULL, &s, sigaltstack), 0);
	return s;
}

bool
altstack_target_is_none(stack_t s)
{
	return s.ss_sp == NULL && s.ss_flags == SS_DISABLE && s.ss_size == 0;
}

char large[64 << 10], tight[8192];

int
altstack_target_set(void *base, size_t bytes, int flags, stack_t *old)
{
	stack_t s = {.ss_sp = base, .ss_flags = flags, .ss_size = bytes};
	int ret = altstack_set(&s, old, sigaltstack);

	errno = -ret;
	return ret == 0 ? 0 : -1;
}
