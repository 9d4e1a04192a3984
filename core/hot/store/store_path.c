/*
 * Context: S.  Chooses the path of this process's file and creates the file
 * there, for store_create.c, behind private_fds_run(); see store_path.h.
 *
 * An old mon.out is unlinked only under a lock on its directory.  Every other
 * process fails if a name is taken, and so cannot create a file in between.
 */
#include "store/store_path.h"

#include "base/str.h"
#include "store/file_create.h"
#include "store/profile_name.h"
#include "store/run.h"
#include "thread/private_fds.h"

#include <sys/file.h>
#include <sys/vfs.h>

/* Most names that are tried in the profile's directory, and in a local one. */
#define CANDIDATES	(1u << 20)
#define LOCALS		1000

/*
 * Magic numbers of file systems whose pages come from another machine or
 * process (statfs(2)).
 */
static const long network_filesystems[] = {
	0x6969,		/* NFS */
	0x517b,		/* SMB */
	0xff534d42,	/* CIFS */
	0xfe534d42,	/* SMB2 */
	0x65735546,	/* FUSE */
	0x01021997,	/* 9P */
	0x00c36400,	/* Ceph */
	0x5346414f,	/* AFS */
	0x0bd00bd0,	/* Lustre */
	0x47504653,	/* GPFS */
	0x73757245,	/* Coda */
};

/*
 * Returns whether the directory's file system is one of those; false if the
 * kernel does not say.
 */
static bool
is_on_network(const char *directory)
{
	struct statfs fs;

	if (SYS(statfs, directory, &fs, 0, 0, 0, 0) != 0)
		return false;
	for (size_t i = 0;
	    i < sizeof(network_filesystems) / sizeof(network_filesystems[0]);
	    i++)
		if ((uint32_t)fs.f_type == (uint32_t)network_filesystems[i])
			return true;
	return false;
}

/* The layout of birth_scratch while the file is created. */
struct create_scratch {
	_Alignas(8) char header[FORMAT_HEADER];
	char other[FORMAT_HEADER];	/* header of another file */
	char directory[PATH_MAX];	/* directory of the new file */
	char pointer[PATH_MAX];	/* text of a pointer file */
};

_Static_assert(sizeof(struct create_scratch) <=
    sizeof(((struct mon *)NULL)->birth_scratch), "a birth has room");

static struct create_scratch *
create_scratch(void)
{
	return (struct create_scratch *)mon->birth_scratch;
}

/* The content of the file with the profile's name: the header, or a pointer. */
struct content {
	const void *bytes;
	size_t n;
};

/*
 * Creates the file at path in the directory of the new file.  Returns a
 * descriptor or -errno.
 */
static int
create_in_directory(const char *path, const struct content *c)
{
	return file_create_atomic(path, create_scratch()->directory, c->bytes,
	    c->n);
}

/*
 * Replaces the old profile at path, if that may be replaced.  Returns a
 * descriptor or -errno; -EEXIST if it may not.
 */
static int
replace_old_profile(const char *path, const struct content *c)
{
	int lock, fd = -EEXIST;

	lock = sys_open(create_scratch()->directory, O_RDONLY | O_DIRECTORY, 0);
	if (lock < 0)
		return -EEXIST;
	if (SYS(flock, lock, LOCK_EX | LOCK_NB, 0, 0, 0, 0) == 0 &&
	    profile_name_replaceable(path, create_scratch()->other) &&
	    SYS(unlinkat, AT_FDCWD, path, 0, 0, 0, 0) == 0)
		fd = create_in_directory(path, c);
	sys_close(lock);
	return fd;
}

/*
 * Returns how many images of this process came before, judged by the file of
 * the last one at path.
 */
static uint32_t
last_image_number(const char *path)
{
	struct format_header *h = (void *)create_scratch()->other;
	uint32_t image = 0;
	int fd;

	fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return 0;
	if (sys_pread(fd, h, FORMAT_HEADER, 0) == FORMAT_HEADER &&
	    mem_equal(h->magic, FORMAT_MAGIC, sizeof(h->magic)) &&
	    h->pid == mon->pid && h->start_ticks == mon->start_ticks)
		image = h->image;
	sys_close(fd);
	return image;
}

static bool
is_candidate_taken(char *path, unsigned nth)
{
	return profile_name_candidate(path, PATH_MAX, nth,
	    run_owns_plain_name()) == 0 && file_create_exists(path);
}

/*
 * Returns the number of the first candidate that is free; `path` is
 * overwritten.  It does not try them one by one, because a process that goes
 * through thousands of images leaves a file for each.
 */
static unsigned
first_free_candidate(char *path)
{
	unsigned low = 0, high = 1;

	if (!is_candidate_taken(path, 0))
		return 0;
	while (high < CANDIDATES && is_candidate_taken(path, high)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (is_candidate_taken(path, middle))
			low = middle;
		else
			high = middle;
	}
	return high;
}

/*
 * Creates the file at the first free name from candidate nth on, and leaves
 * that in `path`.  Returns a descriptor or -errno.
 */
static int
create_at_candidate(char *path, unsigned nth, const struct content *c)
{
	int fd, ret;

	for (; nth < CANDIDATES; nth++) {
		ret = profile_name_candidate(path, PATH_MAX, nth,
		    run_owns_plain_name());
		if (ret != 0)
			return ret;
		fd = create_in_directory(path, c);
		if (fd != -EEXIST)
			return fd;
	}
	return -EEXIST;
}

