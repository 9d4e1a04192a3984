/* Context: O.  Tests of core/hot/module/proc_info.c. */
#include "module/proc_info.h"
#include "target.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

Test(proc_info, small_files, .init = target_init, .fini = target_fini)
{
	const char *path = target_path("file");
	FILE *out = fopen(path, "w");
	char buf[16] = "...............";

	fputs("0123456789", out);
	fclose(out);
	cr_expect_eq(proc_info_read(path, buf, 12), 10);
	cr_expect_str_eq(buf, "0123456789");
	cr_expect_eq(proc_info_read(path, buf, 11), 10);
	cr_expect_str_eq(buf, "0123456789");
	cr_expect_eq(proc_info_read(path, buf, 4), 3);
	cr_expect_str_eq(buf, "012");
	cr_expect_eq(proc_info_read(target_path("none"), buf, 4), -ENOENT);
	cr_expect_eq(proc_info_read(config.directory, buf, 4), -EISDIR);
}

static uint64_t
field_22(int pid)
{
	char path[64], line[1024], *p;
	FILE *in;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	in = fopen(path, "r");
	cr_assert_not_null(in);
	cr_assert_not_null(fgets(line, sizeof line, in));
	fclose(in);
	p = strrchr(line, ')') + 1;
	for (int i = 3; i < 22; i++)
		p = strchr(p + 1, ' ');
	return strtoull(p, NULL, 10);
}

Test(proc_info, itself_and_others)
{
	uint64_t ticks = 0, again = 0;
	int parent = 0;

	cr_assert_eq(proc_info_stat(0, &parent, &ticks), 0);
	cr_expect_eq(parent, getppid());
	cr_expect_eq(ticks, field_22(getpid()));
	cr_assert_eq(proc_info_stat(getpid(), &parent, &again), 0);
	cr_expect_eq(again, ticks);
	cr_assert_eq(proc_info_stat(getppid(), &parent, &ticks), 0);
	cr_expect_eq(ticks, field_22(getppid()));
	cr_expect_neq(parent, getppid());
}

Test(proc_info, names_that_mislead)
{
	static const char *const names[] = {") R 1 2 3", "a b c", ")", "(",
	    ") ) ) ) ) ) )", "\n"};
	uint64_t want = field_22(getpid()), ticks;
	int parent;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		prctl(PR_SET_NAME, names[i]);
		parent = 0;
		ticks = 0;
		cr_assert_eq(proc_info_stat(0, &parent, &ticks), 0, "%s",
		    names[i]);
		cr_expect_eq(parent, getppid(), "%s: %d", names[i], parent);
		cr_expect_eq(ticks, want, "%s", names[i]);
	}
}

Test(proc_info, gone)
{
	pid_t pid = fork();
	uint64_t ticks;
	int parent;

	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	cr_expect_eq(proc_info_stat(pid, &parent, &ticks), -ENOENT);
	cr_expect_not(proc_info_has_libmon(pid, (char[4096]){0}, 4096));
}

Test(proc_info, boot_and_namespace)
{
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");
	char text[64], hex[40] = "";
	struct stat st;
	uint8_t id[16];

	cr_assert_not_null(fgets(text, sizeof text, in));
	fclose(in);
	cr_assert_eq(proc_info_boot_id(id), 0);
	for (int i = 0; i < 16; i++)
		sprintf(hex + strlen(hex), i == 4 || i == 6 || i == 8 ||
		    i == 10 ? "-%02x" : "%02x", id[i]);
	cr_expect_eq(strncmp(text, hex, 36), 0, "%s, not %s", hex, text);
	cr_assert_eq(stat("/proc/self/ns/pid", &st), 0);
	cr_expect_eq(proc_info_pid_namespace(), st.st_ino);
}

static void *
wait_here(void *barrier)
{
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return NULL;
}

Test(proc_info, counts_threads)
{
	unsigned before = proc_info_thread_count();
	pthread_barrier_t barrier;
	pthread_t thread[5];

	cr_assert_geq(before, 1);
	pthread_barrier_init(&barrier, NULL, 6);
	for (int i = 0; i < 5; i++)
		pthread_create(&thread[i], NULL, wait_here, &barrier);
	pthread_barrier_wait(&barrier);
	cr_expect_eq(proc_info_thread_count(), before + 5);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
}

static void
map_named(const char *path, int n)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(ftruncate(fd, 4096), 0);
	while (n-- > 0)
		cr_assert_neq(mmap(NULL, 4096, n % 2 ? PROT_READ : PROT_WRITE,
		    MAP_SHARED, fd, 0), MAP_FAILED);
	close(fd);
}

static bool
libmon_mapped(size_t room)
{
	static char scratch[8192];

	return proc_info_has_libmon(getpid(), scratch, room);
}

/* The one line that counts stands across the reads of every size. */
Test(proc_info, finds_libmon, .init = target_init, .fini = target_fini)
{
	map_named(target_path("xlibmon.so"), 2);
	map_named(target_path("libmon.s"), 2);
	for (size_t room = 200; room < 1100; room++)
		cr_assert_not(libmon_mapped(room), "%zu", room);
	cr_expect_not(libmon_mapped(8192));
	map_named(target_path("libmon.so"), 1);
	for (size_t room = 200; room < 1100; room++)
		cr_assert(libmon_mapped(room), "%zu", room);
	cr_expect(libmon_mapped(4096));
	cr_expect(libmon_mapped(8192));
}

/* A fork child, as the filter stays. */
static int
filter_comes(void)
{
	lineage.filtered = proc_info_is_filtered();
	if (proc_info_filter_came())
		return __LINE__;
	if (target_forbid(SYS_process_vm_readv, TARGET_ANY, EPERM) != 0)
		return __LINE__;
	/* Under an earlier filter another one is not seen. */
	if (proc_info_filter_came() == lineage.filtered)
		return __LINE__;
	lineage.filtered = true;
	return proc_info_filter_came() ? __LINE__ : 0;
}

Test(proc_info, sees_a_filter_come, .init = target_init, .fini = target_fini)
{
	int line = target_child(filter_comes);

	cr_expect_eq(line, 0, "line %d", line);
}
