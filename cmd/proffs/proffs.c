/*
 * Context: O.  proffs(1): mounts the prof device as a file tree.  This file has
 * main(): it parses the options, opens the device, checks the mount point, and
 * calls proffs_serve().
 */
#include "base/mount_guard.h"
#include "output.h"
#include "proffs/proffs_serve.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct device device;

/* The options of the command line. */
struct proffs_options {
	char *directory;
	int help, version, unmounts_not;
	const char *mountpoint;
};

static const struct fuse_opt options[] = {
	{ "dir=%s", offsetof(struct proffs_options, directory), 0 },
	{ "-h", offsetof(struct proffs_options, help), 1 },
	{ "--help", offsetof(struct proffs_options, help), 1 },
	{ "-V", offsetof(struct proffs_options, version), 1 },
	{ "--version", offsetof(struct proffs_options, version), 1 },
	{ "no_auto_unmount", offsetof(struct proffs_options, unmounts_not), 1 },
	FUSE_OPT_END
};

static const char usage[] =
"usage: proffs [-f] [-o dir=DIRECTORY[,OPTION...]] MOUNTPOINT\n"
"Serves the prof device for the profiles of a directory.\n"
"\n"
"  -o dir=DIRECTORY     serve that directory; the default is PROFDIR\n"
"  -o no_auto_unmount   stay mounted, without a server, if proffs is killed\n"
"  -o OPTION            pass an option of mount.fuse3(8), such as allow_other\n"
"  -f                   stay in the foreground\n"
"  -h, --help           print this text\n"
"  -V, --version        print the version\n"
"\n"
"umount(8) or fusermount3 -u unmounts it.  See proffs(1).\n";

/* Takes the first word that is no option for the mount point. */
static int
on_option(void *arg, const char *text, int key, struct fuse_args *args)
{
	struct proffs_options *s = arg;

	(void)args;
	if (key == FUSE_OPT_KEY_NONOPT && s->mountpoint == NULL)
		s->mountpoint = text;
	return 1;
}

/* Prints why nothing is mounted.  Returns `status`. */
static int
refuse_mount(const char *what, const char *why, const char *hint, int status)
{
	fprintf(stderr, "proffs: %s: %s; %s\n", what, why, hint);
	return status;
}

/*
 * Opens the device of the directory that is named, or of PROFDIR.  Returns 0,
 * or the exit status after a line on standard error.
 */
static int
open_device(const struct proffs_options *s)
{
	const char *directory = s->directory != NULL ? s->directory :
	    input_profdir();
	struct fault f = { 0 };

	if (directory == NULL)
		return refuse_mount("PROFDIR", "is not a directory",
		    "name one with -o dir=", 2);
	if (device_open(&device, directory, &f) == 0)
		return 0;
	fprintf(stderr, "proffs: %s: %s%s%s\n", directory, f.what,
	    f.errnum != 0 ? ": " : "", f.errnum != 0 ? strerror(f.errnum) :
	    "");
	return 1;
}

static bool
is_at_or_below(const char *path, const char *top)
{
	const size_t n = strcmp(top, "/") == 0 ? 0 : strlen(top);

	return strncmp(path, top, n) == 0 &&
	    (path[n] == '/' || path[n] == '\0');
}

/*
 * Checks the mount point; the device is open.  libfuse would mount over a file,
 * which could not be read then, and over the profiles, so that proffs would ask
 * itself for them.  Also guards the mount: proffs follows no path in a profile
 * into the mount.  Returns 0 or the exit status.
 */
static int
check_mountpoint(const char *name)
{
	const char *why = NULL, *hint = "name an empty directory";
	char *path = realpath(name, NULL);
	struct stat st;

	if (path == NULL || stat(path, &st) != 0) {
		why = strerror(errno);
		if (errno == ENOTCONN)
			hint = "a proffs was killed there: unmount it with "
			    "fusermount3 -u";
	} else if (!S_ISDIR(st.st_mode)) {
		why = "is not a directory";
	} else if (is_at_or_below(device.directory, path)) {
		why = "would hide the profiles";
		hint = "name a directory that they are not in";
	} else {
		mount_guard_set(path);
	}
	free(path);
	return why == NULL ? 0 : refuse_mount(name, why, hint, 1);
}

/*
 * Raises the limit of descriptors: proffs holds one for each process that gets
 * an order, and one for each of its threads.
 */
static void
raise_proffs_fd_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

/* Serves the device until it is unmounted.  Returns the exit status. */
static int
serve_device(struct fuse_args *args, const struct proffs_options *s)
{
	int ret = open_device(s);

	if (ret == 0)
		ret = check_mountpoint(s->mountpoint);
	if (ret != 0)
		return ret;
	raise_proffs_fd_limit();
	fuse_opt_add_arg(args, "-s");
	fuse_opt_add_arg(args, "-odefault_permissions,subtype=proffs");
	if (!s->unmounts_not)
		fuse_opt_add_arg(args, "-oauto_unmount");
	ret = proffs_serve(args, proffs_tree_operations(&device));
	device_close(&device);
	return ret;
}

int
main(int argc, char **argv)
{
	struct fuse_args args = FUSE_ARGS_INIT(argc, argv);
	struct proffs_options s = { 0 };
	int ret = 0;

	if (fuse_opt_parse(&args, &s, options, on_option) != 0)
		return 2;
	if (s.help)
		fputs(usage, stdout);
	else if (s.version)
		puts("proffs (libmon) " PACKAGE_VERSION);
	else if (s.mountpoint == NULL)
		ret = refuse_mount("MOUNTPOINT", "is missing",
		    "use proffs [-o dir=PROFDIR] MOUNTPOINT", 2);
	else
		ret = serve_device(&args, &s);
	fuse_opt_free_args(&args);
	return ret;
}
