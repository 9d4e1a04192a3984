/*
 * Context: O.  Tests of core/sampler/process/address_space.c: what is mapped
 * where, and when.
 */
#include "process/address_space.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The number of no process: /proc says nothing of it. */
#define PID	0x3ffffff0

static struct address_spaces s;

static void
setup(void)
{
	address_spaces_init(&s);
}

static void
teardown(void)
{
	address_spaces_free(&s);
}

TestSuite(address_space, .init = setup, .fini = teardown);

static void
map(int32_t pid, uint64_t start, uint64_t end, uint64_t offset,
    const char *path)
{
	const struct perf_record k = {
		.type = PERF_RECORD_MMAP2, .pid = pid, .tid = pid,
		.start = start, .length = end - start, .offset = offset,
		.executable = true, .text = path, .inode = strlen(path),
	};

	address_spaces_update(&s, &k);
}

static void
other(uint32_t type, int32_t pid, int32_t tid, int32_t ppid, uint64_t time,
    const char *text)
{
	const struct perf_record k = {
		.type = type, .pid = pid, .tid = tid, .ppid = ppid,
		.ptid = ppid, .time = time, .text = text,
		.misc = type == PERF_RECORD_COMM ?
		    PERF_RECORD_MISC_COMM_EXEC : 0,
	};

	address_spaces_update(&s, &k);
}

/* "name+offset" at an address, or "". */
static const char *
at(int32_t pid, uint64_t address)
{
	static char text[64];
	const struct address_mapping *m =
	    address_space_find(address_spaces_get(&s, pid), address);

	*text = '\0';
	if (m != NULL)
		snprintf(text, sizeof(text), "%s+%llx",
		    s.libraries.all[m->library].id.path,
		    (unsigned long long)(address - m->start + m->offset));
	return text;
}

Test(address_space, a_mapping_goes_where_another_comes)
{
	map(PID, 0x1000, 0x9000, 0, "a");
	cr_expect_str_eq(at(PID, 0xfff), "");
	cr_expect_str_eq(at(PID, 0x1000), "a+0");
	cr_expect_str_eq(at(PID, 0x8fff), "a+7fff");
	cr_expect_str_eq(at(PID, 0x9000), "");
	map(PID, 0x3000, 0x5000, 0x100, "b");
	cr_expect_str_eq(at(PID, 0x2fff), "a+1fff");
	cr_expect_str_eq(at(PID, 0x3000), "b+100");
	map(PID, 0x4000, 0x6000, 0, "c");
	cr_expect_str_eq(at(PID, 0x3fff), "b+10ff");
	cr_expect_str_eq(at(PID, 0x4000), "c+0");
	map(PID, 0x1000, 0x9000, 0, "d");
	cr_expect_str_eq(at(PID, 0x4000), "d+3000");
}

/* A mapping that is cut in two still has both its ends. */
Test(address_space, the_rest_behind_it_stays)
{
	map(PID, 0x1000, 0x9000, 0, "a");
	map(PID, 0x3000, 0x5000, 0, "b");
	cr_expect_str_eq(at(PID, 0x5000), "a+4000");
	cr_expect_str_eq(at(PID, 0x8fff), "a+7fff");
}

Test(address_space, a_child_has_its_parents_until_it_execs)
{
	map(PID, 0x1000, 0x2000, 0, "a");
	other(PERF_RECORD_FORK, PID + 1, PID + 1, PID, 100, NULL);
	cr_expect_str_eq(at(PID + 1, 0x1000), "a+0");
	map(PID + 1, 0x1000, 0x2000, 0, "b");
	cr_expect_str_eq(at(PID, 0x1000), "a+0");
	other(PERF_RECORD_COMM, PID + 1, PID + 1, 0, 200, "new");
	cr_expect_str_eq(at(PID + 1, 0x1000), "");
	cr_expect_str_eq(address_spaces_get(&s, PID + 1)->program, "new");
	cr_expect_eq(address_spaces_get(&s, PID + 1)->birth, s.real + 100);
}

