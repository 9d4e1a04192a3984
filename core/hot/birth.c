/*
 * Context: S.  How the profile file comes into the world.
 *
 * The header is written before the file is mapped, so that the file is valid
 * from its first page on.  An old plain file is unlinked only under a lock on
 * its directory: everybody else creates with O_EXCL and so cannot be in
 * between.
 */
#include "birth.h"

#include "aside.h"
#include "facts.h"
#include "modules.h"
#include "name.h"
#include "process.h"
#include "store.h"
#include "str.h"
#include "tree.h"
#include "view.h"

#include <sys/file.h>
#include <sys/vfs.h>

#define ATTEMPTS	5
#define CANDIDATES	1000
#define ANCESTORS	64
#define CAP_LEAST	(2 * FORMAT_HEADER)

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

/* RLIMIT_FSIZE kills with SIGXFSZ: asked first.  RLIMIT_AS is shared. */
static uint64_t
choose_cap(void)
{
	uint64_t cap = config.size;
	struct rlimit r;

	if (SYS(prlimit64, 0, RLIMIT_FSIZE, NULL, &r, 0, 0) == 0 &&
	    r.rlim_cur < cap)
		cap = r.rlim_cur;
	if (SYS(prlimit64, 0, RLIMIT_AS, NULL, &r, 0, 0) == 0 &&
	    r.rlim_cur / 16 < cap)
		cap = r.rlim_cur / 16;
	return cap & ~(uint64_t)4095;
}

/*
 * The first process of a run is the highest ancestor, in an unbroken chain,
 * that has libmon mapped.  A fork child has inherited the answer.
 */
static void
find_run(char *scratch)
{
	int pid = 0, parent = config.parent;
	uint64_t ticks;
	unsigned i;

	lineage.pid = mon->pid;
	lineage.start = mon->start_ticks;
	if (config.place == CONFIG_PLACE_DIR)
		return;		/* one directory is one collection */
	for (i = 0; i < ANCESTORS && parent > 1; i++) {
		pid = parent;
		if (!process_has_libmon(pid, scratch, 4096) ||
		    process_stat(pid, &parent, &ticks) != 0)
			return;
		lineage.pid = pid;
		lineage.start = ticks;
	}
}

static bool
is_first(void)
{
	return lineage.pid == mon->pid && lineage.start == mon->start_ticks;
}

static int
create(const char *path)
{
	return sys_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
	    O_NOCTTY, 0600);
}

static int
replace(const char *path, char *scratch)
{
	char *directory = scratch + FORMAT_HEADER;
	int lock, fd = -EEXIST;

	name_directory(path, directory, PATH_MAX);
	lock = sys_open(directory, O_RDONLY | O_DIRECTORY, 0);
	if (lock < 0)
		return -EEXIST;
	if (SYS(flock, lock, LOCK_EX | LOCK_NB, 0, 0, 0, 0) == 0 &&
	    name_replaceable(path, scratch) &&
	    SYS(unlinkat, AT_FDCWD, path, 0, 0, 0, 0) == 0)
		fd = create(path);
	sys_close(lock);
	return fd;
}

/* How many images of this process came before: their files stand there. */
static uint32_t
image_behind(const char *path, void *scratch)
{
	struct format_header *h = scratch;
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

/* Open the first name that is free; the path stays in `path`.  fd or -errno. */
static int
open_named(char *path, char *scratch, uint32_t *image)
{
	bool first = is_first(), old;
	unsigned nth;
	int fd, ret;

	*image = 1;
	for (nth = 0; nth < CANDIDATES; nth++) {
		ret = name_candidate(path, PATH_MAX, nth, first);
		if (ret != 0)
			return ret;
		fd = create(path);
		old = nth == 0 && config.place != CONFIG_PLACE_DIR;
		if (fd == -EEXIST && old)
			fd = replace(path, scratch);
		if (fd != -EEXIST)
			return fd;
		ret = (int)image_behind(path, scratch);
		if (ret > 0)
			*image = (uint32_t)ret + 1;
	}
	return -EEXIST;
}

/* On NFS and its like the file lives here and moves there at the seal. */
static int
open_local(char *path, const char *final)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};
	struct str s;
	unsigned i, nth;
	int fd = -ENOENT;

	for (i = 0; i < 2; i++)
		for (nth = 0; nth < CANDIDATES; nth++) {
			const char *base = final + str_length(final);

			while (base > final && base[-1] != '/')
				base--;
			str_init(&s, path, PATH_MAX);
			str_add(&s, places[i]);
			str_add(&s, "/libmon-");
			str_add_number(&s, (uint64_t)SYS(geteuid, 0, 0, 0, 0,
			    0, 0));
			str_add(&s, "-");
			str_add(&s, base);
			str_add(&s, ".");
			str_add_number(&s, nth);
			fd = create(path);
			if (fd >= 0)
				return fd;
			if (fd != -EEXIST)
				break;
		}
	return fd;
}

