/*
 * Context: T.  glibc's profiler, all of the set: counted calls are ours, and so
 * are profil(3) and sprofil(3) where our clocks run.  libc's own use SIGPROF by
 * calls that no hook sees.
 */
#include "arc.h"
#include "hook.h"
#include "monitor.h"
#include "profil.h"
#include "shard.h"
#include "sigmove.h"
#include "state.h"
#include "writers.h"

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

/* libc's runs from before a linked program's monitor() made calls ours. */
static bool libc_started;

static bool
is_libcs(void)
{
	return mon == NULL || libc_started;
}

static void
begin_libcs(void)
{
	if (mon == NULL)
		arc_look_behind();
	libc_started = true;
}

/*
 * Its clock would go on over exec, and kill the next program.  Before ours is
 * there, as it puts back the action that SIGPROF had before.
 */
void
hook_gmon_hand_over(void)
{
	if (libc_started && mon == NULL && config.linked)
		REAL(moncontrol)(0);
}

MON_EXPORT void
monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	if (!is_libcs()) {
		writers_expect_gmon();
		return;
	}
	begin_libcs();
	REAL(monstartup)(low, high);
}

MON_EXPORT void
__monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	if (!is_libcs()) {
		writers_expect_gmon();
		return;
	}
	begin_libcs();
	REAL(__monstartup)(low, high);
}

/* The one that nobody in the program began. */
static int
control_profile(int mode)
{
	int before = !atomic_load(&lineage.paused);

	if ((mode != 0) != (before != 0))
		shard_pause(mode == 0);
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
	else if (before < 0 && !config.linked)
		before = control_profile(mode);
	return before;
}

MON_EXPORT void
_mcleanup(void)
{
	real_begin();
	if (is_libcs())
		REAL(_mcleanup)();
}
