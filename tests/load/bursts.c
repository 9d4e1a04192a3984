/* Context: load.  Works in bursts that begin at each multiple of a period, as a
 * control loop or a game does: in step with the scheduler's tick, behind which
 * it may never run.  Prints the CPU time of each part, by the thread's
 * clock. */
#include "load.h"
#include "part.h"

PART(part_a, 1)
PART(part_b, 3)

static double spent[2];

static void
timed(int part, uint64_t (*run)(uint64_t), uint64_t rounds)
{
	const double start = load_clock(CLOCK_THREAD_CPUTIME_ID);

	run(rounds);
	spent[part] += load_clock(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* bursts SECONDS PERIOD SHARE: SHARE of each PERIOD, three fifths in part_a. */
int
main(int argc, char **argv)
{
	const double seconds = load_number(argc, argv, 1, 1);
	const double period = load_number(argc, argv, 2, 0.004);
	const double share = load_number(argc, argv, 3, 0.3);
	const double rounds = load_rate(part_a) * period * share;
	const double end = load_clock(CLOCK_MONOTONIC) + seconds;
	double next = load_clock(CLOCK_MONOTONIC) + period;

	for (; next < end; next += period) {
		struct timespec t = { (time_t)next,
		    (long)((next - (double)(time_t)next) * 1e9) };

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t,
		    NULL) == EINTR)
			;
		timed(0, part_a, (uint64_t)(rounds * 0.6));
		timed(1, part_b, (uint64_t)(rounds * 0.4));
	}
	usleep(1);		/* not called before */
	printf("part_a %.6f\npart_b %.6f\n", spent[0], spent[1]);
	return 0;
}
