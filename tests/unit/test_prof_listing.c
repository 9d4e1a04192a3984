/*
 * Context: O.  Tests of cmd/prof/classic_main.c and core/listing/listing*.c, to
 * the byte.
 */
#include "classics.h"
#include "command.h"
#include "three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_listing, .init = command_init, .fini = compile_fini);

/* Each of 16 bytes: a static one, C++, a label, weak. */
static uint64_t
compile_six(void)
{
	compile_source("a.out", ".s", "-nostdlib -static -Wl,-e,first",
	    "	.section .note.GNU-stack, \"\", %progbits\n"
	    "	.text\n"
	    "	.balign 64\n"
	    "	.globl first, _Z5thirdi, mcount\n"
	    "	.weak faint\n"
	    "	.type first, %function\n"
	    "	.type hidden, %function\n"
	    "	.type _Z5thirdi, %function\n"
	    "	.type faint, %function\n"
	    "	.type mcount, %function\n"
	    "first:	.zero 16\n"
	    "	.size first, 16\n"
	    "hidden:	.zero 16\n"
	    "	.size hidden, 16\n"
	    "_Z5thirdi:	.zero 16\n"
	    "	.size _Z5thirdi, 16\n"
	    "M.label:	.zero 16\n"
	    "faint:	.zero 16\n"
	    "	.size faint, 16\n"
	    "mcount:	.zero 16\n"
	    "	.size mcount, 16\n");
	return compile_address("a.out", "first");
}

static void
cell(struct classics *k, uint64_t address, uint64_t calls)
{
	classics_word(k, address);
	classics_word(k, calls);
}

/* Gives each function a bin of two bytes in its midst. */
static void
six(struct classics *k, uint64_t low)
{
	static const unsigned char ticks[] = { 5, 7, 11, 2, 1, 4 };

	classics_init(k, true, false);
	classics_word(k, low);
	classics_word(k, low + 96);
	classics_word(k, 5);
	cell(k, low + 5, 3);
	cell(k, low + 16 + 5, 12);
	cell(k, low + 32 + 5, 150);
	cell(k, 0, 0);
	cell(k, 0, 0);
	for (unsigned i = 0; i < 48; i++)
		classics_put(k, i % 8 == 4 ? ticks[i / 8] : 0, 2);
}

static void
six_files(const char *name)
{
	struct classics k;

	six(&k, compile_six());
	three_save(&k, name);
}

#define HEAD " %Time Seconds Cumsecs  #Calls   msec/call  Name\n"

/* A static function's time is that of the global one before it. */
Test(prof_listing, is_that_of_system_v)
{
	six_files("mon.out");
	cr_expect_eq(prof("--classic"), 0);
	cr_expect_str_eq(err, "");
	cr_expect_str_eq(out, HEAD
	    "  43.3    0.13    0.13     150      0.87    _Z5thirdi\n"
	    "  40.0    0.12    0.25       3     40.      first\n"
	    "  13.3    0.04    0.29     153      0.26    mcount\n"
	    "   3.3    0.01    0.30                      faint\n");
	cr_expect_eq(prof("-g"), 0, "options of its own, a file of its own");
	cr_expect_str_eq(out, HEAD
	    "  36.7    0.11    0.11     150      0.73    _Z5thirdi\n"
	    "  23.3    0.07    0.18      12      5.8     hidden\n"
	    "  16.7    0.05    0.23       3     17.      first\n"
	    "  13.3    0.04    0.27     165      0.24    mcount\n"
	    "   6.7    0.02    0.29                      M.label\n"
	    "   3.3    0.01    0.30                      faint\n");
	cr_expect_eq(prof("-gl a.out"), 0);
	cr_expect_not_null(strstr(out, "    first\n"));
	cr_expect_null(strstr(out, "hidden"));
}

