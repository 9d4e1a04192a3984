/*
 * Context: O.  Reads one profile into memory, for all tools that read profiles;
 * see load.h.  May truncate the file of a process that is gone.
 */
#include "load.h"

#include "base/mount_guard.h"
#include "base/regular_file.h"
#include "decode/baseline.h"
#include "decode/header.h"
#include "pointer.h"
#include "process_state.h"
#include "trim.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An open file and its first `bytes` bytes.  The owner closes `fd`. */
struct source {
	int fd;
	struct stat st;
	size_t bytes;
	unsigned char head[POINTER_MOST];
};

/* Reads as snapshot_read; arg: the struct source. */
static long
source_read(void *arg, void *to, size_t count, uint64_t offset)
{
	const struct source *s = arg;
	size_t got = 0;

	while (got < count) {
		ssize_t n = pread(s->fd, (char *)to + got, count - got,
		    (off_t)(offset + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (long)got;
}

static int
source_irregular(struct fault *f)
{
	fault_set(f, "not a regular file", FAULT_NO_OFFSET, 0);
	return LOAD_OTHER;
}

/*
 * Sets *f for a file that cannot be opened.  error: positive errno.  Returns
 * LOAD_OTHER if the name is gone: a process that has counted nothing removes
 * its file at its end.  Otherwise returns -error, also for a symbolic link
 * whose target is missing.
 */
static int
source_missing(const char *path, int error, struct fault *f)
{
	struct stat st;
	int ret = fault_set(f, "cannot be opened", FAULT_NO_OFFSET, error);

	return error == ENOENT && lstat(path, &st) != 0 ? LOAD_OTHER : ret;
}

/*
 * Opens the file and reads its head.  Returns 0, and the caller closes s->fd;
 * otherwise LOAD_OTHER or -errno with *f set and nothing open.
 */
static int
source_open(struct source *s, const char *path, struct fault *f)
{
	long n;

	s->fd = regular_file_open(path, 0, &s->st);
	if (s->fd == -ENOEXEC)
		return source_irregular(f);
	if (s->fd < 0)
		return source_missing(path, -s->fd, f);
	n = source_read(s, s->head, sizeof(s->head), 0);
	if (n < 0) {
		close(s->fd);
		return fault_set(f, "cannot be read", 0, (int)-n);
	}
	s->bytes = (size_t)n;
	return 0;
}

static bool
source_starts(const struct source *s, const char *with, size_t bytes)
{
	return s->bytes >= bytes && memcmp(s->head, with, bytes) == 0;
}

static bool
source_is_pointer(const struct source *s)
{
	return source_starts(s, POINTER_BEGIN, sizeof(POINTER_BEGIN) - 1);
}

static bool
source_is_profile(const struct source *s)
{
	return source_starts(s, FORMAT_MAGIC, sizeof(FORMAT_MAGIC) - 1);
}

/*
 * Parses the pointer in s->head into *p, whose path lies in s->head, and copies
 * the path to `path`, PATH_MAX bytes.  Returns 0, or -errno with *f set.
 */
static int
source_read_pointer(const struct source *s, struct pointer *p, char *path,
    struct fault *f)
{
	int ret = pointer_parse(p, (const char *)s->head, s->bytes, f);

	if (ret != 0)
		return ret;
	if (p->path_bytes >= PATH_MAX)
		return fault_set(f, "names a path that is too long", 0, 0);
	if (!process_state_same_boot(p->boot_id)) {
		ret = fault_set(f, "names a profile on another host, or from "
		    "before a reboot", FAULT_NO_OFFSET, 0);
		f->remedy = "read it on the host where the program runs";
		return ret;
	}
	memcpy(path, p->path, p->path_bytes);
	path[p->path_bytes] = '\0';
	return !mount_guard_contains(path) ? 0 : fault_set(f,
	    "names a profile in the " "mount itself", FAULT_NO_OFFSET, 0);
}

/*
 * Returns whether the process that the pointer names wrote the profile s.
 * Names in /tmp may be used again by other processes.
 */
static bool
source_is_of(const struct source *s, const struct pointer *p)
{
	struct format_header h;

	memcpy(&h, s->head, sizeof(h));
	return s->bytes >= sizeof(h) && h.pid == p->pid &&
	    h.start_ticks == p->start_ticks &&
	    memcmp(h.boot_id, p->boot_id, sizeof(h.boot_id)) == 0;
}

/* Opens `path` or the profile it points to; returns as source_open(). */
static int
source_follow(struct source *s, const char *path, struct fault *f)
{
	char pointed[PATH_MAX];
	struct pointer p;
	int ret = source_open(s, path, f);

	if (ret != 0 || !source_is_pointer(s))
		return ret;
	ret = source_read_pointer(s, &p, pointed, f);
	close(s->fd);
	if (ret != 0)
		return ret;
	ret = source_open(s, pointed, f);
	if (ret == 0 && source_is_profile(s) && source_is_of(s, &p))
		return 0;
	if (ret == 0)
		close(s->fd);
	ret = fault_set(f, ret == 0 && source_is_profile(s) ?
	    "names a profile of another process" :
	    "names a profile that does not exist",
	    FAULT_NO_OFFSET, ret < 0 ? f->errnum : 0);
	f->remedy = "its program has ended and the file was removed";
	return ret;
}

/*
 * Returns whether nothing was counted yet in the profile s: the writer has just
 * begun, or was killed at that point.
 */
static bool
source_is_new(const struct source *s)
{
	struct format_header h;

	memcpy(&h, s->head, sizeof(h));
	return s->bytes >= sizeof(h) && h.state == FORMAT_INCOMPLETE &&
	    h.modules == 0 && h.threads == 0;
}

/*
 * Sets *f to what the file is, which is no profile.  Returns -EINVAL for a
 * profile that was damaged by a transfer in text mode, as its data are lost;
 * else LOAD_OTHER.
 */
static int
source_not_profile(const struct source *s, struct fault *f)
{
	struct format_header h;

	header_read(&h, s->head, s->bytes, f);
	return source_starts(s, "\211mon", 4) ||
	    source_starts(s, "\011mon", 4) ? -EINVAL : LOAD_OTHER;
}

/*
 * Copies and decodes the open file.  all: subtracts no baseline.  Returns 0;
 * else LOAD_OTHER or -errno with *f set and nothing to free.
 */
static int
load_read(struct load *l, struct source *s, bool all, struct fault *f)
{
	int ret;

	if (!source_is_profile(s))
		return source_not_profile(s, f);
	l->device = s->st.st_dev;
	l->inode = s->st.st_ino;
	ret = snapshot_take(&l->copy, source_read, s, f);
	if (ret != 0)
		return source_is_new(s) ? LOAD_OTHER : ret;
	if (!all)
		ret = baseline_subtract(l->copy.bytes, l->copy.size, f);
	if (ret == 0)
		ret = decode_open(&l->decode, l->copy.bytes, l->copy.size, f);
	if (ret != 0)
		snapshot_fini(&l->copy);
	return ret != 0 && source_is_new(s) ? LOAD_OTHER : ret;
}

/* Loads as load_open(); all: as load_open_raw(). */
static int
load_path(struct load *l, const char *path, bool all, struct fault *f)
{
	struct source s;
	int ret;

	memset(l, 0, sizeof(*l));
	ret = source_follow(&s, path, f);
	if (ret == 0) {
		ret = load_read(l, &s, all, f);
		if (ret == 0 && !all && (!l->decode.sealed ||
		    l->decode.header.end == FORMAT_END_EXEC))
			trim_unused(s.fd, &s.st);
		close(s.fd);
	}
	if (ret != 0)
		f->file = path;
	return ret;
}

int
load_open(struct load *l, const char *path, struct fault *f)
{
	return load_path(l, path, false, f);
}

int
load_open_raw(struct load *l, const char *path, struct fault *f)
{
	return load_path(l, path, true, f);
}

void
load_close(struct load *l)
{
	decode_close(&l->decode);
	snapshot_fini(&l->copy);
}

bool
load_is_profile(const char *path)
{
	struct source s;
	struct fault f;
	bool is;

	if (source_open(&s, path, &f) != 0)
		return false;
	is = source_is_profile(&s) || source_is_pointer(&s);
	close(s.fd);
	return is;
}

/*
 * Copies to `live`, PATH_MAX bytes, the path itself if it names a profile, or
 * the path in the pointer that it names, which is not opened.
 */
static int
load_name_path(const char *path, char *live, struct fault *f)
{
	struct source s;
	struct pointer p;
	int ret = source_open(&s, path, f);

	if (ret != 0)
		return ret;
	if (source_is_pointer(&s)) {
		ret = source_read_pointer(&s, &p, live, f);
	} else if (!source_is_profile(&s)) {
		ret = source_not_profile(&s, f);
	} else if (strlen(path) >= PATH_MAX) {
		ret = fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    ENAMETOOLONG);
	} else {
		strcpy(live, path);
	}
	close(s.fd);
	return ret;
}

int
load_resolve_path(const char *path, char *live, struct fault *f)
{
	struct source s;
	int ret = load_name_path(path, live, f);

	/* The path in a pointer may belong to another process by now. */
	if (ret == 0)
		ret = source_follow(&s, path, f);
	if (ret == 0)
		close(s.fd);
	if (ret != 0)
		f->file = path;
	return ret;
}

/*
 * Reads the pointer in the file `path` into *p, where p->path is not valid
 * afterwards.  Returns false if the file is no pointer, is not regular, or
 * names a live profile that cannot be opened.
 */
static bool
load_read_pointer(const char *path, struct pointer *p)
{
	char pointed[PATH_MAX];
	struct source s;
	struct stat st;
	struct fault f;
	bool is;

	/*
	 * A process leaves pointers as regular files.  A symbolic link may lead
	 * to a mount that does not answer.
	 */
	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    source_open(&s, path, &f) != 0)
		return false;
	is = source_is_pointer(&s) &&
	    source_read_pointer(&s, p, pointed, &f) == 0;
	close(s.fd);
	if (!is || source_follow(&s, path, &f) != 0)
		return false;
	close(s.fd);
	return true;
}

bool
load_is_part(const char *path)
{
	static const char tail[] = ".part";
	size_t bytes = strlen(path), skip = sizeof(tail) - 1;
	char whole[PATH_MAX];
	struct pointer p;
	struct source s;
	struct fault f;
	bool is;

	if (bytes <= skip || bytes - skip >= sizeof(whole) ||
	    strcmp(path + bytes - skip, tail) != 0)
		return false;
	memcpy(whole, path, bytes - skip);
	whole[bytes - skip] = '\0';
	if (!load_read_pointer(whole, &p) || source_open(&s, path, &f) != 0)
		return false;
	is = s.bytes < sizeof(struct format_header) || source_is_of(&s, &p);
	close(s.fd);
	return is;
}

int
load_header(const char *path, struct format_header *h)
{
	struct source s;
	struct fault f;
	int ret = source_follow(&s, path, &f);

	if (ret != 0)
		return ret;
	ret = source_is_profile(&s) ? header_read(h, s.head,
	    (uint64_t)s.st.st_size, &f) : LOAD_OTHER;
	close(s.fd);
	return ret;
}
