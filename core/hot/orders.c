/*
 * Context: S.  What the processes of a profile directory are told to begin as.
 *
 * A tool puts them there before it lists the directory, and this is read when
 * the profile is there: whoever the tool does not meet meets them.
 */
#include "orders.h"

#include "aside.h"
#include "create.h"
#include "str.h"

struct found {
	const char *path;
	struct format_orders *orders;
};

static bool
is_to_be_heeded(int fd)
{
	struct stat st;

	return SYS(fstat, fd, &st, 0, 0, 0, 0) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_uid == 0 ||
	    st.st_uid == (uid_t)SYS(geteuid, 0, 0, 0, 0, 0, 0));
}

static int
read_file(void *found)
{
	const struct found *f = found;
	long n = -ENOENT;
	int fd;

	if (aside_is_here())
		return ASIDE_AGAIN;
	fd = sys_open(f->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
	    0);
	if (fd < 0)
		return fd;
	if (is_to_be_heeded(fd))
		n = sys_read(fd, f->orders, sizeof *f->orders);
	sys_close(fd);
	return n == (long)sizeof *f->orders && mem_equal(f->orders->magic,
	    FORMAT_ORDERS_MAGIC, sizeof f->orders->magic) ? 0 : -ENOENT;
}

/* Its making is over: what it kept there is done with. */
static const char *
name_of_orders(void)
{
	struct str s;

	str_init(&s, mon->birth_scratch, PATH_MAX);
	str_add(&s, config.directory);
	str_add(&s, "/" FORMAT_ORDERS_NAME);
	str_add_number(&s, (uint64_t)SYS(geteuid, 0, 0, 0, 0, 0, 0));
	return mon->birth_scratch;
}

bool
orders_read(struct format_orders *o)
{
	struct found f = {NULL, o};

	if (config.place != CONFIG_PLACE_DIR)
		return false;
	f.path = name_of_orders();
	return create_taken(f.path) && aside(read_file, &f) == 0;
}
