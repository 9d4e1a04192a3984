/* Context: load.  same.c's calls that make processes.  Children print what they
 * inherited, by a program that libmon is not in. */
#include "same.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <wordexp.h>

extern char **environ;

/* SigPnd, SigBlk and SigIgn as the kernel has them after exec. */
#define STATUS "grep", "-E", "Sig(Pnd|Blk|Ign)", "/proc/self/status"
static char *const status_argv[] = { (char *)"grep", (char *)"-E",
	(char *)"Sig(Pnd|Blk|Ign)", (char *)"/proc/self/status", NULL };
static char *const no_environ[] = { (char *)"LC_ALL=C", NULL };

#define CALL(name) static long name(void)

/* And back; nowhere, as nobody, and without a name. */
CALL(directory)
{
	int here = open(".", O_RDONLY | O_DIRECTORY);
	char name[64] = "";
	long ret = chdir("/proc");

	if (ret == 0 && getcwd(name, sizeof name) != NULL &&
	    strcmp(name, "/proc") == 0)
		ret = fchdir(here);
	close(here);
	return ret;
}
CALL(directory_missing) { return chdir("/proc/none"); }
CALL(directory_null) { const char *volatile no = NULL; return chdir(no); }
CALL(directory_closed) { return fchdir(-1); }
CALL(directory_file) { return fchdir(0); }

CALL(fork_exit)
{
	pid_t pid = fork();

	if (pid == 0)
		exit(errno == 77 ? 21 : 22);
	return same_waited(pid);
}

CALL(fork_state)
{
	struct same_state *s = same_take(), *t;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		load_burn(0.01);
		t = same_take();
		same_print(s, t);	/* nothing */
		fflush(stdout);
		_exit(0);
	}
	free(s);
	return same_waited(pid);
}

/* A stack on which no handler of the program runs may be as small as this. */
CALL(fork_tight_stack)
{
	static char tight[2048];
	stack_t st = { .ss_sp = tight, .ss_size = sizeof(tight) }, old, now;
	long r;
	pid_t pid;

	if (sigaltstack(&st, &old) != 0)
		return -1;
	load_burn(0.01);
	pid = fork();
	if (pid == 0) {
		load_burn(0.02);
		sigaltstack(NULL, &now);
		_exit(now.ss_sp == tight && now.ss_size == sizeof(tight));
	}
	r = same_waited(pid);
	sigaltstack(&old, NULL);
	return r;
}

CALL(raw_fork)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0) {
		load_spin(10000000);
		_exit(23);
	}
	return same_waited(pid);
}

CALL(vfork_exec)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve("/bin/grep", status_argv, no_environ);
		_exit(24);
	}
	return same_waited(pid);
}

CALL(vfork_fails)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execve("/nonexistent", status_argv, no_environ);
		_exit(errno == ENOENT ? 25 : 26);
	}
	return same_waited(pid);
}

CALL(exec_inherits)
{
	pid_t pid;

	same_block(SIG_BLOCK);
	pid = fork();
	if (pid == 0) {
		execve("/bin/grep", status_argv, no_environ);
		_exit(27);
	}
	same_block(SIG_UNBLOCK);
	return same_waited(pid);
}

CALL(exec_pending)
{
	pid_t pid = fork();

	if (pid == 0) {
		same_block(SIG_BLOCK);
		raise(SIGPROF);
		raise(SIGUSR2);
		execve("/bin/grep", status_argv, no_environ);
		_exit(27);
	}
	return same_waited(pid);
}

CALL(exec_ignored_prof)
{
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGPROF, SIG_IGN);
		signal(SIGBUS, SIG_IGN);
		execle("/bin/grep", STATUS, NULL, no_environ);
		_exit(27);
	}
	return same_waited(pid);
}

CALL(execl_fails) { return execl("/nonexistent", "x", NULL); }
CALL(execlp_fails) { return execlp("nonexistent-program", "x", NULL); }
CALL(execle_fails) { return execle("/", "x", NULL, environ); }
CALL(execv_fails) { return execv("/nonexistent", status_argv); }
CALL(execvp_fails) { return execvp("/etc/passwd", status_argv); }
CALL(execvpe_fails) { return execvpe("nonexistent", status_argv, environ); }
CALL(execve_fails) { return execve("/dev/null", status_argv, no_environ); }
CALL(fexecve_fails) { return fexecve(-1, status_argv, no_environ); }
CALL(execveat_fails)
{
	return syscall(SYS_execveat, -1, "x", status_argv, no_environ, 0);
}

CALL(fexecve_works)
{
	pid_t pid = fork();

	if (pid == 0) {
		fexecve(open("/bin/grep", O_RDONLY | O_CLOEXEC), status_argv,
		    no_environ);
		_exit(28);
	}
	return same_waited(pid);
}

CALL(execveat_by_libc) { return execveat(-1, "x", status_argv, NULL, 0); }

