/*
 * Context: S.  Reads facts about a process from /proc, for all of the target,
 * not in a frozen process; see proc_info.h.
 */
#include "module/proc_info.h"

#include "base/lineage.h"
#include "base/state.h"
#include "base/str.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

long
proc_info_read(const char *path, char *buf, size_t room)
{
	long n;
	int fd;

	fd = sys_open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
	if (fd < 0)
		return fd;
	do
		n = sys_read(fd, buf, room - 1);
	while (n == -EINTR);
	sys_close(fd);
	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

void
proc_info_path(char *place, size_t room, int pid, const char *leaf)
{
	struct str s;

	str_init(&s, place, room);
	str_add(&s, "/proc/");
	if (pid == 0)
		str_add(&s, "self");
	else
		str_add_number(&s, (uint64_t)pid);
	str_add(&s, leaf);
}

/* Returns the last ')', because the command name may hold any byte. */
static const char *
end_of_comm(const char *stat)
{
	const char *last = NULL;

	for (; *stat != '\0'; stat++)
		if (*stat == ')')
			last = stat;
	return last;
}

int
proc_info_stat(int pid, int *ppid, uint64_t *start_ticks)
{
	char path[48], buf[768];
	const char *p;
	unsigned field;
	long n;

	proc_info_path(path, sizeof(path), pid, "/stat");
	n = proc_info_read(path, buf, sizeof(buf));
	if (n < 0)
		return (int)n;
	p = end_of_comm(buf);
	if (p == NULL)
		return -EINVAL;
	for (field = 2; *p != '\0' && field < 22; p++) {
		if (*p != ' ')
			continue;
		field++;
		if (field == 4) {
			const char *q = p + 1;

			*ppid = (int)str_decimal(&q);
		}
	}
	if (field != 22)
		return -EINVAL;
	*start_ticks = str_decimal(&p);
	return 0;
}

static int
uuid_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int
proc_info_boot_id(uint8_t id[16])
{
	char buf[64];
	unsigned half = 0;
	const char *p;
	long n;

	n = proc_info_read("/proc/sys/kernel/random/boot_id", buf, sizeof(buf));
	if (n < 0)
		return (int)n;
	for (p = buf; *p != '\0' && half < 32; p++) {
		int d = uuid_digit(*p);

		if (d < 0)
			continue;
		id[half / 2] = (uint8_t)(id[half / 2] << 4 | d);
		half++;
	}
	return half == 32 ? 0 : -EINVAL;
}

uint64_t
proc_info_pid_namespace(void)
{
	char buf[64];
	const char *p = buf;
	long n;

	n = SYS(readlinkat, AT_FDCWD, "/proc/thread-self/ns/pid", buf,
	    sizeof(buf) - 1, 0, 0);
	if (n <= 0)
		return 0;
	buf[n] = '\0';
	while (*p != '\0' && (*p < '0' || *p > '9'))
		p++;
	return str_decimal(&p);
}

/* Returns whether the n bytes of `text` hold the word of `length` bytes. */
static bool
contains_word(const char *text, size_t n, const char *word, size_t length)
{
	for (size_t i = 0; i + length <= n; i++)
		if (text[i] == word[0] && mem_equal(text + i, word, length))
			return true;
	return false;
}

bool
proc_info_has_libmon(int pid, char *scratch, size_t room)
{
	static const char word[] = "/libmon.so";
	const size_t length = sizeof(word) - 1;
	size_t kept = 0;
	bool found = false;
	char path[48];
	long n;
	int fd;

	proc_info_path(path, sizeof(path), pid, "/maps");
	fd = sys_open(path, O_RDONLY, 0);
	if (fd < 0)
		return false;
	while (!found && ((n = sys_read(fd, scratch + kept, room - kept)) > 0 ||
	    n == -EINTR)) {
		if (n == -EINTR)
			continue;
		n += (long)kept;
		found = contains_word(scratch, (size_t)n, word, length);
		/* The word may lie across two reads. */
		kept = (size_t)n < length ? (size_t)n : length;
		mem_copy(scratch, scratch + n - kept, kept);
	}
	sys_close(fd);
	return found;
}

unsigned
proc_info_thread_count(void)
{
	struct stat st;

	if (SYS(newfstatat, AT_FDCWD, "/proc/self/task", &st, 0, 0, 0) != 0)
		return 0;
	return st.st_nlink > 2 ? (unsigned)st.st_nlink - 2 : 0;
}

/* A thread that has ended has no memory, and so no executable. */
bool
proc_info_leader_ended(void)
{
	char c;

	return SYS(readlinkat, AT_FDCWD, "/proc/self/exe", &c, 1, 0, 0) ==
	    -ENOENT && proc_info_thread_count() != 0;
}

/* Returns field 52 of /proc/self/stat, the last one. */
int
proc_info_leader_status(void)
{
	char buf[1024];
	const char *p, *last = buf;

	if (proc_info_read("/proc/self/stat", buf, sizeof(buf)) <= 0)
		return 0;
	for (p = buf; *p != '\0'; p++)
		if (*p == ' ')
			last = p + 1;
	return (int)str_decimal(&last);
}

STATE_START bool
proc_info_filter_came(void)
{
	return !lineage.filtered && proc_info_is_filtered();
}

STATE_START bool
proc_info_is_filtered(void)
{
	return SYS(prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
}
