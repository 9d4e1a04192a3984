/*
 * Context: O.  Reads and writes directory defaults, for control sessions and
 * prof; see defaults_file.h.
 *
 * Processes read the file without a lock, so it is replaced as a whole.
 */
#include "defaults_file.h"

#include "base/clock_ns.h"
#include "file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * The locked directory and the names of its files.  One tool at a time holds
 * the lock; the end of the tool releases it.
 */
struct defaults_dir {
	int directory;
	char name[32], fresh[40];
};

static void
name_defaults_files(struct defaults_dir *p)
{
	snprintf(p->name, sizeof(p->name), FORMAT_DEFAULTS_NAME "%u",
	    (unsigned)geteuid());
	snprintf(p->fresh, sizeof(p->fresh), "%s.new", p->name);
}

/*
 * Opens and locks the directory; the close of p->directory releases it.
 * Returns 0, or -errno with *f set and nothing open.
 */
static int
open_defaults_dir(struct defaults_dir *p, const char *directory,
    struct fault *f)
{
	int ret;

	name_defaults_files(p);
	p->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->directory < 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    errno);
	ret = file_lock_take(p->directory, f);
	if (ret != 0)
		close(p->directory);
	return ret;
}

/*
 * Returns whether the file is one of ours.  A file of another program, or of a
 * later version of libmon, counts as none.
 */
static bool
has_defaults_magic(const struct format_defaults *o)
{
	return memcmp(o->magic, FORMAT_DEFAULTS_MAGIC, sizeof(o->magic)) == 0;
}

/* Fills *o from the file; with zeros if there is none that can be trusted. */
static void
read_defaults(int directory, const char *name, struct format_defaults *o)
{
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || st.st_uid == 0) &&
	    read(fd, o, sizeof(*o)) == sizeof(*o) && has_defaults_magic(o) &&
	    memchr(o->watch, '\0', sizeof(o->watch)) != NULL;

	if (fd >= 0)
		close(fd);
	if (!good)
		memset(o, 0, sizeof(*o));
}

int
defaults_file_read(const char *directory, struct format_defaults *o,
    struct fault *f)
{
	struct defaults_dir p = { .directory = open(directory, O_RDONLY |
	    O_DIRECTORY | O_CLOEXEC) };

	memset(o, 0, sizeof(*o));
	if (p.directory < 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    errno);
	name_defaults_files(&p);
	read_defaults(p.directory, p.name, o);
	close(p.directory);
	return 0;
}

/*
 * Replaces the file.  A new file that a killed tool has left is removed first:
 * this tool holds the lock.  Returns 0 or an errno, not negated.
 */
static int
replace_defaults(const struct defaults_dir *p, const struct format_defaults *o)
{
	int fd, error = 0;

	unlinkat(p->directory, p->fresh, 0);
	fd = openat(p->directory, p->fresh, O_WRONLY | O_CREAT | O_EXCL |
	    O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	errno = ENOSPC;
	if (write(fd, o, sizeof(*o)) != sizeof(*o))
		error = errno;
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0 && renameat(p->directory, p->fresh, p->directory,
	    p->name) != 0)
		error = errno;
	if (error != 0)
		unlinkat(p->directory, p->fresh, 0);
	return error;
}

/* Puts the settings that *c changes into *o. */
static void
merge_defaults(struct format_defaults *o, const struct control_client_change *c)
{
	memcpy(o->magic, FORMAT_DEFAULTS_MAGIC, sizeof(o->magic));
	o->given_real = clock_ns_now(CLOCK_REALTIME);
	if (c->state) {
		o->what |= FORMAT_D_STATE;
		o->stop = c->stop;
	}
	if (c->watch != NULL) {
		o->what |= FORMAT_D_WATCH;
		snprintf(o->watch, sizeof(o->watch), "%s", c->watch);
	}
	if (c->rate) {
		o->what |= FORMAT_D_RATE;
		o->interval_ns = c->interval_ns;
	}
	if (c->what) {
		o->what = (o->what & ~FORMAT_D_MORE) | FORMAT_D_MODES;
		o->modes = c->modes;
		o->more = 0;
	}
	if (c->more != 0) {
		o->what |= FORMAT_D_MORE;
		o->more |= c->more;
	}
}

static int
fault_defaults(struct fault *f, int error)
{
	int ret = fault_set(f, "the defaults for processes that start later "
	    "cannot be written",
	    FAULT_NO_OFFSET, error);

	f->remedy = error == ENOSPC || error == EDQUOT ? "running processes "
	    "have the order; make room there and repeat it" :
	    "running processes have the order";
	return ret;
}

int
defaults_file_merge(const char *directory,
    const struct control_client_change *c, struct fault *f)
{
	struct format_defaults o;
	struct defaults_dir p;
	int error, ret = open_defaults_dir(&p, directory, f);

	if (ret != 0)
		return ret;
	read_defaults(p.directory, p.name, &o);
	merge_defaults(&o, c);
	error = replace_defaults(&p, &o);
	close(p.directory);
	return error == 0 ? 0 : fault_defaults(f, error);
}

int
defaults_file_remove(const char *directory, struct fault *f)
{
	struct defaults_dir p;
	int error = 0, ret = open_defaults_dir(&p, directory, f);

	if (ret != 0)
		return ret;
	if (unlinkat(p.directory, p.name, 0) != 0 && errno != ENOENT)
		error = errno;
	close(p.directory);
	return error == 0 ? 0 : fault_defaults(f, error);
}
