/*
 * Context: O.  proffs: the prof device as a file tree, by libfuse.
 *
 * One request at a time: the device has no locks.  A text is made when its file
 * is opened, so that whoever reads it has one moment.
 */
#define FUSE_USE_VERSION 31

#include "node.h"
#include "output.h"
#include "content.h"
#include "sight.h"
#include "verb.h"

#include <errno.h>
#include <fuse3/fuse.h>
#include <fuse3/fuse_lowlevel.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A read that asks for less has one pair, as the classic device gives them. */
#define ONE_PAIR	512

static struct device device;
static struct timespec mounted;

struct opened {
	char *text;		/* NULL: for writing alone */
	size_t bytes;
	struct node node;
};

static bool
has_pid(int32_t pid)
{
	int32_t *pids = NULL;
	size_t count = 0;
	bool has = false;

	if (device_pids(&device, &pids, &count) != 0)
		return false;
	for (size_t i = 0; i < count && !has; i++)
		has = pids[i] == pid;
	free(pids);
	return has;
}

/* A module is there once it was seen, whoever looked. */
static bool
has_module(const struct node *n)
{
	struct sight s;

	if (catalogue_at(&device.catalogue, n->module) == NULL) {
		sight_open(&s, &device, n->pid, 0);
		sight_close(&s);
	}
	return catalogue_at(&device.catalogue, n->module) != NULL;
}

static int
find(struct node *n, const char *path)
{
	if (!node_parse(n, path) || (n->pid != 0 && !has_pid(n->pid)) ||
	    (n->module != 0 && !has_module(n)))
		return -ENOENT;
	return 0;
}

static int
on_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	struct node n;
	int ret = find(&n, path);

	(void)info;
	if (ret != 0)
		return ret;
	memset(st, 0, sizeof(*st));
	st->st_nlink = 1;
	st->st_uid = getuid();
	st->st_gid = getgid();
	st->st_mtim = st->st_atim = st->st_ctim = mounted;
	if (node_is_directory(n.kind))
		st->st_mode = S_IFDIR | 0555;
	else
		st->st_mode = S_IFREG |
		    (node_is_read(n.kind) ? 0444 : 0) |
		    (node_is_written(n.kind) ? 0200 : 0);
	return 0;
}

static void
list(void *buf, fuse_fill_dir_t fill, const char *name)
{
	fill(buf, name, NULL, 0, 0);
}

static int
list_pids(void *buf, fuse_fill_dir_t fill)
{
	int32_t *pids = NULL;
	size_t count = 0;
	int ret = device_pids(&device, &pids, &count);

	for (size_t i = 0; ret == 0 && i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%d", (int)pids[i]);
		list(buf, fill, name);
	}
	free(pids);
	return ret == 0 ? 0 : -EIO;
}

static int
list_modules(void *buf, fuse_fill_dir_t fill, int32_t pid)
{
	uint32_t *numbers = NULL;
	size_t count = 0;
	struct sight s;
	int ret = sight_open(&s, &device, pid, 0);

	if (ret == 0)
		ret = sight_modules(&s, &numbers, &count);
	for (size_t i = 0; ret == 0 && i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), NODE_MODULE_FORM, numbers[i]);
		list(buf, fill, name);
	}
	free(numbers);
	sight_close(&s);
	return ret;
}

static int
on_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
    struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	const char *leaf;
	struct node n;
	int ret = find(&n, path);

	(void)offset;
	(void)info;
	(void)flags;
	if (ret != 0)
		return ret;
	list(buf, fill, ".");
	list(buf, fill, "..");
	if (n.kind == NODE_PIDS)
		return list_pids(buf, fill);
	for (size_t i = 0; (leaf = node_leaf(n.kind, i)) != NULL; i++)
		list(buf, fill, leaf);
	if (n.kind == NODE_TOP && n.pid == 0)
		list(buf, fill, "pid");
	return n.kind == NODE_TOP ? list_modules(buf, fill, n.pid) : 0;
}

static int
on_open(const char *path, struct fuse_file_info *info)
{
	const bool reads = (info->flags & O_ACCMODE) != O_WRONLY;
	const bool writes = (info->flags & O_ACCMODE) != O_RDONLY;
	struct opened *o;
	struct node n;
	int ret = find(&n, path);

	if (ret != 0)
		return ret;
	/* The kernel lets the super-user pass, whatever the mode is. */
	if ((reads && !node_is_read(n.kind)) ||
	    (writes && !node_is_written(n.kind)))
		return -EACCES;
	o = calloc(1, sizeof(*o));
	if (o == NULL)
		return -ENOMEM;
	o->node = n;
	if (reads)
		ret = content_make(&device, &n, &o->text, &o->bytes);
	if (ret != 0) {
		free(o);
		return ret;
	}
	info->fh = (uintptr_t)o;
	info->direct_io = 1;	/* as long as the text, as much as is asked */
	return 0;
}

static struct opened *
opened(const struct fuse_file_info *info)
{
	return (struct opened *)(uintptr_t)info->fh;
}

/* Lines that fit, whole; or what fits of one. */
static size_t
whole_lines(const char *from, size_t left, size_t size)
{
	const char *end;

	if (size < ONE_PAIR)
		end = memchr(from, '\n', left < size ? left : size);
	else
		end = left <= size ? NULL : memrchr(from, '\n', size);
	return end != NULL ? (size_t)(end - from) + 1 :
	    left < size ? left : size;
}

static int
on_read(const char *path, char *buf, size_t size, off_t offset,
    struct fuse_file_info *info)
{
	const struct opened *o = opened(info);
	const bool pairs = o->node.kind == NODE_HISTOGRAM ||
	    o->node.kind == NODE_TIMES;
	size_t left;

