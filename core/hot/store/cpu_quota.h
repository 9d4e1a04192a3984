/*
 * Context: S.  Reads how long the CPU quota of the process's control group has
 * stopped it.  header_fill.c calls it when the file is made, seal_sums.c at the
 * seal; tests call the parts.
 */
#ifndef CPU_QUOTA_H
#define CPU_QUOTA_H

#include <stddef.h>
#include <stdint.h>

/* Least room for cpu_quota_read(). */
#define CPU_QUOTA_ROOM	4096u

/* The group's figures since it was made, by cpu.stat. */
struct cpu_quota {
	uint64_t throttled_ns;	/* how long it was stopped */
	uint32_t throttles;	/* in how many periods */
};

/*
 * Reads the figures of the group in which the process is, all its processes
 * together.  scratch: `room` bytes, CPU_QUOTA_ROOM or more.  Returns 0, or
 * -ENOENT: there is no cpu controller, or its files are not where they are
 * usually mounted.  Opens descriptors: call it where proc_info.h allows that.
 */
int cpu_quota_read(struct cpu_quota *q, char *scratch, size_t room);

/*
 * Writes the path of the group's cpu.stat to `path`.  text: /proc/self/cgroup,
 * or its first part.  Returns 0, or -ENOENT: no group, or a path of `room`
 * bytes or more.
 */
int cpu_quota_path(const char *text, char *path, size_t room);

/*
 * Reads the figures out of the text of cpu.stat.  Returns 0, or -ENOENT: it has
 * none.
 */
int cpu_quota_parse(struct cpu_quota *q, const char *text);

#endif
