/*
 * Context: O.  Opens the file that samples go to, for recording_open(); see
 * tprof_output.h.
 */
#include "tprof/tprof_output.h"

#include "classic/tprof.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
 * Renames a tprof.out that has the name.  Returns false with *f set if the name
 * cannot be used.
 */
static bool
rename_old_output(const char *path, struct fault *f)
{
	char old[PATH_MAX];
	struct stat st;

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
	if (st.st_size == 0)
		return true;
	if (snprintf(old, sizeof(old), "%s.old", path) >= (int)sizeof(old) ||
	    rename(path, old) != 0) {
		fault_output(f, path, "cannot be renamed to .old",
		    errno, NULL);
		return false;
	}
	return true;
}

FILE *
tprof_output_open(const char *path, struct fault *f)
{
	FILE *out;

	if (strcmp(path, "-") == 0) {
		if (isatty(STDOUT_FILENO))
			return fault_output(f, "standard output",
			    "is a terminal, and samples are binary", 0,
			    "send it to a pipe or a file");
		return stdout;
	}
	if (!rename_old_output(path, f))
		return NULL;
	/* Samples of one user's programs are not shown to other users. */
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
	    0600);

	out = fd < 0 ? NULL : fdopen(fd, "w");
	return out != NULL ? out : fault_output(f, path, "cannot be written",
	    errno, NULL);
}