static const char hexdigits[] = "0123456789abcdef";

/* The record left at the final name: where the live file is, and whose. */
static void
write_pointer(int fd, const char *path, const struct format_header *h,
    char *scratch)
{
	struct str s;
	unsigned i;

	str_init(&s, scratch, PATH_MAX + 256);
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
	sys_write(fd, scratch, (size_t)(s.at - scratch));
}

static void
move_early_losses(struct format_header *h)
{
	unsigned i;

	for (i = 0; i < LOSS_COUNT; i++) {
		uint64_t n = atomic_exchange(&mon->early[i], 0);

		if (n > 0)
			__atomic_fetch_add(&h->loss[i], n, __ATOMIC_RELAXED);
	}
}

static int
map_store(int fd, uint64_t cap)
{
	struct store *s = &mon->store;
	struct stat st;
	long ret;

	ret = SYS(ftruncate, fd, cap, 0, 0, 0, 0);
	if (ret == 0)
		ret = SYS(fstat, fd, &st, 0, 0, 0, 0);
	if (ret != 0)
		return (int)ret;
	s->base = sys_mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    0);
	if (s->base == NULL)
		return -ENOMEM;
	sys_madvise(s->base, cap, MADV_DONTFORK);
	/* Read ahead of a hole, up to 8 MiB of it: 1.4 ms against 0.07. */
	sys_madvise(s->base, cap, MADV_RANDOM);
	s->cap = cap;
	s->device = st.st_dev;
	s->inode = st.st_ino;
	return 0;
}

static int
open_file(char *scratch, uint32_t *image, int *pointer)
{
	struct store *s = &mon->store;
	int fd;

	*pointer = -1;
	s->path = mon->store_path;
	s->final = mon->store_final;
	fd = open_named(s->path, scratch, image);
	if (fd < 0)
		return fd;
	s->plain = config.place == CONFIG_PLACE_PLAIN;
	name_directory(s->path, scratch, PATH_MAX);
	s->local = is_elsewhere(scratch);
	if (!s->local)
		return fd;
	str_copy(s->final, s->path, PATH_MAX);
	*pointer = fd;
	fd = open_local(s->path, s->final);
	if (fd < 0) {
		SYS(unlinkat, AT_FDCWD, s->final, 0, 0, 0, 0);
		sys_close(*pointer);
	}
	return fd;
}

static int
make_file(void *unused)
{
	struct format_header *h = (void *)mon->birth_scratch;
	struct store *s = &mon->store;
	uint64_t cap = choose_cap();
	uint32_t image;
	int fd, pointer, ppid, ret;

	(void)unused;
	if (cap < CAP_LEAST)
		return -EFBIG;
	ret = process_stat(0, &ppid, &mon->start_ticks);
	if (ret == -EMFILE)
		return ret;	/* before the name of the run is looked for */
	if (ret != 0)
		mon->start_ticks = 0;
	if (lineage.pid == 0)
		find_run(mon->birth_scratch);
	fd = open_file(mon->birth_scratch, &image, &pointer);
	if (fd < 0)
		return fd;
	mem_zero(h, FORMAT_HEADER);
	facts_fill(h, image, cap);
	ret = sys_write(fd, h, FORMAT_HEADER) == FORMAT_HEADER ? 0 : -ENOSPC;
	if (ret == 0)
		ret = map_store(fd, cap);
	sys_close(fd);
	if (pointer >= 0) {
		write_pointer(pointer, s->path, h,
		    mon->birth_scratch + FORMAT_HEADER);
		sys_close(pointer);
	}
	if (ret != 0)
		SYS(unlinkat, AT_FDCWD, s->path, 0, 0, 0, 0);
	return ret;
}

static void
refused(int error)
{
	struct store *s = &mon->store;

	s->error = -error;
	s->retry_mono = sys_clock(CLOCK_MONOTONIC) + STORE_RETRY_NS;
	atomic_store(&s->state, ++s->attempts < ATTEMPTS ? STORE_NONE :
	    STORE_CLOSED);
}

bool
birth_attempt(void)
{
	struct store *s = &mon->store;
	unsigned none = STORE_NONE;
	int ret;

	if (atomic_load(&mon->frozen))
		return false;
	if (s->attempts > 0 && sys_clock(CLOCK_MONOTONIC) < s->retry_mono)
		return false;
	if (!atomic_compare_exchange_strong(&s->state, &none, STORE_BUSY))
		return false;
	ret = aside(make_file, NULL);
	if (ret != 0) {
		refused(ret);
		return false;
	}
	view_guard_bus();
	tree_forget();
	modules_forget();
	atomic_store(&mon->pool, 0);
	atomic_store(&mon->threads, 0);
	atomic_fetch_add(&s->generation, 1);
	atomic_store_explicit(&s->state, STORE_READY, memory_order_release);
	aside(facts_texts, s->base);
	move_early_losses((struct format_header *)s->base);
	return true;
}
