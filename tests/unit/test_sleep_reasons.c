/* Context: O.  Tests of core/view/sleep: for what threads slept. */
#include "command.h"
#include "base/sleep_reason.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(sleep_reasons, .init = command_init, .fini = compile_fini);

static void
is(const char *name, const char *word)
{
	cr_expect_str_eq(sleep_reason_word(sleep_reason_of(name)), word, "%s",
	    name);
}

Test(sleep_reasons, by_name)
{
	is("read", "read");
	is("__GI___libc_read", "read");
	is("__libc_accept", "accept");
	is("pthread_cond_wait@@GLIBC_2.3.2", "condition");
	is("__new_sem_wait_slow64.constprop.0", "semaphore");
	is("__lll_lock_wait", "lock");
	is("__futex_abstimed_wait_common", "futex");
	is("__pthread_clockjoin_ex", "join");
	is("epoll_wait", "poll");
	is("wait4", "child");
	is("clock_nanosleep", "timer");
	is("pthread_rwlock_clockrdlock", "lock");
	/* neither a part of a name nor a longer one */
	is("rea", "other");
	is("reader", "other");
	is("", "other");
	is("__", "other");
	is("printf", "other");
}

Test(sleep_reasons, locks_of_rust)
{
	is("_ZN3std3sys4sync5mutex5futex5Mutex14lock_contended"
	    "17h2f4a61d4d1f8e0abE", "lock");
	is("_RNvMNtNtNtNtNtCs1_3std3sys4sync6rwlock5futexNtB2_6RwLock"
	    "14read_contended", "lock");
	is("std::sys::sync::rwlock::futex::RwLock::write_contended", "lock");
	is("std::sys::sync::condvar::futex::Condvar::wait", "other");
	/* a function of the program */
	is("lock_contended", "other");
	is("_ZN4prog14lock_contended17h2f4a61d4d1f8e0abE", "other");
}

/* Places in libc and in the program; a frame's address is behind the call. */
static const struct {
	uint64_t at;
	const char *name;
} libc[] = {
	{ 0x100, "__futex_abstimed_wait_common" }, { 0x200, "pthread_join" },
	{ 0x300, "pthread_cond_wait" }, { 0x400, "clock_nanosleep" },
	{ 0x500, "usleep" }, { 0x600, "ioctl" },
};
enum { FUTEX = 0x101, JOIN = 0x209, COND = 0x309, NAP = 0x401, USLEEP = 0x509,
    IOCTL = 0x601, CALLS = 0x109, READ = 0x201 };

static void
save_names(struct build *b, uint32_t c, uint32_t program)
{
	struct format_place at[sizeof(libc) / sizeof(libc[0])];
	struct format_place own[2] = {
		{ .address = CALLS - 1, .start = CALLS & ~0xffu,
		    .name = build_string(b, "calls") },
		{ .address = READ, .start = READ & ~0xffu,
		    .name = build_string(b, "read") },
	};
	size_t i;

	/* A row's address is behind the call, too: one is taken off. */
	for (i = 0; i < sizeof(libc) / sizeof(libc[0]); i++)
		at[i] = (struct format_place) {
			.address = libc[i].at + (libc[i].at == 0x200 ||
			    libc[i].at == 0x300 || libc[i].at == 0x500 ? 8 : 0),
			.start = libc[i].at,
			.name = build_string(b, libc[i].name),
		};
	build_names(b, c, at, (uint32_t)i, NULL, 0);
	build_names(b, program, own, 2, NULL, 0);
}

static uint32_t
frame(struct build *b, uint32_t above, uint32_t module, uint64_t at)
{
	return build_node(b, above, FORMAT_FRAME, module, at, 0, 0);
}

static void
sleep_in(struct build *b, uint32_t above, uint32_t module, uint64_t at,
    uint64_t ms)
{
	build_node(b, above, FORMAT_SLEEP, module, at, ms, ms * MS);
}

