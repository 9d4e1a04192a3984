/*
 * Context: O.  tprof count, called by main() of tprof: shows the counters of
 * each processor while a command runs and when it has ended.
 */
#include "tprof/tprof_commands.h"

#include "command.h"
#include "common/print_fault.h"
#include "tprof/tprof_options.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define NARROWEST	11	/* columns of a counter, as in NetBSD */

static const struct option_row count_options[] = {
	{"event", 'e', "EVENT", TPROF_OPT_EVENT,
	    "count this event of tprof list, which may have :u, :k\nor :uk "
	    "behind it; can be repeated"},
	{"interval", 'i', "SECS", TPROF_OPT_INTERVAL,
	    "show the counts of each interval and the total"},
	{"tree", 0, NULL, TPROF_OPT_TREE,
	    "count the command and what it starts alone"},
	{"help", 'h', NULL, TPROF_OPT_HELP, "print this text"},
};

static const struct tprof_command count_command = {
	.program = "tprof count",
	.usage = "usage: tprof count -e EVENT... [OPTION...] COMMAND...\n"
	    "Shows the counters of each processor when a command has "
	    "ended.\n",
	.table = count_options,
	.rows = sizeof(count_options) / sizeof(count_options[0]),
	.end = "SIGUSR1 shows the total so far.  See tprof(8).\n",
};

/* One call of tprof count. */
struct count {
	struct tprof_options set;
	char **argv;
	struct command command;
	struct counters counters;
	unsigned *cpus;
	size_t cpu_count;
	/*
	 * Readings of the counters: the last ones, those of the end of the last
	 * interval, and zeros, for totals.
	 */
	struct counter_value *now, *before, *none;
	bool all;
	bool shared;		/* counters took turns on the hardware */
};

/*
 * Reads all counters into c->now.  One that cannot be read stays as it was
 * before.
 */
static void
read_counters(struct count *c)
{
	for (size_t n = 0; n < c->counters.count; n++)
		counter_read(&c->counters, &c->counters.all[n], &c->now[n]);
}

/*
 * Returns what a counter has counted since the readings `since`, with its turns
 * made up for.  If all processes are counted, the counters of an event work
 * each by itself.
 */
static uint64_t
count_since(struct count *c, const struct counter_value *since, size_t event,
    size_t cpu)
{
	const size_t first = event * c->cpu_count + (c->all ? cpu : 0);

	return counter_scaled_since(c->now + first, since + first,
	    c->all ? 1 : c->cpu_count, c->all ? 0 : cpu, &c->shared);
}

static int
column_width(const struct event *e)
{
	const int own = (int)strlen(e->name);

	return own < NARROWEST ? NARROWEST : own;
}

/*
 * Prints the counters, which are in order of events, then processors: their
 * values so far (total), or what they counted since the last call without
 * `total`.
 */
static void
print_counts(struct count *c, bool total)
{
	const struct counter_value *since = total ? c->none : c->before;
	const struct events *e = &c->set.events;

	read_counters(c);
	c->shared = false;
	printf("CPU  ");
	for (size_t i = 0; i < e->count; i++)
		printf(" %*s", column_width(&e->all[i]), e->all[i].name);
	printf("\n-----");
	for (size_t i = 0; i < e->count; i++) {
		putchar(' ');
		for (int j = 0; j < column_width(&e->all[i]); j++)
			putchar('-');
	}
	putchar('\n');
	for (size_t cpu = 0; cpu < c->cpu_count; cpu++) {
		printf("CPU%-2u", c->cpus[cpu]);
		for (size_t i = 0; i < e->count; i++)
			printf(" %*" PRIu64, column_width(&e->all[i]),
			    count_since(c, since, i, cpu));
		putchar('\n');
	}
	if (!total)
		memcpy(c->before, c->now,
		    c->counters.count * sizeof(*c->before));
	if (total && c->shared)
		puts("the counters took turns, so these are estimates");
	putchar('\n');
	fflush(stdout);
}

