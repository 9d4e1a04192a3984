/* Context: O.  Tests of cmd/prof/prof.c: what the footer says of a report. */
#include "command.h"
#include "heap_profile.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(prof_footer, .init = command_init, .fini = compile_fini);

Test(prof_footer, says_what_the_table_rests_on)
{
	static const char *const want[] = {
		"1 file, 1 process, 1 thread\n",
		"rate: asked auto, measured 800.0 samples a CPU second; "
		    "1.0000 ms a sample in user mode, 1.0000 ms in a call\n",
		"fine: perf event",
		"CPU time: 5.000 s by the kernel, 4.000 s in samples "
		    "(-20.0 %)\n",
		"without a symbol: 4.000 s (80.0 %)\n",
		"rests on 3000 samples: its share is good to +-1.4 points, "
		    "95 times of 100\n",
		"cost: 100 ticks took 0.010 s (0.20 % of the CPU time)\n",
		"lost: 7 ticks: no space left on the device or quota\n",
	};

	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--verbose"), 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		cr_expect_not_null(strstr(out, want[i]), "%s not in\n%s",
		    want[i], out);
}

static void
put_rate(const char *name, int pid, uint32_t hz, uint64_t budget)
{
	struct build b;

	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->asked_hz = hz;
	build_header(&b)->period_ns = 1000000000u / (hz != 0 ? hz : 800);
	build_header(&b)->budget_ns = budget;
	build_header(&b)->later_ns = budget == FORMAT_NO_BUDGET ? 4334800 : 0;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_ON;
	build_node(&b, build_root(&b, build_thread(&b, pid, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* 0 stands for auto, and is no rate. */
Test(prof_footer, says_which_rates_were_asked_for)
{
	put_rate("auto", 1, 0, 2000 * MS);
	put_rate("one", 2, 1000, 0);
	put_rate("two", 3, 4000, 0);
	cr_expect_eq(prof("--verbose auto"), 0);
	cr_expect_not_null(strstr(out, "rate: asked auto, measured"));
	cr_expect_not_null(strstr(out, "every 1.2500 ms of user time for the "
	    "first 2.0 s of a thread\n"), "%s", out);
	cr_expect_eq(prof("--verbose one two"), 0);
	cr_expect_not_null(strstr(out, "rate: asked 1000 to 4000 Hz,"));
	cr_expect_not_null(strstr(out, "every 0.2500 to 1.0000 ms of user "
	    "time\n"), "%s", out);
	cr_expect_eq(prof("--verbose auto two"), 0);
	cr_expect_not_null(strstr(out, "rate: asked auto and 4000 Hz,"));
	cr_expect_not_null(strstr(out, "every 0.2500 to 1.2500 ms of user "
	    "time for all or the first 2.0 s of a thread\n"), "%s", out);
}

/* The footer of a file that nobody sealed. */
static void
unsealed(int pid, unsigned other_boot, uint64_t ticks_off, const char *want)
{
	char stat_line[1024] = "", *at;
	struct build b;
	FILE *in;

	build_init(&b);
	build_here(&b);
	build_header(&b)->boot_id[0] ^= (uint8_t)other_boot;
	in = fopen("/proc/self/stat", "r");
	cr_assert_not_null(in);
	cr_assert_not_null(fgets(stat_line, sizeof(stat_line), in));
	fclose(in);
	at = strrchr(stat_line, ')');
	for (int i = 2; i < 22; i++)
		at = strchr(at + 1, ' ');
	build_header(&b)->start_ticks = strtoull(at, NULL, 10) + ticks_off;
	build_header(&b)->pid = pid;
	build_header(&b)->pid_namespace = 0;
	build_header(&b)->cpu_ns = 1;
	build_node(&b, build_root(&b, build_thread(&b, pid, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, want), "%s not in\n%s", want, out);
}

Test(prof_footer, tells_the_killed_from_the_living)
{
	unsealed(getpid(), 0, 0, "1 process, 1 thread; 1 still running\n");
	unsealed(getpid(), 0, 1, "1 process, 1 thread; 1 ended unseen: by a "
	    "signal, a raw system call, or in a sandbox\n");
	unsealed(0x3ffffff, 0, 0, "1 process, 1 thread; 1 ended unseen: by a "
	    "signal, a raw system call, or in a sandbox\n");
	unsealed(getpid(), 1, 0, "1 process, 1 thread; 1 ended unseen or "
	    "still running elsewhere\n");
	cr_expect_not_null(strstr(out, "CPU time: 1.000 s in samples, not "
	    "known from the kernel\n"));
}

/* Samples that were cut off are not the kernel's time. */
Test(prof_footer, knows_no_kernel_time_of_what_was_cut_off)
{
	struct build b;

	build_init(&b);
	build_header(&b)->state = FORMAT_LIVE;
	build_header(&b)->pid = 0x3ffffff;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_ON;
	build_header(&b)->cpu_ns = 1250 * MS;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, "[kernel: page faults and "
	    "interrupts]"), "%s", out);
	cr_assert_eq(truncate(compile_path("mon.out"), FORMAT_HEADER + 16), 0);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, "1 file cut short"), "%s", out);
	cr_expect_null(strstr(out, "[kernel: page faults and interrupts]"), "%s", out);
	cr_expect_not_null(strstr(out, "\n   100.0    1.250  [not sampled]"), "%s", out);
}

/* CPU time that no sample has is not reported as sampled. */
Test(prof_footer, knows_of_the_killed_what_the_kernel_said_last)
{
	struct build b;

	build_init(&b);
	build_header(&b)->state = FORMAT_LIVE;
	build_header(&b)->pid = 0x3ffffff;
	build_header(&b)->cpu_ns = 1250 * MS;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, "CPU time: 1.000 s in samples, 1.250 s "
	    "by the kernel when last asked\n"), "%s", out);
}

