/*
 * Context: T.  Hooks of chdir(2) and fchdir(2): the first process of a run
 * creates its file before it changes the directory.
 */
#include "base/profiling.h"
#include "base/sys.h"
#include "hook.h"
#include "store/store_create.h"

/* Creates mon.out in the present directory, if that is due.  Keeps errno. */
static void
create_before_chdir(void)
{
	int before = errno;

	real_begin();
	if (profiling_is_active() && !profiling_is_frozen())
		store_create_before_chdir();
	errno = before;
}

MON_EXPORT int
chdir(const char *path)
{
	create_before_chdir();
	return hook_return((int)SYS(chdir, path, 0, 0, 0, 0, 0));
}

MON_EXPORT int
fchdir(int fd)
{
	create_before_chdir();
	return hook_return((int)SYS(fchdir, fd, 0, 0, 0, 0, 0));
}
