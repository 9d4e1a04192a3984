/*
 * Context: S.  Reads the directory defaults, for store_create.c; see
 * start_defaults.h.
 *
 * A tool writes them there before it lists the directory, and a process reads
 * them after its profile is there.  So each process is met by the tool or meets
 * the orders.
 */
#include "store/start_defaults.h"

#include "base/str.h"
#include "store/file_create.h"
#include "thread/private_fds.h"

/* The arguments of read_defaults_file(). */
struct defaults_request {
	const char *path;
	struct format_defaults *orders;
};

static bool
is_trusted_file(int fd)
{
	struct stat st;

	return SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == 0 ||
	    st.st_uid == (uid_t)SYS(geteuid, 0, 0, 0, 0, 0, 0));
}

/*
 * Reads the file, for private_fds_run().  Returns 0, PRIVATE_FDS_RETRY, or
 * another -errno if there are no defaults that can be used.
 */
static int
read_defaults_file(void *defaults_request)
{
	const struct defaults_request *f = defaults_request;
	long n = -ENOENT;
	int fd;

	if (private_fds_is_shared())
		return PRIVATE_FDS_RETRY;
	fd = sys_open(f->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
	    0);
	if (fd < 0)
		return fd;
	if (is_trusted_file(fd))
		n = sys_read(fd, f->orders, sizeof(*f->orders));
	sys_close(fd);
	return n == (long)sizeof(*f->orders) && mem_equal(f->orders->magic,
	    FORMAT_DEFAULTS_MAGIC, sizeof(f->orders->magic)) ? 0 : -ENOENT;
}

/* The making of the file is over, so birth_scratch is free. */
static const char *
defaults_file_path(void)
{
	struct str s;

	str_init(&s, mon->birth_scratch, PATH_MAX);
	str_add(&s, config.directory);
	str_add(&s, "/" FORMAT_DEFAULTS_NAME);
	str_add_number(&s, (uint64_t)SYS(geteuid, 0, 0, 0, 0, 0, 0));
	return mon->birth_scratch;
}

bool
start_defaults_read(struct format_defaults *o)
{
	struct defaults_request f = {NULL, o};

	if (config.place != CONFIG_PLACE_DIR)
		return false;
	f.path = defaults_file_path();
	return file_create_exists(f.path) && private_fds_run(read_defaults_file,
	    &f) == 0;
}
