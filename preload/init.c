/*
 * Context: T.  Defines the constructor and the destructor of the library.  The
 * loader calls them: the constructor as the first one of the process, unless
 * the library is loaded later, and the destructor as the last one.
 */
#include "base/config.h"
#include "life/start.h"
#include "real.h"

#include <errno.h>

/* glibc's function; weak, as in libc_handlers.h. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
    void (*child)(void), void *library) __attribute__((weak));

/*
 * Starts the library.  It is the first constructor of the process (-z
 * initfirst), so that the time of the others is counted: libc's own has not run
 * either, and `environ` is not set.
 */
__attribute__((constructor)) static void
libmon_constructor(int argc, char **argv, char **environment)
{
	int saved = errno;	/* getauxval sets it */

	(void)argc;
	/* Below the arguments lies their number, and no frame. */
	config.stack_top = (uintptr_t)(argv - 1);
	start_library(environment);
	/*
	 * A child calls a hook at its end, _exit or exec.  The functions that
	 * the hook needs are looked up before the fork, once for all children
	 * (30 us each).
	 */
	if (__register_atfork != NULL)
		__register_atfork(real_begin, NULL, NULL, NULL);
	errno = saved;
}

/* The first constructor's library has the last destructor. */
__attribute__((destructor)) static void
libmon_destructor(void)
{
	int saved = errno;

	start_library_end();
	errno = saved;
}
