/*
 * Context: O.  Guards the mount of proffs, for regular_file.c and load.c; see
 * mount_guard.h.
 *
 * realpath(3) would ask the mount about its files.  Here each component of a
 * path is read only after its parents are known to lie outside the mount.
 */
#include "base/mount_guard.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MOST	40	/* as in path_resolution(7) */

static char guarded_mount[PATH_MAX];

/* A path that is being resolved. */
struct path_walk {
	char done[PATH_MAX];	/* resolved part; "" is the root */
	/* part that is still to be resolved */
	char rest[2 * PATH_MAX];
	unsigned links;
};

void
mount_guard_set(const char *directory)
{
	snprintf(guarded_mount, sizeof(guarded_mount), "%s", directory);
}

static bool
is_below_mount(const char *path)
{
	const size_t bytes = strlen(guarded_mount);

	return strncmp(path, guarded_mount, bytes) == 0 &&
	    (path[bytes] == '/' || path[bytes] == '\0');
}

static void
drop_component(struct path_walk *w)
{
	char *slash = strrchr(w->done, '/');

	if (slash != NULL)
		*slash = '\0';
}

/* Takes the next component of w->rest into `part`; "" at the end. */
static void
next_component(struct path_walk *w, char *part)
{
	const char *at = w->rest + strspn(w->rest, "/");
	const size_t bytes = strcspn(at, "/");

	memcpy(part, at, bytes);
	part[bytes] = '\0';
	memmove(w->rest, at + bytes, strlen(at + bytes) + 1);
}

/*
 * Puts the target of a symbolic link in front of w->rest.  Returns false if no
 * such path can be opened.
 */
static bool
follow_symlink(struct path_walk *w, const char *link)
{
	char all[2 * PATH_MAX];
	const int bytes = snprintf(all, sizeof(all), "%s%s", link, w->rest);

	if (++w->links > LINKS_MOST || bytes >= (int)sizeof(w->rest))
		return false;
	if (*link == '/')
		w->done[0] = '\0';
	else
		drop_component(w);
	memcpy(w->rest, all, (size_t)bytes + 1);
	return true;
}

/*
 * Appends one component to w->done.  Returns false if the path cannot be
 * followed further.
 */
static bool
enter_component(struct path_walk *w, const char *part)
{
	const size_t bytes = strlen(w->done);
	char link[PATH_MAX];
	ssize_t got;

	if (strcmp(part, ".") == 0)
		return true;
	if (strcmp(part, "..") == 0) {
		drop_component(w);
		return true;
	}
	if (bytes + strlen(part) + 2 > sizeof(w->done))
		return false;
	sprintf(w->done + bytes, "/%s", part);
	if (is_below_mount(w->done))
		return true;
	got = readlink(w->done, link, sizeof(link) - 1);
	if (got < 0)
		return true;
	link[got] = '\0';
	return follow_symlink(w, link);
}

/* Begins at the root, or with a relative path at the current directory. */
static bool
begin_walk(struct path_walk *w, const char *path)
{
	char here[PATH_MAX] = "";

	if (*path != '/' && getcwd(here, sizeof(here)) == NULL)
		return false;
	return (size_t)snprintf(w->rest, sizeof(w->rest), "%s/%s", here,
	    path) < sizeof(w->rest);
}

bool
mount_guard_contains(const char *path)
{
	char part[2 * PATH_MAX];
	struct path_walk w = { .links = 0 };

	if (guarded_mount[0] == '\0' || !begin_walk(&w, path))
		return false;
	for (next_component(&w, part); *part != '\0'; next_component(&w,
	    part)) {
		if (!enter_component(&w, part))
			return false;
		if (is_below_mount(w.done))
			return true;
	}
	return false;
}
