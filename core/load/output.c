/*
 * Context: O.  Writes an output file as a whole; see output.h.  For prof and
 * its exports, the listing, and dumps.  Only output_on_signal() runs in a
 * signal handler.
 */
#include "output.h"

#include "load.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Sets *f for the output's file; errnum: the positive errno, or 0.  Returns
 * -errno.
 */
static int
output_fault(const struct output *o, const char *what, int errnum,
    struct fault *f)
{
	int ret = fault_set(f, what, FAULT_NO_OFFSET, errnum);

	f->file = o->path != NULL ? o->path : "standard output";
	return ret;
}

/*
 * Name of the unfinished file, for the signal handler; or NULL.  Borrowed from
 * the output that was opened last.
 */
static char *volatile output_unfinished;

/* Removes the unfinished file and lets the signal end the process. */
static void
output_on_signal(int sig)
{
	if (output_unfinished != NULL)
		unlink(output_unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Signals that are ignored or handled stay so. */
void
output_unlink_on_signal(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old, own = { .sa_handler = output_on_signal };

	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &own, NULL);
}

/* Frees the names; the signal handler removes nothing from now on. */
static void
output_forget(struct output *o)
{
	output_unfinished = NULL;
	free(o->temporary);
	free(o->target);
	o->temporary = o->target = NULL;
}

/*
 * Gives the file the mode that open(2) would give it, or that of the old file,
 * as mkstemp(3) has set 0600; a private one keeps that.  Changes the umask for
 * a moment, so no other thread may make files.
 */
static void
output_mode(const struct output *o, int fd, const struct stat *old)
{
	mode_t mask;

	if (o->is_private)
		return;
	mask = umask(0);

	umask(mask);
	(void)!fchmod(fd, old != NULL ? old->st_mode & 0777 : 0666 & ~mask);
}

/*
 * Makes the file beside the final one that is renamed at the end.  old: stat(2)
 * of the file that it replaces, or NULL.  Returns 0, or -errno with *f set.
 */
static int
output_temporary(struct output *o, const struct stat *old, struct fault *f)
{
	static const char tail[] = ".XXXXXX";
	const char *target = o->target != NULL ? o->target : o->path;
	size_t bytes = strlen(target);
	int fd, errnum;

	o->temporary = malloc(bytes + sizeof(tail));
	if (o->temporary == NULL)
		return output_fault(o, "out of memory", ENOMEM, f);
	memcpy(o->temporary, target, bytes);
	memcpy(o->temporary + bytes, tail, sizeof(tail));
	fd = mkstemp(o->temporary);
	if (fd >= 0)
		o->out = fdopen(fd, "w");
	if (o->out != NULL) {
		output_unfinished = o->temporary;
		output_mode(o, fd, old);
		return 0;
	}
	errnum = errno;
	if (fd >= 0) {
		close(fd);
		unlink(o->temporary);
	}
	free(o->temporary);
	o->temporary = NULL;
	return output_fault(o, "cannot be created", errnum, f);
}

/*
 * Returns whether the file is standard output, as in "-o /dev/stdout".  Such a
 * file is not replaced, as it may be one that output is appended to.
 */
static bool
output_is_standard(const struct stat *st)
{
	struct stat own;

	return S_ISREG(st->st_mode) && fstat(STDOUT_FILENO, &own) == 0 &&
	    own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

/*
 * Opens a device, a FIFO or a symbolic link without a target for writing in
 * place.  Returns 0, or -errno with *f set.
 */
static int
output_in_place(struct output *o, struct fault *f)
{
	o->out = fopen(o->path, "we");
	return o->out != NULL ? 0 :
	    output_fault(o, "cannot be opened", errno, f);
}

/*
 * Opens o->path by a temporary file or in place.  old: stat(2) of the path, or
 * NULL if there is no file.  Returns 0, or -errno with *f set and nothing to
 * end.
 */
static int
output_open_target(struct output *o, const struct stat *old, struct fault *f)
{
	struct stat link;
	int ret;

	o->target = realpath(o->path, NULL);
	if (old != NULL ? S_ISREG(old->st_mode) && o->target != NULL :
	    lstat(o->path, &link) != 0)
		ret = output_temporary(o, old, f);
	else
		ret = output_in_place(o, f);
	if (ret != 0)
		output_abandon(o);
	return ret;
}

/* Opens as output_open(), or as output_open_private() if is_private is set. */
static int
output_open_mode(struct output *o, const char *path, bool is_private,
    struct fault *f)
{
	const bool standard = path == NULL || strcmp(path, "-") == 0;
	struct stat st;
	bool old = !standard && stat(path, &st) == 0;

	*o = (struct output) { .is_private = is_private };
	if (standard || (old && output_is_standard(&st))) {
		o->out = stdout;
		return 0;
	}
	o->path = path;
	if (load_is_profile(path)) {
		output_fault(o, "is a profile and is not overwritten", 0, f);
		f->remedy = "choose another name for the output";
		return -EEXIST;
	}
	return output_open_target(o, old ? &st : NULL, f);
}

int
output_open(struct output *o, const char *path, struct fault *f)
{
	return output_open_mode(o, path, false, f);
}

int
output_open_private(struct output *o, const char *path, struct fault *f)
{
	return output_open_mode(o, path, true, f);
}

int
output_replace(struct output *o, const char *path, struct fault *f)
{
	struct stat st;

	*o = (struct output) { .path = path, .replaces = true };
	if (stat(path, &st) != 0)
		return output_fault(o, "cannot be opened", errno, f);
	return output_open_target(o, &st, f);
}

int
output_flush(FILE *out)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	/* The errno of a write that failed before may be gone. */
	return errno != 0 ? errno : EIO;
}

int
output_close(struct output *o, struct fault *f)
{
	int errnum = output_flush(o->out);

	if (errnum == 0 && o->replaces && fsync(fileno(o->out)) != 0)
		errnum = errno;
	if (o->path != NULL && fclose(o->out) != 0 && errnum == 0)
		errnum = errno;
	o->out = NULL;
	if (errnum == 0 && o->temporary != NULL &&
	    rename(o->temporary, o->target != NULL ? o->target :
	    o->path) != 0)
		errnum = errno;
	if (errnum != 0) {
		output_abandon(o);
		return output_fault(o, "cannot be written", errnum, f);
	}
	output_forget(o);
	return 0;
}

void
output_abandon(struct output *o)
{
	if (o->temporary != NULL)
		unlink(o->temporary);
	if (o->out != NULL && o->path != NULL)
		fclose(o->out);
	o->out = NULL;
	output_forget(o);
}
