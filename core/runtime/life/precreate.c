/*
 * Context: T.  Creates the profile and reads the memory map before files are
 * out of reach, for hooks and exec_image.c, in the calling thread; see
 * precreate.h.
 */
#include "life/precreate.h"

#include "base/profiling.h"
#include "base/store_header.h"
#include "base/str.h"
#include "module/modules.h"
#include "module/proc_maps.h"
#include "store/ancestor.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/private_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/*
 * The descriptors that creating a file and reading /proc need at a time, in a
 * table of their own.
 */
#define PRECREATE_FILES	8u

/* Capabilities that ignore file modes; both bits are in the first word. */
#define DAC_OVERRIDE_BITS \
	(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH)

static bool
may_precreate(void)
{
	return profiling_is_active() && !profiling_is_frozen() &&
	    config.place != CONFIG_PLACE_MEMORY &&
	    config.place != CONFIG_PLACE_OFF;
}

/*
 * Creates the profile if there is none, and shares its header with children.
 * map: reads the memory map as well.  Keeps errno.
 */
static void
precreate_profile(bool map)
{
	int before = errno;

	lineage.behind = true;
	if (store_header() == NULL && store_create_if_due())
		mon->made_ahead = true;
	/* Code that is mapped later stays unknown, and counts as a loss. */
	if (map) {
		private_fds_run(proc_maps_save, NULL);
		if (store_header() != NULL)
			modules_refresh();
	}
	ancestor_share_header();
	errno = before;
}

void
precreate_before_chroot(void)
{
	if (may_precreate())
		precreate_profile(true);
}

/*
 * Returns whether the user may search this directory and, if `write`, write to
 * it.  An owner needs the owner's bits; another user needs those of group and
 * others.
 */
static bool
may_access_dir(const char *path, uid_t user, bool write)
{
	const unsigned own = write ? 0300 : 0100, all = write ? 0033 : 0011;
	struct stat st;

	if (SYS(newfstatat, AT_FDCWD, path, &st, 0, 0, 0) != 0)
		return false;
	return st.st_uid == user ? (st.st_mode & own) == own :
	    (st.st_mode & all) == all;
}

static const char *
profile_directory(void)
{
	return lineage_directory[0] != '\0' ? lineage_directory :
	    config.directory;
}

/*
 * Returns whether the user may create files in the directory of the profiles:
 * may search each directory of the path.  "" is the root's name here.
 */
static bool
may_create_profile(uid_t user)
{
	char path[PATH_MAX];
	char *p;

	if (config.place == CONFIG_PLACE_FILE)
		return false;	/* its pattern may name any directory */
	str_copy(path, profile_directory(), sizeof(path));
	if (!may_access_dir(path[0] != '\0' ? path : "/", user, true))
		return false;
	for (p = path + 1; path[0] != '\0' && *p != '\0'; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (!may_access_dir(path, user, false))
			return false;
		*p = '/';
	}
	return true;
}

static uid_t
effective_user(void)
{
	return (uid_t)SYS(geteuid, 0, 0, 0, 0, 0, 0);
}

void
precreate_before_setuid(uid_t user)
{
	if (user != (uid_t)-1 && may_precreate() && user != effective_user() &&
	    !may_create_profile(user))
		precreate_profile(false);
}

void
precreate_before_setgid(void)
{
	if (may_precreate() && effective_user() != 0 &&
	    !may_create_profile(effective_user()))
		precreate_profile(false);
}

void
precreate_before_capset(void)
{
	if (may_precreate() && !may_create_profile(effective_user()))
		precreate_profile(false);
}

void
precreate_before_setrlimit(int resource, uint64_t most)
{
	if (((resource == RLIMIT_NOFILE && most < PRECREATE_FILES) ||
	    (resource == RLIMIT_FSIZE && most < 2 * FORMAT_HEADER)) &&
	    may_precreate())
		precreate_profile(true);
	if (resource == RLIMIT_AS && most / STORE_AS_PART < config.size &&
	    may_precreate()) {
		precreate_profile(true);
		store_shrink(most / STORE_AS_PART);
	}
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
drop_dac_override(struct capabilities *before)
{
	struct capabilities less;

	before->header.version = _LINUX_CAPABILITY_VERSION_3;
	before->header.pid = 0;
	if (effective_user() == 0 || SYS(capget, &before->header, before->data,
	    0, 0, 0, 0) != 0 ||
	    (before->data[0].effective & DAC_OVERRIDE_BITS) == 0 || SYS(prctl,
	    PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_DAC_OVERRIDE, 0, 0,
	    0) == 1)
		return false;
	less = *before;
	less.data[0].effective &= ~DAC_OVERRIDE_BITS;
	return SYS(capset, &less.header, less.data, 0, 0, 0, 0) == 0;
}

/*
 * Tries to create a file without a name, as the new program will be allowed to.
 * Must run by private_fds_run().  Returns 0 or -errno.
 */
static int
try_create_profile(void *unused)
{
	const char *directory = profile_directory();
	struct capabilities before;
	const bool dropped = drop_dac_override(&before);
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

/* Returns false for errors of a busy system, which may be over at the exec. */
static bool
is_permanent_error(int error)
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
precreate_exec_will_fail(void)
{
	struct rlimit64 files;

	if (!lineage.behind || !may_precreate() ||
	    config.place == CONFIG_PLACE_FILE)
		return false;
	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &files, 0, 0) == 0 &&
	    files.rlim_cur < 2 * FORMAT_HEADER)
		return true;
	return is_permanent_error(private_fds_run(try_create_profile, NULL));
}
