/* Context: T.  Calls on a stack of our own. */
#include "ownstack.h"

#include "arch.h"
#include "region.h"

#include <errno.h>

#define STACK_BYTES	(64u << 10)

/*
 * A function of its own, so that the compiler saves the vector registers that
 * the call changes.
 */
static __attribute__((noinline)) void
call_on(char *stack, void (*fn)(void *), void *arg)
{
	arch_call_on(stack, fn, arg);
}

int
ownstack_call(void (*fn)(void *), void *arg)
{
	char *stack = region_memory(STACK_BYTES);

	if (stack == NULL)
		return -ENOMEM;
	call_on(stack + STACK_BYTES, fn, arg);
	region_unmap(stack, STACK_BYTES);
	return 0;
}
