/* Context: O.  The environment as options_read() takes it, for its tests. */
#include "environ.h"

#include "options/options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome *got;

static void
read_in_child(const char *profdir, const char *profopts, int said)
{
	unsetenv("PROFDIR");
	unsetenv("PROFOPTS");
	if (profdir != NULL)
		setenv("PROFDIR", profdir, 1);
	if (profopts != NULL)
		setenv("PROFOPTS", profopts, 1);
	dup2(said, 2);
	options_read(environ);
	got->config = config;
	_exit(0);
}

void
environ_read(const char *profdir, const char *profopts)
{
	int said = memfd_create("stderr", MFD_CLOEXEC), status;
	pid_t pid;

	if (got == NULL)
		got = mmap(NULL, sizeof *got, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	memset(got, 0, sizeof *got);
	pid = fork();
	if (pid == 0)
		read_in_child(profdir, profopts, said);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert_eq(status, 0);
	cr_assert_geq(pread(said, got->said, sizeof got->said - 1, 0), 0);
	close(said);
}

void
environ_accepts(const char *profopts)
{
	environ_read("/tmp", profopts);
	cr_expect_str_eq(got->said, "", "%s", profopts);
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
}

void
environ_refuses(const char *profopts, const char *said)
{
	char want[256];

	environ_read("/tmp", profopts);
	snprintf(want, sizeof want, "libmon: PROFOPTS: %s\n", said);
	cr_expect_str_eq(got->said, want, "%s: %s", profopts, got->said);
	/* The rest is in force. */
	cr_expect_eq(got->config.place, CONFIG_PLACE_DIR);
}
