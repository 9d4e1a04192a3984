/*
 * Context: T.  Hooks of calls that end the process and run no destructor.
 *
 * Signal handlers and vfork children call them, too: profiling_is_active() is
 * false in such a child.
 */
#include "base/profiling.h"
#include "classic/monitor.h"
#include "hook.h"
#include "life/clone_vm.h"
#include "life/exit_handlers.h"
#include "seal/seal.h"

#include <stdlib.h>

MON_EXPORT void
_exit(int status)
{
	real_begin();
	if (profiling_is_active())
		seal_process(FORMAT_END__EXIT, status);
	else
		clone_vm_exit();
	monitor_end();
	real._exit(status);
	__builtin_unreachable();
}

MON_EXPORT void
_Exit(int status)
{
	_exit(status);
}

MON_EXPORT void
quick_exit(int status)
{
	real_begin();
	exit_handlers_note_quick_exit(status);
	if (!profiling_is_active())
		monitor_end();
	REAL(quick_exit)(status);
	__builtin_unreachable();
}
