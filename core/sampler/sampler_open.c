/*
 * Context: O.  Opens the events and their ring buffers for a sampler, of a
 * command, of all processes, or of processes that run already, before its
 * reading thread starts.  For tprof monitor, prof record and tprof top; see
 * sampler.h.
 */
#include "sampler.h"

#include "event_order.h"
#include "event/perf_open.h"
#include "process/perf_unwind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

/*
 * Bytes of data in a ring buffer.  A user may mostly lock 516 KiB for each
 * processor.
 */
#define RING		(1u << 20)
#define RING_COPIES	(8u << 20)
#define RING_LEAST	(1u << 14)

/* How often threads of running processes are looked for. */
#define LOOKS		8u

/* Returns the attributes that all samples have; an event adds its own. */
static struct perf_event_attr
sampling_attr(const struct sampler *s)
{
	const struct sampler_options *o = &s->set;
	struct perf_event_attr attr = {
		.sample_type = PERF_RECORD_SAMPLE_TYPE, .sample_id_all = 1,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = RING / 4,
		.enable_on_exec = o->attached == NULL && o->pid >= 0,
	};

	if (o->stacks != SAMPLER_STACKS_OFF)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (o->stacks == SAMPLER_STACKS_COPY) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER |
		    PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = perf_unwind_regs();
		attr.sample_stack_user = SAMPLER_COPY;
		attr.exclude_callchain_user = 1;
	}
	return attr;
}

/* Returns the first tracker of a processor; NULL: there is none. */
static const struct counter *
first_tracker(const struct sampler *s, uint32_t cpu)
{
	for (size_t i = 0; i < s->trackers.count; i++)
		if (s->trackers.all[i].cpu == cpu)
			return &s->trackers.all[i];
	return NULL;
}

/* Maps a ring buffer for each processor, at its first tracker. */
static int
map_rings(struct sampler *s, struct fault *f)
{
	size_t bytes = s->set.stacks == SAMPLER_STACKS_COPY ? RING_COPIES :
	    RING;

	s->buffers = calloc(s->cpu_count, sizeof(*s->buffers));
	if (s->buffers == NULL)
		return fault_set_no_memory(f);
	while (s->buffer_count < s->cpu_count) {
		const size_t i = s->buffer_count;
		const struct counter *c = first_tracker(s, s->cpus[i]);
		const int ret = c == NULL ? -ESRCH : perf_buffer_map(
		    &s->buffers[i], c->fd, s->cpus[i], bytes);

		if (ret == 0) {
			s->buffer_count++;
			continue;
		}
		if ((ret == -EPERM || ret == -ENOMEM) && bytes > RING_LEAST) {
			bytes /= 2;
			continue;
		}
		fault_set(f, "no memory may be locked for samples",
		    FAULT_NO_OFFSET, -ret);
		f->remedy = "see kernel.perf_event_mlock_kb";
		return ret;
	}
	return 0;
}

/*
 * Opens the events that report what processes do, of one thread or, with pid
 * -1, of all processes.  Returns 0, or -errno with *f set.
 */
static int
open_trackers(struct sampler *s, pid_t pid, struct fault *f)
{
	/* static: a fault may borrow the name. */
	static const struct event nothing = {
		.name = "what processes do", .attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_DUMMY,
		},
	};
	struct perf_event_attr attr = sampling_attr(s);

	attr.sample_type = PERF_RECORD_SAMPLE_TYPE;
	attr.exclude_callchain_user = 0;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	attr.build_id = 1;
	return counters_open(&s->trackers, &nothing, 0, pid, s->cpus,
	    s->cpu_count, &attr, f);
}

/*
 * Opens the counters of all events, of one thread or, with pid -1, of all
 * processes.  Returns 0, or -errno with *f set.
 */
static int
open_events(struct sampler *s, pid_t pid, struct fault *f)
{
	const struct perf_event_attr attr = sampling_attr(s);

	for (size_t i = 0; i < s->set.events->count; i++) {
		const int ret = counters_open(&s->counters,
		    &s->set.events->all[i], (uint32_t)i, pid, s->cpus,
		    s->cpu_count, &attr, f);

		if (ret != 0)
			return ret;
	}
	return 0;
}

/* Opens everything of one thread; of all processes if pid is -1. */
static int
open_task(struct sampler *s, pid_t pid, struct fault *f)
{
	const int ret = open_trackers(s, pid, f);

	return ret != 0 ? ret : open_events(s, pid, f);
}

