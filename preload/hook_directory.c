/* Context: T.  A run's first process has its file before it goes elsewhere. */
#include "birth.h"
#include "hook.h"
#include "start.h"
#include "sys.h"

static void
leave(void)
{
	int before = errno;

	real_begin();
	if (start_active() && !start_boxed())
		birth_before_leaving();
	errno = before;
}

MON_EXPORT int
chdir(const char *path)
{
	leave();
	return hook_return((int)SYS(chdir, path, 0, 0, 0, 0, 0));
}

MON_EXPORT int
fchdir(int fd)
{
	leave();
	return hook_return((int)SYS(fchdir, fd, 0, 0, 0, 0, 0));
}
