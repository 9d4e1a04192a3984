/*
 * Context: O.  Finds the events that the kernel lists itself, built in or in
 * files below /sys, for events_add(), and lists them for tprof list; see
 * event.h.
 */
#include "event/event.h"

#include "event/perf_open.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES	"/sys/bus/event_source/devices"

/* An event of the kernel, with a second name or NULL. */
struct built_in {
	const char *name, *also;
	uint32_t type;
	uint64_t config;
};

/* The names are those of perf(1). */
static const struct built_in built_in[] = {
	{ "cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "faults", PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", NULL, PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", NULL, PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", "cs", PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", "migrations", PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", NULL, PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", NULL, PERF_TYPE_SOFTWARE,
	    PERF_COUNT_SW_EMULATION_FAULTS },
	{ "cycles", "cpu-cycles", PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", "branch-instructions", PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", NULL, PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_REF_CPU_CYCLES },
};

#define BUILT_IN	(sizeof(built_in) / sizeof(built_in[0]))

static const char *const caches[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};
static const char *const cache_ops[] = {
	"loads", "load-misses", "stores", "store-misses", "prefetches",
	"prefetch-misses",
};

#define CACHES	(sizeof(caches) / sizeof(caches[0]))
#define CACHE_OPS (sizeof(cache_ops) / sizeof(cache_ops[0]))

/*
 * Sets what the kernel needs to know the event, and whether it counts time or
 * cycles.
 */
static void
set_event_config(struct event *e, uint32_t type, uint64_t config)
{
	e->attr.type = type;
	e->attr.config = config;
	e->ns = type == PERF_TYPE_SOFTWARE &&
	    (config == PERF_COUNT_SW_CPU_CLOCK ||
	    config == PERF_COUNT_SW_TASK_CLOCK);
	e->cycles = type == PERF_TYPE_HARDWARE &&
	    (config == PERF_COUNT_HW_CPU_CYCLES ||
	    config == PERF_COUNT_HW_REF_CPU_CYCLES);
	/* A clock goes on while the processor is idle, as cycles do not. */
	e->attr.exclude_idle = e->ns;
}

/*
 * Finds a built-in event by either of its names.  This and the next four return
 * whether the name is one of their kind.
 */
static bool
of_built_in(struct event *e, const char *name)
{
	for (size_t i = 0; i < BUILT_IN; i++) {
		const struct built_in *b = &built_in[i];

		if (strcmp(b->name, name) != 0 &&
		    (b->also == NULL || strcmp(b->also, name) != 0))
			continue;
		set_event_config(e, b->type, b->config);
		return true;
	}
	return false;
}

static void
set_cache(struct event *e, size_t cache, size_t op)
{
	set_event_config(e, PERF_TYPE_HW_CACHE,
	    cache | (op / 2) << 8 | (op % 2) << 16);
}

/* Finds "CACHE-OPERATION". */
static bool
of_cache(struct event *e, const char *name)
{
	for (size_t i = 0; i < CACHES * CACHE_OPS; i++) {
		const char *cache = caches[i / CACHE_OPS];
		const size_t bytes = strlen(cache);

		if (strncmp(name, cache, bytes) != 0 || name[bytes] != '-' ||
		    strcmp(name + bytes + 1, cache_ops[i % CACHE_OPS]) != 0)
			continue;
		set_cache(e, i / CACHE_OPS, i % CACHE_OPS);
		return true;
	}
	return false;
}

/* Finds "r1a8": a number from the manual of the processor. */
static bool
of_raw(struct event *e, const char *name)
{
	char *end;
	uint64_t config;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	errno = 0;
	config = strtoull(name + 1, &end, 16);
	if (errno != 0 || *end != '\0')
		return false;
	set_event_config(e, PERF_TYPE_RAW, config);
	return true;
}

/* Reads a line of a file below /sys.  Returns false if there is none. */
static bool
read_line(const char *path, char *line, size_t bytes)
{
	FILE *in = fopen(path, "re");
	const bool got = in != NULL && fgets(line, (int)bytes, in) != NULL;

	if (in != NULL)
		fclose(in);
	if (got)
		line[strcspn(line, "\n")] = '\0';
	return got;
}

/*
 * Stores a value in the bits that `format` names, such as "config1:0-3,8".
 * Returns false if the format is not understood or the value needs more bits.
 */
static bool
place_bits(struct perf_event_attr *a, const char *format, uint64_t value)
{
	__u64 *word = strncmp(format, "config1:", 8) == 0 ? &a->config1 :
	    strncmp(format, "config2:", 8) == 0 ? &a->config2 :
	    strncmp(format, "config:", 7) == 0 ? &a->config : NULL;
	const char *at = strchr(format, ':');

	while (word != NULL && at != NULL) {
		char *end;
		unsigned long low = strtoul(at + 1, &end, 10), high = low;

		if (*end == '-')
			high = strtoul(end + 1, &end, 10);
		if (low > high || high > 63)
			return false;
		for (unsigned long bit = low; bit <= high; bit++, value >>= 1)
			*word |= (value & 1) << bit;
		at = *end == ',' ? end : NULL;
	}
	return word != NULL && value == 0;
}

/*
 * Parses terms of a unit, such as "event=0x3c,umask=0x1,edge", and writes to
 * the text.  Returns false if the unit has no such term.
 */
