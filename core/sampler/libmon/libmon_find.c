/*
 * Context: O.  Finds the libmon.so to preload, for tprof monitor, prof record
 * and prof doctor; see backend_preload.h.
 */
#include "libmon/backend_preload.h"

#include "libmon/elf_interp.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Takes a candidate if it is for the same kind of processor as this program: it
 * may be in lib, lib32 or lib64.
 */
static bool
take_libmon(const char *candidate, char *path, size_t room)
{
	char *real = realpath(candidate, NULL);
	struct elf_interp h;
	const bool is = real != NULL && strlen(real) < room &&
	    elf_interp_read_path(&h, real) && h.same_cpu;

	if (is)
		strcpy(path, real);
	free(real);
	return is;
}

static bool
take_libmon_glob(const char *pattern, char *path, size_t room)
{
	bool is = false;
	glob_t found;

	if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
		return false;
	for (size_t i = 0; i < found.gl_pathc && !is; i++)
		is = take_libmon(found.gl_pathv[i], path, room);
	globfree(&found);
	return is;
}

/*
 * Returns whether the path has no characters that are special to glob(3):
 * directories with such characters are not searched.
 */
static bool
is_plain(const char *path)
{
	return path[strcspn(path, "*?[\\")] == '\0';
}

/*
 * libtool puts the programs that it links in .libs, and a script in their place
 * if the script has to set the path of our libraries.
 */
bool
libmon_find_in(const char *directory, char *path, size_t room)
{
	static const char libs[] = "/.libs";
	const size_t bytes = strlen(directory), own = sizeof(libs) - 1;
	char at[PATH_MAX + 32];

	snprintf(at, sizeof(at), "%s/.libs/libmon.so", directory);
	if (take_libmon(at, path, room))
		return true;
	snprintf(at, sizeof(at), "%s/libmon.so", directory);
	if (bytes > own && strcmp(directory + bytes - own, libs) == 0 &&
	    take_libmon(at, path, room))
		return true;
	snprintf(at, sizeof(at), "%s/../lib*/libmon.so", directory);
	return is_plain(directory) && take_libmon_glob(at, path, room);
}

/* Stores the directory of the running program; "" if it is not known. */
static void
own_directory(char *to, size_t room)
{
	const ssize_t n = readlink("/proc/self/exe", to, room - 1);
	char *slash;

	to[n > 0 ? n : 0] = '\0';
	slash = strrchr(to, '/');
	if (slash != NULL)
		*slash = '\0';
}

int
libmon_find(char *path, size_t bytes, struct fault *f)
{
	char own[PATH_MAX];
	int ret;

	own_directory(own, sizeof(own));
	if (!libmon_find_in(own, path, bytes) &&
	    !take_libmon(LIBDIR "/libmon.so", path, bytes)) {
		ret = fault_set(f, "is neither there nor beside this program",
		    FAULT_NO_OFFSET, ENOENT);
		f->file = LIBDIR "/libmon.so";
		f->remedy = "install libmon";
		return ret;
	}
	/* Characters that separate paths in LD_PRELOAD. */
	if (strpbrk(path, " :") == NULL)
		return 0;
	ret = fault_set(f, "libmon.so has a blank or a colon in its path: it "
	    "cannot be preloaded", FAULT_NO_OFFSET, 0);
	f->file = path;
	f->remedy = "install it elsewhere";
	return ret;
}