Test(prof_listing, has_the_order_that_was_asked_for)
{
	six_files("mon.out");
	cr_expect_eq(prof("-chg"), 0);
	cr_expect_str_eq(out,
	    "  36.7    0.11    0.11     150      0.73    _Z5thirdi\n"
	    "  23.3    0.07    0.18      12      5.8     hidden\n"
	    "  16.7    0.05    0.23       3     17.      first\n"
	    "   6.7    0.02    0.25                      M.label\n"
	    "   3.3    0.01    0.26                      faint\n"
	    "  13.3    0.04    0.30     165      0.24    mcount\n");
	cr_expect_eq(prof("-n -h"), 0);
	cr_expect_str_eq(out,
	    "  43.3    0.13    0.13     150      0.87    _Z5thirdi\n"
	    "   3.3    0.01    0.14                      faint\n"
	    "  40.0    0.12    0.26       3     40.      first\n"
	    "  13.3    0.04    0.30     153      0.26    mcount\n");
	cr_expect_eq(prof("-ah"), 0);
	cr_expect_str_eq(out,
	    "  40.0    0.12    0.12       3     40.      first\n"
	    "  43.3    0.13    0.25     150      0.87    _Z5thirdi\n"
	    "   3.3    0.01    0.26                      faint\n"
	    "  13.3    0.04    0.30     153      0.26    mcount\n");
	cr_expect_str_eq(err, "");
	cr_expect_eq(prof("-cnh"), 0, "the last is taken");
	cr_expect_str_eq(err, "prof: Warning: n overrides previous "
	    "specification\n");
	cr_expect_not_null(strstr(out, "_Z5thirdi\n   3.3 "));
	cr_expect_eq(prof("-cc -n -t"), 0);
	cr_expect_str_eq(err, "prof: Warning: n overrides previous "
	    "specification\nprof: Warning: t overrides previous "
	    "specification\n");
	cr_expect_eq(prof("-ac"), 0, "-a alone sorts nothing");
	cr_expect_str_eq(err, "");
}

Test(prof_listing, shows_addresses_and_statistics)
{
	char wanted[512];
	struct classics k;
	uint64_t low = compile_six();

	six(&k, low);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-x"), 0);
	snprintf(wanted, sizeof(wanted), " Address %s"
	    "%8lx   43.3    0.13    0.13     150      0.87    _Z5thirdi\n"
	    "%8lx   40.0    0.12    0.25       3     40.      first\n",
	    HEAD, low + 32, low);
	cr_expect_eq(strncmp(out, wanted, strlen(wanted)), 0, "%s", out);
	cr_expect_eq(prof("-xoh"), 0);
	snprintf(wanted, sizeof(wanted), "%8lo   43.3    0.13 ", low + 32);
	cr_expect_eq(strncmp(out, wanted, strlen(wanted)), 0, "%s", out);
	cr_expect_eq(prof("-Ch"), 0);
	cr_expect_str_eq(out,
	    "  43.3    0.13    0.13     150      0.87    third(int)\n"
	    "					    [_Z5thirdi]\n"
	    "  40.0    0.12    0.25       3     40.      first\n"
	    "  13.3    0.04    0.29     153      0.26    mcount\n"
	    "   3.3    0.01    0.30                      faint\n");
	cr_expect_eq(prof("-sh"), 0);
	cr_expect_not_null(strstr(err, "    3/5 call counts used\n"));
	cr_expect_not_null(strstr(err, " symbols qualified\n0x8000 scale "
	    "factor\n"), "%s", err);
	cr_expect_eq(prof("-szh"), 0, "all are, already");
}

