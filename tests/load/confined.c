/* Context: load.  A program that confines itself as file(1) and sshd do: from
 * then on any system call that it does not make itself kills it.
 * confined prctl|seccomp|strict|thread, before and after it burns CPU time. */
#include "load.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ALLOW(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* The calls that main, the end of a process and a handler's return need. */
static struct sock_filter code[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(write),
	ALLOW(exit_group),
	ALLOW(rt_sigreturn),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
static volatile int started, stop;

static void *
spin(void *arg)
{
	started = 1;
	while (!stop)
		load_spin(1000000);
	return arg;
}

static void
confine(const char *how)
{
	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (strcmp(how, "seccomp") == 0)
		LOAD_TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_TSYNC, &program));
	else if (strcmp(how, "strict") == 0)
		LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
	else
		LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "prctl";
	double before = load_number(argc, argv, 2, 0.2), t;
	double after = load_number(argc, argv, 3, 0.5);
	uint64_t rounds;
	pthread_t id;

	t = load_clock(CLOCK_THREAD_CPUTIME_ID);
	load_spin(20000000);
	t = load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
	rounds = (uint64_t)(after / t * 20000000);
	load_burn(before);
	if (strcmp(how, "thread") == 0) {
		pthread_create(&id, NULL, spin, NULL);
		while (!started)
			load_sleep(0.001);
	}
	confine(how);
	load_spin(rounds);	/* no clock is allowed here */
	if (write(1, "confined\n", 9) != 9)
		return 1;
	if (strcmp(how, "strict") == 0)
		syscall(SYS_exit, 0);	/* exit_group is not among its four */
	_exit(0);
}
