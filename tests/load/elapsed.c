/*
 * Context: load.  Threads that are busy, asleep, in a convoy at a lock, or at
 * files, each of which says where its time went, by clocks of its own:
 *
 *	elapsed [-1] [-f] [-q] [-x] MODE THREADS SECONDS
 *
 * -1: all on one processor.  -q: the first thread ends before the others.
 * -f: all descriptors but one are in use, and that one at the end, too.
 * -x: the first thread tries to execute a missing program until others end.
 * Prints the seconds that all threads together lived, had a processor, waited
 * for one, and slept in usleep(3).  No THREADS: the first thread does it.
 */
#include "load.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

struct worker {
	pthread_t thread;
	void (*work)(struct worker *);
	double born, lived, cpu, waited, slept, end;
	unsigned number;
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static unsigned threads;
static _Atomic unsigned ended;
static int executes;
static struct worker workers[256];

static double
waited(void)
{
	unsigned long long ran, waits;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL || fscanf(f, "%llu %llu", &ran, &waits) != 2) {
		errno = ENOSYS;
		load_die("schedstat");
	}
	fclose(f);
	return (double)waits / 1e9;
}

static void
busy(struct worker *w)
{
	while (load_clock(CLOCK_MONOTONIC) < w->end)
		load_spin(10000);
}

/* Sleeps of 20 ms; what a sleep takes above that, it waited for a processor. */
static void
asleep(struct worker *w)
{
	while (load_clock(CLOCK_MONOTONIC) < w->end) {
		double from = load_clock(CLOCK_MONOTONIC), wait = waited();

		usleep(20000);
		w->slept += load_clock(CLOCK_MONOTONIC) - from -
		    (waited() - wait);
	}
}

static void
convoy(struct worker *w)
{
	while (load_clock(CLOCK_MONOTONIC) < w->end) {
		pthread_mutex_lock(&gate);
		load_burn(0.002);
		pthread_mutex_unlock(&gate);
	}
}

/* Writes and reads a file, to the disk and back from the page cache. */
static void
files(struct worker *w)
{
	char name[32], block[65536] = { 0 };
	int fd;

	snprintf(name, sizeof(name), "file.%u", w->number);
	LOAD_TRY(fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600));
	while (load_clock(CLOCK_MONOTONIC) < w->end) {
		LOAD_TRY(pwrite(fd, block, sizeof(block), 0));
		LOAD_TRY(fdatasync(fd));
		LOAD_TRY(pread(fd, block, sizeof(block), 0));
	}
	close(fd);
	unlink(name);
}

static void
account(struct worker *w)
{
	w->cpu += load_clock(CLOCK_THREAD_CPUTIME_ID);
	w->waited += waited();
	w->lived = load_clock(CLOCK_MONOTONIC) - w->born;
}

static void *
run(void *worker)
{
	struct worker *w = worker;

	w->work(w);
	account(w);
	ended++;
	return NULL;
}

/* The first thread, and one that ends behind it. */
static struct worker first, last;

static void
add(double *to, const struct worker *w)
{
	to[0] += w->lived;
	to[1] += w->cpu;
	to[2] += w->waited;
	to[3] += w->slept;
}

static void
report(void)
{
	double all[4] = { 0 };

	add(all, &first);
	add(all, &last);
	for (unsigned i = 0; i < threads; i++)
		add(all, &workers[i]);
	printf("lived %.6f\ncpu %.6f\nwaited %.6f\nslept %.6f\n", all[0],
	    all[1], all[2], all[3]);
	fflush(stdout);
}

static void
join_workers(void)
{
	while (executes && ended < threads)
		execl("./missing", "missing", (char *)NULL);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
}

/* The last thread of a process whose first one has ended. */
static void *
outlive(void *unused)
{
	join_workers();
	account(&last);
	report();
	exit(0);
	return unused;
}

static void
pin(void)
{
	cpu_set_t all, one;
	int cpu = 0;

	LOAD_TRY(sched_getaffinity(0, sizeof(all), &all));
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	LOAD_TRY(sched_setaffinity(0, sizeof(one), &one));
}

/* Takes all descriptors but `left`. */
static void
take_descriptors(int left)
{
	int fd, highest = 0;

	while ((fd = dup(1)) >= 0)
		highest = fd;
	while (left-- > 0)
		close(highest--);
}

static void (*work_of(const char *name))(struct worker *)
{
	return strcmp(name, "busy") == 0 ? busy :
	    strcmp(name, "asleep") == 0 ? asleep :
	    strcmp(name, "convoy") == 0 ? convoy : files;
}

static void
begin(struct worker *w, const char *mode, double seconds)
{
	w->work = work_of(mode);
	w->born = load_clock(CLOCK_MONOTONIC);
	w->end = w->born + seconds;
}

int
main(int argc, char **argv)
{
	int leaves = 0, full = 0, c;

	/* an exec keeps these numbers */
	first.cpu = -load_clock(CLOCK_THREAD_CPUTIME_ID);
	first.waited = -waited();
	first.born = load_clock(CLOCK_MONOTONIC);
	while ((c = getopt(argc, argv, "1fqx")) != -1) {
		if (c == '1')
			pin();
		full |= c == 'f';
		executes |= c == 'x';
		leaves |= c == 'q';
	}
	argv += optind;
	if (full)
		take_descriptors(1);
	threads = (unsigned)atoi(argv[1]);
	for (unsigned i = 0; i < threads; i++) {
		struct worker *w = &workers[i];

		w->number = i;
		begin(w, argv[0], atof(argv[2]));
		if (pthread_create(&w->thread, NULL, run, w) != 0)
			load_die("pthread_create");
	}
	if (threads == 0) {
		begin(&first, argv[0], atof(argv[2]));
		first.work(&first);
	}
	if (leaves) {
		last.born = load_clock(CLOCK_MONOTONIC);
		if (pthread_create(&last.thread, NULL, outlive, NULL) != 0)
			load_die("pthread_create");
		account(&first);
		pthread_exit(NULL);
	}
	join_workers();
	account(&first);
	report();
	if (full)
		take_descriptors(0);
	return 0;
}
