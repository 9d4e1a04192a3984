/* Context: load.  Timers, processes, threads and memory, for pointers.c. */
#include "pointers.h"

#include "load.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <wordexp.h>

static struct itimerval timer = {{0, 0}, {0, 0}};
static struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
	.sigev_signo = SIGUSR2};
static struct sigevent event_prof = {.sigev_notify = SIGEV_SIGNAL,
	.sigev_signo = SIGPROF};
static timer_t timer_room;
static const char program[] = "/bin/true", gone[] = "/nonexistent/x";
static const char shell[] = "exit 3", mode[] = "r", name[16] = "a name";
static char *arguments[] = {(char *)"true", NULL};
static char *environment[] = {(char *)"A=B", NULL};
static char *bad_arguments[] = {(char *)"true", (char *)8, NULL};
static struct rlimit few = {64 << 20, RLIM_INFINITY};
static pid_t child;
static wordexp_t words;
static struct flock lock;
static pthread_t thread;
static thrd_t thrd;
static pthread_attr_t attributes;
static void *block;
static struct sock_filter allow[] = {{BPF_RET | BPF_K, 0, 0,
	SECCOMP_RET_ALLOW}};
static struct sock_fprog filter = {1, allow};

#define CALL(name, call)						\
static long								\
name(void *const *p)							\
{									\
	(void)p;							\
	return call;							\
}
CALL(set_real, setitimer(ITIMER_REAL, p[0], p[1]))
CALL(set_virtual, setitimer(ITIMER_VIRTUAL, p[0], p[1]))
CALL(set_prof, setitimer(ITIMER_PROF, p[0], p[1]))
CALL(set_odd, setitimer((__itimer_which_t)9, p[0], p[1]))
CALL(get_real, getitimer(ITIMER_REAL, p[0]))
CALL(get_prof, getitimer(ITIMER_PROF, p[0]))
CALL(create, timer_create(CLOCK_REALTIME, p[0], p[1]))
CALL(raw_unshare, syscall(SYS_unshare, 1L << 40))
CALL(create_odd, timer_create(99, p[0], p[1]))
CALL(exec_ve, execve(p[0], p[1], p[2]))
CALL(exec_v, execv(p[0], p[1]))
CALL(exec_vp, execvp(p[0], p[1]))
CALL(exec_vpe, execvpe(p[0], p[1], p[2]))
CALL(exec_l, execl(p[0], p[1], NULL))
CALL(exec_lp, execlp(p[0], p[1], NULL))
CALL(exec_at, execveat(AT_FDCWD, p[0], p[1], p[2], 0))
CALL(exec_at_odd, execveat(-1, p[0], p[1], p[2], 0x77777))
CALL(exec_fd, fexecve(open(program, O_PATH), p[0], p[1]))
CALL(raw_exec, syscall(SYS_execve, p[0], p[1], p[2]))
CALL(go_to, chdir(p[0]))
CALL(change_root, chroot(p[0]))
CALL(limit_files, setrlimit(RLIMIT_NOFILE, p[0]))
CALL(limit_bytes, prlimit(0, RLIMIT_FSIZE, p[0], p[1]))
CALL(set_name, prctl(PR_SET_NAME, p[0]))
CALL(get_name, prctl(PR_GET_NAME, p[0]))
CALL(set_filter, prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, p[0]))
CALL(raw_filter, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, p[0]))
CALL(raw_filter_odd, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0x7000,
    p[0]))
CALL(get_lock, fcntl(0, F_GETLK, p[0]))
CALL(get_owner, fcntl(0, F_GETOWN_EX, p[0]))
CALL(align, posix_memalign(p[0], 64, 100))
CALL(unmap, munmap(p[0], 4096))
CALL(remap, mremap(p[0], 4096, 8192, 0) == MAP_FAILED ? -1 : 0)
CALL(close_object, dlclose(p[0]))

static long
spawned(int error)
{
	if (error == 0)
		waitpid(child, NULL, 0);
	return error;
}

CALL(spawn, spawned(posix_spawn(p[0], p[1], NULL, NULL, p[2], p[3])))
CALL(spawn_p, spawned(posix_spawnp(p[0], p[1], NULL, NULL, p[2], p[3])))
CALL(shell_out, system(p[0]))
CALL(expand, wordexp(p[0], p[1], 0))

static long
open_pipe(void *const *p)
{
	FILE *f = popen(p[0], p[1]);

	return f == NULL ? -1 : pclose(f);
}

static void *
run_thread(void *argument)
{
	return argument;
}

