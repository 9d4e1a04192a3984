/*
 * Context: O.  Finds the Debian package that a file is from, for
 * symbols_finding.c; see package.h.
 */
#define _GNU_SOURCE		/* for memmem */
#include "findings/package.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACKAGE_USR	"/usr"

/* A list of files, and the path that is looked for in all of them. */
struct package_search {
	char line[4096];	/* the path without "/usr", and a newline */
	size_t bytes;
	char *text;		/* of the list */
	size_t room;
};

/* Returns whether a line of the list begins at `at`, or "/usr" before it. */
static bool
begins_line(const char *text, const char *at)
{
	const size_t usr = strlen(PACKAGE_USR);

	if ((size_t)(at - text) >= usr && memcmp(at - usr, PACKAGE_USR, usr) ==
	    0)
		at -= usr;
	return at == text || at[-1] == '\n';
}

static bool
list_has_path(const struct package_search *s, size_t bytes)
{
	const char *end = s->text + bytes, *at = s->text;

	while ((at = memmem(at, (size_t)(end - at), s->line, s->bytes)) != NULL)
		if (begins_line(s->text, at++))
			return true;
	return false;
}

/*
 * Reads the list `name` in the directory `lists` and returns whether it has the
 * path; false if it cannot be read.
 */
static bool
file_has_path(struct package_search *s, const char *lists, const char *name)
{
	char file[4096];
	struct stat st;
	ssize_t n = -1;
	int fd;

	snprintf(file, sizeof(file), "%s/%s", lists, name);
	/* A directory of dpkg has no other files. */
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0)
		st.st_size = 0;
	if ((size_t)st.st_size >= s->room) {
		free(s->text);
		s->room = 2 * (size_t)st.st_size + 1;
		s->text = malloc(s->room);
		s->room = s->text == NULL ? 0 : s->room;
	}
	if (s->text != NULL)
		n = read(fd, s->text, (size_t)st.st_size);
	close(fd);
	if (n <= 0)
		return false;
	s->text[n] = '\n';	/* the last line may have none */
	return list_has_path(s, (size_t)n + 1);
}

/* Returns the length of the package's name in that of a list, or 0. */
static size_t
package_bytes(const char *name)
{
	const char *end = strrchr(name, '.');

	if (end == NULL || strcmp(end, ".list") != 0)
		return 0;
	/* NAME:ARCHITECTURE.list where several architectures may be there */
	return strcspn(name, ":") < (size_t)(end - name) ? strcspn(name, ":") :
	    (size_t)(end - name);
}

bool
package_find(const char *lists, const char *path, char *room, size_t bytes)
{
	const size_t usr = strlen(PACKAGE_USR);
	struct package_search s = { .room = 0 };
	const struct dirent *e;
	bool found = false;
	DIR *d = opendir(lists);

	if (d == NULL)
		return false;
	snprintf(s.line, sizeof(s.line), "%s\n", strncmp(path, PACKAGE_USR "/",
	    usr + 1) == 0 ? path + usr : path);
	s.bytes = strlen(s.line);
	while (!found && (e = readdir(d)) != NULL) {
		const size_t n = package_bytes(e->d_name);

		if (n == 0 || n >= bytes)
			continue;
		found = file_has_path(&s, lists, e->d_name);
		if (found)
			snprintf(room, bytes, "%.*s", (int)n, e->d_name);
	}
	free(s.text);
	closedir(d);
	return found;
}

bool
package_symbols(const char *package, char *room, size_t bytes)
{
	static const char *const older[] = {
		"libc6", "libbinutils", "binutils-multiarch", "ceph-base",
		"ceph-common", "ceph-osd", "ceph-mon", "librados2", "librbd1",
	};
	const char *end = "-dbgsym";

	/* Packages of Python have a -dbg with another build of it. */
	if (strncmp(package, "python3", 7) == 0 ||
	    strncmp(package, "libpython3", 10) == 0)
		return false;
	for (size_t i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		if (strcmp(package, older[i]) == 0)
			end = "-dbg";
	snprintf(room, bytes, "%s%s", package, end);
	return true;
}
