/* Context: load.  Every way a process begins and ends.  Each process burns CPU
 * time, says `PID SECONDS` (what its kernel counts) and then goes that way. */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

static double seconds;
static const char *self;

/* One write(2): children share the pipe, and stdio may be beyond use. */
static void
say(void)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%d %.6f\n", (int)getpid(),
	    load_clock(CLOCK_PROCESS_CPUTIME_ID));

	if (write(1, line, (size_t)n) != n)
		_exit(2);
}

static void
live(void)
{
	load_burn(seconds);
	say();
}

static char **
again(const char *how)
{
	static char text[32];
	static char *argv[4];

	snprintf(text, sizeof(text), "%f", seconds);
	argv[0] = (char *)self;
	argv[1] = (char *)how;
	argv[2] = text;
	return argv;
}

static void
wait_all(void)
{
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

static void
die_of(int sig)
{
	sigset_t set;

	live();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}

static void *
live_on(void *arg)
{
	load_burn(seconds);	/* main has gone by now */
	live();
	return arg;
}

static void
main_thread_ends(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, live_on, NULL) != 0)
		load_die("pthread_create");
	load_burn(seconds / 2);
	pthread_exit(NULL);
}

static void
burn_at_end(void *unused)
{
	(void)unused;
	load_burn(seconds);
}

static void *
leave_a_destructor(void *key)
{
	pthread_setspecific(*(pthread_key_t *)key, key);
	load_burn(seconds / 5);
	return NULL;
}

/* A thread does most of its work when it has ended for libc. */
static void
thread_destructor(void)
{
	pthread_key_t key;
	pthread_t id;

	if (pthread_key_create(&key, burn_at_end) != 0 ||
	    pthread_create(&id, NULL, leave_a_destructor, &key) != 0)
		load_die("pthread_create");
	pthread_join(id, NULL);
	say();
	exit(0);
}

/* The shell, too, ignores an ignored signal; the thread is counted
 * meanwhile. */
static void
ignoring(void)
{
	char command[32];
	pthread_t id;

	signal(SIGPROF, SIG_IGN);
	if (pthread_create(&id, NULL, live_on, NULL) != 0)
		load_die("pthread_create");
	snprintf(command, sizeof(command), "sleep %f", 2 * seconds);
	if (system(command) != 0)
		load_die(command);
	pthread_join(id, NULL);
}

static void *
exec_from_thread(void *arg)
{
	live();
	execv(self, arg);
	load_die("execv");
}

static void
thread_execs(void)
{
	pthread_t id;

	pthread_create(&id, NULL, exec_from_thread, again("exit"));
	for (;;)
		load_burn(1);
}

static void
children(int how)
{
	int i;
	pid_t pid;

	for (i = 0; i < 4; i++) {
		LOAD_TRY(pid = how == 2 ? (pid_t)syscall(SYS_clone, SIGCHLD,
		    NULL, NULL, NULL, NULL) : fork());
		if (pid == 0) {
			live();
			if (how == 1)
				exit(0);
			_exit(0);
		}
	}
	live();
	wait_all();
}

static void
killed_children(void)
{
	int i, lived[2];
	pid_t pid[4];
	char byte = 0;	/* a processor can be long in coming */

	LOAD_TRY(pipe(lived));
	for (i = 0; i < 4; i++) {
		LOAD_TRY(pid[i] = fork());
		if (pid[i] != 0)
			continue;
		live();
		LOAD_TRY(write(lived[1], &byte, 1));
		for (;;)
			pause();
	}
	live();
	for (i = 0; i < 4; i++)
		LOAD_TRY(read(lived[0], &byte, 1));
	for (i = 0; i < 4; i++)
		kill(pid[i], SIGKILL);
	wait_all();
}

static void
vforked(void)
{
	pid_t pid;

	live();
	LOAD_TRY(pid = vfork());
	if (pid == 0) {
		execv(self, again("exit"));
		_exit(9);
	}
	wait_all();
}

static void
spawned(void)
{
	pid_t pid;

	live();
	errno = posix_spawn(&pid, self, NULL, NULL, again("exit"), environ);
	if (errno != 0)
		load_die("posix_spawn");
	wait_all();
}

static void
sessions(void)
{
	pid_t pid;

	LOAD_TRY(pid = fork());
	if (pid == 0) {
		LOAD_TRY(setsid());
		LOAD_TRY(pid = fork());
		live();
		wait_all();
		exit(0);
	}
	wait_all();
	live();
}

static int
raw_thread(void *arg)
{
	double end = load_clock(CLOCK_PROCESS_CPUTIME_ID) + 2 * seconds;

	while (load_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
		load_spin(30000);
	*(volatile int *)arg = 1;
	syscall(SYS_exit, 0);
	return 0;
}

/* A thread that glibc knows nothing of. */
/* Lives without a tick: libmon.so does not see this call. */
static void
blocked(void)
{
	unsigned long all = ~0ul;

	LOAD_TRY(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL,
	    sizeof(all)));
	live();
}

/* Two such children, of which one is another program. */
static void
unmet(void)
{
	pid_t pid;
	int i;

	for (i = 0; i < 2; i++) {
		LOAD_TRY(pid = fork());
		if (pid != 0)
			continue;
		if (i == 0)
			execv(self, again("blocked"));
		blocked();
		exit(0);
	}
	live();
	wait_all();
}

static void
raw_threads(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	static volatile int done;

	LOAD_TRY(clone(raw_thread, stack + sizeof(stack), CLONE_VM | CLONE_FS |
	    CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
	    (void *)&done));
	while (!done)
		load_spin(100000);
	live();
}

static const struct way {
	const char *name;
	void (*go)(void);
} ways[] = {
	{ "pthread_exit", main_thread_ends },
	{ "thread_destructor", thread_destructor },
	{ "ignoring", ignoring },
	{ "thread_exec", thread_execs },
	{ "killed", killed_children },
	{ "vfork", vforked },
	{ "spawn", spawned },
	{ "session", sessions },
	{ "raw_thread", raw_threads },
	{ "blocked", blocked },
	{ "unmet", unmet },
};

static void
end_so(const char *how, int number)
{
	if (strcmp(how, "_exit") == 0)
		_exit(number);
	if (strcmp(how, "quick_exit") == 0) {
		at_quick_exit(live);
		quick_exit(number);
	}
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "exec") == 0)
		execv(self, again("exit"));
	if (strcmp(how, "exec_sh") == 0)
		execl("/bin/sh", "sh", "-c", "exec \"$0\" exit $1", self,
		    again("exit")[2], NULL);
	if (strcmp(how, "exec_fails") == 0) {
		execl("/nonexistent", "x", NULL);
		live();
	}
	if (strcmp(how, "system") == 0)
		exit(system("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"));
	exit(strcmp(how, "exit") == 0 ? number : 0);
}

/* life WAY [SECONDS [NUMBER]] */
int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";
	int number = (int)load_number(argc, argv, 3, 0);
	size_t i;

	self = argv[0];
	seconds = load_number(argc, argv, 2, 0.2);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(how, ways[i].name) == 0) {
			ways[i].go();
			return 0;
		}
	if (strcmp(how, "signal") == 0)
		die_of(number);
	if (strcmp(how, "fork") == 0)
		children(1);
	else if (strcmp(how, "fork_exit") == 0)
		children(0);
	else if (strcmp(how, "raw_fork") == 0)
		children(2);
	else if (strcmp(how, "daemon") == 0) {
		say();
		LOAD_TRY(daemon(1, 1));
		live();
	} else
		live();
	end_so(how, number);
}
