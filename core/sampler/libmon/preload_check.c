/*
 * Context: O.  Checks whether libmon.so can be preloaded into a command, for
 * tprof monitor, prof record and prof doctor; see preload_check.h.
 */
#include "libmon/preload_check.h"

#include "libmon/elf_interp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define INTERPRETERS	5	/* the kernel follows so many, no more */
/* bytes of a "#!" line that the kernel reads, since 5.1 */
#define LINE_BYTES	256
/* PATH of glibc's execvp(3) if none is set */
#define USUAL_PATH	"/bin:/usr/bin"

/* Returns PRELOAD_CHECK_OK if the user of the process may execute the file. */
static enum preload_check
may_run(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == EACCES ? PRELOAD_CHECK_NOT_RUN :
		    PRELOAD_CHECK_NOT_FOUND;
	return S_ISREG(st.st_mode) && faccessat(AT_FDCWD, path, X_OK,
	    AT_EACCESS) == 0 ? PRELOAD_CHECK_OK : PRELOAD_CHECK_NOT_RUN;
}

/*
 * Finds the first file that may be executed, as execvp(3) does, and stores its
 * path; "" if there is none.  A file that may not is noted, and the search goes
 * on.
 */
static enum preload_check
look_up(const char *command, char *path, size_t room)
{
	const char *at = getenv("PATH");
	enum preload_check best = PRELOAD_CHECK_NOT_FOUND, s;

	if (*command == '\0' || strchr(command, '/') != NULL) {
		snprintf(path, room, "%s", command);
		return may_run(command);
	}
	for (at = at != NULL ? at : USUAL_PATH;; at++) {
		const size_t n = strcspn(at, ":");

		if (snprintf(path, room, "%.*s%s%s", (int)n, at,
		    n > 0 ? "/" : "", command) < (int)room) {
			s = may_run(path);
			if (s == PRELOAD_CHECK_OK)
				return s;
			if (s == PRELOAD_CHECK_NOT_RUN)
				best = s;
		}
		at += n;
		if (*at == '\0')
			break;
	}
	path[0] = '\0';
	return best;
}

/*
 * Returns whether the kernel honors set-user-id bits and capabilities of the
 * file: not with no_new_privs or on a nosuid mount.
 */
static bool
setuid_is_honoured(int fd)
{
	struct statvfs v;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 &&
	    (fstatvfs(fd, &v) != 0 || (v.f_flag & ST_NOSUID) == 0);
}

/*
 * Returns whether the loader will see AT_SECURE: if the effective user or group
 * differs from the real one, or, for other users than root, if the file has
 * capabilities.
 */
static bool
gains_privileges(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !setuid_is_honoured(fd))
		return false;
	if ((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid())
		return true;
	/* Without S_IXGRP, S_ISGID once meant mandatory locking. */
	if ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    st.st_gid != getgid())
		return true;
	return getuid() != 0 &&
	    fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Loaders have a name for each C library and machine, in any directory. */
static bool
is_our_loader(const char *interpreter)
{
	struct elf_interp own;

	return !elf_interp_read_path(&own, "/proc/self/exe") ||
	    own.interpreter[0] == '\0' ||
	    strcmp(last_part(own.interpreter), last_part(interpreter)) == 0;
}

/* Returns the verdict about an ELF file. */
static enum preload_check
judge_elf_program(int fd, const struct elf_interp *h)
{
	return !h->same_cpu ? PRELOAD_CHECK_CPU : h->interpreter[0] == '\0' ?
	    PRELOAD_CHECK_STATIC : gains_privileges(fd) ?
	    PRELOAD_CHECK_PRIVILEGED : is_our_loader(h->interpreter) ?
	    PRELOAD_CHECK_OK : PRELOAD_CHECK_LIBC;
}

/*
 * Stores the interpreter of a script in `path`.  execvp(3) hands a file that is
 * no ELF file and names no interpreter to sh.
 */
static void
follow_interpreter(int fd, char *path, size_t room)
{
	char line[LINE_BYTES], *at = line + 2;
	const ssize_t n = pread(fd, line, sizeof(line) - 1, 0);

	line[n > 0 ? n : 0] = '\0';
	if (strncmp(line, "#!", 2) == 0) {
		at += strspn(at, " \t");
		at[strcspn(at, " \t\n")] = '\0';
		if (*at != '\0') {
			snprintf(path, room, "%s", at);
			return;
		}
	}
	snprintf(path, room, "/bin/sh");
}

/*
 * Follows a script to the program that runs it, and judges that.  `path`
 * receives the path of the file that was judged.
 */
static enum preload_check
check_program_file(char *path, size_t room)
{
	for (unsigned i = 0; i <= INTERPRETERS; i++) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		enum preload_check s = PRELOAD_CHECK_OK;
		struct elf_interp h;

		if (fd < 0)
			return PRELOAD_CHECK_OK;
		elf_interp_read(&h, fd);
		if (h.is_elf)
			s = judge_elf_program(fd, &h);
		else
			follow_interpreter(fd, path, room);
		close(fd);
		if (h.is_elf)
			return s;
		s = may_run(path);
		if (s != PRELOAD_CHECK_OK)
			return s;
	}
	return PRELOAD_CHECK_NESTED;
}

enum preload_check
preload_check_command(const char *command, char *file, size_t bytes)
{
	char path[PATH_MAX];
	enum preload_check s = look_up(command, path, sizeof(path));

	if (s == PRELOAD_CHECK_OK)
		s = check_program_file(path, sizeof(path));
	if (file != NULL)
		snprintf(file, bytes, "%s", path);
	return s;
}

const char *
preload_check_text(enum preload_check s)
{
	static const char *const words[PRELOAD_CHECK_COUNT] = {
		[PRELOAD_CHECK_OK] = "is suited",
		[PRELOAD_CHECK_NOT_FOUND] = "is not found",
		[PRELOAD_CHECK_NOT_RUN] = "may not be executed",
		[PRELOAD_CHECK_STATIC] = "is statically linked",
		[PRELOAD_CHECK_PRIVILEGED] =
		    "gains privileges when it is executed",
		[PRELOAD_CHECK_CPU] = "is for another processor",
		[PRELOAD_CHECK_LIBC] = "is for another C library",
		[PRELOAD_CHECK_NESTED] = "is a script of too many interpreters",
	};

	return (unsigned)s < PRELOAD_CHECK_COUNT ? words[s] : "is not known";
}
