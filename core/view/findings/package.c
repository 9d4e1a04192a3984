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
#include <unistd.h>

#define PACKAGE_USR	"/usr"

/* The path that is looked for in all lists, and a part of one list. */
struct package_search {
	char line[4096];	/* the path without "/usr", and a newline */
	size_t bytes;
	char text[65536];	/* the last byte is for a missing newline */
};

/*
 * Returns whether a line of the list begins at `at`, or "/usr" before it.  The
 * first byte of the text is never the first of a line.
 */
static bool
begins_line(const char *text, const char *at)
{
	const size_t usr = strlen(PACKAGE_USR);

	if ((size_t)(at - text) > usr && memcmp(at - usr, PACKAGE_USR, usr) ==
	    0)
		at -= usr;
	return at > text && at[-1] == '\n';
}

static bool
text_has_path(const struct package_search *s, size_t bytes)
{
	const char *end = s->text + bytes, *at = s->text;

	while ((at = memmem(at, (size_t)(end - at), s->line, s->bytes)) != NULL)
		if (begins_line(s->text, at++))
			return true;
	return false;
}

/*
 * Reads the list in parts, as some have megabytes, and returns whether it has
 * the path.
 */
static bool
list_has_path(struct package_search *s, int fd)
{
	/* what the next part needs of this one: "\n/usr" and most of a line */
	const size_t most = s->bytes + strlen(PACKAGE_USR);
	size_t kept = 1, room;
	ssize_t n;

	s->text[0] = '\n';
	do {
		room = sizeof(s->text) - 1 - kept;
		n = read(fd, s->text + kept, room);
		if (n < 0)
			return false;
		kept += (size_t)n;
		if ((size_t)n < room)
			s->text[kept++] = '\n';
		if (text_has_path(s, kept))
			return true;
		if (kept > most) {
			memmove(s->text, s->text + kept - most, most);
			kept = most;
		}
	} while ((size_t)n == room);
	return false;
}

/*
 * Returns whether the list `name` in the directory `lists` has the path; false
 * if it cannot be read.
 */
static bool
file_has_path(struct package_search *s, int lists, const char *name)
{
	/* A directory of dpkg has no other files. */
	const int fd = openat(lists, name, O_RDONLY | O_CLOEXEC);
	bool found;

	if (fd < 0)
		return false;
	found = list_has_path(s, fd);
	close(fd);
	return found;
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

/* Sets the line that the search looks for. */
static void
set_search_path(struct package_search *s, const char *path)
{
	const size_t usr = strlen(PACKAGE_USR);

	snprintf(s->line, sizeof(s->line), "%s\n", strncmp(path, PACKAGE_USR
	    "/", usr + 1) == 0 ? path + usr : path);
	s->bytes = strlen(s->line);
}

/* Returns whether that many bytes are a part of most packages' paths. */
static bool
is_common_word(const char *word, size_t bytes)
{
	static const char *const common[] = {
		"usr", "lib", "bin", "so", "x86", "64", "aarch64", "linux",
		"gnu", "share",
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (strlen(common[i]) == bytes &&
		    memcmp(common[i], word, bytes) == 0)
			return true;
	return bytes < 2;
}

/*
 * Returns whether the name of a list has a word of the path: cpp-12 has one of
 * /usr/lib/gcc/x86_64-linux-gnu/12/cc1.
 */
static bool
has_word_of_path(const char *name, const char *path)
{
	const char *between = "/.-_+\n";

	for (path += strspn(path, between); *path != '\0';
	    path += strspn(path, between)) {
		const size_t n = strcspn(path, between);

		if (!is_common_word(path, n) &&
		    memmem(name, strlen(name), path, n) != NULL)
			return true;
		path += n;
	}
	return false;
}

/*
 * Searches the lists in d whose names have a word of the path (likely), or
 * those whose names have none.
 */
static bool
find_in_lists(struct package_search *s, DIR *d, bool likely, char *room,
    size_t bytes)
{
	const struct dirent *e;

	while ((e = readdir(d)) != NULL) {
		const size_t n = package_bytes(e->d_name);

		if (n == 0 || n >= bytes ||
		    has_word_of_path(e->d_name, s->line) != likely ||
		    !file_has_path(s, dirfd(d), e->d_name))
			continue;
		snprintf(room, bytes, "%.*s", (int)n, e->d_name);
		return true;
	}
	rewinddir(d);
	return false;
}

bool
package_find(const char *lists, const char *path, char *room, size_t bytes)
{
	struct package_search *s = malloc(sizeof(*s));
	DIR *d = s == NULL ? NULL : opendir(lists);
	bool found = false;

	if (d != NULL) {
		set_search_path(s, path);
		/* To open a thousand lists takes as long as a report. */
		found = find_in_lists(s, d, true, room, bytes) ||
		    find_in_lists(s, d, false, room, bytes);
		closedir(d);
	}
	free(s);
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
