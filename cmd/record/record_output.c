/*
 * Context: O.  Prepares the place of profiles for prof record, and settles what
 * is in it afterwards; see record_output.h.
 */
#include "record/record_output.h"

#include "decode/header.h"
#include "foreign/tprof_file.h"
#include "input.h"
#include "load.h"
#include "process_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sets *f.  Returns -errnum, -EINVAL if that is 0. */
static int
output_fault(struct fault *f, const char *file, const char *what, int errnum,
    const char *remedy)
{
	const int ret = fault_set(f, what, FAULT_NO_OFFSET, errnum);

	f->file = file;
	f->remedy = remedy;
	return ret != 0 ? ret : -EINVAL;
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Stores the absolute form of a path whose last part may be missing.  The
 * command and its children may change their directory.
 */
static int
make_absolute(struct record_output *o, const char *path, struct fault *f)
{
	char here[PATH_MAX];

	if (path[0] == '/') {
		o->path = strdup(path);
	} else if (getcwd(here, sizeof(here)) == NULL) {
		return output_fault(f, path, "cannot be made absolute", errno,
		    "give an absolute path");
	} else if (asprintf(&o->path, "%s/%s", here, path) < 0) {
		o->path = NULL;
	}
	return o->path != NULL ? 0 : fault_set_no_memory(f);
}

/* Returns whether a file is the profile of a process that runs. */
static bool
is_live_profile(const char *path)
{
	struct format_header h;

	return load_is_profile(path) && load_header(path, &h) == 0 &&
	    process_state_check(&h) == 1;
}

/*
 * Returns whether a file is one that prof record leaves (a profile or a
 * tprof.out), and no process writes to it any more.
 */
static bool
is_ended_profile(const char *path)
{
	return tprof_file_probe(path) ||
	    (load_is_profile(path) && !is_live_profile(path));
}

/*
 * Locks a directory for as long as this process lives, so that no other prof
 * record moves it away or writes to it meanwhile.  Its descriptor stays open on
 * purpose.  Returns 0 or -errno with *f set.
 */
static int
lock_directory(const char *directory, struct fault *f)
{
	static const char *const remedy = "give another --output=DIRECTORY";
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return output_fault(f, directory, "cannot be opened", errno,
		    remedy);
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
		close(fd);
		return output_fault(f, directory,
		    "is written to by another prof record", 0, remedy);
	}
	return 0;
}

/*
 * Checks that a directory is one that prof record has made: it is no symbolic
 * link and holds nothing but profiles of ended processes.  Returns 0 or -errno
 * with *f set.
 */
static int
check_own_directory(const char *directory, struct fault *f)
{
	static const char *const remedy = "move it, or give --output=DIRECTORY";
	struct input all = { 0 };
	struct stat st;
	int ret;

	if (lstat(directory, &st) != 0 || !S_ISDIR(st.st_mode))
		return output_fault(f, directory, "is no directory", 0,
		    remedy);
	ret = input_list(&all, directory, directory, NULL, f);
	if (ret != 0)
		f->file = directory;
	for (size_t i = 0; ret == 0 && i < all.count; i++)
		if (is_live_profile(all.files[i].path))
			ret = output_fault(f, directory, "has the profile of "
			    "a process that still runs", 0, remedy);
		else if (!is_ended_profile(all.files[i].path))
			ret = output_fault(f, directory, "has a file that is "
			    "no profile", 0, remedy);
	input_free(&all);
	return ret;
}

/*
 * Removes the directory of the run before the last one, if it passes
 * check_own_directory().  Returns 0 or -errno with *f set.
 */
static int
remove_older_directory(const char *directory, struct fault *f)
{
	static const char *const remedy = "move it, or give --output=DIRECTORY";
	struct input all = { 0 };
	int ret = check_own_directory(directory, f);

	if (ret == 0)
		ret = input_list(&all, directory, directory, NULL, f);
	for (size_t i = 0; ret == 0 && i < all.count; i++)
		if (unlink(all.files[i].path) != 0)
			ret = output_fault(f, directory, "has a profile that "
			    "cannot be removed", errno, remedy);
	if (ret == 0 && rmdir(directory) != 0)
		ret = output_fault(f, directory, "cannot be removed", errno,
		    remedy);
	input_free(&all);
	return ret;
}

/*
 * Checks that a directory can be made where `name` is: nothing is renamed for a
 * run that has no place.  Returns 0, or -errno with *f set.
 */
static int
check_can_make(const char *name, struct fault *f)
{
	char probe[PATH_MAX];
	const int n = snprintf(probe, sizeof(probe), "%s.XXXXXX", name);

	if (n >= (int)sizeof(probe))
		errno = ENAMETOOLONG;
	else if (mkdtemp(probe) != NULL && rmdir(probe) == 0)
		return 0;
	return output_fault(f, name, "cannot be made anew", errno,
	    "give another --output");
}

/*
 * Renames the mon.out.d of the last run to mon.out.d.old, in place of that of
 * the run before.  Returns 0 or -errno with *f set.
 */
