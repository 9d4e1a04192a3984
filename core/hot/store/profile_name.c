/*
 * Context: S.  Makes the names of profile files, and judges old files that have
 * them, for store_path.c and core/runtime; see profile_name.h.
 */
#include "store/profile_name.h"

#include "base/str.h"
#include "module/proc_info.h"
#include "store/process_age.h"
#include "store/run.h"

#include <sys/utsname.h>

static void
add_host_name(struct str *s)
{
	struct utsname u;

	if (SYS(uname, &u, 0, 0, 0, 0, 0) == 0)
		str_add(s, u.nodename);
	else
		str_add(s, "unknown");
}

/*
 * Adds at most `most` bytes of the program's name, so that the whole name fits.
 */
static void
add_program_name(struct str *s, size_t most)
{
	size_t n = str_length(config.progname);

	str_add_bytes(s, config.progname, n < most ? n : most);
}

/*
 * Expands a pattern of file=: %p pid, %n program, %h host, %t seconds since
 * 1970, %% a percent sign.  most: bytes of the program's name.
 */
static void
expand_name_pattern(struct str *s, const char *p, size_t most)
{
	for (; *p != '\0'; p++) {
		if (*p != '%' || p[1] == '\0') {
			str_add_bytes(s, p, 1);
			continue;
		}
		switch (*++p) {
		case 'p':
			str_add_number(s, (uint64_t)mon->pid);
			break;
		case 'n':
			add_program_name(s, most);
			break;
		case 'h':
			add_host_name(s);
			break;
		case 't':
			str_add_number(s, sys_clock(CLOCK_REALTIME) /
			    1000000000u);
			break;
		default:
			str_add_bytes(s, p, 1);
		}
	}
}

bool
profile_name_is_pattern(const char *p)
{
	for (; *p != '\0'; p++)
		if (*p == '%' && (*++p == '\0' || (*p != 'p' && *p != 'n' &&
		    *p != 'h' && *p != 't' && *p != '%')))
			return false;
	return true;
}

/* Adds the name without a number.  bare: that of the first process of a run. */
static void
add_base_name(struct str *s, bool bare, size_t most)
{
	switch (config.place) {
	case CONFIG_PLACE_FILE:
		expand_name_pattern(s, config.pattern, most);
		break;
	case CONFIG_PLACE_DIR:
		str_add_number(s, (uint64_t)mon->pid);
		str_add(s, ".");
		add_program_name(s, most);
		break;
	default:
		str_add(s, RUN_FIRST_FILE);
		if (!bare) {
			str_add(s, ".");
			str_add_number(s, (uint64_t)mon->pid);
		}
	}
}

/* Returns the number of bytes by which the last part of a path is too long. */
static size_t
name_excess(const char *place)
{
	const char *p, *base = place;

	for (p = place; *p != '\0'; p++)
		if (*p == '/')
			base = p + 1;
	return (size_t)(p - base) <= PROFILE_NAME_MOST ? 0 :
	    (size_t)(p - base) - PROFILE_NAME_MOST;
}

/*
 * Adds the name of the file with the whole name of the program, or as much of
 * that as fits.
 */
static void
add_fitting_name(struct str *s, bool bare)
{
	const struct str before = *s;
	size_t most = str_length(config.progname), over;

	for (;;) {
		add_base_name(s, bare, most);
		over = name_excess(before.at);
		if (over == 0 || most == 0)
			return;
		most -= over < most ? over : most;
		*s = before;
	}
}

int
profile_name_candidate(char *place, size_t room, unsigned nth, bool first)
{
	bool bare = config.place == CONFIG_PLACE_PLAIN && first;
	struct str s;

	if (config.yields)
		nth++;
	/*
	 * mon.out, mon.out.PID, mon.out.PID.2, and so on; all others X, X.2,
	 * and so on
	 */
	if (bare && nth > 0) {
		bare = false;
		nth--;
	}
	str_init(&s, place, room);
	str_add(&s, lineage_directory[0] != '\0' ? lineage_directory :
	    config.directory);
	str_add(&s, "/");
	add_fitting_name(&s, bare);
	if (nth > 0) {
		str_add(&s, ".");
		str_add_number(&s, nth + 1);
	}
	return s.full ? -ENAMETOOLONG : 0;
}