Test(address_space, a_number_that_comes_back_is_another)
{
	map(PID, 0x1000, 0x2000, 0, "a");
	map(PID + 2, 0x7000, 0x8000, 0, "c");
	other(PERF_RECORD_EXIT, PID, PID, 0, 100, NULL);
	cr_expect_str_eq(at(PID, 0x1000), "a+0",
	    "samples of other processors come later");
	other(PERF_RECORD_FORK, PID, PID, PID + 2, 200, NULL);
	cr_expect_str_eq(at(PID, 0x1000), "");
	cr_expect_str_eq(at(PID, 0x7000), "c+0");
}

#define SECOND	1000000000u

/* Memory follows what lives, not what was. */
Test(address_space, the_ended_go)
{
	map(PID, 0x1000, 0x2000, 0, "a");
	for (int32_t i = 1; i < 20000; i++) {
		const uint64_t now = (uint64_t)i * SECOND / 100;

		other(PERF_RECORD_FORK, PID + i, PID + i, PID, now, NULL);
		other(PERF_RECORD_EXIT, PID + i, PID + i, PID, now + 1, NULL);
	}
	cr_expect_lt(s.count, 2000, "%zu", s.count);
	cr_expect_str_eq(at(PID, 0x1000), "a+0", "it lives");
	cr_expect_str_eq(at(PID + 19999, 0x1000), "a+0", "it ended just now");
}

Test(address_space, an_end_of_nobody_makes_nobody)
{
	other(PERF_RECORD_EXIT, PID, PID, PID - 1, 100, NULL);
	other(PERF_RECORD_FORK, PID, PID + 1, PID, 100, NULL);
	cr_expect_eq(s.count, 0);
}

/* A thread's exec ends the first one, whose number it gets. */
Test(address_space, who_execs_lives)
{
	other(PERF_RECORD_COMM, PID, PID, 0, SECOND, "old");
	other(PERF_RECORD_EXIT, PID, PID, 0, 2 * SECOND, NULL);
	other(PERF_RECORD_COMM, PID, PID, 0, 2 * SECOND + 1, "new");
	map(PID, 0x1000, 0x2000, 0, "a");
	map(PID + 1, 0x1000, 0x2000, 0, "b");
	other(PERF_RECORD_EXIT, PID + 1, PID + 1, 0, 9 * SECOND, NULL);
	cr_expect_eq(s.count, 2);
	cr_expect_str_eq(at(PID, 0x1000), "a+0");
}

static const char *
name_of(int32_t tid)
{
	return address_space_get_thread(address_spaces_get(&s, PID), tid)->name;
}

Test(address_space, a_thread_has_its_makers_name)
{
	struct perf_record k = {
		.type = PERF_RECORD_COMM, .pid = PID, .tid = PID + 1,
		.time = 200, .text = "worker",
	};

	other(PERF_RECORD_COMM, PID, PID, 0, 100, "main");
	other(PERF_RECORD_FORK, PID, PID + 1, PID, 101, NULL);
	cr_expect_str_eq(name_of(PID + 1), "main");
	address_spaces_update(&s, &k);
	k = (struct perf_record) {
		.type = PERF_RECORD_FORK, .pid = PID, .tid = PID + 2,
		.ppid = PID, .ptid = PID + 1, .time = 300,
	};
	address_spaces_update(&s, &k);
	cr_expect_str_eq(name_of(PID + 2), "worker");
	k.pid = k.tid = PID + 3;
	address_spaces_update(&s, &k);
	cr_expect_str_eq(address_spaces_get(&s, PID + 3)->program, "worker");
	cr_expect_str_eq(name_of(PID), "main");
}

