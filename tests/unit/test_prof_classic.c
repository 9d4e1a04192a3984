/*
 * Context: O. Tests of cmd/prof/prof.c and core/model/read/read_classic.c:
 * classic files.
 */
#include "command.h"
#include "classic/monout.h"
#include "elf/elf_layout.h"
#include "three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_classic, .init = command_init, .fini = compile_fini);

#define HEAD "function,module,samples,seconds,percent,calls\n"

static const char table[] = HEAD
    "third,prog,7,0.070000000,58.3333,3\n"
    "first,prog,5,0.050000000,41.6667,\n";

/* Those with a rate and those where it is taken to be 100. */
Test(prof_classic, shows_every_format)
{
	static three_maker *const makers[] = {
		classics_gmon, classics_bsd, classics_bsd_old, classics_monout,
	};
	uint64_t low = three_compile();

	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		three_put("classic", makers[i], low);
		cr_expect_eq(prof("--csv prog classic"), 0);
		cr_expect_str_eq(out, table, "%zu: %s", i, out);
		cr_expect_str_eq(err, "");
	}
	three_put("classic", classics_sprof, low);
	cr_expect_eq(prof("--csv prog classic"), 0);
	cr_expect_str_eq(out, HEAD "third,prog,7,0.070000000,58.3333,12\n"
	    "first,prog,5,0.050000000,41.6667,\n");
}

Test(prof_classic, says_where_numbers_come_from)
{
	uint64_t low = three_compile();

	three_put("gmon.out", classics_gmon, low);
	three_put("old", classics_monout, low);
	cr_expect_eq(prof("prog gmon.out"), 0);
	cr_expect_eq(strstr(out, "1 file of another profiler: "
	    "gmon.out (GNU), 64 bits, little-endian; 12 ticks, 100 a second, "
	    "3 calls\n\n"), out, "%s", out);
	cr_expect_null(strstr(out, "clocks"), "none is known: %s", out);
	cr_expect_null(strstr(out, "process"), "none is known: %s", out);
	cr_expect_eq(prof("prog old"), 0);
	cr_expect_not_null(strstr(out, "1 file of another profiler: "
	    "mon.out, 64 bits, little-endian; 12 ticks, 100 a second "
	    "assumed, 3 calls\n"), "%s", out);
}

Test(prof_classic, adds_files_up)
{
	uint64_t low = three_compile();

	three_put("a", classics_gmon, low);
	three_put("b", classics_gmon, low);
	three_put("c", classics_monout, low);
	cr_expect_eq(prof("--csv prog a b c"), 0);
	cr_expect_str_eq(out, HEAD
	    "third,prog,21,0.210000000,58.3333,9\n"
	    "first,prog,15,0.150000000,41.6667,\n");
	cr_assert_eq(compile_run("ln a d"), 0);
	cr_expect_eq(prof("--csv prog a d a"), 0);
	cr_expect_str_eq(out, table, "one file is counted once");
	cr_expect_eq(prof("prog a b c"), 0);
	cr_expect_not_null(strstr(out, "2 files of another profiler: "
	    "gmon.out (GNU), 64 bits, little-endian; 24 ticks, 100 a second, "
	    "6 calls\n1 file of another profiler: mon.out,"), "%s", out);
}

