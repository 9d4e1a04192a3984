/* Context: O.  Tests of core/object/code/jitdump.c, by its specification. */
#include "code/jitdump.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PID 4242

static struct arena arena;
static struct lines lines;
static struct symbol asked[4];
static char path[] = "/tmp/libmon-dump-XXXXXX";
static FILE *out;

static void
put_32(uint32_t n)
{
	fwrite(&n, sizeof(n), 1, out);
}

static void
put_64(uint64_t n)
{
	fwrite(&n, sizeof(n), 1, out);
}

static void
put_header(uint32_t magic, uint32_t pid)
{
	put_32(magic);
	put_32(1);
	put_32(40);
	put_32(62);
	put_32(0);
	put_32(pid);
	put_64(0);
	put_64(0);
}

static void
setup(void)
{
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	out = fdopen(fd, "w");
	put_header(0x4a695444, PID);
}

static void
teardown(void)
{
	unlink(path);
	arena_free(&arena);
	lines_free(&lines);
}

TestSuite(jitdump, .init = setup, .fini = teardown);

static void
put_prefix(uint32_t id, size_t bytes)
{
	put_32(id);
	put_32((uint32_t)(16 + bytes));
	put_64(0);
}

/* Its code is as many bytes of 0x90. */
static void
put_load(uint64_t address, uint64_t size, uint64_t index, const char *name)
{
	put_prefix(0, 40 + strlen(name) + 1 + size);
	put_32(PID);
	put_32(PID);
	put_64(address);
	put_64(address);
	put_64(size);
	put_64(index);
	fwrite(name, 1, strlen(name) + 1, out);
	for (uint64_t i = 0; i < size; i++)
		putc(0x90, out);
}

static void
put_move(uint64_t from, uint64_t to, uint64_t size, uint64_t index)
{
	put_prefix(1, 48);
	put_32(PID);
	put_32(PID);
	put_64(to);
	put_64(from);
	put_64(to);
	put_64(size);
	put_64(index);
}

static void
put_entry(uint64_t address, uint32_t line, const char *file)
{
	put_64(address);
	put_32(line);
	put_32(0);
	fwrite(file, 1, strlen(file) + 1, out);
}

/* Two lines of a.js, and 3 bytes that are none. */
static void
put_debug(uint64_t address, uint64_t shift, const char *second)
{
	put_prefix(2, 16 + 2 * 17 + strlen("/a.js") + strlen(second) + 3);
	put_64(address);
	put_64(2);
	put_entry(address + shift, 10, "/a.js");
	put_entry(address + shift + 8, 20, second);
	fwrite("\0\0", 1, 3, out);
}

static void
look(uint32_t pid)
{
	cr_assert_eq(fclose(out), 0);
	cr_assert_eq(jitdump_name(path, getuid(), (int32_t)pid, asked, 4,
	    &arena, &lines), 0);
}

static void
ask(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	asked[0].address = a;
	asked[1].address = b;
	asked[2].address = c;
	asked[3].address = d;
}

static const char *
name(size_t i)
{
	return asked[i].name != NULL ? asked[i].name : "(none)";
}

static uint32_t
line(size_t i)
{
	return lines.places == NULL || lines.places[i].count == 0 ? 0 :
	    lines.frames[lines.places[i].first].line;
}

Test(jitdump, names_code)
{
	put_load(0x1000, 16, 1, "one");
	put_prefix(4, 8);	/* unwinding: passed over */
	put_64(0);
	put_load(0x2000, 16, 2, "two");
	put_prefix(99, 0);	/* not known */
	put_load(0x3000, 1, 3, "three");
	ask(0x1000, 0x100f, 0x2010, 0x3000);
	look(PID);
	cr_expect_str_eq(name(0), "one");
	cr_expect_str_eq(name(1), "one");
	cr_expect_eq(asked[1].start, 0x1000);
	cr_expect_str_eq(name(2), "(none)");
	cr_expect_str_eq(name(3), "three");
}

Test(jitdump, believes_the_later_piece)
{
	put_load(0x1000, 32, 1, "old");
	put_load(0x1010, 32, 2, "new");
	ask(0x1000, 0x1010, 0x101f, 0x102f);
	look(PID);
	cr_expect_str_eq(name(0), "old");
	cr_expect_str_eq(name(1), "new");
	cr_expect_str_eq(name(2), "new");
	cr_expect_str_eq(name(3), "new");
}

