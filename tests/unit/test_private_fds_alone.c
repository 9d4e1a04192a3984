/* Context: O.  Tests of core/hot/thread/private_fds.c: a process of one
 * thread. */
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "target.h"
#include "thread/private_fds.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(private_fds_alone, .init = target_init, .fini = target_fini);

/* As callers do: nothing stays open. */
struct look {
	int tid;
};

static int
look_and_close(void *arg)
{
	int fd = sys_open("/dev/null", O_RDONLY, 0);

	((struct look *)arg)->tid = sys_gettid();
	if (fd < 0)
		return fd;
	sys_close(fd);
	return 7;
}

/* One thread has nobody to hide from: nothing is made, nothing is noted. */
static int
runs_here(void)
{
	struct look l = {0};
	unsigned before = target_descriptors();

	if (private_fds_run(look_and_close, &l) != 7)
		return __LINE__;
	if (l.tid != gettid() || atomic_load(&mon->asides) != 0)
		return __LINE__;
	return target_descriptors() == before ? 0 : __LINE__;
}

/* As a function does that opens a file outside /proc. */
static int
only_in_own_table(void *arg)
{
	struct look *l = arg;

	if (private_fds_is_shared())
		return PRIVATE_FDS_RETRY;
	l->tid = sys_gettid();
	return 9;
}

static int
run_within_run(void *arg)
{
	struct look l = {0};

	if (!private_fds_is_shared())
		return __LINE__;
	if (private_fds_run(look_and_close, &l) != 7 || l.tid != gettid())
		return __LINE__;
	if (!private_fds_is_shared())
		return __LINE__;
	if (private_fds_run(only_in_own_table, arg) != 9)
		return __LINE__;
	return private_fds_is_shared() ? 0 : __LINE__;
}

/* A function that runs another one has the program's table after that, too. */
static int
nested_runs(void)
{
	struct look l = {0};
	int line;

	mon->pid = getpid();
	line = private_fds_run(run_within_run, &l);
	if (line != 0)
		return line;
	if (l.tid == 0 || l.tid == gettid())
		return __LINE__;
	return private_fds_is_shared() ? __LINE__ : 0;
}

/* Signals wait: a handler would find our descriptors. */
static volatile sig_atomic_t handled;

static void
note_signal(int sig)
{
	handled = sig;
}

static int
raise_there(void *arg)
{
	(void)arg;
	sys_tgkill(sys_getpid(), sys_gettid(), SIGUSR1);
	return handled;
}

static int
no_handler_runs_there(void)
{
	signal(SIGUSR1, note_signal);
	if (private_fds_run(raise_there, NULL) != 0)
		return __LINE__;
	return handled == SIGUSR1 ? 0 : __LINE__;
}

/* Without a free descriptor here there are some in a table of its own. */
static int
with_descriptors(int left)
{
	struct look l = {0};
	struct rlimit r = {64, 64};
	int fd, highest = 0;

	mon->pid = getpid();
	setrlimit(RLIMIT_NOFILE, &r);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		highest = fd;
	while (left-- > 0)
		close(highest--);
	if (private_fds_run(look_and_close, &l) != 7)
		return __LINE__;
	return l.tid != gettid() ? 0 : __LINE__;
}

static int
without_descriptors(void)
{
	return with_descriptors(0);
}

/* Some functions have several files open at a time. */
static int
with_one_descriptor(void)
{
	return with_descriptors(1);
}

/* Another process may have the same descriptors, or the same memory. */
static int
shared_with_another_process(void)
{
	struct look l = {0};

	mon->pid = getpid();
	atomic_store(&virtual_signals.files_shared, true);
	if (private_fds_run(look_and_close, &l) != 7 || l.tid == gettid())
		return __LINE__;
	atomic_store(&virtual_signals.files_shared, false);
	atomic_store(&virtual_signals.vforks, 1);
	if (private_fds_run(look_and_close, &l) != 7 || l.tid == gettid())
		return __LINE__;
	return 0;
}

static int
stop_process(void *arg)
{
	(void)arg;
	sys_tgkill(sys_getpid(), sys_gettid(), SIGSTOP);
	return 7;
}

/*
 * The thread receives a stop signal while it works: its caller must stop, too.
 */
static int
stopped_child(void)
{
	int status, told = 0;
	unsigned i;
	pid_t pid = fork();

	if (pid == 0) {
		mon->pid = getpid();
		atomic_store(&virtual_signals.files_shared, true);
		_exit(private_fds_run(stop_process, NULL));
	}
	for (i = 0; told == 0 && i < 1000; i++) {
		told = waitpid(pid, &status, WUNTRACED | WNOHANG);
		usleep(5000);
	}
	if (told != pid || !WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		return __LINE__;
	}
	kill(pid, SIGCONT);
	if (waitpid(pid, &status, 0) != pid)
		return __LINE__;
	return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : __LINE__;
}

