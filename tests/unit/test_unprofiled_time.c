/* Context: O.  Tests of core/model/base/unprofiled_time.c. */
#include "merged.h"

#include <criterion/criterion.h>
#include <string.h>

/* A sealed process of 10 ms, which has waited for `children_ms`. */
struct process_of {
	int pid, ppid;
	unsigned start;		/* ticks, and s of CLOCK_MONOTONIC */
	unsigned end;		/* at its end, as start */
	unsigned children_ms;
	unsigned children;
	int end_ppid;		/* 0 = ppid */
	int session;
	unsigned space;		/* inode of its pid namespace */
	bool running;
	unsigned born_ms;	/* CPU time at the start of the image */
	unsigned ahead;		/* s by which its monotonic clock is */
};

static void
add_process(const struct process_of *p)
{
	struct format_header *h;
	struct build b;

	process(&b, p->pid, 5);
	if (!p->running)
		build_seal(&b, FORMAT_END_EXIT, 0);
	h = build_header(&b);
	h->ppid = p->ppid;
	h->end_ppid = p->running ? 0 : p->end_ppid != 0 ? p->end_ppid :
	    p->ppid;
	h->session = p->session;
	h->pid_namespace = p->space;
	h->start_ticks = p->start;
	h->birth_real = (1000 + p->start) * 1000ull * MS + p->born_ms;
	h->birth_mono = (p->ahead + p->start) * 1000ull * MS + p->born_ms;
	h->cpu_birth_ns = p->born_ms * MS;
	h->cpu_ns = (p->born_ms + 10) * MS;
	h->cpu_mono = (p->ahead + p->end) * 1000ull * MS;
	h->children_ns = p->children_ms * MS;
	h->children = p->children;
	add(&b);
}

static void
unseen(const struct process_of *all, size_t count, uint64_t ms, uint64_t many)
{
	start(1u << GROUP_FUNCTION);
	m.whole = true;
	for (size_t i = 0; i < count; i++)
		add_process(&all[i]);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.unseen_ns, ms * MS, "%llu ms",
	    (unsigned long long)(m.unseen_ns / MS));
	cr_expect_eq(m.unseen_processes, many);
	cr_expect_eq(g.total_ns, count * 10 * MS + ms * MS);
	done();
}

#define CHILD(p, parent, from, to) \
	{ .pid = p, .ppid = parent, .start = from, .end = to }
#define PARENT(p, parent, from, to, ms, made) \
	{ .pid = p, .ppid = parent, .start = from, .end = to, \
	.children_ms = ms, .children = made }

#define UNSEEN(ms, many, ...) do {					\
	const struct process_of all[] = { __VA_ARGS__ };		\
									\
	unseen(all, sizeof(all) / sizeof(all[0]), ms, many);		\
} while (0)

Test(unprofiled_time, takes_off_what_profiles_have)
{
	UNSEEN(30, 2, PARENT(1, 0, 1, 90, 40, 3), CHILD(2, 1, 2, 3));
	UNSEEN(0, 0, CHILD(1, 0, 1, 90), CHILD(2, 0, 2, 3));
}

/* 1 has the child 2, which has 3 and 25 ms of its own short children. */
Test(unprofiled_time, counts_each_level_once)
{
	UNSEEN(30, 7, PARENT(1, 0, 1, 90, 50, 1), PARENT(2, 1, 2, 9, 35, 8),
	    CHILD(3, 2, 3, 4));
}

/* The parent of 3 has no profile; it can only be below 1. */
Test(unprofiled_time, finds_those_below_who_has_none)
{
	UNSEEN(30, 1, PARENT(1, 0, 1, 90, 50, 2), CHILD(2, 1, 2, 9), CHILD(3,
	    77, 3, 4));
	/*
	 * Not below 1: another child of its parent, a process of another
	 * session, one that started earlier, and one that ended later.
	 */
	UNSEEN(40, 1, PARENT(1, 0, 1, 90, 40, 1), CHILD(3, 0, 3, 4));
	UNSEEN(40, 1, PARENT(1, 0, 1, 90, 40, 1),
	    { .pid = 3, .ppid = 77, .start = 3, .end = 4, .session = 8 });
	UNSEEN(40, 1, PARENT(1, 0, 5, 90, 40, 1), CHILD(3, 77, 3, 6));
	UNSEEN(40, 1, PARENT(1, 0, 1, 90, 40, 1), CHILD(3, 77, 3, 91));
}

/* Numbers of another pid namespace; 1 is the first process there. */
Test(unprofiled_time, finds_those_in_a_namespace_below)
{
	const struct process_of parent = { .pid = 7, .ppid = 6, .start = 1,
	    .end = 90, .children_ms = 50, .children = 1, .session = 6,
	    .space = 100 };

	UNSEEN(40, 0, parent,
	    { .pid = 1, .start = 2, .end = 9, .space = 200 });
	UNSEEN(30, 0, parent,
	    { .pid = 1, .start = 2, .end = 9, .space = 200 },
	    { .pid = 7, .ppid = 3, .start = 3, .end = 8, .space = 200 });
	/* A process with a session of its own may be of another container. */
	UNSEEN(50, 1, parent,
	    { .pid = 1, .session = 1, .start = 2, .end = 9, .space = 200 });
	UNSEEN(50, 1, parent,
	    { .pid = 1, .start = 2, .end = 95, .space = 200 });
}