/*
 * Returns the milliseconds until the time `then`, at which the interval ends;
 * -1: no interval.
 */
static int
poll_timeout_ms(const struct count *c, uint64_t then)
{
	const uint64_t now = perf_buffer_now();

	return c->set.interval == 0 ? -1 : now >= then ? 0 :
	    (int)((then - now) / 1000000) + 1;
}

/*
 * Prints the counts of each interval, and the totals at SIGUSR1, until the
 * command has ended.
 */
static void
watch_command(struct count *c)
{
	const uint64_t each = (uint64_t)(c->set.interval * 1e9);
	uint64_t then = perf_buffer_now() + each;

	while (!command_look(&c->command)) {
		struct pollfd p = {
			.fd = c->command.news, .events = POLLIN,
		};

		poll(&p, 1, poll_timeout_ms(c, then));
		if (command_wanted(&c->command))
			print_counts(c, true);
		if (poll_timeout_ms(c, then) != 0)
			continue;
		print_counts(c, false);
		then += each;
	}
}

/*
 * Opens the counters of all events, after the command was started and before it
 * goes on: those of all processes are still off, those of the command begin at
 * its exec.  Returns 0 or -errno with *f set.
 */
static int
open_cpu_counters(struct count *c, struct fault *f)
{
	const struct perf_event_attr how = {
		.sample_type = 0, .enable_on_exec = !c->all,
	};
	int ret = 0;

	c->cpus = counter_cpus(&c->cpu_count);
	for (size_t i = 0; i < c->set.events.count && ret == 0; i++)
		ret = counters_open(&c->counters, &c->set.events.all[i],
		    (uint32_t)i, c->all ? -1 : c->command.pid, c->cpus,
		    c->cpu_count, &how, f);
	if (ret != 0)
		return ret;
	c->now = calloc(c->counters.count + 1, sizeof(*c->now));
	c->before = calloc(c->counters.count + 1, sizeof(*c->before));
	c->none = calloc(c->counters.count + 1, sizeof(*c->none));
	return c->now != NULL && c->before != NULL && c->none != NULL ? 0 :
	    fault_set_no_memory(f);
}

/*
 * Runs the command and counts.  Returns the exit status.  tprof_count() closes
 * what is open, on failure, too.
 */
static int
run_count(struct count *c)
{
	struct fault f;
	int ret;

	if (command_start(&c->command, c->argv, NULL, &f) != 0 ||
	    open_cpu_counters(c, &f) != 0) {
		print_fault(&f);
		return TPROF_DATA;
	}
	if (c->all)
		counters_switch(&c->counters, true);
	ret = command_go(&c->command, c->argv[0], &f);
	if (ret != 0)
		print_fault(&f);
	watch_command(c);
	counters_switch(&c->counters, false);
	if (ret == 0)
		print_counts(c, true);
	if (c->counters.user_only)
		fputs("tprof: counting user mode alone: this user may not see "
		    "the kernel\n", stderr);
	return ret != 0 ? ret : command_exit_status(&c->command);
}

int
tprof_count(char **argv)
{
	struct count c = { 0 };
	const int at = tprof_options_parse(&c.set, argv, &count_command);
	int ret;

	if (at <= 0 || argv[at] == NULL || !c.set.events_given) {
		ret = at == 0 ? TPROF_GOOD : at < 0 ? TPROF_WRONG_USE :
		    tprof_options_reject(&count_command, argv[at] == NULL ?
		    "no command is named; tprof count --help lists the "
		    "options" : "no event is named: use -e EVENT");
		tprof_options_free(&c.set);
		return ret;
	}
	c.argv = argv + at;
	c.all = !c.set.tree && tprof_sees_all(&c.set.events);
	ret = run_count(&c);
	if (c.command.pid > 0)
		command_close(&c.command);
	counters_close(&c.counters);
	free(c.cpus);
	free(c.now);
	free(c.before);
	free(c.none);
	tprof_options_free(&c.set);
	return ret;
}
