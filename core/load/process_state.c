/*
 * Context: O.  Tells whether processes still run, from /proc; see
 * process_state.h.  For core/load, core/control, core/sampler and the tools
 * that list processes.
 */
#include "process_state.h"

#include "base/clock_ns.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The running kernel's boot id; `lock` guards it. */
static struct {
	pthread_mutex_t lock;
	bool known;
	uint8_t bytes[16];
} own_boot_id = { .lock = PTHREAD_MUTEX_INITIALIZER };

/*
 * Reads the running kernel's boot id: hexadecimal digits with hyphens between
 * them, as the 16 bytes that format.h stores.
 */
static void
read_boot_id(void)
{
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "re");
	unsigned byte;
	size_t got = 0;

	if (in == NULL)
		return;
	while (got < 16 && fscanf(in, "%2x%*[-]", &byte) >= 1)
		own_boot_id.bytes[got++] = (uint8_t)byte;
	fclose(in);
	own_boot_id.known = got == 16;
}

/*
 * Compares a boot id with the running kernel's, which the first call reads, and
 * a later one if the file could not be opened.  mon_tell() may come here in
 * several threads at once.
 */
bool
process_state_same_boot(const uint8_t boot_id[16])
{
	bool same;

	pthread_mutex_lock(&own_boot_id.lock);
	if (!own_boot_id.known)
		read_boot_id();
	same = own_boot_id.known && memcmp(own_boot_id.bytes, boot_id, 16) == 0;
	pthread_mutex_unlock(&own_boot_id.lock);
	return same;
}

/*
 * Returns whether other threads are left of a process whose first one has
 * ended.  The directory /proc/PID/task has 2 links and one for each thread, the
 * first one included.
 */
static bool
has_other_threads(int32_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task", pid);
	return stat(path, &st) == 0 && st.st_nlink > 3;
}

/*
 * Reads a number in /proc/PID/stat into *value.  wanted: its field, counted
 * from 1, at least 4.  The name in field 2 may contain any character.  Returns
 * 1; 0 if the file cannot be read, there is no such process or it waits to be
 * reaped.
 */
static int
read_stat_field(int32_t pid, int wanted, uint64_t *value)
{
	char path[32], line[1024];
	const char *at;
	size_t n;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/stat", pid);
	in = fopen(path, "re");
	if (in == NULL)
		return 0;
	n = fread(line, 1, sizeof(line) - 1, in);
	fclose(in);
	line[n] = '\0';
	at = strrchr(line, ')');
	if (at == NULL || (strncmp(at, ") Z", 3) == 0 &&
	    !has_other_threads(pid)))
		return 0;
	for (int field = 2; at != NULL && field < wanted;
	    field++)
		at = strchr(at + 1, ' ');
	return at != NULL && sscanf(at, "%" SCNu64, value) == 1;
}

bool
process_state_is_local(const struct format_header *h)
{
	struct stat st;

	return process_state_same_boot(h->boot_id) &&
	    stat("/proc/self/ns/pid", &st) == 0 &&
	    (h->pid_namespace == 0 || h->pid_namespace == st.st_ino);
}

int
process_state_check(const struct format_header *h)
{
	uint64_t start;

	if (!process_state_is_local(h))
		return -1;
	return read_stat_field(h->pid, 22, &start) && start == h->start_ticks;
}

bool
process_state_is_gone(const struct format_header *h)
{
	uint64_t start;

	if (h->pid <= 0 || h->pid_namespace == 0 || !process_state_is_local(h))
		return false;
	/*
	 * Only ESRCH is certain: a process of another user gives EPERM, and one
	 * that waits to be reaped gives 0 and has no readable field.
	 */
	if (kill(h->pid, 0) != 0)
		return errno == ESRCH;
	return read_stat_field(h->pid, 22, &start) && start != h->start_ticks;
}

uint64_t
process_state_cpu_ns(int32_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) != 0 ? 0 : clock_ns_now(clock);
}

/*
 * Reads a time in a field of /proc/PID/stat, which is in units of 1 /
 * _SC_CLK_TCK s, as ns.  Returns false if there is no such process or it waits
 * to be reaped.
 */
static bool
read_stat_ns(int32_t pid, int field, uint64_t *ns)
{
	const long a_second = sysconf(_SC_CLK_TCK);
	uint64_t ticks;

	if (a_second <= 0 || !read_stat_field(pid, field, &ticks))
		return false;
	*ns = ticks * (1000000000u / (uint64_t)a_second);
	return true;
}

uint64_t
process_state_system_ns(int32_t pid)
{
	uint64_t ns;

	return read_stat_ns(pid, 15, &ns) ? ns : 0;
}

/*
 * Field 22 is in units of 1 / _SC_CLK_TCK s since the boot, by CLOCK_BOOTTIME,
 * which goes on while the machine sleeps.
 */
uint64_t
process_state_start_ns(int32_t pid)
{
	uint64_t ns, boot;

	if (!read_stat_ns(pid, 22, &ns))
		return 0;
	boot = clock_ns_now(CLOCK_BOOTTIME);
	return boot == 0 ? 0 : clock_ns_now(CLOCK_REALTIME) - (boot - ns);
}

bool
process_state_started_at(int32_t pid, uint64_t real)
{
	const uint64_t slack = 2000000000u;
	const uint64_t born = process_state_start_ns(pid);

	return born != 0 && born + slack >= real && born <= real + slack;
}

/*
 * Returns whether /proc/PID/task/TID/stat begins like "7 (name) R"; the name
 * may contain any character.  False if the thread is gone.
 */
static bool
is_thread_runnable(int32_t pid, const char *tid)
{
	char path[64], line[256];
	const char *at;
	size_t n;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task/%.16s/stat", pid,
	    tid);
	in = fopen(path, "re");
	if (in == NULL)
		return false;
	n = fread(line, 1, sizeof(line) - 1, in);
	fclose(in);
	line[n] = '\0';
	at = strrchr(line, ')');
	return at != NULL && strncmp(at, ") R", 3) == 0;
}

bool
process_state_is_runnable(int32_t pid)
{
	char path[32];
	struct dirent *e;
	bool runs = false;
	DIR *all;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/task", pid);
	all = opendir(path);
	while (all != NULL && !runs && (e = readdir(all)) != NULL)
		runs = e->d_name[0] != '.' && is_thread_runnable(pid,
		    e->d_name);
	if (all != NULL)
		closedir(all);
	return runs;
}
