/*
 * Context: T.  Defines monitor(3C) and monitor_signal() of mon.h, which a
 * program calls; its moncontrol() is in hook_gmon.c.
 */
#include "base/state.h"
#include "base/str.h"
#include "classic/monitor.h"
#include "classic/profil.h"
#include "count/arc.h"
#include "hook.h"
#include "life/start.h"
#include "mon.h"

#include <dlfcn.h>

/*
 * Calls libmon's own hook of profil(), even if another library defines one,
 * too.
 */
static int
call_profil_hook(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale)
{
	return profil(buffer, size, offset, scale);
}

/*
 * Returns constant text, so that signal handlers can use it; looked up by the
 * first monitor().
 */
static const char *(*describe_errno)(int error);

/* Prints why the file was not written, as perror(3) does, with no stdio. */
static void
print_write_error(int error, const char *path)
{
	const char *words = describe_errno == NULL ? NULL :
	    describe_errno(error);
	char line[PATH_MAX + 128];
	struct str s;

	str_init(&s, line, sizeof(line));
	str_add(&s, path);
	str_add(&s, ": ");
	str_add(&s, words != NULL ? words : "it cannot be written");
	str_add(&s, "\n");
	sys_write(2, line, (size_t)(s.at - line));
}

MON_EXPORT void
monitor(int (*lowpc)(void), int (*highpc)(void), WORD *buffer, size_t bufsize,
    size_t nfunc)
{
	static const struct monitor_callbacks calls = {call_profil_hook,
	    print_write_error};
	int saved = errno;

	real_begin();
	if (lowpc == NULL) {
		monitor_write(true);
		errno = saved;
		return;
	}
	if (describe_errno == NULL)
		describe_errno = (const char *(*)(int))dlsym(RTLD_NEXT,
		    "strerrordesc_np");
	start_linked();
	if (profil_is_ours())
		/* libmon counts the calls from here on */
		arc_resolve_real();
	if (monitor_start((char *)(uintptr_t)lowpc, (char *)(uintptr_t)highpc,
	    buffer, bufsize, nfunc, &calls) && config.linked)
		hook_fatal_signal_install();
	errno = saved;
}

static void
write_on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	monitor_write(false);
	errno = saved;
}

MON_EXPORT int
monitor_signal(int signo)
{
	struct sigaction a = {.sa_handler = write_on_signal, .sa_flags =
	    SA_RESTART};

	real_begin();
	return sigaction(signo, &a, NULL);
}
