/* Context: O.  Tests of core/sampler/libmon/preload_check.c. */
#include "compile.h"
#include "libmon/preload_check.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY	65534

TestSuite(preload_check, .init = compile_init, .fini = compile_fini);

static char file[PATH_MAX];

static void
is(const char *name, enum preload_check wanted, const char *which)
{
	const enum preload_check s = preload_check_command(compile_path(name),
	    file, sizeof(file));

	cr_expect_eq(s, wanted, "%s: %s, not %s", name, preload_check_text(s),
	    preload_check_text(wanted));
	if (which != NULL)
		cr_expect_str_eq(file, which);
}

static void
write_script(const char *name, const char *first)
{
	FILE *out = fopen(compile_path(name), "w");

	cr_assert_not_null(out);
	fprintf(out, "%s\nexit 0\n", first);
	fclose(out);
	cr_assert_eq(chmod(compile_path(name), 0755), 0);
}

static void
compile_prog(const char *flags)
{
	compile_source("prog", ".c", flags, "int main(void) { return 0; }\n");
}

/* Does it say what the kernel and the loader do? */
static int
runs_preloaded(const char *name)
{
	char command[512];

	snprintf(command, sizeof(command),
	    "LD_PRELOAD=./mark.so ./%s 2>/dev/null | grep -q loaded", name);
	return compile_run(command) == 0;
}

static void
compile_mark(void)
{
	compile_source("mark.so", ".c", "-shared -fPIC",
	    "#include <unistd.h>\n"
	    "__attribute__((constructor)) static void f(void)\n"
	    "{ if (write(1, \"loaded\\n\", 7) < 0) _exit(1); }\n");
}

Test(preload_check, a_program)
{
	compile_prog("");
	compile_mark();
	is("prog", PRELOAD_CHECK_OK, compile_path("prog"));
	cr_expect(runs_preloaded("prog"));
}

Test(preload_check, one_that_is_static)
{
	compile_prog("-static");
	compile_mark();
	is("prog", PRELOAD_CHECK_STATIC, NULL);
	cr_expect_not(runs_preloaded("prog"));
	compile_prog("-static-pie -fPIE");
	is("prog", PRELOAD_CHECK_STATIC, NULL);
	cr_expect_not(runs_preloaded("prog"));
}

Test(preload_check, one_of_musl)
{
	compile_prog("");
	if (compile_run("command -v musl-gcc >/dev/null && "
	    "musl-gcc -o prog prog.c") != 0)
		cr_skip_test("no musl-gcc");
	is("prog", PRELOAD_CHECK_LIBC, NULL);
}

Test(preload_check, one_of_another_cpu)
{
	unsigned char head[64] = "\177ELF\2\2\1";	/* big-endian */
	FILE *out = fopen(compile_path("prog"), "w");

	cr_assert_not_null(out);
	fwrite(head, 1, sizeof(head), out);
	fclose(out);
	cr_assert_eq(chmod(compile_path("prog"), 0755), 0);
	is("prog", PRELOAD_CHECK_CPU, NULL);
}

Test(preload_check, what_does_not_run)
{
	compile_prog("");
	is("none", PRELOAD_CHECK_NOT_FOUND, NULL);
	cr_assert_eq(chmod(compile_path("prog"), 0644), 0);
	is("prog", PRELOAD_CHECK_NOT_RUN, NULL);
	cr_expect_eq(preload_check_command("/tmp", NULL, 0),
	    PRELOAD_CHECK_NOT_RUN);
	cr_expect_eq(preload_check_command("", NULL, 0),
	    PRELOAD_CHECK_NOT_FOUND);
}

Test(preload_check, scripts_by_what_runs_them)
{
	char line[512];

	compile_prog("");
	snprintf(line, sizeof(line), "#! %s -x", compile_path("prog"));
	write_script("script", line);
	is("script", PRELOAD_CHECK_OK, compile_path("prog"));
	compile_prog("-static");
	is("script", PRELOAD_CHECK_STATIC, compile_path("prog"));
	snprintf(line, sizeof(line), "#!%s", compile_path("script"));
	write_script("outer", line);
	is("outer", PRELOAD_CHECK_STATIC, compile_path("prog"));
	write_script("astray", "#!/none/at/all");
	is("astray", PRELOAD_CHECK_NOT_FOUND, "/none/at/all");
	/* execvp(3) has sh run what is no program. */
	write_script("bare", "echo");
	is("bare", PRELOAD_CHECK_OK, "/bin/sh");
	snprintf(line, sizeof(line), "#!%s", compile_path("circle"));
	write_script("circle", line);
	is("circle", PRELOAD_CHECK_NESTED, NULL);
}