/* The kernel's figure of a killed one is old: its samples are no part of it. */
Test(prof_footer, tells_time_of_the_ended_from_that_of_the_killed)
{
	struct build b;

	put("a", 100, 1000);
	build_init(&b);
	build_here(&b);
	build_header(&b)->pid = 0x3fffffd;
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 2000, 2000 * (uint64_t)MS);
	build_loss(&b, LOSS_PC_UNKNOWN, 1);
	cr_assert_eq(build_save(&b, compile_path("b")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose a b"), 0);
	cr_expect_not_null(strstr(out, "CPU time: 7.000 s; of 1 of 2 processes "
	    "the kernel reports it: 5.000 s by the kernel, 4.000 s in samples "
	    "(-20.0 %)\n"), "%s", out);
	cr_expect_not_null(strstr(out, "lost: 1 place: "), "%s", out);
}

Test(prof_footer, says_why_a_clock_was_refused)
{
	struct build b;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	build_header(&b)->asked_hz = 1000;
	build_header(&b)->coarse_seen = 1u << FORMAT_COARSE_PROCESS;
	build_header(&b)->coarse_errno = 11;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_REFUSED;
	build_header(&b)->fine_errno = 13;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, "rate: asked 1000 Hz, measured "));
	cr_expect_not_null(strstr(out, "clocks: coarse: process timer every "
	    "4.0 ms (thread timer refused: Resource temporarily unavailable); "
	    "fine: refused (Permission denied)\n"), "%s", out);
	cr_expect_not_null(strstr(out, "95 times of 100, unless threads ran in "
	    "step with the scheduler's tick\n"), "%s", out);
}

/* A rate below the scheduler's tick, and no fine clock that would have it. */
Test(prof_footer, slow_coarse_clock)
{
	struct build b;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1, 1000 * MS);
	build_header(&b)->asked_hz = 1;
	build_header(&b)->period_ns = 0;
	build_header(&b)->coarse_seen = 1u << FORMAT_COARSE_CPU;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	cr_expect_not_null(strstr(out, "coarse: thread CPU time every "
	    "1000.0 ms"), "%s", out);
}

/* The line of clocks of a program whose threads had these fine clocks. */
/* A process that a profiled one started has the lower rate from the start. */
Test(prof_footer, says_which_processes_have_the_first_rate)
{
	put_rate("first", 1, 0, 2000 * MS);
	put_rate("started", 2, 0, FORMAT_NO_BUDGET);
	cr_expect_eq(prof("--verbose started"), 0);
	cr_expect_not_null(strstr(out, "fine: perf event every 4.3348 ms while "
	    "it sleeps now and then or shares its processor\n"), "%s", out);
	cr_expect_eq(prof("--verbose first started"), 0);
	cr_expect_not_null(strstr(out, "every 1.2500 ms of user time for the "
	    "first 2.0 s of a thread without a profiled parent, then every "
	    "4.3348 ms while it sleeps"), "%s", out);
}

