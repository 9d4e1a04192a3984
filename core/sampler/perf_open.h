/* Context: O.  The kernel's samples: its system call, and what it allows. */
#ifndef PERF_OPEN_H
#define PERF_OPEN_H

#include "tprof.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A descriptor, or -errno. */
static inline int
perf_open_exact(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
	    PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* The same; events as msr/tsc/ know no modes, not even what to leave out. */
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
