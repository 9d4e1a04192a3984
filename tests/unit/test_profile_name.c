/* Context: O.  Tests of core/hot/store/profile_name.c. */
#include "module/proc_info.h"
#include "store/profile_name.h"
#include "target.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

TestSuite(profile_name, .init = target_init, .fini = target_fini);

static void
names(unsigned nth, bool first, const char *want)
{
	char place[PATH_MAX];

	cr_assert_eq(profile_name_candidate(place, sizeof place, nth, first),
	    0);
	cr_expect_str_eq(place, want);
}

static void
set_up(enum config_place place, const char *pattern)
{
	config.place = place;
	mon->pid = 77;
	strcpy(config.progname, "prog");
	strcpy(config.pattern, pattern);
	rmdir(config.directory);
	strcpy(config.directory, "/d/e");
}

Test(profile_name, plain)
{
	set_up(CONFIG_PLACE_PLAIN, "");
	names(0, true, "/d/e/mon.out");
	names(1, true, "/d/e/mon.out.77");
	names(2, true, "/d/e/mon.out.77.2");
	names(3, true, "/d/e/mon.out.77.3");
	names(0, false, "/d/e/mon.out.77");
	names(1, false, "/d/e/mon.out.77.2");
	names(998, false, "/d/e/mon.out.77.999");
}

Test(profile_name, in_a_directory)
{
	set_up(CONFIG_PLACE_DIR, "");
	names(0, true, "/d/e/77.prog");
	names(0, false, "/d/e/77.prog");
	names(1, true, "/d/e/77.prog.2");
	strcpy(config.directory, "");
	names(2, false, "/77.prog.3");
}

static size_t
base_bytes(unsigned nth)
{
	char place[PATH_MAX];

	cr_assert_eq(profile_name_candidate(place, sizeof place, nth, true), 0);
	return strlen(strrchr(place, '/') + 1);
}

/* A name is whole if a file of that name is possible. */
Test(profile_name, of_long_programs)
{
	char want[PATH_MAX];

	set_up(CONFIG_PLACE_DIR, "");
	memset(config.progname, 'p', 200);
	config.progname[200] = '\0';
	snprintf(want, sizeof want, "/d/e/77.%s", config.progname);
	names(0, true, want);
	memset(config.progname, 'p', NAME_MAX);
	config.progname[NAME_MAX] = '\0';
	cr_expect_eq(base_bytes(0), PROFILE_NAME_MOST);
	cr_expect_leq(base_bytes(999), NAME_MAX - strlen(".part"));
	strcpy(config.pattern, "x.%n.%n.%p");
	config.place = CONFIG_PLACE_FILE;
	cr_expect_leq(base_bytes(0), PROFILE_NAME_MOST);
	cr_expect_gt(base_bytes(0), 5, "some of it");
}

Test(profile_name, patterns)
{
	char want[256];
	struct utsname u;

	set_up(CONFIG_PLACE_FILE, "%n-%p.%%.mon");
	names(0, true, "/d/e/prog-77.%.mon");
	names(1, true, "/d/e/prog-77.%.mon.2");
	strcpy(config.pattern, "x%");
	names(0, false, "/d/e/x%");
	cr_assert_eq(uname(&u), 0);
	strcpy(config.pattern, "%h");
	snprintf(want, sizeof want, "/d/e/%s", u.nodename);
	names(0, false, want);
}

/* time(2) reads the coarse clock, which is up to a tick behind. */
static long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

Test(profile_name, seconds)
{
	char place[PATH_MAX];
	long before = now(), at;

	set_up(CONFIG_PLACE_FILE, "%t");
	cr_assert_eq(profile_name_candidate(place, sizeof place, 0, true), 0);
	cr_assert_eq(sscanf(place, "/d/e/%ld", &at), 1, "%s", place);
	cr_expect_geq(at, before);
	cr_expect_leq(at, now());
}

Test(profile_name, too_long)
{
	char place[16] = "";

	set_up(CONFIG_PLACE_DIR, "");
	cr_expect_eq(profile_name_candidate(place, 13, 0, true), 0);
	cr_expect_str_eq(place, "/d/e/77.prog");
	cr_expect_eq(profile_name_candidate(place, 12, 0, true), -ENAMETOOLONG);
}

static void
lies_in(const char *path, const char *want)
{
	char place[64];

	profile_name_directory(path, place, sizeof place);
	cr_expect_str_eq(place, want);
}

Test(profile_name, directories)
{
	lies_in("/a/b/c", "/a/b");
	lies_in("/a", "/");
	lies_in("/a/", "/a");
}

/* An old file: its header, and a host's name behind it. */
struct old {
	struct format_header h;
	struct { uint32_t bytes; char text[76]; } host;
};

static struct old old;

/* By this process, with another start time: its pid was given again. */
static void
old_init(void)
{
	struct utsname u;
	uint64_t ticks;
	int parent;

	memset(&old, 0, sizeof old);
	memcpy(old.h.magic, FORMAT_MAGIC, sizeof old.h.magic);
	old.h.state = FORMAT_LIVE;
	old.h.pid = getpid();
	old.h.run_pid = getpid();
	cr_assert_eq(proc_info_stat(0, &parent, &ticks), 0);
	old.h.start_ticks = old.h.run_start = ticks - 1;
	lineage.pid = getpid();
	lineage.start = mon->start_ticks = ticks;
	old.h.pid_namespace = proc_info_pid_namespace();
	proc_info_boot_id(old.h.boot_id);
	old.h.host = FORMAT_HEADER / FORMAT_UNIT;
	uname(&u);
	old.host.bytes = (uint32_t)strlen(u.nodename);
	strcpy(old.host.text, u.nodename);
}