static int
run_thrd(void *argument)
{
	(void)argument;
	return 5;
}

static long
new_thread(void *const *p)
{
	long ret = pthread_create(p[0], p[1], run_thread, p[2]);

	if (ret == 0)
		ret = pthread_join(*(pthread_t *)p[0], NULL);
	return ret;
}

static long
new_thrd(void *const *p)
{
	return thrd_create(p[0], run_thrd, p[1]);
}

static int
run_process(void *argument)
{
	(void)argument;
	_exit(5);
}

static long
new_process(void *const *p)
{
	static char stack[65536] __attribute__((aligned(16)));
	int status = 0;
	pid_t pid = clone(run_process, stack + sizeof(stack),
	    CLONE_PARENT_SETTID | SIGCHLD, NULL, p[0], NULL, NULL);

	if (pid < 0)
		return -1;
	memset(p[0], 0, sizeof(pid));
	waitpid(pid, &status, 0);
	return status;
}

#define TIMERS {LIKE(timer), GOOD(timer, sizeof(timer))}
#define EXEC {LIKE(program), LIKE(arguments), LIKE(environment)}

const struct pointers_call pointers_others[] = {
	{"setitimer_real", set_real, {LIKE(timer), LIKE(timer)}},
	{"setitimer_virtual", set_virtual, TIMERS},
	{"setitimer_prof", set_prof, TIMERS},
	{"setitimer_odd", set_odd, TIMERS},
	{"getitimer_real", get_real, {LIKE(timer)}},
	{"getitimer_prof", get_prof, {GOOD(timer, sizeof(timer))}},
	{"timer_create", create, {LIKE(event), LIKE(timer_room)}},
	{"timer_create_prof", create, {LIKE(event_prof), LIKE(timer_room)}},
	{"timer_create_odd", create_odd, {LIKE(event), LIKE(timer_room)}},
	{"execve", exec_ve, EXEC},
	{"execve_gone", exec_ve,
	    {LIKE(gone), LIKE(arguments), LIKE(environment)}},
	{"execve_bad", exec_ve,
	    {LIKE(program), LIKE(bad_arguments), LIKE(environment)}},
	{"execv", exec_v, {LIKE(program), LIKE(arguments)}},
	{"execvp", exec_vp, {LIKE(program), LIKE(arguments)}},
	{"execvpe", exec_vpe, EXEC},
	{"execl", exec_l, {LIKE(program), LIKE(program)}},
	{"execlp", exec_lp, {LIKE(program), LIKE(program)}},
	{"execveat", exec_at, EXEC},
	{"execveat_odd", exec_at_odd, EXEC},
	{"fexecve", exec_fd, {LIKE(arguments), LIKE(environment)}},
	{"raw_execve", raw_exec, EXEC},
	{"posix_spawn", spawn, {LIKE(child), LIKE(program), LIKE(arguments),
	    LIKE(environment)}},
	{"posix_spawnp", spawn_p, {LIKE(child), LIKE(program), LIKE(arguments),
	    LIKE(environment)}},
	{"system", shell_out, {LIKE(shell)}},
	{"popen", open_pipe, {LIKE(shell), LIKE(mode)}},
	{"wordexp", expand, {LIKE(name), LIKE(words)}},
	{"raw_unshare", raw_unshare, {{0}}},
	{"chdir", go_to, {LIKE(gone)}},
	{"chroot", change_root, {LIKE(gone)}},
	{"setrlimit", limit_files, {LIKE(few)}},
	{"prlimit", limit_bytes, {LIKE(few), GOOD(few, sizeof(few))}},
	{"prctl_set_name", set_name, {LIKE(name)}},
	{"prctl_get_name", get_name, {GOOD(name, sizeof(name))}},
	{"prctl_filter", set_filter, {LIKE(filter)}},
	{"raw_filter", raw_filter, {LIKE(filter)}},
	{"raw_filter_odd", raw_filter_odd, {LIKE(filter)}},
	{"fcntl_lock", get_lock, {LIKE(lock)}},
	{"fcntl_owner", get_owner, {LIKE(lock)}},
	{"posix_memalign", align, {LIKE(block)}},
	{"munmap", unmap, {LIKE(block)}},
	{"mremap", remap, {LIKE(block)}},
	{"dlclose", close_object, {LIKE(block)}},
	{"pthread_create", new_thread, {LIKE(thread), LIKE(attributes),
	    LIKE(block)}},
	{"thrd_create", new_thrd, {LIKE(thrd), LIKE(block)}},
	{"clone", new_process, {LIKE(child)}},
	{NULL, NULL, {{0}}},
};
