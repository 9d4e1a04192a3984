/* Context: O.  Tests of core/runtime/life: how a fork child begins. */
#include "life/process_fork.h"
#include "life/start.h"
#include "target.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A signal in the midst: where the child first asks for the time. */
static int
trap_the_clock(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLOCK_PROCESS_CPUTIME_ID,
		    0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {6, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static volatile int interrupted;

/* As a hook in a handler does. */
static void
begin_too(int sig)
{
	(void)sig;
	if (interrupted++ == 0)
		process_fork_begin_child();
}

/* libmon's own handler for a fork child is that of pthread_atfork(3). */
static void
interrupt_it(void)
{
	struct sigaction a = {.sa_handler = begin_too, .sa_flags = SA_NODEFER};

	sigaction(SIGSYS, &a, NULL);
	if (trap_the_clock() != 0)
		_exit(99);
}

static int
slots_in_child(void)
{
	if (interrupted < 2)
		return __LINE__;	/* both asked for the time */
	if (!mon->forked || lineage.image_pid != getppid())
		return __LINE__;
	return mon->pid == getpid() && atomic_load(&mon->live) == 1 &&
	    atomic_load(&mon->timers) == 1 ? 0 : __LINE__;
}

Test(start, a_child_begins_once)
{
	char place[] = "/tmp/libmon-start-XXXXXX";
	int line;

	cr_assert_not_null(mkdtemp(place));
	setenv("PROFDIR", place, 1);
	/* A tick would come at once, make the file, and ask for the time. */
	setenv("PROFOPTS", "tier=timer,hz=1", 1);
	pthread_atfork(NULL, NULL, interrupt_it);
	start_library(environ);
	cr_assert_eq(atomic_load(&mon->live), 1);
	line = target_child(slots_in_child);
	rmdir(place);
	cr_expect_eq(line, 0, "line %d", line);
}
