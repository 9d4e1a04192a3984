/*
 * Context: O.  The prof device as a file tree: libfuse calls the functions of
 * `operations`, which return 0, a number of bytes, or -errno for the reader.
 *
 * Requests are handled one at a time: the device has no locks.  The text of a
 * file is made when the file is opened, so that all reads see one state.
 */
#include "proffs/proffs_tree.h"

#include "device_files.h"
#include "device_path.h"
#include "device_snapshot.h"
#include "verb.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A read of fewer bytes gets one pair, as in the classic device. */
#define ONE_PAIR	512

static struct device *device;
static struct timespec mounted;
static bool sent_pair;

/* An open file. */
struct opened_file {
	char *text;		/* NULL: open for writing only */
	size_t bytes;
	struct device_path node;
};

/* Returns whether a process of this pid has a profile in the directory. */
static bool
has_pid(int32_t pid)
{
	int32_t *pids = NULL;
	size_t count = 0;
	bool has = false;

	if (device_pids(device, &pids, &count) != 0)
		return false;
	for (size_t i = 0; i < count && !has; i++)
		has = pids[i] == pid;
	free(pids);
	return has;
}

/*
 * Returns whether a module exists: it does once a count was seen in it, no
 * matter by which read.
 */
static bool
has_device_module(const struct device_path *n)
{
	struct device_snapshot s;

	if (module_ids_get(&device->catalogue, n->module) == NULL) {
		device_snapshot_open(&s, device, n->pid, MODEL_KEEP_PLACES);
		device_snapshot_close(&s);
	}
	return module_ids_get(&device->catalogue, n->module) != NULL;
}

/* Sets *n to the file of a path.  Returns 0, or -ENOENT if there is none. */
static int
find_device_file(struct device_path *n, const char *path)
{
	if (!device_path_parse(n, path) || (n->pid != 0 && !has_pid(n->pid)) ||
	    (n->module != 0 && !has_device_module(n)))
		return -ENOENT;
	return 0;
}

static int
on_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	struct device_path n;
	int ret = find_device_file(&n, path);

	(void)info;
	if (ret != 0)
		return ret;
	memset(st, 0, sizeof(*st));
	st->st_nlink = 1;
	st->st_uid = getuid();
	st->st_gid = getgid();
	st->st_mtim = st->st_atim = st->st_ctim = mounted;
	if (device_path_is_directory(n.kind))
		st->st_mode = S_IFDIR | 0555;
	else
		st->st_mode = S_IFREG |
		    (device_path_is_readable(n.kind) ? 0444 : 0) |
		    (device_path_is_writable(n.kind) ? 0200 : 0);
	return 0;
}

static void
add_directory_entry(void *buf, fuse_fill_dir_t fill, const char *name)
{
	fill(buf, name, NULL, 0, 0);
}

static int
add_pid_entries(void *buf, fuse_fill_dir_t fill)
{
	int32_t *pids = NULL;
	size_t count = 0;
	int ret = device_pids(device, &pids, &count);

	for (size_t i = 0; ret == 0 && i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%d", (int)pids[i]);
		add_directory_entry(buf, fill, name);
	}
	free(pids);
	return ret == 0 ? 0 : -EIO;
}

/*
 * Adds the modules in which a process, or with pid 0 any process, has counts.
 * Returns 0 or -errno.
 */
static int
add_module_entries(void *buf, fuse_fill_dir_t fill, int32_t pid)
{
	uint32_t *numbers = NULL;
	size_t count = 0;
	struct device_snapshot s;
	int ret = device_snapshot_open(&s, device, pid, MODEL_KEEP_PLACES);

	if (ret == 0)
		ret = device_snapshot_modules(&s, &numbers, &count);
	for (size_t i = 0; ret == 0 && i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), DEVICE_PATH_MODULE_FORMAT,
		    numbers[i]);
		add_directory_entry(buf, fill, name);
	}
	free(numbers);
	device_snapshot_close(&s);
	return ret;
}

