/* Context: load.  Spends CPU time in known shares and prints what it measured,
 * a line a part: that, not what was asked for, is the expectation. */
#include "load.h"
#include "part.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PARTS 4
#define PIECE 250000		/* rounds: a quarter of a millisecond or so */

PART(part_a, 1)
PART(part_b, 3)
PART(part_c, 5)
PART(part_d, 7)

static struct {
	uint64_t (*run[PARTS])(uint64_t);
	uint64_t rounds[PARTS];
	double usual[PARTS];	/* seconds a round */
	double seconds;
	double weight[PARTS];
	double cycle;		/* CPU seconds in a turn of all parts */
	int steady;		/* all turns are alike: in step with a clock */
	int quiet;		/* no system call between the parts */
	double (*spent)[PARTS];	/* one row a worker, shared with children */
} shares = {
	.run = { part_a, part_b, part_c, part_d },
	.weight = { 50, 30, 15, 5 },
	.cycle = 0.010,
};

static const char *const names[PARTS] = {
	"part_a", "part_b", "part_c", "part_d"
};

/* 0.5 to 1.5, so that no clock is in step with our turns. */
static double
stretch(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return shares.steady ? 1 : 0.5 + (double)(*state >> 40) / (1 << 24);
}

static double
sum_of_weights(void)
{
	double sum = 0;
	int p;

	for (p = 0; p < PARTS; p++)
		sum += shares.weight[p];
	return sum;
}

/*
 * By a clock that is no system call.  A piece that took three times as long as
 * is usual was interrupted, and counts as is usual.  The rounds themselves say
 * too little: beside other work a part's may take half as long again.
 */
static double
run_and_time(int p, uint64_t rounds, double *usual)
{
	double took = 0, t = load_clock(CLOCK_MONOTONIC), u, each;
	uint64_t n;

	for (; rounds > 0; rounds -= n) {
		n = rounds < PIECE ? rounds : PIECE;
		shares.run[p](n);
		u = load_clock(CLOCK_MONOTONIC);
		each = (u - t) / (double)n;
		t = u;
		if (each > 3 * *usual)
			each = *usual;
		*usual += (each - *usual) / 16;
		took += each * (double)n;
	}
	return took;
}

/*
 * Reading a thread's CPU clock lets the scheduler see that its time is up
 * (Linux 6.6): on a busy machine it is preempted just there, between two parts,
 * and a tick meets the long ones only (70 % for 50, by a bare POSIX timer).
 */
static void
work_quietly(double *spent, uint64_t *state)
{
	double total = load_clock(CLOCK_THREAD_CPUTIME_ID), longer, sum = 0;
	double usual[PARTS], took[PARTS] = {0};
	long turns = (long)(shares.seconds / shares.cycle);
	int p;

	memcpy(usual, shares.usual, sizeof(usual));
	while (turns-- > 0) {
		longer = stretch(state);
		for (p = 0; p < PARTS; p++)
			took[p] += run_and_time(p, (uint64_t)((double)
			    shares.rounds[p] * longer), &usual[p]);
	}
	total = load_clock(CLOCK_THREAD_CPUTIME_ID) - total;
	for (p = 0; p < PARTS; p++)
		sum += took[p];
	for (p = 0; p < PARTS; p++)
		spent[p] += total * took[p] / sum;
}

static void *
work(void *arg)
{
	double *spent = arg, t, u, end, longer;
	uint64_t state = (uintptr_t)arg;
	int p;

	if (shares.quiet) {
		work_quietly(spent, &state);
		return NULL;
	}
	t = load_clock(CLOCK_THREAD_CPUTIME_ID);
	end = t + shares.seconds;
	while (t < end) {
		longer = stretch(&state);
		for (p = 0; p < PARTS; p++) {
			shares.run[p]((uint64_t)((double)shares.rounds[p] *
			    longer));
			u = load_clock(CLOCK_THREAD_CPUTIME_ID);
			spent[p] += u - t;
			t = u;
		}
	}
	return NULL;
}

static void
work_in_threads(int threads, double (*spent)[PARTS])
{
	pthread_t id[64];
	int i;

	for (i = 0; i < threads; i++)
		if (pthread_create(&id[i], NULL, work, spent[i]) != 0)
			load_die("pthread_create");
	for (i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
}

static void
work_in_children(int children, int threads)
{
	int i;
	pid_t pid;

	for (i = 0; i < children; i++) {
		LOAD_TRY(pid = fork());
		if (pid == 0) {
			work_in_threads(threads, shares.spent + i * threads);
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

/* How many rounds of the loop a second of CPU time holds. */
static void
calibrate(void)
{
	const uint64_t many = 20000000;
	double t, sum = sum_of_weights();
	int p;

	for (p = 0; p < PARTS; p++) {
		t = load_clock(CLOCK_THREAD_CPUTIME_ID);
		shares.run[p](many);
		t = load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
		shares.rounds[p] = (uint64_t)((double)many / t * shares.cycle *
		    shares.weight[p] / sum);
		shares.usual[p] = t / (double)many;
		shares.spent[0][p] += t;
	}
}

static void
library(int p, const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *entry = handle ? dlsym(handle, names[p]) : NULL;

	if (entry == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	memcpy(&shares.run[p], &entry, sizeof(entry));
}

int
main(int argc, char **argv)
{
	int c, i, p, workers, threads = 1, children = 0, libraries = 0;

	while ((c = getopt(argc, argv, "t:f:w:c:l:q")) != -1)
		switch (c) {
		case 't': threads = atoi(optarg); break;
		case 'f': children = atoi(optarg); break;
		case 'c':
			shares.cycle = atof(optarg);
			shares.steady = 1;
			break;
		case 'q': shares.quiet = 1; break;
		case 'l': library(libraries++ % PARTS, optarg); break;
		case 'w':
			sscanf(optarg, "%lf,%lf,%lf,%lf", &shares.weight[0],
			    &shares.weight[1], &shares.weight[2],
			    &shares.weight[3]);
			break;
		default: return 2;
		}
	shares.seconds = load_number(argc, argv, optind, 1);
	workers = threads * (children ? children : 1);
	if (threads < 1 || threads > 64)
		return 2;
	shares.spent = mmap(NULL, (size_t)workers * sizeof(*shares.spent),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shares.spent == MAP_FAILED)
		load_die("mmap");
	calibrate();
	if (children)
		work_in_children(children, threads);
	else if (threads == 1)
		work(shares.spent[0]);
	else
		work_in_threads(threads, shares.spent);
	for (p = 0; p < PARTS; p++) {
		for (i = 1; i < workers; i++)
			shares.spent[0][p] += shares.spent[i][p];
		printf("%s %.6f\n", names[p], shares.spent[0][p]);
	}
	return 0;
}
