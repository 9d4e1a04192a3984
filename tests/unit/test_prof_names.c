/* Context: O.  Tests of cmd/prof/prof.c: names, and what is picked by them. */
#include "command.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

TestSuite(prof_names, .init = command_init, .fini = compile_fini);

/* A profile of "a" in `name`, of a place that ran at that time. */
static void
put_run(const char *name, int pid, uint64_t at, uint64_t when, uint32_t flags)
{
	struct build b;
	struct stat st;
	uint32_t module;

	cr_assert_eq(stat(compile_path("a"), &st), 0);
	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->birth_real = when;
	module = build_module(&b, compile_path("a"), 0x1000, 0x9000);
	build_module_at(&b, module)->device =
	    (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	build_module_at(&b, module)->inode = st.st_ino;
	build_module_at(&b, module)->load_mono = build_header(&b)->birth_mono;
	build_module_at(&b, module)->flags = flags;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, module, at, 5, 5 * MS);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* Through all of it: a compiled program, its file, its report. */
Test(prof_names, names_functions_and_refuses_a_changed_file)
{
	uint64_t at, now = (uint64_t)time(NULL) * 1000000000u;

	compile_source("a", ".c", "-O1 -Wl,--build-id=none",
	    "int work(int n) { return n * 3; }\n"
	    "int main(int c, char **v) { (void)v; return work(c); }\n");
	at = compile_address("a", "work");
	put_run("mon.out", 1, at + 1, now + 5000000000u, 0);
	cr_expect_eq(prof("--csv"), 0);
	cr_expect_not_null(strstr(out, "\nwork,a,5,"), "%s", out);
	/* One file, written anew between, ran before and after. */
	put_run("old", 2, at + 1, now - 5000000000u, 0);
	for (int old_first = 0; old_first < 2; old_first++) {
		cr_expect_eq(prof(old_first ? "--csv old mon.out" :
		    "--csv mon.out old"), 0);
		cr_expect_not_null(strstr(out, "\nwork,a#2,5,"), "%s", out);
		cr_expect_not_null(strstr(out, "\na+0x"), "%s", out);
	}
	cr_assert_eq(compile_run("cp a b && mv b a"), 0);
	cr_expect_eq(prof("--csv"), 0);
	cr_expect_not_null(strstr(out, "\na+0x"), "%s", out);
	cr_expect_eq(prof(""), 0);
	cr_expect_not_null(strstr(out, "is not the file that ran"), "%s",
	    out);
}

/* Which file, what is wrong with it, and what to do. */
Test(prof_names, says_which_debug_file_does_not_belong)
{
	uint64_t at, now = (uint64_t)time(NULL) * 1000000000u;
	char want[512];

	compile_source("a", ".c", "-O1 -Wl,--build-id=none",
	    "static int work(int n) __attribute__((noinline));\n"
	    "static int work(int n) { return n * 3; }\n"
	    "int main(int c, char **v) { (void)v; return work(c); }\n");
	at = compile_address("a", "work");
	cr_assert_eq(compile_run("objcopy --only-keep-debug a a.debug && "
	    "strip a && objcopy --add-gnu-debuglink=a.debug a"), 0);
	put_run("mon.out", 1, at + 1, now + 5000000000u, 0);
	cr_expect_eq(prof(""), 0);
	cr_expect_not_null(strstr(out, "  work"), "%s", out);
	cr_expect_null(strstr(out, "names: "), "%s", out);
	cr_assert_eq(compile_run("printf x >> a.debug"), 0);
	cr_expect_eq(prof(""), 0);
	cr_expect_null(strstr(out, "  work"), "%s", out);
	snprintf(want, sizeof(want), "\nfewer names: %s has a debug file with "
	    "another CRC than its .gnu_debuglink says: %s; install the one of "
	    "this build\n", compile_path("a"), compile_path("a.debug"));
	cr_expect_not_null(strstr(out, want), "%s not in\n%s", want, out);
}

/* Then an address is an offset in the file, which may be one of a symbol. */
Test(prof_names, names_nothing_where_no_headers_were_read)
{
	uint64_t now = (uint64_t)time(NULL) * 1000000000u;

	compile_source("a", ".c", "-O1 -Wl,--build-id=none",
	    "int main(int c, char **v) { (void)v; return c; }\n");
	put_run("mon.out", 1, compile_address("a", "main"),
	    now + 5000000000u, FORMAT_M_NO_ELF);
	cr_expect_eq(prof(""), 0);
	cr_expect_not_null(strstr(out, "  a+0x"), "%s", out);
	cr_expect_not_null(strstr(out, "/a was not readable as an ELF "
	    "file\n"), "%s", out);
}

/* Names that stand in the table can be asked for, "[]" and "()" as they are. */
Test(prof_names, picks_what_is_named_as_it_is_shown)
{
	uint64_t now = (uint64_t)time(NULL) * 1000000000u + 5000000000u;

	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--csv --module='[kernel]'"), 0);
	cr_expect_not_null(strstr(out, "\n[kernel: page faults and interrupts],"));
	cr_expect_null(strstr(out, "lib.so"));
	cr_expect_eq(prof("--csv --function='[kernel: page faults and "
	    "interrupts]'"), 0);
	cr_expect_not_null(strstr(out, "\n[kernel: page faults and interrupts],"));
	cr_expect_null(strstr(out, "lib.so"));
	if (compile_run("command -v ${CXX:-c++} >/dev/null") != 0)
		cr_skip("no C++ compiler");
	compile_source("a", ".cc", "-O1 -Wl,--build-id=none",
	    "int add(int n) { return n * 3; }\n"
	    "int add(long *n) { return *n * 5; }\n"
	    "int main(int c, char **) { long n = c; return add(&n); }\n");
	put_run("int", 1, compile_address("a", "_Z3addi"), now, 0);
	put_run("long", 2, compile_address("a", "_Z3addPl"), now, 0);
	cr_expect_eq(prof("--csv int long"), 0);
	cr_expect_not_null(strstr(out, "\nadd(long*),a,5,"), "%s", out);
	cr_expect_eq(prof("--csv --function='add(long*)' int long"), 0);
	cr_expect_not_null(strstr(out, "\nadd(long*),a,5,"), "%s", out);
	cr_expect_null(strstr(out, "add(int)"), "%s", out);
	cr_expect_eq(prof("--csv --function='add' int long"), 0);
	cr_expect_not_null(strstr(out, "\nadd(int),a,5,"), "%s", out);
	cr_expect_not_null(strstr(out, "\nadd(long*),a,5,"), "%s", out);
}

/* Wide ones, and accents over letters: what follows stands below its title. */
Test(prof_names, aligns_columns_of_any_script)
{
	static const char *const locale[] = { "C", "C.UTF-8" };
	static const char *const name[] = {
		"\346\227\245\346\234\254", "\360\237\230\200", "e\314\201x",
		"plain-thread",
	};
	static const char *const want[] = {
		"  Thread           Module\n",
		"  10 \346\227\245\346\234\254          ends.so\n",
		"  11 \360\237\230\200            ends.so\n",
		"  12 e\314\201x            ends.so\n",
		"  13 plain-thread  ends.so\n",
	};
	uint32_t module;
	struct build b;

	if (newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) == (locale_t)0)
		cr_skip("no C.UTF-8");
	build_init(&b);
	module = build_module(&b, "/none/ends.so", 0x1000, 0x9000);
	for (int i = 0; i < 4; i++)
		build_node(&b, build_root(&b, build_thread(&b, 10 + i,
		    name[i])), FORMAT_USER, module, 0x10, 10, 10 * MS);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	for (size_t i = 0; i < 2; i++) {
		setenv("LC_ALL", locale[i], 1);
		cr_assert_eq(prof("--by=thread,module --no-footer"), 0);
		for (size_t k = 0; k < 5; k++)
			cr_expect_not_null(strstr(out, want[k]),
			    "%s: %s not in\n%s", locale[i], want[k], out);
	}
}

