/*
 * Context: T.  Hooks of glibc's profiler, which a program or crt1 of -pg calls.
 * libmon counts the calls and, where its clocks run, does the work of profil(3)
 * and sprofil(3).  libc's own functions use SIGPROF by calls that no hook sees.
 */
#include "base/state.h"
#include "classic/format_writers.h"
#include "classic/gmon_request.h"
#include "classic/monitor.h"
#include "classic/profil.h"
#include "count/arc.h"
#include "count/arc_shard.h"
#include "hook.h"
#include "life/start.h"
#include "options/environment.h"
#include "signal/signal_move.h"

#include <sys/auxv.h>

MON_EXPORT int profil(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);
MON_EXPORT void monstartup(unsigned long low, unsigned long high);
MON_EXPORT void __monstartup(unsigned long low, unsigned long high);
MON_EXPORT int moncontrol(int mode);
MON_EXPORT void _mcleanup(void);

/*
 * Starts a library that is only linked.  Returns whether libmon does the work
 * of profil(3) from here on.
 */
static bool
start_own_profil(void)
{
	start_linked();
	return profil_is_ours();
}

MON_EXPORT int
profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	/*
	 * NULL ends profiling, although libc declares the argument as not NULL.
	 */
	unsigned short *volatile to = buffer;

	real_begin();
	if (start_own_profil())
		return hook_return(profil_set(to, size, offset, scale));
	profil_end();
	if (to != NULL)
		signal_move_yield_itimer();
	return REAL(profil)(buffer, size, offset, scale);
}

MON_EXPORT int
sprofil(struct prof *region, int count, struct timeval *period, unsigned flags)
{
	real_begin();
	if (start_own_profil())
		return hook_return(profil_set_regions(region, count, period,
		    flags));
	profil_end();
	if (count > 0)
		signal_move_yield_itimer();
	return REAL(sprofil)(region, count, period, flags);
}

/* libc's monstartup(3) was called, so libc writes gmon.out. */
static bool libc_started;

/* Returns whether libc, not libmon, writes a gmon.out if anyone does. */
static bool
is_libc_profiling(void)
{
	return mon == NULL || libc_started;
}

/*
 * Returns whether a library that is only linked may write gmon.out: not if
 * PROFDIR says that nothing is to be profiled.
 */
static bool
may_own_gmon(void)
{
	const char *profdir = environment_get(environ, "PROFDIR=");

	return (profdir == NULL || *profdir != '\0') &&
	    getauxval(AT_SECURE) == 0 && start_own_profil();
}

/*
 * Begins the gmon.out of a program that calls monstartup(3).  If libmon is only
 * linked, it writes that file itself, with no call lost; if it is preloaded,
 * format= may ask for the file.  Returns false if libc must write the file.
 */
static bool
start_gmon(unsigned long low, unsigned long high)
{
	bool ours;

	real_begin();
	ours = config.linked ? may_own_gmon() : !is_libc_profiling();
	if (config.linked || !ours)
		/* libmon's or libc's function counts the calls from here on */
		arc_resolve_real();
	if (!ours) {
		libc_started = true;
		return false;
	}
	gmon_request_expect(low, high);
	if (config.linked) {
		hook_fatal_signal_install();
		format_writers_begin_gmon();
	}
	return true;
}

MON_EXPORT void
monstartup(unsigned long low, unsigned long high)
{
	if (!start_gmon(low, high))
		REAL(monstartup)(low, high);
}

MON_EXPORT void
__monstartup(unsigned long low, unsigned long high)
{
	if (!start_gmon(low, high))
		REAL(__monstartup)(low, high);
}

/*
 * Pauses or continues the profile that the program did not begin.  Returns 1 if
 * it was running, else 0.
 */
static int
pause_profile(int mode)
{
	int before = !lineage_is_paused(LINEAGE_PAUSED);

	/* Another thread may be doing this at the same time. */
	arc_shard_set_paused(LINEAGE_PAUSED, mode == 0);
	return before;
}

MON_EXPORT int
moncontrol(int mode)
{
	int before;

	real_begin();
	before = monitor_moncontrol(mode);
	if (before < 0 && is_libc_profiling())
		REAL(moncontrol)(mode);
	else if (before < 0 && (!config.linked || gmon_request_has_begun()))
		before = pause_profile(mode);
	return before;
}

MON_EXPORT void
_mcleanup(void)
{
	real_begin();
	if (is_libc_profiling()) {
		REAL(_mcleanup)();
		return;
	}
	gmon_request_reset_range();
	if (config.linked)
		format_writers_end_gmon();
}
