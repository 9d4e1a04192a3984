/* Context: T.  sigaltstack(2): ours lies where the program has none. */
#include "altstack.h"
#include "hook.h"

MON_EXPORT int
sigaltstack(const stack_t *set, stack_t *old)
{
	real_begin();
	return altstack_set(set, old, REAL(sigaltstack));
}
