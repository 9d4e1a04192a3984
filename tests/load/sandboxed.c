/*
 * Context: load.  A thread sets a seccomp filter by libc's own prctl(2), which
 * no preloaded library sees, sleeps and ends.  The filter kills for making a
 * thread and for opening a file or looking for one.
 *
 *	sandboxed all: the filter is set for all threads; some sleep and wake.
 *	sandboxed exec: a filter that kills for ftruncate(2) and for opening a
 *	file to write is set, and another program is executed.
 *	sandboxed exec seen: the filter is set by a call that is seen.
 *	sandboxed last: the first thread ends, and then the last one, with
 *	status 5, under the first filter.
 */
#include "load.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef SYS_clone3
#define SYS_clone3	435
#endif
#define DENY(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static struct sock_filter code[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	DENY(clone),
	DENY(clone3),
	DENY(openat),
	DENY(newfstatat),
	DENY(readlinkat),
	DENY(process_vm_readv),
	DENY(timer_create),
	DENY(ftruncate),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
static struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
static int (*own_prctl)(int option, ...);

static void *
nap(void *unused)
{
	LOAD_TRY(own_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(own_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	load_sleep(0.4);
	return unused;
}

static void
confine_and_execute(int seen)
{
	static struct sock_filter only[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		DENY(ftruncate),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	char *const none[] = { NULL };
	struct sock_fprog p = { sizeof(only) / sizeof(only[0]), only };

	LOAD_TRY(own_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY((seen ? prctl : own_prctl)(PR_SET_SECCOMP,
	    SECCOMP_MODE_FILTER, &p));
	execl("./missing", "missing", (char *)NULL);
	/* not profiled: the filter may kill the next image for its own file */
	execle("/bin/echo", "echo", "executed", (char *)NULL, none);
	load_die("execle");
}

static long (*own_syscall)(long number, ...);
static _Atomic int over;

static void *
confine_all(void *unused)
{
	LOAD_TRY(own_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(own_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, &program));
	load_sleep(0.4);
	over = 1;
	return unused;
}

static void *
sleep_often(void *unused)
{
	while (!over)
		load_sleep(0.001);
	return unused;
}

static void *
end_last(void *unused)
{
	load_sleep(1);	/* the first thread has ended, which is found */
	LOAD_TRY(own_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(own_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	syscall(SYS_exit, 5);
	return unused;
}

static void
end_before_another(void)
{
	pthread_t t;

	LOAD_TRY(-pthread_create(&t, NULL, end_last, NULL));
	syscall(SYS_exit, 3);
}

int
main(int argc, char **argv)
{
	const int all = argc > 1 && strcmp(argv[1], "all") == 0;
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	pthread_t t, sleepers[4];

	if (libc == NULL)
		load_die("libc.so.6");
	*(void **)&own_prctl = dlsym(libc, "prctl");
	*(void **)&own_syscall = dlsym(libc, "syscall");
	/* stdio looks at the file at its first output */
	puts("begins");
	fflush(stdout);
	load_burn(0.05);
	for (int i = 0; all && i < 4; i++)
		LOAD_TRY(-pthread_create(&sleepers[i], NULL, sleep_often,
		    NULL));
	load_sleep(0.2);
	if (argc > 1 && strcmp(argv[1], "exec") == 0)
		confine_and_execute(argc > 2);
	if (argc > 1 && strcmp(argv[1], "last") == 0)
		end_before_another();
	if (own_prctl == NULL || own_syscall == NULL || pthread_create(&t, NULL,
	    all ? confine_all : nap, NULL) != 0)
		load_die("pthread_create");
	pthread_join(t, NULL);
	for (int i = 0; all && i < 4; i++)
		pthread_join(sleepers[i], NULL);
	puts("ended");
	return 0;
}
