/* Context: O.  Tests of core/format/pointer.c. */
#include "pointer.h"

#include "tail.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#define BOOT "000102030405060708090a0b0c0d0eff"
#define PATH "path=/dev/shm/x\n"
#define REST "boot_id=" BOOT "\npid=42\nstart=777\n"

static int
parse(const char *text, size_t size, struct pointer *p, struct fault *f,
    char *path)
{
	unsigned char *copy = tail_copy(text, size);
	int error;

	*f = (struct fault){0};
	error = pointer_parse(p, (const char *)copy, size, f);
	if (error == 0) {
		memcpy(path, p->path, p->path_bytes);
		path[p->path_bytes] = '\0';
	}
	tail_free(copy, size);
	return error;
}

static void
accepts(const char *text, const char *want)
{
	struct pointer p;
	struct fault f;
	char path[256];

	cr_assert_eq(parse(text, strlen(text), &p, &f, path), 0, "%s", f.what);
	cr_expect_str_eq(path, want);
	cr_expect_eq(p.pid, 42);
	cr_expect_eq(p.start_ticks, 777);
	cr_expect_eq(p.boot_id[1], 1);
	cr_expect_eq(p.boot_id[15], 0xff);
}

static void
refuses(const char *text, const char *what, uint64_t offset)
{
	struct pointer p;
	struct fault f;
	char path[256];

	cr_expect_eq(parse(text, strlen(text), &p, &f, path), -EINVAL, "%s",
	    text);
	cr_expect_str_eq(f.what != NULL ? f.what : "", what);
	cr_expect_eq(f.offset, offset, "%s: %ju", text, (uintmax_t)f.offset);
	cr_expect_not_null(f.remedy);
}

Test(pointer, as_written)
{
	accepts("monptr 1\n" PATH REST, "/dev/shm/x");
}

Test(pointer, a_path_may_hold_anything)
{
	accepts("monptr 1\npath=/a\nboot_id=b\npid=1\nstart=1\n\n" REST,
	    "/a\nboot_id=b\npid=1\nstart=1\n");
	accepts("monptr 1\npath=/\n" REST, "/");
}

Test(pointer, other_files)
{
	refuses("", "not a pointer that this tool can read", 0);
	refuses("monptr 2\n" PATH REST,
	    "not a pointer that this tool can read", 0);
	refuses("monptr 1\nPATH=/x\n" REST,
	    "not a pointer that this tool can read", 0);
}

Test(pointer, paths)
{
	refuses("monptr 1\npath=x\n" REST,
	    "a pointer without an absolute path", 14);
	refuses("monptr 1\npath=\n" REST,
	    "a pointer without an absolute path", 14);
	refuses("monptr 1\npath=" REST,
	    "a pointer without a boot id", 55);
}

Test(pointer, numbers)
{
	refuses("monptr 1\n" PATH "boot_id=" BOOT "\npid=42\nstart=\n",
	    "a pointer without a start time", 73);
	refuses("monptr 1\n" PATH "boot_id=" BOOT "\npid=42\nstart=1x\n",
	    "a pointer without a start time", 73);
	refuses("monptr 1\n" PATH "boot_id=" BOOT
	    "\npid=42\nstart=18446744073709551616\n",
	    "a pointer without a start time", 73);
	refuses("monptr 1\n" PATH "boot_id=" BOOT "\npid=2147483648\nstart=1\n",
	    "a pointer without a pid", 66);
	refuses("monptr 1\n" PATH "boot_id=" BOOT "\npid=-1\nstart=1\n",
	    "a pointer without a pid", 66);
	refuses("monptr 1\n" PATH "boot_id=" BOOT "0\npid=42\nstart=1\n",
	    "a pointer without a boot id", 25);
	refuses("monptr 1\n" PATH "boot_id=G" BOOT "\npid=42\nstart=1\n",
	    "a pointer without a boot id", 25);
}

/* Stopped while it was being written: refused at every byte. */
Test(pointer, cut_at_every_byte)
{
	static const char text[] = "monptr 1\n" PATH REST;
	struct pointer p;
	struct fault f;
	char path[256];

	for (size_t size = 0; size < sizeof text - 1; size++)
		cr_expect_eq(parse(text, size, &p, &f, path), -EINVAL,
		    "%zu bytes accepted", size);
}

Test(pointer, a_path_that_holds_a_nul)
{
	static const char text[] = "monptr 1\npath=/dev/\0hm/x\n" REST;
	struct pointer p;
	struct fault f;
	char path[256];

	cr_expect_eq(parse(text, sizeof text - 1, &p, &f, path), -EINVAL);
	cr_expect_str_eq(f.what, "a pointer without an absolute path");
}
