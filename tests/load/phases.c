/* Context: load.  Threads that run at known times: phases [CPU-SECONDS-EACH].
 * First the main thread alone, then nobody, then another thread, then both.
 * Prints `part BEGIN END` of each, in seconds since 1970. */
#include "load.h"
#include "part.h"

#include <pthread.h>
#include <stdio.h>

PART(part_a, 1)
PART(part_b, 3)
PART(part_c, 5)
PART(part_d, 7)

struct phase {
	const char *name;
	uint64_t (*run)(uint64_t);
	double begin, end;
};

static struct phase a = { .name = "part_a", .run = part_a };
static struct phase b = { .name = "part_b", .run = part_b };
static struct phase c = { .name = "part_c", .run = part_c };
static struct phase d = { .name = "part_d", .run = part_d };
static double seconds;
static pthread_barrier_t together;

static void
go(struct phase *p)
{
	const double until = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;

	p->begin = load_clock(CLOCK_REALTIME);
	do
		p->run(100000);
	while (load_clock(CLOCK_THREAD_CPUTIME_ID) < until);
	p->end = load_clock(CLOCK_REALTIME);
}

static void *
other(void *unused)
{
	go(&b);
	pthread_barrier_wait(&together);
	go(&c);
	return unused;
}

int
main(int argc, char **argv)
{
	const struct phase *all[] = { &a, &b, &c, &d };
	pthread_t id;
	int i;

	seconds = load_number(argc, argv, 1, 0.5);
	go(&a);
	load_sleep(seconds);
	pthread_barrier_init(&together, NULL, 2);
	if (pthread_create(&id, NULL, other, NULL) != 0)
		load_die("pthread_create");
	pthread_barrier_wait(&together);
	go(&d);
	pthread_join(id, NULL);
	for (i = 0; i < 4; i++)
		printf("%s %.6f %.6f\n", all[i]->name, all[i]->begin,
		    all[i]->end);
	return 0;
}
