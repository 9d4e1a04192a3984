/*
 * Context: O.  Tests of cmd/prof/classic_main.c and core/listing/listing*.c, to
 * the byte.
 */
#include "listing_files.h"
#include "classics.h"
#include "command.h"
#include "three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_listing, .init = command_init, .fini = compile_fini);

/* A static function's time is that of the global one before it. */
Test(prof_listing, is_that_of_system_v)
{
	listing_six_files("mon.out");
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
	listing_six_files("mon.out");
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
	uint64_t low = listing_compile_six();

	listing_six(&k, low);
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
	listing_cell(&k, low + 20, 4);
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
	uint64_t low = listing_compile_six();

	classics_init(&k, true, false);
	classics_word(&k, low + 16);
	classics_word(&k, low + 48);
	classics_word(&k, 1);
	listing_cell(&k, low + 37, 12345);
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
	uint64_t low = listing_compile_six();

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
	listing_six_files("mon.out");
	cr_assert_eq(compile_run("cp mon.out b; cp mon.out c"), 0);
	cr_expect_eq(prof("-h -m mon.out -m b a.out c"), 0);
	cr_expect_str_eq(out,
	    "  43.3    0.39    0.39     450      0.87    _Z5thirdi\n"
	    "  40.0    0.36    0.75       9     40.      first\n"
	    "  13.3    0.12    0.87     459      0.26    mcount\n"
	    "   3.3    0.03    0.90                      faint\n");
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
	listing_six(&k, listing_compile_six());
	three_save(&k, "mon.out");
	listing_versioned(&k, 0x400000, "/none/a.out\0\0\0\0\0", 16);
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
	    "or directory; these options are those of the classic prof, "
	    "which reads it; see prof --help\n");
	listing_six(&k, listing_compile_six());
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-g -- a.out"), 0);
	cr_expect_not_null(strstr(out, "  hidden\n"));
	cr_expect_eq(prof("-s -m"), 1);
	cr_expect_eq(strncmp(err, "prof: option requires an argument -- m\n",
	    38), 0, "%s", err);
	cr_expect_eq(prof("-oz a.out mon.out"), 0, "ours, to a file: %s", err);
	cr_expect_str_eq(out, "");
	cr_expect_eq(compile_run("grep -q Seconds z"), 0);
	cr_expect_eq(prof("-ozn a.out mon.out"), 0, "%s", err);
	cr_expect_eq(compile_run("grep -q Seconds zn"), 0);
	cr_expect_eq(prof("-ogs -m mon.out a.out"), 0, "not ours: %s", err);
	cr_expect_not_null(strstr(out, "  hidden\n"));
	cr_expect_not_null(strstr(err, " call counts used\n"), "%s", err);
	cr_expect_eq(prof("-oa -x"), 0, "%s", err);
	cr_expect_eq(prof("-t --top=3"), 2);
	cr_expect_str_eq(err, "prof: unknown option -t; prof --help lists "
	    "them\n");
}

/* monitor() of a small range counts calls of all functions. */
Test(prof_listing, takes_calls_outside_of_the_range)
{
	struct classics k;
	uint64_t low = listing_compile_six();

	classics_init(&k, true, false);
	classics_word(&k, low);
	classics_word(&k, low + 16);
	classics_word(&k, 3);
	listing_cell(&k, low + 5, 3);
	listing_cell(&k, low + 16 + 5, 12);
	listing_cell(&k, low + 32 + 5, 150);
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
	listing_cell(&k, low + 4, 10);
	listing_cell(&k, low + 20, 1000);
	listing_cell(&k, low + 40, 7);
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
