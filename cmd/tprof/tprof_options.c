/*
 * Context: O.  Parses the options of tprof monitor, count, top and list, each
 * of which calls tprof_options_parse() first; see tprof_options.h.
 */
#include "tprof/tprof_options.h"

#include "common/print_fault.h"
#include "event/perf_open.h"
#include "process/perf_unwind.h"
#include "tprof/tprof_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FASTEST	100000u		/* most samples a second */
#define TPROF_SHOWN	1	/* --help was printed */

/* Reports a wrong value.  Returns -1. */
static int
reject_tprof_value(const char *value, const char *what, const char *remedy)
{
	struct fault f;

	fault_set(&f, what, FAULT_NO_OFFSET, 0);
	f.file = value;
	f.remedy = remedy;
	print_fault(&f);
	return -1;
}

/*
 * Returns the index of a value among `count` words; -1 after a line on standard
 * error.
 */
static int
find_choice(const char *value, const char *const *words, unsigned count,
    const char *what, const char *remedy)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(words[i], value) == 0)
			return (int)i;
	return reject_tprof_value(value, what, remedy);
}

static int
parse_backend(struct tprof_options *o, const char *value)
{
	static const char *const words[] = { "auto", "kernel", "preload" };
	const int n = find_choice(value, words, 3, "is not a backend",
	    "use auto, kernel or preload");

	if (n >= 0)
		o->backend = (enum tprof_backend)n;
	return n < 0 ? -1 : 0;
}

/*
 * Parses --stacks; refuses "copy" if this build cannot unwind.  Returns 0 or
 * -1.
 */
static int
parse_stacks(struct tprof_options *o, const char *value)
{
	static const char *const words[] = { "off", "fp", "copy" };
	const int n = find_choice(value, words, 3, "is not a way to find "
	    "stacks",
	    "use fp, copy or off");

	if (n < 0)
		return -1;
	o->stacks = (enum sampler_stacks)n;
	if (o->stacks == SAMPLER_STACKS_COPY && perf_unwind_regs() == 0)
		return reject_tprof_value(value,
		    "needs libunwind, which this tprof was built without",
		    "use --stacks=fp");
	return 0;
}

static int
parse_hz(struct tprof_options *o, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (*value < '0' || *value > '9' || *end != '\0' || n == 0 ||
	    n > FASTEST)
		return reject_tprof_value(value, "is not a rate",
		    "give samples a second, from 1 to 100000");
	o->hz = (unsigned)n;
	o->hz_given = true;
	return 0;
}

/*
 * Parses a time from 10 ms to a day.  what: the fault of a wrong value.
 * Returns 0, or -1 after a line on standard error.
 */
static int
parse_seconds(double *seconds, const char *value, const char *what)
{
	char *end;

	*seconds = strtod(value, &end);
	if (end == value || *end != '\0' || !(*seconds >= 0.01 &&
	    *seconds <= 86400))
		return reject_tprof_value(value, what,
		    "give seconds, from 0.01 to 86400");
	return 0;
}

/* The options while they are parsed. */
struct tprof_parser {
	struct tprof_options *to;
	const struct tprof_command *command;
	/* Events as given.  They are looked up when the rate is known. */
	const char **specs;
	size_t spec_count;
};

static int
print_tprof_help(const struct tprof_command *c)
{
	puts(c->usage);
	option_help(c->table, c->rows);
	printf("\n%s", c->end);
	return TPROF_SHOWN;
}

/* Handles an option that is there or not. */
static int
handle_tprof_flag(const struct tprof_parser *p, int tag)
{
	struct tprof_options *o = p->to;

	switch (tag) {
	case TPROF_OPT_STDOUT:
	case TPROF_OPT_COUNTERS:
		o->counters = true;
		return 0;
	case TPROF_OPT_ACCUMULATE:
		o->accumulate = true;
		return 0;
	case TPROF_OPT_USERS:
		o->users = true;
		return 0;
	case TPROF_OPT_TREE:
		o->tree = true;
		return 0;
	default:
		return print_tprof_help(p->command);
	}
}

static int
handle_tprof_option(void *arg, int tag, const char *value)
{
	struct tprof_parser *p = arg;
	struct tprof_options *o = p->to;

	switch (tag) {
	case TPROF_OPT_BACKEND:
		return parse_backend(o, value);
	case TPROF_OPT_EVENT:
		p->specs[p->spec_count++] = value;
		return 0;
	case TPROF_OPT_OUTPUT:
		o->output = value;
		return 0;
	case TPROF_OPT_INTERVAL:
		return parse_seconds(&o->interval, value,
		    "is not an interval");
	case TPROF_OPT_PIDS:
		o->pids = value;
		return 0;
	case TPROF_OPT_SECONDS:
		return parse_seconds(&o->seconds, value, "is not a time");
	case TPROF_OPT_HZ:
		return parse_hz(o, value);
	case TPROF_OPT_STACKS:
		return parse_stacks(o, value);
	default:
		return handle_tprof_flag(p, tag);
	}
}

/*
 * Looks up the events that were given, or adds the default event.  Returns 0,
 * or -1 after a line on standard error.
 */
static int
add_event_specs(struct tprof_options *o, const struct tprof_parser *p)
{
	struct fault f;

	o->events_given = p->spec_count != 0;
	for (size_t i = 0; i < p->spec_count; i++)
		if (events_add(&o->events, p->specs[i], o->hz, &f) != 0) {
			print_fault(&f);
			return -1;
		}
	if (p->spec_count == 0 &&
	    events_add_default(&o->events, o->hz, &f) != 0) {
		print_fault(&f);
		return -1;
	}
	return 0;
}

static bool
takes_events(const struct tprof_command *c)
{
	for (size_t i = 0; i < c->rows; i++)
		if (c->table[i].tag == TPROF_OPT_EVENT)
			return true;
	return false;
}

int
tprof_options_parse(struct tprof_options *o, char **argv,
    const struct tprof_command *c)
{
	struct tprof_parser p = { .to = o, .command = c };
	size_t first = 0, words = 0;
	struct fault f;
	int ret = -1;

	*o = (struct tprof_options) {
		.hz = EVENT_HZ, .stacks = SAMPLER_STACKS_FP,
	};
	while (argv[words] != NULL)
		words++;
	/* Each event is in a word of its own. */
	p.specs = calloc(words, sizeof(*p.specs));
	if (p.specs == NULL) {
		fault_set_no_memory(&f);
		print_fault(&f);
	} else {
		ret = option_parse_leading(c->program, c->table, c->rows,
		    (const char **)argv + 1, &first, handle_tprof_option, &p);
	}
	if (ret == 0 && takes_events(c))
		ret = add_event_specs(o, &p);
	free(p.specs);
	return ret == TPROF_SHOWN ? 0 : ret != 0 ? -1 : (int)first + 1;
}

int
tprof_options_reject(const struct tprof_command *c, const char *what)
{
	fprintf(stderr, "%s: %s\n", c->program, what);
	return TPROF_WRONG_USE;
}

void
tprof_options_free(struct tprof_options *o)
{
	events_free(&o->events);
}

bool
tprof_sees_all(const struct events *e)
{
	struct perf_event_attr attr = e->all[0].attr;
	int fd;

	attr.disabled = 1;
	fd = perf_open(&attr, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}
