/*
 * Context: O.  Tests of core/object/code/jitmap.c, kallsyms_name.c and
 * symbol_text.c.
 */
#include "symbol/symbol_text.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;
static char path[] = "/tmp/libmon-map-XXXXXX";

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
	arena_free(&arena);
}

TestSuite(symbol_text, .init = setup, .fini = teardown);

static void
put(const char *text, size_t bytes)
{
	FILE *out = fopen(path, "w");

	cr_assert_not_null(out);
	cr_assert_eq(fwrite(text, 1, bytes, out), bytes);
	cr_assert_eq(fclose(out), 0);
}

static const char *
jit(const char *text, uint64_t address)
{
	struct symbol s = { .address = address };

	put(text, strlen(text));
	cr_assert_eq(jitmap_name(path, getuid(), &s, 1, &arena), 0);
	return s.name != NULL ? s.name : "(none)";
}

Test(symbol_text, names_generated_code)
{
	const char *map = "1000 20 one\n2000 10 LazyCompile:*two a.js:1\n";

	cr_expect_str_eq(jit(map, 0x1000), "one");
	cr_expect_str_eq(jit(map, 0x101f), "one");
	cr_expect_str_eq(jit(map, 0x1020), "(none)");
	cr_expect_str_eq(jit(map, 0xfff), "(none)");
	cr_expect_str_eq(jit(map, 0x200f), "LazyCompile:*two a.js:1");
}

Test(symbol_text, believes_the_later_line)
{
	cr_expect_str_eq(jit("1000 100 old\n1010 10 new\n", 0x1010), "new");
	cr_expect_str_eq(jit("1000 100 old\n1010 10 new\n", 0x1020), "old");
	cr_expect_str_eq(jit("1010 10 old\n1000 100 new\n", 0x1010), "new");
}

Test(symbol_text, passes_over_what_is_no_line)
{
	cr_expect_str_eq(jit("", 0x1000), "(none)");
	cr_expect_str_eq(jit("\n\n\n1000 10 x\n", 0x1000), "x");
	cr_expect_str_eq(jit("1000 10\n", 0x1000), "(none)");
	cr_expect_str_eq(jit("1000 10 \n", 0x1000), "(none)");
	cr_expect_str_eq(jit("zz 10 x\n1000 q x\n", 0x1000), "(none)");
	cr_expect_str_eq(jit("1000\n10 x\n", 0x1000), "(none)");
	/* The last line is being written. */
	cr_expect_str_eq(jit("1000 10 whole\n1000 10 hal", 0x1000), "whole");
}

/* Texts that strtoull(3) would take for a number. */
Test(symbol_text, no_line_takes_more_than_its_own)
{
	cr_expect_str_eq(jit("1000 -1 all\n1000 10 one\n2000 -10 two\n",
	    0x2000), "(none)");
	cr_expect_str_eq(jit("1000 fffffffffffffffff all\n", 0x2000),
	    "(none)");
	cr_expect_str_eq(jit("-1 10 x\n+1000 10 y\n  1000 10 z\n1000  10 u\n"
	    "1000 \n10 v\n1000 10\n", 0x1000), "(none)");
	cr_expect_str_eq(jit("0x1000 0x10 hex\n", 0x1000), "hex");
}

Test(symbol_text, names_many_at_once)
{
	struct symbol s[6];
	const char *map = "10 20 a\n18 4 b\n40 1 c\n";
	static const uint64_t at[] = { 0x10, 0x17, 0x18, 0x1c, 0x30, 0x40 };
	static const char *const want[] = { "a", "a", "b", "a", NULL, "c" };

	memset(s, 0, sizeof(s));
	for (size_t i = 0; i < 6; i++)
		s[i].address = at[i];
	put(map, strlen(map));
	cr_assert_eq(jitmap_name(path, getuid(), s, 6, &arena), 0);
	for (size_t i = 0; i < 6; i++)
		if (want[i] == NULL)
			cr_expect_null(s[i].name);
		else
			cr_expect_str_eq(s[i].name, want[i]);
}