	(void)path;
	if (o->text == NULL)
		return -EBADF;
	if ((uint64_t)offset >= o->bytes)
		return 0;
	left = o->bytes - (size_t)offset;
	size = pairs ? whole_lines(o->text + offset, left, size) :
	    left < size ? left : size;
	memcpy(buf, o->text + offset, size);
	return (int)size;
}

static int
on_write(const char *path, const char *text, size_t size, off_t offset,
    struct fuse_file_info *info)
{
	const struct node *n = &opened(info)->node;
	int ret = -EOPNOTSUPP;

	(void)path;
	(void)offset;		/* each write is a message */
	if (n->kind == NODE_CTL)
		ret = verb_take(&device, n->pid, text, size);
	else
		device_note(&device, "pctl: there is nothing to be told");
	return ret == 0 ? (int)size : ret;
}

/* "echo start > ctl". */
static int
on_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	struct node n;
	int ret = find(&n, path);

	(void)size;
	(void)info;
	return ret != 0 ? ret : node_is_written(n.kind) ? 0 : -EACCES;
}

static int
on_release(const char *path, struct fuse_file_info *info)
{
	struct opened *o = opened(info);

	(void)path;
	free(o->text);
	free(o);
	return 0;
}

/* What is listed changes with what is counted. */
static void *
on_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->attr_timeout = config->entry_timeout = 0.1;
	config->negative_timeout = 0;
	return NULL;
}

static const struct fuse_operations operations = {
	.getattr = on_getattr,
	.readdir = on_readdir,
	.open = on_open,
	.read = on_read,
	.write = on_write,
	.truncate = on_truncate,
	.release = on_release,
	.init = on_init,
};

struct settings {
	char *directory;
	int help, version, unmounts_not;
	const char *mountpoint;
};

static const struct fuse_opt options[] = {
	{ "dir=%s", offsetof(struct settings, directory), 0 },
	{ "-h", offsetof(struct settings, help), 1 },
	{ "--help", offsetof(struct settings, help), 1 },
	{ "-V", offsetof(struct settings, version), 1 },
	{ "--version", offsetof(struct settings, version), 1 },
	{ "no_auto_unmount", offsetof(struct settings, unmounts_not), 1 },
	FUSE_OPT_END
};

static const char usage[] =
"Usage: proffs [-f] [-o dir=DIRECTORY[,OPTION...]] MOUNTPOINT\n"
"Serve the prof device for the profiles of a directory, PROFDIR.\n"
"\n"
"  -o dir=DIRECTORY     the profiles of that directory\n"
"  -o no_auto_unmount   stay mounted, and dead, if proffs is killed\n"
"  -o OPTION            of mount.fuse3(8): allow_other ...\n"
"  -f                   stay in the foreground\n"
"  -h, --help           this text\n"
"  -V, --version        the version\n"
"\n"
"It is unmounted by umount(8) or fusermount3 -u.  See proffs(1).\n";

/* The first that is no option is where it is to be. */
static int
on_option(void *arg, const char *text, int key, struct fuse_args *args)
{
	struct settings *s = arg;

	(void)args;
	if (key == FUSE_OPT_KEY_NONOPT && s->mountpoint == NULL)
		s->mountpoint = text;
	return 1;
}

static int
refuse(const char *what, const char *why, const char *hint, int status)
{
	fprintf(stderr, "proffs: %s: %s; %s\n", what, why, hint);
	return status;
}

static int
open_device(const struct settings *s)
{
	const char *directory = s->directory != NULL ? s->directory :
	    input_directory();
	struct fault f = { 0 };

	if (directory == NULL)
		return refuse("which profiles", "PROFDIR is no directory",
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
 * libfuse would mount over a file, where nothing can be read then; and over the
 * profiles, which would then be asked of ourselves while we look for them.
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
			hint = "a server was killed there: fusermount3 -u";
	} else if (!S_ISDIR(st.st_mode)) {
		why = "is no directory";
	} else if (is_at_or_below(device.directory, path)) {
		why = "would hide the profiles";
		hint = "name a directory that they are not in";
	}
	free(path);
	return why == NULL ? 0 : refuse(name, why, hint, 1);
}

/* It holds a descriptor for each process that is told, and each thread. */
static void
allow_descriptors(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

static int
serve(struct fuse_args *args, const struct settings *s)
{
	int ret = open_device(s);

	if (ret == 0)
		ret = check_mountpoint(s->mountpoint);
	if (ret != 0)
		return ret;
	allow_descriptors();
	clock_gettime(CLOCK_REALTIME, &mounted);
	fuse_opt_add_arg(args, "-s");
	fuse_opt_add_arg(args, "-odefault_permissions,subtype=proffs");
	if (!s->unmounts_not)
		fuse_opt_add_arg(args, "-oauto_unmount");
	ret = fuse_main(args->argc, args->argv, &operations, NULL);
	device_close(&device);
	return ret != 0;
}

int
main(int argc, char **argv)
{
	struct fuse_args args = FUSE_ARGS_INIT(argc, argv);
	struct settings s = { 0 };
	int ret = 0;

	if (fuse_opt_parse(&args, &s, options, on_option) != 0)
		return 2;
	if (s.help)
		fputs(usage, stdout);
	else if (s.version)
		puts("proffs (libmon) " PACKAGE_VERSION);
	else if (s.mountpoint == NULL)
		ret = refuse("where to", "no directory is named", "proffs "
		    "[-o dir=PROFDIR] MOUNTPOINT", 2);
	else
		ret = serve(&args, &s);
	fuse_opt_free_args(&args);
	return ret;
}
