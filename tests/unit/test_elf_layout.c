/* Context: O.  Tests of core/object/elf/elf_layout.c. */
#include "compile.h"
#include "elf/elf_layout.h"
#include "three.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

TestSuite(elf_layout, .init = compile_init, .fini = compile_fini);

static struct elf_layout p;

Test(elf_layout, knows_a_program)
{
	uint64_t first = three_compile();

	cr_assert(elf_layout_is_elf(compile_path("prog")));
	cr_assert_eq(elf_layout_read(&p, compile_path("prog")), 0);
	cr_expect(p.wide);
	cr_expect_not(p.big);
	cr_expect(p.low <= first && first + 64 <= p.high);
	cr_expect_eq(p.outside, first, "its entry");
	cr_expect(p.base <= p.low && p.base % 4096 == 0 && p.base != 0);
	cr_expect_eq(p.build_id_bytes, 20);
	cr_expect_neq(p.inode, 0);
}

Test(elf_layout, knows_where_a_library_is_set_up)
{
	compile_source("lib.so", ".c", "-shared -fPIC -Wl,--build-id=none",
	    "int work(int n) { return n * 3; }\n");
	cr_assert_eq(elf_layout_read(&p, compile_path("lib.so")), 0);
	cr_expect_eq(p.outside, compile_address("lib.so", "_init"));
	cr_expect_eq(p.build_id_bytes, 0);
}

static uint64_t
bias_of(uint64_t start, uint64_t end, uint64_t offset, uint64_t head)
{
	return elf_layout_bias(&p, &(struct elf_layout_mapping) { start, end,
	    offset, head });
}

/* A page of the file that is of two text segments has the object's bias. */
Test(elf_layout, has_one_bias)
{
	compile_source("two", ".c", "-O1 -pie -fPIE "
	    "-Wl,--section-start=.early=0x8000000 "
	    "-Wl,--section-start=.late=0x9000800",
	    "__attribute__((section(\".early\"), noinline)) int a(int n)"
	    "{ return n * 3; }\n"
	    "__attribute__((section(\".late\"), noinline)) int b(int n)"
	    "{ return n * 5; }\n"
	    "int main(int n, char **v) { (void)v; return a(n) + b(n); }\n");
	cr_assert_eq(elf_layout_read(&p, compile_path("two")), 0);
	cr_assert_eq(p.code_count, 3);
	cr_expect(p.headed);
	for (size_t i = 0; i < p.code_count; i++) {
		const uint64_t at = p.code[i].address & -4096ul;
		const uint64_t offset = p.code[i].offset & -4096ul;

		cr_expect(i == 0 || p.code[i - 1].address < p.code[i].address);
		cr_expect_eq(bias_of(0x555500000000 + at, 0x555500001000 + at,
		    offset, 0x555500000000), 0x555500000000, "%zu", i);
		p.fixed = true;
		cr_expect_eq(bias_of(at, at + 4096, offset, 0), 0, "%zu", i);
		p.fixed = false;
	}
	/*
	 * Only the place of the bytes is known: the first segment that has them
	 * counts.
	 */
	cr_expect_eq(bias_of(0x7000 + (p.low & -4096ul), 0x8000 + (p.low &
	    -4096ul), p.offset & -4096ul, 0), 0x7000);
}

/* There are more segments than are kept: the lowest are kept. */
Test(elf_layout, knows_the_lowest_segments)
{
	char flags[4096] = "-O1 -no-pie -nostdlib", source[4096] = "";
	char *f = flags + strlen(flags), *s = source;

	for (int i = 0; i < ELF_LAYOUT_SEGMENTS + 4; i++) {
		f += sprintf(f, " -Wl,--section-start=.s%d=%#x", i,
		    0x40000000 - i * 0x1000000);
		s += sprintf(s, "__attribute__((section(\".s%d\"))) "
		    "int f%d(int n) { return n * %d; }\n", i, i, i + 3);
	}
	s += sprintf(s, "void _start(void) { f0(1); }\n");
	compile_source("many", ".c", flags, source);
	cr_assert_eq(elf_layout_read(&p, compile_path("many")), 0);
	cr_expect_eq(p.code_count, ELF_LAYOUT_SEGMENTS);
	cr_expect_eq(p.code[0].address, p.low);
	for (size_t i = 1; i < p.code_count; i++)
		cr_expect_lt(p.code[i - 1].address, p.code[i].address);
	cr_expect_lt(p.code[p.code_count - 1].address, p.high);
}

/* A header of another machine, with one segment of code. */
Test(elf_layout, knows_32_bits_of_the_other_byte_order)
{
	struct classics k;

	classics_init(&k, false, true);
	classics_text(&k, "\177ELF\1\2\1\0\0\0\0\0\0\0\0\0", 16);
	classics_put(&k, 2, 2);			/* ET_EXEC */
	classics_put(&k, 8, 2);			/* EM_MIPS */
	classics_put(&k, 1, 4);
	classics_put(&k, 0x400100, 4);
	classics_put(&k, 52, 4);
	classics_put(&k, 0, 4);
	classics_put(&k, 0, 4);
	classics_put(&k, 52, 2);
	classics_put(&k, 32, 2);
	classics_put(&k, 1, 2);
	classics_zero(&k, 6);
	classics_put(&k, 1, 4);			/* PT_LOAD */
	classics_put(&k, 0, 4);
	classics_put(&k, 0x400000, 4);
	classics_put(&k, 0x400000, 4);
	classics_put(&k, 0x2000, 4);
	classics_put(&k, 0x2000, 4);
	classics_put(&k, 5, 4);
	classics_put(&k, 0x1000, 4);
	three_save(&k, "other");
	cr_assert_eq(elf_layout_read(&p, compile_path("other")), 0);
	cr_expect_not(p.wide);
	cr_expect(p.big);
	cr_expect_eq(p.low, 0x400000);
	cr_expect_eq(p.high, 0x402000);
	cr_expect_eq(p.outside, 0x400100);
	/* Each shorter one is refused, or is one without code. */
	for (; k.size > 0; k.size--) {
		three_save(&k, "other");
		(void)elf_layout_read(&p, compile_path("other"));
	}
	k.size = 83;
	three_save(&k, "other");
	cr_expect_eq(elf_layout_read(&p, compile_path("other")), -ENOEXEC);
}

Test(elf_layout, is_nothing_else)
{
	cr_assert_eq(compile_run("echo text > text; : > empty; mkfifo fifo; "
	    "mkdir dir"), 0);
	cr_expect_not(elf_layout_is_elf(compile_path("text")));
	cr_expect_not(elf_layout_is_elf(compile_path("empty")));
	cr_expect_not(elf_layout_is_elf(compile_path("fifo")));
	cr_expect_not(elf_layout_is_elf(compile_path("dir")));
	cr_expect_not(elf_layout_is_elf(compile_path("none")));
	cr_expect_eq(elf_layout_read(&p, compile_path("text")), -ENOEXEC);
	cr_expect_eq(elf_layout_read(&p, compile_path("fifo")), -ENOEXEC);
	cr_expect_eq(elf_layout_read(&p, compile_path("none")), -ENOENT);
}
