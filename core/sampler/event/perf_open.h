/* Context: O.  Calls perf_event_open(2). */
#ifndef PERF_OPEN_H
#define PERF_OPEN_H

#include "classic/tprof.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Opens an event.  Returns a descriptor, or -errno. */
static inline int
perf_open_exact(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
	    PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/*
 * Opens an event like perf_open_exact().  Events such as msr/tsc/ accept no
 * exclude_* bits at all: if need be they are opened without.
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
