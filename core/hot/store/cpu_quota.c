/*
 * Context: S.  Reads cpu.stat of the process's control group, for header_fill.c
 * and seal_sums.c, behind private_fds_run(); see cpu_quota.h.
 *
 * A line of /proc/self/cgroup is "NUMBER:CONTROLLERS:PATH".  In version 1 the
 * group is that of the controller cpu; in version 2 the only line has number 0
 * and no controllers.
 */
#include "store/cpu_quota.h"

#include "base/str.h"
#include "module/proc_info.h"

#define QUOTA_MOUNT	"/sys/fs/cgroup"

/* Returns whether cpu is in the list of controllers that ends with ':'. */
static bool
lists_cpu(const char *p)
{
	while (*p != ':' && *p != '\0') {
		if (str_begins(p, "cpu") && (p[3] == ',' || p[3] == ':'))
			return true;
		while (*p != ',' && *p != ':' && *p != '\0')
			p++;
		p += *p == ',';
	}
	return false;
}

/* Returns what follows the next `end` in the text, or its final NUL. */
static const char *
behind(const char *p, char end)
{
	while (*p != end && *p != '\0')
		p++;
	return p + (*p == end);
}

/*
 * Returns the path of the group in the text of /proc/self/cgroup, which ends
 * with its line, and sets *mount to where its controller is mounted.
 */
static const char *
find_group(const char *text, const char **mount)
{
	const char *found = NULL;

	for (const char *p = text; *p != '\0'; p = behind(p, '\n')) {
		const char *list = behind(p, ':');

		if (lists_cpu(list)) {
			*mount = QUOTA_MOUNT "/cpu";
			return behind(list, ':');
		}
		if (str_begins(p, "0::")) {
			*mount = QUOTA_MOUNT;
			found = p + 3;
		}
	}
	return found;
}

int
cpu_quota_path(const char *text, char *path, size_t room)
{
	const char *mount, *group = find_group(text, &mount);
	struct str s;
	size_t n = 0;

	if (group == NULL)
		return -ENOENT;
	while (group[n] != '\n' && group[n] != '\0')
		n++;
	str_init(&s, path, room);
	str_add(&s, mount);
	str_add_bytes(&s, group, n);
	str_add(&s, "/cpu.stat");
	return s.full ? -ENOENT : 0;
}

/* Sets *value to the number behind the key, and returns whether it is there. */
static bool
find_value(const char *text, const char *key, uint64_t *value)
{
	for (const char *p = text; *p != '\0'; p = behind(p, '\n'))
		if (str_begins(p, key)) {
			p += str_length(key);
			*value = str_decimal(&p);
			return true;
		}
	return false;
}

int
cpu_quota_parse(struct cpu_quota *q, const char *text)
{
	uint64_t throttles, time;

	if (!find_value(text, "nr_throttled ", &throttles))
		return -ENOENT;
	q->throttles = (uint32_t)throttles;
	if (find_value(text, "throttled_usec ", &time))
		q->throttled_ns = time * 1000u;
	else if (find_value(text, "throttled_time ", &time))
		q->throttled_ns = time;
	else
		return -ENOENT;
	return 0;
}

int
cpu_quota_read(struct cpu_quota *q, char *scratch, size_t room)
{
	char *const path = scratch + room / 2;

	if (proc_info_read("/proc/self/cgroup", scratch, room / 2) <= 0)
		return -ENOENT;
	if (cpu_quota_path(scratch, path, room - room / 2) != 0 ||
	    proc_info_read(path, scratch, room / 2) <= 0)
		return -ENOENT;
	return cpu_quota_parse(q, scratch);
}