Test(symbol_text, does_not_believe_a_stranger)
{
	struct symbol s = { .address = 0x1000 };

	put("1000 10 lie\n", 12);
	if (geteuid() == 0)
		cr_assert_eq(chown(path, 12345, (gid_t)-1), 0);
	cr_assert_eq(jitmap_name(path, geteuid() == 0 ? 54321 : getuid() + 1,
	    &s, 1, &arena), 0);
	cr_expect_null(s.name);
}

Test(symbol_text, does_not_follow_a_link_or_wait_for_a_fifo)
{
	struct symbol s = { .address = 0x1000 };
	char other[sizeof(path) + 8];

	put("1000 10 x\n", 10);
	snprintf(other, sizeof(other), "%s.l", path);
	cr_assert_eq(symlink(path, other), 0);
	cr_assert_eq(jitmap_name(other, getuid(), &s, 1, &arena), 0);
	cr_expect_null(s.name);
	unlink(other);
	cr_assert_eq(mkfifo(other, 0600), 0);
	cr_assert_eq(jitmap_name(other, getuid(), &s, 1, &arena), 0);
	cr_expect_null(s.name);
	unlink(other);
	cr_assert_eq(jitmap_name(other, getuid(), &s, 1, &arena), 0);
}

/* Each line claims every address: time must not be their product. */
Test(symbol_text, is_not_slowed_by_lines_that_overlap, .timeout = 20)
{
	enum { LINES = 100000, ASKED = 100000 };
	struct symbol *s = calloc(ASKED, sizeof(*s));
	FILE *out = fopen(path, "w");

	cr_assert_not_null(s);
	cr_assert_not_null(out);
	for (int i = 0; i < LINES; i++)
		fprintf(out, "1000 ffffff f%d\n", i);
	fclose(out);
	for (size_t i = 0; i < ASKED; i++)
		s[i].address = 0x1000 + i;
	cr_assert_eq(jitmap_name(path, getuid(), s, ASKED, &arena), 0);
	cr_expect_str_eq(s[0].name, "f99999");
	cr_expect_str_eq(s[ASKED - 1].name, "f99999");
	free(s);
}

static const char *
kernel(const char *text, uint64_t address)
{
	struct symbol s = { .address = address };

	put(text, strlen(text));
	cr_assert_eq(kallsyms_name(path, &s, 1, &arena), 0);
	return s.name != NULL ? s.name : "(none)";
}

Test(symbol_text, names_kernel_functions)
{
	const char *map = "ffffffff81000000 T _text\n"
	    "ffffffff81000100 t do_it\nffffffff81000180 d data\n"
	    "ffffffffc0000000 t helper\t[module]\n";

	cr_expect_str_eq(kernel(map, 0xffffffff81000050), "_text");
	cr_expect_str_eq(kernel(map, 0xffffffff810001ff), "do_it");
	cr_expect_str_eq(kernel(map, 0xffffffffc0000010), "helper");
	cr_expect_str_eq(kernel(map, 0xfffffff000000000), "(none)");
}

/* kptr_restrict of proc(5): every address is 0. */
Test(symbol_text, says_when_the_kernel_shows_no_addresses)
{
	static const char *const maps[] = {
		"0000000000000000 T _text\n0000000000000000 T do_it\n",
		"", "ffff\nffff T\nffff T \n",
	};
	struct symbol s = { .address = 0xffffffff81000050 };

	for (size_t i = 0; i < 3; i++) {
		put(maps[i], strlen(maps[i]));
		cr_expect_eq(kallsyms_name(path, &s, 1, &arena), -ENOENT);
		cr_expect_null(s.name);
	}
	cr_expect_eq(kallsyms_name("/none", &s, 1, &arena), -ENOENT);
}
