/*
 * Context: O.  Checks that recording needs, for doctor.c: runs a short shell
 * loop under libmon.so in a child process, with the profile in a directory of
 * its own in /tmp; see doctor.h.
 */
#include "doctor/doctor.h"

#include "libmon/backend_preload.h"
#include "libmon/preload_check.h"
#include "libmon/preload_env.h"
#include "load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program that is recorded: about 0.1 s of CPU time. */
#define SHELL		"/bin/sh"
#define SHELL_LOOP	"i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"

/* Prints a fault as the result of a check that failed.  Returns false. */
static bool
print_fault_result(FILE *out, const char *what, const struct fault *f)
{
	char found[PATH_MAX + 256];

	snprintf(found, sizeof(found), "%s%s%s%s%s", f->file != NULL ? f->file :
	    "", f->file != NULL ? ": " : "", f->what, f->errnum != 0 ? ": " :
	    "", f->errnum != 0 ? strerror(f->errnum) : "");
	doctor_print(out, DOCTOR_BAD, what, found, f->remedy);
	return false;
}

/*
 * Runs the shell in the environment, with no input and no output.  Returns its
 * wait status; -1 if it could not be started or waited for.
 */
static int
run_shell(char **env)
{
	const char *argv[] = { "sh", "-c", SHELL_LOOP, NULL };
	const pid_t pid = fork();
	int status = -1, null;

	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		if (null >= 0) {
			dup2(null, STDIN_FILENO);
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
		execve(SHELL, (char **)argv, env);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/*
 * Sets *h to the header of a profile in the directory.  Removes the directory
 * and its files in any case.  Returns whether there was a profile.
 */
static bool
take_profile(const char *directory, struct format_header *h)
{
	DIR *all = opendir(directory);
	char path[PATH_MAX];
	bool got = false;
	struct dirent *e;

	while (all != NULL && (e = readdir(all)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
		got = got || load_header(path, h) == 0;
		unlink(path);
	}
	if (all != NULL)
		closedir(all);
	rmdir(directory);
	return got;
}

/* Prints how often samples were taken, by the clocks that the profile names. */
static void
print_clocks(FILE *out, const struct format_header *h)
{
	const unsigned on = 1u << FORMAT_FINE_ON | 1u << FORMAT_FINE_DONE;
	char found[256];

	if ((h->fine_seen & on) != 0) {
		doctor_print(out, DOCTOR_GOOD, "fine clock",
		    "samples between the ticks of the scheduler", NULL);
		return;
	}
	if ((h->fine_seen & 1u << FORMAT_FINE_REFUSED) != 0)
		snprintf(found, sizeof(found), "perf_event_open is refused: "
		    "%s; samples at the scheduler's ticks alone",
		    strerror(h->fine_errno));
	else if ((h->fine_seen & 1u << FORMAT_FINE_SECCOMP) != 0)
		snprintf(found, sizeof(found), "off under seccomp; samples at "
		    "the scheduler's ticks alone");
	else
		snprintf(found, sizeof(found), "was not used in so short a "
		    "run");
	doctor_print(out, DOCTOR_LESS, "fine clock", found, "see "
	    "perf_event_open below; without it the rate is mostly 250 Hz");
}

/*
 * Returns the fault of the run of the shell; NULL if it left a profile.
 * status: of run_shell(); `got`: of take_profile().
 */
static const char *
explain_run(int status, bool got)
{
	if (status == -1)
		return "no process or no memory to try it with";
	if (!WIFEXITED(status))
		return "a program that it was preloaded into died: " SHELL;
	if (WEXITSTATUS(status) == 127)
		return SHELL " cannot be run";
	if (WEXITSTATUS(status) != 0)
		return SHELL " failed when it was preloaded";
	return got ? NULL : SHELL " ran, and left no profile";
}

/*
 * Runs the shell under libmon.so, and prints whether it left a profile and, if
 * so, which clock took the samples.  Returns whether it did.
 */
static bool
check_preload(FILE *out, const char *library)
{
	char directory[] = "/tmp/prof-doctor-XXXXXX";
	struct preload_env_request want = {
		.library = library, .directory = directory, .options = "",
		.plain = true,
	};
	const enum preload_check s = preload_check_command(SHELL, NULL, 0);
	struct preload_env env = { 0 };
	struct format_header h;
	const char *wrong;
	int status;

	if (s != PRELOAD_CHECK_OK) {
		doctor_print(out, DOCTOR_BAD, "preloading",
		    SHELL " cannot have it: no program to try it with",
		    "try: prof record PROGRAM");
		return false;
	}
	if (mkdtemp(directory) == NULL) {
		doctor_print(out, DOCTOR_BAD, "preloading",
		    "/tmp cannot be written", "make it a directory of mode "
		    "1777, with space");
		return false;
	}
	status = preload_env_make(&env, &want) == 0 ? run_shell(env.env) : -1;
	preload_env_free(&env);
	wrong = explain_run(status, take_profile(directory, &h));
	doctor_print(out, wrong == NULL ? DOCTOR_GOOD : DOCTOR_BAD,
	    "preloading", wrong != NULL ? wrong : SHELL
	    " ran under it, and left a profile", status == -1 ?
	    "see ulimit -u and ulimit -v, and try again" :
	    "run LD_PRELOAD=LIBMON.SO " SHELL " -c true, and read what it "
	    "says");
	if (wrong == NULL)
		print_clocks(out, &h);
	return wrong == NULL;
}

/* Makes a file and removes it: root may write where no file can be made. */
static bool
can_make_file(const char *directory)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/.prof-doctor-XXXXXX",
	    directory) >= (int)sizeof(path))
		return false;
	fd = mkstemp(path);
	if (fd < 0)
		return false;
	close(fd);
	return unlink(path) == 0;
}

/*
 * Checks the directory that profiles go to: PROFDIR, or the current one.
 * Returns whether files can be made there.
 */
static bool
check_directory(FILE *out)
{
	const char *directory = getenv("PROFDIR");
	const bool named = directory != NULL && *directory != '\0';
	char found[PATH_MAX + 64];
	bool good;

	if (!named)
		directory = ".";
	good = can_make_file(directory);
	snprintf(found, sizeof(found), "%s%s %s", named ? "PROFDIR=" : "",
	    named ? directory : "the current directory", good ?
	    "can be written" : named ? "is no directory that can be written" :
	    "cannot be written");
	doctor_print(out, good ? DOCTOR_GOOD : DOCTOR_BAD, "directory", found,
	    named ? "make it, or set PROFDIR to another one" :
	    "go to another one, or use prof record -o DIRECTORY/");
	return good;
}

enum doctor_state
doctor_check_record(FILE *out)
{
	char library[PATH_MAX];
	struct fault f;
	bool good;

	if (libmon_find(library, sizeof(library), &f) != 0)
		good = print_fault_result(out, "libmon.so", &f);
	else {
		doctor_print(out, DOCTOR_GOOD, "libmon.so", library, NULL);
		good = check_preload(out, library);
	}
	good = check_directory(out) && good;
	return good ? DOCTOR_GOOD : DOCTOR_BAD;
}
