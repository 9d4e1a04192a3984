/*
 * Context: O. Tests of core/hot/store/run.c and store_create.c: the run of a
 * process.
 */
#include "born.h"
#include "module/proc_info.h"
#include "store/store.h"
#include "store/store_create.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(run, .init = target_init, .fini = target_fini);

/* A child of a profiled process is not the first of its run. */
static int
second_of_the_run(void)
{
	char beside[PATH_MAX];
	uint64_t ticks;
	int parent;

	mon->pid = getpid();
	mon->parent = getppid();
	strcpy(beside, born_named("mon.out.%d"));
	strcpy(config.directory, "/nowhere");
	if (proc_info_stat(getppid(), &parent, &ticks) != 0)
		return __LINE__;
	if (!store_create_try())
		return __LINE__;
	if (lineage.pid != getppid() || lineage.start != ticks)
		return __LINE__;
	if (!lineage.descends)
		return __LINE__;
	if (store_header()->run_pid != getppid() ||
	    store_header()->run_start != ticks)
		return __LINE__;
	return strcmp(mon->store.path, beside) == 0 ? 0 : __LINE__;
}

/* The header left by the parent that started this process and ended since. */
static struct format_header *
starter_header(void)
{
	struct format_header *h = born_before();

	h->state = FORMAT_SEALED;
	h->end_mono = UINT64_MAX;
	h->pid = mon->parent = getppid();
	h->run_pid = 77;
	h->run_start = 78;
	return h;
}

static void
birth_beside(const struct format_header *h)
{
	born_write(target_path("mon.out"), h, FORMAT_HEADER);
	config.place = CONFIG_PLACE_PLAIN;
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
}

Test(run, of_its_starter)
{
	birth_beside(starter_header());
	cr_expect_not(lineage.descends, "its parent has no libmon");
	cr_expect_eq(store_header()->run_pid, 77);
	cr_expect_eq(store_header()->run_start, 78);
}

Test(run, beside_another)
{
	struct format_header *h = starter_header();

	h->pid++;
	birth_beside(h);
	cr_expect_eq(store_header()->run_pid, getpid());
}

/* It knows that it is not the first, whoever is left of its ancestors. */
Test(run, of_a_fork_child)
{
	config.place = CONFIG_PLACE_PLAIN;
	mon->forked = true;
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
	cr_expect_eq(store_header()->run_pid, getpid());
}

/* It went elsewhere, by a call inside libc, before it counted anything. */
Test(run, of_a_fork_child_elsewhere)
{
	config.place = CONFIG_PLACE_PLAIN;
	mon->parent = 1;
	mon->forked = true;
	cr_assert_eq(chdir("/tmp"), 0);
	target_birth();
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
}

/* Those that it starts find its file, as that of a first one. */
Test(run, of_a_fork_child_before_leaving)
{
	config.place = CONFIG_PLACE_PLAIN;
	mon->parent = 1;
	mon->forked = true;
	store_create_before_chdir();
	cr_assert_not_null(store_header());
	cr_expect_str_eq(mon->store.path, born_named("mon.out.%d"));
}

static void
map(const char *name)
{
	int fd = open(target_path(name), O_RDWR | O_CREAT, 0600);

	cr_assert_eq(ftruncate(fd, 4096), 0);
	cr_assert_neq(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0),
	    MAP_FAILED);
	close(fd);
}

Test(run, a_child_of_the_run)
{
	int line;

	config.place = CONFIG_PLACE_PLAIN;
	map("libmon.so");
	cr_assert_eq(chdir(target_path("")), 0);
	line = target_child(second_of_the_run);
	cr_expect_eq(line, 0, "line %d", line);
}

static int
second_of_the_directory(void)
{
	mon->pid = getpid();
	mon->parent = getppid();
	if (!store_create_try())
		return __LINE__;
	if (lineage.pid != getpid())
		return __LINE__;
	return lineage.descends != config.chosen ? 0 : __LINE__;
}

/* With PROFDIR it begins a run of its own, and is known to be no first one. */
Test(run, a_child_in_a_directory)
{
	int line;

	config.place = CONFIG_PLACE_DIR;
	map("libmon.so");
	line = target_child(second_of_the_directory);
	cr_expect_eq(line, 0, "line %d", line);
}

/* Its parent may be one that only= leaves out. */
Test(run, a_child_of_a_chosen_program)
{
	int line;

	config.place = CONFIG_PLACE_DIR;
	config.chosen = true;
	map("libmon.so");
	line = target_child(second_of_the_directory);
	cr_expect_eq(line, 0, "line %d", line);
}

/* The first has gone elsewhere, but its file is where it began. */
Test(run, a_child_of_the_run_beside_its_file)
{
	int line;

	config.place = CONFIG_PLACE_PLAIN;
	map("libmon.so");
	map("mon.out");
	cr_assert_eq(chdir("/"), 0);
	line = target_child(second_of_the_run);
	cr_expect_eq(line, 0, "line %d", line);
}

/* It was not alone there, and has mon.out.PID. */
Test(run, a_child_of_the_run_beside_its_other_file)
{
	char name[32];
	int line;

	config.place = CONFIG_PLACE_PLAIN;
	map("libmon.so");
	snprintf(name, sizeof name, "mon.out.%d", getpid());
	map(name);
	cr_assert_eq(chdir("/"), 0);
	line = target_child(second_of_the_run);
	cr_expect_eq(line, 0, "line %d", line);
}

/* Where the run began nothing can be written: then where the process is. */
static int
not_where_the_run_began(void)
{
	mon->pid = getpid();
	mon->parent = getppid();
	return store_create_try() && lineage.pid == getppid() &&
	    strcmp(mon->store.path, born_named("mon.out.%d")) == 0 ? 0 :
	    __LINE__;
}

Test(run, a_child_of_a_run_that_began_nowhere)
{
	int line;

	config.place = CONFIG_PLACE_PLAIN;
	map("libmon.so");
	cr_assert_eq(chdir("/proc/self"), 0);
	line = target_child(not_where_the_run_began);
	cr_expect_eq(line, 0, "line %d", line);
}

/* Before it goes elsewhere, though it counted nothing; others do not. */
Test(run, before_leaving)
{
	store_create_before_chdir();
	cr_expect_null(store_header(), "PROFDIR says where");
	config.place = CONFIG_PLACE_PLAIN;
	lineage.pid = mon->pid + 1;
	store_create_before_chdir();
	cr_expect_null(store_header(), "not the first");
	lineage.pid = 0;
	mon->parent = 1;
	store_create_before_chdir();
	cr_assert_not_null(store_header());
	cr_expect_str_eq(mon->store.path, target_path("mon.out"));
	store_create_before_chdir();
	cr_expect_eq(mon->store.attempts, 0);
}

/* The run is not the whole tree of processes: only what has libmon in it. */
Test(run, the_first_of_its_run)
{
	config.place = CONFIG_PLACE_PLAIN;
	target_birth();
	cr_expect_str_eq(mon->store.path, target_path("mon.out"));
	cr_expect_eq(store_header()->run_pid, getpid());
}

static int
in_vfork_child(void)
{
	atomic_store(&virtual_signals.vforks, 1);
	if (store_create_try())
		return __LINE__;
	atomic_store(&virtual_signals.vforks, 0);
	return store_create_try() ? 0 : __LINE__;
}

/* The handler of SIGBUS that comes with the file would be the child's alone. */
Test(run, a_vfork_child_makes_no_file)
{
	int line = target_child(in_vfork_child);

	cr_expect_eq(line, 0, "line %d", line);
}
