/*
 * Context: O.  Calls perf_event_open(2), for the sampler, for tprof and for
 * prof doctor.  libmon.so does not use it.
 */
#ifndef PERF_OPEN_H
#define PERF_OPEN_H

#include "classic/tprof.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * Opens an event, in a group of its own.  pid, cpu: as in perf_event_open(2).
 * Returns a descriptor, which closes at an exec, or -errno.
 */
static inline int
perf_open_exact(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
	    PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/*
 * Opens an event as perf_open_exact() does.  Events such as msr/tsc/ accept no
 * exclude_* bits at all: if the kernel refuses an event that excludes neither
 * user nor kernel mode with -EINVAL, it is opened without those bits.
 */
static inline int
perf_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct perf_event_attr all = *attr;
	const int fd = perf_open_exact(attr, pid, cpu);

	if (fd != -EINVAL || attr->exclude_user || attr->exclude_kernel)
		return fd;
	all.exclude_hv = all.exclude_idle = 0;
	return perf_open_exact(&all, pid, cpu);
}

#endif
