/* Context: T.  The first that the loader runs of us. */
#include "hook.h"
#include "start.h"

__attribute__((constructor)) static void
begin(void)
{
	int saved = errno;	/* getauxval sets it */

	start_library();
	errno = saved;
}