static bool
of_terms(struct event *e, const char *unit, char *terms)
{
	char *word, *rest = terms;

	while ((word = strsep(&rest, ",")) != NULL) {
		char *value = strchr(word, '=');
		char path[PATH_MAX], format[128];
		char *end = NULL;
		uint64_t n = 1;

		if (value != NULL) {
			*value++ = '\0';
			errno = 0;
			n = strtoull(value, &end, 0);
			if (errno != 0 || end == value || *end != '\0')
				return false;
		}
		snprintf(path, sizeof(path), DEVICES "/%s/format/%s", unit,
		    word);
		if (strchr(word, '/') != NULL ||
		    !read_line(path, format, sizeof(format)) ||
		    !place_bits(&e->attr, format, n))
			return false;
	}
	return true;
}

/* Finds "UNIT/EVENT/" or "UNIT/TERMS/". */
static bool
of_unit(struct event *e, const char *name)
{
	const char *slash = strchr(name, '/');
	char unit[NAME_MAX + 1], what[256], path[PATH_MAX], line[256];
	const size_t bytes = slash == NULL ? 0 : (size_t)(slash - name);
	const size_t rest = slash == NULL ? 0 : strlen(slash + 1);
	char *end;

	if (bytes == 0 || bytes >= sizeof(unit) || rest < 2 ||
	    rest >= sizeof(what) || slash[rest] != '/' || *name == '.')
		return false;
	memcpy(unit, name, bytes);
	unit[bytes] = '\0';
	memcpy(what, slash + 1, rest - 1);
	what[rest - 1] = '\0';
	if (strchr(what, '/') != NULL)
		return false;
	snprintf(path, sizeof(path), DEVICES "/%s/type", unit);
	if (!read_line(path, line, sizeof(line)))
		return false;
	set_event_config(e, (uint32_t)strtoul(line, &end, 10), 0);
	snprintf(path, sizeof(path), DEVICES "/%s/events/%s", unit, what);
	return end != line && of_terms(e, unit,
	    read_line(path, line, sizeof(line)) ? line : what);
}

static const char *const tracing[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
};

/* Finds a tracepoint, such as "sched:sched_switch". */
static bool
of_tracepoint(struct event *e, const char *name)
{
	const char *colon = strchr(name, ':');

	if (colon == NULL || strpbrk(name, "./") != NULL)
		return false;
	for (size_t i = 0; i < sizeof(tracing) / sizeof(tracing[0]); i++) {
		char path[PATH_MAX], line[32];

		snprintf(path, sizeof(path), "%s/%.*s/%s/id", tracing[i],
		    (int)(colon - name), name, colon + 1);
		if (!read_line(path, line, sizeof(line)))
			continue;
		set_event_config(e, PERF_TYPE_TRACEPOINT, strtoull(line, NULL,
		    10));
		return true;
	}
	return false;
}

bool
event_find_kernel(struct event *e, const char *name)
{
	return of_built_in(e, name) || of_cache(e, name) ||
	    of_raw(e, name) || of_unit(e, name) || of_tracepoint(e, name);
}

/* Arguments of event_list(), and where the names come from. */
struct event_visitor {
	event_visit *each;
	void *arg;
	const char *from;
};

static struct event
new_event(void)
{
	return (struct event) { .attr = { .size = sizeof(struct
	    perf_event_attr) } };
}

/* Visits the event of a name, if it can be found. */
static void
visit_event(const struct event_visitor *x, const char *name)
{
	struct event e = new_event();

	if (event_find_kernel(&e, name))
		x->each(x->arg, x->from, name, &e);
}

/*
 * Visits the events that have files in the directories below `top`.  below: ""
 * or the subdirectory of each that has the files, with its slash.  format:
 * makes the event's name of the names of directory and file.
 */
static void
visit_event_dirs(const struct event_visitor *x, const char *top,
    const char *below, const char *format)
{
	DIR *units = opendir(top), *events;
	struct dirent *u, *v;

	while (units != NULL && (u = readdir(units)) != NULL) {
		char path[PATH_MAX], name[2 * NAME_MAX + 8];

		if (u->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s%s", top, u->d_name, below);
		events = opendir(path);
		while (events != NULL && (v = readdir(events)) != NULL) {
			if (v->d_name[0] == '.')
				continue;
			snprintf(name, sizeof(name), format, u->d_name,
			    v->d_name);
			visit_event(x, name);
		}
		if (events != NULL)
			closedir(events);
	}
	if (units != NULL)
		closedir(units);
}

void
event_list(event_visit *each, void *arg)
{
	struct event_visitor x = { each, arg, "kernel" };

	for (size_t i = 0; i < BUILT_IN; i++)
		visit_event(&x, built_in[i].name);
	x.from = "cache";
	for (size_t i = 0; i < CACHES * CACHE_OPS; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s-%s", caches[i / CACHE_OPS],
		    cache_ops[i % CACHE_OPS]);
		visit_event(&x, name);
	}
	x.from = "device";
	visit_event_dirs(&x, DEVICES, "/events", "%s/%s/");
	x.from = "tracepoint";
	for (size_t i = 0; i < sizeof(tracing) / sizeof(tracing[0]); i++) {
		DIR *there = opendir(tracing[i]);

		if (there == NULL)
			continue;
		closedir(there);
		visit_event_dirs(&x, tracing[i], "", "%s:%s");
		break;
	}
}