static int
rotate_directory(struct fault *f)
{
	static const char *const last = INPUT_RECORD_DIRECTORY;
	static const char *const older = INPUT_RECORD_DIRECTORY ".old";
	struct stat st;
	int ret;

	if (lstat(last, &st) != 0)
		return 0;
	ret = check_own_directory(last, f);
	if (ret == 0)
		ret = lock_directory(last, f);
	if (ret == 0)
		ret = check_can_make(last, f);
	if (ret == 0 && access(older, F_OK) == 0)
		ret = remove_older_directory(older, f);
	if (ret == 0 && rename(last, older) != 0)
		ret = output_fault(f, last, "cannot be renamed", errno,
		    "give --output=DIRECTORY");
	return ret;
}

/* Reports a file that is not overwritten.  Returns -EINVAL. */
static int
refuse_old_file(struct fault *f, const char *name, bool live)
{
	return output_fault(f, name, live ? "is the profile of a process that "
	    "still runs, and is not overwritten" : "is no profile, and is not "
	    "overwritten", 0, "give another --output");
}

/*
 * Renames a profile that has the name of the output to NAME.old.  Returns 0 or
 * -errno with *f set.
 */
static int
rotate_file(const char *name, struct fault *f)
{
	char older[PATH_MAX];
	int ret;

	if (access(name, F_OK) != 0)
		return 0;
	snprintf(older, sizeof(older), "%s.old", name);
	if (strlen(older) != strlen(name) + strlen(".old"))
		return output_fault(f, name, "is too long a name for NAME.old",
		    0, "give another --output");
	if (!is_ended_profile(name))
		return refuse_old_file(f, name, is_live_profile(name));
	if (access(older, F_OK) == 0 && !is_ended_profile(older))
		return output_fault(f, name, "has beside it a NAME.old that "
		    "is no profile of an ended process, and is not "
		    "overwritten", 0, "give another --output");
	ret = check_can_make(name, f);
	if (ret == 0 && rename(name, older) != 0)
		ret = output_fault(f, name, "cannot be renamed", errno,
		    "give another --output");
	return ret;
}

/*
 * Makes the directory if it is missing.  Returns 0, or -errno with *f set if it
 * cannot be written to.
 */
static int
open_directory(struct record_output *o, struct fault *f)
{
	static const char *const remedy = "give another --output";

	if (mkdir(o->name, 0777) == 0)
		o->made = true;
	else if (errno != EEXIST)
		return output_fault(f, o->name, "cannot be made", errno,
		    remedy);
	if (access(o->name, W_OK | X_OK) != 0)
		return output_fault(f, o->name, "cannot be written to", errno,
		    remedy);
	return 0;
}

int
record_output_open(struct record_output *o, const char *wanted,
    struct fault *f)
{
	int ret;

	*o = (struct record_output) {
		.name = wanted != NULL ? wanted : INPUT_RECORD_DIRECTORY,
	};
	ret = make_absolute(o, o->name, f);
	if (ret != 0)
		return ret;
	if (wanted == NULL) {
		ret = rotate_directory(f);
	} else if (!is_directory(wanted)) {
		o->may_be_file = wanted[0] != '\0' &&
		    wanted[strlen(wanted) - 1] != '/';
		ret = rotate_file(wanted, f);
	}
	if (ret == 0)
		ret = open_directory(o, f);
	if (ret == 0)
		ret = lock_directory(o->name, f);
	if (ret == 0)
		ret = input_list(&o->before, o->name, o->name, NULL, f);
	return ret;
}

/*
 * Replaces the directory by the only profile in it, which also has the name
 * `aside`.  If a process has written one more meanwhile, all stays as it was.
 */
static void
replace_directory(struct record_output *o, const char *profile,
    const char *aside)
{
	if (unlink(profile) != 0)
		unlink(aside);
	else if (rmdir(o->path) != 0)
		rename(aside, profile);
	else
		o->made = rename(aside, o->path) != 0;
}

void
record_output_settle(struct record_output *o)
{
	struct input all = { 0 };
	char aside[PATH_MAX];
	struct fault f;
	const bool one = o->made && o->may_be_file &&
	    input_list(&all, o->path, o->path, NULL, &f) == 0 &&
	    all.count == 1 && is_ended_profile(all.files[0].path);
	const int n = snprintf(aside, sizeof(aside), "%s.%ld", o->path,
	    (long)getpid());

	/* link(2) refuses a name that is taken, as rename(2) does not. */
	if (one && n < (int)sizeof(aside) &&
	    link(all.files[0].path, aside) == 0)
		replace_directory(o, all.files[0].path, aside);
	input_free(&all);
}

/* Returns whether a file of that name was there before the run. */
static bool
was_there_before(const struct record_output *o, const char *path)
{
	const char *name = strrchr(path, '/');

	for (size_t i = 0; name != NULL && i < o->before.count; i++)
		if (strcmp(strrchr(o->before.files[i].path, '/'), name) == 0)
			return true;
	return false;
}

int
record_output_list(const struct record_output *o, struct input *in,
    struct fault *f)
{
	size_t kept = 0;
	int ret = input_add_files(in, o->path, f);

	for (size_t i = 0; i < in->count; i++)
		if (was_there_before(o, in->files[i].path))
			free(in->files[i].path);
		else
			in->files[kept++] = in->files[i];
	in->count = kept;
	return ret;
}

void
record_output_close(struct record_output *o)
{
	if (o->made)
		rmdir(o->name);
	input_free(&o->before);
	free(o->path);
	o->path = NULL;
}
