/* Context: load.  POSIX only, for another libc or a static one: threads,
 * signals, masks, children in every way; prints what went wrong. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int wrong;
static volatile sig_atomic_t handled;

static void
expect(const char *what, long got, long wanted)
{
	if (got == wanted)
		return;
	printf("%s: %ld, wanted %ld\n", what, got, wanted);
	wrong++;
}

static void *
busy(void *arg)
{
	volatile unsigned long x = 0;

	while (x < 100000000)
		x++;
	return arg;
}

static void *
patient(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void
threads(void)
{
	pthread_t id[3];
	void *result;
	int i;

	for (i = 0; i < 3; i++)
		expect("pthread_create", pthread_create(&id[i], NULL,
		    i < 2 ? busy : patient, &wrong), 0);
	expect("pthread_cancel", pthread_cancel(id[2]), 0);
	for (i = 0; i < 3; i++) {
		expect("pthread_join", pthread_join(id[i], &result), 0);
		expect("result", result == (i < 2 ? &wrong :
		    PTHREAD_CANCELED), 1);
	}
}

static void
count(int sig)
{
	handled += sig;
}

static void
signals(void)
{
	struct sigaction a = { .sa_handler = count }, old;
	sigset_t set, before;
	int sig;

	expect("sigaction", sigaction(SIGPROF, &a, &old), 0);
	expect("default", old.sa_handler == SIG_DFL, 1);
	expect("raise", raise(SIGPROF), 0);
	expect("handled", handled, SIGPROF);
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	expect("pthread_sigmask", pthread_sigmask(SIG_BLOCK, &set, &before), 0);
	expect("blocked", sigismember(&before, SIGPROF), 0);
	kill(getpid(), SIGPROF);
	expect("sigwait", sigwait(&set, &sig), 0);
	expect("signal", sig, SIGPROF);
	expect("handled", handled, SIGPROF);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	signal(SIGPROF, SIG_DFL);
}

static int
status_of(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void
children(void)
{
	static char *const exit_4[] = { (char *)"sh", (char *)"-c",
	    (char *)"exit 4", NULL };
	char line[16] = "";
	FILE *pipe;
	pid_t pid;

	pid = fork();
	if (pid == 0)
		_exit(busy(NULL) != NULL ? 1 : 5);
	expect("fork", status_of(pid), 5 << 8);
	pid = vfork();
	if (pid == 0) {
		execv("/bin/sh", exit_4);
		_exit(1);
	}
	expect("vfork", status_of(pid), 4 << 8);
	expect("posix_spawn", posix_spawn(&pid, "/bin/sh", NULL, NULL, exit_4,
	    environ), 0);
	expect("spawned", status_of(pid), 4 << 8);
	expect("system", system("exit 6"), 6 << 8);
	pipe = popen("echo there", "r");
	expect("popen", pipe != NULL && fgets(line, sizeof(line), pipe) != NULL,
	    1);
	expect("line", strcmp(line, "there\n"), 0);
	expect("pclose", pclose(pipe), 0);
}

int
main(void)
{
	threads();
	signals();
	children();
	printf("foreign wrong %d\n", wrong);
	return 3;
}
