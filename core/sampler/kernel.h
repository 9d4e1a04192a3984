/* Context: O.  The kernel's samples: its system call, and what it allows. */
#ifndef KERNEL_H
#define KERNEL_H

#include "tprof.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A descriptor, or -errno. */
static inline int
kernel_open_as(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
	    PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* The same; events as msr/tsc/ know no modes, not even what to leave out. */
static inline int
kernel_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	struct perf_event_attr all = *attr;
	const int fd = kernel_open_as(attr, pid, cpu);

	if (fd != -EINVAL || attr->exclude_user || attr->exclude_kernel)
		return fd;
	all.exclude_hv = all.exclude_idle = 0;
	return kernel_open_as(&all, pid, cpu);
}

#endif
