/*
 * Context: T.  glibc's profiler, all of the set: counted calls are ours, and so
 * are profil(3) and sprofil(3) where our clocks run.  libc's own use SIGPROF by
 * calls that no hook sees.
 */
#include "arc.h"
#include "hook.h"
#include "monitor.h"
#include "options.h"
#include "profil.h"
#include "shard.h"
#include "sigmove.h"
#include "state.h"
#include "writers.h"

#include <sys/auxv.h>

MON_EXPORT int profil(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);
MON_EXPORT void monstartup(unsigned long low, unsigned long high);
MON_EXPORT void __monstartup(unsigned long low, unsigned long high);
MON_EXPORT int moncontrol(int mode);
MON_EXPORT void _mcleanup(void);

MON_EXPORT int
profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	/* NULL ends it, which libc declares impossible. */
	unsigned short *volatile to = buffer;

	real_begin();
	if (profil_can())
		return hook_return(profil_set(to, size, offset, scale));
	profil_leave();
	if (to != NULL)
		sigmove_program_takes_itimer();
	return REAL(profil)(buffer, size, offset, scale);
}

MON_EXPORT int
sprofil(struct prof *region, int count, struct timeval *period, unsigned flags)
{
	real_begin();
	if (profil_can())
		return hook_return(profil_set_regions(region, count, period,
		    flags));
	profil_leave();
	if (count > 0)
		sigmove_program_takes_itimer();
	return REAL(sprofil)(region, count, period, flags);
}

/* From a monstartup(3) on that was not ours. */
static bool libc_started;

static bool
is_libcs(void)
{
	return mon == NULL || libc_started;
}

/* Only linked, and PROFDIR does not say that nothing is to be profiled. */
static bool
may_be_ours(void)
{
	const char *profdir = options_value(environ, "PROFDIR=");

	return (profdir == NULL || *profdir != '\0') &&
	    getauxval(AT_SECURE) == 0 && profil_can();
}

/*
 * Only linked, the gmon.out of such a program is ours all the same, with no
 * call lost; preloaded it is one that format= may ask for.  False: it is
 * libc's.
 */
static bool
start_gmon(unsigned long low, unsigned long high)
{
	bool ours;

	real_begin();
	ours = config.linked ? may_be_ours() : !is_libcs();
	if (config.linked || !ours)
		arc_look_behind();	/* whose calls are from here on */
	if (!ours) {
		libc_started = true;
		return false;
	}
	writers_expect_gmon(low, high);
	if (config.linked) {
		hook_fatal_watch();
		writers_begin_gmon();
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

/* The one that nobody in the program began. */
static int
control_profile(int mode)
{
	int before = !lineage_is(LINEAGE_PAUSED);

	/* Another thread may be in the midst of the same. */
	shard_pause(LINEAGE_PAUSED, mode == 0);
	return before;
}

MON_EXPORT int
moncontrol(int mode)
{
	int before;

	real_begin();
	before = monitor_control(mode);
	if (before < 0 && is_libcs())
		REAL(moncontrol)(mode);
	else if (before < 0 && (!config.linked || writers_have_gmon()))
		before = control_profile(mode);
	return before;
}

MON_EXPORT void
_mcleanup(void)
{
	real_begin();
	if (is_libcs()) {
		REAL(_mcleanup)();
		return;
	}
	writers_forget_range();
	if (config.linked)
		writers_end_gmon();
}
