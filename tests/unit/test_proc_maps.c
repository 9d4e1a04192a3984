/* Context: O.  Tests of core/hot/module/proc_maps.c. */
#include "module/proc_maps.h"
#include "target.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MOST 512

/* In memory that is there from the start: collecting changes nothing. */
struct copy {
	struct proc_maps_line line;
	char path[512];
};

static struct copy seen[MOST], want[MOST];
static unsigned count;

static void
take(const struct proc_maps_line *line, void *arg)
{
	struct copy *c = &seen[count];

	cr_assert_eq(arg, &count);
	cr_assert_lt(count, MOST);
	cr_assert_eq(line->path[line->path_bytes], '\0');
	c->line = *line;
	snprintf(c->path, sizeof c->path, "%s", line->path);
	count++;
}

static const struct copy *
find(const void *address)
{
	static char buf[4 * PATH_MAX];
	uint64_t a = (uintptr_t)address;

	count = 0;
	cr_assert_eq(proc_maps_read(0, buf, sizeof buf, take, &count), 0);
	for (unsigned i = 0; i < count; i++)
		if (a >= seen[i].line.start && a < seen[i].line.end)
			return &seen[i];
	cr_assert_fail("not there");
	return NULL;
}

static int
make_file(const char *path, off_t size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

	cr_assert_geq(fd, 0, "%s", path);
	cr_assert_eq(ftruncate(fd, size), 0);
	return fd;
}

static char *
map_file(int fd, int prot, off_t offset)
{
	char *p = mmap(NULL, 4096, prot, MAP_PRIVATE, fd, offset);

	cr_assert_neq(p, MAP_FAILED);
	return p;
}

Test(proc_maps, fields_of_a_file, .init = target_init, .fini = target_fini)
{
	const char *path = target_path("a file  with spaces");
	int fd = make_file(path, 3 * 4096);
	char *p = map_file(fd, PROT_READ | PROT_EXEC, 8192);
	const struct copy *c = find(p);
	struct stat st;

	cr_assert_eq(fstat(fd, &st), 0);
	cr_expect_eq(c->line.start, (uintptr_t)p);
	cr_expect_eq(c->line.end, (uintptr_t)p + 4096);
	cr_expect_eq(c->line.offset, 8192);
	cr_expect_eq(c->line.inode, st.st_ino);
	cr_expect_eq(c->line.device, (uint64_t)major(st.st_dev) << 32 |
	    minor(st.st_dev));
	cr_expect(c->line.readable);
	cr_expect(c->line.executable);
	cr_expect_not(c->line.deleted);
	cr_expect_str_eq(c->path, path);
	cr_expect_eq(c->line.path_bytes, strlen(path));
}

Test(proc_maps, a_deleted_file, .init = target_init, .fini = target_fini)
{
	const char *path = target_path("gone");
	int fd = make_file(path, 4096);
	char *p = map_file(fd, PROT_READ, 0);
	const struct copy *c;

	cr_expect_not(find(p)->line.deleted);
	cr_assert_eq(unlink(path), 0);
	c = find(p);
	cr_expect(c->line.deleted);
	cr_expect_not(c->line.executable);
	cr_expect_str_eq(c->path, path);
	cr_expect_eq(c->line.path_bytes, strlen(path));
}

Test(proc_maps, memory_without_a_file)
{
	char *p = mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);
	const struct copy *c;
	unsigned vdso = 0, i;

	cr_assert_neq(p, MAP_FAILED);
	c = find(p);
	cr_expect_str_eq(c->path, "");
	cr_expect_eq(c->line.path_bytes, 0);
	cr_expect_eq(c->line.inode, 0);
	cr_expect(c->line.executable);
	cr_expect_not(c->line.readable);
	for (i = 0; i < count; i++)
		if (strcmp(seen[i].path, "[vdso]") == 0) {
			vdso++;
			cr_expect_eq(seen[i].line.head, seen[i].line.start);
		}
	cr_expect_eq(vdso, 1);
}