/* In one line on stderr, and with the status of grep(1). */
static void
meets_nothing(const char *filters, const char *says)
{
	char arguments[256], want[256];

	snprintf(arguments, sizeof(arguments), "--csv %s a b", filters);
	snprintf(want, sizeof(want), "prof: %s\n", says);
	cr_expect_eq(prof(arguments), 1, "%s", filters);
	cr_expect_str_eq(err, want);
	cr_expect_null(strstr(out, "lib.so"), "%s: %s", filters, out);
}

Test(prof_names, says_which_filter_met_nothing)
{
	put("a", 100, 1000);
	put("b", 200, 1000);
	meets_nothing("--pid=9 --pid='1?'", "--pid=9 --pid=1?: no process of "
	    "that number is in the profiles; prof --by=process lists them");
	meets_nothing("--program=pro", "--program=pro: no program of that name "
	    "is in the profiles; prof --by=program lists them");
	meets_nothing("--thread=mein", "--thread=mein: no thread of that name "
	    "is in the profiles; prof --by=thread lists them");
	meets_nothing("--module=lib[c-k]", "--module=lib[c-k]: no time was counted in a "
	    "module of that name; prof --by=module lists the modules with "
	    "time");
	meets_nothing("--function='\033[m'", "--function=?[m: no time was "
	    "counted in a function of that name; prof --by=function lists the "
	    "functions with time");
	/* Each is met, but not by the same. */
	meets_nothing("--pid=100 --thread=200", "--thread=200: nothing that "
	    "the other filters leave has that name; prof --by=thread lists "
	    "them");
	meets_nothing("--module='[kernel]' --function='lib*'",
	    "--function=lib*: nothing that the other filters leave has that "
	    "name; prof --by=function lists the functions with time");
}

/* A table is made all the same: its head, and below it what it rests on. */
Test(prof_names, shows_the_table_that_a_filter_left_empty)
{
	struct build b;

	put("a", 100, 1000);
	cr_expect_eq(prof("--csv --module=x a"), 1);
	cr_expect_str_eq(out, "function,module,samples,seconds,percent,calls"
	    "\n");
	cr_expect_eq(prof("--thread=x a"), 1);
	cr_expect_not_null(strstr(out, "\nnothing matches the filters\n"),
	    "%s", out);
	/* Nothing counted, or hidden otherwise, is no fault of a filter. */
	cr_expect_eq(prof("--module=lib.so --module=x --min=90 a"), 0);
	cr_expect_str_eq(err, "");
	build_init(&b);
	build_thread(&b, 1, "main");
	cr_assert_eq(build_save(&b, compile_path("none")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--thread=main none"), 0);
	cr_expect_str_eq(err, "");
	cr_expect_not_null(strstr(out, "\nno time was counted\n"), "%s", out);
}
