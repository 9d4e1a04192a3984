/* Context: T.  monitor(3C) and its kin, mon.h. */
#include "arc.h"
#include "hook.h"
#include "mon.h"
#include "monitor.h"
#include "profil.h"
#include "state.h"

#include <dlfcn.h>

/* As our own hook has it, beside which another library may stand. */
static int
set_profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	return profil(buffer, size, offset, scale);
}

/* Looked up here, as nobody has a use for it who does not fail. */
static void
complain(int error, const char *path)
{
	void (*say)(const char *) = (void (*)(const char *))dlsym(RTLD_NEXT,
	    "perror");

	errno = error;
	if (say != NULL)
		say(path);
}

MON_EXPORT void
monitor(int (*lowpc)(void), int (*highpc)(void), WORD *buffer, size_t bufsize,
    size_t nfunc)
{
	int saved = errno, ret;
	const char *path;

	real_begin();
	if (lowpc == NULL) {
		ret = monitor_write(true, &path);
		if (ret != 0)
			complain(-ret, path);
		errno = saved;
		return;
	}
	if (profil_can())
		arc_look_behind();	/* calls are ours from here on */
	if (monitor_start((char *)(uintptr_t)lowpc, (char *)(uintptr_t)highpc,
	    buffer, bufsize, nfunc, set_profil) && config.linked)
		hook_fatal_watch();
	errno = saved;
}

static void
write_on(int sig)
{
	int saved = errno;
	const char *path;

	(void)sig;
	monitor_write(false, &path);
	errno = saved;
}

MON_EXPORT int
monitor_signal(int signo)
{
	struct sigaction a = {.sa_handler = write_on, .sa_flags = SA_RESTART};

	real_begin();
	return sigaction(signo, &a, NULL);
}
