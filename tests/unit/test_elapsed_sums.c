/* Context: O.  Tests of core/view/report/elapsed_sums.c, by prof's output. */
#include "command.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(elapsed_sums, .init = command_init, .fini = compile_fini);

/* A process of 2 s with `lives` threads, 3 s of lives and 1 s of CPU time. */
static struct format_header *
begin(struct build *b, int pid, uint32_t lives)
{
	struct format_header *h;

	build_init(b);
	build_node(b, build_root(b, build_thread(b, pid, "main")), FORMAT_USER,
	    0, 0x10, 1000, 1000 * MS);
	build_seal(b, FORMAT_END_EXIT, 0);
	h = build_header(b);
	h->pid = pid;
	h->birth_real = 1000000 * (uint64_t)MS;
	h->birth_mono = h->begin_mono = 5000 * (uint64_t)MS;
	h->cpu_mono = h->end_mono = 7000 * (uint64_t)MS;
	h->cpu_ns = 1000 * (uint64_t)MS;
	h->cpu_birth_ns = 0;
	h->lives = lives;
	h->lived_ns = 3000 * (uint64_t)MS;
	h->delay_ns = 500 * (uint64_t)MS;
	h->sums = FORMAT_SUMS_FINAL;
	return h;
}

static void
save(struct build *b, const char *name)
{
	cr_assert_eq(build_save(b, compile_path(name)), 0);
	build_fini(b);
}

static void
says(const char *args, const char *line)
{
	cr_assert_eq(prof(args), 0);
	cr_expect_not_null(strstr(out, line), "%s not in\n%s", line, out);
}

Test(elapsed_sums, adds_up)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 2);

	save(&b, "two");
	says("two", "process, 2 threads\n2.00 s x 1.50 threads = 1.00 s CPU + "
	    "0.50 s waiting for a processor + 1.50 s asleep\n");
	h = begin(&b, 2, 1);
	h->lived_ns = 2000 * (uint64_t)MS;
	save(&b, "one");
	says("one", "\n2.00 s = 1.00 s CPU + 0.50 s waiting for a processor + "
	    "0.50 s asleep\n");
	says("one two", "\n2.00 s x 2.50 threads = 2.00 s CPU + 1.00 s "
	    "waiting for a processor + 2.00 s asleep\n");
}

/* Threads without samples are threads, too. */
Test(elapsed_sums, counts_all_threads)
{
	struct build b;

	begin(&b, 1, 3);
	save(&b, "three");
	says("--verbose three", "1 process, 3 threads\n");
	says("--verbose three", "1 process, 1 of 3 threads with samples\n");
}

/* The CPU time has that of the start, which is not in the time elapsed. */
Test(elapsed_sums, shows_no_cores_of_a_short_run)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 1);

	save(&b, "long");
	says("long", "2.00 s elapsed, 1.00 s CPU (0.50 cores)");
	h = begin(&b, 2, 1);
	h->cpu_mono = h->end_mono = h->birth_mono + 4 * (uint64_t)MS;
	save(&b, "short");
	says("short", "0.00 s elapsed, 1.00 s CPU, 1 process");
}

Test(elapsed_sums, does_not_guess)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 2);

	h->unasked_ns = 400 * (uint64_t)MS;
	save(&b, "short");
	says("short", "1.00 s CPU + at least 0.50 s waiting for a processor + "
	    "1.10 s asleep + 0.40 s waiting or asleep (of threads that ended; "
	    "prof record --wall tells which)\n");
	h = begin(&b, 3, 1);
	h->unasked_ns = 400 * (uint64_t)MS;
	save(&b, "first");
	says("first", "waiting or asleep (before the first sample)\n");
	h = begin(&b, 5, 2);
	h->unasked_ns = 50 * (uint64_t)MS;
	save(&b, "error");
	says("error", "1.00 s CPU + 0.53 s waiting for a processor + 1.48 s "
	    "asleep (+-0.03 s)\n");
	h = begin(&b, 2, 2);
	h->sums = FORMAT_SUMS_FINAL | FORMAT_SUMS_REFUSED;
	h->unasked_ns = 2000 * (uint64_t)MS;
	h->delay_ns = 0;
	save(&b, "refused");
	says("refused", "1.00 s CPU + 2.00 s waiting or asleep (the kernel "
	    "does not say which)\n");
	h = begin(&b, 3, 2);
	h->state = FORMAT_LIVE;
	h->sums = 0;
	save(&b, "unsealed");
	says("unsealed", "1.00 s CPU + at least 0.50 s waiting for a processor + "
	    "1.50 s waiting or asleep (no last reading, as after a "
	    "kill)\n");
	h = begin(&b, 4, 2);
	h->unseen = 1;
	save(&b, "unseen");
	says("unseen", "asleep (without the sleep of 1 thread whose birth or "
	    "end was not seen)\n");
}