Test(proc_maps, where_a_file_begins, .init = target_init, .fini = target_fini)
{
	int fd = make_file(target_path("head"), 4 * 4096);
	int other = make_file(target_path("other"), 4 * 4096);
	char *p = mmap(NULL, 8 * 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	int flags = MAP_PRIVATE | MAP_FIXED;

	/* head 0, head 2, other 1, head 3, other 0, other 2 */
	cr_assert_neq(p, MAP_FAILED);
	mmap(p + 4096, 4096, PROT_READ, flags, fd, 2 * 4096);
	mmap(p + 2 * 4096, 4096, PROT_READ, flags, other, 4096);
	mmap(p + 3 * 4096, 4096, PROT_EXEC, flags, fd, 3 * 4096);
	mmap(p + 4 * 4096, 4096, PROT_READ, flags, other, 0);
	mmap(p + 5 * 4096, 4096, PROT_READ, flags, other, 2 * 4096);
	cr_expect_eq(find(p)->line.head, (uintptr_t)p);
	cr_expect_eq(find(p + 4096)->line.head, (uintptr_t)p);
	cr_expect_eq(find(p + 2 * 4096)->line.head, 0);
	cr_expect_eq(find(p + 3 * 4096)->line.head, (uintptr_t)p);
	cr_expect_eq(find(p + 4 * 4096)->line.head, (uintptr_t)p + 4 * 4096);
	cr_expect_eq(find(p + 5 * 4096)->line.head, (uintptr_t)p + 4 * 4096);
}

static bool
same(const struct copy *a, const struct copy *b)
{
	return a->line.start == b->line.start && a->line.end == b->line.end &&
	    a->line.offset == b->line.offset &&
	    a->line.device == b->line.device &&
	    a->line.inode == b->line.inode && a->line.head == b->line.head &&
	    a->line.readable == b->line.readable &&
	    a->line.executable == b->line.executable &&
	    strcmp(a->path, b->path) == 0;
}

/* A line of the map is split over two reads in every way that there is. */
Test(proc_maps, lines_over_reads, .init = target_init, .fini = target_fini)
{
	static char buf[4 * PATH_MAX];
	char name[201];
	unsigned n;

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	map_file(make_file(target_path(name), 4096), PROT_READ, 0);
	count = 0;
	cr_assert_eq(proc_maps_read(0, buf, sizeof buf, take, &count), 0);
	n = count;
	memcpy(want, seen, sizeof want);
	for (size_t room = 320; room < 1200; room++) {
		count = 0;
		cr_assert_eq(proc_maps_read(0, buf, room, take, &count), 0);
		cr_assert_eq(count, n, "%zu: %u lines, not %u", room, count, n);
		for (unsigned i = 0; i < n; i++)
			cr_assert(same(&seen[i], &want[i]), "%zu: line %u",
			    room, i);
	}
}

/* Every line as the C library reads it. */
Test(proc_maps, agrees_with_scanf)
{
	static char buf[4 * PATH_MAX], line[1024];
	FILE *in = fopen("/proc/self/maps", "r");
	unsigned i = 0;

	cr_assert_not_null(in);
	setvbuf(in, NULL, _IONBF, 0);
	count = 0;
	cr_assert_eq(proc_maps_read(0, buf, sizeof buf, take, &count), 0);
	for (; fgets(line, sizeof line, in) != NULL; i++) {
		unsigned long start, end, offset, inode;
		char r, x;

		cr_assert_eq(sscanf(line, "%lx-%lx %c%*c%c%*c %lx %*s %lu",
		    &start, &end, &r, &x, &offset, &inode), 6, "%s", line);
		cr_assert_lt(i, count);
		cr_expect_eq(seen[i].line.start, start);
		cr_expect_eq(seen[i].line.end, end);
		cr_expect_eq(seen[i].line.offset, offset);
		cr_expect_eq(seen[i].line.inode, inode);
		cr_expect_eq(seen[i].line.readable, r == 'r');
		cr_expect_eq(seen[i].line.executable, x == 'x');
	}
	cr_expect_eq(i, count);
	fclose(in);
}

Test(proc_maps, a_line_without_room)
{
	char buf[40];

	count = 0;
	cr_expect_eq(proc_maps_read(0, buf, sizeof buf, take, &count), -E2BIG);
	cr_expect_eq(count, 0);
}
