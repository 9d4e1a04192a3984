/* Context: load.  Many threads each of which works for 1 ms now and then, in
 * the same order of parts.  Prints the CPU time of each part, by the threads'
 * clocks. */
#include "load.h"
#include "part.h"

#include <pthread.h>
#include <stdatomic.h>

PART(part_a, 1)
PART(part_b, 3)

#define THREADS	40
#define PERIOD	0.04
#define BURST	0.001

static _Atomic uint64_t spent[2];	/* ns */
static double rounds, end;

static void
timed(int part, uint64_t (*run)(uint64_t), uint64_t n)
{
	const double start = load_clock(CLOCK_THREAD_CPUTIME_ID);

	run(n);
	spent[part] += (uint64_t)(1e9 *
	    (load_clock(CLOCK_THREAD_CPUTIME_ID) - start));
}

static void *
work(void *first)
{
	double next = *(double *)first, now;

	for (; next < end; next += PERIOD) {
		now = load_clock(CLOCK_MONOTONIC);
		if (now < next)
			load_sleep(next - now);
		timed(0, part_a, (uint64_t)(rounds * 0.5));
		timed(1, part_b, (uint64_t)(rounds * 0.5));
	}
	return NULL;
}

/* crowd SECONDS */
int
main(int argc, char **argv)
{
	const double start = load_clock(CLOCK_MONOTONIC);
	double first[THREADS];
	pthread_t id[THREADS];
	int i;

	rounds = load_rate(part_a) * BURST;
	end = start + load_number(argc, argv, 1, 1);
	for (i = 0; i < THREADS; i++) {
		first[i] = start + PERIOD * i / THREADS;
		if (pthread_create(&id[i], NULL, work, &first[i]) != 0)
			load_die("pthread_create");
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	printf("part_a %.6f\npart_b %.6f\n", 1e-9 * (double)spent[0],
	    1e-9 * (double)spent[1]);
	return 0;
}
