/* Context: O.  Tests of cmd/prof/prof.c: tables, csv and --info. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof, .init = command_init, .fini = compile_fini);

Test(prof, prints_shares_and_seconds)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--no-footer"), 0);
	cr_expect_str_eq(out,
	    "  Time %  Seconds  Name                                  Module\n"
	    "    60.0    3.000  lib.so+0x10                           lib.so\n"
	    "    20.0    1.000  [kernel: page faults and interrupts]  [kernel]\n"
	    "    20.0    1.000  lib.so+0x20                           lib.so\n");
	cr_expect_str_eq(err, "");
}

/* Names lose their middle where a line is too long. */
Test(prof, fits_a_narrow_terminal)
{
	put("mon.out", 100, 1000);
	cr_assert_eq(compile_run("script -qec \"stty cols 40; NO_COLOR=1 "
	    "'${PROF:-prof}' --no-footer\" /dev/null | tr -d '\\r' >.out"), 0);
	slurp(".out", out, sizeof(out));
	cr_expect_str_eq(out,
	    "  Time %  Seconds  Name         Module\n"
	    "    60.0    3.000  lib.so+0x10  lib.so\n"
	    "    20.0    1.000  [ker...pts]  [kernel]\n"
	    "    20.0    1.000  lib.so+0x20  lib.so\n");
}

/* A line without another name is named by its process or thread. */
Test(prof, sorts_processes_and_threads_by_name)
{
	static const char *const names[] = { "beta", "gamma", "alpha" };
	struct build b;

	for (unsigned i = 0; i < 3; i++) {
		build_init(&b);
		build_header(&b)->pid = (int)i + 1;
		build_header(&b)->exe = build_string(&b, names[i]);
		build_node(&b, build_root(&b, build_thread(&b, (int)i + 1,
		    names[2 - i])), FORMAT_USER, 0, 16, i + 1, (i + 1) * MS);
		cr_assert_eq(build_save(&b, compile_path(names[i])), 0);
		build_fini(&b);
	}
	cr_expect_eq(prof("--csv --by=process --sort=name alpha beta gamma"),
	    0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls,"
	    "process,image,program\n"
	    ",,3,0.003000000,50.0000,,3,1,alpha\n"
	    ",,1,0.001000000,16.6667,,1,1,beta\n"
	    ",,2,0.002000000,33.3333,,2,1,gamma\n");
	cr_expect_eq(prof("--csv --by=thread --sort=name alpha beta gamma"),
	    0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls,"
	    "process,image,thread,thread_name,cpu_seconds\n"
	    ",,1,0.001000000,16.6667,,1,1,1,alpha,\n"
	    ",,3,0.003000000,50.0000,,3,1,3,beta,\n"
	    ",,2,0.002000000,33.3333,,2,1,2,gamma,\n");
}

Test(prof, writes_csv_by_name)
{
	put("a", 100, 1000);
	put("b", 200, 2000);
	cr_expect_eq(prof("--csv --by=process,function a b"), 0);
	cr_expect_eq(strncmp(out, "function,module,samples,seconds,percent,"
	    "calls,process,image,program\n"
	    "lib.so+0x10,lib.so,6000,6.000000000,40.0000,,200,1,prog\n", 120),
	    0, "%s", out);
	cr_expect_eq(prof("--csv --by=address a"), 0);
	cr_expect_not_null(strstr(out, "\nlib.so+0x10,lib.so,3000,3.000000000,"
	    "60.0000,,0x10\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\n[kernel: page faults and "
	    "interrupts],[kernel],0,"
	    "1.000000000,20.0000,,\n"), "%s", out);
	cr_expect_eq(prof("--csv --by=mode a b"), 0);
	cr_expect_str_eq(out,
	    "function,module,samples,seconds,percent,calls,mode\n"
	    ",,9000,9.000000000,60.0000,,user\n"
	    ",,3000,6.000000000,40.0000,,kernel\n");
}