/* Files of one build make one line a function, whoever counted it. */
Test(prof_classic, adds_to_profiles_of_libmon)
{
	uint64_t low = three_compile();
	struct elf_layout p;
	struct build b;
	uint32_t module;

	three_put("gmon.out", classics_gmon, low);
	cr_assert_eq(elf_layout_read(&p, compile_path("prog")), 0);
	build_init(&b);
	module = build_module(&b, compile_path("prog"), p.low, p.high);
	memcpy(build_module_at(&b, module)->build_id, p.build_id,
	    p.build_id_bytes);
	build_module_at(&b, module)->build_id_bytes =
	    (uint32_t)p.build_id_bytes;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, module, low + 40, 30, 30 * MS);
	cr_assert_eq(build_save(&b, compile_path("ours")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--csv prog gmon.out ours"), 0);
	cr_expect_str_eq(out, HEAD
	    "third,prog,37,0.100000000,66.6667,3\n"
	    "first,prog,5,0.050000000,33.3333,\n");
	cr_expect_eq(prof("prog gmon.out ours"), 0);
	cr_expect_not_null(strstr(out, "\n1 file, 1 process, 1 thread; "),
	    "%s", out);
}

Test(prof_classic, shows_callers)
{
	uint64_t low = three_compile();

	three_put("gmon.out", classics_gmon, low);
	cr_expect_eq(prof("--graph --csv prog gmon.out"), 0);
	cr_expect_str_eq(out, "caller,caller_module,function,module,calls,"
	    "seconds\nsecond,prog,third,prog,3,\n");
	three_put("lib.profile", classics_sprof, low);
	cr_expect_eq(prof("--graph --csv prog lib.profile"), 0);
	cr_expect_str_eq(out, "caller,caller_module,function,module,calls,"
	    "seconds\n"
	    "[module not in the file],[module not in the file],third,prog,9,\n"
	    "second,prog,third,prog,3,\n");
	three_put("mon.out", classics_monout, low);
	cr_expect_eq(prof("--graph --csv prog mon.out"), 1);
	cr_expect_str_eq(err, "prof: the files have no callers; compile the "
	    "program with -pg or -finstrument-functions\n");
}

/* Half of the bin is in either; the odd tick is in the later. */
Test(prof_classic, divides_a_bin_at_the_bounds_of_functions)
{
	struct classics k;
	uint64_t low = three_compile();

	classics_init(&k, true, false);
	classics_word(&k, low + 8);
	classics_word(&k, low + 8 + 2 * 16);
	classics_word(&k, 0);
	classics_put(&k, 0, 2);
	classics_put(&k, 0, 2);
	k.bytes[24] = 6;		/* 8 bytes in first, 8 in second */
	k.bytes[26] = 5;		/* 8 in second, 8 in third */
	three_save(&k, "mon.out");
	cr_expect_eq(prof("--csv prog mon.out"), 0);
	cr_expect_str_eq(out, HEAD
	    "second,prog,5,0.055000000,50.0000,\n"
	    "first,prog,3,0.030000000,27.2727,\n"
	    "third,prog,3,0.025000000,22.7273,\n");
	/* Bins in front of the first function are of none. */
	classics_init(&k, true, false);
	classics_word(&k, low - 8);
	classics_word(&k, low + 8);
	classics_word(&k, 0);
	classics_put(&k, 6, 2);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("--csv prog mon.out"), 0);
	cr_expect_str_eq(out, HEAD "first,prog,6,0.060000000,100.0000,\n");
}

/* The last one that was named before it, or else the first. */
Test(prof_classic, finds_the_program)
{
	uint64_t low = three_compile();

	three_put("x.gmon", classics_gmon, low);
	three_put("mon.out", classics_monout, low);
	cr_expect_eq(prof("--csv prog"), 0);
	cr_expect_str_eq(out, table);
	cr_assert_eq(compile_run("cp prog a.out; cp prog other; "
	    "objcopy --redefine-sym third=fourth other"), 0);
	cr_expect_eq(prof("--csv x.gmon"), 0);
	cr_expect_not_null(strstr(out, "\nthird,a.out,7,"), "%s", out);
	cr_expect_eq(prof("--csv x.gmon prog"), 0);
	cr_expect_str_eq(out, table);
	cr_expect_eq(prof("--csv --program=prog prog x.gmon"), 0);
	cr_expect_str_eq(out, table);
}

/* Addresses in the file are of a run; in no module is in none. */
Test(prof_classic, finds_modules_of_a_versioned_file)
{
	three_put("mon.out", classics_prof, 0x7f0000000000);
	cr_expect_eq(prof("--csv --by=module --sort=name mon.out"), 0);
	cr_expect_str_eq(out, HEAD
	    ",[no module],1,0.010000000,25.0000,\n"
	    ",lib.so,1,0.010000000,25.0000,5\n"
	    ",prog,2,0.020000000,50.0000,7\n");
	cr_expect_eq(prof("--csv --by=address --module=prog mon.out"), 0);
	cr_expect_not_null(strstr(out, "\nprog+0x24,prog,2,0.020000000,"
	    "50.0000,,0x24\n"), "%s", out);
}

