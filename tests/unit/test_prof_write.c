/* Context: O.  Tests of cmd/prof/prof.c and core/export/export*.c: --write. */
#include "command.h"
#include "elf/elf_layout.h"
#include "three.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(prof_write, .init = command_init, .fini = compile_fini);

static struct build b;
static uint32_t prog, lib, root;
static uint64_t low;

/* A profile of prog, and of a library that is nowhere. */
static void
begin(int pid)
{
	struct elf_layout p;

	low = three_compile();
	cr_assert_eq(elf_layout_read(&p, compile_path("prog")), 0);
	build_init(&b);
	build_header(&b)->pid = pid;
	prog = build_module(&b, compile_path("prog"), p.low, p.high);
	memcpy(build_module_at(&b, prog)->build_id, p.build_id,
	    p.build_id_bytes);
	build_module_at(&b, prog)->build_id_bytes = (uint32_t)p.build_id_bytes;
	lib = build_module(&b, "/none/lib.so", 0x7000, 0x9000);
	root = build_root(&b, build_thread(&b, pid, "main"));
}

static void
took(uint32_t module, uint64_t address, uint64_t ms)
{
	build_node(&b, root, FORMAT_USER, module, address, ms, ms * MS);
}

static void
end(const char *name)
{
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* Callers are return addresses: the last of them is the end of second. */
static void
usual(const char *name)
{
	begin(4242);
	took(prog, low + 3, 1230);
	took(prog, low + 63, 40);
	build_node(&b, root, FORMAT_KERNEL, prog, low + 32, 20, 20 * MS);
	took(lib, 0x7010, 500);
	took(0, 0x123456, 70);
	build_arcs(&b, 8);
	build_arc(&b, prog, low + 32, prog, low + 5, 3);
	build_arc(&b, prog, low + 33, prog, low + 32, 4);
	build_arc(&b, prog, low + 16, lib, 0x7020, 5000000000);
	build_arc(&b, lib, 0x7011, prog, low + 7, 6);
	end(name);
}

static const char calls[] = "caller,caller_module,function,module,calls,"
    "seconds\n";

static void
same(const char *left, const char *right)
{
	char kept[sizeof(out)], *text = kept;

	cr_expect_eq(prof(left), 0, "%s: %s", left, err);
	text = strcpy(kept, out);
	cr_expect_eq(prof(right), 0, "%s: %s", right, err);
	cr_expect_str_eq(out, text, "%s and %s:\n%s%s", left, right, text, out);
}

/* Time and calls of the program, as its own profile says it. */
Test(prof_write, writes_a_gmon_out)
{
	struct stat st;

	usual("ours");
	cr_expect_eq(prof("--write=gmon -o prog.gmon ours"), 0);
	cr_expect_str_eq(out, "");
	cr_expect_str_eq(err, "");
	cr_assert_eq(stat(compile_path("prog.gmon"), &st), 0);
	cr_expect_eq(prof("--csv prog prog.gmon"), 0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls\n"
	    "first,prog,12300,1.230000000,95.3488,\n"
	    "third,prog,400,0.040000000,3.1008,7\n"
	    "second,prog,200,0.020000000,1.5504,5000000000\n");
	/* A call from elsewhere is where the program starts. */
	cr_expect_eq(prof("--graph --csv prog prog.gmon"), 0);
	cr_expect_not_null(strstr(out, "\nfirst,prog,second,prog,"
	    "5000000000,\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\nfirst,prog,third,prog,3,\n"), "%s",
	    out);
	cr_expect_not_null(strstr(out, "\nsecond,prog,third,prog,4,\n"), "%s",
	    out);
	cr_expect_eq(strncmp(out, calls, strlen(calls)), 0);
	cr_expect_eq(prof("prog prog.gmon"), 0);
	cr_expect_not_null(strstr(out, "12900 ticks, 10000 a second, "
	    "5000000007 calls\n"), "%s", out);
}

/* A minute at a place is too much for eight records at 10 kHz. */
Test(prof_write, repeats_records_of_much_time)
{
	begin(1);
	took(prog, low + 4, 60000);
	end("a");
	cr_expect_eq(prof("--write=gmon -o a.gmon a"), 0);
	cr_expect_eq(prof("prog a.gmon"), 0);
	cr_expect_not_null(strstr(out, "60000 ticks, 1000 a second,"), "%s",
	    out);
	begin(1);
	took(prog, low + 4, 50000);
	end("a");
	cr_expect_eq(prof("--write=gmon -o a.gmon a"), 0);
	cr_expect_eq(prof("prog a.gmon"), 0);
	cr_expect_not_null(strstr(out, "500000 ticks, 10000 a second,"), "%s",
	    out);
	begin(1);
	took(prog, low + 4, 500000000);
	end("a");
	cr_expect_eq(prof("--write=gmon -o a.gmon a"), 0);
	cr_expect_eq(prof("prog a.gmon"), 0);
	cr_expect_not_null(strstr(out, "500000 ticks, 1 a second,"), "%s",
	    out);
	begin(1);
	took(prog, low + 4, 530000000);
	end("a");
	cr_expect_eq(prof("--write=gmon -o b.gmon a"), 1);
	cr_expect_str_eq(err, "prof: b.gmon: cannot be written: a place has "
	    "more than six days\n");
}

/* The output is bounded, whatever a file says. */
Test(prof_write, refuses_a_module_without_bounds)
{
	begin(1);
	took(prog, low, 10);
	took(prog, low + 0x1000000000, 10);
	end("a");
	cr_expect_eq(prof("--write=monout -o x a"), 1);
	cr_expect_str_eq(err, "prof: x: cannot be written: a module has "
	    "addresses more than 4 GiB apart; choose other modules with "
	    "--module\n");
	cr_expect_eq(prof("--write=gmon -o x a"), 1);
	cr_expect_eq(prof("--write=prof -o x a"), 1);
	cr_expect_neq(access(compile_path("x"), F_OK), 0);
}

Test(prof_write, writes_a_mon_out)
{
	usual("ours");
	cr_expect_eq(prof("--write=monout -o mon.out ours"), 0, "%s", err);
	cr_expect_eq(prof("--csv prog mon.out"), 0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls\n"
	    "first,prog,123,1.230000000,95.3488,\n"
	    "third,prog,4,0.040000000,3.1008,7\n"
	    "second,prog,2,0.020000000,1.5504,5000000000\n");
	begin(1);
	took(prog, low + 4, 655360);
	end("a");
	cr_expect_eq(prof("--write=monout -o b a"), 1);
	cr_expect_str_eq(err, "prof: b: cannot be written: mon.out holds 655 "
	    "s at a place, and one has more; use --write=gmon\n");
	cr_expect_neq(access(compile_path("b"), F_OK), 0);
}

/* All modules in one file, callers in others too. */
Test(prof_write, writes_a_versioned_mon_out)
{
	usual("ours");
	cr_expect_eq(prof("--write=prof -o mon.out ours"), 0, "%s", err);
	cr_expect_eq(prof("--csv mon.out"), 0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls\n"
	    "first,prog,123,1.230000000,68.7151,\n"
	    "lib.so+0x7010,lib.so,50,0.500000000,27.9330,\n"
	    "third,prog,4,0.040000000,2.2346,7\n"
	    "second,prog,2,0.020000000,1.1173,5000000000\n"
	    "lib.so+0x7011,lib.so,0,0.000000000,0.0000,6\n");
	same("--graph --csv ours", "--graph --csv mon.out");
	cr_expect_eq(prof("--write=prof -o . ours"), 1);
	cr_expect_str_eq(err, "prof: .: is a directory, and one file holds all "
	    "modules; name a file\n");
	cr_expect_eq(prof("--html ."), 2);
	cr_expect_str_eq(err, "prof: --html=.: is a directory, and --html names "
	    "the page; then name the profile, as in prof --html=page.html "
	    "DIRECTORY\n");
}

Test(prof_write, writes_a_file_for_each_module)
{
	struct stat st;

	usual("ours");
	cr_expect_eq(prof("--write=gmon -o dir/ ours"), 0, "%s", err);
	cr_expect_eq(stat(compile_path("dir/prog.gmon"), &st), 0);
	cr_expect_eq(stat(compile_path("dir/lib.so.gmon"), &st), 0);
	cr_expect_eq(compile_run("test $(ls dir | wc -l) = 2"), 0);
	cr_expect_eq(prof("--csv prog dir/prog.gmon"), 0);
	cr_expect_not_null(strstr(out, "\nthird,prog,400,0.040000000,3.1008,"
	    "7\n"), "%s", out);
	cr_expect_eq(prof("--write=gmon --module=lib.so -o dir ours"), 0);
	cr_expect_eq(prof("--write=monout -o dir ours"), 0);
	cr_expect_eq(compile_run("test $(ls dir/*.mon | wc -l) = 2"), 0);
	cr_expect_eq(prof("--write=gmon --module=none -o dir ours"), 1);
	cr_expect_not_null(strstr(err, "nothing was counted in a module of "
	    "that name"),
	    "%s", err);
}

/* Files of one name in several places. */
Test(prof_write, gives_each_file_a_name)
{
	begin(1);
	took(build_module(&b, "/one/lib.so", 0xa000, 0xb000), 0xa010, 10);
	took(build_module(&b, "/two/lib.so", 0xc000, 0xd000), 0xc010, 10);
	took(build_module(&b, "/dir/", 0xc000, 0xd000), 0xc010, 10);
	end("ours");
	cr_assert_eq(compile_run("mkdir d"), 0);
	cr_expect_eq(prof("--write=gmon -o d ours"), 0, "%s", err);
	cr_expect_eq(compile_run("test \"$(LC_ALL=C ls d | tr '\\n' ' ')\" = "
	    "'_dir_.gmon lib.so.2.gmon lib.so.gmon '"), 0);
}

Test(prof_write, writes_the_module_that_was_asked_for)
{
	usual("ours");
	cr_expect_eq(prof("--write=gmon --module=lib.so -o lib.gmon ours"), 0);
	cr_expect_eq(prof("--csv prog lib.gmon"), 1, "it is not of prog");
	cr_expect_eq(prof("--write=gmon --module='*' -o x ours"), 1);
	cr_expect_str_eq(err, "prof: x: holds one program, and the profiles "
	    "have several; choose one with --module, or name a directory\n");
	cr_expect_eq(prof("--write=gmon --module=none -o x ours"), 1);
	cr_expect_str_eq(err, "prof: x: no module of that name is in the "
	    "profiles; prof --by=module lists the modules\n");
	cr_expect_neq(access(compile_path("x"), F_OK), 0);
}

Test(prof_write, refuses_calls_without_end)
{
	begin(1);
	build_arcs(&b, 1);
	build_arc(&b, prog, low + 1, prog, low + 5, (uint64_t)1 << 60);
	end("a");
	cr_expect_eq(prof("--write=gmon -o x a"), 1);
	cr_expect_str_eq(err, "prof: x: cannot be written: there are more than "
	    "4.5 * 10^15 calls\n");
}

/* From one to another. */
Test(prof_write, converts)
{
	low = three_compile();
	three_put("gmon.out", classics_gmon, low);
	cr_expect_eq(prof("--write=monout -o mon.out prog gmon.out"), 0, "%s",
	    err);
	same("--csv prog gmon.out", "--csv prog mon.out");
	cr_expect_eq(prof("--write=prof -o prof.out prog mon.out"), 0, "%s",
	    err);
	same("--csv --no-footer --by=function prog gmon.out",
	    "--csv --by=function prog prof.out");
	cr_expect_eq(prof("--write=gmon -o b.gmon prof.out"), 0, "%s", err);
	cr_expect_eq(prof("--csv prog b.gmon"), 0);
	cr_expect_not_null(strstr(out, "\nthird,prog,700,0.070000000,58.3333,"
	    ), "%s", out);
}

Test(prof_write, is_careful_with_what_is_there)
{
	usual("ours");
	cr_expect_eq(prof("--write=gmon -o ours ours"), 1);
	cr_expect_not_null(strstr(err, "prof: ours: is a profile and is not "
	    "overwritten"), "%s", err);
	cr_expect_eq(prof("--check ours"), 0);
	cr_assert_eq(compile_run("echo text >x; chmod 640 x"), 0);
	cr_expect_eq(prof("--write=gmon -o x ours"), 0);
	cr_expect_eq(compile_run("test $(stat -c %a x) = 640 && "
	    "test \"$(head -c 4 x)\" = gmon"), 0);
	cr_expect_eq(prof("--write=gmon -o none/x ours"), 1);
	cr_expect_not_null(strstr(err, "prof: none/x: cannot be created: "),
	    "%s", err);
}

Test(prof_write, goes_with_choices_only)
{
	cr_expect_eq(prof("--write=gmon x"), 2);
	cr_expect_str_eq(err, "prof: --write needs a file for this format: "
	    "use --output=FILE\n");
	cr_expect_eq(prof("--write=other -o y x"), 2);
	cr_expect_str_eq(err, "prof: --write=other: use gmon, monout, prof, "
	    "folded, pprof, gperftools, speedscope, firefox, callgrind, perf, "
	    "massif, html, csv, json\n");
	cr_expect_eq(prof("--write=gmon --csv -o y x"), 2);
	cr_expect_eq(prof("--write=gmon --graph -o y x"), 2);
	cr_expect_eq(prof("--write=gmon --function=f -o y x"), 2);
	cr_expect_eq(prof("--write=gmon --check -o y x"), 2);
	cr_expect_not_null(strstr(err, "--write and --html write a "
	    "file: they do not go with"), "%s", err);
}
