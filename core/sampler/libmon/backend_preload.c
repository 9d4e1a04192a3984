/*
 * Context: O.  Samples a command by libmon.so, for recording_preload.c of
 * cmd/tprof, in the main thread; see backend_preload.h.
 */
#include "libmon/backend_preload.h"

#include "input.h"
#include "load.h"
#include "process_state.h"
#include "libmon/profiles.h"
#include "base/vector.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const left_here =
	"these profiles were not converted to samples, and stay here";

/* The directory, for the signal handler of the process that made it. */
static char guarded[PATH_MAX];
static volatile sig_atomic_t guarding;
static pid_t guarding_pid;

static void
write_to_stderr(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

/*
 * Removes the directory if it is empty, or says where it is, and lets the
 * signal end the process.  This is a signal handler: it makes only calls that
 * are safe there.  A child that has not executed a program yet has it, too.
 */
static void
on_fatal_signal(int sig)
{
	if (guarding && getpid() == guarding_pid && rmdir(guarded) != 0) {
		write_to_stderr("tprof: ");
		write_to_stderr(guarded);
		write_to_stderr(": ");
		write_to_stderr(left_here);
		write_to_stderr("\n");
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Installs the handler.  Signals that are ignored or handled stay so. */
static void
guard_directory(const char *directory)
{
	static const int sigs[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction old, own = { .sa_handler = on_fatal_signal };

	strcpy(guarded, directory);
	guarding_pid = getpid();
	guarding = 1;
	for (size_t i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(sigs[i], &own, NULL);
}

/*
 * Makes a directory and returns its path, which the caller frees, or NULL.  The
 * path is absolute: programs may be started in another directory.
 */
static char *
make_directory(const char *below)
{
	char *real = realpath(below, NULL), path[PATH_MAX];
	const int n = real == NULL ? -1 : snprintf(path, sizeof(path),
	    "%s/tprof-XXXXXX", real);

	free(real);
	return n < 0 || n >= (int)sizeof(path) || mkdtemp(path) == NULL ?
	    NULL : strdup(path);
}

int
backend_preload_begin(struct backend_preload *p, const char *library,
    unsigned hz, struct fault *f)
{
	const char *below = getenv("TMPDIR");
	struct preload_env_request want = { .library = library, .plain = true };
	char options[sizeof("log=yes,hz=") + 3 * sizeof(hz)];
	int ret;

	*p = (struct backend_preload) { 0 };
	if (hz > BACKEND_PRELOAD_HZ_MAX) {
		ret = fault_set(f, "libmon.so cannot take so many samples a "
		    "second", FAULT_NO_OFFSET, 0);
		f->remedy = "ask for 20000 or less";
		return ret;
	}
	if (below != NULL && *below != '\0')
		p->directory = make_directory(below);
	if (p->directory == NULL)
		p->directory = make_directory("/tmp");
	if (p->directory == NULL) {
		ret = fault_set(f, "no directory can be created there",
		    FAULT_NO_OFFSET, errno);
		f->file = below != NULL && *below != '\0' ? below : "/tmp";
		f->remedy = "set TMPDIR";
		return ret;
	}
	guard_directory(p->directory);
	snprintf(options, sizeof(options), "log=yes");
	if (hz != 0)
		snprintf(options, sizeof(options), "log=yes,hz=%u", hz);
	want.directory = p->directory;
	want.options = options;
	if (preload_env_make(&p->inject, &want) == 0)
		return 0;
	backend_preload_close(p, true, NULL, NULL);
	return fault_set_no_memory(f);
}

/*
 * Reports the fault *f of a file by `tell`, NULL: nobody.  Returns -errno,
 * -EINVAL if the fault has none.
 */
static int
report_profile(backend_preload_report *tell, void *arg, struct fault *f,
    const char *path)
{
	const int ret = f->errnum != 0 ? -f->errnum : -EINVAL;

	f->file = path;
	if (tell != NULL)
		tell(arg, f);
	return ret;
}

static int
keep_profile_path(struct backend_preload *p, const char *path)
{
	if (vector_grow(&p->kept, p->kept_count, &p->kept_room,
	    sizeof(*p->kept)) != 0 ||
	    (p->kept[p->kept_count] = strdup(path)) == NULL)
		return -ENOMEM;
	p->kept_count++;
	return 0;
}

/*
 * Returns whether another program has put the file there.  libmon's own files
 * are profiles, finished or not, and directory defaults.
 */
static bool
is_unknown_file(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct stat st;

	return !load_is_profile(path) && !load_is_part(path) &&
	    strncmp(name, FORMAT_DEFAULTS_NAME,
	    sizeof(FORMAT_DEFAULTS_NAME) - 1) != 0 &&
	    lstat(path, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size != 0);
}

/*
 * Reads one file of the directory into *all, and counts it in put->stats.
 * Returns 0, also for a file of libmon that is no profile; else -errno or
 * LOAD_OTHER with *f set.
 */
static int
read_one(struct backend_preload *p, const char *path, struct profiles *all,
    struct tprof_writer *put, struct fault *f)
{
	struct format_header h;
	struct load l;
	int ret = load_open(&l, path, f);

	if (ret == 0) {
		p->running += l.decode.header.state != FORMAT_SEALED &&
		    process_state_check(&l.decode.header) == 1;
		ret = profiles_add(all, &l.decode, f);
		load_close(&l);
	}
	put->stats[TPROF_S_BUF] += ret == 0;
	if (ret == 0 || (ret == LOAD_OTHER && !is_unknown_file(path)))
		return 0;
	if (ret != LOAD_OTHER) {
		put->stats[TPROF_S_DROPBUF]++;
		if (load_header(path, &h) == 0)
			put->stats[TPROF_S_DROPBUF_SAMPLES] += h.ticks;
	}
	return ret;
}

int
backend_preload_end(struct backend_preload *p, struct tprof_writer *put,
    backend_preload_report *tell, void *arg)
{
	struct profiles all = { 0 };
	struct input in = { 0 };
	struct fault f;
	int ret = input_list(&in, p->directory, p->directory, NULL, &f);

	/* The clock of the kernel's backend; its period is not known before. */
	tprof_writer_event(put, PROFILES_CPU, "cpu-clock", true, 0);
	for (size_t i = 0; i < in.count && ret == 0; i++) {
		const char *path = in.files[i].path;

		if (read_one(p, path, &all, put, &f) == 0)
			continue;
		report_profile(tell, arg, &f, path);
		if (keep_profile_path(p, path) != 0)
			ret = fault_set_no_memory(&f);
	}
	p->known_ns = all.known_ns;
	p->unsampled_ns = all.unsampled_ns + all.paused_ns + all.elsewhere_ns;
	p->barred = all.loss[LOSS_CHILD_FILE] + all.loss[LOSS_IMAGE_FILE];
	if (ret == 0 && profiles_write(&all, put) != 0)
		ret = fault_set_no_memory(&f);
	input_free(&in);
	profiles_free(&all);
	return ret == 0 ? 0 : report_profile(tell, arg, &f, p->directory);
}

static bool
is_kept(const struct backend_preload *p, const char *path)
{
	for (size_t i = 0; i < p->kept_count; i++)
		if (strcmp(p->kept[i], path) == 0)
			return true;
	return false;
}

/*
 * Removes a profile.  While it is live, a profile on a network file system is
 * elsewhere and the path has a pointer to it.
 */
static void
remove_one(const char *path)
{
	char live[PATH_MAX];
	struct fault f;

	if (load_resolve_path(path, live, &f) == 0 && strcmp(live, path) != 0)
		unlink(live);
	unlink(path);
}

/* Removes the files of the directory but those that could not be read. */
static void
remove_read(const struct backend_preload *p)
{
	struct input in = { 0 };
	struct fault f;

	if (input_list(&in, p->directory, p->directory, NULL, &f) == 0)
		for (size_t i = 0; i < in.count; i++)
			if (!is_kept(p, in.files[i].path))
				remove_one(in.files[i].path);
	input_free(&in);
}

/*
 * Removals that are tried: processes that still run may make a file between the
 * listing of the directory and its removal.
 */
#define TRIES	3

void
backend_preload_close(struct backend_preload *p, bool written,
    backend_preload_report *tell, void *arg)
{
	struct fault f;
	int left = p->directory != NULL ? rmdir(p->directory) : 0;

	for (unsigned i = 0; i < TRIES && left != 0 && written; i++) {
		remove_read(p);
		left = rmdir(p->directory);
	}
	guarding = 0;
	if (left != 0) {
		fault_set(&f, left_here, FAULT_NO_OFFSET, 0);
		report_profile(tell, arg, &f, p->directory);
	}
	for (size_t i = 0; i < p->kept_count; i++)
		free(p->kept[i]);
	free(p->kept);
	free(p->directory);
	preload_env_free(&p->inject);
	*p = (struct backend_preload) { 0 };
}
