/*
 * Context: O. Tests of core/hot/store/store_create.c and store_path.c: names
 * and headers.
 */
#include "born.h"
#include "count/live_control.h"
#include "module/proc_info.h"
#include "store/store.h"
#include "store/store_create.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(store_create, .init = target_init, .fini = target_fini);

Test(store_create, says_who_it_is)
{
	struct target_file t;
	struct format_header *h;
	char exe[PATH_MAX] = "";
	struct utsname u;
	uint64_t ticks;
	uint8_t boot[16];
	int parent;

	strcpy(config.options, "hz=77,size=1m");
	config.hz = 77;
	live_control_init();
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("%d.target"));
	target_read(&t, mon->store.path);
	h = &t.d.header;
	cr_expect_eq(h->state, FORMAT_LIVE);
	cr_expect_eq(h->version, FORMAT_VERSION);
	cr_expect_eq(h->machine, ARCH_MACHINE);
	cr_expect_eq(h->pid, getpid());
	cr_expect_eq(h->ppid, getppid());
	cr_expect_eq(h->uid, getuid());
	cr_expect_eq(h->image, 1);
	cr_expect_eq(h->cap, TARGET_CAP);
	cr_expect_eq(h->asked_hz, 77);
	cr_expect_eq(h->tick_ns, config.tick_ns);
	cr_expect_eq(h->signal, SIGPROF);
	cr_expect_eq(h->exit_status, -1);
	cr_assert_eq(proc_info_stat(0, &parent, &ticks), 0);
	cr_expect_eq(h->start_ticks, ticks);
	cr_expect_eq(h->run_pid, getpid());
	cr_expect_eq(h->run_start, ticks);
	cr_assert_eq(proc_info_boot_id(boot), 0);
	cr_expect_arr_eq(h->boot_id, boot, 16);
	cr_expect_eq(h->pid_namespace, proc_info_pid_namespace());
	cr_assert_gt(readlink("/proc/self/exe", exe, sizeof exe - 1), 0);
	cr_expect_str_eq(target_text(&t, h->exe), exe);
	uname(&u);
	cr_expect_str_eq(target_text(&t, h->host), u.nodename);
	cr_expect_str_eq(target_text(&t, h->options), "hz=77,size=1m");
	cr_expect_neq(h->cmdline, 0);
	target_read_fini(&t);
}

Test(store_create, a_file_of_one_s_own)
{
	unsigned before = target_descriptors();
	struct stat st;

	umask(0);
	target_birth();
	cr_expect_eq(target_descriptors(), before);
	cr_assert_eq(stat(mon->store.path, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	cr_expect_eq(st.st_size, TARGET_CAP);
	cr_expect_lt(st.st_blocks * 512, 4 * FORMAT_STEP, "sparse");
	cr_expect_eq(mon->store.inode, st.st_ino);
	cr_expect_not(store_create_try(), "there is one");
}

/* Its pages are not the child's: fork would count into its parent's file. */
static int
touch_the_store(void)
{
	return *(volatile unsigned char *)mon->store.base;
}

Test(store_create, not_for_fork_children)
{
	target_birth();
	cr_expect_eq(target_child(touch_the_store), -SIGSEGV);
}

Test(store_create, names_that_are_taken)
{
	static const char other[] = "not a profile";
	char bytes[sizeof other] = "";
	FILE *in;

	born_write(born_named("%d.target"), other, sizeof other);
	cr_assert_eq(symlink("/etc/passwd", born_named("%d.target.2")), 0);
	cr_assert_eq(mkdir(born_named("%d.target.3"), 0700), 0);
	cr_assert_eq(symlink("nowhere", born_named("%d.target.4")), 0);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("%d.target.5"));
	cr_expect_eq(store_header()->image, 1);
	in = fopen(born_named("%d.target"), "r");
	cr_assert_eq(fread(bytes, 1, sizeof bytes, in), sizeof bytes);
	cr_expect_str_eq(bytes, other);
	cr_expect_neq(access(target_path("nowhere"), F_OK), 0);
	fclose(in);
}

Test(store_create, the_image_after_exec)
{
	struct format_header *h = born_before();
	int parent;

	cr_assert_eq(proc_info_stat(0, &parent, &h->start_ticks), 0);
	/* The file is now of another process that had this pid before. */
	h->start_ticks--;
	h->image = 9;
	born_write(born_named("%d.target"), h, sizeof *h);
	h->start_ticks++;
	h->image = 1;
	born_write(born_named("%d.target.2"), h, sizeof *h);
	h->image = 2;
	born_write(born_named("%d.target.3"), h, sizeof *h);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("%d.target.4"));
	cr_expect_eq(store_header()->image, 3);
}

