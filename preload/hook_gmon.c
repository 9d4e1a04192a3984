/*
 * Context: T.  glibc's profiler, all of the set: counted calls are ours, and so
 * are profil(3) and sprofil(3) where our clocks run.  libc's own use SIGPROF by
 * calls that no hook sees.
 */
#include "arc.h"
#include "hook.h"
#include "profil.h"
#include "sigmove.h"
#include "state.h"

#include <dlfcn.h>

MON_EXPORT int profil(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);
MON_EXPORT void monstartup(unsigned long low, unsigned long high);
MON_EXPORT void __monstartup(unsigned long low, unsigned long high);
MON_EXPORT void moncontrol(int mode);
MON_EXPORT void _mcleanup(void);

/* Looked up here, as a start has no use for it. */
static bool
is_libc(const void *function)
{
	int (*where)(const void *, Dl_info *) =
	    (int (*)(const void *, Dl_info *))dlsym(RTLD_NEXT, "dladdr");
	Dl_info one, libc;

	return where != NULL && where(function, &one) != 0 &&
	    where((void *)dlsym, &libc) != 0 && one.dli_fbase == libc.dli_fbase;
}

static void *
behind(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	return function != NULL && mon != NULL && is_libc(function) ? NULL :
	    function;
}

void
hook_gmon_begin(void)
{
	int saved = errno;

	arc_real.leave = behind("__cyg_profile_func_exit");
	arc_real.enter = behind("__cyg_profile_func_enter");
	arc_real.fentry = behind("__fentry__");
	arc_real.mcount = behind("_mcount");
	errno = saved;
}

MON_EXPORT int
profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	/* NULL ends it, which libc declares impossible. */
	unsigned short *volatile to = buffer;

	real_begin();
	if (profil_can())
		return hook_return(profil_set(to, size, offset, scale));
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
	if (count > 0)
		sigmove_program_takes_itimer();
	return REAL(sprofil)(region, count, period, flags);
}

MON_EXPORT void
monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	if (mon != NULL)
		return;
	hook_gmon_begin();
	REAL(monstartup)(low, high);
}

MON_EXPORT void
__monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	if (mon != NULL)
		return;
	hook_gmon_begin();
	REAL(__monstartup)(low, high);
}

MON_EXPORT void
moncontrol(int mode)
{
	real_begin();
	if (mon == NULL)
		REAL(moncontrol)(mode);
}

MON_EXPORT void
_mcleanup(void)
{
	real_begin();
	if (mon == NULL)
		REAL(_mcleanup)();
}