Test(address_space, ended_threads_go)
{
	other(PERF_RECORD_COMM, PID, PID, 0, 1, "main");
	for (int32_t i = 1; i < 20000; i++) {
		const uint64_t now = (uint64_t)i * SECOND / 100;

		other(PERF_RECORD_FORK, PID, PID + i, PID, now, NULL);
		if (i % 1000 != 0)
			other(PERF_RECORD_EXIT, PID, PID + i, PID, now + 1,
			    NULL);
	}
	cr_expect_lt(address_spaces_get(&s, PID)->thread_count, 1000);
	cr_expect_not_null(address_space_find_thread(address_spaces_get(&s,
	    PID), PID + 5000));
	cr_expect_not_null(address_space_find_thread(address_spaces_get(&s,
	    PID), PID + 19999));
	cr_expect_null(address_space_find_thread(address_spaces_get(&s, PID),
	    PID + 5001));
}

Test(address_space, the_living_are_read_from_proc)
{
	const struct address_space *own = address_spaces_get(&s, getpid());
	const struct address_mapping *m = address_space_find(own,
	    (uint64_t)(uintptr_t)&address_spaces_get);

	cr_assert_not_null(m);
	code_files_resolve(&s.libraries, m->library, getpid());
	cr_expect_neq(s.libraries.all[m->library].flags & TPROF_M_BIASED, 0);
	cr_expect_gt(own->birth, 1600000000000000000u);
	cr_expect_eq(own->uid, getuid());
	cr_expect(own->named);
}

/* As on btrfs, where stat(2) tells another device than maps. */
Test(address_space, a_file_that_was_read_is_known_again)
{
	char path[4096];
	const ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path));
	struct tprof_module id = {
		.path = path, .path_bytes = (uint32_t)bytes,
	};
	struct stat st;
	uint32_t n;

	cr_assert_gt(bytes, 0);
	cr_assert_lt((size_t)bytes, sizeof(path));
	path[bytes] = '\0';
	cr_assert_eq(stat(path, &st), 0);
	id.inode = st.st_ino;
	id.device = (uint64_t)0xabcd << 32;
	n = code_files_find(&s.libraries, &id);
	code_files_resolve(&s.libraries, n, getpid());
	cr_expect_neq(s.libraries.all[n].flags & TPROF_M_BIASED, 0);
	cr_expect_neq(s.libraries.all[n].id.device, id.device,
	    "a profile has what stat(2) tells");
	cr_expect_eq(code_files_find(&s.libraries, &id), n);
	id.device++;
	cr_expect_neq(code_files_find(&s.libraries, &id), n, "another file");
}

/* Generated code is in the maps of compilers, not in a file of that name. */
/* /proc shows a newline so: who was there before must not have another file. */
Test(address_space, a_newline_is_spelled_as_maps_have_it)
{
	map(PID, 0x1000, 0x2000, 0, "/lib/a\nb\n");
	cr_expect_str_eq(at(PID, 0x1000), "/lib/a\\012b\\012+0");
}

Test(address_space, memory_of_no_file_is_none)
{
	static const struct { const char *path; uint32_t flags; } kinds[] = {
		{ "//anon", TPROF_M_NO_FILE }, { "[heap]", TPROF_M_NO_FILE },
		{ "[vdso]", TPROF_M_VDSO }, { "/lib/one.so", 0 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint64_t start = 0x1000 * (i + 1);
		const struct address_mapping *m;

		map(PID, start, start + 0x1000, 0, kinds[i].path);
		m = address_space_find(address_spaces_get(&s, PID), start);
		cr_assert_not_null(m);
		cr_expect_eq(s.libraries.all[m->library].flags,
		    kinds[i].flags, "%s", kinds[i].path);
	}
}

/* One word for it, whichever command shows it. */
Test(address_space, who_could_not_be_looked_at_is_gone)
{
	cr_expect_str_eq(address_space_program(address_spaces_get(&s, PID)),
	    "[gone]");
	cr_expect_str_eq(address_space_program(address_spaces_get(&s, -1)),
	    "[gone]");
	cr_expect_str_eq(address_space_program(address_spaces_get(&s, 0)),
	    "[idle]");
	other(PERF_RECORD_COMM, PID, PID, 0, 1, "named");
	cr_expect_str_eq(address_space_program(address_spaces_get(&s, PID)),
	    "named");
}