/* Who asks for a process asks for what such a file does not know. */
Test(prof_classic, is_of_no_process_and_no_thread)
{
	uint64_t low = three_compile();

	three_put("gmon.out", classics_gmon, low);
	cr_expect_eq(prof("--csv --pid=1 prog gmon.out"), 1);
	cr_expect_eq(prof("--csv --thread=main prog gmon.out"), 1);
	cr_expect_eq(prof("--csv --program=other prog gmon.out"), 1);
	cr_expect_not_null(strstr(err, "no program of that name is in the "
	    "profiles"),
	    "%s", err);
	cr_expect_eq(prof("--csv --by=thread prog gmon.out"), 0);
	cr_expect_not_null(strstr(out, "\n,,12,0.120000000,100.0000,,"),
	    "%s", out);
}

static void
refused(const char *arguments, const char *line)
{
	cr_expect_eq(prof(arguments), 1, "%s", arguments);
	cr_expect_str_eq(err, line, "%s: %s", arguments, err);
	cr_expect_str_eq(out, "");
}

Test(prof_classic, says_what_does_not_fit)
{
	struct classics k;
	uint64_t low = three_compile();

	three_put("gmon.out", classics_gmon, low);
	refused("--csv gmon.out", "prof: gmon.out: is a profile of a program "
	    "that is not named, and there is no a.out here; name it: prof "
	    "PROGRAM FILE\n");
	three_put("gmon.out", classics_gmon, 0x7000000);
	refused("--csv prog gmon.out", "prof: gmon.out: a tick is outside of "
	    "the program's code at offset 63; name the program that wrote "
	    "it\n");
	classics_init(&k, true, false);
	classics_gmon(&k, low);
	k.bytes[104] = 0x70;		/* of the callee */
	three_save(&k, "gmon.out");
	cr_expect_eq(prof("prog gmon.out"), 1);
	cr_expect_str_eq(err, "prof: gmon.out: 1 record is left out: a callee "
	    "is outside of the program's code at offset 94\n");
	cr_expect_not_null(strstr(out, "\nleft out: 1 record of gmon.out, at "
	    "offset 94: a callee is outside of the program's code\n"),
	    "%s", out);
	cr_expect_not_null(strstr(out, "  third  "), "%s", out);
	classics_init(&k, false, true);
	classics_gmon(&k, low);
	three_save(&k, "gmon.out");
	refused("--csv prog gmon.out", "prof: gmon.out: has another word size "
	    "or byte order than the program at offset 0; name the program "
	    "that wrote it\n");
	three_put("gmon.out", classics_gmon, low);
	cr_assert_eq(compile_run("head -c 70 gmon.out >cut"), 0);
	refused("--csv prog cut", "prof: cut: bins are cut short at offset "
	    "70\n");
	cr_assert_eq(compile_run("head -c -1 gmon.out >cut"), 0);
	cr_expect_eq(prof("--csv prog cut"), 1);
	cr_expect_str_eq(err, "prof: cut: 1 record is left out: an arc is cut "
	    "short at offset 113\n");
	cr_expect_not_null(strstr(out, "\nthird,prog,7,"), "%s", out);
	/* The listing of BSD has no place for that. */
	cr_expect_eq(prof("--classic=bsd prog cut"), 2);
	cr_expect_str_eq(out, "");
	cr_expect_str_eq(err, "prof: cut: an arc is cut short at offset 113\n");
}

