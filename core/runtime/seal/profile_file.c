/*
 * Context: T.  Changes the file of this process, for seal.c and seal_exec.c, on
 * private descriptors; see profile_file.h.
 */
#include "seal/profile_file.h"

#include "base/state.h"
#include "base/str.h"
#include "store/store_path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

/*
 * Opens the file of this process by its path.  Returns -ESTALE if the path
 * names another file now.
 */
static int
open_own_profile(void)
{
	struct stat st;
	int fd;

	fd = sys_open(mon->store.path, O_RDWR | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return fd;
	if (SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 &&
	    st.st_dev == mon->store.device && st.st_ino == mon->store.inode)
		return fd;
	sys_close(fd);
	return -ESTALE;
}

int
profile_file_resize(void *bytes)
{
	const uint64_t *n = bytes;
	int fd = open_own_profile(), ret;

	if (fd < 0)
		return fd;
	ret = (int)SYS(ftruncate, fd, *n, 0, 0, 0, 0);
	sys_close(fd);
	return ret;
}

uint64_t
profile_file_size_limit(void)
{
	struct rlimit r;

	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &r, 0, 0) != 0)
		return 0;
	return r.rlim_cur & ~(config.page - 1);
}

/* Writes the first `used` bytes of the profile to fd. */
static bool
write_profile(int fd, uint64_t used)
{
	uint64_t done = 0;

	while (done < used) {
		long n = sys_write(fd, mon->store.base + done, used - done);

		if (n <= 0 && n != -EINTR)
			break;
		if (n > 0)
			done += (uint64_t)n;
	}
	return done == used;
}

bool
profile_file_move_to_final(uint64_t used)
{
	struct store *s = &mon->store;
	/*
	 * The first half of the scratch memory may be in use for
	 * header_fill_texts() of another thread.
	 */
	char *temporary = mon->birth_scratch + PATH_MAX;
	struct str t;
	bool whole;
	int fd;

	if (used > profile_file_size_limit())
		return false;
	str_init(&t, temporary, PATH_MAX);
	str_add(&t, s->final);
	str_add(&t, ".part");
	/* A killed process of this name may have left one. */
	SYS(unlinkat, AT_FDCWD, temporary, 0, 0, 0, 0);
	fd = sys_open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
	    0600);
	if (fd < 0)
		return false;
	whole = write_profile(fd, used);
	if (sys_close(fd) == 0 && whole &&
	    SYS(renameat, AT_FDCWD, temporary, AT_FDCWD, s->final, 0, 0) == 0) {
		SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
		return true;
	}
	SYS(unlinkat, AT_FDCWD, temporary, 0, 0, 0, 0);
	return false;
}

int
profile_file_remove(void *unused)
{
	int fd = open_own_profile();

	(void)unused;
	if (fd < 0)
		return fd;
	sys_close(fd);
	store_path_undo();
	return 0;
}
