/*
 * Context: T.  Seals the profile at exit(3) and quick_exit(3).  libc calls the
 * handlers, in the thread that ends the process; see exit_handlers.h.
 */
#include "life/exit_handlers.h"

#include "base/libc_handlers.h"
#include "base/state.h"
#include "seal/seal.h"

#include <dlfcn.h>

/*
 * Seals the profile at exit(3).  The exit handler that was registered first
 * runs last: also after the destructors of the program's libraries, which the
 * loader runs after those of libmon.
 */
static void
seal_at_exit(int status, void *unused)
{
	(void)unused;
	seal_process(FORMAT_END_EXIT, status & 0xff);
}

/*
 * The status of quick_exit(3), which libc does not tell its handlers.  Zero at
 * first, so that it takes no page of .data.
 */
static struct {
	bool known;
	int status;
} quick;

/*
 * The handler that was registered first runs last, so that the time of the
 * other handlers is counted.
 */
static void
seal_at_quick_exit(void *unused)
{
	(void)unused;
	seal_process(FORMAT_END__EXIT, quick.known ? quick.status : -1);
}

/*
 * Registers the handler by libc's on_exit(), not by the program's: a
 * ThreadSanitizer that is linked in stands before libc, and is not set up yet
 * when libmon runs as the first of all constructors.
 */
static void
register_on_exit(void (*handler)(int status, void *unused))
{
	int (*real)(void (*)(int, void *), void *) =
	    (int (*)(void (*)(int, void *), void *))dlsym(RTLD_NEXT, "on_exit");

	if (real != NULL)
		real(handler, NULL);
}

void
exit_handlers_register(void)
{
	if (!config.linked)
		register_on_exit(seal_at_exit);
	__cxa_at_quick_exit(seal_at_quick_exit, NULL);
}

void
exit_handlers_note_quick_exit(int status)
{
	quick.status = status;
	quick.known = true;
}
