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
#include <sys/resource.h>

/*
 * The descriptors that making a file and reading /proc need at a time, in a
 * table of their own.
 */
#define FILES_LEAST	8u

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

/* Tests each directory of the path; "" is the root's name here. */
static bool
may_create(uid_t user)
{
	const char *directory = lineage_directory[0] != '\0' ?
	    lineage_directory : config.directory;
	char path[PATH_MAX];
	char *p;

	if (config.place == CONFIG_PLACE_FILE)
		return false;	/* its pattern may name any directory */
	str_copy(path, directory, sizeof path);
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