/* Where threads slept longer than they ran, the head says how to see where. */
Test(elapsed_sums, names_the_option_that_records_sleep)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 2);

	save(&b, "sleeps");
	says("sleeps", "\nprof record --wall records where threads sleep\n");
	h = begin(&b, 2, 2);
	h->delay_ns = 1100 * (uint64_t)MS;
	save(&b, "runs");
	cr_assert_eq(prof("runs"), 0);
	cr_expect_null(strstr(out, "--wall"), "%s", out);
}

/* Older files do not say it; zeros are no answer. */
Test(elapsed_sums, is_silent_on_older_files)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 0);

	h->lived_ns = h->delay_ns = h->begin_mono = 0;
	h->sums = 0;
	save(&b, "old");
	cr_assert_eq(prof("old"), 0);
	cr_expect_null(strstr(out, "asleep"), "%s", out);
	begin(&b, 2, 2);
	save(&b, "new");
	says("old new", "1.50 s asleep (1 of 2 processes)\n");
}

Test(elapsed_sums, shows_what_a_quota_took)
{
	struct build b;
	struct format_header *h = begin(&b, 1, 2);

	h->throttle_birth_ns = 100 * (uint64_t)MS;
	h->throttle_ns = 420 * (uint64_t)MS;
	h->throttles_birth = 2;
	h->throttles = 6;
	save(&b, "unknown");
	cr_assert_eq(prof("unknown"), 0);
	cr_expect_null(strstr(out, "quota"), "%s", out);
	h = begin(&b, 2, 2);
	h->throttle_birth_ns = 100 * (uint64_t)MS;
	h->throttle_ns = 420 * (uint64_t)MS;
	h->throttles_birth = 2;
	h->throttles = 6;
	h->sums |= FORMAT_SUMS_QUOTA;
	save(&b, "quota");
	says("quota", "\na CPU quota stopped the control group for 0.32 s in 4 "
	    "periods\n");
}

/* Nothing begins after its birth, and no time is below 0. */
Test(elapsed_sums, takes_no_beginning_after_the_birth)
{
	struct build b;

	build_init(&b);
	build_header(&b)->begin_mono = build_header(&b)->birth_mono +
	    11000 * (uint64_t)MS;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * (uint64_t)MS);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof(""), 0, "%s", err);
	cr_expect_not_null(strstr(out, ": 10.00 s elapsed"), "%s", out);
}

/* Behind a seccomp filter no clock is read any more. */
Test(elapsed_sums, knows_no_end_without_a_last_reading)
{
	struct build b;
	struct format_header *h;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 600, 600 * (uint64_t)MS);
	h = build_header(&b);
	h->birth_mono = h->begin_mono = 5000 * (uint64_t)MS;
	h->cpu_mono = 5010 * (uint64_t)MS;
	h->lived_ns = h->cpu_ns = 10 * (uint64_t)MS;
	h->cpu_birth_ns = 0;
	h->lives = 1;
	save(&b, "frozen");
	says("frozen", ": at least 0.01 s elapsed (no last reading, as after a "
	    "kill or a seccomp filter), 0.60 s CPU, 1 process, 1 thread\n");
	cr_expect_null(strstr(out, " asleep"), "%s", out);
}