/* 3.5 s by the kernel, half a second of that before this image, 2 s seen. */
static void
put_threads(const char *name)
{
	struct build b;
	uint32_t busy, pool;

	build_init(&b);
	busy = build_thread(&b, 101, "busy");
	build_thread_at(&b, busy)->cpu_ns = 3500 * (uint64_t)MS;
	build_thread_at(&b, busy)->cpu_start_ns = 500 * MS;
	build_node(&b, build_root(&b, busy), FORMAT_USER, 0, 0x10, 2000,
	    2000 * (uint64_t)MS);
	pool = build_thread(&b, 0, "(more threads)");
	build_thread_at(&b, pool)->flags = FORMAT_T_POOL;
	build_thread_at(&b, pool)->members = 7;
	build_thread_at(&b, pool)->cpu_ns = 0;
	build_thread_at(&b, pool)->cpu_start_ns = 0;
	build_node(&b, build_root(&b, pool), FORMAT_USER, 0, 0x10, 1000,
	    1000 * MS);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = build_header(&b)->cpu_birth_ns = 0;
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof, shows_the_time_of_threads_by_the_kernel)
{
	put_threads("mon.out");
	cr_expect_eq(prof("--by=thread --no-footer"), 0);
	cr_expect_str_eq(out,
	    "  Time %  Seconds CPUtime  Process    Thread\n"
	    "    66.7    2.000   3.000  4242 prog  101 busy\n"
	    "    33.3    1.000       -  4242 prog  7 threads\n");
	cr_expect_eq(prof("--by=thread,function --no-footer"), 0);
	cr_expect_null(strstr(out, "CPUtime"), "%s", out);
	cr_expect_eq(prof("--by=thread --csv"), 0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls,"
	    "process,image,thread,thread_name,cpu_seconds\n"
	    ",,2000,2.000000000,66.6667,,4242,1,101,busy,3.000000000\n"
	    ",,1000,1.000000000,33.3333,,4242,1,0,(more threads),\n");
}

Test(prof, adds_a_directory_up)
{
	cr_assert_eq(compile_run("mkdir d && echo text > d/README"), 0);
	put("d/100.a", 100, 1000);
	put("d/200.b", 200, 2000);
	cr_expect_eq(prof("--csv --top=1 d"), 0);
	cr_expect_not_null(strstr(out,
	    "\nlib.so+0x10,lib.so,9000,9.000000000,60.0000,\n"), "%s", out);
	cr_expect_str_eq(err, "");
}

Test(prof, shows_what_a_file_says_of_its_process)
{
	put("a", 100, 1000);
	cr_expect_eq(prof("--info a"), 0);
	cr_expect_not_null(strstr(out, "\npid=100\n"));
	cr_expect_not_null(strstr(out, "\nloss.STORE_SPACE=7\n"));
	cr_expect_not_null(strstr(out, "\nstate=sealed\n"));
	cr_expect_null(strstr(out, "\nclosed="), "no reader has that bit");
	cr_expect_not_null(strstr(out, "\nthread.0.name=main\n"));
	cr_expect_not_null(strstr(out, "\nthread.0.samples=4000\n"));
	cr_expect_not_null(strstr(out, "\nmodule.0.path=/none/lib.so\n"));
	cr_expect_eq(prof("-i --csv a"), 0);
	cr_expect_eq(strncmp(out, "file,key,value\n", 15), 0);
	cr_expect_not_null(strstr(out, "\na,pid,100\n"));
}

Test(prof, shows_what_it_does_not_know_as_a_number)
{
	static const char *const want[] = {
		"end=9", "clock=7", "fine=on,6,31", "thread.0.coarse=8",
		"thread.0.flags=main,31", "module.0.device=254:3",
		"module.0.inode=77",
	};
	char line[64];
	struct build b;
	uint32_t module, thread;

	build_init(&b);
	module = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	build_module_at(&b, module)->device = (uint64_t)254 << 32 | 3;
	build_module_at(&b, module)->inode = 77;
	thread = build_thread(&b, 1, "main");
	build_thread_at(&b, thread)->coarse = 8;
	build_thread_at(&b, thread)->flags = FORMAT_T_MAIN | 1u << 31;
	build_seal(&b, 9, 0);
	build_header(&b)->clock = 7;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_ON | 1u << 6 |
	    1u << 31;
	cr_assert_eq(build_save(&b, compile_path("a")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--info a"), 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		snprintf(line, sizeof(line), "\n%s\n", want[i]);
		cr_expect_not_null(strstr(out, line), "%s not in\n%s",
		    want[i], out);
	}
}

/* Users of other programs type -h, which is an option of the classic prof. */
Test(prof, helps_who_asks)
{
	char help[sizeof(out)];

	cr_assert_eq(prof("--help"), 0);
	strcpy(help, out);
	cr_expect_eq(prof("-h"), 0, "%s", err);
	cr_expect_str_eq(out, help);
	cr_expect_eq(prof("help"), 0, "%s", err);
	cr_expect_str_eq(out, help);
	cr_expect_eq(prof("report"), 1);
	cr_expect_str_eq(err, "prof: report: is no file, and prof has no such "
	    "command; prof without a word shows the report\n");
}

/* The help says when --html and --diff have a value of their own. */
Test(prof, has_values_for_options_without_one)
{
	cr_assert_eq(prof("--help"), 0);
	cr_expect_not_null(strstr(out, "mon.html if nothing or an option "
	    "follows\n"), "%s", out);
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--html --top=1"), 2);
	cr_expect_eq(prof("--html --no-inline"), 0, "%s", err);
	cr_expect_eq(compile_run("test -s mon.html && rm mon.html"), 0);
	cr_expect_eq(prof("mon.out --html"), 0, "%s", err);
	cr_expect_eq(compile_run("test -s mon.html"), 0);
	cr_expect_eq(prof("--diff --top=1 mon.out"), 1);
	cr_expect_not_null(strstr(err, "no earlier run to compare with"), "%s",
	    err);
}

Test(prof, has_a_total_in_one_table_alone)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--sort=total"), 0, "%s", err);
	cr_expect_eq(prof("--sort=total --by=function"), 0, "%s", err);
	cr_expect_eq(prof("--sort=total --kernel"), 2);
	cr_expect_eq(prof("--sort=total --by=module"), 2);
	cr_expect_eq(prof("--sort=total --csv"), 2);
}

