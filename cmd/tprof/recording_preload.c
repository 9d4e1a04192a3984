/*
 * Context: O.  Records samples of libmon.so in the command, for
 * tprof_monitor.c: runs the command, then writes the samples of its profiles to
 * the output; see recording.h.
 */
#include "tprof/recording.h"

#include "libmon/backend_preload.h"
#include "common/print_fault.h"
#include "event_order.h"
#include "recorder.h"
#include "tprof/tprof_commands.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>

/* A recording by libmon.so. */
struct preload_run {
	struct recording *m;
	struct backend_preload preload;
	struct tprof_writer put;
	char *head;		/* first lines of the output */
	/* all samples of the profiles are in the output */
	bool written;
};

static void
print_preload_fault(void *arg, const struct fault *f)
{
	(void)arg;
	print_fault(f);
}

/*
 * Makes the head of the output, before the output and the command are there: so
 * neither is left half done without memory.  Returns 0, or -ENOMEM with *f set.
 */
static int
make_preload_head(struct preload_run *p, struct fault *f)
{
	const struct recording *m = p->m;
	char more[64];

	snprintf(more, sizeof(more), "scope=tree\nhz=%u\n",
	    m->set.hz_given ? m->set.hz : 0);
	p->head = recorder_head("preload", m->argv, more);
	return p->head != NULL ? 0 : fault_set_no_memory(f);
}

/*
 * Prepares everything and starts the command, which waits for command_go().
 * Returns 0 or -errno with *f set.
 */
static int
begin_preload_run(struct preload_run *p, struct fault *f)
{
	struct recording *m = p->m;
	char library[PATH_MAX];
	int ret = libmon_find(library, sizeof(library), f);

	if (ret != 0)
		f->remedy = "tprof --backend=kernel works without it";
	if (ret == 0)
		ret = make_preload_head(p, f);
	if (ret == 0)
		ret = recording_open(m, f);
	if (ret == 0)
		ret = backend_preload_begin(&p->preload, library,
		    m->set.hz_given ? m->set.hz : 0, f);
	return ret != 0 ? ret : command_start(&m->command, m->argv,
	    p->preload.inject.env, f);
}

/*
 * CPU time of the command and its children, in s, from which on it is a fault
 * that no profile has a sample.  Less, which is a few ticks of the scheduler,
 * can be in no profile by chance.
 */
#define UNSAMPLED_MOST_S	0.1

/* Least time that a loss in milliseconds can express. */
#define LEAST_NS	1000000u

static double
timeval_seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/*
 * Returns the CPU time of the command and of what was waited for, in s; 0 if it
 * is not known.
 */
static double
children_cpu_seconds(void)
{
	struct rusage used;

	return getrusage(RUSAGE_CHILDREN, &used) != 0 ? 0 :
	    timeval_seconds(&used.ru_utime) + timeval_seconds(&used.ru_stime);
}

/*
 * Prints how much CPU time of the profiles has no sample.  Prints, and writes
 * as a loss, how much is in no profile: that of processes that are too short
 * for a tick or linked statically, and what passes before a program starts.
 */
static void
report_unsampled_time(struct preload_run *p)
{
	const double known = (double)p->preload.known_ns / 1e9;
	const double seconds = children_cpu_seconds() - known;

	if (p->preload.unsampled_ns >= LEAST_NS)
		fprintf(stderr, "\t%.3f s of CPU time have no sample, such as "
		    "that of page faults\n",
		    (double)p->preload.unsampled_ns / 1e9);
	if (known == 0 || seconds * 1e9 < LEAST_NS)
		return;
	fprintf(stderr, "\t%.3f s of CPU time are in no profile, such as that "
	    "of ",
	    seconds);
	if (p->preload.barred != 0)
		fprintf(stderr, "%" PRIu64 " that could create none, and ",
		    p->preload.barred);
	fputs("processes too short to sample\n", stderr);
	tprof_writer_loss(&p->put, (uint64_t)(seconds * 1000),
	    "milliseconds: in no "
	    "profile, as of processes too short to sample");
}

/*
 * Reports as a fault that a command which used CPU time left no sample:
 * libmon.so could make no profile, or could make none for a program that the
 * command executed.
 */
static void
report_no_sample(struct preload_run *p)
{
	const double seconds = children_cpu_seconds();

	if (p->put.stats[TPROF_S_SAMPLE] != 0 ||
	    p->put.stats[TPROF_S_DROPBUF_SAMPLES] != 0 ||
	    seconds < UNSAMPLED_MOST_S)
		return;
	fprintf(stderr, "tprof: %s: took %.1f s of CPU time, and left no "
	    "profile with a sample; use -b kernel\n", p->m->argv[0], seconds);
	p->m->failed = true;
}

/*
 * Writes the samples of all profiles, and prints what they are.  The command
 * has ended.  Returns as backend_preload_end().
 */
static int
write_preload_samples(struct preload_run *p)
{
	int ret;

	tprof_writer_begin(&p->put, p->m->out, p->head,
	    event_order_real_offset());
	ret = backend_preload_end(&p->preload, &p->put, print_preload_fault,
	    NULL);
	recording_print_stats(&p->put);
	fputs("\tbackend preload, the command and what it started\n", stderr);
	if (p->preload.running != 0)
		fprintf(stderr, "\t%" PRIu64 " of its processes still run; "
		    "from here on they are not counted\n",
		    p->preload.running);
	report_unsampled_time(p);
	recording_end(p->m, &p->put);
	p->written = ret == 0 && !p->m->failed;
	report_no_sample(p);
	if (ret == 0)
		recording_print_output(p->m);
	return ret;
}

/*
 * Records the command.  Returns the exit status.  recording_preload() frees
 * what is left.
 */
static int
run_preload_backend(struct preload_run *p)
{
	struct fault f;
	int ret;

	if (begin_preload_run(p, &f) != 0) {
		print_fault(&f);
		return TPROF_DATA;
	}
	recording_print_scope(p->m, false);
	ret = command_go(&p->m->command, p->m->argv[0], &f);
	if (ret != 0)
		print_fault(&f);
	command_wait(&p->m->command);
	if (write_preload_samples(p) != 0)
		p->m->failed = true;
	return ret != 0 ? ret : recording_exit_status(p->m);
}

int
recording_preload(struct recording *m)
{
	struct preload_run p = { .m = m };
	const int ret = run_preload_backend(&p);

	if (p.preload.directory != NULL)
		backend_preload_close(&p.preload, p.written,
		    print_preload_fault, NULL);
	tprof_writer_free(&p.put);
	free(p.head);
	return ret;
}
