/* Context: T.  sigaltstack(2): ours lies where the program has none. */
#include "altstack.h"
#include "hook.h"
#include "start.h"
#include "state.h"
#include "thread.h"

MON_EXPORT int
sigaltstack(const stack_t *set, stack_t *old)
{
	real_begin();
	if (set != NULL && start_active() && slot_self == NULL)
		thread_meet();
	return hook_return(altstack_set(set, old, REAL(sigaltstack)));
}