/* Makes the counters of each processor write into its ring buffer. */
static int
join_rings(struct sampler *s, const struct counters *all, struct fault *f)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct counter *c = &all->all[i];
		size_t at = 0;

		while (s->cpus[at] != c->cpu)
			at++;
		if (c->fd != s->buffers[at].fd && ioctl(c->fd,
		    PERF_EVENT_IOC_SET_OUTPUT, s->buffers[at].fd) != 0)
			return fault_set(f, "events cannot share a ring",
			    FAULT_NO_OFFSET, errno);
	}
	return 0;
}

static int
index_counters(struct sampler *s, struct fault *f)
{
	for (size_t i = 0; i < s->counters.count; i++)
		if (hash_index_add(&s->by_id,
		    hash_index_hash(s->counters.all[i].id), (uint32_t)i) != 0)
			return fault_set_no_memory(f);
	return 0;
}

/*
 * Sets *f to why processes may not be sampled, if `ret` says so: the kernel
 * allows the user to sample nothing, or not those processes.  Returns `ret`.
 */
static int
fault_attached(const struct sampler *s, struct fault *f, int ret)
{
	const struct attached *a = s->set.attached;
	const bool any = event_is_there(&s->set.events->all[0]);

	if (ret != -EACCES && ret != -EPERM)
		return ret;
	fault_set(f, any ? "may not be sampled by this user" :
	    "cannot be sampled: the kernel lets this user sample nothing",
	    FAULT_NO_OFFSET, 0);
	f->file = a->count == 1 ? a->all[0].name : "one of these processes";
	f->remedy = any ? "be root, or the user that it runs as" :
	    "be root, or see kernel.perf_event_paranoid and seccomp";
	return ret;
}

/*
 * Opens those threads that were found last, from `done` on, each as a task of
 * its own.  Adds to *opened those that were still there.  Returns 0, or -errno
 * with *f set.
 */
static int
open_found(struct sampler *s, size_t done, size_t *opened, struct fault *f)
{
	const struct attached *a = s->set.attached;

	for (; done < a->tid_count; done++) {
		const int ret = open_task(s, a->tids[done], f);

		/* The thread may have ended. */
		if (ret != 0 && ret != -ESRCH)
			return fault_attached(s, f, ret);
		*opened += ret == 0;
		s->trackers.task++;
		s->counters.task++;
	}
	return 0;
}

/*
 * Opens the threads of processes that run already.  A thread that starts
 * meanwhile is found by another look, unless threads start all the time:
 * s->unsettled.  If a thread that was opened before has started it, its samples
 * come twice; event_order.c leaves out the second ones.  Returns 0, or -errno
 * with *f set.
 */
static int
open_attached(struct sampler *s, struct fault *f)
{
	struct attached *a = s->set.attached;
	size_t opened = 0;

	for (unsigned look = 0; look < LOOKS; look++) {
		const size_t done = a->tid_count;
		const ssize_t more = attached_find_threads(a);
		const int ret = more < 0 ? fault_set_no_memory(f) :
		    open_found(s, done, &opened, f);

		if (ret != 0)
			return ret;
		s->unsettled = more != 0;
		if (more == 0)
			break;
	}
	if (opened != 0)
		return 0;
	fault_set(f, "has ended", FAULT_NO_OFFSET, 0);
	f->file = a->all[0].name;
	return -ESRCH;
}

int
sampler_open(struct sampler *s, const struct sampler_options *o,
    struct fault *f)
{
	int ret = 0;

	memset(s, 0, sizeof(*s));
	s->set = *o;
	s->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	queue_init(&s->queue);
	address_spaces_init(&s->spaces);
	s->cpus = counter_cpus(&s->cpu_count);
	if (s->cpu_count == 0 || s->stop_fd < 0)
		ret = fault_set(f, "no processors can be found",
		    FAULT_NO_OFFSET, errno);
	if (ret == 0)
		ret = o->attached != NULL ? open_attached(s, f) :
		    open_task(s, o->pid, f);
	if (ret == 0)
		ret = map_rings(s, f);
	if (ret == 0)
		ret = join_rings(s, &s->trackers, f);
	if (ret == 0)
		ret = join_rings(s, &s->counters, f);
	if (ret == 0)
		ret = index_counters(s, f);
	s->form = (struct perf_record_form) { sampling_attr(s).sample_type,
	    sampling_attr(s).sample_regs_user };
	if (ret != 0)
		sampler_close(s);
	return ret;
}
