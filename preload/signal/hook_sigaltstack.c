/*
 * Context: T.  Hooks of sigaltstack(2) and of libc's check of long jumps:
 * libmon's stack stays set with the kernel, and the program's is kept behind
 * it.
 */
#include "base/profiling.h"
#include "base/state.h"
#include "hook.h"
#include "life/thread.h"
#include "signal/altstack.h"

#include <setjmp.h>

MON_EXPORT int
sigaltstack(const stack_t *set, stack_t *old)
{
	real_begin();
	if (set != NULL && profiling_is_active() && thread_slot_self == NULL)
		thread_attach();
	return hook_return(altstack_set(set, old, REAL(sigaltstack)));
}

MON_EXPORT void __longjmp_chk(sigjmp_buf env, int value)
    __attribute__((noreturn));

/*
 * Hooks longjmp(3) of _FORTIFY_SOURCE.  libc ends the program if the jump goes
 * down the stack, unless the kernel says that the thread is on its alternate
 * stack.  The kernel knows libmon's stack, so this asks the hook of
 * sigaltstack() whether a handler runs on the program's.
 */
MON_EXPORT void
__longjmp_chk(sigjmp_buf env, int value)
{
	static void (*check)(sigjmp_buf, int);
	const int saved = errno;
	stack_t now;

	real_begin();
	real_find_late((void **)(void *)&check, "__longjmp_chk");
	if (check == NULL || (sigaltstack(NULL, &now) == 0 &&
	    (now.ss_flags & SS_ONSTACK) != 0)) {
		errno = saved;
		siglongjmp(env, value);
	}
	errno = saved;
	check(env, value);
	__builtin_unreachable();
}
