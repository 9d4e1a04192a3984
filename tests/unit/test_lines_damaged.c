/* Context: O.  Tests of line tables that are split, compressed or damaged. */
#include "addr2line.h"
#include "compile.h"
#include "dwarf/lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(lines_damaged, .init = compile_init, .fini = compile_fini);

/* Reads forms that addr2line cannot read itself. */
static void
by_flags_as(const char *flags, const char *plain)
{
	compile_source("prog", ".c", plain, SOURCE);
	compile_run("mv prog plain");
	compile_source("prog", ".c", flags, SOURCE);
	lines_hold_against("prog", "plain", flags);
}

Test(lines_damaged, compressed)
{
	lines_by_flags("-O2 -g -gz=zlib");
	by_flags_as("-O2 -g -gz=zlib-gnu", "-O2 -g");
}

/* Beside the program; gone, the lines are known still. */
Test(lines_damaged, split)
{
	by_flags_as("-O2 -gdwarf-5 -gsplit-dwarf", "-O2 -gdwarf-5");
	by_flags_as("-O2 -gdwarf-4 -gsplit-dwarf", "-O2 -gdwarf-4");
}

/* Returns what lines_read() says about the places of prog. */
static enum lines_fault
fault_of_prog(char *apart, size_t room)
{
	static struct symbol asked[ASKED_MOST];
	struct arena arena = { .chunk = NULL };
	enum lines_fault fault;
	struct elf_file f;
	struct lines l;
	size_t count;

	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	count = lines_ask(asked, &f, ".text");
	cr_assert_eq(lines_read(&l, &f, compile_path("prog"), asked, count,
	    &arena), 0);
	fault = l.fault;
	snprintf(apart, room, "%s", l.apart == NULL ? "" : l.apart);
	lines_free(&l);
	arena_free(&arena);
	elf_file_close(&f);
	return fault;
}

static void
without_its_split_part(const char *flags)
{
	char apart[512];

	compile_source("prog", ".c", flags, SOURCE);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_OK);
	cr_assert_eq(compile_run("rm *.dwo"), 0);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_SPLIT_MISSING);
	cr_expect(strstr(apart, ".dwo") != NULL && apart[0] == '/', "%s",
	    apart);
	cr_assert_eq(compile_run("touch prog.dwp"), 0);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_DWP_MISSING);
	cr_expect_str_eq(apart, compile_path("prog.dwp"));
	cr_assert_eq(compile_run("rm prog.dwp"), 0);
}

Test(lines_damaged, split_and_gone)
{
	without_its_split_part("-O2 -gdwarf-5 -gsplit-dwarf");
	without_its_split_part("-O2 -gdwarf-4 -gsplit-dwarf");
}

/* A libelf that supports zstd reads it; another says why it cannot. */
Test(lines_damaged, compressed_by_zstd)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g", SOURCE);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_OK);
	compile_run("cp prog plain");
	if (compile_run("objcopy --compress-debug-sections=zstd prog") != 0)
		cr_skip_test("objcopy has no zstd");
	if (fault_of_prog(apart, sizeof apart) == LINES_OK)
		lines_hold_against("prog", "plain", "zstd");
	else
		cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_ZSTD);
}

/* Replaces the bytes of a section of prog, from its start on. */
static void
overwrite(const char *section, unsigned char byte, unsigned n)
{
	Elf64_Shdr header;
	struct elf_file f;
	FILE *out;

	cr_assert_eq(elf_file_open(&f, compile_path("prog")), 0);
	cr_assert(elf_file_header(elf_file_section(&f, section), &header));
	elf_file_close(&f);
	out = fopen(compile_path("prog"), "r+");
	fseek(out, (long)header.sh_offset, SEEK_SET);
	while (n-- > 0)
		fputc(byte, out);
	fclose(out);
}

Test(lines_damaged, damaged_units)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g", SOURCE);
	overwrite(".debug_info", 0xff, 40);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_DAMAGED);
}

/* A kind of compression that no libelf supports yet. */
Test(lines_damaged, compressed_by_nobody)
{
	char apart[512];

	compile_source("prog", ".c", "-O2 -g -gz=zlib", SOURCE);
	overwrite(".debug_info", 77, 1);
	cr_expect_eq(fault_of_prog(apart, sizeof apart), LINES_COMPRESSED);
}
