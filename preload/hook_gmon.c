/* Context: T.  glibc's profiler uses SIGPROF by calls that no hook sees. */
#include "hook.h"
#include "sigmove.h"

MON_EXPORT int profil(unsigned short *buffer, size_t size, size_t offset,
    unsigned scale);
MON_EXPORT void monstartup(unsigned long low, unsigned long high);
MON_EXPORT void __monstartup(unsigned long low, unsigned long high);
MON_EXPORT void moncontrol(int mode);

MON_EXPORT int
profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	/* NULL ends it, which libc declares impossible. */
	unsigned short *volatile to = buffer;

	real_begin();
	if (to != NULL)
		sigmove_program_takes_itimer();
	return REAL(profil)(buffer, size, offset, scale);
}

MON_EXPORT void
monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	sigmove_program_takes_itimer();
	REAL(monstartup)(low, high);
}

MON_EXPORT void
__monstartup(unsigned long low, unsigned long high)
{
	real_begin();
	sigmove_program_takes_itimer();
	REAL(__monstartup)(low, high);
}

MON_EXPORT void
moncontrol(int mode)
{
	real_begin();
	if (mode != 0)
		sigmove_program_takes_itimer();
	REAL(moncontrol)(mode);
}
