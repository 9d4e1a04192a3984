/*
 * Context: T.  Calls a function on a temporary stack, for the writers of
 * classic files; see temp_stack.h.
 */
#include "base/temp_stack.h"

#include "arch.h"
#include "base/mmap_area.h"

#include <errno.h>

#define STACK_BYTES	(64u << 10)

/*
 * A function of its own, so that the compiler saves the vector registers that
 * the call changes.
 */
static __attribute__((noinline)) void
call_on_temp_stack(char *stack, void (*fn)(void *), void *arg)
{
	arch_call_on_stack(stack, fn, arg);
}

int
temp_stack_call(void (*fn)(void *), void *arg)
{
	char *stack = mmap_area_alloc(STACK_BYTES);

	if (stack == NULL)
		return -ENOMEM;
	call_on_temp_stack(stack + STACK_BYTES, fn, arg);
	mmap_area_unmap(stack, STACK_BYTES);
	return 0;
}
