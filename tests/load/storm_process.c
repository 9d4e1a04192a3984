/* Context: load.  Storms of processes: fork from busy threads, vfork and exec,
 * system(3), popen(3), posix_spawn(3); prints what must have come out. */
#include "load.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/wait.h>

extern char **environ;

static volatile double end;
static atomic_long wrong;
static char *const true_argv[] = { (char *)"true", NULL };

static int
running(void)
{
	return load_clock(CLOCK_MONOTONIC) < end;
}

static void
expect_status(const char *what, int status, int wanted)
{
	if (status == wanted)
		return;
	fprintf(stderr, "%s: status %#x, wanted %#x, %s\n", what,
	    (unsigned)status, (unsigned)wanted, strerror(errno));
	atomic_fetch_add(&wrong, 1);
}

/* The child takes a lock that libc holds over fork, and makes a thread. */
static void *
nothing(void *arg)
{
	load_spin(20000);
	return arg;
}

static void
fork_once(void)
{
	pthread_t id;
	int status;
	pid_t pid;

	LOAD_TRY(pid = fork());
	if (pid == 0) {
		free(malloc(10000));
		if (pthread_create(&id, NULL, nothing, NULL) != 0)
			_exit(9);
		pthread_join(id, NULL);
		_exit(7);
	}
	LOAD_TRY(waitpid(pid, &status, 0));
	expect_status("fork", status, 7 << 8);
}

static void *
forker(void *arg)
{
	while (running())
		fork_once();
	return arg;
}

static void *
spinner(void *arg)
{
	while (running())
		load_spin(100000);
	return arg;
}

static void
forks(void)
{
	pthread_t id[4];
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&id[i], NULL, i < 3 ? forker : spinner,
		    NULL) != 0)
			load_die("pthread_create");
	for (i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
}

/* The child runs in our memory: whatever it spoils, we meet. */
static void
vfork_once(int good)
{
	volatile int mark = 0;
	int status;
	pid_t pid;

	LOAD_TRY(pid = vfork());
	if (pid == 0) {
		mark = 1;
		execv(good ? "/bin/true" : "/nonexistent/true", true_argv);
		_exit(errno == ENOENT ? 5 : 6);
	}
	if (mark != 1)
		atomic_fetch_add(&wrong, 1);
	LOAD_TRY(waitpid(pid, &status, 0));
	expect_status("vfork", status, good ? 0 : 5 << 8);
}

static void
vforks(long count)
{
	pthread_t id;
	long i;

	if (pthread_create(&id, NULL, spinner, NULL) != 0)
		load_die("pthread_create");
	for (i = 0; i < count; i++)
		vfork_once(i % 8 != 0);
	end = 0;
	pthread_join(id, NULL);
}

static void
spawns(long count)
{
	posix_spawnattr_t attr;
	sigset_t set;
	int status;
	pid_t pid;
	long i;

	sigfillset(&set);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	for (i = 0; i < count; i++) {
		errno = posix_spawn(&pid, i % 8 ? "/bin/true" : "/nonexistent",
		    NULL, i % 2 ? &attr : NULL, true_argv, environ);
		if (i % 8 == 0) {
			if (errno != ENOENT)
				expect_status("posix_spawn", errno, ENOENT);
			continue;
		}
		if (errno != 0)
			load_die("posix_spawn");
		LOAD_TRY(waitpid(pid, &status, 0));
		expect_status("posix_spawn", status, 0);
	}
	posix_spawnattr_destroy(&attr);
}

static void
shells(void)
{
	char line[64];
	FILE *pipe;

	while (running()) {
		expect_status("system", system("exit 3"), 3 << 8);
		pipe = popen("echo there and back", "r");
		if (pipe == NULL)
			load_die("popen");
		if (fgets(line, sizeof(line), pipe) == NULL ||
		    strcmp(line, "there and back\n") != 0)
			expect_status("popen", -1, 0);
		expect_status("pclose", pclose(pipe), 0);
		load_spin(300000);
	}
}

/* One process, image after image: a tick may be on its way at each exec. */
static void
chain(char *self, long left)
{
	char text[32];
	char *argv[] = { self, (char *)"chain", text, NULL };

	if (left == 0)
		return;
	snprintf(text, sizeof(text), "%ld", left - 1);
	load_spin((uint64_t)(left * 7919 % 10007) * 800);	/* to 8 ms */
	execv("/proc/self/exe", argv);
	load_die("execv");
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	double number = load_number(argc, argv, 2, 1);

	end = load_clock(CLOCK_MONOTONIC) + number;
	if (strcmp(kind, "fork") == 0)
		forks();
	else if (strcmp(kind, "shell") == 0)
		shells();
	else if (strcmp(kind, "chain") == 0)
		chain(argv[0], (long)number);
	else if (strcmp(kind, "vfork") == 0) {
		end += 1e6;
		vforks((long)number);
	} else if (strcmp(kind, "spawn") == 0)
		spawns((long)number);
	else
		return 2;
	printf("%s wrong %ld\n", kind, atomic_load(&wrong));
	return 0;
}