/* A signal that another process sends reaches the program's handler later. */
static int
signal_process(void *arg)
{
	volatile unsigned char deep[4096];
	unsigned i;

	for (i = 0; i < sizeof deep; i++)
		deep[i] = (unsigned char)i;
	sys_tgkill(sys_getpid(), *(int *)arg, SIGSEGV);
	for (i = 0; i < sizeof deep; i++)
		if (deep[i] != (unsigned char)i)
			return -EFAULT;
	return handled;
}

static int
sent_fault(void)
{
	int tid = gettid();

	mon->pid = getpid();
	atomic_store(&virtual_signals.files_shared, true);
	signal(SIGSEGV, note_signal);
	if (private_fds_run(signal_process, &tid) != 0)
		return __LINE__;
	return handled == SIGSEGV ? 0 : __LINE__;
}

/* kcmp(2) tells whether two processes have the same list: neither has one. */
static int
semaphores(void)
{
	struct look l = {0};
	pid_t pid = fork();
	long same;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	mon->pid = getpid();
	atomic_store(&virtual_signals.files_shared, true);
	if (private_fds_run(look_and_close, &l) != 7 || l.tid == gettid())
		return __LINE__;
	same = syscall(SYS_kcmp, getpid(), pid, 6 /* KCMP_SYSVSEM */, 0, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* -1: this kernel does not compare. */
	return same <= 0 ? 0 : __LINE__;
}

/* Does another process find the file locked? */
static bool
is_locked(int fd)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(fcntl(fd, F_GETLK, &l) == 0 && l.l_type != F_UNLCK);
	return waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 1;
}

/* The program's record locks go with any descriptor of the file that closes. */
static int
locks(const char *path, int flags, short type)
{
	struct flock l = {.l_type = type, .l_whence = SEEK_SET};
	int fd = open(path, flags, 0600);

	mon->pid = getpid();
	if (fd < 0 || ((flags & O_CREAT) != 0 && ftruncate(fd, 5000) != 0))
		return __LINE__;
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
	    MAP_FAILED || fcntl(fd, F_SETLK, &l) != 0)
		return __LINE__;
	if (!is_locked(fd))
		return __LINE__;
	if (!store_create_try())
		return __LINE__;
	if (!is_locked(fd))
		return __LINE__;
	modules_refresh();
	if (store_header()->loss[LOSS_MODULE_READ] != 0)
		return __LINE__;
	return is_locked(fd) ? 0 : __LINE__;
}

static int
lock_of_data(void)
{
	return locks(target_path("data"), O_RDWR | O_CREAT, F_WRLCK);
}

static int
lock_of_the_executable(void)
{
	if (target_forbid(SYS_process_vm_readv, TARGET_ANY, EPERM) != 0)
		return __LINE__;
	return locks("/proc/self/exe", O_RDONLY, F_RDLCK);
}

static int
lock_of_an_old_profile(void)
{
	config.place = CONFIG_PLACE_PLAIN;
	return locks(target_path("mon.out"), O_RDWR | O_CREAT, F_WRLCK);
}

/* A fork child has one thread, whatever the test runner has. */
static void
of_one_thread(int (*fn)(void))
{
	int line = target_child(fn);

	cr_expect_eq(line, 0, "line %d", line);
}

Test(private_fds_alone, runs_here)
{
	of_one_thread(runs_here);
}

Test(private_fds_alone, locks_of_the_program)
{
	of_one_thread(lock_of_data);
	of_one_thread(lock_of_the_executable);
	of_one_thread(lock_of_an_old_profile);
}

Test(private_fds_alone, nested_runs)
{
	of_one_thread(nested_runs);
}

Test(private_fds_alone, no_handler_runs_there)
{
	of_one_thread(no_handler_runs_there);
}

Test(private_fds_alone, descriptors_all_taken)
{
	of_one_thread(without_descriptors);
	of_one_thread(with_one_descriptor);
}

Test(private_fds_alone, shared_with_another_process)
{
	of_one_thread(shared_with_another_process);
}

Test(private_fds_alone, stop_signals_stop_its_caller)
{
	of_one_thread(stopped_child);
}

Test(private_fds_alone, fault_signals_sent_by_another_thread_wait)
{
	of_one_thread(sent_fault);
}

Test(private_fds_alone, no_list_of_semaphores)
{
	of_one_thread(semaphores);
}