Test(unprofiled_time, leaves_who_was_not_waited_for)
{
	UNSEEN(40, 0, PARENT(1, 0, 1, 90, 40, 1), CHILD(2, 1, 2, 95));
	UNSEEN(40, 0, PARENT(1, 0, 1, 90, 40, 1),
	    { .pid = 2, .ppid = 1, .start = 2, .end = 80, .end_ppid = 9 });
	/* The process has waited for children itself. */
	UNSEEN(55, 1, PARENT(1, 0, 1, 90, 40, 1),
	    { .pid = 2, .ppid = 1, .start = 2, .end = 80, .end_ppid = 9,
	    .children_ms = 15, .children = 1 });
}

/* The system has given the pid again. */
Test(unprofiled_time, finds_the_parent_by_its_start)
{
	UNSEEN(60, 2, PARENT(1, 0, 1, 20, 40, 2), PARENT(1, 0, 30, 90, 40, 2),
	    CHILD(2, 1, 5, 6), CHILD(3, 1, 35, 36));
}

Test(unprofiled_time, has_none_where_children_are_ignored)
{
	UNSEEN(0, 3, PARENT(1, 0, 1, 90, 0, 5), CHILD(2, 1, 2, 3), CHILD(3, 1,
	    4, 5));
}

/* Hostile files: each process is the parent of the other. */
Test(unprofiled_time, ends_in_a_circle)
{
	UNSEEN(0, 0, PARENT(1, 2, 1, 9, 40, 1), PARENT(2, 1, 1, 9, 40, 1));
}

/*
 * The part that passed while the process was stopped is not known of its
 * children.
 */
Test(unprofiled_time, says_nothing_of_who_was_stopped)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	m.whole = true;
	process(&b, 1, 5);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = 20 * MS;
	build_header(&b)->stopped_ns = 5 * MS;
	build_header(&b)->children_ns = 40 * MS;
	add(&b);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.unseen_ns, 0);
	done();
}

/* Images of one process: the second begins with the first one's figures. */
Test(unprofiled_time, adds_images_up)
{
	struct build b;

	start(1u << GROUP_FUNCTION);
	m.whole = true;
	for (unsigned i = 0; i < 2; i++) {
		process(&b, 1, 5);
		build_seal(&b, FORMAT_END_EXEC, 0);
		build_header(&b)->start_ticks = 7;
		build_header(&b)->image = i + 1;
		build_header(&b)->cpu_birth_ns = i * 10 * MS;
		build_header(&b)->cpu_ns = (i + 1) * 10 * MS;
		build_header(&b)->children_birth_ns = 5 * MS + i * 20 * MS;
		build_header(&b)->children_ns = 25 * MS + i * 20 * MS;
		build_header(&b)->children = 2;
		add(&b);
	}
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.unseen_ns, 40 * MS);
	cr_expect_eq(m.unseen_processes, 4);
	done();
}

/* Single files are read: the row would contain profiles that were not read. */
Test(unprofiled_time, is_no_row_of_single_files)
{
	const struct process_of p = PARENT(1, 0, 1, 90, 40, 3);

	start(1u << GROUP_FUNCTION);
	add_process(&p);
	finish(1u << GROUP_FUNCTION, GROUP_SORT_TIME);
	cr_expect_eq(m.unseen_ns, 40 * MS);
	cr_expect_eq(g.total_ns, 10 * MS);
	done();
}

/* No image counts the time of execve(2) and of the loader. */
Test(unprofiled_time, counts_what_is_between_images)
{
	UNSEEN(5, 0, CHILD(2, 0, 2, 3), { .pid = 2, .start = 2, .end = 4,
	    .born_ms = 15 });
	/* The parent's figures have it already. */
	UNSEEN(20, 0, PARENT(1, 0, 1, 90, 40, 1), CHILD(2, 1, 2, 3),
	    { .pid = 2, .ppid = 1, .start = 2, .end = 4, .born_ms = 15 });
}

/* A child in another time namespace is the parent's all the same. */
Test(unprofiled_time, compares_clocks_of_time_namespaces)
{
	UNSEEN(30, 0, PARENT(1, 0, 1, 90, 40, 1),
	    { .pid = 2, .ppid = 1, .start = 2, .end = 3, .ahead = 100000 });
	UNSEEN(40, 0, PARENT(1, 0, 1, 90, 40, 1),
	    { .pid = 2, .ppid = 1, .start = 2, .end = 95, .ahead = 100000 });
}