/* A library with -pg may have most of the cells. */
Test(prof_classic, shows_calls_of_libraries)
{
	uint64_t low = three_compile();
	struct classics k;

	classics_init(&k, true, false);
	classics_monout(&k, low);
	monout_put_cell(k.bytes + 40, 0x7f0000001021, 9);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("--csv prog mon.out"), 0);
	cr_expect_str_eq(err, "");
	cr_expect_str_eq(out, HEAD "third,prog,7,0.070000000,58.3333,3\n"
	    "first,prog,5,0.050000000,41.6667,\n"
	    "[module not in the file],[module not in the file],0,0.000000000,"
	    "0.0000,9\n");
	cr_expect_eq(prof("prog mon.out"), 0);
	cr_expect_not_null(strstr(out, ", 12 calls\n"), "%s", out);
	monout_put_cell(k.bytes + 24, 0x7f0000002021, 4);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("--csv prog mon.out"), 0);
	cr_expect_not_null(strstr(out, ",0.0000,13\n"), "%s", out);
	/* The listing has functions of the program alone. */
	cr_expect_eq(prof("--classic prog mon.out"), 0);
	cr_expect_null(strstr(out, "13"), "%s", out);
}

/* A file without a magic number is told by the range of the program. */
Test(prof_classic, says_what_is_cut_short)
{
	uint64_t low = three_compile();

	three_put("mon.out", classics_monout, low);
	cr_assert_eq(compile_run("head -c -1 mon.out >cut"), 0);
	refused("--csv prog cut", "prof: cut: mon.out is cut short at offset "
	    "87\n");
	cr_assert_eq(compile_run("head -c 50 mon.out >cut"), 0);
	refused("--csv prog cut", "prof: cut: mon.out is cut short at offset "
	    "50\n");
	three_put("old", classics_bsd_old, low);
	cr_assert_eq(compile_run("head -c -2 old >cut"), 0);
	refused("--csv prog cut", "prof: cut: gmon.out is cut short at offset "
	    "78\n");
	cr_assert_eq(compile_run("head -c 40 old >cut"), 0);
	refused("--csv prog cut", "prof: cut: gmon.out is cut short at offset "
	    "40\n");
}

/* Counts below 0, or of more calls than there are: no sum wraps round. */
Test(prof_classic, leaves_out_what_cannot_be)
{
	struct classics k;
	uint64_t low = three_compile();

	classics_init(&k, true, false);
	classics_monout(&k, low);
	monout_put_cell(k.bytes + 40, low + 34, (uint64_t)-3);
	three_save(&k, "mon.out");
	cr_expect_eq(prof("--csv prog mon.out"), 1);
	cr_expect_str_eq(err, "prof: mon.out: 1 record is left out: a call "
	    "count is too large at offset 40\n");
	cr_expect_str_eq(out, table);
	classics_init(&k, true, false);
	classics_bsd(&k, low);
	for (int i = 0; i < 2; i++) {
		classics_word(&k, low + 16);
		classics_word(&k, low + 32);
		classics_word(&k, 1ull << 62);
	}
	three_save(&k, "bsd");
	cr_expect_eq(prof("--csv prog bsd"), 1);
	cr_expect_eq(strncmp(err, "prof: bsd: 2 records are left out; the "
	    "first: a call count is too large at offset ", 76), 0, "%s", err);
	cr_expect_str_eq(out, table);
	cr_expect_eq(prof("--graph --csv prog bsd"), 1);
	cr_expect_not_null(strstr(out, "second,prog,third,prog,3,\n"), "%s",
	    out);
	/* Hardly anything fits. */
	for (int i = 0; i < 2; i++) {
		classics_word(&k, low + 16);
		classics_word(&k, low + 32);
		classics_word(&k, 1ull << 63);
	}
	three_save(&k, "bsd");
	cr_expect_eq(prof("--csv prog bsd"), 1);
	cr_expect_eq(strncmp(err, "prof: bsd: a call count is too large at "
	    "offset ", 47), 0, "%s", err);
	cr_expect_str_eq(out, "");
}

/* A program alone is no profile; what is one is looked for as ever. */
Test(prof_classic, takes_a_program_for_no_profile)
{
	three_compile();
	refused("--csv prog", "prof: prog: a program, not a profile; prof "
	    "record PROGRAM runs and records it\n");
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--csv prog"), 0);
	cr_expect_not_null(strstr(out, "\nlib.so+0x10,"), "%s", out);
}
