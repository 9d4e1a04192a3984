/*
 * Context: T.  Notes what the program asks of gmon.out, as the hooks of libc's
 * profiler say, for the writers of files; see gmon_request.h.
 */
#include "classic/gmon_request.h"

#include "base/state.h"
#include "options/profdir.h"

/* Written by the hooks of monstartup(3) and _mcleanup(3). */
static struct {
	uintptr_t low, high;
	bool expected;		/* the program was built with -pg */
	/* low, high were set since the last _mcleanup() */
	bool ranged;
	_Atomic bool begun;	/* only linked: gmon.out is the whole profile */
	int pid;		/* the process that began it */
	/* PROFDIR at that time, if only linked */
	char directory[PATH_MAX];
} gmon;

void
gmon_request_expect(uintptr_t low, uintptr_t high)
{
	gmon.expected = true;
	/* The C library ignores a second call, too. */
	if (gmon.ranged)
		return;
	gmon.ranged = true;
	gmon.low = low;
	gmon.high = high;
}

void
gmon_request_reset_range(void)
{
	gmon.ranged = false;
}

bool
gmon_request_is_expected(void)
{
	return gmon.expected;
}

void
gmon_request_clip(uint64_t bias, uint64_t *low, uint64_t *high)
{
	uint64_t from = gmon.low - bias, to = gmon.high - bias;

	from = from < *low ? *low : from;
	to = to > *high ? *high : to;
	if (!gmon.expected || gmon.low >= gmon.high || from >= to)
		return;
	*low = from & ~(uint64_t)3;
	*high = to;
}

void
gmon_request_begin(void)
{
	gmon.directory[0] = '\0';
	profdir_find(gmon.directory);
	gmon.pid = sys_getpid();
	atomic_store(&gmon.begun, true);
}

STATE_START bool
gmon_request_has_begun(void)
{
	return atomic_load(&gmon.begun);
}

bool
gmon_request_end(void)
{
	return atomic_exchange(&gmon.begun, false);
}

bool
gmon_request_is_own(void)
{
	return gmon.pid == sys_getpid();
}

const char *
gmon_request_directory(void)
{
	return gmon.directory;
}
