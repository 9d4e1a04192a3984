/* Context: load.  Behind a filter that kills for every system call but those
 * that the program makes itself: same_boxed WHAT. */
#include "load.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define ALLOW(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* The calls of main and of libc's fork, vfork, sem_post; no getpid or clock. */
static struct sock_filter code[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#define MASK_ALLOWED	1
	ALLOW(rt_sigprocmask),
	ALLOW(clone),
#ifdef SYS_vfork
	ALLOW(vfork),
#endif
	ALLOW(execve),
	ALLOW(exit),
	ALLOW(exit_group),
	ALLOW(futex),
	ALLOW(kill),
	ALLOW(ppoll),
	ALLOW(rt_sigaction),
	ALLOW(rt_sigreturn),
	ALLOW(set_robust_list),
	ALLOW(wait4),
	ALLOW(write),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
static sem_t ready, go, done;

static void
say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(9);
}

static void
confine(void)
{
	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, &program));
}

static void
await(pid_t pid)
{
	int status = -1;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		say("no child\n");
	else if (WIFSIGNALED(status))
		say("child killed\n");
	else
		say(WEXITSTATUS(status) == 3 ? "child ended\n" : "child odd\n");
}

static void
boxed_fork(void)
{
	pid_t pid;

	confine();
	pid = fork();
	if (pid == 0) {
		load_spin(50000000);
		say("child\n");
		_exit(3);
	}
	await(pid);
}

static void
boxed_vfork(void)
{
	char *argv[] = { (char *)"x", NULL };
	pid_t pid;

	confine();
	pid = vfork();
	if (pid == 0) {
		execve("/nonexistent", argv, argv + 1);
		_exit(errno == ENOENT ? 3 : 4);
	}
	await(pid);
}

static void *
wait_and_spin(void *arg)
{
	sem_post(&ready);
	sem_wait(&go);
	load_spin(50000000);
	sem_post(&done);
	sem_wait(&go);		/* for ever: libc's way out makes more calls */
	return arg;
}

/*
 * Makes threads and waits until each of them runs: libc's start of a thread
 * makes calls that no filter of ours allows.
 */
static void
begin_threads(pthread_t *id, int count, void *(*fn)(void *))
{
	for (int i = 0; i < count; i++)
		if (pthread_create(&id[i], NULL, fn, NULL) != 0)
			load_die("pthread_create");
	for (int i = 0; i < count; i++)
		sem_wait(&ready);
}

/* Threads that no tick has hit before. */
static void
boxed_threads(void)
{
	pthread_t id[4];
	int i;

	begin_threads(id, 4, wait_and_spin);
	confine();
	for (i = 0; i < 4; i++)
		sem_post(&go);
	for (i = 0; i < 4; i++)
		sem_wait(&done);
}

static void
note(int sig)
{
	(void)sig;
}

static void
boxed_signals(void)
{
	struct sigaction a = { .sa_handler = note, .sa_flags = SA_ONSTACK };
	sigset_t set, old;

	confine();
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	load_spin(20000000);
	sigprocmask(SIG_SETMASK, NULL, &old);
	say(sigismember(&old, SIGPROF) ? "blocked\n" : "open\n");
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigaction(SIGPROF, &a, NULL);
	sigaction(SIGUSR1, &a, NULL);
	load_spin(20000000);
	signal(SIGPROF, SIG_IGN);
	load_spin(20000000);
}

static void *
spin(void *arg)
{
	sem_post(&ready);
	for (;;)
		load_spin(1000000);
	return arg;
}

static void
forbid(unsigned call)
{
	size_t i;

	for (i = 0; i < program.len; i++)
		if (code[i].k == call)
			code[i].k = SYS_write;
}

/* A handler may not return, in a thread that does not ask for that either. */
static void
boxed_no_return(void)
{
	pthread_t id;

	begin_threads(&id, 1, spin);
	load_burn(0.1);
	load_sleep(0.1);
	forbid(SYS_rt_sigreturn);
	confine();
	load_spin(100000000);
}

/* A first filter allows everything, the second no return. */
static void
boxed_twice(void)
{
	struct sock_filter yes[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog first = { 1, yes };

	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &first));
	load_spin(20000000);
	forbid(SYS_rt_sigreturn);
	confine();
	load_spin(100000000);
}

/* Not even a look at the mask: only ppoll is called. */
static void
boxed_waits(void)
{
	const struct timespec t = { 0, 1000 };
	sigset_t none;

	sigemptyset(&none);
	code[MASK_ALLOWED].k = SYS_ppoll;
	confine();
	load_spin(20000000);
	if (ppoll(NULL, 0, &t, &none) != 0)
		say("poll failed\n");
}

