/* Context: O.  Tests of cmd/prof/prof.c: what is wrong, and where output
 * goes. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(prof_faults, .init = command_init, .fini = compile_fini);

Test(prof_faults, shows_the_others_when_one_is_damaged)
{
	put("a", 100, 1000);
	put("b", 200, 2000);
	cr_assert_eq(truncate(compile_path("b"), 4500), 0);
	cr_expect_eq(prof("--csv a b none"), 1);
	cr_expect_not_null(strstr(out, "\nlib.so+0x10,lib.so,3000,"));
	cr_expect_eq(strncmp(err, "prof: b: ", 9), 0, "%s", err);
	cr_expect_not_null(strstr(err, " at offset "), "%s", err);
	cr_expect_not_null(strstr(err, "prof: none: cannot be opened: No "
	    "such file or directory\n"), "%s", err);
}

/* An error names the option that was given. */
Test(prof_faults, names_the_option_of_a_function)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--annotate=nosuch"), 1);
	cr_expect_eq(strncmp(err, "prof: --annotate=nosuch: ", 25), 0, "%s",
	    err);
	cr_expect_eq(prof("--function=nosuch"), 1);
	cr_expect_eq(strncmp(err, "prof: --function=nosuch: ", 25), 0, "%s",
	    err);
}

/* The copy is of one process, but made later: somebody truncated the first. */
Test(prof_faults, counts_copies_of_a_file_once)
{
	struct build b;

	put("mon.out", 100, 1000);
	cr_assert_eq(compile_run("cp mon.out mon.out.old"), 0);
	cr_expect_eq(prof(""), 0);
	cr_expect_not_null(strstr(out, "1 file, 1 process, 1 thread; 1 copy "
	    "of a file not counted\n"), "%s", out);
	cr_expect_not_null(strstr(out, " 5.000 s by the kernel, 4.000 s in "
	    "samples"), "%s", out);
	build_init(&b);
	build_header(&b)->pid = 100;
	build_header(&b)->birth_mono++;
	build_node(&b, build_root(&b, build_thread(&b, 100, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	cr_assert_eq(build_save(&b, compile_path("mon.out.2")), 0);
	build_fini(&b);
	cr_expect_eq(prof(""), 0);
	cr_expect_not_null(strstr(out, "2 files, 1 process, 2 threads; 1 copy "
	    "of a file not counted\n"), "%s", out);
}

static void
put_state(const char *name, uint64_t ms, bool sealed)
{
	struct build b;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 100, "main")),
	    FORMAT_USER, 0, 0x10, ms, ms * MS);
	build_header(&b)->ticks = ms;
	if (sealed)
		build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* Made while it ran: the later one has more, and the sealed one all. */
Test(prof_faults, counts_the_copy_that_knows_the_most)
{
	static const char *const orders[] = { "a b c", "c b a", "b c a" };
	char arguments[32];

	put_state("a", 1000, false);
	put_state("b", 3000, false);
	put_state("c", 2000, false);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(arguments, sizeof(arguments), "--verbose %s",
		    orders[i]);
		cr_expect_eq(prof(arguments), 0);
		cr_expect_not_null(strstr(out, "2 copies of a file not "
		    "counted\n"), "%s", out);
		cr_expect_not_null(strstr(out, " 3.000 s in samples"), "%s",
		    out);
	}
	put_state("c", 2500, true);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(arguments, sizeof(arguments), "--verbose %s",
		    orders[i]);
		cr_expect_eq(prof(arguments), 0);
		cr_expect_not_null(strstr(out, " 2.500 s in samples"), "%s",
		    out);
	}
}

static void
put_image(const char *name, int pid, uint64_t before_ms, uint64_t birth)
{
	struct build b;

	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->birth_mono = birth;
	build_header(&b)->cpu_birth_ns = before_ms * MS;
	build_node(&b, build_root(&b, build_thread(&b, pid, "main")),
	    FORMAT_USER, 0, 0x10, 900, 900 * MS);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = (before_ms + 1000) * MS;
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* By links of different names: each has its own first file, and CPU time. */
Test(prof_faults, tells_images_of_one_executable_apart)
{
	cr_assert_eq(compile_run("mkdir d"), 0);
	put_image("d/100.one", 100, 0, 1);
	put_image("d/100.two", 100, 1000, 2);
	put_image("d/200.one", 200, 0, 1);
	cr_expect_eq(prof("--verbose d"), 0);
	cr_expect_not_null(strstr(out, "3 files, 2 processes (3 images, by "
	    "exec), 3 threads\n"), "%s", out);
	cr_expect_not_null(strstr(out, "CPU time: 3.000 s by the kernel, 2.700 "
	    "s in samples (-10.0 %)\n"), "%s", out);
	cr_expect_eq(prof("--csv --by=process d"), 0);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls,"
	    "process,image,program\n"
	    ",,900,1.000000000,33.3333,,100,1,prog\n"
	    ",,900,1.000000000,33.3333,,100,1,prog\n"
	    ",,900,1.000000000,33.3333,,200,1,prog\n");
}

