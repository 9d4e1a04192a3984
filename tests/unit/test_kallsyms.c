/* Context: O.  Tests of core/object/symbol/kallsyms.c. */
#include "symbol/kallsyms.h"

#include "symbol/symbol_text.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct kallsyms k;
static char path[] = "/tmp/libmon-kallsyms-XXXXXX";

static void
setup(void)
{
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	close(fd);
}

static void
teardown(void)
{
	unlink(path);
	kallsyms_free(&k);
}

TestSuite(kallsyms, .init = setup, .fini = teardown);

static int
from(const char *text)
{
	FILE *out = fopen(path, "w");

	cr_assert_not_null(out);
	fputs(text, out);
	cr_assert_eq(fclose(out), 0);
	return kallsyms_read(&k, path);
}

static const char *
at(uint64_t address)
{
	const struct kallsym *s = kallsyms_find(&k, address);

	return s == NULL ? "(none)" : s->name;
}

Test(kallsyms, names_by_the_last_that_starts_before)
{
	cr_assert_eq(from("3000 t three\t[ext4]\n1000 T one\n1800 D data\n"
	    "2000 t __two\n2000 T two\n"), 0);
	cr_expect_str_eq(at(0xfff), "(none)");
	cr_expect_str_eq(at(0x1000), "one");
	cr_expect_str_eq(at(0x1900), "one");
	cr_expect_str_eq(at(0x2000), "two");
	cr_expect_str_eq(at(0x9000), "three");
	cr_expect_str_eq(at(0x3000 + KALLSYMS_FARTHEST - 1), "three");
	cr_expect_str_eq(at(0x3000 + KALLSYMS_FARTHEST), "(none)");
	cr_expect_str_eq(kallsyms_find(&k, 0x3001)->module, "[ext4]");
	cr_expect_null(kallsyms_find(&k, 0x1000)->module);
}

Test(kallsyms, keeps_what_it_had_where_nothing_is_shown)
{
	cr_assert_eq(from("1000 T one\n"), 0);
	cr_expect_eq(from("0 T one\n0 T two\n"), -ENOENT);
	cr_expect_eq(kallsyms_read(&k, "/nowhere"), -ENOENT);
	cr_expect_str_eq(at(0x1000), "one");
}

/* prof and tprof top name a symbol alike. */
Test(kallsyms, agrees_with_kernel_name)
{
	struct arena arena = { 0 };
	size_t step;

	if (kallsyms_read(&k, "/proc/kallsyms") != 0)
		cr_skip_test("no names of the kernel are shown");
	step = k.count / 100 + 1;
	for (size_t i = 0; i < k.count; i += step * 20) {
		struct symbol s = { .address = k.all[i].start };

		cr_assert_eq(kallsyms_name("/proc/kallsyms", &s, 1, &arena), 0);
		cr_expect_str_eq(s.name, k.all[i].name);
	}
	arena_free(&arena);
}
