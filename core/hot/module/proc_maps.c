/*
 * Context: S.  Reads /proc/PID/maps line by line, or a copy of it, for
 * module_table.c, run.c, mmap_unlock.c and profil.c; see proc_maps.h.
 */
#include "module/proc_maps.h"

#include "base/mmap_area.h"
#include "base/state.h"
#include "base/str.h"
#include "module/proc_info.h"

#define DELETED	" (deleted)"
#define KEPT_MOST	(1u << 20)	/* some 10,000 mappings */

static bool
skip_maps_char(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

/*
 * Parses a line, in which NUL replaces the newline:
 * 55d0-55e0 r-xp 00001000 fe:00 1234   /path
 */
static bool
parse_maps_line(char *text, struct proc_maps_line *line)
{
	const char *p = text;
	uint64_t major, minor;
	size_t n;

	line->start = str_hex(&p);
	if (!skip_maps_char(&p, '-'))
		return false;
	line->end = str_hex(&p);
	if (!skip_maps_char(&p, ' ') || str_length(p) < 5)
		return false;
	line->readable = p[0] == 'r';
	line->writable = p[1] == 'w';
	line->executable = p[2] == 'x';
	line->shared = p[3] == 's';
	p += 5;
	line->offset = str_hex(&p);
	skip_maps_char(&p, ' ');
	major = str_hex(&p);
	skip_maps_char(&p, ':');
	minor = str_hex(&p);
	skip_maps_char(&p, ' ');
	line->device = major << 32 | minor;
	line->inode = str_decimal(&p);
	while (*p == ' ')
		p++;
	n = str_length(p);
	line->deleted = n > sizeof(DELETED) - 1 &&
	    str_equal(p + n - (sizeof(DELETED) - 1), DELETED);
	if (line->deleted) {
		n -= sizeof(DELETED) - 1;
		text[p - text + (ptrdiff_t)n] = '\0';
	}
	line->path = p;
	line->path_bytes = n;
	return true;
}

/*
 * The first page of the last file seen: an object's first page lies below its
 * other pages.
 */
struct head {
	uint64_t device, inode, start;
};

/*
 * Sets line->head to where the first page of its file is mapped, if an earlier
 * line or this one has it.
 */
static void
track_first_page(struct head *h, struct proc_maps_line *line)
{
	line->head = 0;
	/*
	 * Anonymous memory may lie between an object's pages, or in their
	 * place.
	 */
	if (line->inode == 0 && !str_equal(line->path, "[vdso]"))
		return;
	if (line->offset == 0) {
		h->device = line->device;
		h->inode = line->inode;
		h->start = line->start;
	}
	line->head = h->device == line->device && h->inode == line->inode ?
	    h->start : 0;
}

/* Takes a line whose newline was replaced by NUL. */
static void
visit_maps_text(char *text, struct head *head, proc_maps_visit *visit,
    void *arg)
{
	struct proc_maps_line line;

	if (!parse_maps_line(text, &line))
		return;
	track_first_page(head, &line);
	visit(&line, arg);
}

/* Returns 0 or -errno, and sets *any if the file held anything. */
static long
read_maps_lines(int fd, char *buf, size_t room, proc_maps_visit *visit,
    void *arg, bool *any)
{
	struct head head = {0, 0, 0};
	size_t have = 0, begin, i;
	long n;

	while ((n = sys_read(fd, buf + have, room - have)) > 0 || n == -EINTR) {
		if (n == -EINTR)
			continue;
		*any = true;
		have += (size_t)n;
		for (begin = i = 0; i < have; i++) {
			if (buf[i] != '\n')
				continue;
			buf[i] = '\0';
			visit_maps_text(buf + begin, &head, visit, arg);
			begin = i + 1;
		}
		have -= begin;
		mem_copy(buf, buf + begin, have);
		if (have == room)
			return -E2BIG;
	}
	return n;
}

/*
 * Reads one file of lines.  Returns 0 or -errno, and sets *any if the file held
 * anything.
 */
static int
read_maps_file(const char *path, char *buf, size_t room, proc_maps_visit *visit,
    void *arg, bool *any)
{
	int fd = sys_open(path, O_RDONLY, 0);
	long n;

	if (fd < 0)
		return fd;
	n = read_maps_lines(fd, buf, room, visit, arg, any);
	sys_close(fd);
	return (int)n;
}

/*
 * /proc/self is the first thread, which may have ended and then has no map.
 * /proc/thread-self is only the second choice, because an emulator replaces the
 * contents of /proc/self alone by those of its program.
 */
int
proc_maps_read(int pid, char *buf, size_t room, proc_maps_visit *visit,
    void *arg)
{
	char path[PROC_INFO_PATH];
	bool any = false;
	int ret;

	proc_info_path(path, sizeof(path), pid, "/maps");
	ret = read_maps_file(path, buf, room, visit, arg, &any);
	if (pid == 0 && ret == 0 && !any)
		ret = read_maps_file("/proc/thread-self/maps", buf, room, visit,
		    arg, &any);
	return ret;
}

/*
 * Reads the file into `to`, as far as there is room, and returns the bytes of
 * whole lines.
 */
static size_t
read_whole_lines(int fd, char *to, size_t room)
{
	size_t have = 0;
	long n;

	while ((n = sys_read(fd, to + have, room - have)) > 0 || n == -EINTR)
		have += n > 0 ? (size_t)n : 0;
	while (have > 0 && to[have - 1] != '\n')
		have--;
	return have;
}

int
proc_maps_save(void *unused)
{
	int fd = sys_open("/proc/self/maps", O_RDONLY, 0);

	(void)unused;
	if (fd < 0)
		return fd;
	if (lineage.maps == NULL)
		lineage.maps = mmap_area_alloc(KEPT_MOST);
	if (lineage.maps != NULL) {
		lineage.maps_bytes = 0;
		lineage.maps_bytes = read_whole_lines(fd, lineage.maps,
		    KEPT_MOST);
	}
	sys_close(fd);
	return lineage.maps != NULL ? 0 : -ENOMEM;
}

int
proc_maps_read_saved(char *buf, size_t room, proc_maps_visit *visit, void *arg)
{
	const char *text = lineage.maps, *end = text + lineage.maps_bytes;
	struct head head = {0, 0, 0};
	size_t n;

	if (lineage.maps_bytes == 0)
		return -ENOENT;
	for (; text < end; text += n + 1) {
		for (n = 0; text[n] != '\n'; n++)
			;
		if (n >= room)
			return -E2BIG;
		mem_copy(buf, text, n);
		buf[n] = '\0';
		visit_maps_text(buf, &head, visit, arg);
	}
	return 0;
}
