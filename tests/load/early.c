/* Context: load.  Calls what is hooked before libc has found its environment,
 * as a sanitizer that is linked in does. */
#include "load.h"

#include <signal.h>

static void
early(void)
{
	struct sigaction a;
	stack_t s;

	sigaltstack(NULL, &s);
	sigaction(SIGPROF, NULL, &a);
}

__attribute__((section(".preinit_array"), used))
static void (*const before)(void) = early;

/* early SECONDS: prints errno as main finds it. */
int
main(int argc, char **argv)
{
	printf("errno %d\n", errno);
	load_burn(load_number(argc, argv, 1, 0.2));
	return 0;
}
