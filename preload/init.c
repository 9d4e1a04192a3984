/* Context: T.  The first that the loader runs of us. */
#include "config.h"
#include "start.h"

#include <errno.h>

/*
 * The first constructor of the process (-z initfirst), so that the others' time
 * is seen: libc's own has not run either, and `environ` is not there.
 */
__attribute__((constructor)) static void
begin(int argc, char **argv, char **environment)
{
	int saved = errno;	/* getauxval sets it */

	(void)argc;
	/*
	 * Below the arguments lies how many there are, and nothing of a frame.
	 */
	config.stack_top = (uintptr_t)(argv - 1);
	start_library(environment);
	errno = saved;
}

/* And so the last of its destructors. */
__attribute__((destructor)) static void
end(void)
{
	int saved = errno;

	start_end_of_program();
	errno = saved;
}
