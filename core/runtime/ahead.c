/*
 * Context: T.  Makes the file and reads the memory map before they are out of
 * reach.
 */
#include "ahead.h"

#include "ancestor.h"
#include "aside.h"
#include "maps.h"
#include "modules.h"
#include "start.h"
#include "store.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/*
 * The descriptors that making a file and reading /proc need at a time, in a
 * table of their own.
 */
#define FILES_LEAST	8u

/* Capabilities that ignore file modes; both bits are in the first word. */
#define OVERRIDE \
	(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH)

static bool
is_wanted(void)
{
	return start_active() && !start_boxed() &&
	    config.place != CONFIG_PLACE_MEMORY &&
	    config.place != CONFIG_PLACE_OFF;
}

static void
make(bool map)
{
	int before = errno;

	lineage.behind = true;
	if (store_header() == NULL && store_ready())
		mon->made_ahead = true;
	/* Code that is mapped later stays unknown, and counts as a loss. */
	if (map) {
		aside(maps_keep, NULL);
		if (store_header() != NULL)
			modules_refresh();
	}
	ancestor_share();
	errno = before;
}

void
ahead_of_root(void)
{
	if (is_wanted())
		make(true);
}

/*
 * Returns whether the user may search this directory and, if `write`, write to
 * it.  An owner needs the owner's bits; another user needs those of group and
 * others.
 */
static bool
may_use(const char *path, uid_t user, bool write)
{
	const unsigned own = write ? 0300 : 0100, all = write ? 0033 : 0011;
	struct stat st;

	if (SYS(newfstatat, AT_FDCWD, path, &st, 0, 0, 0) != 0)
		return false;
	return st.st_uid == user ? (st.st_mode & own) == own :
	    (st.st_mode & all) == all;
}

static const char *
directory_of_profiles(void)
{
	return lineage_directory[0] != '\0' ? lineage_directory :
	    config.directory;
}

/* Tests each directory of the path; "" is the root's name here. */
static bool
may_create(uid_t user)
{
	char path[PATH_MAX];
	char *p;

	if (config.place == CONFIG_PLACE_FILE)
		return false;	/* its pattern may name any directory */
	str_copy(path, directory_of_profiles(), sizeof path);
	if (!may_use(path[0] != '\0' ? path : "/", user, true))
		return false;
	for (p = path + 1; path[0] != '\0' && *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (!may_use(path, user, false))
			return false;
		*p = '/';
	}
	return true;
}

static uid_t
user_now(void)
{
	return (uid_t)SYS(geteuid, 0, 0, 0, 0, 0, 0);
}

void
ahead_of_user(uid_t user)
{
	if (user != (uid_t)-1 && is_wanted() && user != user_now() &&
	    !may_create(user))
		make(false);
}

void
ahead_of_capabilities(void)
{
	if (is_wanted() && !may_create(user_now()))
		make(false);
}

void
ahead_of_limit(int resource, uint64_t most)
{
	if (((resource == RLIMIT_NOFILE && most < FILES_LEAST) ||
	    (resource == RLIMIT_FSIZE && most < 2 * FORMAT_HEADER)) &&
	    is_wanted())
		make(true);
}

struct capabilities {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

/*
 * Drops the capabilities of this thread that PR_SET_KEEPCAPS keeps only until
 * an exec.  Returns whether it did; the caller then sets `before` again.
 */
static bool
drop_override(struct capabilities *before)
{
	struct capabilities less;

	before->header.version = _LINUX_CAPABILITY_VERSION_3;
	before->header.pid = 0;
	if (user_now() == 0 || SYS(capget, &before->header, before->data, 0, 0,
	    0, 0) != 0 || (before->data[0].effective & OVERRIDE) == 0 ||
	    SYS(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_DAC_OVERRIDE,
	    0, 0, 0) == 1)
		return false;
	less = *before;
	less.data[0].effective &= ~OVERRIDE;
	return SYS(capset, &less.header, less.data, 0, 0, 0, 0) == 0;
}

static int
try_file(void *unused)
{
	const char *directory = directory_of_profiles();
	struct capabilities before;
	const bool dropped = drop_override(&before);
	int fd;

	(void)unused;
	fd = sys_open(directory[0] != '\0' ? directory : "/",
	    O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		sys_close(fd);
	if (dropped)
		SYS(capset, &before.header, before.data, 0, 0, 0, 0);
	return fd < 0 ? fd : 0;
}

/* Returns false for errors of a busy system, which may be gone by then. */
static bool
is_lasting(int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
	case EROFS:
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
		return true;
	}
	return false;
}

bool
ahead_is_shut(void)
{
	struct rlimit64 files;

	if (!lineage.behind || !is_wanted() ||
	    config.place == CONFIG_PLACE_FILE)
		return false;
	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &files, 0, 0) == 0 &&
	    files.rlim_cur < 2 * FORMAT_HEADER)
		return true;
	return is_lasting(aside(try_file, NULL));
}
