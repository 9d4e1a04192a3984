/*
 * Context: O.  Opens the file that samples go to, for recording_open(); see
 * tprof_output.h.
 */
#include "tprof/tprof_output.h"

#include "classic/tprof.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sets *f.  Returns NULL. */
static FILE *
fault_output(struct fault *f, const char *path, const char *what, int errnum,
    const char *remedy)
{
	fault_set(f, what, FAULT_NO_OFFSET, errnum);
	f->file = path;
	f->remedy = remedy;
	return NULL;
}

/* Returns whether the file may be replaced: it is a tprof.out, or empty. */
static bool
is_tprof_file(const char *path, off_t size)
{
	unsigned char head[TPROF_RECORD];
	FILE *in = size == 0 ? NULL : fopen(path, "re");
	const bool is = size == 0 || (in != NULL &&
	    fread(head, 1, sizeof(head), in) == sizeof(head) &&
	    tprof_is(head, sizeof(head)));

	if (in != NULL)
		fclose(in);
	return is;
}

/*
 * Sets *keeps to whether a tprof.out has the name, which is to be renamed.
 * Returns false with *f set if the name cannot be used.
 */
static bool
find_old_output(const char *path, bool *keeps, struct fault *f)
{
	struct stat st;

	*keeps = false;
	if (lstat(path, &st) != 0 || (!S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode)))
		return true;
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return true;
	if (!is_tprof_file(path, st.st_size)) {
		fault_output(f, path,
		    "exists, and is not a tprof.out: it is not replaced", 0,
		    "name another file with -o");
		return false;
	}
	*keeps = st.st_size != 0;
	return true;
}

/*
 * Renames the tprof.out `path` to NAME.old and opens a new one, which is made
 * before anything is renamed.  Returns its descriptor, or -1 with *f set.
 */
static int
replace_old_output(const char *path, struct fault *f)
{
	char old[PATH_MAX], fresh[PATH_MAX];
	int fd, errnum;

	if (snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path) >=
	    (int)sizeof(fresh)) {
		fault_output(f, path, "cannot be renamed to .old",
		    ENAMETOOLONG, NULL);
		return -1;
	}
	snprintf(old, sizeof(old), "%s.old", path);
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0) {
		fault_output(f, path, "cannot be written anew", errno, NULL);
		return -1;
	}
	if (rename(path, old) == 0 && rename(fresh, path) == 0)
		return fd;
	errnum = errno;
	close(fd);
	unlink(fresh);
	fault_output(f, path, "cannot be renamed to .old", errnum, NULL);
	return -1;
}

FILE *
tprof_output_open(const char *path, struct fault *f)
{
	bool keeps;
	FILE *out;
	int fd;

	if (strcmp(path, "-") == 0) {
		if (isatty(STDOUT_FILENO))
			return fault_output(f, "standard output",
			    "is a terminal, and samples are binary", 0,
			    "send it to a pipe or a file");
		return stdout;
	}
	if (!find_old_output(path, &keeps, f))
		return NULL;
	/* Samples of one user's programs are not shown to other users. */
	fd = keeps ? replace_old_output(path, f) : open(path,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 && keeps)
		return NULL;
	out = fd < 0 ? NULL : fdopen(fd, "w");
	return out != NULL ? out : fault_output(f, path, "cannot be written",
	    errno, NULL);
}
