/*
 * Context: T.  Asks the kernel for facts of the machine, once at the start of
 * the library; see system_facts.h.
 */
#include "base/system_facts.h"

#include "base/state.h"
#include "base/str.h"

#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ	51	/* Linux 5.14, x86 */
#endif
#ifndef AT_RSEQ_FEATURE_SIZE
#define AT_RSEQ_FEATURE_SIZE	27	/* Linux 6.3 */
#endif

/*
 * Returns whether it is certain that CPU timers expire on the way to user mode.
 */
static bool
has_task_work(void)
{
	struct utsname u;
	const char *p = u.release;
	uint64_t since = (uint64_t)ARCH_TASK_WORK_MAJOR << 32 |
	    ARCH_TASK_WORK_MINOR;
	uint64_t major, minor = 0;

	if (getauxval(AT_RSEQ_FEATURE_SIZE) != 0)
		return since != 0 && since <= ((uint64_t)6 << 32 | 3);
	if (since == 0 || SYS(uname, &u, 0, 0, 0, 0, 0) != 0)
		return false;
	major = str_decimal(&p);
	if (*p == '.') {
		p++;
		minor = str_decimal(&p);
	}
	return (major << 32 | minor) >= since;
}

/*
 * Returns the interval of the scheduler's tick, in which CPU timers expire, ns.
 * It is the resolution of the kernel's coarse clocks.
 */
static uint64_t
scheduler_tick(void)
{
	struct timespec t;

	if (SYS(clock_getres, CLOCK_MONOTONIC_COARSE, &t, 0, 0, 0, 0) != 0 ||
	    t.tv_sec != 0 || t.tv_nsec < 100000)
		return 4000000;	/* HZ=250, as in Debian */
	return (uint64_t)t.tv_nsec;
}

void
system_facts_measure(void)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);
	unsigned long page = getauxval(AT_PAGESZ);

	config.page = page != 0 ? page : 4096;
	config.frame = frame != 0 ? (unsigned)frame : 4096;
	config.tick_ns = scheduler_tick();
	config.task_work = has_task_work();
	config.pointer_direct = (getauxval(AT_HWCAP2) &
	    ARCH_HWCAP_THREAD_PTR) != 0;
}
