/* Context: O.  Parses the options of tprof(8); see tprof_options.h. */
#include "tprof/tprof_options.h"

#include "common/print_fault.h"
#include "event/perf_open.h"
#include "process/perf_unwind.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define FASTEST	100000u		/* most samples a second */

enum { OPT_HZ = 256, OPT_STACKS, OPT_TREE, OPT_HELP };

static const struct option long_options[] = {
	{ "backend", required_argument, NULL, 'b' },
	{ "event", required_argument, NULL, 'e' },
	{ "output", required_argument, NULL, 'o' },
	{ "interval", required_argument, NULL, 'i' },
	{ "hz", required_argument, NULL, OPT_HZ },
	{ "stacks", required_argument, NULL, OPT_STACKS },
	{ "tree", no_argument, NULL, OPT_TREE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

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
		    "needs libunwind, which this tprof was " "built without",
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

static int
parse_interval_seconds(struct tprof_options *o, const char *value)
{
	char *end;

	o->interval = strtod(value, &end);
	if (end == value || *end != '\0' || !(o->interval >= 0.01 &&
	    o->interval <= 86400))
		return reject_tprof_value(value, "is not an interval",
		    "give seconds, from 0.01 to 86400");
	return 0;
}

/* Events as they were given.  They are looked up when the rate is known. */
struct specs {
	const char **all;
	size_t count;
};

static int
parse_tprof_letter(struct tprof_options *o, struct specs *specs, int letter)
{
	switch (letter) {
	case 'b':
		return parse_backend(o, optarg);
	case 'e':
		specs->all[specs->count++] = optarg;
		return 0;
	case 'o':
		o->output = optarg;
		return 0;
	case 'c':
		/* Counters for top; samples to standard output for monitor. */
		o->counters = true;
		return 0;
	case 'a':
		o->accumulate = true;
		return 0;
	case 'u':
		o->users = true;
		return 0;
	case 'i':
		return parse_interval_seconds(o, optarg);
	case OPT_HZ:
		return parse_hz(o, optarg);
	case OPT_STACKS:
		return parse_stacks(o, optarg);
	case OPT_TREE:
		o->tree = true;
		return 0;
	default:
		return -1;
	}
}

static int
add_event_specs(struct tprof_options *o, const struct specs *specs)
{
	struct fault f;

	o->events_given = specs->count != 0;
	for (size_t i = 0; i < specs->count; i++)
		if (events_add(&o->events, specs->all[i], o->hz, &f) != 0) {
			print_fault(&f);
			return -1;
		}
	if (specs->count == 0 &&
	    events_add_default(&o->events, o->hz, &f) != 0) {
		print_fault(&f);
		return -1;
	}
	return 0;
}

int
tprof_options_parse(struct tprof_options *o, int argc, char **argv,
    const char *letters, const char *usage)
{
	struct specs specs = { calloc((size_t)argc, sizeof(char *)), 0 };
	int letter, ret = 0;

	*o = (struct tprof_options) {
		.hz = EVENT_HZ, .stacks = SAMPLER_STACKS_FP,
	};
	optind = 1;
	while (ret == 0 && specs.all != NULL && (letter = getopt_long(argc,
	    argv, letters, long_options, NULL)) != -1) {
		if (letter == OPT_HELP) {
			printf("%s", usage);
			free(specs.all);
			return 0;
		}
		ret = parse_tprof_letter(o, &specs, letter);
		if (letter == '?')
			fprintf(stderr, "%s", usage);
	}
	if (specs.all == NULL)
		ret = -1;
	if (ret == 0)
		ret = add_event_specs(o, &specs);
	free(specs.all);
	return ret != 0 ? -1 : optind;
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
