/* Context: O.  Is a command one that libmon.so can be preloaded into? */
#include "suited.h"

#include "elfhead.h"

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

#define INTERPRETERS	4	/* the kernel follows 5 and then fails */
#define LINE_BYTES	256	/* of "#! ..." that the kernel reads, from 5.1 */
#define USUAL_PATH	"/bin:/usr/bin"	/* of glibc's execvp(3) without PATH */

static enum suited
may_run(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == EACCES ? SUITED_NOT_RUN : SUITED_NOT_FOUND;
	return S_ISREG(st.st_mode) &&
	    faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? SUITED :
	    SUITED_NOT_RUN;
}

/*
 * The first that runs; one that may not is remembered, and the search goes on.
 */
static enum suited
look_up(const char *command, char *path, size_t room)
{
	const char *at = getenv("PATH");
	enum suited best = SUITED_NOT_FOUND, s;

	if (*command == '\0' || strchr(command, '/') != NULL) {
		snprintf(path, room, "%s", command);
		return may_run(command);
	}
	for (at = at != NULL ? at : USUAL_PATH;; at++) {
		const size_t n = strcspn(at, ":");

		if (snprintf(path, room, "%.*s%s%s", (int)n, at,
		    n > 0 ? "/" : "", command) < (int)room) {
			s = may_run(path);
			if (s == SUITED)
				return s;
			if (s == SUITED_NOT_RUN)
				best = s;
		}
		at += n;
		if (*at == '\0')
			break;
	}
	path[0] = '\0';
	return best;
}

/* What the kernel ignores where privileges are not to be gained. */
static bool
is_heeded(int fd)
{
	struct statvfs v;

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 &&
	    (fstatvfs(fd, &v) != 0 || (v.f_flag & ST_NOSUID) == 0);
}

/*
 * Does the loader see AT_SECURE?  It does where a user or group comes to be
 * another than the real one, and, of any but root, with capabilities.
 */
static bool
gains(int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !is_heeded(fd))
		return false;
	if ((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid())
		return true;
	/* Without S_IXGRP it once meant that files were locked. */
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

/* Loaders have a name for each C library and machine, wherever they lie. */
static bool
is_our_loader(const char *interpreter)
{
	struct elfhead own;

	return !elfhead_read_path(&own, "/proc/self/exe") ||
	    own.interpreter[0] == '\0' ||
	    strcmp(last_part(own.interpreter), last_part(interpreter)) == 0;
}

static enum suited
judge(int fd, const struct elfhead *h)
{
	return !h->same_cpu ? SUITED_CPU :
	    h->interpreter[0] == '\0' ? SUITED_STATIC :
	    gains(fd) ? SUITED_GAINS :
	    is_our_loader(h->interpreter) ? SUITED : SUITED_LIBC;
}

/* Its interpreter; what is neither ELF nor says one execvp(3) hands to sh. */
static void
follow(int fd, char *path, size_t room)
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

static enum suited
check(char *path, size_t room)
{
	for (unsigned i = 0; i <= INTERPRETERS; i++) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		enum suited s = SUITED;
		struct elfhead h;

		if (fd < 0)
			return SUITED;
		elfhead_read(&h, fd);
		if (h.is_elf)
			s = judge(fd, &h);
		else
			follow(fd, path, room);
		close(fd);
		if (h.is_elf)
			return s;
		s = may_run(path);
		if (s != SUITED)
			return s;
	}
	return SUITED_NESTED;
}

enum suited
suited_check(const char *command, char *file, size_t bytes)
{
	char path[PATH_MAX];
	enum suited s = look_up(command, path, sizeof(path));

	if (s == SUITED)
		s = check(path, sizeof(path));
	if (file != NULL)
		snprintf(file, bytes, "%s", path);
	return s;
}

const char *
suited_words(enum suited s)
{
	static const char *const words[SUITED_COUNT] = {
		[SUITED] = "is suited",
		[SUITED_NOT_FOUND] = "is not found",
		[SUITED_NOT_RUN] = "may not be executed",
		[SUITED_STATIC] = "is statically linked",
		[SUITED_GAINS] = "gains privileges when it is executed",
		[SUITED_CPU] = "is for another processor",
		[SUITED_LIBC] = "is for another C library",
		[SUITED_NESTED] = "is a script of too many interpreters",
	};

	return (unsigned)s < SUITED_COUNT ? words[s] : "is not known";
}
