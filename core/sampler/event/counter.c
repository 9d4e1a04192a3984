/*
 * Context: O.  Opens and reads counters of the kernel, for sampler_open.c,
 * sampler.c and the tools; see counter.h.
 */
#include "event/counter.h"

#include "event/perf_open.h"
#include "base/vector.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1u << 4)	/* since Linux 6.0 */
#endif

/* Parses the kernel's list of processors, such as "0-3,6". */
unsigned *
counter_cpus(size_t *count)
{
	FILE *in = fopen("/sys/devices/system/cpu/online", "re");
	unsigned *all = NULL, low, high;
	size_t room = 0;
	bool whole = true;
	int c = ',';

	*count = 0;
	while (in != NULL && whole && c == ',' && fscanf(in, "%u", &low) == 1) {
		high = low;
		c = getc(in);
		if (c == '-' && fscanf(in, "%u", &high) == 1)
			c = getc(in);
		for (; low <= high && whole; low++) {
			whole = vector_grow(&all, *count, &room,
			    sizeof(*all)) == 0;
			if (whole)
				all[(*count)++] = low;
		}
	}
	if (in != NULL)
		fclose(in);
	if (!whole) {
		*count = 0;
		errno = ENOMEM;
	}
	return all;
}

/* Sets *f to why an event cannot be counted.  Returns -errnum. */
static int
counter_fault(struct fault *f, const struct event *e, pid_t pid, int errnum)
{
	const bool may_not = errnum == EACCES || errnum == EPERM;
	const bool none = errnum == ENOENT || errnum == EOPNOTSUPP ||
	    errnum == ENODEV;

	fault_set(f, none ? "is not counted by this machine" :
	    pid < 0 ? "cannot be counted of all processes" :
	    "cannot be counted", FAULT_NO_OFFSET, none ? 0 : errnum);
	f->file = e->name;
	f->remedy = may_not ? "be root, or see kernel.perf_event_paranoid" :
	    none ? "tprof list shows what can be counted" : errnum == EMFILE ?
	    "raise the limit of open files" : errnum == EINVAL ?
	    "tprof count shows events that give no samples" : NULL;
	return -errnum;
}

/*
 * Opens a counter.  Features that the kernel refuses are given up one by one:
 * the count of lost samples, build-ids, and, for one thread, kernel mode.
 * Returns a descriptor or -errno.
 */
static int
open_one(struct counters *c, struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = perf_open(attr, pid, cpu);

	if (fd == -EINVAL && (attr->read_format & PERF_FORMAT_LOST) != 0) {
		attr->read_format &= ~(uint64_t)PERF_FORMAT_LOST;
		fd = perf_open(attr, pid, cpu);
		if (fd >= 0)
			c->lost = false;
	}
	if (fd == -EINVAL && attr->build_id) {
		attr->build_id = 0;
		fd = perf_open(attr, pid, cpu);
	}
	if ((fd == -EACCES || fd == -EPERM) && pid >= 0 &&
	    !attr->exclude_kernel && !attr->exclude_user) {
		attr->exclude_kernel = 1;
		fd = perf_open(attr, pid, cpu);
		c->user_only |= fd >= 0;
	}
	return fd;
}

static void
raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Returns a period that differs a little between processors, so that they are
 * not all in step with a loop.
 */
static uint64_t
period_of(const struct event *e, size_t i)
{
	static const int apart[] = { 0, 7, -5, 3, -9, 11, -2, 9, -7, 5, -11 };
	const int part = apart[i % (sizeof(apart) / sizeof(apart[0]))];

	if (!e->ns || e->period < 10000)
		return e->period;
	return e->period + e->period / 1000 * (uint64_t)(int64_t)part;
}

int
counters_open(struct counters *c, const struct event *e, uint32_t number,
    pid_t pid, const unsigned *cpus, size_t cpu_count,
    const struct perf_event_attr *how, struct fault *f)
{
	struct perf_event_attr attr = *how;

	if (c->count == 0)
		c->lost = true;
	attr.size = sizeof(attr);
	attr.type = e->attr.type;
	attr.config = e->attr.config;
	attr.config1 = e->attr.config1;
	attr.config2 = e->attr.config2;
	attr.exclude_user = e->attr.exclude_user;
	attr.exclude_kernel |= e->attr.exclude_kernel;
	attr.exclude_hv = 1;
	attr.exclude_idle = e->attr.exclude_idle;
	attr.freq = e->paced && how->sample_type != 0;
	attr.disabled = 1;
	attr.inherit = pid >= 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
	    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_LOST;
	for (size_t i = 0; i < cpu_count; i++) {
		struct counter own = {
			.event = number, .cpu = cpus[i], .task = c->task,
		};

		attr.sample_period = how->sample_type == 0 ? 0 :
		    period_of(e, i);
		own.fd = open_one(c, &attr, pid, (int)cpus[i]);
		if (own.fd == -EMFILE) {
			raise_limit();
			own.fd = open_one(c, &attr, pid, (int)cpus[i]);
		}
		if (own.fd < 0)
			return counter_fault(f, e, pid, -own.fd);
		if (vector_grow(&c->all, c->count, &c->room,
		    sizeof(own)) != 0) {
			close(own.fd);
			return fault_set_no_memory(f);
		}
		ioctl(own.fd, PERF_EVENT_IOC_ID, &own.id);
		c->all[c->count++] = own;
	}
	return 0;
}

void
counters_switch(const struct counters *c, bool on)
{
	for (size_t i = 0; i < c->count; i++)
		ioctl(c->all[i].fd, on ? PERF_EVENT_IOC_ENABLE :
		    PERF_EVENT_IOC_DISABLE, 0);
}

bool
counter_read(const struct counters *c, const struct counter *own,
    struct counter_value *v)
{
	uint64_t words[4] = { 0 };
	const size_t want = c->lost ? 32 : 24;

	if (read(own->fd, words, sizeof(words)) < (ssize_t)want)
		return false;
	*v = (struct counter_value) { words[0], words[1], words[2],
	    c->lost ? words[3] : 0 };
	return true;
}

bool
counters_sum(const struct counters *c, uint32_t event, uint32_t cpu,
    struct counter_value *v)
{
	bool any = false;

	*v = (struct counter_value) { 0 };
	for (size_t i = 0; i < c->count; i++) {
		struct counter_value own;

		if (c->all[i].event != event || c->all[i].cpu != cpu ||
		    !counter_read(c, &c->all[i], &own))
			continue;
		v->value += own.value;
		v->enabled += own.enabled;
		v->running += own.running;
		v->lost += own.lost;
		any = true;
	}
	return any;
}

/*
 * The counter of a process is enabled wherever the process runs, but counts on
 * its own processor only: the times of all counters together give the factor.
 */
uint64_t
counter_scaled_since(const struct counter_value *now,
    const struct counter_value *before, size_t count, size_t own,
    bool *shared)
{
	const uint64_t value = now[own].value - before[own].value;
	uint64_t enabled = 0, running = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t on = now[i].enabled - before[i].enabled;

		if (on > enabled)
			enabled = on;
		running += now[i].running - before[i].running;
	}
	/*
	 * A smaller difference is the time between the reading of two clocks.
	 */
	if (running == 0 || running >= enabled - enabled / 100)
		return value;
	*shared = true;
	return (uint64_t)((double)value * (double)enabled / (double)running);
}

void
counters_close(struct counters *c)
{
	for (size_t i = 0; i < c->count; i++)
		close(c->all[i].fd);
	free(c->all);
	*c = (struct counters) { 0 };
}