static const char *
clocks_of(uint32_t fine_seen)
{
	struct build b;
	const char *line;

	build_init(&b);
	build_node(&b, build_root(&b, build_thread(&b, 1, "main")),
	    FORMAT_USER, 0, 0x10, 1000, 1000 * MS);
	build_header(&b)->asked_hz = 1000;
	build_header(&b)->period_ns = 1000000;
	build_header(&b)->budget_ns = 0;
	build_header(&b)->fine_seen = fine_seen;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("mon.out")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--verbose"), 0);
	line = strstr(out, "; fine: ");
	cr_assert_not_null(line, "%s", out);
	*strchr(line, '\n') = '\0';
	return line;
}

Test(prof_footer, says_when_the_fine_clock_was_off)
{
	const uint32_t on = 1u << FORMAT_FINE_ON;

	cr_expect_str_eq(clocks_of(on | 1u << FORMAT_FINE_SWITCHING),
	    "; fine: perf event every 1.0000 ms of user time, off while it "
	    "is switched often");
	cr_expect_str_eq(clocks_of(on | 1u << FORMAT_FINE_SECCOMP),
	    "; fine: perf event every 1.0000 ms of user time, off under "
	    "seccomp");
	cr_expect_str_eq(clocks_of(1u << FORMAT_FINE_SECCOMP),
	    "; fine: off under seccomp");
	cr_expect_eq(prof("--info"), 0);
	cr_expect_not_null(strstr(out, "\nfine=seccomp\n"), "%s", out);
}

Test(prof_footer, does_not_hold_some_threads_to_the_time_of_all)
{
	put("mon.out", 100, 1000);
	cr_expect_eq(prof("--verbose --thread=main"), 0);
	cr_expect_not_null(strstr(out, "CPU time: 4.000 s in samples, not "
	    "known from the kernel for these threads alone\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\ncost: 100 ticks of all threads took "
	    "0.010 s\n"), "%s", out);
	cr_expect_null(strstr(out, "[kernel"));
	cr_expect_not_null(strstr(out, "\n    75.0    3.000"), "%s", out);
}

static void
put_heap(const char *name, int pid, uint64_t period, uint64_t lost)
{
	struct build b;
	struct format_memory *memory;
	uint32_t thread;

	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->loss[LOSS_HEAP_FULL] = lost;
	build_header(&b)->loss[LOSS_STORE_FULL] = 1;
	memory = build_at(&b, build_memory(&b, 1, 0));
	memory->period = period;
	thread = build_alloc_thread(&b);
	((struct format_alloc_thread *)build_at(&b, thread))->unknown_frees = 2;
	build_heap(&b, heap_frame(&b, build_alloc_thread_root(&b, thread),
	    build_module(&b, "/bin/prog", 0x5000, 0x15000), 1), 1, 100);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* One of them stands for many. */
Test(prof_footer, calls_losses_of_a_sampled_heap_sampled)
{
	put_heap("all", 8, 0, 5);
	put_heap("some", 9, 512 << 10, 7);
	cr_expect_eq(prof("--heap some"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nlost: 1 tick: the file reached its "
	    "size limit (size=)\nlost: 7 sampled allocations: the file"),
	    "%s", out);
	cr_expect_eq(prof("--heap all some"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nlost: 12 allocations (7 of them "
	    "sampled): the file"), "%s", out);
	cr_expect_eq(prof("--heap all"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nlost: 5 allocations: the file"),
	    "%s", out);
}

/* Their frees are seen, as those of blocks from before a start are. */
Test(prof_footer, says_that_lost_blocks_are_freed)
{
	put_heap("lost", 8, 0, 5);
	put_heap("none", 9, 0, 0);
	cr_expect_eq(prof("--heap lost"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nfreed, but not known (lost when "
	    "allocated, from before a start, or of the parent): 2 blocks\n"),
	    "%s", out);
	cr_expect_eq(prof("--heap none"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nfreed, but not known (from before a "
	    "start, or of the parent): 2 blocks\n"), "%s", out);
}

/* Nobody is told to do what has been tried. */
Test(prof_footer, says_why_no_allocation_was_counted)
{
	struct build b;

	build_init(&b);
	cr_assert_eq(build_save(&b, compile_path("time")), 0);
	build_header(&b)->loss[LOSS_HEAP_BEHIND] = 1;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("own")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--heap time"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nno allocation was counted: prof "
	    "record --heap counts them\n"), "%s", out);
	cr_expect_eq(prof("--heap own"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nno allocation was counted: the "
	    "program has its own malloc\n"), "%s", out);
}