Test(jitdump, follows_a_piece_that_moves)
{
	put_load(0x1000, 16, 7, "moved");
	put_move(0x1000, 0x2000, 16, 7);
	put_move(0x9000, 0x3000, 16, 8);
	ask(0x1000, 0x2000, 0x200f, 0x3000);
	look(PID);
	cr_expect_str_eq(name(0), "moved", "it was there before");
	cr_expect_str_eq(name(1), "moved");
	cr_expect_str_eq(name(2), "moved");
	cr_expect_str_eq(name(3), "(none)");
}

Test(jitdump, has_lines)
{
	put_debug(0x1000, 0, "/b.js");
	put_load(0x1000, 16, 1, "one");
	put_load(0x2000, 16, 2, "without");
	ask(0x1007, 0x1008, 0x100f, 0x2000);
	look(PID);
	cr_expect_eq(line(0), 10);
	cr_expect_eq(line(1), 20);
	cr_expect_str_eq(lines.frames[lines.places[1].first].file, "/b.js");
	cr_expect_eq(line(2), 20);
	cr_expect_eq(line(3), 0);
}

Test(jitdump, one_file_for_several_lines)
{
	put_debug(0x1000, 0, "\377");
	put_load(0x1000, 16, 1, "one");
	ask(0x1000, 0x1008, 0x2000, 0x2001);
	look(PID);
	cr_expect_eq(line(1), 20);
	cr_expect_str_eq(lines.frames[lines.places[1].first].file, "/a.js");
}

Test(jitdump, lines_of_v8)
{
	put_debug(0x1000, 0x40, "/a.js");
	put_load(0x1000, 16, 1, "one");
	ask(0x1007, 0x1008, 0x2000, 0x2001);
	look(PID);
	cr_expect_eq(line(0), 10);
	cr_expect_eq(line(1), 20);
}

Test(jitdump, texts_that_were_freed)
{
	put_debug(0x1000, 0, "\xd8" "a\x9e" "0");
	put_load(0x1000, 16, 1, "one");
	ask(0x1007, 0x1008, 0x2000, 0x2001);
	look(PID);
	cr_expect_eq(line(0), 10);
	cr_expect_eq(line(1), 0, "what is behind it is not believed");
}

/* As seen from node: a pointer's bytes that happen to be UTF-8. */
Test(jitdump, freed_texts_that_can_be_printed)
{
	static const char *const freed[] = { "\xd2\xa2W7", "\xc2\x92" "26" };

	for (size_t i = 0; i < 2; i++) {
		put_debug(0x1000 * (i + 1), 0, freed[i]);
		put_load(0x1000 * (i + 1), 16, i + 1, "one");
	}
	ask(0x1007, 0x1008, 0x2007, 0x2008);
	look(PID);
	cr_expect_eq(line(0), 10);
	cr_expect_eq(line(1), 0, "two bytes, W and 7");
	cr_expect_eq(line(2), 10);
	cr_expect_eq(line(3), 0, "a control character");
}

Test(jitdump, short_names_of_files)
{
	static const char *const names[] = { "[eval]", "b.js" };

	for (size_t i = 0; i < 2; i++) {
		put_debug(0x1000 * (i + 1), 0, names[i]);
		put_load(0x1000 * (i + 1), 16, i + 1, "JS:*f [eval]:20:1");
	}
	ask(0x1007, 0x1008, 0x2007, 0x2008);
	look(PID);
	cr_expect_eq(line(1), 20, "it is in the piece's name");
	cr_expect_eq(line(3), 20, "it has a suffix");
}

Test(jitdump, of_another_process)
{
	put_load(0x1000, 16, 1, "one");
	ask(0x1000, 0x1001, 0x1002, 0x1003);
	look(PID + 1);
	cr_expect_str_eq(name(0), "(none)");
}

Test(jitdump, that_is_cut)
{
	put_load(0x1000, 16, 1, "one");
	put_prefix(0, 1000);
	put_32(PID);
	ask(0x1000, 0x2000, 0x3000, 0x4000);
	look(PID);
	cr_expect_str_eq(name(0), "one");
	cr_expect_str_eq(name(1), "(none)");
}