/* A run of few ms has no stacks because it has no samples. */
Test(prof, says_that_there_are_no_samples)
{
	struct build b;

	build_init(&b);
	build_thread(&b, 1, "main");
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--tree"), 1);
	cr_expect_not_null(strstr(err, "the files have no samples; give"), "%s",
	    err);
}

/* Options of prof record stand behind it. */
Test(prof, wants_its_commands_first)
{
	cr_expect_eq(prof("--heap record ./a"), 1);
	cr_expect_eq(strncmp(err, "prof: record: is no file, and as a command "
	    "of prof it must be the first word; prof record COMMAND runs and "
	    "records it\n", 112), 0, "%s", err);
	cr_expect_eq(prof("--verbose doctor"), 1);
	cr_expect_str_eq(err, "prof: doctor: is no file, and as a command of "
	    "prof it must be the first word; prof doctor says what works "
	    "here\n");
	put("record", 100, 1000);
	cr_expect_eq(prof("--verbose record"), 0, "%s", err);
}

/* Files may have such names, too, so a word with more errors is a file's. */
Test(prof, knows_commands_with_a_typing_error)
{
	static const struct { const char *word, *remedy; } table[] = {
		{ "doctr", "prof doctor says what works here" },
		{ "recrod ls", "prof record COMMAND runs and records it" },
		{ "statuss", "prof --control TARGET status" },
		{ "raport", "prof without a word shows the report" },
		{ "dif", "prof --diff=OLD NEW compares two profiles" },
	};
	static const char *const files[] = { "none", "x", "doc", "tr", "dir" };
	char line[128];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		cr_expect_eq(prof(table[i].word), 1);
		snprintf(line, sizeof(line), "prof: %.*s: is no file, and prof "
		    "has no such command; %s\n",
		    (int)strcspn(table[i].word, " "), table[i].word,
		    table[i].remedy);
		cr_expect_eq(strncmp(err, line, strlen(line)), 0, "%s", err);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		cr_expect_eq(prof(files[i]), 1);
		cr_expect_null(strstr(err, "command"), "%s", err);
	}
	put("doctr", 100, 1000);
	cr_expect_eq(prof("doctr"), 0, "%s", err);
}

static void
put_bytes(const char *name, const void *bytes, size_t count)
{
	FILE *file = fopen(compile_path(name), "r+");

	cr_assert_not_null(file);
	cr_assert_eq(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

/* A report must not be taken for one of what was named. */
Test(prof, shows_nothing_else_than_was_named)
{
	static const unsigned char core[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0"
	    "\4\0\76\0";

	put("mon.out", 100, 1000);
	cr_assert_eq(compile_run("head -c 64 /dev/zero > core"), 0);
	put_bytes("core", core, sizeof(core));
	cr_expect_eq(prof("core"), 1);
	cr_expect_not_null(strstr(err, "prof: core: a core dump"), "%s", err);
	cr_expect_str_eq(out, "");
	cr_expect_eq(prof("/bin/true"), 1);
	cr_expect_not_null(strstr(err, "the newest profile here is not of it"),
	    "%s", err);
	cr_expect_str_eq(out, "");
	cr_expect_eq(prof("--asleep"), 1);
	cr_expect_not_null(strstr(err, "no time asleep was recorded"), "%s",
	    err);
	cr_expect_str_eq(out, "");
}
