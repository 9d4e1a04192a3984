/*
 * Context: O.  Records samples of the kernel, for tprof_monitor.c and for
 * record_kernel.c of prof record: starts the command or takes running
 * processes, reads a sampler, and writes tprof.out; see recording.h.
 */
#include "tprof/recording.h"

#include "common/print_fault.h"
#include "recorder.h"
#include "tprof/tprof_commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/*
 * Reading the names of the kernel's functions takes about 60 ms: only a
 * recording of this length or more has them in its file.  tprof analyze looks
 * up those of a shorter one, on the same boot.
 */
#define NAMED_NS	2000000000u

/*
 * Less than this is the time between the reading of two clocks, and the start
 * of the command before its exec.
 */
#define UNSAMPLED_MOST_NS	100000000u

/* A recording by the kernel. */
struct kernel_run {
	struct recording *m;
	struct recorder recorder;
	struct sampler sampler;
	bool all;		/* all processes of the machine */
	uint64_t began;
};

/* Prints how many samples event `i` has, and how far apart they are. */
static void
print_event_samples(const struct kernel_run *k, size_t i)
{
	const struct event *e = &k->m->set.events.all[i];

	fprintf(stderr, "\tevent %s: %" PRIu64 " samples", e->name,
	    k->recorder.samples[i]);
	if (e->paced)
		fprintf(stderr, ", %u a second asked\n", k->m->set.hz);
	else if (e->ns)
		fprintf(stderr, ", each about %.4f ms\n",
		    (double)e->period / 1e6);
	else
		fprintf(stderr, ", each %" PRIu64 " events\n", e->period);
}

static void
print_kernel_stats(const struct kernel_run *k)
{
	if (k->m->quiet)
		return;
	recording_print_stats(&k->recorder.put);
	fprintf(stderr, "\tbackend kernel, %s%s\n", k->all ?
	    "all processes" : k->m->attached != NULL ? "the processes and what "
	    "they started" : "the command and what it started",
	    k->sampler.counters.user_only ? ", user mode alone" : "");
	for (size_t i = 0; i < k->m->set.events.count; i++)
		print_event_samples(k, i);
}

/*
 * Prints and writes the counters of each processor, as NetBSD shows them.  The
 * sampler has ended.
 */
static void
put_cpu_counts(struct kernel_run *k)
{
	const struct sampler *s = &k->sampler;
	const size_t events = k->m->set.events.count;

	if (s->unsettled && !k->m->quiet)
		fputs("\tthreads started all the while: one that started at "
		    "the begin of the recording can be missing\n", stderr);
	if (s->doubled != 0 && !k->m->quiet)
		fputs("\tthreads that started meanwhile are counted twice "
		    "below\n", stderr);
	for (size_t i = 0; i < events * s->cpu_count; i++) {
		const uint32_t event = (uint32_t)(i / s->cpu_count);
		const unsigned cpu = s->cpus[i % s->cpu_count];
		struct counter_value v;

		if (!counters_sum(&s->counters, event, cpu, &v))
			continue;
		if (!k->m->quiet)
			fprintf(stderr, "\tCPU%u %s %" PRIu64 "\n", cpu,
			    k->m->set.events.all[event].name, v.value);
		tprof_writer_count(&k->recorder.put, event, cpu, v.value);
	}
}

/*
 * Stops the sampler after a fault.  The thread that reads samples also watches
 * for the end of the command: only after that thread has ended may this one
 * wait.
 */
static void
stop_sampler(struct kernel_run *k)
{
	sampler_stop(&k->sampler);
	while (k->sampler.reading)
		sampler_next(&k->sampler, recorder_take, &k->recorder);
	if (k->m->attached == NULL)
		command_wait(&k->m->command);
}

/*
 * Records samples until the command has ended.  Samples that a full disk has no
 * room for are lost.
 */
static void
record_samples(struct kernel_run *k)
{
	struct recording *m = k->m;
	struct fault f;
	int ret;

	while ((ret = sampler_next(&k->sampler, recorder_take,
	    &k->recorder)) == 1) {
		if (fflush(m->out) == 0 || m->failed)
			continue;
		fault_set(&f, "cannot be written: samples from here on are "
		    "lost", FAULT_NO_OFFSET, errno);
		recording_write_failed(m, &f);
	}
	if (ret < 0) {
		fault_set_no_memory(&f);
		recording_write_failed(m, &f);
		stop_sampler(k);
	}
}

/*
 * Returns the CPU time of the command and of the children it waited for, in ns.
 */
static uint64_t
children_cpu_ns(void)
{
	struct rusage r;

	if (getrusage(RUSAGE_CHILDREN, &r) != 0)
		return 0;
	return (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) *
	    1000000000u + (uint64_t)(r.ru_utime.tv_usec +
	    r.ru_stime.tv_usec) * 1000u;
}

/*
 * Returns the CPU time that was watched.  Trackers count nothing, and are never
 * switched off in favor of other events.
 */
static uint64_t
tracked_cpu_ns(const struct kernel_run *k)
{
	const struct counters *c = &k->sampler.trackers;
	uint64_t ns = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct counter_value v;

		if (counter_read(c, &c->all[i], &v))
			ns += v.running;
	}
	return ns;
}

/*
 * Reports CPU time that was not watched.  From an exec that gains privileges
 * on, the kernel hides a process from events of processes, even from those of
 * root.  Events of processors see it.
 */
