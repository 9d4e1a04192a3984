/* Context: O.  Tests of the listings of BSD and of Solaris. */
#include "listing_files.h"
#include "classics.h"
#include "command.h"
#include "three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_listing_bsd, .init = command_init, .fini = compile_fini);

#define BSD " %time  cumsecs  #call  ms/call  name\n"

/* 4.2BSD: names of one address have lines of their own, and mon.sum. */
Test(prof_listing_bsd, is_that_of_bsd)
{
	listing_six_files("b");
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

Test(prof_listing_bsd, keeps_a_sum_that_does_not_fit)
{
	struct classics k;

	listing_six(&k, listing_compile_six());
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

Test(prof_listing_bsd, is_that_of_solaris)
{
	struct classics k;
	uint64_t low = listing_compile_six();
	char wanted[1024];

	listing_versioned(&k, low, "/none/a.out\0\0\0\0\0", 16);
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
Test(prof_listing_bsd, knows_the_program_by_its_place)
{
	struct classics k;

	listing_versioned(&k, listing_compile_six(), "/none/old\0\0\0\0\0\0\0",
	    16);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-th"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "  60.0    0.03    0.03       0      0.0000  first\n"
	    "  20.0    0.01    0.04       8      1.2500  _Z5thirdi\n");
}

/* The file names it, and nothing else does. */
Test(prof_listing_bsd, finds_the_program_by_the_file)
{
	struct classics k;
	uint64_t low = listing_compile_six();

	cr_assert_eq(compile_run("mv a.out moved"), 0);
	listing_versioned(&k, low, "moved\0\0", 8);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("-th"), 0, "%s", err);
	cr_expect_str_eq(out,
	    "  60.0    0.03    0.03       0      0.0000  first\n"
	    "  20.0    0.01    0.04       8      1.2500  _Z5thirdi\n");
	cr_expect_eq(prof("-s"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\n   Missed pc-hits (try -g)        "
	    "1\n"), "%s", out);
}

Test(prof_listing_bsd, lists_profiles_of_libmon)
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

/* a.out is not the program, which is gone: it has no names to give. */
Test(prof_listing_bsd, takes_no_names_of_another_program)
{
	listing_compile_six();
	put("1.prog", 1, 100);
	cr_expect_eq(prof("--classic -gz -m 1.prog"), 1, "%s", out);
	cr_expect_null(strstr(out, "first"), "%s", out);
	cr_expect_null(strstr(out, "hidden"), "%s", out);
}