static void
boxed_pending(void)
{
	pid_t pid = getpid();
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	code[MASK_ALLOWED].k = SYS_rt_sigpending;
	confine();
	kill(pid, SIGUSR1);
	load_spin(20000000);
	sigpending(&set);
	say(sigismember(&set, SIGUSR1) ? "pending\n" : "not pending\n");
	say(sigismember(&set, SIGPROF) ? "SIGPROF too\n" : "alone\n");
}

/* Limits by a number that libc uses no more, and of memory that is none. */
static void
boxed_limits(void)
{
	const struct { uint64_t now, most; } few = { 4, 4 };

	code[MASK_ALLOWED].k = SYS_setrlimit;
	confine();
	if (syscall(SYS_setrlimit, RLIMIT_NOFILE, (void *)8) != -1 ||
	    errno != EFAULT)
		say("no fault\n");
	if (syscall(SYS_setrlimit, RLIMIT_NOFILE, &few) != 0)
		say("limit refused\n");
}

/* It waits for ever: nobody asks for it. */
static void
boxed_foreign(void)
{
	pid_t pid = getpid();
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	sigprocmask(SIG_BLOCK, &set, NULL);
	confine();
	kill(pid, SIGPROF);
	load_spin(20000000);
}

static void
handle(int sig)
{
	say(sig == SIGBUS ? "SIGBUS\n" : "SIGPROF\n");
}

static void
handle_and_end(int sig)
{
	handle(sig);
	say("end\n");
	_exit(0);
}

/* One page of a file without any. */
static const volatile char *
map_nothing(void)
{
	int fd = memfd_create("empty", 0);
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		load_die("mmap");
	return page;
}

/* A fault of its own, and not a look at the mask. */
static void
boxed_bus(void)
{
	struct sigaction a = { .sa_handler = handle_and_end };
	const volatile char *page = map_nothing();

	LOAD_TRY(sigaction(SIGBUS, &a, NULL));
	load_burn(0.02);
	code[MASK_ALLOWED].k = SYS_ppoll;
	confine();
	(void)*page;
}

/* A fault that nobody handles, where no call could make it deadly. */
static void
boxed_fault(void)
{
	const volatile char *page = map_nothing();

	load_burn(0.02);
	forbid(SYS_rt_sigaction);
	confine();
	(void)*page;
}

/* Its SIGPROF, with a handler from before and one from behind the filter. */
static void
boxed_profs(void)
{
	struct sigaction a = { .sa_handler = note };
	pid_t pid = getpid();
	pthread_t id;

	begin_threads(&id, 1, wait_and_spin);
	LOAD_TRY(sigaction(SIGPROF, &a, NULL));
	load_burn(0.02);
	code[MASK_ALLOWED].k = SYS_ppoll;
	confine();
	kill(pid, SIGPROF);
	load_spin(20000000);
	a.sa_handler = handle;
	sigaction(SIGPROF, &a, NULL);
	kill(pid, SIGPROF);
	load_spin(20000000);
}

static void
boxed_late_prof(void)
{
	struct sigaction a = { .sa_handler = handle };
	pid_t pid = getpid();

	code[MASK_ALLOWED].k = SYS_ppoll;
	confine();
	sigaction(SIGPROF, &a, NULL);
	kill(pid, SIGPROF);
	load_spin(20000000);
}

static const struct {
	const char *name;
	void (*go)(void);
} boxed[] = {
	{ "fork", boxed_fork }, { "vfork", boxed_vfork },
	{ "threads", boxed_threads }, { "signals", boxed_signals },
	{ "waits", boxed_waits }, { "no_return", boxed_no_return },
	{ "bus", boxed_bus }, { "profs", boxed_profs },
	{ "late_prof", boxed_late_prof }, { "pending", boxed_pending },
	{ "foreign", boxed_foreign }, { "twice", boxed_twice },
	{ "fault", boxed_fault }, { "limits", boxed_limits },
};

int
main(int argc, char **argv)
{
	size_t i;

	sem_init(&ready, 0, 0);
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	load_burn(0.02);
	for (i = 0; i < sizeof(boxed) / sizeof(boxed[0]); i++)
		if (argc > 1 && strcmp(argv[1], boxed[i].name) == 0) {
			boxed[i].go();
			say("end\n");
			_exit(0);
		}
	return 2;
}