Test(prof_faults, checks_files)
{
	put("a", 100, 1000);
	put("b", 200, 2000);
	cr_expect_eq(prof("--check a b"), 0);
	cr_expect_not_null(strstr(out, "a: good, sealed; modules 1, "
	    "threads 1, nodes 2, samples 4000, bytes "), "%s", out);
	cr_expect_not_null(strstr(out, "b: good"));
	cr_assert_eq(compile_run("head -c 4400 b > c"), 0);
	cr_expect_eq(prof("--check c"), 1);
	cr_expect_str_eq(out, "");
	cr_expect_eq(strncmp(err, "prof: c: ", 9), 0, "%s", err);
}

/* Whoever made the directory named the files. */
Test(prof_faults, commands_no_terminal_with_the_name_of_a_file)
{
	static const char *const options[] = { "--check", "--info", "" };
	char command[64];

	put("x\033[31m", 100, 1000);
	put("x\302\23331m", 100, 1000);
	cr_assert_eq(compile_run("echo text > \"$(printf 'y\\033')\""), 0);
	for (size_t i = 0; i < 3; i++) {
		snprintf(command, sizeof(command), "%s x* y*", options[i]);
		cr_expect_eq(prof(command), 1);
		cr_expect_null(strchr(out, '\033'), "%s", command);
		cr_expect_null(strstr(out, "\302\233"), "%s", command);
		cr_expect_null(strchr(err, '\033'), "%s", command);
	}
}

Test(prof_faults, never_writes_over_a_profile)
{
	static char before[8192], after[8192];

	put("mon.out", 100, 1000);
	slurp("mon.out", before, sizeof(before));
	cr_expect_eq(prof("-o mon.out"), 1);
	cr_expect_not_null(strstr(err, "is a profile"), "%s", err);
	slurp("mon.out", after, sizeof(after));
	cr_expect_eq(memcmp(before, after, sizeof(before)), 0);
}

Test(prof_faults, writes_the_output_whole_or_not_at_all)
{
	struct stat st;

	put("mon.out", 100, 1000);
	cr_assert_eq(compile_run("echo old > report"), 0);
	cr_expect_eq(prof("--csv -o report"), 0);
	cr_expect_str_eq(out, "");
	slurp("report", out, sizeof(out));
	cr_expect_not_null(strstr(out, "lib.so+0x10"));
	cr_expect_eq(prof("-o none/report"), 1);
	cr_expect_eq(prof("-o report none"), 1);
	slurp("report", out, sizeof(out));
	cr_expect_not_null(strstr(out, "lib.so+0x10"), "an error must not "
	    "replace an older report");
	cr_expect_eq(compile_run("test -z \"$(ls report.* 2>/dev/null)\""), 0);
	cr_expect_eq(prof("-o /dev/null"), 0);
	cr_expect_eq(prof("-o /dev/full"), 1);
	cr_expect_not_null(strstr(err, "No space left"), "%s", err);
	cr_expect_eq(stat("/dev/null", &st), 0);
	cr_expect(S_ISCHR(st.st_mode));
}

