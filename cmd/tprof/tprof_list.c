/*
 * Context: O.  tprof list, called by main() of tprof: shows which events can be
 * counted here, and how.
 */
#include "tprof/tprof_commands.h"

#include "event/perf_open.h"
#include "tprof/tprof_options.h"

#include <string.h>

#define COUNTERS_MOST	64	/* more than any processor has */

static const struct option_row list_options[] = {
	{"help", 'h', NULL, TPROF_OPT_HELP, "print this text"},
};

static const struct tprof_command list_command = {
	.program = "tprof list",
	.usage = "usage: tprof list\n"
	    "Lists the events that can be counted here, and how.\n",
	.table = list_options,
	.rows = sizeof(list_options) / sizeof(list_options[0]),
	.end = "See tprof(8).\n",
};

/*
 * Returns how many hardware counters of a processor can be on at once, up to
 * COUNTERS_MOST: one more in the group is refused.
 */
static int
counters_at_once(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES, .disabled = 1,
		.exclude_kernel = 1, .pinned = 1,
	};
	int leader = -1, fds[COUNTERS_MOST], count = 0;

	while (count < COUNTERS_MOST) {
		const long fd = syscall(SYS_perf_event_open, &attr, 0, -1,
		    leader, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			break;
		if (leader < 0)
			leader = (int)fd;
		fds[count++] = (int)fd;
		attr.pinned = 0;
	}
	for (int i = 0; i < count; i++)
		close(fds[i]);
	return count;
}

/* The list while it is printed. */
struct list {
	const char *from;	/* source of the last event */
	/* tracepoints were tried; they can be counted */
	bool asked, traces;
};

/*
 * Returns whether an event can be counted here.  The kernel lets all
 * tracepoints be opened or none, and waits some 40 ms for all processors when
 * one is closed: two thousand took 90 s, so the first answers for all.
 */
static bool
is_countable_event(struct list *l, const char *from, const struct event *e)
{
	if (strcmp(from, "tracepoint") != 0)
		return event_is_there(e);
	if (!l->asked)
		l->traces = event_is_there(e);
	l->asked = true;
	return l->traces;
}

/*
 * Prints an event that can be counted, as a callback of event_list() and of
 * event_list_pfm(), with a title if its source is another one than that of the
 * last event.
 */
static void
print_listed_event(void *arg, const char *from, const char *name,
    const struct event *e)
{
	static const struct { const char *from, *title; } titles[] = {
		{ "kernel", "events of the kernel" },
		{ "cache", "events of caches" },
		{ "device", "events of devices" },
		{ "tracepoint", "tracepoints" },
	};
	struct list *l = arg;

	if (!is_countable_event(l, from, e))
		return;
	if (l->from == NULL || strcmp(l->from, from) != 0) {
		const char *title = NULL;

		for (size_t i = 0; i < 4; i++)
			if (strcmp(titles[i].from, from) == 0)
				title = titles[i].title;
		l->from = from;
		if (title != NULL)
			printf("%s:\n", title);
		else
			printf("events of %s:\n", from);
	}
	printf("\t%s\n", name);
}

static void
print_backends(void)
{
	struct events e = { 0 };
	struct fault f;

	if (events_add_default(&e, EVENT_HZ, &f) != 0)
		return;
	printf("backends:\n\tkernel: %s\n\tpreload: programs that are linked "
	    "dynamically\n", tprof_sees_all(&e) ? "all processes" :
	    event_is_there(&e.all[0]) ? "a command and what it starts, "
	    "perhaps in user mode alone" : "this user may not use it");
	printf("default event: %s\n", e.all[0].name);
	events_free(&e);
}

int
tprof_list(char **argv)
{
	struct tprof_options none;
	struct list l = { 0 };
	const int at = tprof_options_parse(&none, argv, &list_command);

	tprof_options_free(&none);
	if (at <= 0)
		return at == 0 ? TPROF_GOOD : TPROF_WRONG_USE;
	if (argv[at] != NULL)
		return tprof_options_reject(&list_command, "it takes no "
		    "argument: use tprof list alone");
	printf("%d counters of the processor at once\n", counters_at_once());
	print_backends();
	event_list(print_listed_event, &l);
	event_list_pfm(print_listed_event, &l);
	return fflush(stdout) == 0 && !ferror(stdout) ? TPROF_GOOD :
	    TPROF_DATA;
}