/* As many scripts as the kernel runs, and one more. */
Test(preload_check, follows_nested_scripts_as_the_kernel_does)
{
	char line[600], name[8];

	write_script("s1", "#!/bin/sh");
	for (unsigned i = 2; i <= 6; i++) {
		snprintf(name, sizeof(name), "s%u", i - 1);
		snprintf(line, sizeof(line), "#!%s", compile_path(name));
		snprintf(name, sizeof(name), "s%u", i);
		write_script(name, line);
	}
	is("s5", PRELOAD_CHECK_OK, "/bin/sh");
	cr_expect_eq(compile_run("./s5"), 0);
	is("s6", PRELOAD_CHECK_NESTED, NULL);
	cr_expect_neq(compile_run("./s6 2>error"), 0);
}

Test(preload_check, looks_along_path)
{
	char path[600];

	compile_prog("-static");
	cr_assert_eq(compile_run("mkdir no && touch no/prog"), 0);
	snprintf(path, sizeof(path), "/none:%s:%s", compile_path("no"),
	    compile_path("."));
	setenv("PATH", path, 1);
	cr_expect_eq(preload_check_command("prog", file, sizeof(file)),
	    PRELOAD_CHECK_STATIC);
	setenv("PATH", compile_path("no"), 1);
	cr_expect_eq(preload_check_command("prog", file, sizeof(file)),
	    PRELOAD_CHECK_NOT_RUN);
	cr_expect_str_eq(file, "");
	/* An empty part is here. */
	cr_assert_eq(chdir(compile_path(".")), 0);
	setenv("PATH", "/none:", 1);
	cr_expect_eq(preload_check_command("prog", file, sizeof(file)),
	    PRELOAD_CHECK_STATIC);
	cr_expect_str_eq(file, "prog");
	unsetenv("PATH");
	cr_expect_eq(preload_check_command("sh", file, sizeof(file)),
	    PRELOAD_CHECK_OK);
	cr_expect_str_eq(file, "/bin/sh");
}

static void
skip_unless_it_can_gain(void)
{
	struct statvfs v;

	if (geteuid() != 0)
		cr_skip_test("not root");
	if (statvfs(compile_path("."), &v) == 0 &&
	    (v.f_flag & ST_NOSUID) != 0)
		cr_skip_test("nosuid");
}

Test(preload_check, one_that_gains)
{
	skip_unless_it_can_gain();
	compile_prog("");
	compile_mark();
	/* The ids that we have already are no gain. */
	cr_assert_eq(chmod(compile_path("prog"), 06755), 0);
	is("prog", PRELOAD_CHECK_OK, NULL);
	cr_assert_eq(chown(compile_path("prog"), NOBODY, 0), 0);
	cr_assert_eq(chmod(compile_path("prog"), 04755), 0);
	is("prog", PRELOAD_CHECK_PRIVILEGED, NULL);
	cr_expect_not(runs_preloaded("prog"));
	cr_assert_eq(chown(compile_path("prog"), 0, NOBODY), 0);
	cr_assert_eq(chmod(compile_path("prog"), 02755), 0);
	is("prog", PRELOAD_CHECK_PRIVILEGED, NULL);
	cr_expect_not(runs_preloaded("prog"));
	cr_assert_eq(chmod(compile_path("prog"), 02745), 0);
	is("prog", PRELOAD_CHECK_OK, NULL);
	cr_expect(runs_preloaded("prog"));
}

/* For root, capabilities are no gain. */
Test(preload_check, one_with_capabilities)
{
	pid_t child;
	int status;

	skip_unless_it_can_gain();
	compile_prog("");
	if (compile_run("PATH=$PATH:/sbin:/usr/sbin; "
	    "setcap cap_net_raw+ep prog 2>/dev/null") != 0)
		cr_skip_test("no setcap");
	is("prog", PRELOAD_CHECK_OK, NULL);
	cr_assert_eq(chmod(compile_path("."), 0755), 0);
	child = fork();
	if (child == 0)
		_exit(setgid(NOBODY) != 0 || setuid(NOBODY) != 0 ? 100 :
		    (int)preload_check_command(compile_path("prog"), NULL, 0));
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect_eq(WEXITSTATUS(status), PRELOAD_CHECK_PRIVILEGED);
}
