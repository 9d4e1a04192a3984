/*
 * Context: O.  Finds events that command lines of tprof name, and chooses their
 * periods, for tprof_options.c; see event.h.
 */
#include "event/event.h"

#include "event/perf_open.h"
#include "base/vector.h"

#include <stdio.h>
#include <string.h>

/* Cycles in a second if the kernel does not tell: 1 GHz. */
#define EVENT_CYCLES	1000000000u

/*
 * Shortest period of the kernel's clocks: perf_swevent_start_hrtimer in Linux.
 */
#define CLOCK_NS	10000u

/* Factor that makes periods odd: loops have round periods. */
#define EVENT_UNROUND	1.0037

/* Sets *f.  Returns -EINVAL. */
static int
event_fault(struct fault *f, const char *spec, const char *what,
    const char *remedy)
{
	fault_set(f, what, FAULT_NO_OFFSET, 0);
	f->file = spec;
	f->remedy = remedy;
	return -EINVAL;
}

/* Returns the cycles in a second, as far as the kernel tells. */
static uint64_t
cycles_a_second(void)
{
	static uint64_t found;
	FILE *in;
	double mhz;
	char line[256];
	unsigned long khz;

	if (found != 0)
		return found;
	found = EVENT_CYCLES;
	in = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
	    "re");
	if (in != NULL && fscanf(in, "%lu", &khz) == 1 && khz > 1000)
		found = khz * 1000;
	if (in != NULL)
		fclose(in);
	in = found == EVENT_CYCLES ? fopen("/proc/cpuinfo", "re") : NULL;
	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "cpu MHz : %lf", &mhz) == 1 && mhz > 1)
			found = (uint64_t)(mhz * 1e6);
	if (in != NULL)
		fclose(in);
	return found;
}

static uint64_t
at_least_one(double period)
{
	return period < 1 ? 1 : (uint64_t)period;
}

/*
 * Parses N, 0xN or =N, which follows a comma at the end of a spec.  Returns
 * false if the text is neither.
 */
static bool
take_scale(struct event *e, const char *text, unsigned hz)
{
	const bool each = *text == '=';
	unsigned long long n;
	char *end;

	text += each;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno != 0 || *end != '\0' || n == 0)
		return false;
	e->period = each ? n : at_least_one((double)cycles_a_second() / hz /
	    (double)n);
	return true;
}

/* Parses the modes u, k or uk, which follow a colon at the end of a name. */
static bool
take_modes(struct event *e, const char *text)
{
	const size_t bytes = strlen(text);

	if (bytes == 0 || bytes > 2 || strspn(text, "uk") != bytes)
		return false;
	e->attr.exclude_user = strchr(text, 'u') == NULL;
	e->attr.exclude_kernel = strchr(text, 'k') == NULL;
	return true;
}

/*
 * Chooses the period if the user gave none: about `hz` samples a second of a
 * busy processor, or a rate that the kernel keeps.
 */
static void
settle_period(struct event *e, unsigned hz)
{
	/*
	 * A sample of a shorter period would stand for less time than it took.
	 */
	if (e->ns && e->period != 0 && e->period < CLOCK_NS)
		e->period = CLOCK_NS;
	if (e->period != 0)
		return;
	if (e->ns)
		e->period = at_least_one(1e9 / hz * EVENT_UNROUND);
	else if (e->cycles)
		e->period = at_least_one((double)cycles_a_second() / hz *
		    EVENT_UNROUND);
	else if (e->attr.type == PERF_TYPE_TRACEPOINT)
		e->period = 1;
	else
		e->paced = true;
	/*
	 * The kernel adapts the period to this rate, as the event may be rare.
	 */
	if (e->paced)
		e->period = hz;
}

int
events_add(struct events *e, const char *spec, unsigned hz, struct fault *f)
{
	struct event own = { .attr = { .size = sizeof(own.attr) } };
	char *comma, *colon, modes[4] = "";
	bool excludes[2];

	if (e->count == TPROF_EVENTS)
		return event_fault(f, spec, "is one event too many", NULL);
	if (strlen(spec) >= sizeof(own.name))
		return event_fault(f, spec, "the name is too long for an event",
		    NULL);
	strcpy(own.name, spec);
	comma = strrchr(own.name, ',');
	if (comma != NULL && strchr(comma, '/') == NULL) {
		*comma = '\0';
		if (!take_scale(&own, comma + 1, hz))
			return event_fault(f, spec,
			    "the part behind the comma is " "no number",
			    "give N, or =N, from 1");
	}
	colon = strrchr(own.name, ':');
	if (colon != NULL && take_modes(&own, colon + 1)) {
		snprintf(modes, sizeof(modes), "%s", colon);
		*colon = '\0';
	}
	excludes[0] = own.attr.exclude_user;
	excludes[1] = own.attr.exclude_kernel;
	if (!event_find_kernel(&own, own.name) &&
	    !event_find_pfm(&own, own.name))
		return event_fault(f, spec, "there is no such event",
		    "tprof list shows the events");
	own.attr.exclude_user = excludes[0];
	own.attr.exclude_kernel = excludes[1];
	own.attr.exclude_hv = 1;
	strcat(own.name, modes);
	settle_period(&own, hz);
	if (vector_grow(&e->all, e->count, &e->room, sizeof(own)) != 0)
		return fault_set_no_memory(f);
	e->all[e->count++] = own;
	return 0;
}

int
events_add_default(struct events *e, unsigned hz, struct fault *f)
{
	struct event cycles = { .attr = { .size = sizeof(cycles.attr) } };

	if (event_find_kernel(&cycles, "cycles") && event_is_there(&cycles))
		return events_add(e, "cycles", hz, f);
	return events_add(e, "cpu-clock", hz, f);
}

bool
event_is_there(const struct event *e)
{
	struct perf_event_attr own = e->attr;
	int fd;

	own.disabled = 1;
	fd = perf_open(&own, 0, -1);
	if (fd == -EACCES || fd == -EPERM) {
		own.exclude_kernel = 1;
		fd = perf_open(&own, 0, -1);
	}
	/*
	 * Some events can be counted on a whole processor only; users without
	 * the privilege may not ask for that.  Refused before, it is nothing
	 * that this user can count.
	 */
	if (fd == -EINVAL) {
		fd = perf_open(&own, -1, 0);
		if (fd == -EACCES || fd == -EPERM)
			return true;
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void
events_free(struct events *e)
{
	free(e->all);
	*e = (struct events) { 0 };
}
