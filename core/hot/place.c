/*
 * Context: S.  Where the file of this process goes.
 *
 * An old plain file is unlinked only under a lock on its directory: everybody
 * else fails where a name is taken, and so cannot be in between.
 */
#include "place.h"

#include "aside.h"
#include "create.h"
#include "name.h"
#include "run.h"
#include "str.h"

#include <sys/file.h>
#include <sys/vfs.h>

#define CANDIDATES	(1u << 20)
#define LOCALS		1000

/* Magic numbers of file systems whose pages come from elsewhere (statfs(2)). */
static const long elsewhere[] = {
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

static bool
is_elsewhere(const char *directory)
{
	struct statfs fs;
	size_t i;

	if (SYS(statfs, directory, &fs, 0, 0, 0, 0) != 0)
		return false;
	for (i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if ((uint32_t)fs.f_type == (uint32_t)elsewhere[i])
			return true;
	return false;
}

/* The room that a birth needs, one at a time. */
struct room {
	_Alignas(8) char header[FORMAT_HEADER];
	char other[FORMAT_HEADER];	/* of a file in the way */
	char directory[PATH_MAX];
	char pointer[PATH_MAX];
};

_Static_assert(sizeof(struct room) <=
    sizeof ((struct mon *)NULL)->birth_scratch, "a birth has room");

static struct room *
room(void)
{
	return (struct room *)mon->birth_scratch;
}

/* What is to stand at the name of the profile: its header, or a pointer. */
struct content {
	const void *bytes;
	size_t n;
};

static int
create(const char *path, const struct content *c)
{
	return create_whole(path, room()->directory, c->bytes, c->n);
}

static int
replace(const char *path, const struct content *c)
{
	int lock, fd = -EEXIST;

	lock = sys_open(room()->directory, O_RDONLY | O_DIRECTORY, 0);
	if (lock < 0)
		return -EEXIST;
	if (SYS(flock, lock, LOCK_EX | LOCK_NB, 0, 0, 0, 0) == 0 &&
	    name_replaceable(path, room()->other) &&
	    SYS(unlinkat, AT_FDCWD, path, 0, 0, 0, 0) == 0)
		fd = create(path, c);
	sys_close(lock);
	return fd;
}

/* How many images of this process came before, by the last file of theirs. */
static uint32_t
image_behind(const char *path)
{
	struct format_header *h = (void *)room()->other;
	uint32_t image = 0;
	int fd;

	fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return 0;
	if (sys_pread(fd, h, FORMAT_HEADER, 0) == FORMAT_HEADER &&
	    mem_equal(h->magic, FORMAT_MAGIC, sizeof h->magic) &&
	    h->pid == mon->pid && h->start_ticks == mon->start_ticks)
		image = h->image;
	sys_close(fd);
	return image;
}

static bool
taken(char *path, unsigned nth)
{
	return name_candidate(path, PATH_MAX, nth, run_has_name()) == 0 &&
	    create_taken(path);
}

/*
 * The first candidate that is free: a process that goes through thousands of
 * images leaves a file each, so they are not tried one by one.
 */
static unsigned
first_free(char *path)
{
	unsigned low = 0, high = 1;

	if (!taken(path, 0))
		return 0;
	while (high < CANDIDATES && taken(path, high)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		unsigned middle = low + (high - low) / 2;

		if (taken(path, middle))
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* At the first name that is free; it stays in `path`.  fd or -errno. */
static int
create_named(char *path, unsigned nth, const struct content *c)
{
	int fd, ret;

	for (; nth < CANDIDATES; nth++) {
		ret = name_candidate(path, PATH_MAX, nth, run_has_name());
		if (ret != 0)
			return ret;
		fd = create(path, c);
		if (fd != -EEXIST)
			return fd;
	}
	return -EEXIST;
}

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

/* On NFS and its like the file lives here and moves there at the seal. */
static int
create_local(char *path, const char *final, const struct content *c)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};
	int fd = -ENOENT;
	unsigned i, nth;
	struct str s;

	for (i = 0; i < 2; i++)
		for (nth = 0; nth < LOCALS; nth++) {
			str_init(&s, path, PATH_MAX);
			add_local_name(&s, places[i], final, nth);
			fd = create_whole(path, places[i], c->bytes, c->n);
			if (fd >= 0)
				return fd;
			if (fd != -EEXIST)
				break;
		}
	return fd;
}

static const char hexdigits[] = "0123456789abcdef";

/* The record left at the final name: where the live file is, and whose. */
static struct content
pointer_to(const char *path, const struct format_header *h)
{
	struct content c = {room()->pointer, 0};
	struct str s;
	unsigned i;

	str_init(&s, room()->pointer, sizeof room()->pointer);
	str_add(&s, "monptr 1\npath=");
	str_add(&s, path);
	str_add(&s, "\nboot_id=");
	for (i = 0; i < 16; i++) {
		str_add_bytes(&s, &hexdigits[h->boot_id[i] >> 4], 1);
		str_add_bytes(&s, &hexdigits[h->boot_id[i] & 15], 1);
	}
	str_add(&s, "\npid=");
	str_add_number(&s, (uint64_t)h->pid);
	str_add(&s, "\nstart=");
	str_add_number(&s, h->start_ticks);
	str_add(&s, "\n");
	c.n = (size_t)(s.at - room()->pointer);
	return c;
}

/* An old profile at the one name that it is to have gives way. */
static int
create_or_replace(char *path, unsigned nth, const struct content *c)
{
	int fd;

	if (nth > 0 && config.place != CONFIG_PLACE_DIR &&
	    name_candidate(path, PATH_MAX, 0, run_has_name()) == 0) {
		fd = replace(path, c);
		if (fd != -EEXIST)
			return fd;
	}
	return create_named(path, nth, c);
}

/* The live file is local; a pointer to it stands at the name, `final`. */
static int
create_elsewhere(struct store *s, unsigned nth, const struct content *header)
{
	struct content pointer;
	int fd, other;

	str_copy(s->final, s->path, PATH_MAX);
	fd = create_local(s->path, s->final, header);
	if (fd < 0)
		return fd;
	pointer = pointer_to(s->path, header->bytes);
	other = create_or_replace(s->final, nth, &pointer);
	if (other >= 0) {
		sys_close(other);
		return fd;
	}
	SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
	sys_close(fd);
	return other;
}

int
place_file(struct format_header *h)
{
	struct content c = {h, FORMAT_HEADER};
	struct store *s = &mon->store;
	unsigned nth;
	int ret;

	s->path = mon->store_path;
	s->final = mon->store_final;
	nth = first_free(s->path);
	if (nth > 0 && aside_is_here())
		return ASIDE_AGAIN;	/* what is in the way is opened */
	if (nth > 0 && name_candidate(s->path, PATH_MAX, nth - 1,
	    run_has_name()) == 0)
		h->image = image_behind(s->path) + 1;
	ret = name_candidate(s->path, PATH_MAX, nth, run_has_name());
	if (ret != 0)
		return ret;
	name_directory(s->path, room()->directory, PATH_MAX);
	s->local = is_elsewhere(room()->directory);
	return s->local ? create_elsewhere(s, nth, &c) :
	    create_or_replace(s->path, nth, &c);
}

/* Its starter had its file here and can be gone: then /proc did not tell. */
int
place_join_run(void)
{
	char *path = mon->store_path;

	if (config.place != CONFIG_PLACE_PLAIN || !run_is_first() ||
	    name_candidate(path, PATH_MAX, 0, true) != 0 ||
	    !create_taken(path))
		return 0;
	if (aside_is_here())
		return ASIDE_AGAIN;
	name_join_run(path, room()->other);
	return 0;
}

void
place_undo(void)
{
	const struct store *s = &mon->store;

	SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
	if (s->local)
		SYS(unlinkat, AT_FDCWD, s->final, 0, 0, 0, 0);
}