/* Which is first depends on the linker's table. */
Test(prof_listing, has_one_line_for_all_names_of_a_place)
{
	struct classics k;
	uint64_t low;

	compile_source("a.out", ".s", "-nostdlib -static -Wl,-e,zero",
	    "	.section .note.GNU-stack, \"\", %progbits\n"
	    "	.text\n"
	    "	.balign 64\n"
	    "	.globl one, two, zero\n"
	    "zero:	.zero 16\n"
	    "one:\n"
	    "two:	.zero 16\n");
	low = compile_address("a.out", "zero");
	classics_init(&k, true, false);
	classics_word(&k, low);
	classics_word(&k, low + 32);
	classics_word(&k, 1);
	cell(&k, low + 20, 4);
	for (unsigned i = 0; i < 16; i++)
		classics_put(&k, i % 8 == 4 ? i / 4 : 0, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-s"), 0);
	cr_expect(strcmp(out, HEAD
	    "  75.0    0.03    0.03       4      8.      one, two\n"
	    "  25.0    0.01    0.04                      zero\n") == 0 ||
	    strcmp(out, HEAD
	    "  75.0    0.03    0.03       4      8.      two, one\n"
	    "  25.0    0.01    0.04                      zero\n") == 0, "%s",
	    out);
	cr_expect_not_null(strstr(err, " symbols qualified\n"), "%s", err);
	cr_expect_eq(prof("-nh"), 0);
	cr_expect_str_eq(out,
	    "  75.0    0.03    0.03       4      8.      one, two\n"
	    "  25.0    0.01    0.04                      zero\n");
	cr_expect_eq(prof("--classic=bsd -l a.out mon.out"), 0);
	cr_expect_not_null(strstr(out, "      4     7.50  "), "%s", out);
}

/* The range ends behind `hidden`: nothing else qualifies. */
Test(prof_listing, knows_what_the_range_has)
{
	struct classics k;
	uint64_t low = compile_six();

	classics_init(&k, true, false);
	classics_word(&k, low + 16);
	classics_word(&k, low + 48);
	classics_word(&k, 1);
	cell(&k, low + 37, 12345);
	classics_put(&k, 2, 2);
	classics_put(&k, 4, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-s"), 0);
	cr_expect_str_eq(out, HEAD
	    "  66.7    0.04    0.04   12345      0.0032  _Z5thirdi\n",
	    "ticks before the first function are in the sum: %s", out);
	cr_expect_not_null(strstr(err, "    1/1 call counts used\n    1/"));
	cr_expect_not_null(strstr(err, "\n0x1000 scale factor\n"), "%s", err);
	cr_expect_eq(prof("-gshz"), 0);
	cr_expect_str_eq(out,
	    "  66.7    0.04    0.04   12345      0.0032  _Z5thirdi\n"
	    "  33.3    0.02    0.06                      hidden\n");
}

Test(prof_listing, lists_what_has_no_calls)
{
	struct classics k;
	uint64_t low = compile_six();

	classics_init(&k, true, false);
	classics_word(&k, low);
	classics_word(&k, low + 32);
	classics_word(&k, 0);
	classics_put(&k, 3, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-t"), 0);
	cr_expect_str_eq(out, HEAD
	    " 100.0    0.03    0.03                      first\n");
	cr_expect_str_eq(err, "prof: no call counts captured\n");
	k.bytes[24] = 0;
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-t"), 0);
	cr_expect_str_eq(out, "");
	cr_expect_str_eq(err, "prof: no call counts captured\n");
}

Test(prof_listing, adds_several_files)
{
	six_files("mon.out");
	cr_assert_eq(compile_run("cp mon.out b; cp mon.out c"), 0);
	cr_expect_eq(prof("-h -m mon.out -m b a.out c"), 0);
	cr_expect_str_eq(out,
	    "  43.3    0.39    0.39     450      0.87    _Z5thirdi\n"
	    "  40.0    0.36    0.75       9     40.      first\n"
	    "  13.3    0.12    0.87     459      0.26    mcount\n"
	    "   3.3    0.03    0.90                      faint\n");
}

#define BSD " %time  cumsecs  #call  ms/call  name\n"

/* 4.2BSD: names of one address have lines of their own, and mon.sum. */
Test(prof_listing, is_that_of_bsd)
{
	six_files("b");
	cr_assert_eq(compile_run("cp b c"), 0);
	cr_expect_eq(prof("--classic=bsd a.out b c"), 0, "%s", err);
	cr_expect_str_eq(out, BSD
	    "  43.3     0.26    300     0.87  _Z5thirdi\n"
	    "  40.0     0.50      6    40.00  first\n"
	    "  13.3     0.58                  mcount\n"
	    "   3.3     0.60                  faint\n");
	cr_expect_neq(compile_run("test -e mon.sum"), 0);
	cr_expect_eq(prof("--classic=bsd -nsa a.out b c"), 0);
	cr_expect_str_eq(out, BSD
	    "  36.7     0.22    300     0.73  _Z5thirdi\n"
	    "  23.3     0.36     24     5.83  hidden\n"
	    "  16.7     0.46      6    16.67  first\n"
	    "  13.3     0.54                  mcount\n"
	    "   6.7     0.58                  M.label\n"
	    "   3.3     0.60                  faint\n");
	cr_expect_eq(prof("--classic=bsd -a -l a.out mon.sum b"), 0);
	cr_expect_str_eq(out, BSD
	    "  16.7     0.15      9    16.67  first\n"
	    "  23.3     0.36     36     5.83  hidden\n"
	    "  36.7     0.69    450     0.73  _Z5thirdi\n"
	    "   6.7     0.75                  M.label\n"
	    "   3.3     0.78                  faint\n"
	    "  13.3     0.90                  mcount\n");
	cr_expect_eq(prof("-hg -m mon.sum"), 0, "System V reads it, too");
	cr_expect_not_null(strstr(out, "     300      0.73    _Z5thirdi\n"));
}

Test(prof_listing, keeps_a_sum_that_does_not_fit)
{
	struct classics k;

	six(&k, compile_six());
	k.bytes[24 + 80 + 8] = 0xff;
	k.bytes[24 + 80 + 9] = 0xff;
	three_save(&k, "b");
	cr_expect_eq(prof("--classic=bsd -s a.out b"), 0, "%s", err);
	cr_assert_eq(compile_run("cp mon.sum kept"), 0);
	cr_expect_eq(prof("--classic=bsd -s a.out b b"), 2);
	cr_expect_str_eq(err, "prof: mon.sum: cannot be made: a cell holds "
	    "65535 ticks, and one has more\n");
	cr_expect_eq(compile_run("cmp mon.sum kept"), 0);
}

/* Modules of one program, at the place where a run had them. */
static void
versioned(struct classics *k, uint64_t low, const char *path, size_t bytes)
{
	static const unsigned char samples[] = { 4, 4, 20, 36, 200 };

	classics_init(k, true, false);
	classics_text(k, "FORP\1\0\0\0", 8);
	classics_put(k, 16, 8);
	classics_put(k, 3, 4);
	classics_put(k, 1, 4);
	classics_put(k, 24 + 32 + bytes, 8);
	classics_put(k, 24, 8);
	classics_put(k, 0, 8);
	classics_put(k, 56, 8);
	classics_put(k, low & ~(uint64_t)0x1fffff, 8);
	classics_put(k, low + 112, 8);
	classics_text(k, path, bytes);
	classics_put(k, 2, 4);
	classics_put(k, 1, 4);
	classics_put(k, 24 + 48, 8);
	classics_put(k, 24, 8);
	classics_put(k, 0, 8);
	classics_put(k, 0, 8);
	classics_put(k, low, 8);
	classics_put(k, low + 33, 8);
	classics_put(k, 8, 8);
	classics_put(k, 0, 8);
	classics_put(k, 1, 4);
	classics_put(k, 1, 4);
	classics_put(k, 32 + 8 * sizeof(samples), 8);
	classics_put(k, 32, 8);
	classics_put(k, sizeof(samples), 8);
	for (size_t i = 0; i < sizeof(samples); i++)
		classics_put(k, low + samples[i], 8);
}

Test(prof_listing, is_that_of_solaris)
{
	struct classics k;
	uint64_t low = compile_six();
	char wanted[1024];

	versioned(&k, low, "/none/a.out\0\0\0\0\0", 16);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-t"), 0, "%s", err);
	cr_expect_str_eq(out, HEAD
	    "  60.0    0.03    0.03       0      0.0000  first\n"
	    "  20.0    0.01    0.04       8      1.2500  _Z5thirdi\n");
	cr_expect_eq(prof("-sC"), 0);
	cr_expect_str_eq(out, HEAD
	    "  60.0    0.03    0.03       0      0.0000  first\n"
	    "  20.0    0.01    0.04       8      1.2500  third(int)\n"
	    "\n\n"
	    "   Total Object Modules           1\n"
	    "   Qualified Symbols              2\n"
	    "   Symbols with zero usage        2\n"
	    "   Total pc-hits                  5\n"
	    "   Accounted pc-hits              4\n"
	    "   Missed pc-hits (try -g)        1\n\n"
	    "   Module info\n"
	    "      1: `a.out'\n");
	cr_expect_eq(prof("-sxag -z"), 0);
	snprintf(wanted, sizeof(wanted), "         Address %s"
	    "\n%16lx   40.0    0.02    0.02       0      0.0000  first\n"
	    "%16lx   20.0    0.01    0.03       0      0.0000  hidden\n"
	    "%16lx   20.0    0.01    0.04       8      1.2500  _Z5thirdi\n"
	    "%16lx    0.0    0.00    0.04       0      0.0000  M.label\n",
	    HEAD, low, low + 16, low + 32, low + 48);
	cr_expect_eq(strncmp(out, wanted, strlen(wanted)), 0, "%s", out);
	cr_expect_not_null(strstr(out, "\n                   Missed pc-hits "
	    "                1\n\n                   Module info\n"
	    "                      1: `a.out'\n"), "%s", out);
}

/* One that was named otherwise then, in the same place as ever. */
Test(prof_listing, knows_the_program_by_its_place)
{
	struct classics k;

	versioned(&k, compile_six(), "/none/old\0\0\0\0\0\0\0", 16);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-th"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "  60.0    0.03    0.03       0      0.0000  first\n"
	    "  20.0    0.01    0.04       8      1.2500  _Z5thirdi\n");
}

Test(prof_listing, lists_profiles_of_libmon)
{
	uint64_t low = three_compile();

	(void)low;
	put("1.prog", 1, 100);
	cr_expect_eq(prof("--classic -s -m 1.prog"), 1, "%s", out);
	cr_expect_str_eq(err, "prof: /none/lib.so: its functions have no "
	    "names: No such file or directory\n");
	cr_expect_not_null(strstr(out, "Total pc-hits"), "%s", out);
	cr_expect_eq(prof("-s -m 1.prog"), 2);
	cr_expect_str_eq(err, "prof: 1.prog: is no file of a classic profiler, "
	    "and these options are those of the classic prof; use prof "
	    "--classic to list any profile, or see prof --help\n");
}

Test(prof_listing, says_what_is_wrong)
{
	struct classics k;

	cr_expect_eq(prof("-V"), 0);
	cr_expect_str_eq(err, "prof: libmon " PACKAGE_VERSION "\n");
	cr_expect_str_eq(out, "");
	cr_expect_eq(prof("--classic -q"), 1);
	cr_expect_str_eq(err, "prof: illegal option -- q\n"
	    "usage: prof [--classic] [-ChsVz] [-a | c | n | t] [-o | x] "
	    "[-g | l]\n\t[-m mdata] ... [prog [mdata ...]]\n");
	cr_expect_eq(prof("--classic -m"), 1);
	cr_expect_eq(strncmp(err, "prof: option requires an argument -- m\n",
	    38), 0, "%s", err);
	cr_expect_eq(prof("--classic=v7"), 1);
	cr_expect_str_eq(err, "prof: --classic=v7: use svr4, bsd\n");
	cr_expect_eq(prof("--classic=bsd -x"), 1);
	cr_expect_eq(strncmp(err, "prof: illegal option -- x\nusage: prof "
	    "--classic=bsd", 46), 0, "%s", err);
	cr_expect_eq(prof("--classic --top=3"), 1);
	cr_expect_eq(strncmp(err, "prof: --top=3: not with --classic\n", 34),
	    0, "%s", err);
	cr_expect_eq(prof("--classic=bsd -v"), 1);
	cr_expect_str_eq(err, "prof: -v: there is no plotter\n");
	cr_expect_eq(prof("--classic"), 1);
	cr_expect_str_eq(err, "prof: mon.out: cannot be opened: No such file "
	    "or directory\n");
	six(&k, compile_six());
	three_save(&k, "mon.out");
	versioned(&k, 0x400000, "/none/a.out\0\0\0\0\0", 16);
	three_save(&k, "v");
	cr_expect_eq(prof("-t none"), 1);
	cr_expect_str_eq(err, "prof: none: cannot be opened: No such file or "
	    "directory; name the program that wrote the profile\n");
	cr_expect_eq(prof("--classic -m v none"), 1);
	cr_expect_eq(prof("--classic mon.out"), 3);
	cr_expect_str_eq(err, "prof: mon.out: is no program; name the program "
	    "that wrote the profile\n");
	cr_assert_eq(compile_run("echo nothing here >text"), 0);
	cr_expect_eq(prof("--classic -m text"), 2);
	cr_expect_str_eq(err, "prof: text: is no profile\n");
	cr_expect_eq(prof("--classic -m mon.out -m v"), 2);
	cr_expect_str_eq(err, "prof: v: a versioned mon.out and one that is "
	    "not cannot be summed\n");
}

/* Theirs, ours, and what is neither. */
Test(prof_listing, tells_its_command_lines_from_ours)
{
	struct classics k;

	cr_expect_eq(prof("-t"), 1);
	cr_expect_str_eq(err, "prof: mon.out: cannot be opened: No such file "
	    "or directory; see prof --help\n");
	six(&k, compile_six());
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-g -- a.out"), 0);
	cr_expect_not_null(strstr(out, "  hidden\n"));
	cr_expect_eq(prof("-s -m"), 1);
	cr_expect_eq(strncmp(err, "prof: option requires an argument -- m\n",
	    38), 0, "%s", err);
	cr_expect_eq(prof("-oz a.out mon.out"), 0, "ours, to a file: %s", err);
	cr_expect_str_eq(out, "");
	cr_expect_eq(compile_run("grep -q Cumsecs z"), 0);
	cr_expect_eq(prof("-t --top=3"), 2);
	cr_expect_str_eq(err, "prof: unknown option -t; prof --help lists "
	    "them\n");
}

/* monitor() of a small range counts calls of all functions. */
Test(prof_listing, takes_calls_outside_of_the_range)
{
	struct classics k;
	uint64_t low = compile_six();

	classics_init(&k, true, false);
	classics_word(&k, low);
	classics_word(&k, low + 16);
	classics_word(&k, 3);
	cell(&k, low + 5, 3);
	cell(&k, low + 16 + 5, 12);
	cell(&k, low + 32 + 5, 150);
	for (unsigned i = 0; i < 8; i++)
		classics_put(&k, i == 4 ? 9 : 0, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-s"), 0, "%s", err);
	cr_expect_str_eq(out, HEAD
	    " 100.0    0.09    0.09       3     30.      first\n");
	cr_expect_not_null(strstr(err, "    3/3 call counts used\n"));
	cr_expect_eq(prof("--csv a.out mon.out"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "third,a.out,0,0.000000000,"
	    "0.0000,150\n"), "they are in our own view: %s", out);
}

/* A label has calls of its own; without -g they are nobody's. */
Test(prof_listing, gives_a_call_to_the_closest)
{
	struct classics k;
	uint64_t low;

	compile_source("a.out", ".s", "-nostdlib -static -Wl,-e,zero",
	    "	.section .note.GNU-stack, \"\", %progbits\n"
	    "	.text\n"
	    "	.balign 64\n"
	    "	.globl zero, $far\n"
	    "	.type zero, %function\n"
	    "	.type $far, %function\n"
	    "zero:	.zero 16\n"
	    "M.loop:	.zero 16\n"
	    "	.size zero, 32\n"
	    "$far:	.zero 16\n"
	    "	.size $far, 16\n");
	low = compile_address("a.out", "zero");
	classics_init(&k, true, false);
	classics_word(&k, low);
	classics_word(&k, low + 48);
	classics_word(&k, 3);
	cell(&k, low + 4, 10);
	cell(&k, low + 20, 1000);
	cell(&k, low + 40, 7);
	for (unsigned i = 0; i < 24; i++)
		classics_put(&k, i % 8 == 4, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-ah"), 0);
	cr_expect_str_eq(out,
	    "  66.7    0.02    0.02      10      2.0     zero\n"
	    "  33.3    0.01    0.03       7      1.      $far\n");
	cr_expect_eq(prof("-agh"), 0);
	cr_expect_str_eq(out,
	    "  33.3    0.01    0.01      10      1.0     zero\n"
	    "  33.3    0.01    0.02    1000      0.010   M.loop\n"
	    "  33.3    0.01    0.03       7      1.      $far\n");
}