void
profile_name_add_process(struct str *s)
{
	const char *start = s->at;

	str_add_number(s, (uint64_t)sys_getpid());
	str_add(s, ".");
	add_program_name(s, PROFILE_NAME_MOST - (size_t)(s->at - start));
}

void
profile_name_directory(const char *path, char *place, size_t room)
{
	const char *p, *slash = path;
	struct str s;

	for (p = path; *p != '\0'; p++)
		if (*p == '/')
			slash = p;
	str_init(&s, place, room);
	if (slash == path)
		str_add(&s, "/");
	else
		str_add_bytes(&s, path, (size_t)(slash - path));
}

/*
 * Returns whether the file was written on this host, judged by the host's name,
 * which stays the same across boots.
 */
static bool
is_same_host(int fd, const struct format_header *h)
{
	struct { uint32_t bytes; char text[65]; } host;
	struct utsname u;
	long n;

	n = sys_pread(fd, &host, sizeof(host), (uint64_t)h->host * FORMAT_UNIT);
	if (n < (long)sizeof(host.bytes) || host.bytes >= sizeof(host.text) ||
	    n < (long)(sizeof(host.bytes) + host.bytes) ||
	    SYS(uname, &u, 0, 0, 0, 0, 0) != 0)
		return false;
	host.text[host.bytes] = '\0';
	return str_equal(host.text, u.nodename);
}

/*
 * Returns whether the writer, a process of this boot, is certainly gone.
 * Returns false if in doubt.
 */
static bool
is_writer_gone(const struct format_header *h)
{
	bool near = h->pid_namespace != 0 &&
	    h->pid_namespace == proc_info_pid_namespace();
	uint64_t ticks;
	int ppid;

	/* After an exec the process goes on, with another file. */
	if (h->state == FORMAT_SEALED && (h->end != FORMAT_END_EXEC || !near))
		return true;
	if (!near)
		return false;
	if (proc_info_stat(h->pid, &ppid, &ticks) != 0)
		return true;
	return ticks != h->start_ticks;
}

/*
 * Returns whether the open file with header h is of a process that was gone
 * when this one started, or of an earlier boot.
 */
static bool
is_older_profile(int fd, const struct format_header *h)
{
	uint8_t boot[16];

	if (proc_info_boot_id(boot) == 0 && !mem_equal(boot, h->boot_id, 16))
		return h->state == FORMAT_SEALED || is_same_host(fd, h);
	return is_writer_gone(h) && !process_age_overlaps(h);
}

static bool
is_same_run(const struct format_header *h)
{
	return h->run_pid == lineage.pid && h->run_start == lineage.start;
}

/*
 * Opens the file at path and reads its header into h, if it is a profile of our
 * user.  Returns a descriptor or a negative number.
 */
static int
open_old_profile(const char *path, struct format_header *h)
{
	struct stat st;
	int fd;

	fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	if (SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == (uid_t)SYS(geteuid, 0, 0, 0, 0, 0, 0) &&
	    sys_pread(fd, h, FORMAT_HEADER, 0) == FORMAT_HEADER &&
	    mem_equal(h->magic, FORMAT_MAGIC, sizeof(h->magic)))
		return fd;
	sys_close(fd);
	return -EINVAL;
}

bool
profile_name_replaceable(const char *path, void *scratch)
{
	struct format_header *h = scratch;
	int fd = open_old_profile(path, h);
	bool may;

	if (fd < 0)
		return false;
	may = !is_same_run(h) && is_older_profile(fd, h);
	sys_close(fd);
	return may;
}

void
profile_name_join_run(const char *path, void *scratch)
{
	struct format_header *h = scratch;
	int fd = open_old_profile(path, h);
	uint8_t boot[16];

	if (fd < 0)
		return;
	sys_close(fd);
	if (proc_info_boot_id(boot) != 0 || !mem_equal(boot, h->boot_id, 16) ||
	    !process_age_is_parent(h))
		return;
	lineage.pid = h->run_pid;
	lineage.start = h->run_start;
}
