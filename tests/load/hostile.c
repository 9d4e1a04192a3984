/* Context: load.  Changes the ground under the profile file's feet between two
 * spells of work, and finds its own things as it left them. */
#include "load.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static void *
burn(void *arg)
{
	load_burn(*(double *)arg);
	return arg;
}

static void
limit(int resource, rlim_t value)
{
	struct rlimit r = { value, value };

	LOAD_TRY(setrlimit((__rlimit_resource_t)resource, &r));
}

/* As a daemon does; then the same numbers are the program's own files, and
 * whoever wrote to a descriptor that it believed its own would be read here. */
static void
close_all(double seconds)
{
	char text[16] = "";
	int fd[4], i;

	LOAD_TRY(syscall(SYS_close_range, 3, ~0u, 0));
	for (i = 0; i < 4; i++) {
		LOAD_TRY(fd[i] = open("own", O_RDWR | O_CREAT | O_APPEND, 0600));
		if (fd[i] != 3 + i)
			printf("descriptor %d wanted %d\n", fd[i], 3 + i);
	}
	LOAD_TRY(write(fd[0], "mine", 4));
	load_burn(seconds);
	if (pread(fd[3], text, sizeof(text), 0) != 4 || strcmp(text, "mine"))
		printf("own file changed: %.16s\n", text);
}

/* Standard descriptors closed: 0, 1, 2 are anybody's. */
static void
close_standard(double seconds)
{
	int saved, i;

	LOAD_TRY(saved = fcntl(1, F_DUPFD, 100));
	for (i = 0; i < 3; i++)
		close(i);
	load_burn(seconds);
	for (i = 0; i < 3; i++)
		if (fcntl(i, F_GETFD) != -1)
			dprintf(saved, "descriptor %d was opened\n", i);
	dup2(saved, 1);
	dup2(saved, 2);
}

static void
threads(int count, double seconds)
{
	pthread_t id[1000];
	int i;

	for (i = 0; i < count; i++)
		if (pthread_create(&id[i], NULL, burn, &seconds) != 0)
			load_die("pthread_create");
	for (i = 0; i < count; i++)
		pthread_join(id[i], NULL);
}

static void
print_locked(void)
{
	char line[256];
	FILE *f;
	long kib;

	if ((f = fopen("/proc/self/status", "r")) == NULL)
		load_die("status");
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmLck: %ld", &kib) == 1)
			printf("locked %ld KiB\n", kib);
	fclose(f);
}

/*
 * Prints how much memory is locked, which must be the program's alone, before
 * and after it maps more.
 */
static void
lock_all(void)
{
	LOAD_TRY(mlockall(MCL_CURRENT));
	print_locked();
	LOAD_TRY(mlockall(MCL_CURRENT | MCL_FUTURE));
	print_locked();
	load_burn(0.1);
	print_locked();
}

/* The number that it is given is the same each time, to the very end. */
static void *
open_for_ever(void *ready)
{
	int first = open("/", O_RDONLY), fd = first;
	static char odd[] = "another descriptor\n";

	LOAD_TRY(write(*(int *)ready, "", 1));
	for (;;) {
		close(fd);
		LOAD_TRY(fd = open("/", O_RDONLY));
		if (fd != first && write(2, odd, sizeof(odd) - 1) < 0)
			_exit(3);
	}
	return NULL;
}

static void
linger(void)
{
	load_sleep(0.1);
}

/* While another thread fails to exec, and while it exits. */
static void
fail_to_exec(char **argv)
{
	pthread_t id;
	int ready[2], i;
	char c;

	LOAD_TRY(pipe(ready));
	LOAD_TRY(atexit(linger));
	pthread_create(&id, NULL, open_for_ever, &ready[1]);
	LOAD_TRY(read(ready[0], &c, 1));
	for (i = 0; i < 2000; i++)
		execv("/nonexistent", argv);
}

/* hostile WHAT SECONDS [NUMBER] */
int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	double seconds = load_number(argc, argv, 2, 0.2);
	int number = (int)load_number(argc, argv, 3, 0);

	if (strcmp(what, "threads") != 0)
		load_burn(seconds);
	if (strcmp(what, "chdir") == 0) {
		LOAD_TRY(mkdir("elsewhere", 0700));
		LOAD_TRY(chdir("elsewhere"));
	} else if (strcmp(what, "chroot") == 0) {
		LOAD_TRY(mkdir("root", 0700));
		LOAD_TRY(chroot("root"));
		LOAD_TRY(chdir("/"));
	} else if (strcmp(what, "close") == 0)
		close_all(seconds);
	else if (strcmp(what, "standard") == 0)
		close_standard(seconds);
	else if (strcmp(what, "mlockall") == 0)
		lock_all();
	else if (strcmp(what, "exec") == 0)
		fail_to_exec(argv);
	else if (strcmp(what, "umask") == 0)
		umask(0777);
	else if (strcmp(what, "fsize") == 0)
		limit(RLIMIT_FSIZE, (rlim_t)number);
	else if (strcmp(what, "nofile") == 0)
		limit(RLIMIT_NOFILE, 3);
	else if (strcmp(what, "setuid") == 0)
		LOAD_TRY(setuid(65534));
	else if (strcmp(what, "threads") == 0)
		threads(number, seconds);
	else if (strcmp(what, "ready") == 0) {
		/* The harness does its worst when it reads this. */
		LOAD_TRY(write(1, "ready\n", 6));
		load_sleep(0.3);
	} else
		return 2;
	if (strcmp(what, "threads") != 0)
		load_burn(seconds);
	printf("%s done\n", what);
	return 0;
}