/* Lets this process have used n intervals of CPU time that no tick met. */
static void
use_intervals(uint64_t n)
{
	mon->cpu_birth_ns = sys_clock(CLOCK_PROCESS_CPUTIME_ID) -
	    n * config.tick_ns;
}

/* Its parent counts its time, and no report would name it. */
Test(store_create, a_fork_child_that_no_tick_met)
{
	mon->forked = true;
	use_intervals(1);
	cr_expect_not(store_create_used_cpu(), "too little");
	store_create_before_exit();
	cr_expect_null(store_header());
	use_intervals(6);
	atomic_store(&lineage.interval, 10 * config.tick_ns);
	cr_expect_not(store_create_used_cpu(), "a longer interval");
	atomic_store(&lineage.interval, 0);
	atomic_store(&mon->clockless, true);
	cr_expect_not(store_create_used_cpu(), "no clock runs");
	atomic_store(&mon->clockless, false);
	config.place = CONFIG_PLACE_FILE;
	cr_expect_not(store_create_used_cpu(), "it has one in any case");
	config.place = CONFIG_PLACE_PLAIN;
	cr_expect(store_create_used_cpu());
	config.place = CONFIG_PLACE_DIR;
	cr_expect(store_create_used_cpu());
	store_create_before_exit();
	cr_expect_not_null(store_header());
}

/* The first that is free, whatever their number. */
Test(store_create, after_many_images)
{
	char leaf[32];

	born_write(born_named("%d.target"), "", 0);
	for (unsigned i = 2; i <= 1500; i++) {
		snprintf(leaf, sizeof leaf, "%d.target.%u", getpid(), i);
		born_write(target_path(leaf), "", 0);
	}
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("%d.target.1501"));
}

Test(store_create, an_old_mon_out)
{
	struct format_header *h = born_before();

	config.place = CONFIG_PLACE_PLAIN;
	born_write(target_path("mon.out"), h, sizeof *h);
	target_birth();
	cr_expect_str_eq(mon->store.path, target_path("mon.out"));
	cr_expect_eq(store_header()->start_ticks, mon->start_ticks);
	cr_expect_gt(mon->start_ticks, 1);
}

/* A program that has one descriptor to spare. */
static int
one_descriptor(void)
{
	struct rlimit r = {64, 64};
	int fd, last = -1;

	mon->pid = getpid();
	setrlimit(RLIMIT_NOFILE, &r);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		last = fd;
	close(last);
	if (!store_create_try())
		return __LINE__;
	return strcmp(mon->store.path, target_path("mon.out")) == 0 ? 0 :
	    __LINE__;
}

Test(store_create, an_old_mon_out_and_one_descriptor)
{
	struct format_header *h = born_before();
	int line;

	config.place = CONFIG_PLACE_PLAIN;
	born_write(target_path("mon.out"), h, sizeof *h);
	line = target_child(one_descriptor);
	cr_expect_eq(line, 0, "line %d", line);
}

Test(store_create, a_mon_out_that_is_written)
{
	struct format_header *h = born_before();
	int parent;

	config.place = CONFIG_PLACE_PLAIN;
	h->pid = getppid();
	cr_assert_eq(proc_info_stat(h->pid, &parent, &h->start_ticks), 0);
	born_write(target_path("mon.out"), h, sizeof *h);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
}

Test(store_create, a_mon_out_of_somebody_else)
{
	config.place = CONFIG_PLACE_PLAIN;
	cr_assert_eq(symlink("victim", target_path("mon.out")), 0);
	born_write(target_path("victim"), born_before(), FORMAT_HEADER);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
	cr_expect_eq(access(target_path("victim"), F_OK), 0);
}

/* Only the name itself is ever replaced, never one that was made unique. */
Test(store_create, old_files_in_a_directory)
{
	born_write(born_named("%d.target"), born_before(), FORMAT_HEADER);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("%d.target.2"));
}

Test(store_create, a_pattern)
{
	config.place = CONFIG_PLACE_FILE;
	strcpy(config.pattern, "x-%p-%n");
	born_write(born_named("x-%d-target"), born_before(), FORMAT_HEADER);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("x-%d-target"));
}
