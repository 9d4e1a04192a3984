/*
 * Context: O.  Finds the Debian package that a file is from, for
 * symbols_finding.c; see package.h.
 */
#include "findings/package.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKAGE_USR	"/usr"

/* Returns whether a list has one of the two paths as a line. */
static bool
list_has_path(FILE *in, const char *path, const char *other)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false;
	ssize_t n;

	while (!found && (n = getline(&line, &room, in)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = strcmp(line, path) == 0 || strcmp(line, other) == 0;
	}
	free(line);
	return found;
}

/*
 * Returns whether the list `name` in the directory `lists` has one of the two
 * paths; false if it cannot be read.
 */
static bool
file_has_path(const char *lists, const char *name, const char *path,
    const char *other)
{
	char file[4096];
	bool found;
	FILE *in;

	snprintf(file, sizeof(file), "%s/%s", lists, name);
	in = fopen(file, "r");
	if (in == NULL)
		return false;
	found = list_has_path(in, path, other);
	fclose(in);
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

bool
package_find(const char *lists, const char *path, char *room, size_t bytes)
{
	const size_t usr = strlen(PACKAGE_USR);
	char other[4096];
	const struct dirent *e;
	bool found = false;
	DIR *d = opendir(lists);

	if (d == NULL)
		return false;
	snprintf(other, sizeof(other), "%s", strncmp(path, PACKAGE_USR "/",
	    usr + 1) == 0 ? path + usr : path);
	while (!found && (e = readdir(d)) != NULL) {
		const size_t n = package_bytes(e->d_name);

		if (n == 0 || n >= bytes)
			continue;
		found = file_has_path(lists, e->d_name, path, other);
		if (found)
			snprintf(room, bytes, "%.*s", (int)n, e->d_name);
	}
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
