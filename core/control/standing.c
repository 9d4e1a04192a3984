/*
 * Context: O.  What processes to come of a directory are told.
 *
 * They read the file without a lock: it is replaced as a whole.
 */
#include "standing.h"

#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One controller at a time; its end lets go. */
struct place {
	int directory;
	char name[32], fresh[40];
};

static void
name_files(struct place *p)
{
	snprintf(p->name, sizeof(p->name), FORMAT_ORDERS_NAME "%u",
	    (unsigned)geteuid());
	snprintf(p->fresh, sizeof(p->fresh), "%s.new", p->name);
}

static int
place_open(struct place *p, const char *directory, struct fault *f)
{
	int ret;

	name_files(p);
	p->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->directory < 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    errno);
	ret = lock_take(p->directory, f);
	if (ret != 0)
		close(p->directory);
	return ret;
}

/* Of another program, or of a libmon to come: as good as none. */
static bool
is_understood(const struct format_orders *o)
{
	return memcmp(o->magic, FORMAT_ORDERS_MAGIC, sizeof(o->magic)) == 0;
}

static void
read_file(int directory, const char *name, struct format_orders *o)
{
	int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == geteuid() || st.st_uid == 0) &&
	    read(fd, o, sizeof(*o)) == sizeof(*o) && is_understood(o) &&
	    memchr(o->watch, '\0', sizeof(o->watch)) != NULL;

	if (fd >= 0)
		close(fd);
	if (!good)
		memset(o, 0, sizeof(*o));
}

int
standing_read(const char *directory, struct format_orders *o, struct fault *f)
{
	struct place p = { .directory = open(directory, O_RDONLY |
	    O_DIRECTORY | O_CLOEXEC) };

	memset(o, 0, sizeof(*o));
	if (p.directory < 0)
		return fault_set(f, "cannot be opened", FAULT_NO_OFFSET,
		    errno);
	name_files(&p);
	read_file(p.directory, p.name, o);
	close(p.directory);
	return 0;
}

/* What one who was killed has left is nobody's: the lock is ours. */
static int
write_file(const struct place *p, const struct format_orders *o)
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

static void
merge(struct format_orders *o, const struct ask_change *c)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	memcpy(o->magic, FORMAT_ORDERS_MAGIC, sizeof(o->magic));
	o->given_real = (uint64_t)now.tv_sec * 1000000000u +
	    (uint64_t)now.tv_nsec;
	if (c->state) {
		o->what |= FORMAT_O_STATE;
		o->stop = c->stop;
	}
	if (c->watch != NULL) {
		o->what |= FORMAT_O_WATCH;
		snprintf(o->watch, sizeof(o->watch), "%s", c->watch);
	}
	if (c->rate) {
		o->what |= FORMAT_O_RATE;
		o->interval_ns = c->interval_ns;
	}
	if (c->what) {
		o->what = (o->what & ~FORMAT_O_MORE) | FORMAT_O_MODES;
		o->modes = c->modes;
		o->more = 0;
	}
	if (c->more != 0) {
		o->what |= FORMAT_O_MORE;
		o->more |= c->more;
	}
}

static int
fail(struct fault *f, int error)
{
	int ret = fault_set(f, "processes to come cannot be told",
	    FAULT_NO_OFFSET, error);

	f->remedy = error == ENOSPC || error == EDQUOT ? "those that live are "
	    "told; make room there and say it again, for those to come" :
	    "those that live are told";
	return ret;
}

int
standing_give(const char *directory, const struct ask_change *c,
    struct fault *f)
{
	struct format_orders o;
	struct place p;
	int error, ret = place_open(&p, directory, f);

	if (ret != 0)
		return ret;
	read_file(p.directory, p.name, &o);
	merge(&o, c);
	error = write_file(&p, &o);
	close(p.directory);
	return error == 0 ? 0 : fail(f, error);
}

int
standing_end(const char *directory, struct fault *f)
{
	struct place p;
	int error = 0, ret = place_open(&p, directory, f);

	if (ret != 0)
		return ret;
	if (unlinkat(p.directory, p.name, 0) != 0 && errno != ENOENT)
		error = errno;
	close(p.directory);
	return error == 0 ? 0 : fail(f, error);
}
