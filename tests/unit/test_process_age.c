/* Context: O.  Tests of core/hot/store/process_age.c. */
#include "module/proc_info.h"
#include "store/process_age.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK	10000000u

static struct format_header h;
static uint64_t from;	/* this process started then, or up to 10 ms later */

/* A file of a process that is gone and had another parent. */
static void
init(void)
{
	uint64_t skew;
	pid_t pid;
	int parent;

	target_init();
	cr_assert_eq(proc_info_stat(0, &parent, &mon->start_ticks), 0);
	skew = sys_clock(CLOCK_BOOTTIME) - sys_clock(CLOCK_MONOTONIC);
	from = mon->start_ticks * TICK - skew;
	pid = fork();
	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	memset(&h, 0, sizeof h);
	h.pid = pid;
	h.ppid = getppid() + 1;
	h.start_ticks = mon->start_ticks - 1;
	h.pid_namespace = proc_info_pid_namespace();
	h.state = FORMAT_SEALED;
	h.end = FORMAT_END_EXIT;
}

TestSuite(process_age, .init = init, .fini = target_fini);

Test(process_age, a_file_that_was_sealed)
{
	h.end_mono = from - TICK;
	cr_expect_not(process_age_overlaps(&h));
	h.end_mono = from + 2 * TICK;
	cr_expect(process_age_overlaps(&h));
	h.ppid = mon->parent;
	cr_expect(process_age_overlaps(&h), "beside each other");
	h.end_mono = UINT64_MAX;
	cr_expect(process_age_overlaps(&h));
	h.end_mono = 0;
	cr_expect_not(process_age_overlaps(&h));
	h.cpu_mono = from + 2 * TICK;
	cr_expect(process_age_overlaps(&h), "its end has no time");
}

/* Within the 10 ms: a shell starts one after the other. */
Test(process_age, a_file_of_the_same_moment)
{
	h.end_mono = from + TICK / 2;
	cr_expect(process_age_overlaps(&h));
	h.ppid = mon->parent;
	cr_expect_not(process_age_overlaps(&h));
}

Test(process_age, a_writer_that_was_killed)
{
	h.state = FORMAT_LIVE;
	h.end_mono = UINT64_MAX;
	h.birth_mono = h.cpu_mono = from - TICK;
	cr_expect_not(process_age_overlaps(&h));
	h.cpu_mono = from + 2 * TICK;
	cr_expect(process_age_overlaps(&h));
	h.cpu_mono = 0;
	cr_expect_not(process_age_overlaps(&h));
	h.birth_mono = from + 2 * TICK;
	cr_expect(process_age_overlaps(&h));
}

Test(process_age, without_proc)
{
	mon->start_ticks = 0;
	h.end_mono = 1;
	cr_expect(process_age_overlaps(&h));
	h.ppid = mon->parent;
	cr_expect_not(process_age_overlaps(&h));
}

Test(process_age, the_starter)
{
	cr_expect_not(process_age_is_parent(&h));
	mon->parent = h.pid;
	h.end_mono = from + TICK / 2;
	cr_expect(process_age_is_parent(&h));
	cr_expect(process_age_overlaps(&h));
	h.end_mono = from - TICK;
	cr_expect_not(process_age_is_parent(&h), "the pid was given again");
	h.end = FORMAT_END_EXEC;
	cr_expect(process_age_is_parent(&h), "it went on");
	cr_expect(process_age_overlaps(&h));
	h.state = FORMAT_LIVE;
	cr_expect(process_age_is_parent(&h), "it was killed after that");
	h.pid_namespace++;
	cr_expect_not(process_age_is_parent(&h));
	h.pid_namespace = 0;
	cr_expect_not(process_age_is_parent(&h));
}

Test(process_age, a_starter_that_is_younger)
{
	mon->parent = h.pid;
	h.state = FORMAT_LIVE;
	h.start_ticks = mon->start_ticks;
	cr_expect(process_age_is_parent(&h));
	h.start_ticks++;
	cr_expect_not(process_age_is_parent(&h));
}

/* A shell that has the pid of one that was killed long ago. */
Test(process_age, a_pid_that_was_given_again)
{
	int parent;

	h.state = FORMAT_LIVE;
	h.pid = getppid();
	cr_assert_eq(proc_info_stat(h.pid, &parent, &h.start_ticks), 0);
	cr_expect(process_age_is_parent(&h));
	h.start_ticks--;
	cr_expect_not(process_age_is_parent(&h));
	cr_expect_not(process_age_overlaps(&h));
}

/* By a fork child of a fork child: the first can be gone before that began. */
Test(process_age, an_ancestor_of_a_fork_child)
{
	lineage.image_pid = h.pid;
	cr_expect_not(process_age_overlaps(&h));
	mon->forked = true;
	cr_expect(process_age_overlaps(&h));
	lineage.image_pid++;
	cr_expect_not(process_age_overlaps(&h));
}