/* fork(3) without its handlers. */
pid_t _Fork(void);
CALL(fork_bare)
{
	pid_t pid = _Fork();

	if (pid == 0)
		_exit(29);
	return same_waited(pid);
}

CALL(spawn_plain)
{
	pid_t pid = -1;

	same_block(SIG_BLOCK);
	errno = 77;
	if (posix_spawn(&pid, "/bin/grep", NULL, NULL, status_argv, no_environ))
		pid = -1;
	same_block(SIG_UNBLOCK);
	return same_waited(pid);
}

CALL(spawn_attributes)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t s;
	pid_t pid = -1;

	sigemptyset(&s);
	sigaddset(&s, SIGPROF);
	sigaddset(&s, SIGBUS);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &s);
	posix_spawnattr_setsigdefault(&attr, &s);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	signal(SIGPROF, SIG_IGN);
	if (posix_spawnp(&pid, "grep", &files, &attr, status_argv, no_environ))
		pid = -1;
	signal(SIGPROF, SIG_DFL);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return same_waited(pid);
}

static void *
print_mask(void *arg)
{
	sigset_t s;

	sigprocmask(SIG_BLOCK, NULL, &s);
	printf("\tthread %#llx\n", (unsigned long long)same_bits(&s));
	return arg;
}

/* Ticks wait while it runs; no child is to inherit that. */
static void
make_children(int sig)
{
	pthread_t id;
	pid_t pid = -1;

	(void)sig;
	posix_spawn(&pid, "/bin/grep", NULL, NULL, status_argv, no_environ);
	same_waited(pid);
	pthread_create(&id, NULL, print_mask, NULL);
	pthread_join(id, NULL);
	pid = fork();
	if (pid == 0) {
		print_mask(NULL);
		execve("/bin/grep", status_argv, no_environ);
	}
	same_waited(pid);
}

CALL(children_of_a_handler)
{
	struct sigaction a, old;

	memset(&a, 0, sizeof(a));
	a.sa_handler = make_children;
	a.sa_flags = SA_ONSTACK;
	sigaction(SIGWINCH, &a, &old);
	raise(SIGWINCH);
	sigaction(SIGWINCH, &old, NULL);
	errno = 77;
	return 0;
}

CALL(spawn_fails)
{
	pid_t pid;

	return posix_spawn(&pid, "/nonexistent", NULL, NULL, status_argv,
	    no_environ);
}

#define SHELL "unset LD_PRELOAD; exec grep -E 'Sig(Pnd|Blk|Ign)' /proc/self/status"

CALL(system_status)
{
	long r;

	same_block(SIG_BLOCK);
	r = system(SHELL);
	same_block(SIG_UNBLOCK);
	return r;
}

CALL(system_exit) { return system("exit 3"); }
CALL(system_signal) { return system("kill -9 $$"); }
CALL(system_null) { return system(NULL); }

CALL(popen_read)
{
	char line[256];
	FILE *f;

	same_block(SIG_BLOCK);
	f = popen(SHELL, "r");
	while (f && fgets(line, sizeof(line), f))
		fputs(line, stdout);
	same_block(SIG_UNBLOCK);
	return f ? pclose(f) : -1;
}

CALL(words)
{
	wordexp_t w;
	size_t i;
	long r;

	same_block(SIG_BLOCK);
	r = wordexp("$(" SHELL ")", &w, 0);
	same_block(SIG_UNBLOCK);
	for (i = 0; r == 0 && i < w.we_wordc; i++)
		printf("\t%s\n", w.we_wordv[i]);
	if (r == 0)
		wordfree(&w);
	return r;
}

CALL(words_forbidden)
{
	wordexp_t w;

	return wordexp("$(true)", &w, WRDE_NOCMD);
}

CALL(popen_bad) { return popen("true", "z") == NULL ? -1 : 0; }

#define ROW(name) { #name, name }
const struct same_call same_process[] = {
	ROW(directory), ROW(directory_missing), ROW(directory_null),
	ROW(directory_closed), ROW(directory_file),
	ROW(fork_exit), ROW(fork_state), ROW(fork_tight_stack),
	ROW(raw_fork), ROW(fork_bare), ROW(vfork_exec), ROW(execveat_by_libc),
	ROW(vfork_fails), ROW(exec_inherits), ROW(exec_pending),
	ROW(exec_ignored_prof), ROW(execl_fails), ROW(execlp_fails),
	ROW(execle_fails), ROW(execv_fails), ROW(execvp_fails),
	ROW(execvpe_fails), ROW(execve_fails), ROW(fexecve_fails),
	ROW(execveat_fails), ROW(fexecve_works), ROW(spawn_plain),
	ROW(spawn_attributes), ROW(children_of_a_handler),
	ROW(spawn_fails), ROW(system_status),
	ROW(system_exit), ROW(system_signal), ROW(system_null), ROW(popen_read),
	ROW(popen_bad), ROW(words), ROW(words_forbidden),
	{ NULL, NULL },
};
