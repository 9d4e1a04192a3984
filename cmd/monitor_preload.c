/* Context: O.  tprof monitor by libmon.so in the command. */
#include "monitor.h"

#include "complain.h"
#include "preload.h"
#include "ready.h"
#include "recorder.h"
#include "tprof_commands.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>

struct preload_run {
	struct monitor *m;
	struct preload preload;
	struct put put;
	bool written;		/* all that the profiles have is in the output */
};

static void
tell(void *arg, const struct fault *f)
{
	(void)arg;
	complain(f);
}

static int
begin(struct preload_run *p, struct fault *f)
{
	struct monitor *m = p->m;
	char library[PATH_MAX];
	int ret = preload_find(library, sizeof(library), f);

	if (ret == 0)
		ret = monitor_open(m, f);
	if (ret == 0)
		ret = preload_begin(&p->preload, library, m->set.hz_given ?
		    m->set.hz : 0, f);
	return ret != 0 ? ret : command_start(&m->command, m->argv,
	    p->preload.inject.env, f);
}

/*
 * CPU seconds of the command and what it waited for.  Less than some ticks of
 * the scheduler can be in no profile by chance.
 */
#define UNSEEN	0.1

#define LEAST_NS	1000000u	/* what a loss in milliseconds can say */

static double
seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static double
seconds_used(void)
{
	struct rusage used;

	return getrusage(RUSAGE_CHILDREN, &used) != 0 ? 0 :
	    seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
}

/*
 * Says how much CPU time is in no profile: that of processes that are too short
 * for a tick or linked statically, and what passes before a program starts.
 */
static void
take_unseen(struct preload_run *p)
{
	const double known = (double)p->preload.known_ns / 1e9;
	const double seconds = seconds_used() - known;

	if (p->preload.unsampled_ns >= LEAST_NS)
		fprintf(stderr, "\t%.3f s of CPU time have no sample, as of "
		    "page faults\n", (double)p->preload.unsampled_ns / 1e9);
	if (known == 0 || seconds * 1e9 < LEAST_NS)
		return;
	fprintf(stderr, "\t%.3f s of CPU time are in no profile, as of ",
	    seconds);
	if (p->preload.barred != 0)
		fprintf(stderr, "%" PRIu64 " that could create none, and of ",
		    p->preload.barred);
	fputs("processes too short to sample\n", stderr);
	put_loss(&p->put, (uint64_t)(seconds * 1000), "milliseconds: in no "
	    "profile, as of processes too short to sample");
}

/*
 * Says that a command which used CPU time left no sample: libmon.so could not
 * make a file, or a program was executed where it could not.
 */
static void
look_for_none(struct preload_run *p)
{
	const double seconds = seconds_used();

	if (p->put.stats[TPROF_S_SAMPLE] != 0 ||
	    p->put.stats[TPROF_S_DROPBUF_SAMPLES] != 0 || seconds < UNSEEN)
		return;
	fprintf(stderr, "tprof: %s: took %.1f s of CPU time, and left no "
	    "profile with a sample; use -b kernel\n", p->m->argv[0], seconds);
	p->m->failed = true;
}

static int
write_all(struct preload_run *p)
{
	char more[64], *head;
	int ret;

	snprintf(more, sizeof(more), "scope=tree\nhz=%u\n",
	    p->m->set.hz_given ? p->m->set.hz : 0);
	head = recorder_head("preload", p->m->argv, more);
	if (head == NULL)
		return -ENOMEM;
	put_begin(&p->put, p->m->out, head, ready_real());
	free(head);
	ret = preload_end(&p->preload, &p->put, tell, NULL);
	monitor_print(&p->put);
	fputs("\tbackend preload, the command and what it started\n", stderr);
	if (p->preload.running != 0)
		fprintf(stderr, "\t%" PRIu64 " of its processes still run; "
		    "from here on they are not counted\n",
		    p->preload.running);
	take_unseen(p);
	monitor_end(p->m, &p->put);
	p->written = ret == 0 && !p->m->failed;
	look_for_none(p);
	return ret;
}

static int
run(struct preload_run *p)
{
	struct fault f;
	int ret;

	if (begin(p, &f) != 0) {
		complain(&f);
		return TPROF_DATA;
	}
	ret = command_go(&p->m->command, p->m->argv[0], &f);
	if (ret != 0)
		complain(&f);
	command_wait(&p->m->command);
	if (write_all(p) != 0)
		p->m->failed = true;
	return ret != 0 ? ret : monitor_status(p->m);
}

int
monitor_preload(struct monitor *m)
{
	struct preload_run p = { .m = m };
	const int ret = run(&p);

	if (p.preload.directory != NULL)
		preload_close(&p.preload, p.written, tell, NULL);
	put_free(&p.put);
	return ret;
}