/* /dev/stdout is a link, and root could replace it. */
Test(prof_faults, follows_a_link_to_the_output)
{
	struct stat st;

	put("mon.out", 100, 1000);
	cr_assert_eq(compile_run("mkdir d && ln -s /proc/self/fd/1 d/stdout && "
	    "echo old > report && chmod 640 report && ln -s report link && "
	    "ln -s new d/link && ln -s mon.out profile"), 0);
	cr_expect_eq(compile_run("{ \"${PROF:-prof}\" -o d/stdout && "
	    "echo end; } >.out"), 0);
	slurp(".out", out, sizeof(out));
	cr_expect_not_null(strstr(out, "lib.so+0x10"), "%s", out);
	cr_expect_not_null(strstr(out, "\nend\n"), "%s", out);
	cr_expect_eq(prof("-o link"), 0);
	cr_expect_eq(compile_run("test -L link && test -L d/stdout"), 0);
	slurp("report", out, sizeof(out));
	cr_expect_not_null(strstr(out, "lib.so+0x10"), "%s", out);
	cr_assert_eq(stat(compile_path("report"), &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0640);
	cr_expect_eq(prof("-o d/link"), 0);
	slurp("d/new", out, sizeof(out));
	cr_expect_not_null(strstr(out, "lib.so+0x10"), "%s", out);
	cr_expect_eq(prof("-o profile"), 1);
	cr_expect_not_null(strstr(err, "is a profile"), "%s", err);
}

Test(prof_faults, writes_no_message_into_the_output)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(compile_run("\"${PROF:-prof}\" --no-footer -o report "
	    "mon.out none >&- 2>&-") >> 8, 1);
	slurp("report", out, sizeof(out));
	cr_expect_eq(strncmp(out, "  Time %", 8), 0, "%s", out);
}

Test(prof_faults, says_when_standard_output_is_full)
{
	static const char *const options[] = {
		"", "--help", "--version", "--live",
	};
	char command[64];

	put("mon.out", 100, 1000);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		snprintf(command, sizeof(command),
		    "\"${PROF:-prof}\" %s > /dev/full 2>.err", options[i]);
		cr_expect_eq(compile_run(command) >> 8, 1, "%s", command);
		slurp(".err", err, sizeof(err));
		cr_expect_str_eq(err, "prof: standard output: cannot be "
		    "written: No space left on device\n");
	}
}

/* A process that ended before its first tick has noted no clock. */
Test(prof_faults, says_that_a_process_was_too_short)
{
	struct build b;

	build_init(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_birth_ns = 0;
	build_header(&b)->cpu_ns = MS;
	cr_assert_eq(build_save(&b, compile_path("p")), 0);
	build_fini(&b);
	cr_expect_eq(prof("p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\ntoo short to sample: the first "
	    "sample comes after some 4 ms of CPU time"), "%s", out);
}

Test(prof_faults, says_where_no_profile_is)
{
	static const char nothing[] = "prof: d: no profile in it; static and "
	    "setuid programs, and those that ran for a few ms, leave none; "
	    "prof record COMMAND says so\n";

	cr_assert_eq(compile_run("mkdir d && echo text > d/README"), 0);
	cr_expect_eq(prof(""), 1);
	cr_expect_str_eq(err, "prof: no profile found; prof record COMMAND "
	    "runs and records one; or name a file\n");
	cr_assert_eq(compile_run("touch tprof.out"), 0);
	cr_expect_eq(prof(""), 1);
	cr_expect_str_eq(err, "prof: no profile found; tprof has written "
	    "tprof.out: prof tprof.out\n");
	cr_expect_eq(prof("d"), 1);
	cr_expect_str_eq(err, nothing);
	cr_expect_eq(prof("--check d"), 1);
	cr_expect_str_eq(err, nothing);
	setenv("PROFDIR", "d", 1);
	cr_expect_eq(prof(""), 1);
	cr_expect_str_eq(err, nothing);
	unsetenv("PROFDIR");
	cr_expect_eq(prof("--info d"), 1);
	put("d/100.a", 100, 1000);
	cr_expect_eq(prof("--pid=99 d"), 1);
	cr_expect_str_eq(err, "prof: --pid=99: no process of that number is in "
	    "the profiles; prof --by=process lists them\n");
	cr_expect_eq(prof("--pid=100 d"), 0);
	cr_expect_eq(prof("--function=none d"), 1);
	cr_expect_not_null(strstr(out, "\nnothing matches the filters\n"),
	    "%s", out);
}

Test(prof_faults, says_what_a_file_is_instead)
{
	cr_assert_eq(compile_run("echo text > text && : > empty"), 0);
	cr_expect_eq(prof("text"), 1);
	cr_expect_str_eq(err, "prof: text: not a profile of libmon; profiles "
	    "are named mon.out, or PID.PROGRAM in PROFDIR\n");
	cr_expect_eq(prof("empty"), 1);
	cr_expect_str_eq(err, "prof: empty: the file is empty; its program "
	    "was stopped, or had no space, while it was being made; run the "
	    "program again\n");
}
