/* Context: T.  The first and the last that the loader runs of us. */
#include "hook.h"
#include "seal.h"
#include "start.h"

__attribute__((constructor)) static void
begin(void)
{
	int saved = errno;	/* getauxval sets it */

	real_find();
	start_library();
	errno = saved;
}

__attribute__((destructor)) static void
end(void)
{
	seal_process(FORMAT_END_EXIT, -1);
}
