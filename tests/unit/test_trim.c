/* Context: O.  Tests of core/load/trim.c, and of process_state.c for it. */
#include "load.h"
#include "process_state.h"

#include "build.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAP	(1 << 20)

TestSuite(trim, .init = compile_init, .fini = compile_fini);

static struct build b;
static struct fault fault;
static const char *path;

/* Returns a process number that is in use no more. */
static pid_t
ended(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	return pid;
}

/* Makes a file as a killed process leaves it: live, and as long as its cap. */
static void
left_by(pid_t pid)
{
	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1, 1000);
	build_here(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->euid = geteuid();
}

/* Reads the file and returns its length after that. */
static off_t
read_it(void)
{
	struct load l;
	struct stat st;

	path = compile_path("left");
	cr_assert_eq(build_save(&b, path), 0);
	cr_assert_eq(truncate(path, CAP), 0);
	cr_assert_eq(load_open(&l, path, &fault), 0, "%s", fault.what);
	load_close(&l);
	cr_assert_eq(stat(path, &st), 0);
	return st.st_size;
}

static off_t
used(void)
{
	return (off_t)(build_header(&b)->used & ~(uint64_t)FORMAT_CLOSED);
}

Test(trim, what_a_process_left_that_is_gone)
{
	struct load first, again;
	struct stat st;
	const struct timespec old[2] = { { 1000, 5 }, { 2000, 7 } };

	left_by(ended());
	cr_assert_eq(build_save(&b, path = compile_path("left")), 0);
	cr_assert_eq(truncate(path, CAP), 0);
	cr_assert_eq(utimensat(AT_FDCWD, path, old, 0), 0);
	cr_assert_eq(load_open(&first, path, &fault), 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, used());
	cr_expect_eq(st.st_mtim.tv_sec, 2000);
	cr_expect_eq(st.st_mtim.tv_nsec, 7);
	cr_assert_eq(load_open(&again, path, &fault), 0);
	cr_expect_eq(first.copy.size, again.copy.size);
	cr_expect_eq(memcmp(first.copy.bytes, again.copy.bytes,
	    first.copy.size), 0, "nothing is lost");
	cr_expect_not(again.decode.sealed);
	load_close(&first);
	load_close(&again);
}

Test(trim, the_number_was_given_to_another)
{
	left_by(getpid());
	build_header(&b)->start_ticks = 1;
	cr_expect_eq(read_it(), used());
}

/* An exec beside threads seals the file, and does not truncate it. */
Test(trim, what_an_image_left_beside_threads)
{
	left_by(ended());
	build_seal(&b, FORMAT_END_EXEC, 0);
	cr_expect_eq(read_it(), used());
	left_by(getpid());
	build_header(&b)->start_ticks = 0;
	build_seal(&b, FORMAT_END_EXEC, 0);
	cr_expect_eq(read_it(), used(), "of another process of that number");
	left_by(ended());
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_expect_eq(read_it(), CAP, "nobody leaves such a file");
}

static void
stays(const char *why)
{
	cr_expect_eq(read_it(), CAP, "%s", why);
}

Test(trim, nothing_where_it_may_be_written)
{
	int status;
	pid_t pid;

	left_by(ended());
	build_header(&b)->boot_id[0] ^= 1;
	stays("another boot");
	build_header(&b)->boot_id[0] ^= 1;
	build_header(&b)->pid_namespace++;
	stays("another namespace");
	build_header(&b)->pid_namespace = 0;
	stays("an unknown namespace");
	left_by(ended());
	build_header(&b)->end = FORMAT_END_DUMP;
	stays("a copy");
	left_by(ended());
	build_header(&b)->euid++;
	stays("a set-user-id program's");
	pid = fork();
	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT), 0);
	left_by(pid);
	stays("a zombie");
	waitpid(pid, &status, 0);
}

Test(trim, nothing_that_is_locked)
{
	struct load l;
	struct stat st;
	int fd;

	left_by(ended());
	path = compile_path("left");
	cr_assert_eq(build_save(&b, path), 0);
	cr_assert_eq(truncate(path, CAP), 0);
	fd = open(path, O_RDONLY);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	cr_assert_eq(load_open(&l, path, &fault), 0);
	load_close(&l);
	cr_assert_eq(fstat(fd, &st), 0);
	cr_expect_eq(st.st_size, CAP);
	close(fd);
}

static void *
outlive(void *arg)
{
	usleep(100000000);
	return arg;
}

/* /proc shows state Z for the process although other threads of it run. */
Test(trim, its_first_thread_alone_has_ended, .timeout = 20)
{
	struct format_header *h;
	char name[64], state = 0;
	pthread_t thread;
	pid_t pid = fork();
	FILE *f;

	if (pid == 0) {
		pthread_create(&thread, NULL, outlive, NULL);
		syscall(SYS_exit, 0);
	}
	snprintf(name, sizeof name, "/proc/%d/stat", pid);
	left_by(pid);
	h = build_header(&b);
	while (state != 'Z') {
		usleep(1000);
		f = fopen(name, "r");
		cr_assert_not_null(f);
		cr_assert_eq(fscanf(f, "%*d %*s %c %*d %*d %*d %*d %*d %*u "
		    "%*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %lu",
		    &state, &h->start_ticks), 2);
		fclose(f);
	}
	cr_expect_eq(process_state_check(h), 1);
	stays("a thread runs");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	cr_expect_eq(process_state_check(h), 0);
	cr_expect_eq(read_it(), used());
}
