/* Context: O.  A profile as a test of the target reads it. */
#include "target.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static long
read_at(void *fd, void *to, size_t count, uint64_t offset)
{
	ssize_t n = pread(*(int *)fd, to, count, (off_t)offset);

	return n < 0 ? -errno : n;
}

static int
add_node(void *arg, uint32_t index, const struct format_node *n)
{
	struct target_file *t = arg;

	(void)index;
	t->nodes++;
	t->count += n->count;
	t->ns += n->ns;
	return 0;
}

static void
check_target_records(struct target_file *t)
{
	struct format_thread thread;
	struct format_module module;
	uint32_t at = 0;
	int got;

	while ((got = decode_thread(&t->d, &at, &thread, &t->f)) == 1) {
		t->threads++;
		got = decode_tree(&t->d, thread.root, add_node, t, &t->f);
		cr_assert_eq(got, 0, "tree: %s", t->f.what);
	}
	cr_assert_eq(got, 0, "threads: %s", t->f.what);
	at = 0;
	while ((got = decode_module(&t->d, &at, &module, &t->f)) == 1)
		t->modules++;
	cr_assert_eq(got, 0, "modules: %s", t->f.what);
	cr_assert_eq(t->d.cut, 0);
}

void
target_read(struct target_file *t, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	*t = (struct target_file){0};
	cr_assert_geq(fd, 0, "%s: %s", path, strerror(errno));
	ret = snapshot_take(&t->copy, read_at, &fd, &t->f);
	close(fd);
	cr_assert_eq(ret, 0, "%s: %s", path, t->f.what);
	ret = decode_open(&t->d, t->copy.bytes, t->copy.size, &t->f);
	cr_assert_eq(ret, 0, "%s: %s", path, t->f.what);
	check_target_records(t);
}

void
target_read_fini(struct target_file *t)
{
	decode_close(&t->d);
	snapshot_fini(&t->copy);
}

const char *
target_text(struct target_file *t, uint32_t index)
{
	static char text[PATH_MAX];
	uint32_t length;
	const char *bytes = decode_text(&t->d, index, &length, &t->f);

	cr_assert_not_null(bytes, "text: %s", t->f.what);
	cr_assert_lt(length, sizeof text);
	memcpy(text, bytes, length);
	text[length] = '\0';
	return text;
}
