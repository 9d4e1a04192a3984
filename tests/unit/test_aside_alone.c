/* Context: O.  Tests of core/hot/aside.c: a process of one thread. */
#include "aside.h"
#include "birth.h"
#include "modules.h"
#include "store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(aside_alone, .init = target_init, .fini = target_fini);

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

	if (aside(look_and_close, &l) != 7)
		return __LINE__;
	if (l.tid != gettid() || atomic_load(&mon->asides) != 0)
		return __LINE__;
	return target_descriptors() == before ? 0 : __LINE__;
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
	if (aside(raise_there, NULL) != 0)
		return __LINE__;
	return handled == SIGUSR1 ? 0 : __LINE__;
}

/* Without a free descriptor here there are some in a table of its own. */
static int
without_descriptors(void)
{
	struct look l = {0};
	struct rlimit r = {64, 64};

	mon->pid = getpid();
	setrlimit(RLIMIT_NOFILE, &r);
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	if (aside(look_and_close, &l) != 7)
		return __LINE__;
	return l.tid != gettid() ? 0 : __LINE__;
}

/* Another process may have the same descriptors, or the same memory. */
static int
shared_with_another_process(void)
{
	struct look l = {0};

	mon->pid = getpid();
	atomic_store(&view.files_shared, true);
	if (aside(look_and_close, &l) != 7 || l.tid == gettid())
		return __LINE__;
	atomic_store(&view.files_shared, false);
	atomic_store(&view.vforks, 1);
	if (aside(look_and_close, &l) != 7 || l.tid == gettid())
		return __LINE__;
	return 0;
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
	if (!birth_attempt())
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

Test(aside_alone, runs_here)
{
	of_one_thread(runs_here);
}

Test(aside_alone, locks_of_the_program)
{
	of_one_thread(lock_of_data);
	of_one_thread(lock_of_the_executable);
	of_one_thread(lock_of_an_old_profile);
}

Test(aside_alone, no_handler_runs_there)
{
	of_one_thread(no_handler_runs_there);
}

Test(aside_alone, descriptors_all_taken)
{
	of_one_thread(without_descriptors);
}

Test(aside_alone, shared_with_another_process)
{
	of_one_thread(shared_with_another_process);
}