/* Adds the nth name of a live file for the profile at `path` to s. */
static void
add_local_name(struct str *s, const char *directory, const char *path,
    unsigned nth)
{
	const char *base = path + str_length(path);

	while (base > path && base[-1] != '/')
		base--;
	str_add(s, directory);
	str_add(s, "/libmon-");
	str_add_number(s, (uint64_t)SYS(geteuid, 0, 0, 0, 0, 0, 0));
	str_add(s, "-");
	str_add(s, base);
	str_add(s, ".");
	str_add_number(s, nth);
}

/*
 * Creates the file in a local directory, from where it moves to `final` at the
 * seal, because `final` is on NFS or the like.  path: set to its name.
 */
static int
create_local(char *path, const char *final, const struct content *c)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};
	int fd = -ENOENT;
	struct str s;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned nth = 0; nth < LOCALS; nth++) {
			str_init(&s, path, PATH_MAX);
			add_local_name(&s, places[i], final, nth);
			fd = file_create_atomic(path, places[i], c->bytes,
			    c->n);
			if (fd >= 0)
				return fd;
			if (fd != -EEXIST)
				break;
		}
	return fd;
}

static const char hexdigits[] = "0123456789abcdef";

/*
 * Returns the content of the pointer file at the final name: where the live
 * file is, and which process writes it.
 */
static struct content
format_pointer(const char *path, const struct format_header *h)
{
	struct content c = {create_scratch()->pointer, 0};
	struct str s;

	str_init(&s, create_scratch()->pointer,
	    sizeof(create_scratch()->pointer));
	str_add(&s, "monptr 1\npath=");
	str_add(&s, path);
	str_add(&s, "\nboot_id=");
	for (unsigned i = 0; i < 16; i++) {
		str_add_bytes(&s, &hexdigits[h->boot_id[i] >> 4], 1);
		str_add_bytes(&s, &hexdigits[h->boot_id[i] & 15], 1);
	}
	str_add(&s, "\npid=");
	str_add_number(&s, (uint64_t)h->pid);
	str_add(&s, "\nstart=");
	str_add_number(&s, h->start_ticks);
	str_add(&s, "\n");
	c.n = (size_t)(s.at - create_scratch()->pointer);
	return c;
}

/*
 * Creates the file at candidate nth or a later one, and leaves its name in
 * `path`.  Returns a descriptor or -errno.  Unless it goes to the PROFDIR, an
 * old profile at candidate 0 is replaced if possible.
 */
static int
create_or_replace_profile(char *path, unsigned nth, const struct content *c)
{
	int fd;

	if (nth > 0 && config.place != CONFIG_PLACE_DIR &&
	    profile_name_candidate(path, PATH_MAX, 0,
	    run_owns_plain_name()) == 0) {
		fd = replace_old_profile(path, c);
		if (fd != -EEXIST)
			return fd;
	}
	return create_at_candidate(path, nth, c);
}

/*
 * Creates the live file in a local directory and a pointer to it at the name of
 * the profile, `final`.
 */
static int
create_with_pointer(struct store *s, unsigned nth, const struct content *header)
{
	struct content pointer;
	int fd, other;

	str_copy(s->final, s->path, PATH_MAX);
	fd = create_local(s->path, s->final, header);
	if (fd < 0)
		return fd;
	pointer = format_pointer(s->path, header->bytes);
	other = create_or_replace_profile(s->final, nth, &pointer);
	if (other >= 0) {
		sys_close(other);
		return fd;
	}
	SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
	sys_close(fd);
	return other;
}

int
store_path_create(struct format_header *h)
{
	struct content c = {h, FORMAT_HEADER};
	struct store *s = &mon->store;
	unsigned nth;
	int ret;

	s->path = mon->store_path;
	s->final = mon->store_final;
	nth = first_free_candidate(s->path);
	if (nth > 0 && private_fds_is_shared())
		/* a file in the way has to be opened */
		return PRIVATE_FDS_RETRY;
	if (nth > 0 && profile_name_candidate(s->path, PATH_MAX, nth - 1,
	    run_owns_plain_name()) == 0)
		h->image = last_image_number(s->path) + 1;
	ret = profile_name_candidate(s->path, PATH_MAX, nth,
	    run_owns_plain_name());
	if (ret != 0)
		return ret;
	profile_name_directory(s->path, create_scratch()->directory, PATH_MAX);
	s->local = is_on_network(create_scratch()->directory);
	return s->local ? create_with_pointer(s, nth, &c) :
	    create_or_replace_profile(s->path, nth, &c);
}

/*
 * The process that started this one had its file here and may be gone; then
 * /proc did not show the run.
 */
int
store_path_join_run(void)
{
	char *path = mon->store_path;

	if (config.place != CONFIG_PLACE_PLAIN || !run_is_first() ||
	    profile_name_candidate(path, PATH_MAX, 0, true) != 0 ||
	    !file_create_exists(path))
		return 0;
	if (private_fds_is_shared())
		return PRIVATE_FDS_RETRY;
	profile_name_join_run(path, create_scratch()->other);
	return 0;
}

void
store_path_undo(void)
{
	const struct store *s = &mon->store;

	SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
	if (s->local)
		SYS(unlinkat, AT_FDCWD, s->final, 0, 0, 0, 0);
}
