/* Context: T.  The first that the loader runs of us. */
#include "base/config.h"
#include "life/start.h"
#include "real.h"

#include <errno.h>

/* glibc's; weak, as in start.c. */
extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
    void (*child)(void), void *library) __attribute__((weak));

/*
 * The first constructor of the process (-z initfirst), so that the others' time
 * is seen: libc's own has not run either, and `environ` is not there.
 */
__attribute__((constructor)) static void
libmon_constructor(int argc, char **argv, char **environment)
{
	int saved = errno;	/* getauxval sets it */

	(void)argc;
	/*
	 * Below the arguments lies how many there are, and nothing of a frame.
	 */
	config.stack_top = (uintptr_t)(argv - 1);
	start_library(environment);
	/*
	 * A child calls a hook at its end, _exit or exec.  What the hook needs
	 * is found before the fork, once for all children (30 us each).
	 */
	if (__register_atfork != NULL)
		__register_atfork(real_begin, NULL, NULL, NULL);
	errno = saved;
}

/* And so the last of its destructors. */
__attribute__((destructor)) static void
libmon_destructor(void)
{
	int saved = errno;

	start_library_end();
	errno = saved;
}