Test(sleep_reasons, by_the_function_outside_of_libraries)
{
	static const char want[] =
	    "Asleep, by reason (share of all time that threads slept):\n"
	    "       %  Seconds  Reason    First function outside of libraries\n"
	    "    30.0    3.000  condition calls\n"
	    "    20.0    2.000  timer     calls\n"
	    "     6.0    0.600  other     calls\n"
	    "     3.0    0.300  other     read\n"
	    "     1.0    0.100  futex     [no caller is known]\n"
	    "    40.0    4.000  join      calls\n"
	    "                    join: until a thread ended; see what that "
	    "thread did\n"
	    "       -    2.500  -         [waiting for a processor]\n";
	struct build b;
	uint32_t program, c, root, calls;

	build_init(&b);
	program = build_module(&b, "/none/prog", 0x10000, 0x20000);
	c = build_module(&b, "/none/libc.so.6", 0x30000, 0x40000);
	root = build_root(&b, build_thread(&b, 1, "main"));
	calls = frame(&b, root, program, CALLS);
	sleep_in(&b, frame(&b, calls, c, JOIN), c, FUTEX, 4000);
	sleep_in(&b, frame(&b, calls, c, COND), c, FUTEX, 3000);
	sleep_in(&b, frame(&b, calls, c, USLEEP), c, NAP, 2000);
	sleep_in(&b, calls, c, IOCTL, 600);
	/* a function of the program that has a name of libc's */
	sleep_in(&b, calls, program, READ + 1, 300);
	sleep_in(&b, root, c, FUTEX, 100);
	save_names(&b, c, program);
	build_header(&b)->clock = FORMAT_CLOCK_WALL;
	build_header(&b)->cpu_ns = 0;
	build_header(&b)->lives = 1;
	build_header(&b)->lived_ns = 12500 * (uint64_t)MS;
	build_header(&b)->delay_ns = 2500 * (uint64_t)MS;
	build_header(&b)->sums = FORMAT_SUMS_FINAL;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--asleep"), 0, "%s", err);
	cr_expect_not_null(strstr(out, want), "%s not in\n%s", want, out);
	cr_expect_eq(prof(""), 0, "%s", err);
	cr_expect_not_null(strstr(out, want), "%s not in\n%s", want, out);
	cr_expect_eq(prof("--csv"), 0, "%s", err);
	cr_expect_null(strstr(out, "by reason"), "%s", out);
}

/* 3 s of lives: 1 s each of CPU time and of sleep, 0.5 s of waiting */
static struct format_header *
begin_waiting(struct build *b)
{
	struct format_header *h;
	uint32_t program, c, root;

	build_init(b);
	program = build_module(b, "/none/prog", 0x10000, 0x20000);
	c = build_module(b, "/none/libc.so.6", 0x30000, 0x40000);
	root = build_root(b, build_thread(b, 1, "main"));
	build_node(b, root, FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	sleep_in(b, frame(b, root, c, JOIN), c, FUTEX, 600);
	sleep_in(b, frame(b, root, c, USLEEP), c, NAP, 400);
	save_names(b, c, program);
	build_seal(b, FORMAT_END_EXIT, 0);
	h = build_header(b);
	h->clock = FORMAT_CLOCK_WALL;
	h->cpu_ns = 1000 * (uint64_t)MS;
	h->lives = 1;
	h->lived_ns = 3000 * (uint64_t)MS;
	h->delay_ns = 500 * (uint64_t)MS;
	h->sums = FORMAT_SUMS_FINAL;
	return h;
}

static void
save(struct build *b)
{
	cr_assert_eq(build_save(b, compile_path("mon.out")), 0);
	build_fini(b);
}

static void
says(const char *args, const char *line)
{
	cr_expect_eq(prof(args), 0, "%s", err);
	cr_expect_not_null(strstr(out, line), "%s: %s not in\n%s", args, line,
	    out);
}

/* The row and the head have one sum. */
Test(sleep_reasons, waiting_is_that_of_the_head)
{
	struct build b;
	struct format_header *h;

	begin_waiting(&b);
	save(&b);
	says("--asleep", "    0.500  -         [waiting for a processor]\n");
	h = begin_waiting(&b);
	h->unasked_ns = 50 * (uint64_t)MS;
	save(&b);
	says("--asleep", " + 0.53 s waiting for a processor");
	says("--asleep", "    0.525  -         [waiting for a processor] "
	    "(+-0.03 s)\n");
	says("--html=page mon.out", "");
	cr_expect_eq(compile_run("grep -q '\"waiting\":{\"ns\":525000000,"
	    "\"error\":25000000,\"least\":false}' page"), 0);
}

Test(sleep_reasons, waiting_may_be_longer)
{
	struct build b;
	struct format_header *h = begin_waiting(&b);

	h->state = FORMAT_LIVE;
	h->sums = 0;
	save(&b);
	says("--asleep", " + at least 0.50 s waiting for a processor");
	says("--asleep", "    0.500  -         [waiting for a processor, at "
	    "least]\n");
	says("--html=page mon.out", "");
	cr_expect_eq(compile_run("grep -q '\"waiting\":{\"ns\":500000000,"
	    "\"error\":0,\"least\":true}' page"), 0);
}

/* The row is of all time of all threads. */
Test(sleep_reasons, waiting_is_not_known_of_a_part)
{
	static const char *const parts[] = {
		"--asleep --focus=pthread_join", "--asleep --ignore=usleep",
		"--asleep --thread=main",
	};
	struct build b;

	begin_waiting(&b);
	save(&b);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		says(parts[i], "by reason");
		cr_expect_null(strstr(out, "[waiting"), "%s: %s", parts[i],
		    out);
	}
	says("--html=page --module=libc* mon.out", "");
	cr_expect_eq(compile_run("grep -q '\"waiting\":{\"ns\":0,' page"), 0);
}

Test(sleep_reasons, of_a_profile_without_sleep)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof(""), 0, "%s", err);
	cr_expect_null(strstr(out, "by reason"), "%s", out);
}
