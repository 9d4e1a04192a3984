/*
 * Context: O.  A directory in which nothing is opened, whoever names it.
 *
 * realpath(3) would ask the mount what is there.  Here each part is read only
 * after what came before it is known to lie outside.
 */
#include "mount_guard.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MOST	40	/* as path_resolution(7) */

static char guarded_mount[PATH_MAX];

struct path_walk {
	char done[PATH_MAX];	/* no links, "" is the root */
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

/* The next part of what is left, "" at the end. */
static void
next_component(struct path_walk *w, char *part)
{
	const char *at = w->rest + strspn(w->rest, "/");
	const size_t bytes = strcspn(at, "/");

	memcpy(part, at, bytes);
	part[bytes] = '\0';
	memmove(w->rest, at + bytes, strlen(at + bytes) + 1);
}

/* False: no such path can be opened. */
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

/* One part further; false: the way ends here. */
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

bool
mount_guard_contains(const char *path)
{
	char part[2 * PATH_MAX];
	struct path_walk w = { .links = 0 };

	if (guarded_mount[0] == '\0' || strlen(path) >= sizeof(w.rest))
		return false;
	strcpy(w.rest, path);
	for (next_component(&w, part); *part != '\0'; next_component(&w,
	    part)) {
		if (!enter_component(&w, part))
			return false;
		if (is_below_mount(w.done))
			return true;
	}
	return false;
}
