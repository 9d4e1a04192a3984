/*
 * Context: T.  Leaves the classic name to the program's own monitor(), for
 * monitor.c, when monitor() begins.
 */
#include "classic/yield_monout.h"

#include "base/store_header.h"
#include "base/str.h"
#include "store/profile_name.h"
#include "store/run.h"
#include "store/store.h"

#define TRIES	1000u	/* names that are taken; ms to wait */

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE	1u	/* linux/fs.h */
#endif

/*
 * Waits while another thread makes the profile, as that uses the name that it
 * knew.  Returns whether there is a profile.
 */
static bool
await_store_made(void)
{
	const struct timespec ms = {0, 1000000};

	for (unsigned i = 0; atomic_load(&mon->store.state) == STORE_BUSY &&
	    i < TRIES; i++)
		SYS(nanosleep, &ms, NULL, 0, 0, 0, 0);
	return store_header() != NULL;
}

/* Returns 0 or -errno; -EEXIST if `to` is taken. */
static int
rename_if_free(const char *from, const char *to)
{
	int ret = (int)SYS(renameat2, AT_FDCWD, from, AT_FDCWD, to,
	    RENAME_NOREPLACE, 0);

	/* Some file systems cannot rename in this way. */
	if (ret == -EINVAL || ret == -ENOSYS)
		ret = SYS(faccessat, AT_FDCWD, to, 0, 0, 0, 0) == 0 ?
		    -EEXIST : (int)SYS(renameat, AT_FDCWD, from, AT_FDCWD, to,
		    0, 0);
	return ret;
}

/* Renames the profile to the next free name, and notes that; else leaves it. */
static void
rename_profile(void)
{
	struct store *s = &mon->store;
	char *path = s->local ? s->final : s->path;
	char to[PATH_MAX];
	int ret = -EEXIST;

	for (unsigned nth = 0; ret == -EEXIST && nth < TRIES; nth++) {
		ret = profile_name_candidate(to, sizeof(to), nth,
		    run_owns_plain_name());
		if (ret == 0)
			ret = rename_if_free(path, to);
	}
	if (ret == 0)
		str_copy(path, to, PATH_MAX);
}

void
yield_monout_name(void)
{
	if (mon == NULL || config.yields || atomic_load(&mon->frozen) ||
	    (config.place != CONFIG_PLACE_PLAIN &&
	    config.place != CONFIG_PLACE_DIR))
		return;
	config.yields = true;
	if (await_store_made())
		rename_profile();
}