static bool
may(const char *path)
{
	static _Alignas(64) char scratch[FORMAT_HEADER];

	return profile_name_replaceable(path, scratch);
}

static bool
replaceable(void)
{
	const char *path = target_path("mon.out");
	FILE *out = fopen(path, "w");

	cr_assert_eq(fwrite(&old, sizeof old, 1, out), 1);
	fclose(out);
	return may(path);
}

Test(profile_name, a_writer_that_is_gone)
{
	pid_t pid;

	old_init();
	cr_expect(replaceable(), "pid given again");
	pid = fork();
	if (pid == 0)
		_exit(0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	old.h.pid = pid;
	cr_expect(replaceable(), "pid gone");
}

Test(profile_name, a_writer_that_lives)
{
	old_init();
	old.h.start_ticks++;
	cr_expect_not(replaceable());
	old.h.state = FORMAT_INCOMPLETE;
	cr_expect_not(replaceable());
	old.h.state = FORMAT_SEALED;
	cr_expect(replaceable(), "it has ended its file");
}

/* It sealed that file at an exec. */
Test(profile_name, a_writer_that_is_another_program_now)
{
	old_init();
	old.h.start_ticks++;
	old.h.state = FORMAT_SEALED;
	old.h.end = FORMAT_END_EXEC;
	cr_expect_not(replaceable());
	old.h.start_ticks--;
	cr_expect(replaceable(), "pid given again");
	old.h.pid_namespace++;
	cr_expect(replaceable(), "nobody knows");
}

/* It ended after this process had started. */
Test(profile_name, a_writer_that_ended_meanwhile)
{
	old_init();
	old.h.state = FORMAT_SEALED;
	old.h.end = FORMAT_END_EXIT;
	old.h.end_mono = UINT64_MAX;
	cr_expect_not(replaceable());
	old.h.boot_id[0] ^= 1;
	cr_expect(replaceable(), "an earlier boot");
}

Test(profile_name, a_file_of_this_run)
{
	old_init();
	old.h.run_start++;
	cr_expect_not(replaceable());
	old.h.state = FORMAT_SEALED;
	cr_expect_not(replaceable());
	old.h.run_pid++;
	cr_expect(replaceable());
}

Test(profile_name, a_writer_of_another_boot)
{
	old_init();
	old.h.start_ticks++;
	old.h.boot_id[0] ^= 1;
	cr_expect(replaceable());
	old.host.text[0] ^= 1;
	cr_expect_not(replaceable(), "it may run on another host");
	old.host.text[0] ^= 1;
	old.host.bytes--;
	cr_expect_not(replaceable());
	old.host.bytes = 0x80000000;
	cr_expect_not(replaceable());
	old.host.bytes = 65;
	cr_expect_not(replaceable());
	old.h.host = 0x7fffffff;
	cr_expect_not(replaceable());
}

Test(profile_name, a_writer_behind_another_namespace)
{
	old_init();
	old.h.pid_namespace++;
	cr_expect_not(replaceable());
	old.h.pid_namespace = 0;
	cr_expect_not(replaceable());
}

Test(profile_name, files_of_others)
{
	const char *path = target_path("file"), *link = target_path("link");
	FILE *out = fopen(path, "w");

	old_init();
	fputs("precious", out);
	fclose(out);
	cr_expect_not(may(path));
	cr_expect_not(may(target_path("none")));
	cr_expect_not(may(config.directory));
	cr_assert_eq(mkfifo(target_path("fifo"), 0600), 0);
	cr_expect_not(may(target_path("fifo")));
	cr_assert(replaceable());
	cr_assert_eq(symlink("mon.out", link), 0);
	cr_expect_not(may(link));
	old.h.magic[7]++;
	cr_expect_not(replaceable());
	old.h.magic[7]--;
	cr_assert(replaceable());
	cr_assert_eq(truncate(target_path("mon.out"), FORMAT_HEADER - 1), 0);
	cr_expect_not(may(target_path("mon.out")));
}

Test(profile_name, files_of_another_user)
{
	old_init();
	cr_assert(replaceable());
	if (chown(target_path("mon.out"), 12345, (gid_t)-1) != 0)
		cr_skip_test("may not give files away");
	cr_expect_not(may(target_path("mon.out")));
}

static void
joins(bool want)
{
	static _Alignas(64) char scratch[FORMAT_HEADER];

	lineage.pid = 1;
	(void)replaceable();
	profile_name_join_run(target_path("mon.out"), scratch);
	cr_expect_eq(lineage.pid, want ? 77 : 1);
	cr_expect_eq(lineage.start == 78, want);
	lineage.start = 0;
}

Test(profile_name, the_run_of_the_starter)
{
	old_init();
	old.h.run_pid = 77;
	old.h.run_start = 78;
	old.h.pid = mon->parent;
	old.h.state = FORMAT_SEALED;
	old.h.end_mono = UINT64_MAX;
	joins(true);
	old.h.boot_id[0] ^= 1;
	joins(false);
	old.h.boot_id[0] ^= 1;
	old.h.magic[7]++;
	joins(false);
	old.h.magic[7]--;
	old.h.pid++;
	joins(false);
}

Test(profile_name, leaves_no_descriptor)
{
	unsigned before = target_descriptors();

	old_init();
	replaceable();
	old.h.start_ticks++;
	replaceable();
	may(config.directory);
	cr_expect_eq(target_descriptors(), before);
}