static int
on_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
    struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	const char *leaf;
	struct device_path n;
	int ret = find_device_file(&n, path);

	(void)offset;
	(void)info;
	(void)flags;
	if (ret != 0)
		return ret;
	add_directory_entry(buf, fill, ".");
	add_directory_entry(buf, fill, "..");
	if (n.kind == DEVICE_PATH_PIDS)
		return add_pid_entries(buf, fill);
	for (size_t i = 0; (leaf = device_path_leaf(n.kind, i)) != NULL; i++)
		add_directory_entry(buf, fill, leaf);
	if (n.kind == DEVICE_PATH_TOP && n.pid == 0)
		add_directory_entry(buf, fill, "pid");
	return n.kind == DEVICE_PATH_TOP ? add_module_entries(buf, fill,
	    n.pid) : 0;
}

/* Opens a file, and makes its text if it is to be read. */
static int
on_open(const char *path, struct fuse_file_info *info)
{
	const bool reads = (info->flags & O_ACCMODE) != O_WRONLY;
	const bool writes = (info->flags & O_ACCMODE) != O_RDONLY;
	struct opened_file *o;
	struct device_path n;
	int ret = find_device_file(&n, path);

	if (ret != 0)
		return ret;
	/* The kernel lets the superuser pass whatever the mode is. */
	if ((reads && !device_path_is_readable(n.kind)) ||
	    (writes && !device_path_is_writable(n.kind)))
		return -EACCES;
	o = calloc(1, sizeof(*o));
	if (o == NULL)
		return -ENOMEM;
	o->node = n;
	if (reads)
		ret = device_files_make(device, &n, &o->text, &o->bytes);
	if (ret != 0) {
		free(o);
		return ret;
	}
	info->fh = (uintptr_t)o;
	info->direct_io = 1;	/* reads as asked; st_size is ignored */
	return 0;
}

static struct opened_file *
opened_file(const struct fuse_file_info *info)
{
	return (struct opened_file *)(uintptr_t)info->fh;
}

/*
 * Returns the bytes of the whole lines that fit into `size`; if no whole line
 * fits, the bytes that fit of one.  Below ONE_PAIR bytes this is one line.
 */
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

/*
 * Copies the text that was made at the open; of a histogram or of times whole
 * lines.
 */
static int
on_read(const char *path, char *buf, size_t size, off_t offset,
    struct fuse_file_info *info)
{
	const struct opened_file *o = opened_file(info);
	const bool pairs = o->node.kind == DEVICE_PATH_HISTOGRAM ||
	    o->node.kind == DEVICE_PATH_TIMES;
	size_t left;

	(void)path;
	if (o->text == NULL)
		return -EBADF;
	if ((uint64_t)offset >= o->bytes)
		return 0;
	left = o->bytes - (size_t)offset;
	sent_pair = pairs && size < ONE_PAIR;
	size = pairs ? whole_lines(o->text + offset, left, size) :
	    left < size ? left : size;
	memcpy(buf, o->text + offset, size);
	return (int)size;
}

/*
 * Runs the words written to a ctl file.  Each write is a message of its own,
 * wherever it is written to.
 */
static int
on_write(const char *path, const char *text, size_t size, off_t offset,
    struct fuse_file_info *info)
{
	const struct device_path *n = &opened_file(info)->node;
	int ret = -EOPNOTSUPP;

	(void)path;
	(void)offset;		/* each write is a message */
	if (n->kind == DEVICE_PATH_CTL)
		ret = verb_run(device, n->pid, text, size);
	else
		device_note(device, "pctl: takes no orders");
	return ret == 0 ? (int)size : ret;
}

/* Allows "echo start > ctl", which truncates the file. */
static int
on_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	struct device_path n;
	int ret = find_device_file(&n, path);

	(void)size;
	(void)info;
	return ret != 0 ? ret : device_path_is_writable(n.kind) ? 0 : -EACCES;
}

static int
on_release(const char *path, struct fuse_file_info *info)
{
	struct opened_file *o = opened_file(info);

	(void)path;
	free(o->text);
	free(o);
	return 0;
}

/* Sets short timeouts: the directories change with what is counted. */
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

const struct fuse_operations *
proffs_tree_operations(struct device *d)
{
	device = d;
	clock_gettime(CLOCK_REALTIME, &mounted);
	return &operations;
}

bool
proffs_tree_sent_pair(void)
{
	const bool gave = sent_pair;

	sent_pair = false;
	return gave;
}
