/* Context: load.  A shared library whose destructor burns CPU time, as one that
 * ends its worker threads there does, and says `PID SECONDS`. */
#include "load.h"

__attribute__((destructor)) static void
late(void)
{
	load_burn(0.3);
	printf("%d %.6f\n", (int)getpid(), load_clock(CLOCK_PROCESS_CPUTIME_ID));
	fflush(stdout);
}