static void
report_untracked_time(struct kernel_run *k)
{
	const uint64_t used = children_cpu_ns(), seen = tracked_cpu_ns(k);

	if (k->all || k->m->attached != NULL || used < seen + UNSAMPLED_MOST_NS)
		return;
	if (!k->m->quiet)
		fprintf(stderr, "\t%.1f s of CPU time were not sampled, such "
		    "as that of programs that gain privileges: only root can "
		    "sample them, without --tree\n",
		    (double)(used - seen) / 1e9);
	tprof_writer_loss(&k->recorder.put, (used - seen) / 1000000,
	    "milliseconds: not watched, as of programs that gain privileges");
}

/*
 * Prints and writes as losses the ring entries that were lost or not
 * understood.
 */
static void
report_sampler_losses(struct kernel_run *k)
{
	struct tprof_writer *p = &k->recorder.put;
	const struct sampler *s = &k->sampler;

	if (s->strange != 0)
		tprof_writer_loss(p, s->strange, "records: not understood");
	if (s->unplaced != 0)
		tprof_writer_loss(p, s->unplaced,
		    "records: of what processes do; names "
		    "can be missing or wrong");
	if (k->m->quiet)
		return;
	if (s->strange != 0)
		fprintf(stderr, "\t%" PRIu64 " records of the kernel were not "
		    "understood\n", s->strange);
	if (s->unplaced != 0)
		fprintf(stderr, "\t%" PRIu64 " records of what processes do "
		    "were lost for lack of room: names can be missing or "
		    "wrong\n",
		    s->unplaced);
}

/*
 * Writes and prints all that follows the samples, and closes the output.  The
 * sampler has ended.
 */
static void
finish_kernel_run(struct kernel_run *k)
{
	struct tprof_writer *p = &k->recorder.put;

	sampler_total(&k->sampler);
	memcpy(p->stats, k->sampler.stats, sizeof(p->stats));
	print_kernel_stats(k);
	report_sampler_losses(k);
	report_untracked_time(k);
	put_cpu_counts(k);
	if (perf_buffer_now() - k->began >= NAMED_NS)
		recorder_name_kernel(&k->recorder);
	recording_end(k->m, p);
	recording_print_output(k->m);
}

/*
 * Writes the head of the output: scope, rate, way of stacks, and processes.
 * Returns 0 or -errno.
 */
static int
begin_recorder(struct kernel_run *k)
{
	static const char *const stacks[] = { "off", "fp", "copy" };
	const struct tprof_options *set = &k->m->set;
	struct recording *m = k->m;
	char *more = NULL, *text = NULL, *head = NULL;
	int ret = -ENOMEM;

	if (m->attached != NULL)
		text = recording_attached_text(m->attached);
	if (asprintf(&more, "scope=%s\nhz=%u\nstacks=%s\n%s%s%s",
	    k->all ? "all" : m->attached != NULL ? "processes" : "tree",
	    set->hz, stacks[set->stacks], text != NULL ? "processes=" : "",
	    text != NULL ? text : "", text != NULL ? "\n" : "") < 0)
		more = NULL;
	if (more != NULL)
		head = recorder_head("kernel", m->attached != NULL ? NULL :
		    m->argv, more);
	if (head != NULL)
		ret = recorder_begin(&k->recorder, m->out, &set->events, head);
	free(head);
	free(more);
	free(text);
	return ret;
}

/*
 * Prepares what is to be sampled: starts the command, which waits, or takes the
 * running processes.
 */
static int
begin_target(struct kernel_run *k, struct sampler_options *o, struct fault *f)
{
	struct recording *m = k->m;
	int ret;

	if (m->attached != NULL) {
		o->attached = &m->attached->processes;
		o->watch_fd = m->attached->processes.news;
		o->watch = recording_attached_look;
		o->arg = m->attached;
		return 0;
	}
	ret = command_start(&m->command, m->argv, NULL, f);
	o->watch_fd = m->command.news;
	o->watch = command_look;
	o->arg = &m->command;
	if (!k->all)
		o->pid = m->command.pid;
	return ret;
}

/*
 * Prepares everything before the command begins.  Returns 0 or -errno with *f
 * set; recording_kernel() frees what is open.
 */
static int
begin_kernel_run(struct kernel_run *k, struct fault *f)
{
	struct recording *m = k->m;
	struct sampler_options o = {
		.events = &m->set.events, .stacks = m->set.stacks,
		.pid = -1,
	};
	int ret = begin_target(k, &o, f);

	if (ret == 0)
		ret = sampler_open(&k->sampler, &o, f);
	if (ret == 0)
		ret = recording_open(m, f);
	if (ret == 0 && begin_recorder(k) != 0)
		ret = fault_set_no_memory(f);
	return ret != 0 ? ret : sampler_start(&k->sampler, f);
}

/* Records.  Returns the exit status. */
static int
run_kernel_backend(struct kernel_run *k)
{
	struct fault f;
	int ret;

	if (begin_kernel_run(k, &f) != 0) {
		print_fault(&f);
		return TPROF_DATA;
	}
	recording_print_scope(k->m, k->all);
	k->began = perf_buffer_now();
	ret = k->m->attached != NULL ? 0 : command_go(&k->m->command,
	    k->m->argv[0], &f);
	if (k->m->attached != NULL)
		recording_attached_begin(k->m->attached, k->m->set.seconds);
	k->m->ran = ret == 0;
	if (ret != 0)
		print_fault(&f);
	record_samples(k);
	finish_kernel_run(k);
	return ret != 0 ? ret : recording_exit_status(k->m);
}

int
recording_kernel(struct recording *m)
{
	struct kernel_run k = {
		.m = m, .sampler = { .stop_fd = -1 },
		.all = m->attached == NULL && !m->set.tree &&
		    tprof_sees_all(&m->set.events),
	};
	const int ret = run_kernel_backend(&k);

	if (k.sampler.buffers != NULL)
		sampler_close(&k.sampler);
	recorder_free(&k.recorder);
	return ret;
}
